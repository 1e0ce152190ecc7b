// Consistent impulses and motions: an impulse leads to a motion, over which the springs have an impulse of
// their own, and the two must be equal. Newton's method, for each island separately.
#include "dynamics/penalty/newton.h"

#include "base/tasks.h"
#include "dynamics/penalty/contact_law.h"
#include "dynamics/penalty/impulses.h"
#include "dynamics/penalty/linear_solver.h"
#include "dynamics/penalty/step.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    STALL_LIMIT = 6, // iterations without progress: rounding, or no convergence
    SHARE_LIMIT = 6, // iterations with an update of the damping; then it stays, for convergence
    LARGE = 8        // pairs of an island worth all workers
};

/// Residual of a solution, relative to the speed of a body.
#define CONVERGED 1e-5
/// Largest residual without further progress, before the substep is halved.
#define ACCEPTABLE 1e-2
/// Least fraction of a step of Newton's method.
#define MIN_FRACTION 0.125

/// An island in solution.
typedef struct Island
{
    AbutPenaltySystem system;
    double seconds;
    bool is_large;
} Island;

/// Bound of the speed of a point by a twist.
static double speed_of(const AbutBody* body, AbutDVec3 linear, AbutDVec3 angular)
{
    return abut_dvec3_length(linear) + abut_dvec3_length(angular) * (double)body->radius;
}

/// Norm of the residual.
typedef struct ResidualNorm
{
    double max_relative; // largest, relative to the speed of a body
    double size;         // energy norm, for the line search
} ResidualNorm;

/// Sums the spring impulses of each body of the island.
static void gather(const AbutPenaltySystem* self)
{
    AbutPenalty* penalty = abut_penalty(self->world);
    for (uint32_t i = 0; i < self->count; ++i)
    {
        AbutPenaltyBody* extra = &penalty->bodies[self->bodies[i]];
        memset(extra->spring_impulse, 0, sizeof(extra->spring_impulse));
    }
    for (uint32_t i = 0; i < self->pair_count; ++i)
    {
        abut_penalty_gather(self->world, &penalty->pairs[self->pairs[i]]);
    }
}

/// Fills the residual.
static ResidualNorm compute_residual(const Island* island)
{
    const AbutPenaltySystem* self = &island->system;
    const AbutWorld* world = self->world;
    double fall = (double)abut_vec3_length(world->def.gravity) * island->seconds;
    ResidualNorm norm = { 0.0, 0.0 };
    for (uint32_t i = 0; i < self->count; ++i)
    {
        const AbutBody* body = &world->bodies[self->bodies[i]];
        const AbutPenaltyBody* extra = &abut_penalty(world)->bodies[self->bodies[i]];
        double* r = self->residual[i];
        for (int k = 0; k < 6; ++k)
        {
            r[k] = extra->spring_impulse[k] - extra->impulse[k];
        }
        abut_penalty_mask(body, r);
        AbutDVec3 force = abut_dvec3_from_array(r), torque = abut_dvec3_from_array(r + 3);
        AbutDVec3 linear = abut_dvec3_mul(body->axis_inverse_mass, force);
        AbutDVec3 angular = abut_dmat3_transform(&body->world_inverse_inertia, torque);
        AbutDVec3 sizes = abut_dvec3_add(abut_dvec3_mul(linear, force), abut_dvec3_mul(angular, torque));
        norm.size = norm.size + sizes.x + sizes.y + sizes.z;
        const AbutBody* end = &abut_penalty(world)->ends[self->bodies[i]];
        double reference_speed = speed_of(body, body->velocity, body->angular_velocity) +
                                 speed_of(end, end->velocity, end->angular_velocity) + fall;
        norm.max_relative =
            fmax(norm.max_relative, speed_of(body, linear, angular) / fmax(reference_speed, 1e-30));
    }
    return norm;
}

/// impulse += fraction · mass · x
static void correct(const AbutPenaltySystem* self, double fraction)
{
    for (uint32_t i = 0; i < self->count; ++i)
    {
        AbutVector6 change;
        double* impulse = abut_penalty(self->world)->bodies[self->bodies[i]].impulse;
        abut_penalty_multiply((const double(*)[6])self->mass[i], self->x[i], change);
        for (int k = 0; k < 6; ++k)
        {
            impulse[k] += fraction * change[k];
        }
    }
}

static void integrate_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Island* island = context;
    abut_penalty_integrate_pair(island->system.world, island->system.pairs[block], island->seconds);
}

/// Residual of the motions of the present impulses.
static ResidualNorm evaluate(Island* island)
{
    const AbutPenaltySystem* self = &island->system;
    if (island->is_large)
    {
        abut_parallel_for(&self->world->host, self->pair_count, integrate_block, island);
    }
    for (uint32_t i = 0; i < self->pair_count && !island->is_large; ++i)
    {
        integrate_block(island, i, 0);
    }
    gather(self);
    return compute_residual(island);
}

static void move(const Island* island)
{
    const AbutPenaltySystem* self = &island->system;
    for (uint32_t i = 0; i < self->count; ++i)
    {
        abut_penalty_move_body(self->world, self->bodies[i], island->seconds);
    }
}

/// A step of Newton's method with a backtracking line search.
static ResidualNorm improve(Island* island, ResidualNorm before)
{
    double fraction = 1.0;
    abut_penalty_solve_linear(&island->system);
    correct(&island->system, fraction);
    for (;;)
    {
        move(island);
        ResidualNorm after = evaluate(island);
        if (after.size < before.size || fraction <= MIN_FRACTION)
        {
            return after;
        }
        correct(&island->system, -0.5 * fraction);
        fraction *= 0.5;
    }
}

static void share(const Island* island)
{
    for (uint32_t i = 0; i < island->system.pair_count; ++i)
    {
        abut_penalty_share(island->system.world, island->system.pairs[i], island->seconds);
    }
}

static void solve_island(AbutWorld* world, AbutPenaltyIsland* of, double seconds, bool is_large)
{
    Island island = { abut_penalty_system(world, of), seconds, is_large };
    share(&island);
    move(&island);
    ResidualNorm norm = evaluate(&island);
    double best = norm.max_relative;
    int stalled = 0;
    uint32_t limit = world->def.penalty.iteration_limit;
    for (uint32_t i = 0; i < limit && norm.max_relative > CONVERGED && stalled < STALL_LIMIT; ++i)
    {
        if (i > 0 && i <= SHARE_LIMIT)
        {
            share(&island);
        }
        norm = improve(&island, norm);
        stalled = norm.max_relative < 0.9 * best ? 0 : stalled + 1;
        best = fmin(best, norm.max_relative);
    }
    of->is_unconverged = !(norm.max_relative <= ACCEPTABLE);
}

typedef struct SolveContext
{
    AbutWorld* world;
    double seconds;
} SolveContext;

static void solve_small(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const SolveContext* self = context;
    AbutPenaltyIsland* island = &abut_penalty(self->world)->islands[block];
    if (island->pair_count < LARGE)
    {
        solve_island(self->world, island, self->seconds, false);
    }
}

/// Small islands in parallel, then large ones one after the other, each in parallel.
void abut_penalty_solve(AbutWorld* world, double seconds)
{
    AbutPenalty* penalty = abut_penalty(world);
    SolveContext context = { world, seconds };
    abut_parallel_for(&world->host, (uint32_t)penalty->islands_count, solve_small, &context);
    penalty->is_unconverged = false;
    for (size_t i = 0; i < penalty->islands_count; ++i)
    {
        if (penalty->islands[i].pair_count >= LARGE)
        {
            solve_island(world, &penalty->islands[i], seconds, true);
        }
        penalty->is_unconverged = penalty->is_unconverged || penalty->islands[i].is_unconverged;
    }
}
