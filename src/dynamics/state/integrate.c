// Time integration of bodies: symplectic Euler, exact under constant forces without contacts. Free rotation
// keeps the angular momentum to the last digits, whatever the step, and the energy to fourth order.
#include "dynamics/state/integrate.h"

#include "base/assert.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static void multiply(double m[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
}

static void multiply_transposed(double m[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = m[0][i] * v[0] + m[1][i] * v[1] + m[2][i] * v[2];
    }
}

/// Largest rotation of a substep, in radians.
#define MAX_ROTATION 50.0

static void limit(double v[3], double most)
{
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && !(size <= most); ++i)
    {
        v[i] = isfinite(size) ? v[i] * (most / size) : 0.0;
    }
}

void abut_body_limit_speed(AbutBody* body, double seconds)
{
    limit(body->velocity, ABUT_SPEED_LIMIT);
    limit(body->angular_velocity, MAX_ROTATION / seconds);
}

/// A body at the limit of coordinates stops there.
static void limit_position(AbutBody* body)
{
    for (int i = 0; i < 3; ++i)
    {
        if (fabs(body->position[i]) > ABUT_POSITION_LIMIT)
        {
            body->position[i] = copysign(ABUT_POSITION_LIMIT, body->position[i]);
            body->velocity[i] = 0.0;
        }
    }
}

static bool are_finite(const double* values, int count)
{
    double sum = 0.0; // 0 · ∞ and 0 · NaN are NaN
    for (int i = 0; i < count; ++i)
    {
        sum += 0.0 * values[i];
    }
    return sum == 0.0;
}

void abut_body_keep_finite(AbutBody* body)
{
    if (!are_finite(body->position, 3) || !are_finite(body->rotation, 4))
    {
        memcpy(body->position, body->start, sizeof(body->position));
        memcpy(body->rotation, body->start_rotation, sizeof(body->rotation));
        memset(body->velocity, 0, sizeof(body->velocity));
        memset(body->angular_velocity, 0, sizeof(body->angular_velocity));
        abut_body_refresh(body);
    }
    limit(body->velocity, ABUT_SPEED_LIMIT);
    limit(body->angular_velocity, ABUT_ANGULAR_SPEED_LIMIT);
}

void abut_body_integrate_velocity(AbutBody* body, AbutVec3 gravity, double seconds)
{
    const double g[3] = { gravity.x, gravity.y, gravity.z };
    double angular_acceleration[3];
    multiply(body->world_inverse_inertia, body->torque, angular_acceleration);
    for (int i = 0; i < 3; ++i)
    {
        double acceleration = body->axis_inverse_mass[i] > 0.0 ? g[i] : 0.0; // 0 for a locked axis
        body->velocity[i] += seconds * (acceleration + body->axis_inverse_mass[i] * body->force[i]);
        body->angular_velocity[i] += seconds * angular_acceleration[i];
    }
    abut_body_limit_speed(body, seconds);
}

static void normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i)
    {
        q[i] /= length;
    }
}

/// ½ ω q: the derivative of a rotation with the angular velocity ω, in the world's axes.
static void rate_of(const double angular_velocity[3], const double q[4], double out[4])
{
    double x = 0.5 * angular_velocity[0], y = 0.5 * angular_velocity[1], z = 0.5 * angular_velocity[2];
    out[0] = x * q[3] + y * q[2] - z * q[1];
    out[1] = y * q[3] + z * q[0] - x * q[2];
    out[2] = z * q[3] + x * q[1] - y * q[0];
    out[3] = -x * q[0] - y * q[1] - z * q[2];
}

/// Angular velocity of a body with the angular momentum `momentum` and the rotation `q`.
static void angular_velocity_of(const AbutBody* body, const double momentum[3], const double q[4],
                                double angular_velocity[3])
{
    double unit[4] = { q[0], q[1], q[2], q[3] }, r[3][3], local[3], product[3];
    normalize(unit);
    abut_body_matrix(unit, r);
    multiply_transposed(r, momentum, local);
    for (int i = 0; i < 3; ++i)
    {
        product[i] = body->inverse_inertia[i][0] * local[0] + body->inverse_inertia[i][1] * local[1] +
                     body->inverse_inertia[i][2] * local[2];
    }
    multiply(r, product, angular_velocity);
}

static void momentum_of(const AbutBody* body, double momentum[3])
{
    double r[3][3], local[3], product[3];
    abut_body_matrix(body->rotation, r);
    multiply_transposed(r, body->angular_velocity, local);
    for (int i = 0; i < 3; ++i)
    {
        product[i] =
            body->inertia[i][0] * local[0] + body->inertia[i][1] * local[1] + body->inertia[i][2] * local[2];
    }
    multiply(r, product, momentum);
}

/// A step of a free rotation (Runge and Kutta's fourth order for the rotation; the momentum is constant).
static void rotate_by_step(AbutBody* body, const double momentum[3], double seconds)
{
    double rates[4][4], q[4], angular_velocity[3];
    const double at[4] = { 0.0, 0.5, 0.5, 1.0 };
    for (int stage = 0; stage < 4; ++stage)
    {
        for (int i = 0; i < 4; ++i)
        {
            q[i] = body->rotation[i] + (stage > 0 ? at[stage] * seconds * rates[stage - 1][i] : 0.0);
        }
        angular_velocity_of(body, momentum, q, angular_velocity);
        rate_of(angular_velocity, q, rates[stage]);
    }
    for (int i = 0; i < 4; ++i)
    {
        body->rotation[i] +=
            seconds / 6.0 * (rates[0][i] + 2.0 * rates[1][i] + 2.0 * rates[2][i] + rates[3][i]);
    }
    normalize(body->rotation);
}

/// Largest rotation of such a step, in radians: its relative error is under 1e-7.
#define MAX_STEP_ANGLE 0.1

static void rotate_freely(AbutBody* body, double seconds)
{
    double momentum[3], *w = body->angular_velocity;
    double angle = seconds * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (angle == 0.0)
    {
        return;
    }
    ABUT_ASSERT(angle <= 1.001 * MAX_ROTATION);
    int step_count = 1 + (int)(angle / MAX_STEP_ANGLE); // bounded by MAX_ROTATION
    momentum_of(body, momentum);
    for (int i = 0; i < step_count; ++i)
    {
        rotate_by_step(body, momentum, seconds / step_count);
    }
    angular_velocity_of(body, momentum, body->rotation, body->angular_velocity);
}

/// Rotation at constant angular velocity, of any size.
static void rotate_by_velocity(AbutBody* body, double seconds)
{
    const double* w = body->angular_velocity;
    double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), s, c;
    if (rate > 0.0)
    {
        abut_sin_cos(0.5 * rate * seconds, &s, &c);
        double unit[3] = { 2.0 * w[0] / rate, 2.0 * w[1] / rate, 2.0 * w[2] / rate }, across[4];
        rate_of(unit, body->rotation, across);
        for (int i = 0; i < 4; ++i)
        {
            body->rotation[i] = c * body->rotation[i] + s * across[i];
        }
        normalize(body->rotation);
    }
}

void abut_body_integrate_position(AbutBody* body, AbutVec3 gravity, double seconds)
{
    const double g[3] = { gravity.x, gravity.y, gravity.z };
    if (body->kind == ABUT_BODY_DYNAMIC)
    {
        abut_body_limit_speed(body, seconds); // impulses since the integration of velocities
    }
    for (int i = 0; i < 3; ++i)
    {
        // Half of the velocity change by forces came too early: without contacts this is the exact parabola.
        double acceleration =
            body->axis_inverse_mass[i] > 0.0 ? g[i] + body->axis_inverse_mass[i] * body->force[i] : 0.0;
        double early = body->contact_free ? 0.5 * seconds * acceleration : 0.0;
        body->position[i] += seconds * (body->velocity[i] - early);
    }
    limit_position(body);
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
    double momentum[3], sum = 0.0;
    momentum_of(body, momentum);
    for (int i = 0; i < 3; ++i)
    {
        sum += 0.5 * body->velocity[i] * body->velocity[i] / body->inverse_mass +
               0.5 * momentum[i] * body->angular_velocity[i];
    }
    return sum;
}
