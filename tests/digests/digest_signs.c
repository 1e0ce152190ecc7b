// Prints hashes of the signs of grid nodes, and of what they came from, for closed, crossing, cracked and
// open meshes: equal text means equal signs, whatever the processor, the compiler and the instruction set.
#include "support/digest.h"

#include "bake/distance/grid.h"
#include "bake/sign/jobs.h"

#include <abut/abut.h>
#include <abut/models.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 53, // nodes along an axis; not a multiple of any block or lane count
    NODES = SIDE * SIDE * SIDE
};

static float squared[NODES];
static uint32_t nearest[NODES];
static uint8_t origins[NODES], inside[NODES];

static void print_signs(const char* name, const AbutMesh* mesh, AbutSignMethod method)
{
    AbutBox box = abut_mesh_bounds(mesh);
    AbutVec3 e = abut_box_extents(box);
    double size = 1.25 * fmax((double)e.x, fmax((double)e.y, (double)e.z));
    AbutNodeGrid grid = { .cell_size = size / (SIDE - 1), .node_count = { SIDE, SIDE, SIDE } };
    grid.origin[0] = 0.5 * ((double)box.min.x + (double)box.max.x - size);
    grid.origin[1] = 0.5 * ((double)box.min.y + (double)box.max.y - size);
    grid.origin[2] = 0.5 * ((double)box.min.z + (double)box.max.z - size);
    AbutTriangleGroups* groups = NULL;
    AbutSignClassifier* classifier = NULL;
    AbutSignCounts counts = { 0 };
    digest_check(abut_triangle_groups_create(mesh, NULL, &groups), name);
    digest_check(abut_distance_grid(groups, &grid, NULL, squared, nearest), name);
    digest_check(abut_sign_classifier_create(mesh, method, NULL, &classifier), name);
    AbutSignJob job = abut_sign_job(&grid, nearest, squared);
    job.origins = origins;
    memset(origins, 0, sizeof(origins));
    abut_sign_grid(classifier, &job, NULL, &counts);
    uint32_t inside_count = 0;
    for (int i = 0; i < NODES; ++i)
    {
        inside[i] = signbit(squared[i]) != 0;
        inside_count += inside[i];
    }
    printf("%-14s %d %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %" PRIu32 " %" PRIu64 " %" PRIu64 "\n",
           name, (int)method, abut_hash(inside, sizeof(inside), 0), abut_hash(origins, sizeof(origins), 0),
           abut_hash(nearest, sizeof(nearest), 0), inside_count, counts.evaluated, counts.uncertain_nodes);
    abut_sign_classifier_destroy(classifier);
    abut_triangle_groups_destroy(groups);
}

/// The triangles of a mesh from `first` on, then those of another one, moved.
static AbutMesh* joined(const AbutMesh* a, uint32_t first, const AbutMesh* b, AbutVec3 offset)
{
    uint32_t a_count = abut_mesh_vertex_count(a), b_count = abut_mesh_vertex_count(b);
    uint32_t a_triangles = abut_mesh_triangle_count(a) - first, b_triangles = abut_mesh_triangle_count(b);
    AbutVec3* vertices = malloc(((size_t)a_count + b_count) * sizeof(AbutVec3));
    uint32_t* indices = malloc(3 * ((size_t)a_triangles + b_triangles) * sizeof(uint32_t));
    if (vertices == NULL || indices == NULL)
    {
        exit(EXIT_FAILURE);
    }
    memcpy(vertices, abut_mesh_vertices(a), a_count * sizeof(AbutVec3));
    for (uint32_t i = 0; i < b_count; ++i)
    {
        vertices[a_count + i] = abut_vec3_add(abut_mesh_vertices(b)[i], offset);
    }
    memcpy(indices, abut_mesh_indices(a) + 3 * (size_t)first, 3 * (size_t)a_triangles * sizeof(uint32_t));
    for (size_t i = 0; i < 3 * (size_t)b_triangles; ++i)
    {
        indices[3 * (size_t)a_triangles + i] = a_count + abut_mesh_indices(b)[i];
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = a_count + b_count;
    def.indices = indices;
    def.triangle_count = a_triangles + b_triangles;
    AbutMesh* mesh = NULL;
    digest_check(abut_mesh_create(&def, &mesh), "joined");
    free(vertices);
    free(indices);
    return mesh;
}

int main(void)
{
    fprintf(stderr, "digest_signs: %s\n", abut_simd_name());
    AbutMesh *sphere = NULL, *box = NULL, *gear = NULL;
    AbutGearMeshDef gear_def = abut_gear_mesh_def();
    digest_check(abut_mesh_create_sphere(1.0f, 12, NULL, &sphere), "sphere");
    digest_check(abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 1.5f), 1, NULL, &box), "box");
    digest_check(abut_mesh_create_gear(&gear_def, &gear), "gear");
    AbutMesh* crossing = joined(sphere, 0, box, abut_vec3(0.7f, 0.1f, 0.2f));
    AbutMesh* open = joined(sphere, 60, box, abut_vec3(0.0f, 1.5f, 0.0f));
    AbutMesh* touching = joined(box, 0, box, abut_vec3(1.0f, 0.0f, 0.0f)); // a face in common
    for (int method = ABUT_SIGN_AUTO; method <= ABUT_SIGN_WINDING; ++method)
    {
        print_signs("box", box, (AbutSignMethod)method);
        print_signs("gear", gear, (AbutSignMethod)method);
        print_signs("crossing", crossing, (AbutSignMethod)method);
        print_signs("open", open, (AbutSignMethod)method);
        print_signs("touching", touching, (AbutSignMethod)method);
    }
    AbutMesh* all[] = { sphere, box, gear, crossing, open, touching };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i)
    {
        abut_mesh_destroy(all[i]);
    }
    return EXIT_SUCCESS;
}
