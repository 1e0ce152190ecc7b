#include "ball_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Points (x, y, z) of the lattice with |x| + |y| + |z| = divisions are the vertices.
typedef struct Lattice
{
    int divisions;
    uint32_t* index; // of a vertex plus 1, or 0; a cube of side 2 divisions + 1
    RecordedMesh* mesh;
} Lattice;

static uint32_t vertex_at(Lattice* self, const int at[3])
{
    int n = self->divisions, side = 2 * n + 1;
    uint32_t* slot = &self->index[((at[2] + n) * side + at[1] + n) * side + at[0] + n];
    if (*slot == 0)
    {
        AbutVec3 v = abut_vec3((float)at[0], (float)at[1], (float)at[2]);
        self->mesh->positions[self->mesh->vertex_count++] = abut_vec3_scale(v, 1.0f / abut_vec3_length(v));
        *slot = self->mesh->vertex_count;
    }
    return *slot - 1;
}

/// Corners in the octant of all positive numbers, counter-clockwise there.
static void add_triangle(Lattice* self, const int signs[3], int corners[3][3])
{
    bool flip = signs[0] * signs[1] * signs[2] < 0;
    for (int k = 0; k < 3; ++k)
    {
        const int* corner = corners[flip ? 2 - k : k];
        const int at[3] = { signs[0] * corner[0], signs[1] * corner[1], signs[2] * corner[2] };
        self->mesh->indices[3 * (size_t)self->mesh->triangle_count + (size_t)k] = vertex_at(self, at);
    }
    self->mesh->triangle_count += 1;
}

static void add_octant(Lattice* self, const int signs[3])
{
    int n = self->divisions;
    for (int a = 0; a < n; ++a)
    {
        for (int b = 0; a + b < n; ++b)
        {
            int c = n - 1 - a - b;
            int up[3][3] = { { a + 1, b, c }, { a, b + 1, c }, { a, b, c + 1 } };
            add_triangle(self, signs, up);
            if (c > 0)
            {
                int down[3][3] = { { a + 1, b + 1, c - 1 }, { a, b + 1, c }, { a + 1, b, c } };
                add_triangle(self, signs, down);
            }
        }
    }
}

bool ball_mesh_create(uint32_t divisions, RecordedMesh* out)
{
    size_t n = divisions, side = 2 * n + 1;
    *out = (RecordedMesh){ 0 };
    Lattice lattice = { (int)divisions, calloc(side * side * side, sizeof(uint32_t)), out };
    out->positions = malloc((4 * n * n + 2) * sizeof(AbutVec3));
    out->indices = malloc(24 * n * n * sizeof(uint32_t));
    bool good = lattice.index != NULL && out->positions != NULL && out->indices != NULL;
    for (int octant = 0; good && octant < 8; ++octant)
    {
        const int signs[3] = { (octant & 1) != 0 ? -1 : 1, (octant & 2) != 0 ? -1 : 1,
                               (octant & 4) != 0 ? -1 : 1 };
        add_octant(&lattice, signs);
    }
    free(lattice.index);
    return good;
}

void ball_mesh_destroy(RecordedMesh* mesh)
{
    free(mesh->positions);
    free(mesh->indices);
}
