// Samples of a shape: those of its triangulation, moved onto the surface along the gradient.
#include "points/points.h"
#include "points/sample_mesh.h"
#include "points/sampler.h"

#include "base/fp_env.h"

#include <abut/surface.h>

#include "mesh/mesh.h"
#include "shape/shape.h"

#include <math.h>

enum
{
    MIN_RESOLUTION = 32,
    FIRST_RESOLUTION = 64, // for the area
    MAX_RESOLUTION = 1024,
    PROJECTION_STEPS = 8
};

/// Cells per spacing: the triangulation is twice as fine as the samples.
static const double CELLS_PER_SPACING = 2.0;

static AbutResult triangulate(const AbutPointsDef* def, const AbutShape* shape, double resolution,
                              AbutMesh** out)
{
    AbutSurfaceDef surface = abut_surface_def();
    surface.resolution = (uint32_t)fmin(MAX_RESOLUTION, fmax(MIN_RESOLUTION, ceil(resolution)));
    surface.host = def->host;
    return abut_surface_create(&surface, shape, out);
}

/// Moves samples onto f = 0, by at most `most` each. Returns the largest displacement.
static double project(AbutSampler* sampler, const AbutShape* shape, double most)
{
    double longest = 0.0;
    for (size_t i = 0; i < sampler->count; ++i)
    {
        AbutSurfaceSample* sample = &sampler->samples[i];
        AbutVec3 start = sample->at, at = start, gradient;
        float f = abut_shape_distance(shape, at, &gradient), best = INFINITY;
        for (int step = 0; step < PROJECTION_STEPS && fabsf(f) < best; ++step)
        {
            float squared = abut_vec3_dot(gradient, gradient);
            best = fabsf(f);
            sample->at = at;
            sample->normal =
                squared > 0.0f ? abut_vec3_scale(gradient, 1.0f / sqrtf(squared)) : sample->normal;
            AbutVec3 next = abut_vec3_sub(at, abut_vec3_scale(gradient, squared > 0.0f ? f / squared : 0.0f));
            if (!((double)abut_vec3_length(abut_vec3_sub(next, start)) <= most))
            {
                break;
            }
            at = next;
            f = abut_shape_distance(shape, at, &gradient);
        }
        longest = fmax(longest, (double)abut_vec3_length(abut_vec3_sub(sample->at, start)));
    }
    return longest;
}

static double extent_of(AbutBox box)
{
    return fmax((double)box.max.x - (double)box.min.x,
                fmax((double)box.max.y - (double)box.min.y, (double)box.max.z - (double)box.min.z));
}

/// The spacing for a count, from a first triangulation.
static AbutResult spacing_by_count(const AbutPointsDef* def, const AbutShape* shape, double* spacing)
{
    AbutMesh* mesh = NULL;
    AbutSampler sampler;
    AbutResult result = triangulate(def, shape, FIRST_RESOLUTION, &mesh);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = abut_sampler_init(&sampler, def, mesh);
    *spacing = result == ABUT_OK && mesh->triangle_count > 0 ? abut_sampler_spacing_for(&sampler, def->count)
                                                             : INFINITY;
    abut_sampler_destroy(&sampler);
    abut_mesh_destroy(mesh);
    return result;
}

static AbutResult sample_surface(const AbutPointsDef* def, const AbutShape* shape, const AbutMesh* mesh,
                                 double cell, AbutPointSet** out)
{
    AbutSampler sampler;
    AbutResult result = abut_sampler_init(&sampler, def, mesh);
    result = result == ABUT_OK ? abut_sampler_sample(&sampler) : result;
    if (result == ABUT_OK)
    {
        sampler.spacing += project(&sampler, shape, 2.0 * cell);
        result = abut_sampler_create_points(&sampler, out);
    }
    abut_sampler_destroy(&sampler);
    return result;
}

AbutResult abut_points_create_from_shape(const AbutPointsDef* def, const AbutShape* shape, AbutPointSet** out)
{
    ABUT_FP_CALL(abut_points_create_from_shape, def, shape, out);
    *out = NULL;
    AbutResult result = abut_points_check_def(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (shape == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: the shape is NULL");
    }
    if (abut_box_is_empty(shape->info.bounds))
    {
        return abut_points_create(NULL, NULL, 0, def->host, out); // an empty shape
    }
    if (!abut_box_is_finite(shape->info.bounds))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: the shape has no end; sample a part of it");
    }
    double spacing = def->spacing;
    result = spacing == 0.0 ? spacing_by_count(def, shape, &spacing) : ABUT_OK;
    double resolution = CELLS_PER_SPACING * extent_of(shape->info.bounds) / spacing;
    AbutMesh* mesh = NULL;
    result = result == ABUT_OK ? triangulate(def, shape, resolution, &mesh) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    double cell = extent_of(mesh->bounds) / fmin(MAX_RESOLUTION, fmax(MIN_RESOLUTION, resolution));
    result = mesh->triangle_count > 0 ? sample_surface(def, shape, mesh, cell, out)
                                      : abut_points_create(NULL, NULL, 0, def->host, out);
    abut_mesh_destroy(mesh);
    return result;
}
