#include "bake/source/mesh_source.h"

#include "bake/distance/distance.h"
#include "bake/sign/jobs.h"
#include "base/assert.h"
#include "base/memory.h"
#include "mesh/corners.h"
#include "mesh/triangle/closest_point.h"

#include <math.h>
#include <string.h>

struct AbutMeshSource
{
    AbutHost host;
    const AbutMesh* mesh;
    AbutTriangleGroups* groups;
    AbutSignClassifier* classifier; // NULL for a shell
    float half_thickness;
    const uint8_t* sheet_flags;    // by triangle; may be NULL
    AbutDistanceScratch** scratch; // one per worker of the host
};

/// Unit normal of a triangle; +x for one without area.
static AbutDVec3 face_normal(const AbutDVec3 corners[3])
{
    AbutDVec3 normal = abut_corners_normal(corners);
    double length = abut_dvec3_length(normal);
    return length > 0.0 ? abut_dvec3_div(normal, length) : abut_dvec3(1.0, 0.0, 0.0);
}

/// Away from the closest point of the surface outside, towards it inside; the face's normal on the surface
/// itself.
static AbutDVec3 node_gradient(const AbutMesh* mesh, uint32_t triangle, AbutDVec3 p, bool inside)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(mesh, triangle, corners);
    AbutClosestPoint closest = abut_triangle_closest_feature(corners, p);
    double size = fabs(p.x) + fabs(p.y) + fabs(p.z);
    double length = sqrt(closest.squared);
    if (length <= 1e-12 * size || !(length > 0.0))
    {
        return face_normal(corners);
    }
    return abut_dvec3_div(inside ? abut_dvec3_sub(closest.at, p) : abut_dvec3_sub(p, closest.at), length);
}

/// Gradients from the directions of the closest points. Without a direction from floats the node is close to
/// its triangle, and the gradient is computed in double.
static void fill_gradients(const AbutMeshSource* self, const AbutNodeGrid* block, const uint32_t* nearest,
                           AbutNodeValues* out)
{
    size_t total = abut_node_total(block);
    for (size_t i = 0; i < total; ++i)
    {
        float sign = signbit(out->distance[i]) != 0 ? -1.0f : 1.0f;
        bool found =
            out->gradient[0][i] != 0.0f || out->gradient[1][i] != 0.0f || out->gradient[2][i] != 0.0f;
        out->gradient[0][i] *= sign;
        out->gradient[1][i] *= sign;
        out->gradient[2][i] *= sign;
        if (!found)
        {
            const uint32_t node[3] = { (uint32_t)(i % block->node_count[0]),
                                       (uint32_t)(i / block->node_count[0] % block->node_count[1]),
                                       (uint32_t)(i / block->node_count[0] / block->node_count[1]) };
            AbutDVec3 g = node_gradient(self->mesh, nearest[i], abut_node_position(block, node), sign < 0.0f);
            out->gradient[0][i] = (float)g.x;
            out->gradient[1][i] = (float)g.y;
            out->gradient[2][i] = (float)g.z;
        }
    }
}

/// Error of distances in float, relative to the largest coordinate.
static const double FLOAT_ERROR = 2e-6;

/// The side of a node on a sheet is rounding alone, and both sides are outside.
static void zero_sheets(const AbutMeshSource* self, const AbutNodeGrid* block, const uint32_t* nearest,
                        AbutNodeValues* out)
{
    double size = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double last = abut_node_coordinate(block, axis, block->node_count[axis] - 1);
        size = fmax(size, fmax(fabs(abut_node_coordinate(block, axis, 0)), fabs(last)));
    }
    double limit = FLOAT_ERROR * size;
    for (size_t i = 0; i < abut_node_total(block); ++i)
    {
        bool touches = fabs((double)out->distance[i]) <= limit * limit && self->sheet_flags[nearest[i]] != 0;
        out->distance[i] = touches ? fabsf(out->distance[i]) : out->distance[i];
    }
}

static AbutResult sample_mesh(void* context, uint32_t worker, const AbutNodeGrid* block, bool gradient,
                              AbutNodeValues* out)
{
    AbutMeshSource* self = context;
    ABUT_ASSERT(worker < self->host.worker_count && abut_node_total(block) <= ABUT_NODE_BLOCK_TOTAL);
    uint32_t nearest[ABUT_NODE_BLOCK_TOTAL];
    AbutNodeDistances found = { .squared = out->distance, .nearest = nearest };
    for (int axis = 0; axis < 3 && gradient; ++axis)
    {
        found.direction[axis] = out->gradient[axis];
    }
    AbutResult result = abut_distance_block(self->groups, block, self->scratch[worker], &found);
    if (result != ABUT_OK)
    {
        return result;
    }
    memset(out->origin, 0, abut_node_total(block));
    if (self->classifier != NULL)
    {
        AbutSignJob job = abut_sign_job(block, nearest, out->distance);
        job.origins = out->origin;
        AbutSignCounts counts = { 0 };
        abut_sign_nodes(self->classifier, &job, &counts);
    }
    if (self->sheet_flags != NULL)
    {
        zero_sheets(self, block, nearest, out);
    }
    for (size_t i = 0; i < abut_node_total(block); ++i)
    {
        out->distance[i] = copysignf(sqrtf(fabsf(out->distance[i])), out->distance[i]);
    }
    if (gradient)
    {
        fill_gradients(self, block, nearest, out);
    }
    for (size_t i = 0; self->classifier == NULL && i < abut_node_total(block); ++i)
    {
        out->distance[i] -= self->half_thickness;
    }
    return ABUT_OK;
}

static AbutSignMethod sign_method(AbutBakeSign sign)
{
    return sign == ABUT_BAKE_SIGN_PSEUDO_NORMALS ? ABUT_SIGN_PSEUDO_NORMALS
           : sign == ABUT_BAKE_SIGN_WINDING      ? ABUT_SIGN_WINDING
                                                 : ABUT_SIGN_AUTO;
}

static AbutResult create_scratch(AbutMeshSource* self)
{
    self->scratch =
        abut_memory_allocate_zero(&self->host, self->host.worker_count, sizeof(AbutDistanceScratch*));
    for (uint32_t i = 0; self->scratch != NULL && i < self->host.worker_count; ++i)
    {
        self->scratch[i] = abut_distance_scratch_create(&self->host);
        if (self->scratch[i] == NULL)
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    return self->scratch != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

AbutResult abut_mesh_source_create(const AbutMesh* mesh, const AbutMeshSourceDef* def, const AbutHost* host,
                                   AbutMeshSource** out)
{
    *out = NULL;
    AbutHost resolved = abut_host_resolve(host);
    AbutMeshSource* self = abut_memory_allocate_zero(&resolved, 1, sizeof(AbutMeshSource));
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->host = resolved;
    self->mesh = mesh;
    self->half_thickness = 0.5f * def->thickness;
    self->sheet_flags = def->sheet_flags;
    AbutResult result = create_scratch(self);
    result = result == ABUT_OK ? abut_triangle_groups_create(mesh, &resolved, &self->groups) : result;
    if (result == ABUT_OK && def->sign != ABUT_BAKE_SIGN_SHELL)
    {
        result = abut_sign_classifier_create(mesh, sign_method(def->sign), &resolved, &self->classifier);
    }
    if (result != ABUT_OK)
    {
        abut_mesh_source_destroy(self);
        return result;
    }
    *out = self;
    return ABUT_OK;
}

void abut_mesh_source_destroy(AbutMeshSource* self)
{
    if (self == NULL)
    {
        return;
    }
    AbutHost host = self->host;
    for (uint32_t i = 0; self->scratch != NULL && i < host.worker_count; ++i)
    {
        abut_distance_scratch_destroy(self->scratch[i]);
    }
    abut_memory_free(&host, self->scratch, host.worker_count, sizeof(AbutDistanceScratch*));
    abut_sign_classifier_destroy(self->classifier);
    abut_triangle_groups_destroy(self->groups);
    abut_memory_free(&host, self, 1, sizeof(AbutMeshSource));
}

static bool is_certain(void* context, AbutDVec3 center, double radius)
{
    const AbutMeshSource* self = context;
    return self->classifier == NULL || abut_sign_classifier_is_certain(self->classifier, center, radius);
}

/// The triangle nearest to the point is one of a sheet.
static bool is_sheet(void* context, uint32_t worker, AbutDVec3 point)
{
    const AbutMeshSource* self = context;
    float squared;
    uint32_t nearest = 0;
    AbutNodeGrid grid = { .origin = { point.x, point.y, point.z },
                          .cell_size = 1.0,
                          .node_count = { 1, 1, 1 } };
    AbutNodeDistances found = { .squared = &squared, .nearest = &nearest };
    AbutResult result = abut_distance_block(self->groups, &grid, self->scratch[worker], &found);
    return result == ABUT_OK && self->sheet_flags[nearest] != 0;
}

AbutNodeSource abut_mesh_source(AbutMeshSource* source)
{
    return (AbutNodeSource){ .context = source,
                             .sample = sample_mesh,
                             .is_certain = is_certain,
                             .is_sheet = source->sheet_flags != NULL ? is_sheet : NULL };
}

const AbutSignClassifier* abut_mesh_source_classifier(const AbutMeshSource* source)
{
    return source->classifier;
}

const AbutMesh* abut_mesh_source_mesh(const AbutMeshSource* source)
{
    return source->mesh;
}

/// How far the closure may be from the mesh, in cells.
static const double WIDEST_GAP = 1.0;

AbutResult abut_bake_closure(const AbutBakeDef* def, const AbutMesh* mesh, double cell_size,
                             const AbutHost* host, AbutClosure* out)
{
    *out = (AbutClosure){ 0 };
    bool closes = def->sign == ABUT_BAKE_SIGN_AUTO || def->sign == ABUT_BAKE_SIGN_WINDING;
    return closes ? abut_closure_create(host, mesh, WIDEST_GAP * cell_size, out) : ABUT_OK;
}
