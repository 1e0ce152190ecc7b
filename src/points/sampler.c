#include "points/sampler.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/corners.h"
#include "mesh/pseudo_normal.h"
#include "mesh/triangle/triangle.h"

#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// The mesh
// -----------------------------------------------------------------------------------------------------------

static AbutBox triangle_box(void* context, uint32_t item)
{
    const AbutMesh* mesh = context;
    AbutTriangle triangle = abut_triangle_of(mesh->vertices, mesh->indices + 3 * (size_t)item);
    return abut_triangle_box(&triangle);
}

static double triangle_area(const AbutMesh* mesh, uint32_t triangle)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(mesh, triangle, corners);
    return 0.5 * abut_dvec3_length(abut_corners_normal(corners));
}

static void measure_triangles(AbutSampler* sampler)
{
    for (uint32_t i = 0; i < sampler->mesh->triangle_count; ++i)
    {
        AbutDVec3 normal;
        abut_face_normal(sampler->mesh, i, &normal);
        sampler->normals[i] = abut_dvec3_to_vec3(normal);
        sampler->area += triangle_area(sampler->mesh, i);
        sampler->area_ends[i] = sampler->area;
    }
}

AbutResult abut_sampler_init(AbutSampler* sampler, const AbutPointsDef* def, const AbutMesh* mesh)
{
    uint32_t count = mesh->triangle_count;
    *sampler = (AbutSampler){ .host = abut_host_resolve(def->host), .mesh = mesh, .def = *def };
    sampler->arena = abut_arena_make(&sampler->host);
    sampler->area_ends = abut_arena_allocate(&sampler->arena, count, sizeof(double));
    sampler->normals = abut_arena_allocate(&sampler->arena, count, sizeof(AbutVec3));
    if (sampler->area_ends == NULL || sampler->normals == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    measure_triangles(sampler);
    if (count > ABUT_BOX_TREE_MAX_ITEMS)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "points: the mesh has %u triangles; the most are %d", count,
                         ABUT_BOX_TREE_MAX_ITEMS);
    }
    return abut_box_tree_create(&sampler->host, count, triangle_box, (void*)mesh, &sampler->tree);
}

void abut_sampler_destroy(AbutSampler* sampler)
{
    abut_arena_clear(&sampler->arena);
    abut_box_tree_destroy(&sampler->host, &sampler->tree);
    abut_memory_free(&sampler->host, sampler->samples, sampler->capacity, sizeof(AbutSurfaceSample));
    abut_memory_free(&sampler->host, sampler->moved, sampler->moved_capacity, sizeof(AbutSurfaceSample));
    abut_memory_free(&sampler->host, sampler->grid.heads, sampler->grid.head_capacity, sizeof(uint32_t));
}

double abut_sampler_random(AbutSampler* sampler)
{
    sampler->random += 0x9E3779B97F4A7C15u;
    uint64_t x = sampler->random; // splitmix64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

AbutResult abut_sampler_progress(const AbutSampler* sampler, float done)
{
    if (sampler->def.progress != NULL && !sampler->def.progress(sampler->def.progress_user, done))
    {
        return abut_fail(ABUT_CANCELLED, "points: cancelled");
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Cells
// -----------------------------------------------------------------------------------------------------------

static AbutSampleCell cell_at(const AbutSampleGrid* grid, double x, double y, double z)
{
    return (AbutSampleCell){ { (int32_t)floor(x / grid->cell_size), (int32_t)floor(y / grid->cell_size),
                               (int32_t)floor(z / grid->cell_size) } };
}

static uint32_t* head_of(const AbutSampleGrid* grid, AbutSampleCell cell)
{
    uint32_t hash = (uint32_t)cell.at[0] * 0x9E3779B1u ^ (uint32_t)cell.at[1] * 0x85EBCA77u ^
                    (uint32_t)cell.at[2] * 0xC2B2AE3Du;
    return &grid->heads[(hash ^ hash >> 15) & (grid->head_count - 1)];
}

/// Inserts a sample in the list of its cell.
static void file_sample(AbutSampler* sampler, size_t index)
{
    AbutSurfaceSample* sample = &sampler->samples[index];
    sample->cell = cell_at(&sampler->grid, sample->at.x, sample->at.y, sample->at.z);
    uint32_t* head = head_of(&sampler->grid, sample->cell);
    sample->next = *head;
    *head = (uint32_t)index;
}

AbutResult abut_sampler_fill_grid(AbutSampler* sampler, double cell_size)
{
    AbutSampleGrid* grid = &sampler->grid;
    uint32_t needed = 1024;
    while (needed < sampler->count && needed < 1u << 30)
    {
        needed *= 2;
    }
    if (!abut_memory_grow(&sampler->host, (void**)&grid->heads, &grid->head_capacity, needed,
                          sizeof(uint32_t)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    grid->cell_size = cell_size;
    grid->head_count = needed;
    memset(grid->heads, 0xFF, needed * sizeof(uint32_t));
    for (size_t i = 0; i < sampler->count; ++i)
    {
        file_sample(sampler, i);
    }
    return ABUT_OK;
}

AbutResult abut_sampler_add(AbutSampler* sampler, AbutVec3 at, uint32_t triangle)
{
    ABUT_ASSERT(abut_vec3_is_finite(at));
    if (sampler->count >= sampler->def.count_limit)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "points: a spacing of %g takes more than %u points; raise count_limit or spacing",
                         sampler->spacing, sampler->def.count_limit);
    }
    if (!abut_memory_grow(&sampler->host, (void**)&sampler->samples, &sampler->capacity, sampler->count + 1,
                          sizeof(AbutSurfaceSample)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    sampler->samples[sampler->count++] =
        (AbutSurfaceSample){ .at = at, .normal = sampler->normals[triangle], .triangle = triangle };
    if (sampler->count > 2 * (size_t)sampler->grid.head_count)
    {
        return abut_sampler_fill_grid(sampler, sampler->grid.cell_size);
    }
    file_sample(sampler, sampler->count - 1);
    return ABUT_OK;
}

/// Cells share lists, so the cell of each sample is compared.
static bool visit_cell(const AbutSampler* sampler, AbutSampleCell cell, AbutSampleVisitFn* visit,
                       void* context)
{
    for (uint32_t k = *head_of(&sampler->grid, cell); k != ABUT_SAMPLE_NONE; k = sampler->samples[k].next)
    {
        const AbutSurfaceSample* sample = &sampler->samples[k];
        const int32_t *a = sample->cell.at, *b = cell.at;
        if (a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && visit(context, sample))
        {
            return true;
        }
    }
    return false;
}

bool abut_sampler_visit(const AbutSampler* sampler, AbutDVec3 at, AbutSampleVisitFn* visit, void* context)
{
    AbutSampleCell center = cell_at(&sampler->grid, at.x, at.y, at.z);
    for (int i = 0; i < 27; ++i)
    {
        int order = (i + 13) % 27; // its own first
        AbutSampleCell cell = { { center.at[0] + order % 3 - 1, center.at[1] + order / 3 % 3 - 1,
                                  center.at[2] + order / 9 - 1 } };
        if (visit_cell(sampler, cell, visit, context))
        {
            return true;
        }
    }
    return false;
}
