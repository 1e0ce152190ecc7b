// Dart throwing and relaxation of samples.
#include "points/relaxation.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "mesh/corners.h"
#include "mesh/triangle/closest_point.h"

#include <string.h>

enum
{
    DARTS = 8, // thrown per expected sample
    RELAX_BLOCK = 256
};

/// Least distance of thrown samples, in spacings. Regular samples with no point of the surface further than 1
/// are √3 apart.
static const double THROW_DISTANCE = 1.2;

static const double REPULSION_STEP = 0.35; // of one iteration, in spacings, per full repulsion
static const double LONGEST_STEP = 0.3;

// -----------------------------------------------------------------------------------------------------------
// Throwing
// -----------------------------------------------------------------------------------------------------------

static uint32_t triangle_at(const AbutSampler* sampler, double area)
{
    uint32_t low = 0, high = sampler->mesh->triangle_count - 1;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (sampler->area_ends[middle] > area)
        {
            high = middle;
        }
        else
        {
            low = middle + 1;
        }
    }
    return low;
}

static AbutVec3 random_position(AbutSampler* sampler, uint32_t triangle)
{
    double p[3][3], at[3];
    double u = abut_sampler_random(sampler), v = abut_sampler_random(sampler);
    if (u + v > 1.0)
    {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    abut_load_triangle(sampler->mesh, triangle, p);
    for (int axis = 0; axis < 3; ++axis)
    {
        at[axis] = p[0][axis] + u * (p[1][axis] - p[0][axis]) + v * (p[2][axis] - p[0][axis]);
    }
    return abut_vec3((float)at[0], (float)at[1], (float)at[2]);
}

typedef struct Dart
{
    double at[3];
    AbutVec3 normal;
    double squared; // of the distance to keep
} Dart;

static double squared_from(const double at[3], const AbutSurfaceSample* sample)
{
    double x = at[0] - (double)sample->at.x, y = at[1] - (double)sample->at.y,
           z = at[2] - (double)sample->at.z;
    return x * x + y * y + z * z;
}

static bool is_crowded(void* context, const AbutSurfaceSample* sample)
{
    const Dart* dart = context;
    return squared_from(dart->at, sample) < dart->squared && !abut_samples_are_opposite(dart->normal, sample);
}

AbutResult abut_sampler_throw_darts(AbutSampler* sampler)
{
    double distance = THROW_DISTANCE * sampler->spacing;
    double likely = 0.5 * sampler->area / (sampler->spacing * sampler->spacing);
    if (likely > 2.0 * sampler->def.count_limit)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "points: a spacing of %g takes about %.0f points; the limit is %u", sampler->spacing,
                         likely, sampler->def.count_limit);
    }
    AbutResult result = abut_sampler_fill_grid(sampler, distance);
    for (uint64_t i = 0; i < (uint64_t)(DARTS * likely) && result == ABUT_OK; ++i)
    {
        uint32_t triangle = triangle_at(sampler, sampler->area * abut_sampler_random(sampler));
        AbutVec3 at = random_position(sampler, triangle);
        Dart dart = { { at.x, at.y, at.z }, sampler->normals[triangle], distance * distance };
        if (!abut_sampler_visit(sampler, dart.at, is_crowded, &dart))
        {
            result = abut_sampler_add(sampler, at, triangle);
        }
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Relaxation
// -----------------------------------------------------------------------------------------------------------

typedef struct Repulsion
{
    const AbutSurfaceSample* self;
    double at[3];
    double radius;
    double sum[3];
} Repulsion;

static bool add_repulsion(void* context, const AbutSurfaceSample* other)
{
    Repulsion* repulsion = context;
    double squared = squared_from(repulsion->at, other), length = sqrt(squared);
    if (other != repulsion->self && length < repulsion->radius && length > 0.0 &&
        !abut_samples_are_opposite(repulsion->self->normal, other))
    {
        double weight = (1.0 - length / repulsion->radius) * (1.0 - length / repulsion->radius) / length;
        repulsion->sum[0] += weight * (repulsion->at[0] - (double)other->at.x);
        repulsion->sum[1] += weight * (repulsion->at[1] - (double)other->at.y);
        repulsion->sum[2] += weight * (repulsion->at[2] - (double)other->at.z);
    }
    return false;
}

/// Position of a sample after the repulsion of its neighbours, in the plane of its own face.
static void repelled_position(const AbutSampler* sampler, const AbutSurfaceSample* sample, double at[3])
{
    Repulsion repulsion = { .self = sample,
                            .at = { sample->at.x, sample->at.y, sample->at.z },
                            .radius = ABUT_SAMPLE_REPULSION_RADIUS * sampler->spacing };
    abut_sampler_visit(sampler, repulsion.at, add_repulsion, &repulsion);
    const double n[3] = { sample->normal.x, sample->normal.y, sample->normal.z };
    double along = abut_array3_dot(repulsion.sum, n);
    for (int axis = 0; axis < 3; ++axis)
    {
        repulsion.sum[axis] -= along * n[axis];
    }
    double step = REPULSION_STEP * sampler->spacing, length = step * abut_array3_length(repulsion.sum);
    double most = LONGEST_STEP * sampler->spacing;
    step *= length > most ? most / length : 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        at[axis] = repulsion.at[axis] + step * repulsion.sum[axis];
    }
}

/// The nearest point of the surface on the same side, which is no further than the sample was moved.
static AbutSurfaceSample project_to_surface(const AbutSampler* sampler, const AbutSurfaceSample* sample,
                                            const double at[3])
{
    AbutSurfaceSample best = *sample;
    double nearest = squared_from(at, sample), search_radius = sqrt(nearest) * (1.0 + 1e-6);
    AbutVec3 center = abut_vec3((float)at[0], (float)at[1], (float)at[2]);
    AbutBox box = abut_box_expand(abut_box(center, center), (float)search_radius);
    AbutBoxLeaf leaf;
    uint32_t cursor = 0;
    while (abut_box_tree_next_overlap(&sampler->tree, &box, 0, &cursor, &leaf))
    {
        for (uint32_t slot = leaf.first; slot < leaf.end; ++slot)
        {
            uint32_t triangle = sampler->tree.items[slot];
            double p[3][3], closest[3];
            if (abut_vec3_dot(sampler->normals[triangle], sample->normal) < 0.0f)
            {
                continue;
            }
            abut_load_triangle(sampler->mesh, triangle, p);
            double squared = abut_triangle_closest_point(p[0], p[1], p[2], at, closest);
            if (squared < nearest)
            {
                nearest = squared;
                best.at = abut_vec3((float)closest[0], (float)closest[1], (float)closest[2]);
                best.normal = sampler->normals[triangle];
                best.triangle = triangle;
            }
        }
    }
    return best;
}

AbutSurfaceSample abut_sampler_repel(const AbutSampler* sampler, const AbutSurfaceSample* sample)
{
    double at[3];
    repelled_position(sampler, sample, at);
    return project_to_surface(sampler, sample, at);
}

static void relax_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    AbutSampler* sampler = context;
    size_t begin = (size_t)block * RELAX_BLOCK, end = begin + RELAX_BLOCK;
    for (size_t i = begin; i < end && i < sampler->count; ++i)
    {
        sampler->moved[i] = abut_sampler_repel(sampler, &sampler->samples[i]);
    }
}

AbutResult abut_sampler_relax(AbutSampler* sampler)
{
    AbutResult result = abut_sampler_fill_grid(sampler, ABUT_SAMPLE_REPULSION_RADIUS * sampler->spacing);
    if (result != ABUT_OK || sampler->count == 0)
    {
        return result;
    }
    if (!abut_memory_grow(&sampler->host, (void**)&sampler->moved, &sampler->moved_capacity, sampler->count,
                          sizeof(AbutSurfaceSample)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    abut_parallel_for(&sampler->host, abut_block_count(sampler->count, RELAX_BLOCK), relax_block, sampler);
    memcpy(sampler->samples, sampler->moved, sampler->count * sizeof(AbutSurfaceSample));
    return ABUT_OK;
}
