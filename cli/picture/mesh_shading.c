#include "mesh_shading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Cosine of 40°, the angle from which on an edge is seen as one.
#define CREASE_COSINE 0.766

/// Faces around each vertex: those of v are faces[first[v]] to faces[first[v + 1]].
typedef struct Fans
{
    uint32_t* first;
    uint32_t* faces;
    double (*normals)[3]; ///< of the faces, as long as twice their area
} Fans;

static void cross_of(const RecordedMesh* mesh, uint32_t face, double out[3])
{
    const uint32_t* index = &mesh->indices[3 * (size_t)face];
    const AbutVec3 a = mesh->positions[index[0]], b = mesh->positions[index[1]],
                   c = mesh->positions[index[2]];
    const double u[3] = { (double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z };
    const double v[3] = { (double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z };
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void free_fans(Fans* fans)
{
    free(fans->first);
    free(fans->faces);
    free(fans->normals);
}

static bool make_fans(const RecordedMesh* mesh, Fans* fans)
{
    size_t corner_count = 3 * (size_t)mesh->triangle_count;
    fans->first = calloc((size_t)mesh->vertex_count + 2, sizeof(uint32_t));
    fans->faces = malloc(corner_count * sizeof(uint32_t) + 1);
    fans->normals = malloc(mesh->triangle_count * sizeof(double[3]) + 1);
    if (fans->first == NULL || fans->faces == NULL || fans->normals == NULL)
    {
        return false;
    }
    // Counted two places on, so that filling the lists leaves each start where it belongs.
    for (size_t i = 0; i < corner_count; ++i)
    {
        fans->first[mesh->indices[i] + 2] += 1;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        fans->first[v + 2] += fans->first[v + 1];
    }
    for (size_t i = 0; i < corner_count; ++i)
    {
        fans->faces[fans->first[mesh->indices[i] + 1]++] = (uint32_t)(i / 3);
    }
    for (uint32_t face = 0; face < mesh->triangle_count; ++face)
    {
        cross_of(mesh, face, fans->normals[face]);
    }
    return true;
}

static AbutVec3 corner_normal(const Fans* fans, uint32_t vertex, uint32_t face)
{
    const double* own = fans->normals[face];
    double length = sqrt(dot(own, own));
    double sum[3] = { 0.0, 0.0, 0.0 };
    for (uint32_t i = fans->first[vertex]; i < fans->first[vertex + 1]; ++i)
    {
        const double* other = fans->normals[fans->faces[i]];
        if (dot(own, other) > CREASE_COSINE * length * sqrt(dot(other, other)))
        {
            sum[0] += other[0];
            sum[1] += other[1];
            sum[2] += other[2];
        }
    }
    double sum_length = sqrt(dot(sum, sum));
    const double* mean = sum_length > 0.0 ? sum : own;
    double scale = 1.0 / (sum_length > 0.0 ? sum_length : length);
    return abut_vec3((float)(mean[0] * scale), (float)(mean[1] * scale), (float)(mean[2] * scale));
}

/// The vertices that were made of one of the mesh are a list: `next` leads on, 0 ends it (the numbers are one
/// too high).
static uint32_t find_or_add(ShadedMesh* out, uint32_t* head, uint32_t* next, AbutVec3 position,
                            AbutVec3 normal)
{
    for (uint32_t i = *head; i != 0; i = next[i - 1])
    {
        if (memcmp(&out->normals[i - 1], &normal, sizeof(normal)) == 0)
        {
            return i - 1;
        }
    }
    uint32_t added = out->vertex_count++;
    out->positions[added] = position;
    out->normals[added] = normal;
    next[added] = *head;
    *head = added + 1;
    return added;
}

static void add_corners(const RecordedMesh* mesh, const Fans* fans, uint32_t* heads, uint32_t* next,
                        ShadedMesh* out)
{
    for (uint32_t face = 0; face < mesh->triangle_count; ++face)
    {
        if (!(dot(fans->normals[face], fans->normals[face]) > 0.0))
        {
            continue;
        }
        for (int k = 0; k < 3; ++k)
        {
            uint32_t vertex = mesh->indices[3 * (size_t)face + (size_t)k];
            AbutVec3 normal = corner_normal(fans, vertex, face);
            out->indices[3 * (size_t)out->triangle_count + (size_t)k] =
                find_or_add(out, &heads[vertex], next, mesh->positions[vertex], normal);
        }
        out->triangle_count += 1;
    }
}

bool shaded_mesh_create(const RecordedMesh* mesh, ShadedMesh* out)
{
    memset(out, 0, sizeof(*out));
    size_t corner_count = 3 * (size_t)mesh->triangle_count;
    Fans fans = { NULL, NULL, NULL };
    uint32_t* heads = calloc((size_t)mesh->vertex_count + 1, sizeof(uint32_t));
    uint32_t* next = malloc(corner_count * sizeof(uint32_t) + 1);
    out->positions = malloc(corner_count * sizeof(AbutVec3) + 1);
    out->normals = malloc(corner_count * sizeof(AbutVec3) + 1);
    out->indices = malloc(corner_count * sizeof(uint32_t) + 1);
    bool good = make_fans(mesh, &fans) && heads != NULL && next != NULL && out->positions != NULL &&
                out->normals != NULL && out->indices != NULL;
    if (good)
    {
        add_corners(mesh, &fans, heads, next, out);
    }
    else
    {
        shaded_mesh_destroy(out);
    }
    free_fans(&fans);
    free(heads);
    free(next);
    return good;
}

void shaded_mesh_destroy(ShadedMesh* mesh)
{
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->indices);
    memset(mesh, 0, sizeof(*mesh));
}
