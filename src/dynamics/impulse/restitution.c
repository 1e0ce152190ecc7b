// Restitution: approach velocities are recorded before contacts are solved; fast contacts get a second
// impulse after that.
#include "dynamics/impulse/restitution.h"

#include "dynamics/impulse/contact_constraint.h"

#include <math.h>
#include <stdbool.h>

static double normal_velocity(const AbutSolveVelocity* a, const AbutSolveVelocity* b,
                              const AbutContactConstraint* constraint, int lane)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double w_cross_r_a =
            a->angular[j] * constraint->r_a[k][lane] - a->angular[k] * constraint->r_a[j][lane];
        double w_cross_r_b =
            b->angular[j] * constraint->r_b[k][lane] - b->angular[k] * constraint->r_b[j][lane];
        sum += constraint->axis[0][i][lane] * (a->linear[i] - b->linear[i] + w_cross_r_a - w_cross_r_b);
    }
    return sum;
}

/// Calls `visit` for lanes with restitution.
static void visit_lanes(const AbutSolveContext* context, uint32_t first, uint32_t end,
                        void (*visit)(const AbutSolveContext* context, const AbutWideConstraint* wide,
                                      int lane))
{
    for (uint32_t i = first; i < end; ++i)
    {
        for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
        {
            if (context->wide_constraints[i].restitution[lane] > 0.0)
            {
                visit(context, &context->wide_constraints[i], lane);
            }
        }
    }
}

static void record_velocity(const AbutSolveContext* context, const AbutWideConstraint* wide, int lane)
{
    const AbutSolveVelocity *a = &context->velocities[wide->a[lane]],
                            *b = &context->velocities[wide->b[lane]];
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        constraint->approach[lane] = normal_velocity(a, b, constraint, lane);
    }
}

void abut_restitution_record_velocity(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    visit_lanes(context, first, end, record_velocity);
}

static void record_approach(const AbutSolveContext* context, const AbutWideConstraint* wide, int lane)
{
    const AbutSolveVelocity *a = &context->velocities[wide->a[lane]],
                            *b = &context->velocities[wide->b[lane]];
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        double before = constraint->approach[lane], after = normal_velocity(a, b, constraint, lane);
        double distance = -0.5 * (before + after) / context->per_second,
               gap = fmax(constraint->gap[lane], 0.0);
        double fraction = distance > gap ? gap / distance : 1.0;
        double speed = before + fraction * (after - before);
        constraint->approach[lane] = speed < -context->slow ? fmin(speed / after, 1.0) : 0.0;
    }
}

void abut_restitution_record_approach(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    visit_lanes(context, first, end, record_approach);
}

/// An impulse along an axis of a contact constraint.
static void apply_impulse(AbutSolveVelocity* velocities, const AbutWideConstraint* wide,
                          const AbutContactConstraint* constraint, int axis, int lane, double impulse)
{
    AbutSolveVelocity *a = &velocities[wide->a[lane]], *b = &velocities[wide->b[lane]];
    for (int i = 0; i < 3 && wide->moves_a[lane] != 0; ++i)
    {
        a->linear[i] += wide->inverse_mass_a[i][lane] * constraint->axis[axis][i][lane] * impulse;
        a->angular[i] += constraint->inv_inertia_rn_a[axis][i][lane] * impulse;
    }
    for (int i = 0; i < 3 && wide->moves_b[lane] != 0; ++i)
    {
        b->linear[i] -= wide->inverse_mass_b[i][lane] * constraint->axis[axis][i][lane] * impulse;
        b->angular[i] -= constraint->inv_inertia_rn_b[axis][i][lane] * impulse;
    }
}

static void apply_restitution(const AbutSolveContext* context, const AbutWideConstraint* wide, int lane)
{
    bool is_active = false;
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        const AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        is_active = is_active || (constraint->approach[lane] > 0.0 && constraint->impulse[0][lane] > 0.0);
    }
    for (uint32_t k = 0; k < wide->count && is_active; ++k)
    {
        AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        double impulse = wide->restitution[lane] * constraint->approach[lane] * constraint->impulse[0][lane];
        apply_impulse(context->velocities, wide, constraint, 0, lane, impulse);
        constraint->total_impulse[lane] += impulse;
        // The impact is over: no warm start from its impulse.
        abut_solve_store(abut_dvec3_zero(), constraint->impulse, lane);
    }
}

void abut_restitution_apply(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    visit_lanes(context, first, end, apply_restitution);
}
