// Recycling of manifolds. The contacts of a detection with margin m are complete as long as the travel of the
// pass is at most m less the approach of the bodies since then: no contact within that travel is missing.
// Anchors are fixed to the bodies, so that a pair at rest needs no detection, and does not tremble.
#include "dynamics/contacts/recycle.h"

#include "dynamics/ccd/core_points.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

#include <math.h>

/// Relative motion, as a fraction of the speculative distance, after which contacts are detected anew:
/// normals and anchors belong to the poses of detection.
#define STALE_FRACTION 1.0

/// Fraction of that for motion since the detection and rotation in this pass: a rolling ball leaves its
/// contact behind, and would be driven on by it.
#define ROLLING_FRACTION 0.1

/// The same for manifolds of one or two points, whose bodies roll.
#define POINT_FRACTION 0.002

/// Whether B is the reference body: the smaller one, so that its radius is finite.
static bool follows_b(const AbutBody* a, const AbutBody* b)
{
    return b->radius <= a->radius;
}

/// Pose of one body relative to another, at the present or the predicted poses.
static void relative_pose(const AbutBody* of, const AbutBody* seen_from, bool predicted,
                          double relative_position[3], double relative_rotation[4])
{
    double r[3][3], offset[3];
    const double *p = predicted ? seen_from->predicted_rotation : seen_from->rotation,
                 *q = predicted ? of->predicted_rotation : of->rotation;
    abut_body_matrix(p, r);
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = predicted ? of->predicted_position[i] - seen_from->predicted_position[i]
                              : of->position[i] - seen_from->position[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        relative_position[i] = r[0][i] * offset[0] + r[1][i] * offset[1] + r[2][i] * offset[2];
    }
    // conj(p) q
    relative_rotation[0] = p[3] * q[0] - p[0] * q[3] - p[1] * q[2] + p[2] * q[1];
    relative_rotation[1] = p[3] * q[1] - p[1] * q[3] - p[2] * q[0] + p[0] * q[2];
    relative_rotation[2] = p[3] * q[2] - p[2] * q[3] - p[0] * q[1] + p[1] * q[0];
    relative_rotation[3] = p[3] * q[3] + p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static void relative_of(const AbutBody* a, const AbutBody* b, bool predicted, double relative_position[3],
                        double relative_rotation[4])
{
    bool second = follows_b(a, b);
    relative_pose(second ? b : a, second ? a : b, predicted, relative_position, relative_rotation);
}

/// Bound of the relative displacement of a point of the reference body since the detection: |T x − T₀ x| ≤ |t
/// − t₀| + 2 sin(φ/2) |x|.
static double moved_since(const AbutManifold* m, const AbutBody* a, const AbutBody* b)
{
    double relative_position[3], relative_rotation[4], offset[3], sum = 0.0, other = 0.0;
    relative_of(a, b, false, relative_position, relative_rotation);
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = relative_position[i] - m->relative_position[i];
    }
    // |q − q₀| is 2 sin(φ/4) for the nearer of q and −q, and 2 sin(φ/2) is at most twice that.
    for (int i = 0; i < 4; ++i)
    {
        sum += (relative_rotation[i] - m->relative_rotation[i]) *
               (relative_rotation[i] - m->relative_rotation[i]);
        other += (relative_rotation[i] + m->relative_rotation[i]) *
                 (relative_rotation[i] + m->relative_rotation[i]);
    }
    double radius = (double)(follows_b(a, b) ? b : a)->radius;
    return sqrt(abut_array3_dot(offset, offset)) + 2.0 * sqrt(fmin(sum, other)) * radius;
}

/// Core points stop solids at the touch, so that pairs with them need no long margin: over long gaps contacts
/// are sparse, and penetration between them goes unnoticed.
static double core_point_margin(const AbutBody* a, const AbutBody* b)
{
    return abut_core_points_blocking_body(a, b) >= 0 ? fmin(a->inscribed_radius, b->inscribed_radius)
                                                     : INFINITY;
}

double abut_pair_margin(const AbutWorld* world, uint32_t a, uint32_t b)
{
    const AbutBody *body_a = &world->bodies[a], *body_b = &world->bodies[b];
    double margin = abut_pair_speculative_distance(world, body_a, body_b) +
                    abut_pair_remaining_travel(world, body_a, body_b);
    return fmin(margin, core_point_margin(body_a, body_b));
}

bool abut_manifold_can_recycle(const AbutWorld* world, AbutManifold* m)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    if (!abut_manifold_is_current(world, m))
    {
        return false;
    }
    double moved = moved_since(m, a, b);
    double limit = STALE_FRACTION * abut_pair_speculative_distance(world, a, b),
           pace = moved + a->rotation_travel + b->rotation_travel;
    bool fresh = m->count == 0 ||
                 (moved <= limit && pace <= (m->count <= 2 ? POINT_FRACTION : ROLLING_FRACTION) * limit);
    m->allowed_motion = m->margin - moved;
    return fresh && fmin(abut_pair_travel(world, a, b), 0.25 * core_point_margin(a, b)) <= m->allowed_motion;
}

void abut_manifold_record_pose(const AbutWorld* world, AbutManifold* m, double margin)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    m->generation_a = a->generation;
    m->generation_b = b->generation;
    m->margin = m->allowed_motion = margin;
    relative_of(a, b, true, m->relative_position, m->relative_rotation);
}
