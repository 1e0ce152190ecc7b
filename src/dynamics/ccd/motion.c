// Motions of bodies over a pass.
#include "dynamics/ccd/motion.h"

#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"
#include "math/rotation.h"

#include <math.h>

/// |q − q₀| is 2 sin(φ/4) for the nearer of q and −q; points move by at most 2 sin(φ/2) times their distance
/// from the centre of mass.
static double rotation_travel_of(const AbutBody* body)
{
    AbutDQuat q = body->rotation, p = body->start_rotation;
    double same = abut_dquat_squared_length(abut_dquat(q.x - p.x, q.y - p.y, q.z - p.z, q.w - p.w));
    double opposite = abut_dquat_squared_length(abut_dquat(q.x + p.x, q.y + p.y, q.z + p.z, q.w + p.w));
    double least = fmin(same, opposite);
    return least > 0.0 ? 2.0 * sqrt(least) * (double)body->radius : 0.0;
}

AbutCcdMotion abut_ccd_motion_of(const AbutBody* body)
{
    AbutCcdMotion motion = { .displacement = abut_dvec3_sub(body->position, body->start),
                             .rotation_travel = rotation_travel_of(body),
                             .start = abut_body_matrix(body->start_rotation),
                             .end = body->matrix,
                             .rotation_vector = body->rotation_vector,
                             .predicted_displacement = abut_dvec3_sub(body->predicted_position, body->start),
                             .predicted_rotation_vector = body->predicted_rotation_vector,
                             .fraction = body->fraction,
                             .moves = abut_body_moves(body) };
    motion.is_kinematic = body->kind == ABUT_BODY_KINEMATIC;
    motion.is_at_rest = !motion.moves && !motion.is_kinematic;
    motion.radius = motion.is_at_rest ? 0.0 : (double)body->radius;
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
    AbutDQuat q = body->rotation, p = body->start_rotation;
    // q conj(p); the order of terms differs from abut_dquat_multiply()
    AbutDVec3 v = abut_dvec3(-q.w * p.x + q.x * p.w - q.y * p.z + q.z * p.y, // x
                             -q.w * p.y + q.y * p.w - q.z * p.x + q.x * p.z, // y
                             -q.w * p.z + q.z * p.w - q.x * p.y + q.y * p.x);
    double w = q.w * p.w + q.x * p.x + q.y * p.y + q.z * p.z, sine = abut_dvec3_length(v);
    double factor = sine > 0.0 ? 2.0 * angle_of(fmin(sine, 1.0), fmin(fabs(w), 1.0)) / sine : 0.0;
    body->rotation_vector = abut_dvec3_scale(v, w < 0.0 ? -factor : factor);
}

void abut_ccd_motion_begin(const AbutStepContext* step, AbutBody* body)
{
    abut_ccd_motion_set_rotation(body);
    AbutCcdMotion motion = abut_ccd_motion_of(body);
    double most =
        body->travel + step->fall_distance + abut_pair_speculative_distance(step->world, body, body);
    double total = abut_dvec3_length(motion.displacement) + motion.rotation_travel;
    body->pass_travel = total;
    body->fraction = abut_body_moves(body) && total > most ? most / total : 1.0;
}

void abut_ccd_motion_at(const AbutBody* body, double fraction, AbutDVec3* position, AbutDQuat* rotation)
{
    *rotation = abut_dquat_integrate(body->start_rotation, body->rotation_vector, fraction);
    *position = abut_dvec3_lerp(body->start, body->position, fraction);
}

AbutPose abut_ccd_motion_pose(const AbutBody* body, double fraction)
{
    AbutDVec3 position;
    AbutDQuat rotation;
    abut_ccd_motion_at(body, fraction, &position, &rotation);
    return abut_body_pose_at(body, position, rotation);
}

double abut_ccd_motion_relative(const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    double distance = abut_dvec3_distance(abut_dvec3_scale(a->displacement, a->fraction),
                                          abut_dvec3_scale(b->displacement, b->fraction));
    return distance + a->fraction * a->rotation_travel + b->fraction * b->rotation_travel;
}

/// Bound of the displacement of a point by the rotation from the predicted one: rotations differ by at most
/// the difference of their vectors.
static double rotation_travel_from_prediction(const AbutCcdMotion* motion)
{
    double angle = abut_dvec3_distance(abut_dvec3_scale(motion->rotation_vector, motion->fraction),
                                       motion->predicted_rotation_vector);
    return angle > 0.0 ? fmin(angle, 2.0) * motion->radius : 0.0;
}

/// Displacement from the predicted position.
static AbutDVec3 from_prediction(const AbutCcdMotion* motion)
{
    return abut_dvec3_sub(abut_dvec3_scale(motion->displacement, motion->fraction),
                          motion->predicted_displacement);
}

double abut_ccd_motion_from_prediction(const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    return abut_dvec3_distance(from_prediction(a), from_prediction(b)) + rotation_travel_from_prediction(a) +
           rotation_travel_from_prediction(b);
}

AbutMotion abut_ccd_motion_interval(const AbutBody* body, double from, double to)
{
    AbutMotion motion = abut_motion_none();
    AbutDVec3 displacement = abut_dvec3_sub(body->position, body->start);
    motion.linear = abut_dvec3_to_vec3(abut_dvec3_scale(displacement, to - from));
    motion.angular = abut_dvec3_to_vec3(abut_dvec3_scale(body->rotation_vector, to - from));
    motion.center = abut_dvec3_to_vec3(body->center);
    return motion;
}

double abut_ccd_motion_common_fraction(const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    return a->is_at_rest ? b->fraction : b->is_at_rest ? a->fraction : fmin(a->fraction, b->fraction);
}

double abut_ccd_motion_sequential(const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    double common = abut_ccd_motion_common_fraction(a, b);
    double together = abut_dvec3_distance(a->displacement, b->displacement);
    return common * (together + a->rotation_travel + b->rotation_travel) +
           fabs(a->fraction - common) * (abut_dvec3_length(a->displacement) + a->rotation_travel) +
           fabs(b->fraction - common) * (abut_dvec3_length(b->displacement) + b->rotation_travel);
}
