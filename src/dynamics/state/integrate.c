// Time integration of bodies: symplectic Euler, exact under constant forces without contacts. Free rotation
// keeps the angular momentum to the last digits, whatever the step, and the energy to fourth order.
#include "dynamics/state/integrate.h"

#include "base/assert.h"
#include "dynamics/state/world.h"
#include "math/rotation.h"

#include <math.h>

/// Largest rotation of a substep, in radians.
#define MAX_ROTATION 50.0

static AbutDVec3 limit(AbutDVec3 v, double most)
{
    double size = abut_dvec3_length(v);
    if (size <= most)
    {
        return v;
    }
    return isfinite(size) ? abut_dvec3_scale(v, most / size) : abut_dvec3_zero();
}

void abut_body_limit_speed(AbutBody* body, double seconds)
{
    body->velocity = limit(body->velocity, ABUT_SPEED_LIMIT);
    body->angular_velocity = limit(body->angular_velocity, MAX_ROTATION / seconds);
}

/// A body at the limit of coordinates stops there.
static void limit_axis(double* position, double* velocity)
{
    if (fabs(*position) > ABUT_POSITION_LIMIT)
    {
        *position = copysign(ABUT_POSITION_LIMIT, *position);
        *velocity = 0.0;
    }
}

static bool is_finite(AbutDQuat q)
{
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

void abut_body_keep_finite(AbutBody* body)
{
    if (!abut_dvec3_is_finite(body->position) || !is_finite(body->rotation))
    {
        body->position = body->start;
        body->rotation = body->start_rotation;
        body->velocity = body->angular_velocity = abut_dvec3_zero();
        abut_body_refresh(body);
    }
    body->velocity = limit(body->velocity, ABUT_SPEED_LIMIT);
    body->angular_velocity = limit(body->angular_velocity, ABUT_ANGULAR_SPEED_LIMIT);
}

void abut_world_keep_finite(AbutWorld* world)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && abut_body_moves(body))
        {
            abut_body_keep_finite(body);
        }
    }
}

AbutDVec3 abut_body_acceleration(const AbutBody* body, AbutVec3 gravity)
{
    AbutDVec3 free = body->axis_inverse_mass, force = body->force;
    return abut_dvec3(free.x > 0.0 ? (double)gravity.x + free.x * force.x : 0.0,
                      free.y > 0.0 ? (double)gravity.y + free.y * force.y : 0.0,
                      free.z > 0.0 ? (double)gravity.z + free.z * force.z : 0.0);
}

void abut_body_integrate_velocity(AbutBody* body, AbutVec3 gravity, double seconds)
{
    AbutDVec3 angular_acceleration = abut_dmat3_transform(&body->world_inverse_inertia, body->torque);
    body->velocity = abut_dvec3_mul_add(body->velocity, seconds, abut_body_acceleration(body, gravity));
    body->angular_velocity = abut_dvec3_mul_add(body->angular_velocity, seconds, angular_acceleration);
    abut_body_limit_speed(body, seconds);
}

static AbutDQuat normalize(AbutDQuat q)
{
    return abut_dquat_div(q, sqrt(abut_dquat_squared_length(q)));
}

/// ½ ω q: the derivative of a rotation with the angular velocity ω, in the world's axes.
static AbutDQuat rate_of(AbutDVec3 angular_velocity, AbutDQuat q)
{
    double x = 0.5 * angular_velocity.x, y = 0.5 * angular_velocity.y, z = 0.5 * angular_velocity.z;
    return abut_dquat(x * q.w + y * q.z - z * q.y, y * q.w + z * q.x - x * q.z, z * q.w + x * q.y - y * q.x,
                      -x * q.x - y * q.y - z * q.z);
}

/// a + s·b
static AbutDQuat mul_add(AbutDQuat a, double s, AbutDQuat b)
{
    return abut_dquat(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w);
}

/// Angular velocity of a body with the angular momentum `momentum` and the rotation `q`.
static AbutDVec3 angular_velocity_of(const AbutBody* body, AbutDVec3 momentum, AbutDQuat q)
{
    AbutDMat3 r = abut_body_matrix(normalize(q));
    AbutDVec3 local = abut_dmat3_transform_transposed(&r, momentum);
    return abut_dmat3_transform(&r, abut_dmat3_transform(&body->inverse_inertia, local));
}

static AbutDVec3 momentum_of(const AbutBody* body)
{
    AbutDMat3 r = abut_body_matrix(body->rotation);
    AbutDVec3 local = abut_dmat3_transform_transposed(&r, body->angular_velocity);
    return abut_dmat3_transform(&r, abut_dmat3_transform(&body->inertia, local));
}

/// A step of a free rotation (Runge and Kutta's fourth order for the rotation; the momentum is constant).
static void rotate_by_step(AbutBody* body, AbutDVec3 momentum, double seconds)
{
    AbutDQuat rates[4], q = body->rotation;
    const double at[4] = { 0.0, 0.5, 0.5, 1.0 };
    for (int stage = 0; stage < 4; ++stage)
    {
        AbutDQuat zero = abut_dquat(0.0, 0.0, 0.0, 0.0);
        AbutDQuat p = mul_add(q, stage > 0 ? at[stage] * seconds : 1.0, stage > 0 ? rates[stage - 1] : zero);
        rates[stage] = rate_of(angular_velocity_of(body, momentum, p), p);
    }
    AbutDQuat sum = mul_add(mul_add(mul_add(rates[0], 2.0, rates[1]), 2.0, rates[2]), 1.0, rates[3]);
    body->rotation = normalize(mul_add(q, seconds / 6.0, sum));
}

/// Largest rotation of such a step, in radians: its relative error is under 1e-7.
#define MAX_STEP_ANGLE 0.1

static void rotate_freely(AbutBody* body, double seconds)
{
    double angle = seconds * abut_dvec3_length(body->angular_velocity);
    if (angle == 0.0)
    {
        return;
    }
    ABUT_ASSERT(angle <= 1.001 * MAX_ROTATION);
    int step_count = 1 + (int)(angle / MAX_STEP_ANGLE);
    AbutDVec3 momentum = momentum_of(body);
    for (int i = 0; i < step_count; ++i)
    {
        rotate_by_step(body, momentum, seconds / step_count);
    }
    body->angular_velocity = angular_velocity_of(body, momentum, body->rotation);
}

/// Rotation at constant angular velocity, of any size.
static void rotate_by_velocity(AbutBody* body, double seconds)
{
    AbutDVec3 w = body->angular_velocity;
    double rate = abut_dvec3_length(w), s, c;
    if (rate > 0.0)
    {
        abut_sin_cos(0.5 * rate * seconds, &s, &c);
        AbutDVec3 unit = abut_dvec3(2.0 * w.x / rate, 2.0 * w.y / rate, 2.0 * w.z / rate);
        AbutDQuat q = body->rotation, across = rate_of(unit, q);
        body->rotation = normalize(mul_add(abut_dquat(c * q.x, c * q.y, c * q.z, c * q.w), s, across));
    }
}

void abut_body_integrate_position(AbutBody* body, AbutVec3 gravity, double seconds)
{
    if (body->kind == ABUT_BODY_DYNAMIC)
    {
        abut_body_limit_speed(body, seconds); // impulses since the integration of velocities
    }
    // Half of the velocity change by forces came too early: without contacts this is the exact parabola.
    AbutDVec3 velocity = body->velocity;
    if (body->contact_free)
    {
        velocity = abut_dvec3_mul_sub(velocity, 0.5 * seconds, abut_body_acceleration(body, gravity));
    }
    body->position = abut_dvec3_mul_add(body->position, seconds, velocity);
    limit_axis(&body->position.x, &body->velocity.x);
    limit_axis(&body->position.y, &body->velocity.y);
    limit_axis(&body->position.z, &body->velocity.z);
    // Locked axes take torques, so that a body with locked axes keeps its angular velocity, not its momentum.
    if (body->kind == ABUT_BODY_DYNAMIC && (body->locked & ABUT_LOCK_ANGULAR) == 0)
    {
        rotate_freely(body, seconds);
    }
    else
    {
        rotate_by_velocity(body, seconds);
    }
    abut_body_refresh(body);
}

double abut_body_energy(const AbutBody* body)
{
    if (body->kind != ABUT_BODY_DYNAMIC)
    {
        return 0.0;
    }
    AbutDVec3 v = body->velocity, w = body->angular_velocity, m = momentum_of(body);
    double inverse_mass = body->inverse_mass;
    return 0.0 + (0.5 * v.x * v.x / inverse_mass + 0.5 * m.x * w.x) +
           (0.5 * v.y * v.y / inverse_mass + 0.5 * m.y * w.y) +
           (0.5 * v.z * v.z / inverse_mass + 0.5 * m.z * w.z);
}
