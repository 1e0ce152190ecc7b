// Ways that lead into another solid from the start. A body that stands still whenever a guard of it would come nearer to anything hangs there for ever, when it
// is pressed from several sides: each way out leads a little into another one. So ways are turned aside first: the part of them that leads into what is in the
// way is taken out, as a blow takes it out of speeds. What is left is looked at again.
#include "dynamics/ccd/clamp.h"
#include "dynamics/ccd/core_points.h"
#include "math/dvec3.h"

#include <math.h>

/// Ways that end sooner than this part of them are turned aside.
#define SOON 0.05

/// One of the two bodies at a guard that is in the way.
typedef struct Side
{
    AbutBody* body;
    double sign; // of the normal that it is pushed along
    double arm[3], turn[3];
    double way; // along the normal
    double give;
} Side;

static Side side_of(AbutBody* body, double sign, const double place[3], const double normal[3])
{
    Side side = { .body = body, .sign = sign };
    double moves[3];
    for (int i = 0; i < 3; ++i)
    {
        side.arm[i] = place[i] - body->start[i];
    }
    abut_cross(body->turned, side.arm, moves);
    abut_cross(side.arm, normal, side.turn);
    for (int i = 0; i < 3; ++i)
    {
        side.way += normal[i] * (body->position[i] - body->start[i] + moves[i]);
        side.give += body->give[i] * normal[i] * normal[i] +
                     side.turn[i] * abut_dot(body->world_inverse[i], side.turn);
    }
    side.give = abut_body_moves(body) ? side.give : 0.0;
    return side;
}

static void turn_end(AbutBody* body, const double by[3])
{
    const double w[3] = { 0.5 * by[0], 0.5 * by[1], 0.5 * by[2] };
    double* q = body->rotation;
    double r[4] = { q[0] + w[0] * q[3] + w[1] * q[2] - w[2] * q[1],
                    q[1] + w[1] * q[3] + w[2] * q[0] - w[0] * q[2],
                    q[2] + w[2] * q[3] + w[0] * q[1] - w[1] * q[0],
                    q[3] - w[0] * q[0] - w[1] * q[1] - w[2] * q[2] };
    double size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int i = 0; i < 4; ++i)
    {
        q[i] = r[i] / size;
    }
}

/// Ends the way of a body elsewhere.
static void move_end(const AbutWorld* world, const Side* side, const double normal[3], double by)
{
    AbutBody* body = side->body;
    double turn[3];
    for (int i = 0; i < 3; ++i)
    {
        body->position[i] += side->sign * by * body->give[i] * normal[i];
        turn[i] = side->sign * by * abut_dot(body->world_inverse[i], side->turn);
    }
    turn_end(body, turn);
    abut_body_refresh(body);
    abut_hold_way_begin(world, body);
    body->slid = true;
}

static bool slide_pair(const AbutWorld* world, const AbutManifold* m)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool of_a = abut_pair_watched_by(a, b) == 0;
    AbutPose pose = abut_hold_way_pose(of_a ? a : b, 0.0);
    AbutPosition at = abut_pose_to_outer(&pose, m->guard);
    AbutVec3 n = abut_quat_rotate(pose.rotation, m->guard_normal);
    const double place[3] = { at.x, at.y, at.z }, normal[3] = { n.x, n.y, n.z };
    Side sides[2] = { side_of(of_a ? a : b, 1.0, place, normal), side_of(of_a ? b : a, -1.0, place, normal) };
    double closes = sides[1].way - sides[0].way, give = sides[0].give + sides[1].give;
    if (!(closes > 0.0) || !(give > 0.0))
    {
        return false;
    }
    for (int i = 0; i < 2; ++i)
    {
        if (sides[i].give > 0.0)
        {
            move_end(world, &sides[i], normal, closes / give);
        }
    }
    return true;
}

bool abut_hold_slide(AbutWorld* world)
{
    AbutContactStore* store = &world->stores[world->current];
    bool any = false;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].slid = false;
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        bool soon = m->blocked && m->meets >= 0.0 && m->meets < SOON;
        any = (soon && slide_pair(world, m)) || any;
    }
    for (size_t i = 0; i < store->manifold_count && any; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (world->bodies[m->a].slid || world->bodies[m->b].slid)
        {
            abut_hold_guards_forget(m);
        }
    }
    return any;
}
