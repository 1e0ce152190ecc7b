// Refinement of anchors: descent along the surface to the point that will be deepest in the other solid at
// the end of the pass, at the present velocities. The narrow phase detects a contact in every region, but no
// more than one per cell of its spacing, and at the present poses.
#include "dynamics/contacts/refine_deepest.h"

#include "math/dvec3.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

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

/// Pose of one body relative to the other at the end of the pass.
typedef struct Transform
{
    double rotation[3][3], translation[3];
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
    double height;               // over its own surface, added to the gap
    double uphill[3], normal[3]; // outward normals of the other solid, of its own
} Probe;

/// Points of a body, in its frame (world units from its centre of mass), and their probes.
typedef struct Refinement
{
    const AbutBody *own, *other;
    Transform transform;
    uint32_t count;
    uint32_t indices[BATCH];
    double at[BATCH][3], step[BATCH];
    Probe probes[BATCH];
    double curvature_radius[BATCH]; // 0 for fixed anchors
} Refinement;

static void matrix_at_end(const AbutBody* body, double seconds, double out[3][3])
{
    double angle = abut_array3_length(body->angular_velocity) * seconds, q[4];
    abut_rotation_integrate(body->rotation, body->angular_velocity, angle > 1.0 ? seconds / angle : seconds,
                            q);
    abut_body_matrix(q, out);
}

static Transform transform_at_end(const AbutBody* own, const AbutBody* other, double seconds)
{
    Transform transform;
    double mine[3][3], theirs[3][3], offset[3];
    matrix_at_end(own, abut_body_moves(own) ? seconds : 0.0, mine);
    matrix_at_end(other, abut_body_moves(other) ? seconds : 0.0, theirs);
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = own->position[i] - other->position[i] + (own->velocity[i] - other->velocity[i]) * seconds;
    }
    for (int i = 0; i < 3; ++i)
    {
        transform.translation[i] =
            theirs[0][i] * offset[0] + theirs[1][i] * offset[1] + theirs[2][i] * offset[2];
        for (int k = 0; k < 3; ++k)
        {
            transform.rotation[i][k] =
                theirs[0][i] * mine[0][k] + theirs[1][i] * mine[1][k] + theirs[2][i] * mine[2][k];
        }
    }
    return transform;
}

static void sample(const AbutBody* body, Samples* samples, uint32_t count)
{
    AbutPoints points = { samples->at[0], samples->at[1], samples->at[2] };
    AbutSamples out = { samples->distance, samples->gradient[0], samples->gradient[1], samples->gradient[2] };
    abut_shape_sample(body->shape, NULL, points, count, out);
}

static void set_position(const AbutBody* body, Samples* samples, uint32_t i, const double at[3])
{
    for (int k = 0; k < 3; ++k)
    {
        samples->at[k][i] = (float)(at[k] / (double)body->scale + body->center[k]);
    }
}

/// The unit gradient at a sample; zero where there is none.
static void unit(const Samples* samples, uint32_t i, double out[3])
{
    double g[3] = { samples->gradient[0][i], samples->gradient[1][i], samples->gradient[2][i] };
    double length = abut_array3_length(g);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = length > 0.0 ? g[k] / length : 0.0;
    }
}

/// Projects points to their own surface, approximately: near edges of fields a distance does not give the
/// position of the surface.
static void project(const Refinement* refinement, double at[][3])
{
    Samples own;
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        set_position(refinement->own, &own, i, at[i]);
    }
    sample(refinement->own, &own, refinement->count);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        double normal[3];
        unit(&own, i, normal);
        for (int k = 0; k < 3; ++k)
        {
            at[i][k] -= (double)own.distance[i] * (double)refinement->own->scale * normal[k];
        }
    }
}

/// Projects points to their own surface and samples both solids there.
static void probe_surfaces(const Refinement* refinement, double at[][3], Probe* out)
{
    Samples own, other;
    project(refinement, at);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        double other_position[3];
        for (int k = 0; k < 3; ++k)
        {
            other_position[k] = abut_array3_dot(refinement->transform.rotation[k], at[i]) +
                                refinement->transform.translation[k];
        }
        set_position(refinement->own, &own, i, at[i]);
        set_position(refinement->other, &other, i, other_position);
    }
    sample(refinement->own, &own, refinement->count);
    sample(refinement->other, &other, refinement->count);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        double g[3];
        unit(&own, i, out[i].normal);
        unit(&other, i, g);
        out[i].height = (double)own.distance[i] * (double)refinement->own->scale;
        out[i].gap = (double)other.distance[i] * (double)refinement->other->scale + out[i].height;
        for (int k = 0; k < 3; ++k)
        {
            out[i].uphill[k] = refinement->transform.rotation[0][k] * g[0] +
                               refinement->transform.rotation[1][k] * g[1] +
                               refinement->transform.rotation[2][k] * g[2];
        }
    }
}

/// The slope along the surface: the tangential component of `uphill`.
static void slope_of(const Probe* probe, double out[3])
{
    double up = abut_array3_dot(probe->uphill, probe->normal);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = probe->uphill[k] - up * probe->normal[k];
    }
}

/// Unit direction down the slope; without a slope, any tangent.
static void down_of(const Probe* probe, double steep, double out[3])
{
    const double *n = probe->normal,
                 axis[3] = { fabs(n[0]) < 0.6 ? 1.0 : 0.0, fabs(n[0]) < 0.6 ? 0.0 : 1.0, 0.0 };
    if (steep > MIN_SLOPE)
    {
        slope_of(probe, out);
    }
    else
    {
        abut_array3_cross(n, axis, out);
    }
    double length = abut_array3_length(out);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = length > 0.0 ? -out[k] / length : 0.0;
    }
}

/// Whether a body rocks: its centre of curvature is above its centre of mass, as for a bowl. The contact
/// moves as it rocks, and a single point that follows is late, lets the body sink and lifts it again, which
/// drives it on.
static bool rocks(const double from[3], const double normal[3], const double to[3], const double end[3])
{
    const double step[3] = { to[0] - from[0], to[1] - from[1], to[2] - from[2] },
                 normal_change[3] = { end[0] - normal[0], end[1] - normal[1], end[2] - normal[2] };
    return abut_array3_length(step) >
           ROCKING * abut_array3_dot(from, normal) * abut_array3_length(normal_change);
}

/// Relative curvature radius of the surfaces between two points: a round body's own radius on a plane, at any
/// distance. Normals change by distance over radius; the slope, a sine, changes by less. 0 for none.
static double curvature_radius_of(const double from[3], const Probe* start, const double to[3],
                                  const Probe* end)
{
    double squared = 0.0, normal_change = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double step = to[k] - from[k];
        squared += step * step;
        normal_change += step * (end->normal[k] + end->uphill[k] - start->normal[k] - start->uphill[k]);
    }
    return normal_change > 0.0 ? squared / normal_change : 0.0;
}

/// Relative curvature radii: where the slope rises again within a fraction of the smaller body, distance over
/// change of slope, which is the distance to the bottom per slope. A step of that length does not see the
/// cells of fields.
static void find_curvature_radii(Refinement* refinement)
{
    double at[BATCH][3], down[BATCH][3], steep[BATCH], slope[3];
    double radius = fmin((double)refinement->own->radius, (double)refinement->other->radius),
           distance = AHEAD_FRACTION * radius;
    Probe probes[BATCH];
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        slope_of(&refinement->probes[i], slope);
        steep[i] = abut_array3_length(slope);
        down_of(&refinement->probes[i], steep[i], down[i]);
        for (int k = 0; k < 3; ++k)
        {
            at[i][k] = refinement->at[i][k] + distance * down[i][k];
        }
    }
    probe_surfaces(refinement, at, probes);
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        slope_of(&probes[i], slope);
        double curvature_radius =
            abut_array3_dot(slope, down[i]) > 0.0
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
    double at[BATCH][3];
    Probe probes[BATCH];
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        double slope[3];
        slope_of(&refinement->probes[i], slope);
        for (int k = 0; k < 3; ++k)
        {
            at[i][k] = refinement->at[i][k] - refinement->step[i] * slope[k];
        }
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
        memcpy(refinement->at[i], at[i], sizeof(at[i]));
    }
}

static void refine(Refinement* refinement, bool on_b, AbutManifoldPoint* points, double length, bool rolls)
{
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        const AbutManifoldPoint* point = &points[refinement->indices[i]];
        memcpy(refinement->at[i], on_b ? point->local_anchor_b : point->local_anchor_a,
               sizeof(refinement->at[i]));
        refinement->step[i] = length;
    }
    probe_surfaces(refinement, refinement->at, refinement->probes);
    if (rolls)
    {
        find_curvature_radii(refinement);
    }
    for (int i = 0; i < TRIES; ++i)
    {
        step(refinement);
    }
    for (uint32_t i = 0; i < refinement->count; ++i)
    {
        AbutManifoldPoint* point = &points[refinement->indices[i]];
        memcpy(on_b ? point->local_anchor_b : point->local_anchor_a, refinement->at[i],
               sizeof(refinement->at[i]));
        point->height = refinement->probes[i].height;
        memcpy(point->own_normal, refinement->probes[i].normal, sizeof(point->own_normal));
        double slope[3];
        slope_of(&refinement->probes[i], slope);
        point->curvature_radius =
            rolls && abut_array3_length(slope) < LEVEL ? refinement->curvature_radius[i] : 0.0;
    }
}

void abut_contacts_refine(const AbutBody* a, const AbutBody* b, double seconds, double length, bool rolls,
                          AbutManifoldPoint* points, uint32_t count)
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
                refine(&refinement, side == 1, points, length, rolls);
                refinement.count = 0;
            }
        }
    }
}
