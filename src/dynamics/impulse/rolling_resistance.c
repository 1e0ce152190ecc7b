// Rolling resistance: a torque against the relative rotation of touching bodies. Round bodies would roll or
// rock forever without it.
#include "dynamics/impulse/rolling_resistance.h"

#include "dynamics/impulse/contact_constraint.h"
#include "math/dvec3.h"

#include <math.h>
#include <stdbool.h>

/// Loads of the contacts of a lane in the substep.
typedef struct Load
{
    AbutDVec3 normal; // sum of normal impulses
    double moment;    // sum of impulse times distance from the nearer moving centre of mass
} Load;

static Load load_of(const AbutSolveContext* context, const AbutWideConstraint* wide, int lane)
{
    Load load = { abut_dvec3_zero(), 0.0 };
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        double impulse = constraint->impulse[0][lane];
        if (!(impulse > 0.0))
        {
            continue;
        }
        double a =
            wide->moves_a[lane] != 0 ? abut_dvec3_length(abut_solve_load(constraint->r_a, lane)) : INFINITY;
        double b =
            wide->moves_b[lane] != 0 ? abut_dvec3_length(abut_solve_load(constraint->r_b, lane)) : INFINITY;
        load.moment += impulse * fmin(a, b);
        load.normal = abut_dvec3_mul_add(load.normal, impulse, abut_solve_load(constraint->axis[0], lane));
    }
    return load;
}

/// Change of the angular velocity by a unit torque about an axis.
static AbutDVec3 angular_response(const AbutSolveMass* mass, AbutDVec3 axis)
{
    return abut_dvec3(abut_dvec3_dot(abut_dvec3_from_array(mass->inverse_inertia[0]), axis),
                      abut_dvec3_dot(abut_dvec3_from_array(mass->inverse_inertia[1]), axis),
                      abut_dvec3_dot(abut_dvec3_from_array(mass->inverse_inertia[2]), axis));
}

static void apply_angular_impulse(AbutSolveVelocity* velocity, AbutDVec3 response, double impulse)
{
    AbutDVec3 angular = abut_dvec3_from_array(velocity->angular);
    abut_dvec3_to_array(abut_dvec3_mul_add(angular, impulse, response), velocity->angular);
}

/// Rotation about the mean normal is no rolling: it is left to the friction of several contacts.
static void apply_resistance(const AbutSolveContext* context, const AbutWideConstraint* wide, int lane)
{
    AbutSolveVelocity *a = &context->velocities[wide->a[lane]], *b = &context->velocities[wide->b[lane]];
    bool moves_a = wide->moves_a[lane] != 0, moves_b = wide->moves_b[lane] != 0;
    Load load = load_of(context, wide, lane);
    AbutDVec3 rolling = abut_dvec3_sub(abut_dvec3_from_array(a->angular), abut_dvec3_from_array(b->angular));
    double squared = abut_dvec3_squared_length(load.normal),
           about = 0.0 + abut_dvec3_dot(rolling, load.normal);
    rolling = squared > 0.0 ? abut_dvec3_mul_sub(rolling, about / squared, load.normal) : rolling;
    double rate = abut_dvec3_length(rolling);
    AbutDVec3 axis = rate > 0.0 ? abut_dvec3_div(rolling, rate) : rolling;
    AbutDVec3 response_a = angular_response(&context->masses[wide->a[lane]], axis),
              response_b = angular_response(&context->masses[wide->b[lane]], axis);
    double inverse_inertia = (moves_a ? abut_dvec3_dot(axis, response_a) : 0.0) +
                             (moves_b ? abut_dvec3_dot(axis, response_b) : 0.0);
    if (rate > 0.0 && inverse_inertia > 0.0)
    {
        double impulse = fmin(rate / inverse_inertia, wide->rolling_resistance[lane] * load.moment);
        apply_angular_impulse(a, response_a, moves_a ? -impulse : 0.0);
        apply_angular_impulse(b, response_b, moves_b ? impulse : 0.0);
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
