#include "bake/mesh_shape.h"

#include "bake/sign/point_sign.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "bvh/closest.h"
#include "math/rounding.h"
#include "mesh/corners.h"

#include <abut/bake.h>

#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Samples
// -----------------------------------------------------------------------------------------------------------

/// A sample, and the distance to the nearest region of uncertain signs, at most that of the surface. `index`:
/// in and out, of the nearest triangle (bvh/closest.h).
static AbutMeshShapeSample sample_with_doubt(const AbutMeshShape* self, AbutDVec3 point, uint32_t* index,
                                             double* doubt)
{
    AbutTreePoint closest = abut_tree_closest_point(self->tree, point, *index);
    *index = closest.index;
    double distance = sqrt(closest.squared);
    *doubt = self->doubt.region_count == 0
                 ? distance
                 : abut_sign_classifier_doubt_distance(self->classifier, point, distance);
    const AbutSignPoint sign_point = { point, closest.triangle, .is_exact = true,
                                       .use_sides =
                                           *doubt >= distance }; // nothing but air is between the two
    AbutPointSign sign = abut_sign_classifier_point(self->classifier, &sign_point);
    return (AbutMeshShapeSample){ sign.inside ? -distance : distance, closest.at, closest.triangle };
}

AbutMeshShapeSample abut_mesh_shape_sample(const AbutMeshShape* self, AbutDVec3 point)
{
    uint32_t index = ABUT_TREE_NO_INDEX;
    double doubt;
    return sample_with_doubt(self, point, &index, &doubt);
}

// A ball without surface and without a region is in the solid as a whole, or out of it. Within a region any
// sign is possible, and the surface that is there is no further than the nearest triangle.
AbutMeshShapeBounds abut_mesh_shape_bounds(const AbutMeshShape* self, AbutDVec3 point)
{
    uint32_t index = ABUT_TREE_NO_INDEX;
    double doubt, distance = sample_with_doubt(self, point, &index, &doubt).distance, size = fabs(distance);
    if (!(doubt > 0.0))
    {
        return (AbutMeshShapeBounds){ -size, size };
    }
    double least = abut_smaller(doubt, size);
    return distance < 0.0 ? (AbutMeshShapeBounds){ distance, -least }
                          : (AbutMeshShapeBounds){ least, distance };
}

static double error_of_mesh(const AbutShape* shape, const AbutTransform* frame, AbutDVec3 point)
{
    const AbutMeshShape* self = abut_mesh_shape(shape);
    AbutDVec3 local = frame != NULL ? abut_transform_inverse_point(frame, point) : point;
    if (self->doubt.region_count == 0 || !abut_dvec3_is_finite(local))
    {
        return (double)shape->info.error;
    }
    AbutMeshShapeBounds bounds = abut_mesh_shape_bounds(self, local);
    return (bounds.high - bounds.low) * (frame != NULL ? frame->scale : 1.0);
}

/// Away from the surface outside, towards it inside; the normal of the face on the surface itself.
static AbutDVec3 gradient_at(const AbutMeshShape* self, AbutDVec3 point, const AbutMeshShapeSample* sample)
{
    AbutDVec3 offset = abut_dvec3_sub(point, sample->at);
    double length = abut_dvec3_length(offset), size = fabs(point.x) + fabs(point.y) + fabs(point.z);
    if (length > 1e-12 * size && length > 0.0)
    {
        return abut_dvec3_div(offset, sample->distance < 0.0 ? -length : length);
    }
    AbutDVec3 corners[3];
    abut_mesh_corners(self->mesh, sample->triangle, corners);
    AbutDVec3 normal = abut_dvec3_normalize(abut_corners_normal(corners));
    return abut_dvec3_squared_length(normal) > 0.0 ? normal : abut_dvec3(1.0, 0.0, 0.0);
}

static void write_sample(AbutSamples out, size_t i, double distance, AbutDVec3 gradient)
{
    out.distance[i] = (float)distance;
    if (out.gradient_x != NULL)
    {
        out.gradient_x[i] = (float)gradient.x;
        out.gradient_y[i] = (float)gradient.y;
        out.gradient_z[i] = (float)gradient.z;
    }
}

static void sample_mesh(const AbutShape* shape, const AbutTransform* frame, AbutPoints points, size_t count,
                        AbutSamples out)
{
    const AbutMeshShape* self = abut_mesh_shape(shape);
    uint32_t index = ABUT_TREE_NO_INDEX; // points of one call are often close to each other
    for (size_t i = 0; i < count; ++i)
    {
        AbutDVec3 p = abut_dvec3(points.x[i], points.y[i], points.z[i]);
        AbutDVec3 local = frame != NULL ? abut_transform_inverse_point(frame, p) : p;
        if (!abut_dvec3_is_finite(local))
        {
            // NaN stays NaN; a point at infinity is infinitely far outside.
            double sum = fabs(p.x) + fabs(p.y) + fabs(p.z);
            write_sample(out, i, sum, isnan(sum) ? abut_dvec3(sum, sum, sum) : abut_dvec3(1.0, 0.0, 0.0));
            continue;
        }
        double doubt;
        AbutMeshShapeSample sample = sample_with_doubt(self, local, &index, &doubt);
        double scale = frame != NULL ? frame->scale : 1.0;
        AbutDVec3 gradient = abut_dvec3_zero();
        if (out.gradient_x != NULL)
        {
            gradient = gradient_at(self, local, &sample);
            gradient = frame != NULL ? abut_transform_rotate(frame, gradient) : gradient;
        }
        write_sample(out, i, scale * sample.distance, gradient);
    }
}

static void release_mesh(AbutShape* shape)
{
    AbutMeshShape* self = (AbutMeshShape*)shape;
    abut_mesh_shape_release_prepared(self);
    abut_mesh_tree_destroy(self->tree);
    abut_sign_classifier_destroy(self->classifier);
    abut_memory_free(&shape->host, self->seeds, self->seed_capacity, sizeof(uint32_t));
    abut_mesh_destroy(self->mesh);
}

static const AbutShapeClass mesh_class = { .sample = sample_mesh,
                                           .error = error_of_mesh,
                                           .release = release_mesh };

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static AbutResult copy_mesh(AbutMeshShape* self, const AbutMesh* mesh)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertices = mesh->vertices;
    def.vertex_count = mesh->vertex_count;
    def.indices = mesh->indices;
    def.triangle_count = mesh->triangle_count;
    def.host = &self->base.host;
    return abut_mesh_create(&def, &self->mesh);
}

/// Vertices of one component are joined by the edges of triangles. The smallest vertex stands for it.
static void collect_seeds(AbutMeshShape* self, uint32_t* parents, uint8_t* used)
{
    const AbutMesh* mesh = self->mesh;
    abut_union_find_init(parents, mesh->vertex_count);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i += 3)
    {
        const uint32_t* index = mesh->indices + i;
        abut_union_find_join(parents, index[0], index[1]);
        abut_union_find_join(parents, index[0], index[2]);
        used[index[0]] = used[index[1]] = used[index[2]] = 1;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        if (used[v] != 0 && parents[v] == v)
        {
            self->seeds[self->seed_count++] = v;
        }
    }
}

static AbutResult find_seeds(AbutMeshShape* self)
{
    uint32_t count = self->mesh->vertex_count;
    const AbutHost* host = &self->base.host;
    uint32_t* parents = abut_memory_allocate(host, count, sizeof(uint32_t));
    uint8_t* used = abut_memory_allocate_zero(host, count, sizeof(uint8_t));
    self->seed_capacity = count;
    self->seeds = abut_memory_allocate(host, count, sizeof(uint32_t));
    bool complete = parents != NULL && used != NULL && self->seeds != NULL;
    if (complete)
    {
        collect_seeds(self, parents, used);
    }
    abut_memory_free(host, parents, count, sizeof(uint32_t));
    abut_memory_free(host, used, count, sizeof(uint8_t));
    return complete ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static void fill_info(AbutMeshShape* self)
{
    AbutBox bounds = self->mesh->bounds;
    self->base.info.bounds = bounds;
    self->base.info.bytes += abut_mesh_tree_size(self->tree) + self->seed_capacity * sizeof(uint32_t) +
                             self->mesh->vertex_count * sizeof(AbutVec3) +
                             3 * (size_t)self->mesh->triangle_count * sizeof(uint32_t);
    self->base.rounding.length = abut_shape_box_radius(bounds);
    self->base.rounding.precise_length = 0.0f;
    self->doubt = abut_sign_classifier_doubt(self->classifier);
    // A point of a region is no further from the surface than the region is wide; one beside it, by no more
    // than that further than from the region.
    self->base.info.error = abut_round_up(2.0 * self->doubt.size);
}

AbutResult abut_shape_create_mesh(const AbutMesh* mesh, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_mesh, mesh, host, out);
    *out = NULL;
    if (mesh->triangle_count == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "mesh shape: the mesh has no triangles");
    }
    AbutMeshShape* self = abut_shape_allocate(sizeof(AbutMeshShape), ABUT_SHAPE_MESH, &mesh_class, host);
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    const AbutHost* own = &self->base.host;
    AbutResult result = abut_mesh_tree_create(mesh, own, &self->tree);
    result = result == ABUT_OK ? abut_sign_classifier_create(mesh, ABUT_SIGN_AUTO, own, &self->classifier)
                               : result;
    result = result == ABUT_OK ? copy_mesh(self, mesh) : result;
    result = result == ABUT_OK ? find_seeds(self) : result;
    if (result != ABUT_OK)
    {
        abut_shape_destroy(&self->base);
        return result;
    }
    fill_info(self);
    *out = &self->base;
    return ABUT_OK;
}

const AbutMesh* abut_shape_mesh(const AbutShape* shape)
{
    return shape->info.kind == ABUT_SHAPE_MESH ? abut_mesh_shape(shape)->mesh : NULL;
}

AbutMeshShapeReport abut_mesh_shape_report(const AbutShape* shape)
{
    AbutMeshShapeReport report = { 0 };
    if (shape->info.kind == ABUT_SHAPE_MESH)
    {
        const AbutMeshShape* self = abut_mesh_shape(shape);
        AbutSignClassifierInfo info = abut_sign_classifier_info(self->classifier);
        report.closed = info.closed;
        report.inverted = info.inverted;
        report.simple = info.simple;
        report.sided_triangle_count = info.sided_triangle_count;
        report.component_count = self->seed_count;
        report.certain = self->doubt.region_count == 0;
        report.open_edge_count = report.certain ? 0 : abut_sign_classifier_border_count(self->classifier);
        report.uncertain_region_count = self->doubt.region_count;
        report.uncertain_volume = self->doubt.volume;
    }
    return report;
}
