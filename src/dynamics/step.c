// A step of the world.
#include "base/fp_env.h"
#include "base/memory.h"
#include "dynamics/ccd/clamp.h"
#include "dynamics/contacts/manifolds.h"
#include "dynamics/depth.h"
#include "dynamics/events.h"
#include "dynamics/find_contacts.h"
#include "dynamics/impulse/contact_constraint.h"
#include "dynamics/impulse/graph_coloring.h"
#include "dynamics/impulse/solver.h"
#include "dynamics/penalty/anchors.h"
#include "dynamics/penalty/penalty.h"
#include "dynamics/state/integrate.h"
#include "dynamics/state/islands.h"
#include "dynamics/state/motion_bounds.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/wall_clock.h"
#include "dynamics/state/world.h"

#include <math.h>
#include <string.h>

/// Everything that a step may still need once it has begun to change the world.
static AbutResult reserve(AbutWorld* world)
{
    const AbutContactStore* stores = world->stores;
    size_t touches = stores[0].manifold_capacity + stores[1].manifold_capacity;
    size_t points = stores[0].point_capacity > stores[1].point_capacity ? stores[0].point_capacity
                                                                        : stores[1].point_capacity;
    bool good = abut_memory_grow(&world->host, (void**)&world->parents, &world->parent_capacity,
                                 world->body_count, sizeof(uint32_t)) &&
                abut_memory_grow(&world->host, (void**)&world->sleep_times, &world->sleep_time_capacity,
                                 world->body_count, sizeof(double)) &&
                abut_memory_grow(&world->host, (void**)&world->published, &world->published_capacity, points,
                                 sizeof(AbutWorldContact)) &&
                abut_memory_grow(&world->host, (void**)&world->events, &world->event_capacity, touches,
                                 sizeof(AbutTouchEvent));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/// A pair that awake and sleeping bodies make wakes the sleeper, with all that it lies on: before the step is
/// solved.
static void wake_touched(AbutWorld* world, const AbutCollideResults* results)
{
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutPairResult* pair = &results->pairs[i];
        AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
        if (pair->output.contact_count > 0)
        {
            a->asleep = b->asleep = false;
        }
    }
}

/// Bodies that were pushed may have left the boxes that were predicted.
static void fit_boxes(AbutWorld* world)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && (abut_body_moves(body) || body->kind == ABUT_BODY_KINEMATIC))
        {
            abut_world_fit_box(world, i);
        }
    }
}

static void measure(AbutWorld* world, AbutStepReport* report)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        report->touching_pair_count += store->manifolds[i].touching ? 1u : 0u;
    }
    report->elastic_energy = world->penalty != NULL ? world->penalty->energy : 0.0;
    report->stiff_count = world->penalty != NULL ? world->penalty->stiff_count : 0;
    report->contact_count = (uint32_t)store->point_count;
    abut_world_measure_depth(world, report);
    const AbutVec3 g = world->def.gravity;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && body->kind == ABUT_BODY_DYNAMIC)
        {
            double height = (double)g.x * body->position[0] + (double)g.y * body->position[1] +
                            (double)g.z * body->position[2];
            report->kinetic_energy += abut_body_energy(body);
            report->potential_energy -= height / body->inverse_mass;
            report->awake_count += body->asleep ? 0u : 1u;
        }
    }
}

/// The last word: whatever shapes, callbacks and forces have said, bodies stay finite.
static void keep_finite(AbutWorld* world)
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

/// What wake_touched() and abut_world_make_manifolds() did.
static void undo_manifolds(AbutWorld* world)
{
    world->current = 1 - world->current;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].asleep = world->bodies[i].was_asleep;
    }
}

/// One round of finding contacts and solving them. Adds wall times of finding pairs, finding contacts and
/// solving.
static AbutResult solve_pass(AbutWorld* world, double seconds, bool is_predicted, double spent[3])
{
    double times[4] = { abut_world_now() };
    AbutResult result = is_predicted ? ABUT_OK : abut_world_find_pairs(world, seconds);
    times[1] = abut_world_now();
    AbutCollideResults results;
    result = result == ABUT_OK ? abut_world_find_contacts(world, &results) : result;
    times[2] = abut_world_now();
    result = result == ABUT_OK ? abut_world_reserve_manifolds(world, &results) : result;
    result = result == ABUT_OK ? reserve(world) : result;
    result = result == ABUT_OK ? abut_world_reserve_colors(world) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    wake_touched(world, &results);
    abut_world_make_manifolds(world, &results);
    abut_world_make_colors(world);
    result = abut_constraints_reserve(world);
    if (result != ABUT_OK)
    {
        undo_manifolds(world);
        return result;
    }
    abut_world_solve(world, seconds);
    abut_ccd_clamp_motions(world);
    times[3] = abut_world_now();
    for (int i = 0; i < 3; ++i)
    {
        spent[i] += times[i + 1] - times[i];
    }
    return ABUT_OK;
}

/// Bodies that move further against each other in a step than this part of the smaller one's radius want
/// contacts to be found again on the way: those that were found at the start are not where they touch.
#define FAR_FRACTION 0.12

/// Steps of more than one round have so many times the substeps: blows are what overlaps come from.
#define FAST_SUBSTEPS 2

/// How far two bodies that are near each other move in the step, at most, as a part of the radius of the
/// smaller one.
static double largest_travel(const AbutWorld* world)
{
    double largest = 0.0;
    for (size_t i = 0; i < world->pair_count; ++i)
    {
        const AbutBody *a = &world->bodies[world->pairs[i].a], *b = &world->bodies[world->pairs[i].b];
        double travel = abut_pair_travel(world, a, b); // for small bodies, what they fall is far
        largest = fmax(largest, travel / fmin((double)a->radius, (double)b->radius));
    }
    return largest; // pairs whose manifolds hold hardly move
}

/// A part of a step is short enough when it is at most this part of √(radius / gravity), of the smallest
/// body.
#define SHORT_FRACTION 0.5

/// No step is divided into more parts than this for small bodies.
#define MAX_SUBDIVISIONS 64

/// The smallest radius of dynamic bodies that are awake and near others.
static double smallest_radius(const AbutWorld* world)
{
    const AbutContactStore* last = &world->stores[world->current];
    double smallest = INFINITY;
    for (size_t i = 0; i < world->pair_count + last->manifold_count; ++i)
    {
        bool is_pair = i < world->pair_count;
        const AbutManifold* m = is_pair ? NULL : &last->manifolds[i - world->pair_count];
        if (!is_pair && (!m->recycled || m->count == 0))
        {
            continue;
        }
        const AbutBody* a = &world->bodies[is_pair ? world->pairs[i].a : m->a];
        const AbutBody* b = &world->bodies[is_pair ? world->pairs[i].b : m->b];
        smallest = abut_body_moves(a) ? fmin(smallest, (double)a->radius) : smallest;
        smallest = abut_body_moves(b) ? fmin(smallest, (double)b->radius) : smallest;
    }
    return smallest;
}

/// Into how many parts a step is divided for small bodies: what gravity does in a substep is to be small
/// against them, or they sink into each other whatever contacts do. A power of two, and 1 for bodies over 11
/// mm in radius under the gravity of the earth at 60 steps per second.
static uint32_t count_subdivisions(const AbutWorld* world, double seconds)
{
    double ratio = (double)abut_vec3_length(world->def.gravity) * seconds * seconds / smallest_radius(world);
    uint32_t subdivisions = 1;
    while (subdivisions < MAX_SUBDIVISIONS &&
           ratio > SHORT_FRACTION * SHORT_FRACTION * (double)subdivisions * (double)subdivisions)
    {
        subdivisions *= 2;
    }
    return subdivisions;
}

/// In how many rounds of whole substeps contacts are found.
static uint32_t count_passes(const AbutWorld* world, uint32_t subdivisions)
{
    double largest = largest_travel(world);
    uint32_t passes = subdivisions, most = FAST_SUBSTEPS * world->def.substep_count * subdivisions;
    while (most % (2 * passes) == 0 && largest > FAR_FRACTION * passes)
    {
        passes *= 2;
    }
    return passes;
}

static AbutResult save_state(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    AbutContactStore* saved = &world->saved_store;
    if (!abut_memory_grow(&world->host, (void**)&world->saved, &world->saved_capacity, world->body_count,
                          sizeof(AbutBody)) ||
        !abut_memory_grow(&world->host, (void**)&saved->manifolds, &saved->manifold_capacity,
                          store->manifold_count, sizeof(AbutManifold)) ||
        !abut_memory_grow(&world->host, (void**)&saved->points, &saved->point_capacity, store->point_count,
                          sizeof(AbutManifoldPoint)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(world->saved, world->bodies, world->body_count * sizeof(AbutBody));
    saved->manifold_count = store->manifold_count;
    saved->point_count = store->point_count;
    if (store->manifold_count > 0)
    {
        memcpy(saved->manifolds, store->manifolds, store->manifold_count * sizeof(AbutManifold));
    }
    if (store->point_count > 0)
    {
        memcpy(saved->points, store->points, store->point_count * sizeof(AbutManifoldPoint));
    }
    return ABUT_OK;
}

static void restore_state(AbutWorld* world)
{
    memcpy(world->bodies, world->saved, world->body_count * sizeof(AbutBody));
    AbutContactStore saved = world->saved_store;
    world->saved_store = world->stores[world->current];
    world->stores[world->current] = saved;
}

/// On failure the world is as it was.
static AbutResult step_impulse(AbutWorld* world, double seconds, double spent[3])
{
    world->substeps = world->def.substep_count;
    world->is_last_pass = true;
    world->prediction_fraction = 0.0;
    AbutResult result = abut_world_find_pairs(world, seconds);
    uint32_t subdivisions = result == ABUT_OK ? count_subdivisions(world, seconds) : 1;
    uint32_t passes = result == ABUT_OK ? count_passes(world, subdivisions) : 1;
    world->pass = 0;
    if (result != ABUT_OK || passes == 1)
    {
        return result == ABUT_OK ? solve_pass(world, seconds, true, spent) : result;
    }
    result = save_state(world);
    uint32_t substeps = FAST_SUBSTEPS * world->def.substep_count * subdivisions;
    world->substeps = passes > subdivisions ? substeps / passes : world->def.substep_count;
    world->prediction_fraction = 0.5;
    for (uint32_t i = 0; i < passes && result == ABUT_OK; ++i)
    {
        world->pass = i;
        world->is_last_pass = i + 1 == passes;
        result = solve_pass(world, seconds / passes, false, spent);
        if (result == ABUT_OK && !world->is_last_pass)
        {
            abut_world_accumulate_touches(world);
        }
        else if (result != ABUT_OK && i > 0)
        {
            restore_state(world);
        }
    }
    return result;
}

/// The same with springs.
static AbutResult step_penalty(AbutWorld* world, double seconds, double spent[3])
{
    world->substeps = world->def.substep_count;
    AbutResult result = abut_penalty_step(world, seconds, spent);
    result = result == ABUT_OK ? reserve(world) : result;
    if (result != ABUT_OK)
    {
        abut_penalty_undo(world);
        return result;
    }
    abut_penalty_store_manifolds(world);
    return ABUT_OK;
}

AbutResult abut_world_step(AbutWorld* world, float seconds, AbutStepReport* report)
{
    ABUT_FP_CALL(abut_world_step, world, seconds, report);
    AbutStepReport done = { 0 };
    if (!(seconds >= ABUT_STEP_MIN) || !(seconds <= ABUT_STEP_MAX))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "world: a step of %g seconds; it must be from %g to %g",
                         (double)seconds, (double)ABUT_STEP_MIN, (double)ABUT_STEP_MAX);
    }
    double begin = abut_world_now();
    AbutResult result = world->penalty != NULL ? step_penalty(world, (double)seconds, done.seconds)
                                               : step_impulse(world, (double)seconds, done.seconds);
    if (result != ABUT_OK)
    {
        return result;
    }
    keep_finite(world);
    abut_world_put_to_sleep(world, seconds);
    abut_world_publish_events(world);
    fit_boxes(world);
    world->step += 1;
    world->time += (double)seconds;
    if (report != NULL)
    {
        done.step = world->step;
        done.time = world->time;
        done.pair_count = (uint32_t)world->broad_pair_count;
        measure(world, &done);
        done.seconds[3] = abut_world_now() - begin - done.seconds[0] - done.seconds[1] - done.seconds[2];
        *report = done;
    }
    return ABUT_OK;
}
