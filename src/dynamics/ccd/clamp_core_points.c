// Clamping by core points (core_points.h). Two bodies move together up to their common fraction; then the one
// with the larger fraction moves on alone. An impact during the common motion stops both; an impact of the
// rest stops that body alone. So one blocked body does not block all others.
//
// A blocked core point makes a contact in the next pass, stops the approach velocity, and, if bodies are
// stuck, separates them.
#include "dynamics/ccd/clamp_core_points.h"

#include "base/assert.h"
#include "base/tasks.h"
#include "dynamics/ccd/core_point_toi.h"
#include "dynamics/ccd/core_points.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

#include <math.h>

/// Penetration of core points by rounding, as a fraction of the thinner inscribed radius: they may not get
/// deeper, and move out by at most the second fraction.
#define ROUNDING_IN 0.1
#define ROUNDING_OUT 0.3

/// Distance of a core point that has hit the other solid, as a fraction of the thinner inscribed radius.
#define CONTACT_FRACTION 0.2

/// Speed of an impact of a core point, in velocities that gravity adds in the pass.
#define HIT_SPEED 4.0

/// Penetration of surfaces without clamping, as a fraction of the thinner inscribed radius, and the share of
/// the remaining clearance that a pass may use.
#define SLACK 0.25
#define CREEP 0.5

/// Reliable share of a clearance: distances may be slightly too large.
#define CLEARANCE_SAFETY 0.9

/// Common fraction of two bodies that are stuck in each other. They keep a share of their velocities, which
/// would grow without motion, and separate by a fraction of the thinner inscribed radius.
#define STUCK 0.05
#define STUCK_SPEED 0.5
#define ESCAPE 0.1

/// Two bodies from a common fraction to fractions of their own.
static AbutCorePointMotion core_point_motion(const AbutBody* a, const AbutBody* b, double from, double to_a,
                                             double to_b)
{
    bool of_a = abut_core_points_tested_body(a, b) == 0;
    AbutCorePointMotion motion = { .core_body = of_a ? a : b, .other = of_a ? b : a };
    ABUT_ASSERT(motion.core_body->core_points != NULL);
    motion.starts[0] = abut_ccd_motion_pose(motion.core_body, from);
    motion.starts[1] = abut_ccd_motion_pose(motion.other, from);
    motion.motions[0] = abut_ccd_motion_interval(motion.core_body, from, of_a ? to_a : to_b);
    motion.motions[1] = abut_ccd_motion_interval(motion.other, from, of_a ? to_b : to_a);
    return motion;
}

/// Whether core points inside the other solid by rounding leave it, and not on the far side. `core_point`:
/// the deepest one.
static bool leaves_solid(const AbutCorePointMotion* motion, double travel, double thickness,
                         uint32_t* core_point)
{
    const AbutPose* starts = motion->starts;
    AbutPose ends[2] = { abut_motion_pose(&starts[0], &motion->motions[0], 1.0f),
                         abut_motion_pose(&starts[1], &motion->motions[1], 1.0f) };
    uint32_t end_point;
    double before = abut_core_points_clearance(motion->core_body, &starts[0], motion->other, &starts[1],
                                               INFINITY, core_point);
    double after =
        abut_core_points_clearance(motion->core_body, &ends[0], motion->other, &ends[1], 0.0, &end_point);
    return before < -ROUNDING_IN * thickness || (after > before && travel < ROUNDING_OUT * thickness);
}

/// Required clearance. Separated solids stop where they touch. Touching ones may penetrate a little, and then
/// a little more from pass to pass.
static double required_clearance(const AbutManifold* m, const AbutBody* core_body, double thickness)
{
    double touching = core_body->core_depth, slack = SLACK * thickness;
    return m->clearance > touching + slack ? touching : fmin(touching, (1.0 - CREEP) * m->clearance);
}

/// The free fraction of a motion: core points keep the required clearance.
static double free_fraction(AbutManifold* m, const AbutCorePointMotion* motion, double travel)
{
    double thickness = fmin(motion->core_body->inscribed_radius, motion->other->inscribed_radius), toi = 0.0;
    bool inside = !(m->clearance > 0.0);
    m->was_separated = m->was_separated || m->clearance > motion->core_body->core_depth - SLACK * thickness;
    uint32_t core_point;
    // Solids created in overlap are not clamped.
    if (!m->was_separated || (inside && leaves_solid(motion, travel, thickness, &core_point)))
    {
        return 1.0;
    }
    if (!inside)
    {
        toi = abut_core_points_toi(motion, required_clearance(m, motion->core_body, thickness), &core_point);
    }
    if (toi < 1.0)
    {
        m->blocked = true;
        m->margin = 0.0; // not recyclable: a contact is to come
        abut_core_points_normal(motion, core_point, toi, &m->core_point, &m->core_normal);
        abut_core_points_record(m, m->core_point, thickness / (double)motion->core_body->scale);
    }
    return toi;
}

/// Whether the clearance exceeds the travel.
static bool keeps_distance(const AbutManifold* m, const AbutBody* a, const AbutBody* b, double travel)
{
    const AbutBody* core_body = abut_core_points_tested_body(a, b) == 0 ? a : b;
    return travel <=
           m->clearance - required_clearance(m, core_body, fmin(a->inscribed_radius, b->inscribed_radius));
}

/// The common free fraction of two bodies. False when the clearance exceeds the travel.
static bool find_toi(AbutManifold* m, const AbutBody* a, const AbutBody* b, const AbutCcdMotion* motion_a,
                     const AbutCcdMotion* motion_b)
{
    double travel = abut_ccd_motion_sequential(motion_a, motion_b),
           common = abut_ccd_motion_common_fraction(motion_a, motion_b);
    if (keeps_distance(m, a, b, travel))
    {
        return false;
    }
    if (!m->clearance_measured)
    {
        uint32_t nearest;
        AbutCorePointMotion start = core_point_motion(a, b, 0.0, 0.0, 0.0);
        m->clearance =
            CLEARANCE_SAFETY * abut_core_points_clearance(
                                   start.core_body, &start.starts[0], start.other, &start.starts[1],
                                   travel + 4.0 * fmin(a->inscribed_radius, b->inscribed_radius), &nearest);
        m->clearance_measured = true;
        if (keeps_distance(m, a, b, travel))
        {
            return false;
        }
    }
    if (m->toi < 0.0)
    {
        AbutCorePointMotion together = core_point_motion(a, b, 0.0, common, common);
        double toi = free_fraction(m, &together, travel);
        m->toi = toi < 1.0 ? ABUT_CCD_SAFETY * toi * common : 1.0;
    }
    return true;
}

bool abut_ccd_clamp_pair(AbutManifold* m, AbutBody* a, AbutBody* b, const AbutCcdMotion* motion_a,
                         const AbutCcdMotion* motion_b, double safety)
{
    if (!find_toi(m, a, b, motion_a, motion_b))
    {
        return false;
    }
    double travel = abut_ccd_motion_sequential(motion_a, motion_b),
           common = abut_ccd_motion_common_fraction(motion_a, motion_b);
    AbutBody* late = a->fraction > common && motion_a->moves ? a : b;
    if (m->toi < common)
    {
        a->fraction = motion_a->moves ? fmin(a->fraction, m->toi) : a->fraction;
        b->fraction = motion_b->moves ? fmin(b->fraction, m->toi) : b->fraction;
        return true;
    }
    if (late->fraction <= common || !abut_body_moves(late) ||
        (m->checked_fractions[0] == a->fraction && m->checked_fractions[1] == b->fraction))
    {
        return false;
    }
    AbutCorePointMotion alone = core_point_motion(a, b, common, a->fraction, b->fraction);
    double toi = free_fraction(m, &alone, travel);
    late->fraction = toi < 1.0 ? common + safety * toi * (late->fraction - common) : late->fraction;
    m->checked_fractions[0] = a->fraction;
    m->checked_fractions[1] = b->fraction;
    return toi < 1.0;
}

static void apply_impulse(AbutBody* body, AbutDVec3 r, AbutDVec3 impulse, double sign)
{
    AbutDVec3 angular = abut_dmat3_transform(&body->world_inverse_inertia, abut_dvec3_cross(r, impulse));
    AbutDVec3 linear = abut_dvec3_mul(abut_dvec3_scale(body->axis_inverse_mass, sign), impulse);
    body->velocity = abut_dvec3_add(body->velocity, linear);
    body->angular_velocity = abut_dvec3_mul_add(body->angular_velocity, sign, angular);
}

/// An inelastic impulse at a point, along the normal from B to A, against the approach. Returns the approach
/// speed.
static double apply_inelastic_impulse(AbutBody* a, AbutBody* b, AbutDVec3 position, AbutDVec3 normal)
{
    AbutDVec3 r[2];
    double speed = 0.0, inverse_mass = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody* body = side == 0 ? a : b;
        r[side] = abut_dvec3_sub(position, body->position);
        AbutDVec3 r_cross_n = abut_dvec3_cross(r[side], normal);
        AbutDVec3 velocity =
            abut_dvec3_add(body->velocity, abut_dvec3_cross(body->angular_velocity, r[side]));
        AbutDVec3 inv_inertia_rn = abut_dmat3_transform(&body->world_inverse_inertia, r_cross_n);
        AbutDVec3 masses = abut_dvec3_mul(abut_dvec3_mul(body->axis_inverse_mass, normal), normal);
        AbutDVec3 speeds = abut_dvec3_mul(abut_dvec3_scale(normal, side == 0 ? 1.0 : -1.0), velocity);
        inverse_mass = inverse_mass + masses.x + masses.y + masses.z;
        inverse_mass += abut_dvec3_dot(r_cross_n, inv_inertia_rn);
        speed = speed + speeds.x + speeds.y + speeds.z;
    }
    for (int side = 0; side < 2 && speed < 0.0 && inverse_mass > 0.0; ++side)
    {
        AbutDVec3 impulse = abut_dvec3_scale(normal, -speed / inverse_mass);
        apply_impulse(side == 0 ? a : b, r[side], impulse, side == 0 ? 1.0 : -1.0);
    }
    return fmax(-speed, 0.0);
}

/// The impact is over: no warm start from its impulses.
static void reset_impulses(const AbutWorld* world, const AbutManifold* m)
{
    AbutManifoldPoint* points = world->stores[world->current].points + m->first;
    for (uint32_t i = 0; i < m->count; ++i)
    {
        points[i].normal_impulse = points[i].tangent_impulse[0] = points[i].tangent_impulse[1] = 0.0;
    }
}

/// Inelastic impulse at a blocked core point: there may be no contact that stops it.
static void stop_core_point(const AbutStepContext* step, const AbutManifold* m)
{
    const AbutWorld* world = step->world;
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool of_a = abut_core_points_tested_body(a, b) == 0;
    AbutBody *core_body = of_a ? a : b, *other = of_a ? b : a;
    AbutPose pose = abut_body_pose(core_body), other_pose = abut_body_pose(other);
    AbutPosition at = abut_pose_transform_point(&pose, m->core_point);
    AbutVec3 inside = abut_pose_inverse_transform_point(&other_pose, at),
             n = abut_quat_rotate(pose.rotation, m->core_normal);
    double gap = (double)abut_shape_distance(other->shape, inside, NULL) * (double)other->scale;
    if (gap < CONTACT_FRACTION * fmin(a->inscribed_radius, b->inscribed_radius))
    {
        double speed =
            apply_inelastic_impulse(core_body, other, abut_dvec3_from_position(at), abut_dvec3_from_vec3(n));
        if (speed > HIT_SPEED * (double)abut_vec3_length(world->def.gravity) * step->seconds)
        {
            a->core_hit = a->core_hit || abut_body_moves(a);
            b->core_hit = b->core_hit || abut_body_moves(b);
        }
    }
}

/// A stuck body loses its motion, and most of its velocity.
static void reset_motion(AbutBody* body)
{
    if (!body->stuck)
    {
        body->position = body->start;
        body->rotation = body->start_rotation;
        body->rotation_vector = abut_dvec3_zero();
        body->velocity = abut_dvec3_scale(body->velocity, STUCK_SPEED);
        body->angular_velocity = abut_dvec3_scale(body->angular_velocity, STUCK_SPEED);
        abut_body_refresh(body);
        body->fraction = 1.0;
        body->stuck = true;
    }
}

/// Separates two stuck bodies by a little, along the normal of the blocked core point.
static void separate_stuck(const AbutWorld* world, const AbutManifold* m)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool of_a = abut_core_points_tested_body(a, b) == 0, moves_a = abut_body_moves(a),
         moves_b = abut_body_moves(b);
    double inverse_mass[2] = { moves_a ? a->inverse_mass : 0.0, moves_b ? b->inverse_mass : 0.0 };
    double by = ESCAPE * fmin(a->inscribed_radius, b->inscribed_radius) / (inverse_mass[0] + inverse_mass[1]);
    AbutPose pose = abut_ccd_motion_pose(of_a ? a : b, 0.0);
    AbutDVec3 normal = abut_dvec3_from_vec3(abut_quat_rotate(pose.rotation, m->core_normal));
    for (int side = 0; side < 2; ++side)
    {
        AbutBody* body = side == 0 ? a : b;
        double sign = (side == 0) == of_a ? 1.0 : -1.0;
        if (inverse_mass[side] > 0.0)
        {
            reset_motion(body);
            AbutDVec3 free = body->axis_inverse_mass,
                      change = abut_dvec3_scale(normal, sign * by * inverse_mass[side]);
            body->position.x += free.x > 0.0 ? change.x : 0.0;
            body->position.y += free.y > 0.0 ? change.y : 0.0;
            body->position.z += free.z > 0.0 ? change.z : 0.0;
        }
    }
}

bool abut_ccd_separate_stuck(AbutWorld* world)
{
    AbutContactStore* store = &world->stores[world->current];
    bool any = false;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        double thickness = fmin(world->bodies[m->a].inscribed_radius, world->bodies[m->b].inscribed_radius);
        if (m->blocked && m->toi < STUCK && m->clearance < CONTACT_FRACTION * thickness)
        {
            separate_stuck(world, m);
            any = true;
        }
    }
    for (size_t i = 0; i < store->manifold_count && any; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (world->bodies[m->a].stuck || world->bodies[m->b].stuck)
        {
            abut_ccd_reset_pair(m);
        }
    }
    return any;
}

/// Pairs of a task: most of them are free, few very costly.
enum
{
    BLOCK = 4
};

static void toi_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const AbutWorld* world = context;
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = (size_t)block * BLOCK; i < store->manifold_count && i < ((size_t)block + 1) * BLOCK; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        if ((abut_body_moves(a) || abut_body_moves(b)) && abut_core_points_blocking_body(a, b) >= 0)
        {
            AbutCcdMotion motion_a = abut_ccd_motion_of(a), motion_b = abut_ccd_motion_of(b);
            find_toi(m, a, b, &motion_a, &motion_b);
        }
    }
}

void abut_ccd_find_toi(AbutWorld* world)
{
    size_t count = world->stores[world->current].manifold_count;
    abut_parallel_for(&world->host, abut_block_count((uint32_t)count, BLOCK), toi_block, world);
}

void abut_ccd_reset_pair(AbutManifold* m)
{
    m->toi = m->checked_fractions[0] = m->checked_fractions[1] = -1.0;
}

void abut_ccd_begin(AbutWorld* world)
{
    AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        m->clearance_measured = m->blocked = false;
        abut_ccd_reset_pair(m);
    }
}

/// The clearances at the final fractions.
void abut_ccd_end(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (m->clearance > 0.0 && m->is_convex)
        {
            double travel = world->bodies[m->a].pass_travel + world->bodies[m->b].pass_travel;
            m->clearance = fmax(0.0, m->clearance - travel);
        }
        else if (m->clearance > 0.0)
        {
            AbutCcdMotion a = abut_ccd_motion_of(&world->bodies[m->a]),
                          b = abut_ccd_motion_of(&world->bodies[m->b]);
            m->clearance = fmax(0.0, m->clearance - abut_ccd_motion_sequential(&a, &b));
        }
    }
}

void abut_ccd_stop_approach(const AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        if (store->manifolds[i].blocked)
        {
            stop_core_point(step, &store->manifolds[i]);
        }
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        if (world->bodies[m->a].core_hit || world->bodies[m->b].core_hit)
        {
            reset_impulses(world, m);
        }
    }
}
