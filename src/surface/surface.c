#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "mesh/mesh.h"
#include "surface/extraction.h"

enum
{
    TASK_BLOCKS = 8,     // handed out at once
    ROUND_BLOCKS = 8192, // between two reports of progress
};

AbutSurfaceDef abut_surface_def(void)
{
    AbutSurfaceDef def = { .resolution = 64, .box = abut_box_empty() };
    return def;
}

AbutResult abut_surface_progress(const AbutSurfaceJob* job, double done)
{
    if (job->def->progress != NULL && !job->def->progress(job->def->progress_user, (float)done))
    {
        return abut_fail(ABUT_CANCELLED, "surface: cancelled");
    }
    return ABUT_OK;
}

AbutResult abut_surface_report(const AbutSurfaceJob* job)
{
    AbutSurfaceTrouble first = { .kind = ABUT_SURFACE_NO_TROUBLE };
    for (uint32_t i = 0; i < job->host.worker_count; ++i)
    {
        const AbutSurfaceTrouble* trouble = &job->scratch[i].trouble;
        if (trouble->kind != ABUT_SURFACE_NO_TROUBLE &&
            (first.kind == ABUT_SURFACE_NO_TROUBLE || trouble->number < first.number))
        {
            first = *trouble;
        }
    }
    const double x = first.place.x, y = first.place.y, z = first.place.z;
    switch (first.kind)
    {
    case ABUT_SURFACE_NOT_A_NUMBER:
        return abut_fail(ABUT_INVALID_DATA, "surface: the shape's distance is not a number at (%g, %g, %g)",
                         x, y, z);
    case ABUT_SURFACE_CHANGED_MIND:
        return abut_fail(ABUT_INVALID_DATA,
                         "surface: the shape gave two different distances for one point near (%g, %g, %g): a "
                         "callback must depend on the point alone",
                         x, y, z);
    case ABUT_SURFACE_NO_TROUBLE:
        break;
    }
    return ABUT_OK;
}

typedef struct BlockLoop
{
    AbutSurfaceJob* job;
    AbutSurfaceBlockFn* function;
    size_t first, end;
} BlockLoop;

static void run_task(void* context, uint32_t task, uint32_t worker)
{
    const BlockLoop* loop = context;
    const size_t first = loop->first + (size_t)task * TASK_BLOCKS;
    const size_t end = first + TASK_BLOCKS < loop->end ? first + TASK_BLOCKS : loop->end;
    for (size_t number = first; number < end; ++number)
    {
        loop->function(loop->job, (uint32_t)number, &loop->job->scratch[worker]);
    }
}

AbutResult abut_surface_for_blocks(AbutSurfaceJob* job, AbutSurfaceBlockFn* function, size_t first,
                                   double done_before, double done_after)
{
    const size_t count = job->blocks.count;
    AbutResult result = ABUT_OK;
    for (size_t begin = first; begin < count && result == ABUT_OK; begin += ROUND_BLOCKS)
    {
        BlockLoop loop = { job, function, begin,
                           begin + ROUND_BLOCKS < count ? begin + ROUND_BLOCKS : count };
        abut_parallel_for(&job->host, abut_block_count(loop.end - begin, TASK_BLOCKS), run_task, &loop);
        result = abut_surface_report(job);
        if (result == ABUT_OK)
        {
            const double part = (double)(loop.end - first) / (double)(count - first);
            result = abut_surface_progress(job, done_before + part * (done_after - done_before));
        }
    }
    return result;
}

/// Numbers vertices and triangles in the order of the blocks and makes a mesh with room for them.
static AbutResult number_parts(AbutSurfaceJob* job)
{
    uint64_t vertex_count = 0, triangle_count = 0;
    for (size_t i = 0; i < job->blocks.count; ++i)
    {
        AbutSurfaceBlock* block = &job->blocks.items[i];
        block->first_vertex = (uint32_t)vertex_count;
        block->first_triangle = (uint32_t)triangle_count;
        vertex_count += block->vertex_count;
        triangle_count += block->triangle_count;
    }
    if (vertex_count > UINT32_MAX || triangle_count > UINT32_MAX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "surface: %llu vertices and %llu triangles are more than a mesh can number "
                         "(4294967295 of each): use larger cells or a smaller box",
                         (unsigned long long)vertex_count, (unsigned long long)triangle_count);
    }
    return abut_mesh_create_uninitialized((uint32_t)vertex_count, (uint32_t)triangle_count, &job->host,
                                          &job->mesh);
}

static AbutResult run_stages(AbutSurfaceJob* job)
{
    AbutResult (*const stages[])(AbutSurfaceJob*) = { abut_surface_find, abut_surface_connect, number_parts,
                                                      abut_surface_place_vertices,
                                                      abut_surface_emit_triangles };
    AbutResult result = ABUT_OK;
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]) && result == ABUT_OK; ++i)
    {
        result = stages[i](job);
    }
    return result;
}

static AbutResult run_job(AbutSurfaceJob* job)
{
    AbutResult result = abut_surface_grid_create(job->def, job->shape, &job->host, &job->grid);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (job->grid.axes[0].nodes == NULL)
    {
        return number_parts(job); // an empty shape
    }
    job->scratch = abut_memory_allocate(&job->host, job->host.worker_count, sizeof(AbutSurfaceScratch));
    if (job->scratch == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < job->host.worker_count; ++i)
    {
        job->scratch[i].trouble.kind = ABUT_SURFACE_NO_TROUBLE;
    }
    return run_stages(job);
}

AbutResult abut_surface_create(const AbutSurfaceDef* def, const AbutShape* shape, AbutMesh** out)
{
    ABUT_FP_CALL(abut_surface_create, def, shape, out);
    ABUT_ASSERT(def != NULL && shape != NULL && out != NULL);
    *out = NULL;
    const AbutShapeInfo info = abut_shape_info(shape);
    AbutSurfaceJob job = {
        .host = abut_host_resolve(def->host),
        .def = def,
        .shape = shape,
        .iso = def->iso,
        .slope = info.lipschitz,
    };
    abut_surface_cases_make(job.cases);
    AbutResult result = run_job(&job);
    abut_memory_free(&job.host, job.scratch, job.host.worker_count, sizeof(AbutSurfaceScratch));
    abut_surface_blocks_destroy(&job.blocks, &job.host);
    abut_surface_grid_destroy(&job.grid, &job.host);
    if (result != ABUT_OK)
    {
        abut_mesh_destroy(job.mesh);
        return result;
    }
    abut_mesh_finish(job.mesh);
    *out = job.mesh;
    return ABUT_OK;
}
