// Steps of the penalty response. A pass is a substep: prediction, contacts, solution and motion.
#include "dynamics/penalty/step.h"

#include "base/memory.h"
#include "dynamics/penalty/anchors.h"
#include "dynamics/penalty/candidates.h"
#include "dynamics/penalty/contact_law.h"
#include "dynamics/penalty/contacts.h"
#include "dynamics/penalty/impulses.h"
#include "dynamics/penalty/islands.h"
#include "dynamics/penalty/linear_solver.h"
#include "dynamics/penalty/newton.h"
#include "dynamics/penalty/penalty.h"
#include "dynamics/state/integrate.h"
#include "dynamics/state/motion_bounds.h"

#include <math.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Motions
// -----------------------------------------------------------------------------------------------------------

static AbutPenaltyFrame frame_of(const AbutBody* body)
{
    return (AbutPenaltyFrame){ body->position, abut_body_matrix(body->rotation) };
}

static AbutPenaltyFrame middle_frame(const AbutBody* from, const AbutBody* to)
{
    AbutDQuat p = from->rotation, q = to->rotation;
    double sign = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0.0 ? -1.0 : 1.0;
    AbutDQuat sum = abut_dquat(p.x + sign * q.x, p.y + sign * q.y, p.z + sign * q.z, p.w + sign * q.w);
    AbutDQuat middle = abut_dquat_div(sum, sqrt(abut_dquat_squared_length(sum)));
    return (AbutPenaltyFrame){ abut_dvec3_scale(abut_dvec3_add(from->position, to->position), 0.5),
                               abut_body_matrix(middle) };
}

/// A share of the impulses of a substep: contacts, gravity, applied forces.
static void apply_impulse(const AbutWorld* world, uint32_t index, AbutBody* body, double fraction,
                          double seconds)
{
    const AbutPenaltyBody* extra = &abut_penalty(world)->bodies[index];
    AbutDVec3 linear =
        abut_dvec3_add(abut_dvec3_from_array(extra->impulse), abut_dvec3_from_array(extra->sleep_impulse));
    AbutDVec3 angular = abut_dvec3_add(abut_dvec3_from_array(extra->impulse + 3),
                                       abut_dvec3_from_array(extra->sleep_impulse + 3));
    linear = abut_dvec3_scale(abut_dvec3_mul_add(linear, seconds, body->force), fraction);
    angular = abut_dvec3_scale(abut_dvec3_mul_add(angular, seconds, body->torque), fraction);
    AbutDVec3 m = body->axis_inverse_mass, g = abut_dvec3_from_vec3(world->def.gravity);
    AbutDVec3 fall = abut_dvec3_scale(g, fraction * seconds);
    body->velocity.x += (m.x > 0.0 ? fall.x : 0.0) + m.x * linear.x;
    body->velocity.y += (m.y > 0.0 ? fall.y : 0.0) + m.y * linear.y;
    body->velocity.z += (m.z > 0.0 ? fall.z : 0.0) + m.z * linear.z;
    body->angular_velocity =
        abut_dvec3_add(body->angular_velocity, abut_dmat3_transform(&body->world_inverse_inertia, angular));
    abut_body_limit_speed(body, seconds);
}

/// Shares of the impulse before and after the motion.
static void move_body(AbutWorld* world, uint32_t index, double seconds, double before, double after)
{
    AbutPenalty* penalty = abut_penalty(world);
    const AbutBody* body = &world->bodies[index];
    AbutBody* end = &penalty->ends[index];
    *end = *body;
    end->contact_free = false; // impulses hold all forces
    if (abut_body_is_alive(body) && abut_body_moves(body))
    {
        apply_impulse(world, index, end, before, seconds);
        abut_body_integrate_position(end, world->def.gravity, seconds);
        apply_impulse(world, index, end, after, seconds);
    }
    else if (abut_body_is_alive(body) && body->kind == ABUT_BODY_KINEMATIC)
    {
        abut_body_integrate_position(end, world->def.gravity, seconds);
    }
    penalty->bodies[index].end = frame_of(end);
    penalty->bodies[index].middle = middle_frame(body, end);
}

void abut_penalty_move_body(AbutWorld* world, uint32_t index, double seconds)
{
    move_body(world, index, seconds, 0.5, 0.5);
}

static void move_all(AbutWorld* world, double seconds, double before, double after)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        move_body(world, i, seconds, before, after);
    }
}

/// First guess: the contact forces of the last substep.
static void predict_impulses(AbutWorld* world, double seconds)
{
    AbutPenalty* penalty = abut_penalty(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutPenaltyBody* extra = &penalty->bodies[i];
        bool moves = abut_body_is_alive(&world->bodies[i]) && abut_body_moves(&world->bodies[i]);
        extra->start = frame_of(&world->bodies[i]);
        extra->woken = false;
        for (int k = 0; k < 6; ++k)
        {
            extra->impulse[k] = moves ? extra->force[k] * seconds : 0.0;
            extra->sleep_impulse[k] = extra->spring_impulse[k] = 0.0;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Substeps
// -----------------------------------------------------------------------------------------------------------

enum
{
    PASSES = 3, // forces change motions, and those the contacts
    HALVINGS = 3
};

static AbutResult find(AbutStepContext* step)
{
    abut_profiler_lap(&step->profiler, ABUT_PHASE_SOLVE);
    AbutResult result = abut_penalty_find_contacts(step->world);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_SEARCH);
    return result;
}

/// Bodies without contacts have no impulse.
static void release_others(AbutWorld* world, double seconds)
{
    AbutPenalty* penalty = abut_penalty(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        if (penalty->rows[i] == ABUT_PENALTY_NO_ROW)
        {
            memset(penalty->bodies[i].impulse, 0, sizeof(penalty->bodies[i].impulse));
            memset(penalty->bodies[i].spring_impulse, 0, sizeof(penalty->bodies[i].spring_impulse));
            abut_penalty_move_body(world, i, seconds);
        }
    }
}

/// Half of the impulse acts before the motion and half after it; impulse and motion are consistent.
static AbutResult step_balanced(AbutStepContext* step, bool may_halve)
{
    AbutWorld* world = step->world;
    double seconds = step->seconds;
    move_all(world, seconds, 0.5, 0.5);
    for (int pass = 0; pass < PASSES; ++pass)
    {
        AbutResult result = find(step);
        if (result == ABUT_OK)
        {
            abut_penalty_integrate(world, seconds);
            abut_penalty_wake(world, seconds);
            result = abut_penalty_find_islands(world);
        }
        if (result != ABUT_OK)
        {
            return result;
        }
        release_others(world, seconds);
        abut_penalty_solve(world, seconds);
        if ((abut_penalty(world)->is_unconverged && may_halve) || abut_penalty_is_collected(world))
        {
            break;
        }
    }
    return ABUT_OK;
}

/// Responses with the damping per point, and their sum.
static void integrate_shared(AbutWorld* world, double seconds)
{
    AbutPenalty* penalty = abut_penalty(world);
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        abut_penalty_share(world, i, seconds);
    }
    abut_penalty_integrate(world, seconds);
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        abut_penalty_gather(world, &penalty->pairs[i]);
    }
}

/// The impulse of the last substep acts before the motion; that of this one is for the next.
static AbutResult step_delayed(AbutStepContext* step)
{
    AbutWorld* world = step->world;
    double seconds = step->seconds;
    move_all(world, seconds, 1.0, 0.0);
    AbutResult result = find(step);
    if (result == ABUT_OK)
    {
        abut_penalty_integrate(world, seconds);
        abut_penalty_wake(world, seconds);
        integrate_shared(world, seconds);
    }
    return result;
}

static void apply_residual(const AbutPenaltyBody* extra, AbutBody* end)
{
    AbutDVec3 force =
        abut_dvec3_sub(abut_dvec3_from_array(extra->spring_impulse), abut_dvec3_from_array(extra->impulse));
    AbutDVec3 torque = abut_dvec3_sub(abut_dvec3_from_array(extra->spring_impulse + 3),
                                      abut_dvec3_from_array(extra->impulse + 3));
    AbutDVec3 w = end->angular_velocity;
    const double(*m)[3] = (const double(*)[3])end->world_inverse_inertia.m;
    end->velocity = abut_dvec3_add(end->velocity, abut_dvec3_mul(end->axis_inverse_mass, force));
    end->angular_velocity = abut_dvec3(w.x + m[0][0] * torque.x + m[0][1] * torque.y + m[0][2] * torque.z,
                                       w.y + m[1][0] * torque.x + m[1][1] * torque.y + m[1][2] * torque.z,
                                       w.z + m[2][0] * torque.x + m[2][1] * torque.y + m[2][2] * torque.z);
}

/// Bodies at their ends. Balanced: the residual of the iteration goes into the velocity, so that momentum is
/// conserved to the last digit.
static void commit_ends(AbutWorld* world, double seconds)
{
    AbutPenalty* penalty = abut_penalty(world);
    bool balanced = world->def.penalty.scheme == ABUT_PENALTY_BALANCED;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutPenaltyBody* extra = &penalty->bodies[i];
        AbutBody* end = &penalty->ends[i];
        bool moves = abut_body_is_alive(end) && abut_body_moves(end);
        if (moves && balanced)
        {
            apply_residual(extra, end);
        }
        if (moves)
        {
            abut_body_limit_speed(end, seconds);
        }
        for (int k = 0; k < 6 && moves; ++k)
        {
            extra->force[k] = (extra->spring_impulse[k] + extra->sleep_impulse[k]) / seconds;
        }
        end->start = world->bodies[i].start;
        end->asleep = world->bodies[i].asleep; // as changed by abut_penalty_wake()
        world->bodies[i] = *end;
    }
}

AbutResult abut_penalty_update_contacts(AbutStepContext* step)
{
    predict_impulses(step->world, step->seconds);
    AbutResult result = abut_penalty_make_pairs(step);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_PAIRS);
    step->profiler.profile.pass_count += 1;
    return result;
}

/// The ends of bodies after a substep, without moving them.
static AbutResult find_ends(AbutStepContext* step, bool may_halve)
{
    AbutResult result = step->world->def.penalty.scheme == ABUT_PENALTY_BALANCED
                            ? step_balanced(step, may_halve)
                            : step_delayed(step);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_SOLVE);
    return result;
}

static AbutResult commit(AbutStepContext* step)
{
    AbutWorld* world = step->world;
    AbutResult result = abut_penalty_reserve_anchors(world);
    if (result == ABUT_OK)
    {
        abut_penalty_check_stability(world, step->seconds);
        commit_ends(world, step->seconds);
        abut_penalty_store_anchors(world);
    }
    return result;
}

/// A substep without a consistent solution is halved, recursively.
static AbutResult substep(AbutStepContext* step, int halvings)
{
    AbutResult result = find_ends(step, halvings < HALVINGS);
    if (result != ABUT_OK || !abut_penalty(step->world)->is_unconverged || halvings == HALVINGS)
    {
        return result == ABUT_OK ? commit(step) : result;
    }
    double seconds = step->seconds;
    step->seconds = 0.5 * seconds;
    for (int half = 0; half < 2 && result == ABUT_OK; ++half)
    {
        result = abut_step_update_pairs(step);
        result = result == ABUT_OK ? abut_penalty_update_contacts(step) : result;
        result = result == ABUT_OK ? substep(step, halvings + 1) : result;
    }
    step->seconds = seconds;
    return result;
}

AbutResult abut_penalty_solve_pass(AbutStepContext* step)
{
    return substep(step, 0);
}

// -----------------------------------------------------------------------------------------------------------
// The step
// -----------------------------------------------------------------------------------------------------------

AbutResult abut_penalty_plan(AbutStepContext* step)
{
    AbutWorld* world = step->world;
    AbutPenalty* penalty = abut_penalty(world);
    step->substeps = step->pass_count = world->def.substep_count;
    step->seconds = step->total_seconds / (double)step->pass_count;
    if (!abut_penalty_reserve_bodies(world) || !ABUT_PENALTY_GROW(world, ends, world->body_count))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    penalty->records_count = 0;
    penalty->stiff_count = 0;
    penalty->is_unconverged = false;
    penalty->warning[0] = '\0';
    penalty->seconds = step->seconds;
    return abut_penalty_reserve_solver(world);
}

static double elastic_energy(const AbutPenalty* penalty)
{
    double energy = 0.0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        for (size_t k = 0; k < pair->response_count; ++k)
        {
            energy += penalty->responses[pair->first + k].energy;
        }
    }
    return energy;
}

AbutResult abut_penalty_finish(AbutStepContext* step)
{
    AbutPenalty* penalty = abut_penalty(step->world);
    penalty->energy = elastic_energy(penalty);
    AbutResult result = abut_penalty_store_manifolds(step);
    step->profiler.profile.substep_count = step->profiler.profile.pass_count;
    abut_profiler_lap(&step->profiler, ABUT_PHASE_SOLVE);
    return result;
}
