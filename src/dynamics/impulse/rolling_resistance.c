// Rolling resistance: a torque against bodies that turn against each other where they touch. What is round would roll or rock for ever without it.
#include "dynamics/impulse/contact_constraint.h"

#include "math/dvec3.h"

#include <math.h>
#include <stdbool.h>

/// What the contacts of a lane carry in the substep.
typedef struct Load
{
    double normal[3]; // their impulses, added up
    double leverage;  // their sizes, each times its distance from the nearer centre of mass that moves
} Load;

static double arm_length(double arm[3][ABUT_SOLVE_LANES], int lane)
{
    const double v[3] = { arm[0][lane], arm[1][lane], arm[2][lane] };
    return abut_length(v);
}

static Load load_of(const AbutSolveRun* run, const AbutSolveBundle* bundle, int lane)
{
    Load load = { { 0.0, 0.0, 0.0 }, 0.0 };
    for (uint32_t k = 0; k < bundle->count; ++k)
    {
        AbutSolveRow* row = &run->rows[bundle->first + k];
        double impulse = row->impulse[0][lane];
        if (!(impulse > 0.0))
        {
            continue;
        }
        double a = bundle->moves_a[lane] != 0 ? arm_length(row->arm_a, lane) : INFINITY;
        double b = bundle->moves_b[lane] != 0 ? arm_length(row->arm_b, lane) : INFINITY;
        load.leverage += impulse * fmin(a, b);
        for (int i = 0; i < 3; ++i)
        {
            load.normal[i] += impulse * row->axis[0][i][lane];
        }
    }
    return load;
}

static void turn(AbutSolveSpeed* speed, const AbutSolveMass* mass, const double axis[3], double impulse)
{
    for (int i = 0; i < 3; ++i)
    {
        speed->angular[i] += impulse * abut_dot(mass->inverse[i], axis);
    }
}

/// How fast a torque about an axis makes a body turn about it.
static double give_about(const AbutSolveMass* mass, const double axis[3])
{
    const double answer[3] = { abut_dot(mass->inverse[0], axis), abut_dot(mass->inverse[1], axis),
                               abut_dot(mass->inverse[2], axis) };
    return abut_dot(axis, answer);
}

/// Turning about the normal is no rolling: friction of contacts beside each other stops it.
static void resist(const AbutSolveRun* run, const AbutSolveBundle* bundle, int lane)
{
    AbutSolveSpeed *a = &run->speeds[bundle->a[lane]], *b = &run->speeds[bundle->b[lane]];
    const AbutSolveMass *mass_a = &run->masses[bundle->a[lane]], *mass_b = &run->masses[bundle->b[lane]];
    bool moves_a = bundle->moves_a[lane] != 0, moves_b = bundle->moves_b[lane] != 0;
    Load load = load_of(run, bundle, lane);
    double squared = abut_dot(load.normal, load.normal), axis[3], about = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        axis[i] = a->angular[i] - b->angular[i];
        about += axis[i] * load.normal[i];
    }
    for (int i = 0; i < 3 && squared > 0.0; ++i)
    {
        axis[i] -= about / squared * load.normal[i];
    }
    double rate = abut_length(axis);
    for (int i = 0; i < 3 && rate > 0.0; ++i)
    {
        axis[i] /= rate;
    }
    double give = (moves_a ? give_about(mass_a, axis) : 0.0) + (moves_b ? give_about(mass_b, axis) : 0.0);
    if (rate > 0.0 && give > 0.0)
    {
        double impulse = fmin(rate / give, bundle->rolling[lane] * load.leverage);
        turn(a, mass_a, axis, moves_a ? -impulse : 0.0);
        turn(b, mass_b, axis, moves_b ? impulse : 0.0);
    }
}

void abut_roll_resist(const AbutSolveRun* run, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
        {
            if (run->bundles[i].rolling[lane] > 0.0)
            {
                resist(run, &run->bundles[i], lane);
            }
        }
    }
}
