// Restitution. Speeds at the time of the touch are noted before contacts are solved, and what came in fast pushes once more after that.
#include "dynamics/impulse/contact_constraint.h"

#include <math.h>

static double along_normal(const AbutSolveSpeed* a, const AbutSolveSpeed* b, const AbutSolveRow* row,
                           int lane)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double turn_a = a->angular[j] * row->arm_a[k][lane] - a->angular[k] * row->arm_a[j][lane];
        double turn_b = b->angular[j] * row->arm_b[k][lane] - b->angular[k] * row->arm_b[j][lane];
        sum += row->axis[0][i][lane] * (a->linear[i] - b->linear[i] + turn_a - turn_b);
    }
    return sum;
}

/// Calls `visit` for lanes with restitution.
static void visit_lanes(const AbutSolveRun* run, uint32_t first, uint32_t end,
                        void (*visit)(const AbutSolveRun* run, const AbutSolveBundle* bundle, int lane))
{
    for (uint32_t i = first; i < end; ++i)
    {
        for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
        {
            if (run->bundles[i].restitution[lane] > 0.0)
            {
                visit(run, &run->bundles[i], lane);
            }
        }
    }
}

static void note_speed(const AbutSolveRun* run, const AbutSolveBundle* bundle, int lane)
{
    const AbutSolveSpeed *a = &run->speeds[bundle->a[lane]], *b = &run->speeds[bundle->b[lane]];
    for (uint32_t k = 0; k < bundle->count; ++k)
    {
        AbutSolveRow* row = &run->rows[bundle->first + k];
        row->approach[lane] = along_normal(a, b, row, lane);
    }
}

/// Before forces act.
void abut_bounce_note_speed(const AbutSolveRun* run, uint32_t first, uint32_t end)
{
    visit_lanes(run, first, end, note_speed);
}

static void note_approach(const AbutSolveRun* run, const AbutSolveBundle* bundle, int lane)
{
    const AbutSolveSpeed *a = &run->speeds[bundle->a[lane]], *b = &run->speeds[bundle->b[lane]];
    for (uint32_t k = 0; k < bundle->count; ++k)
    {
        AbutSolveRow* row = &run->rows[bundle->first + k];
        double before = row->approach[lane], after = along_normal(a, b, row, lane);
        double way = -0.5 * (before + after) / run->per_second, gap = fmax(row->gap[lane], 0.0);
        double part = way > gap ? gap / way : 1.0;
        double speed = before + part * (after - before);
        row->approach[lane] = speed < -run->slow ? fmin(speed / after, 1.0) : 0.0;
    }
}

/// And how much of the speed after that a contact has when it closes in this substep: a body that gave back the speed of the end of
/// the substep would gain energy by what it did not fall. 0 where it does not come in fast.
void abut_bounce_note_approach(const AbutSolveRun* run, uint32_t first, uint32_t end)
{
    visit_lanes(run, first, end, note_approach);
}

/// Along an axis of a row, to one of the two tables of speeds.
static void push(AbutSolveSpeed* speeds, const AbutSolveBundle* bundle, const AbutSolveRow* row, int axis,
                 int lane, double impulse)
{
    AbutSolveSpeed *a = &speeds[bundle->a[lane]], *b = &speeds[bundle->b[lane]];
    for (int i = 0; i < 3 && bundle->moves_a[lane] != 0; ++i)
    {
        a->linear[i] += bundle->give_a[i][lane] * row->axis[axis][i][lane] * impulse;
        a->angular[i] += row->answer_a[axis][i][lane] * impulse;
    }
    for (int i = 0; i < 3 && bundle->moves_b[lane] != 0; ++i)
    {
        b->linear[i] -= bundle->give_b[i][lane] * row->axis[axis][i][lane] * impulse;
        b->angular[i] -= row->answer_b[axis][i][lane] * impulse;
    }
}

static void give_back(const AbutSolveRun* run, const AbutSolveBundle* bundle, int lane)
{
    bool bounces = false;
    for (uint32_t k = 0; k < bundle->count; ++k)
    {
        const AbutSolveRow* row = &run->rows[bundle->first + k];
        bounces = bounces || (row->approach[lane] > 0.0 && row->impulse[0][lane] > 0.0);
    }
    for (uint32_t k = 0; k < bundle->count && bounces; ++k)
    {
        AbutSolveRow* row = &run->rows[bundle->first + k];
        double impulse = bundle->restitution[lane] * row->approach[lane] * row->impulse[0][lane];
        push(run->speeds, bundle, row, 0, lane, impulse);
        row->total[lane] += impulse;
        // The blow is over: the next substep does not begin with it.
        for (int axis = 0; axis < 3; ++axis)
        {
            row->impulse[axis][lane] = 0.0;
        }
    }
}

/// Contacts that came in fast push once more, with the part of their impulse that the materials give back (Poisson's restitution: it does
/// not ask which of many contacts has to have which speed, and gives no energy to two bodies that meet without friction).
void abut_bounce_give_back(const AbutSolveRun* run, uint32_t first, uint32_t end)
{
    visit_lanes(run, first, end, give_back);
}
