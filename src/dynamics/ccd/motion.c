// Motions of bodies over a pass.
#include "dynamics/ccd/motion.h"

#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// |q − q₀| is 2 sin(φ/4) for the nearer of q and −q; points move by at most 2 sin(φ/2) times their distance
/// from the centre of mass.
static double rotation_travel_of(const AbutBody* body)
{
    double same = 0.0, other = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        double d = body->rotation[i] - body->start_rotation[i],
               s = body->rotation[i] + body->start_rotation[i];
        same += d * d;
        other += s * s;
    }
    double least = fmin(same, other);
    return least > 0.0 ? 2.0 * sqrt(least) * (double)body->radius : 0.0;
}

AbutCcdMotion abut_ccd_motion_of(const AbutBody* body)
{
    AbutCcdMotion motion = { .fraction = body->fraction,
                             .rotation_travel = rotation_travel_of(body),
                             .moves = abut_body_moves(body) };
    motion.is_kinematic = body->kind == ABUT_BODY_KINEMATIC;
    motion.is_at_rest = !motion.moves && !motion.is_kinematic;
    motion.radius = motion.is_at_rest ? 0.0 : (double)body->radius;
    for (int i = 0; i < 3; ++i)
    {
        motion.displacement[i] = body->position[i] - body->start[i];
        motion.predicted_displacement[i] = body->predicted_position[i] - body->start[i];
        motion.rotation_vector[i] = body->rotation_vector[i];
        motion.predicted_rotation_vector[i] = body->predicted_rotation_vector[i];
    }
    abut_body_matrix(body->start_rotation, motion.start);
    memcpy(motion.end, body->matrix, sizeof(motion.end));
    return motion;
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

/// The shorter rotation from start to end.
void abut_ccd_motion_set_rotation(AbutBody* body)
{
    const double *q = body->rotation, *p = body->start_rotation;
    // q conj(p)
    double v[3] = { -q[3] * p[0] + q[0] * p[3] - q[1] * p[2] + q[2] * p[1],
                    -q[3] * p[1] + q[1] * p[3] - q[2] * p[0] + q[0] * p[2],
                    -q[3] * p[2] + q[2] * p[3] - q[0] * p[1] + q[1] * p[0] };
    double w = q[3] * p[3] + q[0] * p[0] + q[1] * p[1] + q[2] * p[2], sine = length(v);
    double factor = sine > 0.0 ? 2.0 * angle_of(fmin(sine, 1.0), fmin(fabs(w), 1.0)) / sine : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        body->rotation_vector[i] = (w < 0.0 ? -factor : factor) * v[i];
    }
}

void abut_ccd_motion_begin(const AbutWorld* world, AbutBody* body)
{
    abut_ccd_motion_set_rotation(body);
    AbutCcdMotion motion = abut_ccd_motion_of(body);
    double most = body->travel + world->fall_distance + abut_pair_speculative_distance(world, body, body);
    double total = sqrt(abut_array3_dot(motion.displacement, motion.displacement)) + motion.rotation_travel;
    body->fraction = abut_body_moves(body) && total > most ? most / total : 1.0;
}

void abut_ccd_motion_at(const AbutBody* body, double fraction, double position[3], double rotation[4])
{
    abut_rotation_integrate(body->start_rotation, body->rotation_vector, fraction, rotation);
    for (int i = 0; i < 3; ++i)
    {
        position[i] = body->start[i] + fraction * (body->position[i] - body->start[i]);
    }
}

AbutPose abut_ccd_motion_pose(const AbutBody* body, double fraction)
{
    double position[3], rotation[4];
    abut_ccd_motion_at(body, fraction, position, rotation);
    return abut_body_pose_at(body, position, rotation);
}

double abut_ccd_motion_relative(const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    double offset[3];
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = a->fraction * a->displacement[i] - b->fraction * b->displacement[i];
    }
    return length(offset) + a->fraction * a->rotation_travel + b->fraction * b->rotation_travel;
}

/// Bound of the displacement of a point by the rotation from the predicted one: rotations differ by at most
/// the difference of their vectors.
static double rotation_travel_from_prediction(const AbutCcdMotion* motion)
{
    double offset[3];
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = motion->fraction * motion->rotation_vector[i] - motion->predicted_rotation_vector[i];
    }
    double angle = length(offset);
    return angle > 0.0 ? fmin(angle, 2.0) * motion->radius : 0.0;
}

double abut_ccd_motion_from_prediction(const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    double offset[3];
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = a->fraction * a->displacement[i] - a->predicted_displacement[i] -
                    (b->fraction * b->displacement[i] - b->predicted_displacement[i]);
    }
    return length(offset) + rotation_travel_from_prediction(a) + rotation_travel_from_prediction(b);
}

AbutMotion abut_ccd_motion_interval(const AbutBody* body, double from, double to)
{
    AbutMotion motion = abut_motion_none();
    double fraction = to - from, displacement[3];
    for (int i = 0; i < 3; ++i)
    {
        displacement[i] = fraction * (body->position[i] - body->start[i]);
    }
    motion.linear = abut_vec3((float)displacement[0], (float)displacement[1], (float)displacement[2]);
    motion.angular =
        abut_vec3((float)(fraction * body->rotation_vector[0]), (float)(fraction * body->rotation_vector[1]),
                  (float)(fraction * body->rotation_vector[2]));
    motion.center = abut_vec3((float)body->center[0], (float)body->center[1], (float)body->center[2]);
    return motion;
}

double abut_ccd_motion_common_fraction(const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    return a->is_at_rest ? b->fraction : b->is_at_rest ? a->fraction : fmin(a->fraction, b->fraction);
}

double abut_ccd_motion_sequential(const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    double common = abut_ccd_motion_common_fraction(a, b), offset[3];
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = a->displacement[i] - b->displacement[i];
    }
    return common * (length(offset) + a->rotation_travel + b->rotation_travel) +
           fabs(a->fraction - common) * (length(a->displacement) + a->rotation_travel) +
           fabs(b->fraction - common) *
               (length(b->displacement) + b->rotation_travel); // 0 for a body at rest
}
