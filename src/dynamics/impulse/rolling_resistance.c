// Rolling resistance: a torque against the relative rotation of touching bodies. Round bodies would roll or
// rock forever without it.
#include "dynamics/impulse/rolling_resistance.h"

#include "math/dvec3.h"

#include <math.h>
#include <stdbool.h>

/// Loads of the contacts of a lane in the substep.
typedef struct Load
{
    double normal[3]; // sum of normal impulses
    double moment;    // sum of impulse times distance from the nearer moving centre of mass
} Load;

static double r_length(double r[3][ABUT_SOLVE_LANES], int lane)
{
    const double v[3] = { r[0][lane], r[1][lane], r[2][lane] };
    return abut_array3_length(v);
}

static Load load_of(const AbutSolveContext* context, const AbutWideConstraint* wide, int lane)
{
    Load load = { { 0.0, 0.0, 0.0 }, 0.0 };
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        double impulse = constraint->impulse[0][lane];
        if (!(impulse > 0.0))
        {
            continue;
        }
        double a = wide->moves_a[lane] != 0 ? r_length(constraint->r_a, lane) : INFINITY;
        double b = wide->moves_b[lane] != 0 ? r_length(constraint->r_b, lane) : INFINITY;
        load.moment += impulse * fmin(a, b);
        for (int i = 0; i < 3; ++i)
        {
            load.normal[i] += impulse * constraint->axis[0][i][lane];
        }
    }
    return load;
}

static void apply_angular_impulse(AbutSolveVelocity* velocity, const AbutSolveMass* mass,
                                  const double axis[3], double impulse)
{
    for (int i = 0; i < 3; ++i)
    {
        velocity->angular[i] += impulse * abut_array3_dot(mass->inverse_inertia[i], axis);
    }
}

/// Inverse inertia about an axis.
static double inverse_inertia_about(const AbutSolveMass* mass, const double axis[3])
{
    const double inverse_inertia_axis[3] = { abut_array3_dot(mass->inverse_inertia[0], axis),
                                             abut_array3_dot(mass->inverse_inertia[1], axis),
                                             abut_array3_dot(mass->inverse_inertia[2], axis) };
    return abut_array3_dot(axis, inverse_inertia_axis);
}

/// Rotation about the mean normal is no rolling: it is left to the friction of several contacts.
static void apply_resistance(const AbutSolveContext* context, const AbutWideConstraint* wide, int lane)
{
    AbutSolveVelocity *a = &context->velocities[wide->a[lane]], *b = &context->velocities[wide->b[lane]];
    const AbutSolveMass *mass_a = &context->masses[wide->a[lane]], *mass_b = &context->masses[wide->b[lane]];
    bool moves_a = wide->moves_a[lane] != 0, moves_b = wide->moves_b[lane] != 0;
    Load load = load_of(context, wide, lane);
    double squared = abut_array3_dot(load.normal, load.normal), axis[3], about = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        axis[i] = a->angular[i] - b->angular[i];
        about += axis[i] * load.normal[i];
    }
    for (int i = 0; i < 3 && squared > 0.0; ++i)
    {
        axis[i] -= about / squared * load.normal[i];
    }
    double rate = abut_array3_length(axis);
    for (int i = 0; i < 3 && rate > 0.0; ++i)
    {
        axis[i] /= rate;
    }
    double inverse_inertia_sum = (moves_a ? inverse_inertia_about(mass_a, axis) : 0.0) +
                                 (moves_b ? inverse_inertia_about(mass_b, axis) : 0.0);
    if (rate > 0.0 && inverse_inertia_sum > 0.0)
    {
        double impulse = fmin(rate / inverse_inertia_sum, wide->rolling_resistance[lane] * load.moment);
        apply_angular_impulse(a, mass_a, axis, moves_a ? -impulse : 0.0);
        apply_angular_impulse(b, mass_b, axis, moves_b ? impulse : 0.0);
    }
}

void abut_rolling_resistance_apply(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
        {
            if (context->wide_constraints[i].rolling_resistance[lane] > 0.0)
            {
                apply_resistance(context, &context->wide_constraints[i], lane);
            }
        }
    }
}
