// Ways of bodies in a round.
#include "dynamics/ccd/clamp.h"
#include "math/dvec3.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// |q − q₀| is 2 sin(φ/4) for the nearer of q and −q; points move by at most 2 sin(φ/2) of their distance from the centre.
static double turn_way(const AbutBody* body)
{
    double same = 0.0, other = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        double d = body->rotation[i] - body->start_turn[i], s = body->rotation[i] + body->start_turn[i];
        same += d * d;
        other += s * s;
    }
    double least = fmin(same, other);
    return least > 0.0 ? 2.0 * sqrt(least) * (double)body->radius : 0.0;
}

AbutHoldWay abut_hold_way_of(const AbutBody* body)
{
    AbutHoldWay way = { .part = body->part, .turn = turn_way(body), .moves = abut_body_moves(body) };
    way.leads = body->kind == ABUT_BODY_KINEMATIC;
    way.stands = !way.moves && !way.leads;
    way.radius = way.stands ? 0.0 : (double)body->radius;
    for (int i = 0; i < 3; ++i)
    {
        way.center[i] = body->position[i] - body->start[i];
        way.ahead[i] = body->ahead[i] - body->start[i];
        way.turned[i] = body->turned[i];
        way.ahead_spin[i] = body->ahead_spin[i];
    }
    abut_body_matrix(body->start_turn, way.start);
    memcpy(way.end, body->matrix, sizeof(way.end));
    return way;
}

/// The angle from 0 to π/2 of a sine and a cosine, with the same bits everywhere.
static double angle_of(double sine, double cosine)
{
    bool steep = sine > cosine;
    double target = steep ? cosine : sine, x = target, s, c;
    for (int i = 0; i < 5; ++i) // Newton's method: twice as many digits each time
    {
        abut_sin_cos(x, &s, &c);
        x -= (s - target) / c;
    }
    return steep ? 1.5707963267948966 - x : x;
}

/// The rotation vector from start to end, the shorter way.
void abut_hold_way_prepare(AbutBody* body)
{
    const double *q = body->rotation, *p = body->start_turn;
    // q conj(p)
    double v[3] = { -q[3] * p[0] + q[0] * p[3] - q[1] * p[2] + q[2] * p[1],
                    -q[3] * p[1] + q[1] * p[3] - q[2] * p[0] + q[0] * p[2],
                    -q[3] * p[2] + q[2] * p[3] - q[0] * p[1] + q[1] * p[0] };
    double w = q[3] * p[3] + q[0] * p[0] + q[1] * p[1] + q[2] * p[2], sine = length(v);
    double factor = sine > 0.0 ? 2.0 * angle_of(fmin(sine, 1.0), fmin(fabs(w), 1.0)) / sine : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        body->turned[i] = (w < 0.0 ? -factor : factor) * v[i];
    }
}

void abut_hold_way_begin(const AbutWorld* world, AbutBody* body)
{
    abut_hold_way_prepare(body);
    AbutHoldWay way = abut_hold_way_of(body);
    double most = body->travel + world->fall + abut_pair_rest_margin(world, body, body);
    double total = sqrt(abut_dot(way.center, way.center)) + way.turn;
    body->part = abut_body_moves(body) && total > most ? most / total : 1.0;
}

/// Where a body is after a part of its way: its centre goes straight, and it turns evenly.
void abut_hold_way_place(const AbutBody* body, double part, double position[3], double rotation[4])
{
    abut_turn_by(body->start_turn, body->turned, part, rotation);
    for (int i = 0; i < 3; ++i)
    {
        position[i] = body->start[i] + part * (body->position[i] - body->start[i]);
    }
}

AbutPose abut_hold_way_pose(const AbutBody* body, double part)
{
    double position[3], rotation[4];
    abut_hold_way_place(body, part, position, rotation);
    return abut_body_pose_at(body, position, rotation);
}

/// How far points of two bodies may move against each other.
double abut_hold_way_between(const AbutHoldWay* a, const AbutHoldWay* b)
{
    double apart[3];
    for (int i = 0; i < 3; ++i)
    {
        apart[i] = a->part * a->center[i] - b->part * b->center[i];
    }
    return length(apart) + a->part * a->turn + b->part * b->turn;
}

/// How far a body's turn is from the one where contacts were looked for: rotations are no further apart than their vectors.
static double turn_from_look(const AbutHoldWay* way)
{
    double apart[3];
    for (int i = 0; i < 3; ++i)
    {
        apart[i] = way->part * way->turned[i] - way->ahead_spin[i];
    }
    double angle = length(apart);
    return angle > 0.0 ? fmin(angle, 2.0) * way->radius : 0.0;
}

double abut_hold_way_from_look(const AbutHoldWay* a, const AbutHoldWay* b)
{
    double apart[3];
    for (int i = 0; i < 3; ++i)
    {
        apart[i] = a->part * a->center[i] - a->ahead[i] - (b->part * b->center[i] - b->ahead[i]);
    }
    return length(apart) + turn_from_look(a) + turn_from_look(b);
}

/// A body from one part of its way to another.
AbutMotion abut_hold_way_motion(const AbutBody* body, double from, double to)
{
    AbutMotion motion = abut_motion_none();
    double part = to - from, way[3];
    for (int i = 0; i < 3; ++i)
    {
        way[i] = part * (body->position[i] - body->start[i]);
    }
    motion.linear = abut_vec3((float)way[0], (float)way[1], (float)way[2]);
    motion.angular = abut_vec3((float)(part * body->turned[0]), (float)(part * body->turned[1]),
                               (float)(part * body->turned[2]));
    motion.center = abut_vec3((float)body->center[0], (float)body->center[1], (float)body->center[2]);
    return motion;
}

/// The part of their ways that both go: one that stands goes along with any.
double abut_hold_way_common(const AbutHoldWay* a, const AbutHoldWay* b)
{
    return a->stands ? b->part : b->stands ? a->part : fmin(a->part, b->part);
}

/// The way of points of two bodies against each other, when the one that goes further goes on alone at the end.
double abut_hold_way_in_turns(const AbutHoldWay* a, const AbutHoldWay* b)
{
    double both = abut_hold_way_common(a, b), apart[3];
    for (int i = 0; i < 3; ++i)
    {
        apart[i] = a->center[i] - b->center[i];
    }
    return both * (length(apart) + a->turn + b->turn) + fabs(a->part - both) * (length(a->center) + a->turn) +
           fabs(b->part - both) * (length(b->center) + b->turn); // those that stand have no way
}
