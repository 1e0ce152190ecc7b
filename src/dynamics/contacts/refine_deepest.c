// Refinement of anchors: descent along the surface to the point that will be deepest in the other solid at
// the end of the pass, at the present velocities. The narrow phase detects a contact in every region, but no
// more than one per cell of its spacing, and at the present poses.
#include "dynamics/contacts/refine_deepest.h"

#include "dynamics/contacts/edge_overshoot.h"
#include "field/field.h"
#include "field/nodes/brick_nodes.h"
#include "math/dvec3.h"
#include "math/rotation.h"

#include <math.h>

enum
{
    BATCH = 64,
    TRIES = 4
};

/// Step of the curvature estimate, and the largest curvature radius, as fractions of the radius of the
/// smaller body.
#define AHEAD_FRACTION 0.25
#define MAX_CURVATURE_RADIUS 2.0

/// Radius of curvature of a rocking body, in heights of its centre of mass.
#define ROCKING 1.25

/// Slope without a direction, and largest slope at the bottom.
#define MIN_SLOPE 1e-6
#define LEVEL 0.1

/// Factor of the step after a try without gain.
#define STEP_SHRINK 0.4

/// Distance of the points in front of an edge, in cells: distances are interpolated there with errors of a
/// twentieth of a cell. Fields have two cells around their mesh.
#define FRONT_CELLS 2.0

/// Least and largest erosion of an edge, and largest motion of a point to it, in cells. Curved surfaces are
/// eroded by less.
#define MIN_EROSION_CELLS 0.02
#define MAX_EROSION_CELLS 1.0
#define MAX_MOTION_CELLS 1.5

/// Least length of the gradient of a distance between nodes.
#define UNIT_GRADIENT 0.75

/// Pose of one body relative to the other at the end of the pass.
typedef struct Transform
{
    AbutDMat3 rotation;
    AbutDVec3 translation;
} Transform;

typedef struct Samples
{
    float at[3][BATCH];
    float distance[BATCH];
    float gradient[3][BATCH];
} Samples;

/// Samples of both solids at a point.
typedef struct Probe
{
    double gap;
    double height;            // over its own surface, added to the gap
    AbutDVec3 uphill, normal; // outward normals of the other solid, of its own
} Probe;

/// Points of a body, in its frame (world units from its centre of mass), and their probes.
typedef struct Refinement
{
    const AbutBody *own, *other;
    Transform transform;
    uint32_t count;
    uint32_t indices[BATCH];
    AbutDVec3 at[BATCH];
    double step[BATCH];
    Probe probes[BATCH];
    double curvature_radius[BATCH]; // 0 for fixed anchors
    double erosion[BATCH];          // of the own surface, at points that were moved to an edge
    double beyond[BATCH];           // erosion of the other surface under the points
} Refinement;

static AbutDMat3 matrix_at_end(const AbutBody* body, double seconds)
{
    double angle = abut_dvec3_length(body->angular_velocity) * seconds;
    return abut_body_matrix(abut_dquat_integrate(body->rotation, body->angular_velocity,
                                                 angle > 1.0 ? seconds / angle : seconds));
}

static Transform transform_at_end(const AbutBody* own, const AbutBody* other, double seconds)
{
    AbutDMat3 mine = matrix_at_end(own, abut_body_moves(own) ? seconds : 0.0),
              theirs = matrix_at_end(other, abut_body_moves(other) ? seconds : 0.0);
    AbutDVec3 offset =
        abut_dvec3_add(abut_dvec3_sub(own->position, other->position),
                       abut_dvec3_scale(abut_dvec3_sub(own->velocity, other->velocity), seconds));
    return (Transform){ .rotation = abut_dmat3_multiply_transposed(&theirs, &mine),
                        .translation = abut_dmat3_transform_transposed(&theirs, offset) };
}

static void sample(const AbutBody* body, Samples* samples, uint32_t count)
{
    AbutPoints points = { samples->at[0], samples->at[1], samples->at[2] };
    AbutSamples out = { samples->distance, samples->gradient[0], samples->gradient[1], samples->gradient[2] };
    abut_shape_sample(body->shape, NULL, points, count, out);
}

static void set_position(const AbutBody* body, Samples* samples, uint32_t i, AbutDVec3 at)
{
    AbutDVec3 local = abut_dvec3_add(abut_dvec3_div(at, (double)body->scale), body->center);
    samples->at[0][i] = (float)local.x;
    samples->at[1][i] = (float)local.y;
    samples->at[2][i] = (float)local.z;
}

/// The unit gradient at a sample; zero where there is none.
static AbutDVec3 unit(const Samples* samples, uint32_t i)
{
    return abut_dvec3_normalize(
        abut_dvec3(samples->gradient[0][i], samples->gradient[1][i], samples->gradient[2][i]));
}

/// Projects points to their own surface, approximately: near edges of fields a distance does not give the
/// position of the surface.
static void project(const Refinement* refinement, AbutDVec3 at[])
{
    Samples own;
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        set_position(refinement->own, &own, i, at[i]);
    }
    sample(refinement->own, &own, refinement->count);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        double height = (double)own.distance[i] * (double)refinement->own->scale;
        at[i] = abut_dvec3_mul_sub(at[i], height, unit(&own, i));
    }
}

/// Samples both solids at points of the own one.
static void sample_both(const Refinement* refinement, const AbutDVec3 at[], Samples* own, Samples* other)
{
    const Transform* transform = &refinement->transform;
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        AbutDVec3 rotated = abut_dmat3_transform(&transform->rotation, at[i]);
        set_position(refinement->own, own, i, at[i]);
        set_position(refinement->other, other, i, abut_dvec3_add(rotated, transform->translation));
    }
    sample(refinement->own, own, refinement->count);
    sample(refinement->other, other, refinement->count);
}

/// Projects points to their own surface and samples both solids there.
static void probe_surfaces(const Refinement* refinement, AbutDVec3 at[], Probe* out)
{
    Samples own, other;
    const Transform* transform = &refinement->transform;
    project(refinement, at);
    sample_both(refinement, at, &own, &other);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        out[i].normal = unit(&own, i);
        out[i].height = (double)own.distance[i] * (double)refinement->own->scale;
        out[i].gap = (double)other.distance[i] * (double)refinement->other->scale + out[i].height;
        out[i].uphill = abut_dmat3_transform_transposed(&transform->rotation, unit(&other, i));
    }
}

/// The slope along the surface: the tangential component of `uphill`.
static AbutDVec3 slope_of(const Probe* probe)
{
    return abut_dvec3_mul_sub(probe->uphill, abut_dvec3_dot(probe->uphill, probe->normal), probe->normal);
}

/// Unit direction down the slope; without a slope, any tangent.
static AbutDVec3 down_of(const Probe* probe, double steep)
{
    bool is_x = fabs(probe->normal.x) < 0.6;
    AbutDVec3 axis = abut_dvec3(is_x ? 1.0 : 0.0, is_x ? 0.0 : 1.0, 0.0);
    AbutDVec3 up = steep > MIN_SLOPE ? slope_of(probe) : abut_dvec3_cross(probe->normal, axis);
    double length = abut_dvec3_length(up);
    return length > 0.0 ? abut_dvec3_div(abut_dvec3_neg(up), length) : abut_dvec3_zero();
}

/// Whether a body rocks: its centre of curvature is above its centre of mass, as for a bowl. The contact
/// moves as it rocks, and a single point that follows is late, lets the body sink and lifts it again, which
/// drives it on.
static bool rocks(AbutDVec3 from, AbutDVec3 normal, AbutDVec3 to, AbutDVec3 end)
{
    return abut_dvec3_distance(to, from) >
           ROCKING * abut_dvec3_dot(from, normal) * abut_dvec3_distance(end, normal);
}

/// Relative curvature radius of the surfaces between two points: a round body's own radius on a plane, at any
/// distance. Normals change by distance over radius; the slope, a sine, changes by less. 0 for none.
static double curvature_radius_of(AbutDVec3 from, const Probe* start, AbutDVec3 to, const Probe* end)
{
    AbutDVec3 step = abut_dvec3_sub(to, from);
    AbutDVec3 change = abut_dvec3_sub(abut_dvec3_sub(abut_dvec3_add(end->normal, end->uphill), start->normal),
                                      start->uphill);
    double normal_change = abut_dvec3_dot(step, change);
    return normal_change > 0.0 ? abut_dvec3_squared_length(step) / normal_change : 0.0;
}

/// Relative curvature radii: where the slope rises again within a fraction of the smaller body, distance over
/// change of slope, which is the distance to the bottom per slope. A step of that length does not see the
/// cells of fields.
static void find_curvature_radii(Refinement* refinement)
{
    AbutDVec3 at[BATCH], down[BATCH];
    double radius = fmin((double)refinement->own->radius, (double)refinement->other->radius),
           distance = AHEAD_FRACTION * radius;
    Probe probes[BATCH];
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        double steep = abut_dvec3_length(slope_of(&refinement->probes[i]));
        down[i] = down_of(&refinement->probes[i], steep);
        at[i] = abut_dvec3_mul_add(refinement->at[i], distance, down[i]);
    }
    probe_surfaces(refinement, at, probes);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        double curvature_radius =
            abut_dvec3_dot(slope_of(&probes[i]), down[i]) > 0.0
                ? curvature_radius_of(refinement->at[i], &refinement->probes[i], at[i], &probes[i])
                : 0.0;
        bool rolls = curvature_radius < MAX_CURVATURE_RADIUS * radius &&
                     !rocks(refinement->at[i], refinement->probes[i].normal, at[i], probes[i].normal);
        refinement->curvature_radius[i] = rolls ? curvature_radius : 0.0;
        refinement->step[i] =
            refinement->curvature_radius[i] > 0.0 ? refinement->curvature_radius[i] : refinement->step[i];
    }
}

/// One step of each point, down the slope.
static void step(Refinement* refinement)
{
    AbutDVec3 at[BATCH];
    Probe probes[BATCH];
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        at[i] = abut_dvec3_mul_sub(refinement->at[i], refinement->step[i], slope_of(&refinement->probes[i]));
    }
    probe_surfaces(refinement, at, probes);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        if (!(probes[i].gap < refinement->probes[i].gap))
        {
            refinement->step[i] *= STEP_SHRINK;
            continue;
        }
        refinement->probes[i] = probes[i];
        refinement->at[i] = at[i];
    }
}

// -----------------------------------------------------------------------------------------------------------
// Edges and corners
// -----------------------------------------------------------------------------------------------------------

/// Whether a field stores the nodes around a point, and the gradient is that of a distance: not where several
/// surfaces are equally near.
static bool is_exact_at(void* block, const Samples* samples, uint32_t i)
{
    const AbutFieldHeader* header = block;
    AbutDVec3 gradient =
        abut_dvec3(samples->gradient[0][i], samples->gradient[1][i], samples->gradient[2][i]);
    uint32_t cell[3];
    float values[8];
    for (int axis = 0; axis < 3; ++axis)
    {
        double cells = ((double)samples->at[axis][i] - header->origin[axis]) / header->cell_size;
        if (!(cells >= 0.0) || !(cells < (double)header->brick_count[axis] * ABUT_BRICK_CELLS))
        {
            return false;
        }
        cell[axis] = (uint32_t)cells;
    }
    return samples->distance[i] > 0.0f && abut_dvec3_length(gradient) > UNIT_GRADIENT &&
           abut_field_cell_values(block, cell, values);
}

/// The surface points of the own solid that are closest to points at some cells in front of the present ones.
/// `exact`: which are known.
static void find_edge_points(const Refinement* refinement, double cell, AbutDVec3 at[], AbutDVec3 normals[],
                             bool exact[])
{
    const AbutBody* own = refinement->own;
    void* block = abut_field_of(own->shape)->block;
    Samples samples;
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        at[i] = abut_dvec3_mul_sub(refinement->at[i], FRONT_CELLS * cell, refinement->probes[i].uphill);
        set_position(own, &samples, i, at[i]);
    }
    sample(own, &samples, refinement->count);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        normals[i] = unit(&samples, i);
        exact[i] = is_exact_at(block, &samples, i);
        at[i] = abut_dvec3_mul_sub(at[i], (double)samples.distance[i] * (double)own->scale, normals[i]);
    }
}

/// Moves points to convex edges and corners of their solid. Fields erode these by a fraction of a cell, up to
/// most of one where they are sharp, but not the distances in front of them: an edge is the closest surface
/// point of all points in front of it.
static void extend_to_edges(Refinement* refinement)
{
    const AbutBody* own = refinement->own;
    if (!abut_shape_is_field(own->shape))
    {
        return;
    }
    AbutDVec3 at[BATCH], normals[BATCH];
    bool exact[BATCH];
    Samples samples[2]; // of the own solid, of the other
    const AbutFieldHeader* header = abut_field_of(own->shape)->block;
    double cell = header->cell_size * (double)own->scale;
    find_edge_points(refinement, cell, at, normals, exact);
    sample_both(refinement, at, &samples[0], &samples[1]);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        Probe* probe = &refinement->probes[i];
        double erosion = (double)samples[0].distance[i] * (double)own->scale;
        double gap = (double)samples[1].distance[i] * (double)refinement->other->scale;
        if (exact[i] && gap < probe->gap && probe->gap > -cell && erosion > MIN_EROSION_CELLS * cell &&
            erosion < MAX_EROSION_CELLS * cell &&
            abut_dvec3_distance(at[i], refinement->at[i]) < MAX_MOTION_CELLS * cell)
        {
            refinement->at[i] = at[i];
            refinement->erosion[i] = erosion;
            probe->gap = gap;
            probe->height = 0.0;
            probe->normal = normals[i];
        }
    }
}

/// Erosion of the other solid's surface under points at its convex edges. The closest surface point of a
/// position some cells outside is known, and the plane through it, across the direction to it, has a convex
/// solid on one side: the gap is the height over that plane.
static void measure_other_erosion(Refinement* refinement)
{
    const AbutBody* other = refinement->other;
    const Transform* transform = &refinement->transform;
    if (!abut_shape_is_field(other->shape))
    {
        return;
    }
    void* block = abut_field_of(other->shape)->block;
    const AbutFieldHeader* header = block;
    double cell = header->cell_size * (double)other->scale;
    Samples samples;
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        AbutDVec3 at =
            abut_dvec3_mul_add(refinement->at[i], FRONT_CELLS * cell, refinement->probes[i].uphill);
        AbutDVec3 rotated = abut_dmat3_transform(&transform->rotation, at);
        set_position(other, &samples, i, abut_dvec3_add(rotated, transform->translation));
    }
    sample(other, &samples, refinement->count);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        Probe* probe = &refinement->probes[i];
        AbutDVec3 normal = abut_dmat3_transform_transposed(&transform->rotation, unit(&samples, i));
        double distance = (double)samples.distance[i] * (double)other->scale;
        AbutDVec3 nearest = abut_dvec3_scale(probe->uphill, FRONT_CELLS * cell); // from the point
        nearest = abut_dvec3_mul_sub(nearest, distance, normal);
        double erosion = probe->gap - probe->height + abut_dvec3_dot(nearest, normal);
        if (is_exact_at(block, &samples, i) && fabs(probe->gap) < cell &&
            erosion > MIN_EROSION_CELLS * cell && erosion < MAX_EROSION_CELLS * cell &&
            abut_dvec3_length(nearest) < MAX_MOTION_CELLS * cell)
        {
            refinement->beyond[i] = erosion;
            probe->gap -= erosion;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Refinement
// -----------------------------------------------------------------------------------------------------------

static void refine(Refinement* refinement, bool on_b, AbutManifoldPoint* points, double length,
                   AbutRefinementKind kind)
{
    bool rolls = kind == ABUT_REFINE_ROLLING;
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        const AbutManifoldPoint* point = &points[refinement->indices[i]];
        refinement->at[i] = on_b ? point->local_anchor_b : point->local_anchor_a;
        refinement->step[i] = length;
        refinement->erosion[i] = refinement->beyond[i] = 0.0;
    }
    bool is_smooth =
        refinement->own->material.friction == 0.0f || refinement->other->material.friction == 0.0f;
    bool corrects = is_smooth && abut_overshoot_is_possible(refinement->own);
    probe_surfaces(refinement, refinement->at, refinement->probes);
    if (rolls)
    {
        find_curvature_radii(refinement);
    }
    for (int i = 0; i < TRIES; ++i)
    {
        step(refinement);
    }
    if (kind == ABUT_REFINE_EDGES)
    {
        extend_to_edges(refinement);
        measure_other_erosion(refinement);
    }
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        AbutManifoldPoint* point = &points[refinement->indices[i]];
        *(on_b ? &point->local_anchor_b : &point->local_anchor_a) = refinement->at[i];
        point->height = refinement->probes[i].height - refinement->beyond[i];
        point->own_normal = refinement->probes[i].normal;
        point->erosion = refinement->erosion[i] + refinement->beyond[i];
        if (corrects)
        {
            point->height +=
                abut_overshoot_at(refinement->own, refinement->at[i], point->height, &point->own_normal);
        }
        double steep = abut_dvec3_length(slope_of(&refinement->probes[i]));
        point->curvature_radius = rolls && steep < LEVEL ? refinement->curvature_radius[i] : 0.0;
    }
}

void abut_contacts_refine(const AbutBody* a, const AbutBody* b, double seconds, double length,
                          AbutRefinementKind kind, AbutManifoldPoint* points, uint32_t count)
{
    for (int side = 0; side < 2; ++side)
    {
        Refinement refinement = { .own = side == 0 ? a : b, .other = side == 0 ? b : a };
        refinement.transform = transform_at_end(refinement.own, refinement.other, seconds);
        for (uint32_t i = 0; i < count; ++i)
        {
            if (points[i].on_b == (side == 1))
            {
                refinement.indices[refinement.count++] = i;
            }
            if (refinement.count == BATCH || (i + 1 == count && refinement.count > 0))
            {
                refine(&refinement, side == 1, points, length, kind);
                refinement.count = 0;
            }
        }
    }
}
