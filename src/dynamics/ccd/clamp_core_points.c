// Holding bodies back by their guards (core_points.h). Time runs for two bodies alike until one of them stops, at its part; then the other one goes on alone. What meets while both
// go has to stop there, both of it; and who runs into one that stands stops alone. So one body that is held does not hold all others.
//
// A guard that is in the way makes a contact in the next round, takes the speed out that is against it, and where that does not help, moves bodies apart.
#include "dynamics/ccd/clamp.h"
#include "dynamics/ccd/core_points.h"

#include "base/tasks.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

/// Guards that are in another solid by less than this part of what is thinner came there by rounding: they may not get deeper,
/// and go by no more than that part to get out.
#define ROUNDED_IN 0.1
#define ROUNDED_OUT 0.3

/// A guard that is nearer to the other solid than this part of what is thinner has run into it.
#define REACHED 0.2

/// Guards that run into something faster than this, in what gravity gives in the round, strike a blow.
#define BLOW 4.0

/// Overlap of surfaces that solids may come to freely, as a part of what is thinner, and the part of the distance that is left to guards that may be lost in a round.
#define SLACK 0.25
#define CREEP 0.5

/// Part of the clearance of guards that is relied on: distances may be a little too long.
#define SURE 0.9

/// Of their ways: two bodies that cannot go on together by more than this are stuck in each other. They keep this part of their speeds, which would grow and
/// grow where they stand, and go apart by that part of what is thinner.
#define STUCK 0.05
#define STUCK_SPEED 0.5
#define ESCAPE 0.1

/// Two bodies that have gone the same part of their ways, and go on to parts of their own.
static AbutGuardMotion guard_motion(const AbutBody* a, const AbutBody* b, double from, double to_a,
                                    double to_b)
{
    bool of_a = abut_pair_watched_by(a, b) == 0;
    AbutGuardMotion motion = { .guarded = of_a ? a : b, .other = of_a ? b : a };
    motion.starts[0] = abut_hold_way_pose(motion.guarded, from);
    motion.starts[1] = abut_hold_way_pose(motion.other, from);
    motion.motions[0] = abut_hold_way_motion(motion.guarded, from, of_a ? to_a : to_b);
    motion.motions[1] = abut_hold_way_motion(motion.other, from, of_a ? to_b : to_a);
    return motion;
}

/// Whether guards that are in the other solid at the start, by rounding, get out of it, and not at the other side. Tells the guard
/// that is deepest.
static bool get_out(const AbutGuardMotion* motion, double way, double thickness, uint32_t* deepest)
{
    const AbutPose* starts = motion->starts;
    AbutPose ends[2] = { abut_motion_pose(&starts[0], &motion->motions[0], 1.0f),
                         abut_motion_pose(&starts[1], &motion->motions[1], 1.0f) };
    uint32_t then;
    double before =
        abut_guards_clearance(motion->guarded, &starts[0], motion->other, &starts[1], INFINITY, deepest);
    double after = abut_guards_clearance(motion->guarded, &ends[0], motion->other, &ends[1], 0.0, &then);
    return before < -ROUNDED_IN * thickness || (after > before && way < ROUNDED_OUT * thickness);
}

/// How far guards have to stay away. Solids that come from afar stop where they touch. Those that touch may overlap a little, and when they do that
/// already, by a little more from round to round.
static double kept_distance(const AbutManifold* m, const AbutBody* guarded, double thickness)
{
    double touching = guarded->guard_depth, slack = SLACK * thickness;
    return m->clear > touching + slack ? touching : fmin(touching, (1.0 - CREEP) * m->clear);
}

/// The part of a motion that is free. Guards keep their distance from the other solid, or half of what they had at the start of the round.
static double free_part(AbutManifold* m, const AbutGuardMotion* motion, double way)
{
    double thickness = fmin(motion->guarded->inner, motion->other->inner), free = 0.0;
    bool inside = !(m->clear > 0.0);
    m->was_clear = m->was_clear || m->clear > motion->guarded->guard_depth - SLACK * thickness;
    uint32_t guard;
    // Solids that were put into each other may go where they like.
    if (!m->was_clear || (inside && get_out(motion, way, thickness, &guard)))
    {
        return 1.0;
    }
    if (!inside)
    {
        free = abut_guards_free(motion, kept_distance(m, motion->guarded, thickness), &guard);
    }
    if (free < 1.0)
    {
        m->blocked = true;
        m->margin = 0.0; // it does not hold: there is a contact to come
        abut_guards_describe(motion, guard, free, &m->guard, &m->guard_normal);
        abut_guards_note(m, m->guard, thickness / (double)motion->guarded->scale);
    }
    return free;
}

/// Whether two bodies keep their distance because they do not move that far.
static bool is_clear(const AbutManifold* m, const AbutBody* a, const AbutBody* b, double way)
{
    const AbutBody* guarded = abut_pair_watched_by(a, b) == 0 ? a : b;
    return way <= m->clear - kept_distance(m, guarded, fmin(a->inner, b->inner));
}

/// Finds out how far two bodies may go at once. False when they do not come near each other at all.
static bool look_at(AbutManifold* m, const AbutBody* a, const AbutBody* b, const AbutHoldWay* way_a,
                    const AbutHoldWay* way_b)
{
    double way = abut_hold_way_in_turns(way_a, way_b), both = abut_hold_way_common(way_a, way_b);
    if (is_clear(m, a, b, way))
    {
        return false;
    }
    if (!m->measured)
    {
        uint32_t nearest;
        AbutGuardMotion start = guard_motion(a, b, 0.0, 0.0, 0.0);
        m->clear =
            SURE * abut_guards_clearance(start.guarded, &start.starts[0], start.other, &start.starts[1],
                                         way + 4.0 * fmin(a->inner, b->inner), &nearest);
        m->measured = true;
        if (is_clear(m, a, b, way))
        {
            return false;
        }
    }
    if (m->meets < 0.0)
    {
        AbutGuardMotion together = guard_motion(a, b, 0.0, both, both);
        double free = free_part(m, &together, way);
        m->meets = free < 1.0 ? ABUT_HOLD_CARE * free * both : 1.0;
    }
    return true;
}

bool abut_hold_guards(AbutManifold* m, AbutBody* a, AbutBody* b, const AbutHoldWay* way_a,
                      const AbutHoldWay* way_b, double care)
{
    if (!look_at(m, a, b, way_a, way_b))
    {
        return false;
    }
    double way = abut_hold_way_in_turns(way_a, way_b), both = abut_hold_way_common(way_a, way_b);
    AbutBody* late = a->part > both && way_a->moves ? a : b;
    if (m->meets < both)
    {
        a->part = way_a->moves ? fmin(a->part, m->meets) : a->part;
        b->part = way_b->moves ? fmin(b->part, m->meets) : b->part;
        return true;
    }
    if (late->part <= both || !abut_body_moves(late) ||
        (m->checked[0] == a->part && m->checked[1] == b->part))
    {
        return false;
    }
    AbutGuardMotion alone = guard_motion(a, b, both, a->part, b->part);
    double free = free_part(m, &alone, way);
    late->part = free < 1.0 ? both + care * free * (late->part - both) : late->part;
    m->checked[0] = a->part;
    m->checked[1] = b->part;
    return free < 1.0;
}

static void push(AbutBody* body, const double arm[3], const double impulse[3], double sign)
{
    double turn[3];
    abut_cross(arm, impulse, turn);
    for (int i = 0; i < 3; ++i)
    {
        body->velocity[i] += sign * body->give[i] * impulse[i];
        body->spin[i] += sign * abut_dot(body->world_inverse[i], turn);
    }
}

/// An inelastic blow at a place, along the normal from B to A, where the two come nearer to each other. Returns how fast they did.
static double strike(AbutBody* a, AbutBody* b, const double place[3], const double normal[3])
{
    double arms[2][3], speed = 0.0, give = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody* body = side == 0 ? a : b;
        double turn[3], answer[3], moves[3];
        for (int i = 0; i < 3; ++i)
        {
            arms[side][i] = place[i] - body->position[i];
        }
        abut_cross(arms[side], normal, turn);
        abut_cross(body->spin, arms[side], moves);
        for (int i = 0; i < 3; ++i)
        {
            answer[i] = abut_dot(body->world_inverse[i], turn);
            give += body->give[i] * normal[i] * normal[i];
            speed += (side == 0 ? 1.0 : -1.0) * normal[i] * (body->velocity[i] + moves[i]);
        }
        give += abut_dot(turn, answer);
    }
    for (int side = 0; side < 2 && speed < 0.0 && give > 0.0; ++side)
    {
        const double impulse[3] = { -speed / give * normal[0], -speed / give * normal[1],
                                    -speed / give * normal[2] };
        push(side == 0 ? a : b, arms[side], impulse, side == 0 ? 1.0 : -1.0);
    }
    return fmax(-speed, 0.0);
}

/// The blow is over: the next substep does not begin with it.
static void forget_blow(const AbutWorld* world, const AbutManifold* m)
{
    AbutContactPoint* points = world->stores[world->current].points + m->first;
    for (uint32_t i = 0; i < m->count; ++i)
    {
        points[i].normal_impulse = points[i].tangent_impulse[0] = points[i].tangent_impulse[1] = 0.0;
    }
}

/// Takes the speed out with which a guard runs into the other solid: there may be no contact that does.
static void stop_guard(const AbutWorld* world, const AbutManifold* m)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool of_a = abut_pair_watched_by(a, b) == 0;
    AbutBody *guarded = of_a ? a : b, *other = of_a ? b : a;
    AbutPose pose = abut_body_pose(guarded), there = abut_body_pose(other);
    AbutPosition at = abut_pose_to_outer(&pose, m->guard);
    AbutVec3 inside = abut_pose_to_inner(&there, at), n = abut_quat_rotate(pose.rotation, m->guard_normal);
    double gap = (double)abut_shape_distance(other->shape, inside, NULL) * (double)other->scale;
    if (gap < REACHED * fmin(a->inner, b->inner))
    {
        const double place[3] = { at.x, at.y, at.z }, normal[3] = { n.x, n.y, n.z };
        double speed = strike(guarded, other, place, normal);
        if (speed > BLOW * (double)abut_vec3_length(world->def.gravity) * world->seconds)
        {
            a->struck = a->struck || abut_body_moves(a);
            b->struck = b->struck || abut_body_moves(b);
        }
    }
}

/// A stuck body forgets its way, and most of its speed.
static void stand(AbutBody* body)
{
    if (!body->stuck)
    {
        memcpy(body->position, body->start, sizeof(body->start));
        memcpy(body->rotation, body->start_turn, sizeof(body->start_turn));
        for (int i = 0; i < 3; ++i)
        {
            body->turned[i] = 0.0;
            body->velocity[i] *= STUCK_SPEED;
            body->spin[i] *= STUCK_SPEED;
        }
        abut_body_refresh(body);
        body->part = 1.0;
        body->stuck = true;
    }
}

/// Two bodies that are stuck in each other go apart instead, by a little, along the normal of the guard that is in the way.
static void part_stuck(const AbutWorld* world, const AbutManifold* m)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool of_a = abut_pair_watched_by(a, b) == 0, moves_a = abut_body_moves(a), moves_b = abut_body_moves(b);
    double give[2] = { moves_a ? a->inverse_mass : 0.0, moves_b ? b->inverse_mass : 0.0 };
    double by = ESCAPE * fmin(a->inner, b->inner) / (give[0] + give[1]);
    AbutPose pose = abut_hold_way_pose(of_a ? a : b, 0.0);
    AbutVec3 n = abut_quat_rotate(pose.rotation, m->guard_normal);
    const double normal[3] = { n.x, n.y, n.z };
    for (int side = 0; side < 2; ++side)
    {
        AbutBody* body = side == 0 ? a : b;
        double sign = (side == 0) == of_a ? 1.0 : -1.0;
        if (give[side] > 0.0)
        {
            stand(body);
            for (int i = 0; i < 3; ++i)
            {
                body->position[i] += body->give[i] > 0.0 ? sign * by * give[side] * normal[i] : 0.0;
            }
        }
    }
}

bool abut_hold_guards_part(AbutWorld* world)
{
    AbutContactStore* store = &world->stores[world->current];
    bool any = false;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        double thickness = fmin(world->bodies[m->a].inner, world->bodies[m->b].inner);
        if (m->blocked && m->meets < STUCK && m->clear < REACHED * thickness)
        {
            part_stuck(world, m);
            any = true;
        }
    }
    for (size_t i = 0; i < store->manifold_count && any; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (world->bodies[m->a].stuck || world->bodies[m->b].stuck)
        {
            abut_hold_guards_forget(m);
        }
    }
    return any;
}

/// Pairs of a task: most of them cost nothing, and few very much.
enum
{
    BLOCK = 4
};

static void look_at_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const AbutWorld* world = context;
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = (size_t)block * BLOCK; i < store->manifold_count && i < ((size_t)block + 1) * BLOCK; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        if ((abut_body_moves(a) || abut_body_moves(b)) && abut_pair_guarded_by(a, b) >= 0)
        {
            AbutHoldWay way_a = abut_hold_way_of(a), way_b = abut_hold_way_of(b);
            look_at(m, a, b, &way_a, &way_b);
        }
    }
}

void abut_hold_guards_look(AbutWorld* world)
{
    size_t count = world->stores[world->current].manifold_count;
    abut_parallel_for(&world->host, abut_block_count((uint32_t)count, BLOCK), look_at_block, world);
}

void abut_hold_guards_forget(AbutManifold* m)
{
    m->meets = m->checked[0] = m->checked[1] = -1.0;
}

void abut_hold_guards_begin(AbutWorld* world)
{
    AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        m->measured = m->blocked = false;
        abut_hold_guards_forget(m);
    }
}

/// What is left of the clearance of guards when bodies are where they go.
void abut_hold_guards_end(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (m->clear > 0.0)
        {
            AbutHoldWay a = abut_hold_way_of(&world->bodies[m->a]),
                        b = abut_hold_way_of(&world->bodies[m->b]);
            m->clear = fmax(0.0, m->clear - abut_hold_way_in_turns(&a, &b));
        }
    }
}

void abut_hold_guards_stop(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        if (store->manifolds[i].blocked)
        {
            stop_guard(world, &store->manifolds[i]);
        }
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        if (world->bodies[m->a].struck || world->bodies[m->b].struck)
        {
            forget_blow(world, m);
        }
    }
}
