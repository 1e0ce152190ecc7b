// Holding bodies back by their guards (core_points.h). Time runs for two bodies alike until one of them
// stops, at its part; then the other one goes on alone. What meets while both go has to stop there, both of
// it; and who runs into one that stands stops alone. So one body that is held does not hold all others.
//
// A guard that is in the way makes a contact in the next round, takes the speed out that is against it, and
// where that does not help, moves bodies apart.
#include "dynamics/ccd/clamp_core_points.h"

#include "base/assert.h"
#include "base/tasks.h"
#include "dynamics/ccd/core_point_toi.h"
#include "dynamics/ccd/core_points.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

/// Guards that are in another solid by less than this part of what is thinner came there by rounding: they
/// may not get deeper, and go by no more than that part to get out.
#define ROUNDING_IN 0.1
#define ROUNDING_OUT 0.3

/// A guard that is nearer to the other solid than this part of what is thinner has run into it.
#define CONTACT_FRACTION 0.2

/// Guards that run into something faster than this, in what gravity gives in the round, strike a blow.
#define HIT_SPEED 4.0

/// Overlap of surfaces that solids may come to freely, as a part of what is thinner, and the part of the
/// distance that is left to guards that may be lost in a round.
#define SLACK 0.25
#define CREEP 0.5

/// Part of the clearance of guards that is relied on: distances may be a little too long.
#define CLEARANCE_SAFETY 0.9

/// Of their ways: two bodies that cannot go on together by more than this are stuck in each other. They keep
/// this part of their speeds, which would grow and grow where they stand, and go apart by that part of what
/// is thinner.
#define STUCK 0.05
#define STUCK_SPEED 0.5
#define ESCAPE 0.1

/// Two bodies that have gone the same part of their ways, and go on to parts of their own.
static AbutCorePointMotion core_point_motion(const AbutBody* a, const AbutBody* b, double from, double to_a,
                                             double to_b)
{
    bool of_a = abut_core_points_tested_body(a, b) == 0;
    AbutCorePointMotion motion = { .core_body = of_a ? a : b, .other = of_a ? b : a };
    motion.starts[0] = abut_ccd_motion_pose(motion.core_body, from);
    motion.starts[1] = abut_ccd_motion_pose(motion.other, from);
    motion.motions[0] = abut_ccd_motion_interval(motion.core_body, from, of_a ? to_a : to_b);
    motion.motions[1] = abut_ccd_motion_interval(motion.other, from, of_a ? to_b : to_a);
    return motion;
}

/// Whether guards that are in the other solid at the start, by rounding, get out of it, and not at the other
/// side. Tells the guard that is deepest.
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

/// How far guards have to stay away. Solids that come from afar stop where they touch. Those that touch may
/// overlap a little, and when they do that already, by a little more from round to round.
static double required_clearance(const AbutManifold* m, const AbutBody* core_body, double thickness)
{
    double touching = core_body->core_depth, slack = SLACK * thickness;
    return m->clearance > touching + slack ? touching : fmin(touching, (1.0 - CREEP) * m->clearance);
}

/// The part of a motion that is free. Guards keep their distance from the other solid, or half of what they
/// had at the start of the round.
static double free_fraction(AbutManifold* m, const AbutCorePointMotion* motion, double travel)
{
    double thickness = fmin(motion->core_body->inscribed_radius, motion->other->inscribed_radius), toi = 0.0;
    bool inside = !(m->clearance > 0.0);
    m->was_separated = m->was_separated || m->clearance > motion->core_body->core_depth - SLACK * thickness;
    uint32_t core_point;
    // Solids that were put into each other may go where they like.
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
        m->margin = 0.0; // it does not hold: there is a contact to come
        abut_core_points_normal(motion, core_point, toi, &m->core_point, &m->core_normal);
        abut_core_points_record(m, m->core_point, thickness / (double)motion->core_body->scale);
    }
    return toi;
}

/// Whether two bodies keep their distance because they do not move that far.
static bool keeps_distance(const AbutManifold* m, const AbutBody* a, const AbutBody* b, double travel)
{
    const AbutBody* core_body = abut_core_points_tested_body(a, b) == 0 ? a : b;
    return travel <=
           m->clearance - required_clearance(m, core_body, fmin(a->inscribed_radius, b->inscribed_radius));
}

/// Finds out how far two bodies may go at once. False when they do not come near each other at all.
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

static void apply_impulse(AbutBody* body, const double r[3], const double impulse[3], double sign)
{
    double r_cross[3];
    abut_array3_cross(r, impulse, r_cross);
    for (int i = 0; i < 3; ++i)
    {
        body->velocity[i] += sign * body->axis_inverse_mass[i] * impulse[i];
        body->angular_velocity[i] += sign * abut_array3_dot(body->world_inverse_inertia[i], r_cross);
    }
}

/// An inelastic blow at a place, along the normal from B to A, where the two come nearer to each other.
/// Returns how fast they did.
static double apply_inelastic_impulse(AbutBody* a, AbutBody* b, const double position[3],
                                      const double normal[3])
{
    double r[2][3], speed = 0.0, inverse_mass = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody* body = side == 0 ? a : b;
        double r_cross[3], inv_inertia_rn[3], w_cross_r[3];
        for (int i = 0; i < 3; ++i)
        {
            r[side][i] = position[i] - body->position[i];
        }
        abut_array3_cross(r[side], normal, r_cross);
        abut_array3_cross(body->angular_velocity, r[side], w_cross_r);
        for (int i = 0; i < 3; ++i)
        {
            inv_inertia_rn[i] = abut_array3_dot(body->world_inverse_inertia[i], r_cross);
            inverse_mass += body->axis_inverse_mass[i] * normal[i] * normal[i];
            speed += (side == 0 ? 1.0 : -1.0) * normal[i] * (body->velocity[i] + w_cross_r[i]);
        }
        inverse_mass += abut_array3_dot(r_cross, inv_inertia_rn);
    }
    for (int side = 0; side < 2 && speed < 0.0 && inverse_mass > 0.0; ++side)
    {
        const double impulse[3] = { -speed / inverse_mass * normal[0], -speed / inverse_mass * normal[1],
                                    -speed / inverse_mass * normal[2] };
        apply_impulse(side == 0 ? a : b, r[side], impulse, side == 0 ? 1.0 : -1.0);
    }
    return fmax(-speed, 0.0);
}

/// The blow is over: the next substep does not begin with it.
static void reset_impulses(const AbutWorld* world, const AbutManifold* m)
{
    AbutManifoldPoint* points = world->stores[world->current].points + m->first;
    for (uint32_t i = 0; i < m->count; ++i)
    {
        points[i].normal_impulse = points[i].tangent_impulse[0] = points[i].tangent_impulse[1] = 0.0;
    }
}

/// Takes the speed out with which a guard runs into the other solid: there may be no contact that does.
static void stop_core_point(const AbutWorld* world, const AbutManifold* m)
{
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
        const double position[3] = { at.x, at.y, at.z }, normal[3] = { n.x, n.y, n.z };
        double speed = apply_inelastic_impulse(core_body, other, position, normal);
        if (speed > HIT_SPEED * (double)abut_vec3_length(world->def.gravity) * world->seconds)
        {
            a->core_hit = a->core_hit || abut_body_moves(a);
            b->core_hit = b->core_hit || abut_body_moves(b);
        }
    }
}

/// A stuck body forgets its way, and most of its speed.
static void reset_motion(AbutBody* body)
{
    if (!body->stuck)
    {
        memcpy(body->position, body->start, sizeof(body->start));
        memcpy(body->rotation, body->start_rotation, sizeof(body->start_rotation));
        for (int i = 0; i < 3; ++i)
        {
            body->rotation_vector[i] = 0.0;
            body->velocity[i] *= STUCK_SPEED;
            body->angular_velocity[i] *= STUCK_SPEED;
        }
        abut_body_refresh(body);
        body->fraction = 1.0;
        body->stuck = true;
    }
}

/// Two bodies that are stuck in each other go apart instead, by a little, along the normal of the guard that
/// is in the way.
static void separate_stuck(const AbutWorld* world, const AbutManifold* m)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool of_a = abut_core_points_tested_body(a, b) == 0, moves_a = abut_body_moves(a),
         moves_b = abut_body_moves(b);
    double inverse_mass[2] = { moves_a ? a->inverse_mass : 0.0, moves_b ? b->inverse_mass : 0.0 };
    double by = ESCAPE * fmin(a->inscribed_radius, b->inscribed_radius) / (inverse_mass[0] + inverse_mass[1]);
    AbutPose pose = abut_ccd_motion_pose(of_a ? a : b, 0.0);
    AbutVec3 n = abut_quat_rotate(pose.rotation, m->core_normal);
    const double normal[3] = { n.x, n.y, n.z };
    for (int side = 0; side < 2; ++side)
    {
        AbutBody* body = side == 0 ? a : b;
        double sign = (side == 0) == of_a ? 1.0 : -1.0;
        if (inverse_mass[side] > 0.0)
        {
            reset_motion(body);
            for (int i = 0; i < 3; ++i)
            {
                body->position[i] +=
                    body->axis_inverse_mass[i] > 0.0 ? sign * by * inverse_mass[side] * normal[i] : 0.0;
            }
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

/// Pairs of a task: most of them cost nothing, and few very much.
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

/// What is left of the clearance of guards when bodies are where they go.
void abut_ccd_end(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (m->clearance > 0.0)
        {
            AbutCcdMotion a = abut_ccd_motion_of(&world->bodies[m->a]),
                          b = abut_ccd_motion_of(&world->bodies[m->b]);
            m->clearance = fmax(0.0, m->clearance - abut_ccd_motion_sequential(&a, &b));
        }
    }
}

void abut_ccd_stop_approach(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        if (store->manifolds[i].blocked)
        {
            stop_core_point(world, &store->manifolds[i]);
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
