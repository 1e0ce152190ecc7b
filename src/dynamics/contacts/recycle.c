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
static void relative_pose(const AbutBody* of, const AbutBody* seen_from, bool predicted, AbutDVec3* position,
                          AbutDQuat* rotation)
{
    AbutDQuat p = predicted ? seen_from->predicted_rotation : seen_from->rotation,
              q = predicted ? of->predicted_rotation : of->rotation;
    AbutDMat3 r = abut_body_matrix(p);
    AbutDVec3 offset = predicted ? abut_dvec3_sub(of->predicted_position, seen_from->predicted_position)
                                 : abut_dvec3_sub(of->position, seen_from->position);
    *position = abut_dmat3_transform_transposed(&r, offset);
    // conj(p) q; the order of terms differs from abut_dquat_multiply()
    *rotation = abut_dquat(p.w * q.x - p.x * q.w - p.y * q.z + p.z * q.y, // x
                           p.w * q.y - p.y * q.w - p.z * q.x + p.x * q.z, // y
                           p.w * q.z - p.z * q.w - p.x * q.y + p.y * q.x, // z
                           p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);
}

static void relative_of(const AbutBody* a, const AbutBody* b, bool predicted, AbutDVec3* position,
                        AbutDQuat* rotation)
{
    bool second = follows_b(a, b);
    relative_pose(second ? b : a, second ? a : b, predicted, position, rotation);
}

/// Bound of the relative displacement of a point of the reference body since the detection: |T x − T₀ x| ≤ |t
/// − t₀| + 2 sin(φ/2) |x|.
static double moved_since(const AbutManifold* m, const AbutBody* a, const AbutBody* b)
{
    AbutDVec3 position;
    AbutDQuat q, p = m->relative_rotation;
    relative_of(a, b, false, &position, &q);
    // |q − q₀| is 2 sin(φ/4) for the nearer of q and −q, and 2 sin(φ/2) is at most twice that.
    double same = abut_dquat_squared_length(abut_dquat(q.x - p.x, q.y - p.y, q.z - p.z, q.w - p.w));
    double opposite = abut_dquat_squared_length(abut_dquat(q.x + p.x, q.y + p.y, q.z + p.z, q.w + p.w));
    double radius = (double)(follows_b(a, b) ? b : a)->radius;
    return abut_dvec3_distance(position, m->relative_position) + 2.0 * sqrt(fmin(same, opposite)) * radius;
}

/// Core points stop solids at the touch, so that pairs with them need no long margin: over long gaps contacts
/// are sparse, and penetration between them goes unnoticed.
static double core_point_margin(const AbutBody* a, const AbutBody* b)
{
    return abut_core_points_blocking_body(a, b) >= 0 ? fmin(a->inscribed_radius, b->inscribed_radius)
                                                     : INFINITY;
}

double abut_pair_margin(const AbutStepContext* step, uint32_t a, uint32_t b)
{
    const AbutWorld* world = step->world;
    const AbutBody *body_a = &world->bodies[a], *body_b = &world->bodies[b];
    double margin = abut_pair_speculative_distance(world, body_a, body_b) +
                    abut_pair_remaining_travel(step, body_a, body_b);
    return fmin(margin, core_point_margin(body_a, body_b));
}

bool abut_manifold_can_recycle(const AbutStepContext* step, AbutManifold* m)
{
    const AbutWorld* world = step->world;
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
    return fresh && fmin(abut_pair_travel(step, a, b), 0.25 * core_point_margin(a, b)) <= m->allowed_motion;
}

void abut_manifold_record_pose(const AbutWorld* world, AbutManifold* m, double margin)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    m->generation_a = a->generation;
    m->generation_b = b->generation;
    m->margin = m->allowed_motion = margin;
    relative_of(a, b, true, &m->relative_position, &m->relative_rotation);
}
