#include "points/sample_mesh.h"

#include "points/cover.h"
#include "points/points.h"
#include "points/relaxation.h"

#include "base/fp_env.h"

#include "mesh/mesh.h"

#include <math.h>

enum
{
    DEFAULT_COUNT = 4096,
    DEFAULT_RELAXATIONS = 4,
    MAX_RELAXATIONS = 64,
    DEFAULT_LIMIT = 1 << 24,
    COUNT_TRIES = 4 // spacings that are tried for a count
};

/// Samples per area over the square of the spacing, about.
static const double DENSITY = 0.69;

/// Largest relative difference of a count from the wanted one.
static const double COUNT_TOLERANCE = 0.1;

AbutPointsDef abut_points_def(void)
{
    AbutPointsDef def = {
        .count = DEFAULT_COUNT, .relaxations = DEFAULT_RELAXATIONS, .count_limit = DEFAULT_LIMIT, .seed = 1
    };
    return def;
}

AbutResult abut_points_check_def(const AbutPointsDef* def)
{
    if (!(def->spacing >= 0.0f) || !isfinite(def->spacing))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: the spacing is %g; it must be 0 (by count) or more",
                         (double)def->spacing);
    }
    if (def->spacing == 0.0f && def->count == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: spacing and count are 0; set one of them");
    }
    if (def->relaxations > MAX_RELAXATIONS)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: %u rounds of relaxation; the most are %d",
                         def->relaxations, MAX_RELAXATIONS);
    }
    if (def->count_limit == 0 || def->count_limit > ABUT_POINT_MAX_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: count_limit is %u; it must be from 1 to %u",
                         def->count_limit, ABUT_POINT_MAX_COUNT);
    }
    if (def->spacing == 0.0f && def->count > def->count_limit)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "points: the count is %u, but count_limit is %u", def->count,
                         def->count_limit);
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Sampling
// -----------------------------------------------------------------------------------------------------------

static AbutResult relax_some(AbutSampler* sampler, uint32_t iterations)
{
    AbutResult result = ABUT_OK;
    for (uint32_t i = 0; i < iterations && result == ABUT_OK; ++i)
    {
        result = abut_sampler_progress(sampler, 0.2f + 0.6f * (float)i / (float)iterations);
        result = result == ABUT_OK ? abut_sampler_relax(sampler) : result;
    }
    return result;
}

AbutResult abut_sampler_generate(AbutSampler* sampler)
{
    // Samples in holes stand at their borders; some iterations more distribute them evenly.
    uint32_t iterations = sampler->def.relaxations, after = iterations / 2;
    sampler->random = sampler->def.seed;
    sampler->count = 0;
    AbutResult result = abut_sampler_progress(sampler, 0.0f);
    result = result == ABUT_OK ? abut_sampler_throw_darts(sampler) : result;
    result = result == ABUT_OK ? relax_some(sampler, iterations - after) : result;
    result = result == ABUT_OK && after > 0 ? abut_sampler_cover(sampler) : result;
    result = result == ABUT_OK ? relax_some(sampler, after) : result;
    result = result == ABUT_OK ? abut_sampler_progress(sampler, 0.9f) : result;
    return result == ABUT_OK ? abut_sampler_cover(sampler) : result;
}

static double largest_coordinate(AbutBox box)
{
    double largest = 0.0;
    const float all[6] = { box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z };
    for (int i = 0; i < 6; ++i)
    {
        largest = fmax(largest, fabs((double)all[i]));
    }
    return largest;
}

double abut_sampler_spacing_for(const AbutSampler* sampler, double count)
{
    AbutBox box = sampler->mesh->bounds;
    double extent = fmax((double)box.max.x - (double)box.min.x,
                         fmax((double)box.max.y - (double)box.min.y, (double)box.max.z - (double)box.min.z));
    double min_spacing = fmax(ABUT_SAMPLE_MIN_SPACING * largest_coordinate(box), 1e-30);
    return fmax(min_spacing, fmax(sqrt(DENSITY * sampler->area / count), 0.5 * extent / count));
}

static AbutResult sample_by_count(AbutSampler* sampler)
{
    double wanted = sampler->def.count;
    AbutResult result = ABUT_OK;
    sampler->spacing = abut_sampler_spacing_for(sampler, wanted);
    for (int i = 0; i < COUNT_TRIES && result == ABUT_OK; ++i)
    {
        sampler->spacing = (float)sampler->spacing;
        result = abut_sampler_generate(sampler);
        double ratio = (double)sampler->count / wanted;
        if (result != ABUT_OK || fabs(ratio - 1.0) <= COUNT_TOLERANCE || i + 1 == COUNT_TRIES)
        {
            break;
        }
        double next = sampler->spacing * fmin(2.0, fmax(0.5, sqrt(ratio)));
        sampler->spacing = fmax(next, ABUT_SAMPLE_MIN_SPACING * largest_coordinate(sampler->mesh->bounds));
    }
    return result;
}

AbutResult abut_sampler_sample(AbutSampler* sampler)
{
    double largest = largest_coordinate(sampler->mesh->bounds), spacing = sampler->def.spacing;
    if (spacing == 0.0)
    {
        return sample_by_count(sampler);
    }
    if (spacing < ABUT_SAMPLE_MIN_SPACING * largest)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "points: a spacing of %g is too small for coordinates of %g in float", spacing,
                         largest);
    }
    sampler->spacing = spacing;
    return abut_sampler_generate(sampler);
}

AbutResult abut_sampler_create_points(AbutSampler* sampler, AbutPointSet** out)
{
    size_t count = sampler->count;
    float* positions = abut_arena_allocate(&sampler->arena, count, 3 * sizeof(float));
    float* normals = abut_arena_allocate(&sampler->arena, count, 3 * sizeof(float));
    if (positions == NULL || normals == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; ++i)
    {
        AbutVec3 at = sampler->samples[i].at, normal = sampler->samples[i].normal;
        const float numbers[6] = { at.x, at.y, at.z, normal.x, normal.y, normal.z };
        for (size_t axis = 0; axis < 3; ++axis)
        {
            positions[3 * i + axis] = numbers[axis];
            normals[3 * i + axis] = numbers[3 + axis];
        }
    }
    AbutPointInput input = { .positions = positions,
                             .normals = normals,
                             .count = (uint32_t)count,
                             .spacing = (float)sampler->spacing };
    return abut_points_make(&input, &sampler->host, out);
}

AbutResult abut_points_create_from_mesh(const AbutPointsDef* def, const AbutMesh* mesh, AbutPointSet** out)
{
    ABUT_FP_CALL(abut_points_create_from_mesh, def, mesh, out);
    *out = NULL;
    AbutResult result = abut_points_check_def(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (mesh == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: the mesh is NULL");
    }
    if (mesh->triangle_count == 0)
    {
        return abut_points_create(NULL, NULL, 0, def->host, out);
    }
    AbutSampler sampler;
    result = abut_sampler_init(&sampler, def, mesh);
    result = result == ABUT_OK ? abut_sampler_sample(&sampler) : result;
    result = result == ABUT_OK ? abut_sampler_create_points(&sampler, out) : result;
    abut_sampler_destroy(&sampler);
    return result;
}
