// Area, degenerate triangles and duplicates.
#include "mesh/inspect/faces.h"

#include "base/tasks.h"
#include "mesh/triangle/triangle.h"

enum
{
    BLOCK_COUNT = 256 // fixed, so that the area is the same sum for any number of workers
};

typedef struct FaceSums
{
    double area;
    uint32_t degenerate_count;
} FaceSums;

typedef struct FaceContext
{
    const AbutMesh* mesh;
    FaceSums blocks[BLOCK_COUNT];
} FaceContext;

static double triangle_area(const AbutTriangle* t)
{
    AbutVec3 a = t->corners[0], b = t->corners[1], c = t->corners[2];
    double ux = (double)b.x - a.x, uy = (double)b.y - a.y, uz = (double)b.z - a.z;
    double vx = (double)c.x - a.x, vy = (double)c.y - a.y, vz = (double)c.z - a.z;
    double x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    return 0.5 * sqrt(x * x + y * y + z * z);
}

static void sum_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    FaceContext* self = context;
    uint64_t count = self->mesh->triangle_count;
    FaceSums sums = { 0 };
    for (uint64_t t = count * block / BLOCK_COUNT; t < count * (block + 1) / BLOCK_COUNT; ++t)
    {
        const uint32_t* corners = self->mesh->indices + 3 * t;
        AbutTriangle triangle = abut_triangle_of(self->mesh->vertices, corners);
        sums.area += triangle_area(&triangle);
        if (abut_is_collapsed(corners) || abut_triangle_is_degenerate(&triangle))
        {
            sums.degenerate_count += 1;
        }
    }
    self->blocks[block] = sums;
}

AbutResult abut_inspect_faces(AbutInspection* inspection)
{
    FaceContext context = { .mesh = inspection->mesh };
    abut_parallel_for(&inspection->host, BLOCK_COUNT, sum_block, &context);
    for (int b = 0; b < BLOCK_COUNT; ++b)
    {
        inspection->report.area += context.blocks[b].area;
        inspection->report.degenerate_count += context.blocks[b].degenerate_count;
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Duplicates
// -----------------------------------------------------------------------------------------------------------

/// Files a triangle under its lowest vertex, by the other two in order: equal corners give equal keys.
static uint32_t file_triangle(const uint32_t corners[3], uint32_t triangle, AbutVertexKey keys[3])
{
    (void)triangle;
    if (abut_is_collapsed(corners))
    {
        return 0;
    }
    uint32_t a = corners[0], b = corners[1], c = corners[2];
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t least = low < c ? low : c, most = high > c ? high : c;
    uint32_t middle = low > c ? low : high < c ? high : c;
    keys[0] = (AbutVertexKey){ least, (uint64_t)middle << 32 | most };
    return 1;
}

AbutResult abut_inspect_duplicates(AbutInspection* inspection)
{
    AbutVertexKeys triangles;
    AbutResult result =
        abut_vertex_keys_create(&inspection->host, inspection->mesh, file_triangle, &triangles);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (uint32_t v = 0; v < triangles.vertex_count; ++v)
    {
        for (uint32_t i = triangles.offsets[v] + 1; i < triangles.offsets[v + 1]; ++i)
        {
            inspection->report.duplicate_count += triangles.keys[i] == triangles.keys[i - 1];
        }
    }
    abut_vertex_keys_destroy(&inspection->host, &triangles);
    return ABUT_OK;
}
