// Kicks and ways that fit each other: a kick leads to a way, on which the springs have a kick of their own, and the two must be
// equal. Newton's method, for each island of bodies that may touch, as long as it takes there.
#include "dynamics/penalty/linear_solver.h"

#include "base/tasks.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    STALL_LIMIT = 6, // iterations without progress: what is left is rounding, or does not converge
    SHARE_LIMIT =
        6,    // iterations in which the damping follows what touches; then it stays, so that they converge
    LARGE = 8 // pairs of an island whose pushes are worth all workers
};

/// Of the speeds that a body has in the step: what kicks may be off.
#define GOOD_ENOUGH 1e-5
/// ... and what they may be off when nothing gets better any more, before the step is halved.
#define STILL_GOOD 1e-2
/// Steps of Newton's method are not shortened beyond.
#define SHORTEST_PART 0.125

/// An island while it is solved.
typedef struct Island
{
    AbutPenaltySystem system;
    double seconds;
    bool is_large;
} Island;

/// Speed that a body has by a twist, anywhere.
static double speed_of(const AbutBody* body, const double linear[3], const double angular[3])
{
    return abut_length(linear) + abut_length(angular) * (double)body->radius;
}

/// How far kicks are off.
typedef struct Misfit
{
    double worst; // largest part of a body's speed
    double size;  // energy of the difference, for comparing one try with another
} Misfit;

/// Adds up what the springs do on each body of the island, in `found`.
static void gather(const AbutPenaltySystem* self)
{
    AbutPenalty* penalty = self->world->penalty;
    for (uint32_t i = 0; i < self->count; ++i)
    {
        AbutPenaltyBody* extra = &penalty->bodies[self->bodies[i]];
        memset(extra->found, 0, sizeof(extra->found));
    }
    for (uint32_t i = 0; i < self->pair_count; ++i)
    {
        abut_penalty_gather(self->world, &penalty->pairs[self->pairs[i]]);
    }
}

/// Fills the residual.
static Misfit compare_kicks(const Island* island)
{
    const AbutPenaltySystem* self = &island->system;
    const AbutWorld* world = self->world;
    double fall = (double)abut_vec3_length(world->def.gravity) * island->seconds;
    Misfit misfit = { 0.0, 0.0 };
    for (uint32_t i = 0; i < self->count; ++i)
    {
        const AbutBody* body = &world->bodies[self->bodies[i]];
        const AbutPenaltyBody* extra = &world->penalty->bodies[self->bodies[i]];
        double *r = self->residual[i], linear[3], angular[3];
        for (int k = 0; k < 6; ++k)
        {
            r[k] = extra->found[k] - extra->kick[k];
        }
        abut_penalty_mask(body, r);
        for (int k = 0; k < 3; ++k)
        {
            linear[k] = body->give[k] * r[k];
            angular[k] = abut_dot(body->world_inverse[k], r + 3);
            misfit.size += linear[k] * r[k] + angular[k] * r[3 + k];
        }
        const AbutBody* end = &world->penalty->ends[self->bodies[i]];
        double usual =
            speed_of(body, body->velocity, body->spin) + speed_of(end, end->velocity, end->spin) + fall;
        misfit.worst = fmax(misfit.worst, speed_of(body, linear, angular) / fmax(usual, 1e-30));
    }
    return misfit;
}

/// kick += part · mass · x
static void correct(const AbutPenaltySystem* self, double part)
{
    for (uint32_t i = 0; i < self->count; ++i)
    {
        AbutVector6 change;
        double* kick = self->world->penalty->bodies[self->bodies[i]].kick;
        abut_penalty_multiply((const double(*)[6])self->mass[i], self->x[i], change);
        for (int k = 0; k < 6; ++k)
        {
            kick[k] += part * change[k];
        }
    }
}

static void push_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Island* island = context;
    abut_penalty_push(island->system.world, island->system.pairs[block], island->seconds);
}

/// What the springs make of the ways that the kicks lead to.
static Misfit look(Island* island)
{
    const AbutPenaltySystem* self = &island->system;
    if (island->is_large)
    {
        abut_parallel_for(&self->world->host, self->pair_count, push_block, island);
    }
    for (uint32_t i = 0; i < self->pair_count && !island->is_large; ++i)
    {
        push_block(island, i, 0);
    }
    gather(self);
    return compare_kicks(island);
}

static void move(const Island* island)
{
    const AbutPenaltySystem* self = &island->system;
    for (uint32_t i = 0; i < self->count; ++i)
    {
        abut_penalty_move(self->world, self->bodies[i], island->seconds);
    }
}

/// A step of Newton's method, shortened while it makes things worse.
static Misfit improve(Island* island, Misfit before)
{
    double part = 1.0;
    abut_penalty_solve_linear(&island->system);
    correct(&island->system, part);
    for (;;)
    {
        move(island);
        Misfit after = look(island);
        if (after.size < before.size || part <= SHORTEST_PART)
        {
            return after;
        }
        correct(&island->system, -0.5 * part);
        part *= 0.5;
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
    Misfit misfit = look(&island);
    double best = misfit.worst;
    int stalled = 0;
    uint32_t limit = world->def.penalty.iteration_limit;
    for (uint32_t i = 0; i < limit && misfit.worst > GOOD_ENOUGH && stalled < STALL_LIMIT; ++i)
    {
        if (i > 0 && i <= SHARE_LIMIT)
        {
            share(&island);
        }
        misfit = improve(&island, misfit);
        stalled = misfit.worst < 0.9 * best ? 0 : stalled + 1;
        best = fmin(best, misfit.worst);
    }
    of->is_unsettled = !(misfit.worst <= STILL_GOOD);
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
    AbutPenaltyIsland* island = &self->world->penalty->islands[block];
    if (island->pair_count < LARGE)
    {
        solve_island(self->world, island, self->seconds, false);
    }
}

/// Small islands beside each other, then large ones one after the other.
void abut_penalty_solve(AbutWorld* world, double seconds)
{
    AbutPenalty* penalty = world->penalty;
    SolveContext context = { world, seconds };
    abut_parallel_for(&world->host, (uint32_t)penalty->islands_count, solve_small, &context);
    penalty->is_unsettled = false;
    for (size_t i = 0; i < penalty->islands_count; ++i)
    {
        if (penalty->islands[i].pair_count >= LARGE)
        {
            solve_island(world, &penalty->islands[i], seconds, true);
        }
        penalty->is_unsettled = penalty->is_unsettled || penalty->islands[i].is_unsettled;
    }
}
