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
    AbutDVec3 p[3];
    double u = abut_sampler_random(sampler), v = abut_sampler_random(sampler);
    if (u + v > 1.0)
    {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    abut_mesh_corners(sampler->mesh, triangle, p);
    AbutDVec3 along = abut_dvec3_mul_add(p[0], u, abut_dvec3_sub(p[1], p[0]));
    return abut_dvec3_to_vec3(abut_dvec3_mul_add(along, v, abut_dvec3_sub(p[2], p[0])));
}

typedef struct Dart
{
    AbutDVec3 at;
    AbutVec3 normal;
    double squared; // of the distance to keep
} Dart;

static double squared_from(AbutDVec3 at, const AbutSurfaceSample* sample)
{
    return abut_dvec3_squared_length(abut_dvec3_sub(at, abut_dvec3_from_vec3(sample->at)));
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
        Dart dart = { abut_dvec3_from_vec3(at), sampler->normals[triangle], distance * distance };
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
    AbutDVec3 at;
    double radius;
    AbutDVec3 sum;
} Repulsion;

static bool add_repulsion(void* context, const AbutSurfaceSample* other)
{
    Repulsion* repulsion = context;
    double squared = squared_from(repulsion->at, other), length = sqrt(squared);
    if (other != repulsion->self && length < repulsion->radius && length > 0.0 &&
        !abut_samples_are_opposite(repulsion->self->normal, other))
    {
        double weight = (1.0 - length / repulsion->radius) * (1.0 - length / repulsion->radius) / length;
        AbutDVec3 away = abut_dvec3_sub(repulsion->at, abut_dvec3_from_vec3(other->at));
        repulsion->sum = abut_dvec3_mul_add(repulsion->sum, weight, away);
    }
    return false;
}

/// Position of a sample after the repulsion of its neighbours, in the plane of its own face.
static AbutDVec3 repelled_position(const AbutSampler* sampler, const AbutSurfaceSample* sample)
{
    Repulsion repulsion = { .self = sample,
                            .at = abut_dvec3_from_vec3(sample->at),
                            .radius = ABUT_SAMPLE_REPULSION_RADIUS * sampler->spacing };
    abut_sampler_visit(sampler, repulsion.at, add_repulsion, &repulsion);
    AbutDVec3 n = abut_dvec3_from_vec3(sample->normal);
    AbutDVec3 in_plane = abut_dvec3_mul_sub(repulsion.sum, abut_dvec3_dot(repulsion.sum, n), n);
    double step = REPULSION_STEP * sampler->spacing, length = step * abut_dvec3_length(in_plane);
    double most = LONGEST_STEP * sampler->spacing;
    step *= length > most ? most / length : 1.0;
    return abut_dvec3_mul_add(repulsion.at, step, in_plane);
}

/// The nearest point of the surface on the same side, which is no further than the sample was moved.
static AbutSurfaceSample project_to_surface(const AbutSampler* sampler, const AbutSurfaceSample* sample,
                                            AbutDVec3 at)
{
    AbutSurfaceSample best = *sample;
    double nearest = squared_from(at, sample), search_radius = sqrt(nearest) * (1.0 + 1e-6);
    AbutVec3 center = abut_dvec3_to_vec3(at);
    AbutBox box = abut_box_expand(abut_box(center, center), (float)search_radius);
    AbutBoxLeaf leaf;
    uint32_t cursor = 0;
    while (abut_box_tree_next_overlap(&sampler->tree, &box, 0, &cursor, &leaf))
    {
        for (uint32_t slot = leaf.first; slot < leaf.end; ++slot)
        {
            uint32_t triangle = sampler->tree.items[slot];
            AbutDVec3 corners[3];
            if (abut_vec3_dot(sampler->normals[triangle], sample->normal) < 0.0f)
            {
                continue;
            }
            abut_mesh_corners(sampler->mesh, triangle, corners);
            AbutClosestPoint closest = abut_triangle_closest_feature(corners, at);
            if (closest.squared < nearest)
            {
                nearest = closest.squared;
                best.at = abut_dvec3_to_vec3(closest.at);
                best.normal = sampler->normals[triangle];
                best.triangle = triangle;
            }
        }
    }
    return best;
}

AbutSurfaceSample abut_sampler_repel(const AbutSampler* sampler, const AbutSurfaceSample* sample)
{
    return project_to_surface(sampler, sample, repelled_position(sampler, sample));
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
