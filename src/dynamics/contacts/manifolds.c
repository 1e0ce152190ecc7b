// Manifolds of all pairs, sorted: recycled and sleeping ones of the last step, and those of the narrow phase
// (pair_contacts.c), in parallel.
#include "dynamics/contacts/manifolds.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "base/wall_clock.h"
#include "dynamics/contacts/pair_contacts.h"
#include "dynamics/state/islands.h"
#include "dynamics/state/world.h"
#include "field/field.h"
#include "narrow/batch/batch.h"

#include <string.h>

enum
{
    BLOCK = 4 // pairs of a task
};

static int compare(const AbutManifold* m, uint32_t a, uint32_t b)
{
    return m->a != a ? (m->a < a ? -1 : 1) : m->b != b ? (m->b < b ? -1 : 1) : 0;
}

/// Both at rest, one of them asleep: not a pair of this pass. The manifold stays as it is.
static bool is_sleeping(const AbutWorld* world, const AbutManifold* m)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    return abut_manifold_is_current(world, m) && (a->asleep || b->asleep) && !abut_body_moves(a) &&
           !abut_body_moves(b) && a->kind != ABUT_BODY_KINEMATIC && b->kind != ABUT_BODY_KINEMATIC;
}

/// Bodies asleep at the start of the pass and woken since: nothing has moved, so that contacts are unchanged.
static bool was_woken(const AbutWorld* world, const AbutManifold* m)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool slept = a->was_asleep || b->was_asleep;
    return slept && abut_manifold_is_current(world, m) && (a->kind != ABUT_BODY_DYNAMIC || a->was_asleep) &&
           (b->kind != ABUT_BODY_DYNAMIC || b->was_asleep) && (abut_body_moves(a) || abut_body_moves(b));
}

/// Manifolds may be without contacts: the array of these is never NULL then, so that its offsets are defined.
static bool reserve_store(const AbutWorld* world, AbutContactStore* store, size_t manifolds, size_t points)
{
    points = manifolds > 0 && points == 0 ? 1 : points;
    return abut_memory_grow(&world->host, (void**)&store->manifolds, &store->manifold_capacity, manifolds,
                            sizeof(AbutManifold)) &&
           abut_memory_grow(&world->host, (void**)&store->points, &store->point_capacity, points,
                            sizeof(AbutManifoldPoint));
}

static void keep_sleeping(const AbutStepContext* step, const AbutContactStore* last, const AbutManifold* m,
                          AbutContactStore* store)
{
    AbutManifold* kept = &store->manifolds[store->manifold_count++];
    *kept = *m;
    kept->first = (uint32_t)store->point_count;
    kept->solved = kept->is_new = false;
    abut_manifold_copy_history(step, m, kept);
    if (m->count > 0)
    {
        memcpy(store->points + store->point_count, last->points + m->first,
               m->count * sizeof(AbutManifoldPoint));
    }
    store->point_count += m->count;
}

/// A recycled manifold: its points at the present poses.
static void recycle(const AbutStepContext* step, const AbutManifold* m, AbutContactStore* store)
{
    AbutManifold* recycled_manifold = &store->manifolds[store->manifold_count++];
    *recycled_manifold = *m;
    recycled_manifold->first = (uint32_t)store->point_count;
    recycled_manifold->solved = m->count > 0;
    recycled_manifold->is_new = false;
    abut_manifold_copy_history(step, m, recycled_manifold);
    if (m->count > 0)
    {
        abut_contacts_recycle(step->world, m, store->points + store->point_count);
    }
    store->point_count += m->count;
}

/// Indices of the manifold of a pair of the narrow phase.
typedef struct PairSlot
{
    const AbutManifold* before; // of the last step, or NULL
    uint32_t manifold, first;   // indices in the new store
    double seconds;             // wall time of the manifold
} PairSlot;

/// Pairs of the narrow phase, with memory for their manifolds.
typedef struct PairTask
{
    const AbutStepContext* step;
    const AbutCollideResults* results;
    AbutContactStore* store;
    PairSlot* slots;          // by pair
    AbutPairScratch* scratch; // by worker
} PairTask;

static uint32_t least(size_t a, size_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/// Points of the manifold of a pair, at most: detected, recycled and core points.
static uint32_t point_limit(const AbutWorld* world, size_t detected, const AbutManifold* before)
{
    size_t points = detected + (before != NULL ? before->count : 0u);
    return least(points, world->def.contacts_per_pair) + ABUT_CORE_CONTACTS;
}

/// Slot of a pair of the narrow phase.
static void reserve_slot(PairTask* task, size_t pair, uint32_t detected, const AbutManifold* before)
{
    AbutContactStore* store = task->store;
    task->slots[pair] = (PairSlot){ .before = before,
                                    .manifold = (uint32_t)store->manifold_count,
                                    .first = (uint32_t)store->point_count };
    store->manifolds[store->manifold_count++] = (AbutManifold){ 0 };
    store->point_count += point_limit(task->step->world, detected, before);
}

static void pair_block(void* context, uint32_t block, uint32_t worker)
{
    const PairTask* task = context;
    AbutPairScratch* scratch = &task->scratch[worker];
    size_t end = ((size_t)block + 1) * BLOCK;
    double since = abut_wall_clock();
    for (size_t i = (size_t)block * BLOCK; i < end && i < task->results->pair_count; ++i)
    {
        const AbutPairResult* pair = &task->results->pairs[i];
        PairSlot* slot = &task->slots[i];
        if (pair->output.state == ABUT_COLLIDE_INVALID)
        {
            continue;
        }
        AbutManifold* m = &task->store->manifolds[slot->manifold];
        abut_pair_make_manifold(task->step, pair, task->results->contacts + pair->first_contact, slot->before,
                                scratch, m);
        m->first = slot->first;
        if (m->count > 0)
        {
            memcpy(task->store->points + m->first, scratch->points, m->count * sizeof(AbutManifoldPoint));
        }
        double now = abut_wall_clock();
        slot->seconds = now - since;
        since = now;
    }
}

/// By the shapes of the bodies, which are the reason for their contacts and their cost.
static AbutPairKind kind_of(const AbutWorld* world, const AbutManifold* m)
{
    bool field_a = abut_shape_is_field(world->bodies[m->a].shape),
         field_b = abut_shape_is_field(world->bodies[m->b].shape);
    return m->is_convex         ? ABUT_PAIR_CONVEX
           : field_a && field_b ? ABUT_PAIR_FIELDS
           : field_a || field_b ? ABUT_PAIR_FIELD_SHAPE
                                : ABUT_PAIR_SHAPES;
}

static void profile_pairs(const PairTask* task, AbutStepProfile* profile)
{
    const AbutWorld* world = task->step->world;
    const AbutCollideResults* results = task->results;
    const AbutContactStore* store = task->store;
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutCollideOutput* output = &results->pairs[i].output;
        if (output->state != ABUT_COLLIDE_INVALID)
        {
            const PairSlot* slot = &task->slots[i];
            AbutPairProfile* pairs = &profile->pairs[kind_of(world, &store->manifolds[slot->manifold])];
            pairs->search_count += 1;
            pairs->empty_count += output->contact_count == 0 ? 1u : 0u;
            pairs->contact_count += output->contact_count;
            pairs->samples += output->evaluations;
            pairs->search_seconds += abut_collider_seconds(world->collider, i);
            pairs->manifold_seconds += slot->seconds;
        }
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        profile->pairs[kind_of(world, m)].recycled_count += m->recycled && !m->is_new ? 1u : 0u;
    }
}

/// Closes the gaps between the points of manifolds.
static void compact_points(AbutContactStore* store)
{
    size_t count = 0;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (m->count > 0 && m->first != count)
        {
            memmove(store->points + count, store->points + m->first, m->count * sizeof(AbutManifoldPoint));
        }
        m->first = (uint32_t)count;
        count += m->count;
    }
    store->point_count = count;
}

/// Memory of each worker for the contacts of any pair: detected ones twice, and a full manifold.
static AbutPairScratch* reserve_scratch(const AbutStepContext* step, const AbutCollideResults* results)
{
    size_t most = 0, workers = step->world->host.worker_count > 0 ? step->world->host.worker_count : 1;
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        size_t count = results->pairs[i].output.contact_count;
        most = count > most ? count : most;
    }
    size_t capacity = 2 * most + ABUT_MANIFOLD_POINTS;
    AbutPairScratch* scratch = abut_step_allocate(step, workers, sizeof(AbutPairScratch));
    for (size_t i = 0; scratch != NULL && i < workers; ++i)
    {
        scratch[i] = (AbutPairScratch){
            .contacts = abut_step_allocate(step, capacity, sizeof(AbutContact)),
            .reselect_constraints = abut_step_allocate(step, capacity, sizeof(AbutReselectConstraint)),
            .points = abut_step_allocate(step, capacity, sizeof(AbutManifoldPoint)),
            .capacity = capacity,
        };
        bool good = scratch[i].contacts != NULL && scratch[i].reselect_constraints != NULL &&
                    scratch[i].points != NULL;
        scratch = good ? scratch : NULL;
    }
    return scratch;
}

static AbutResult reserve(PairTask* task)
{
    const AbutStepContext* step = task->step;
    const AbutContactStore* last = &step->world->stores[step->world->current];
    size_t points = last->point_count; // for `before` of all pairs, too
    for (size_t i = 0; i < task->results->pair_count; ++i)
    {
        points += point_limit(step->world, task->results->pairs[i].output.contact_count, NULL);
    }
    task->slots = abut_step_allocate(step, task->results->pair_count, sizeof(PairSlot));
    task->scratch = reserve_scratch(step, task->results);
    bool good =
        task->slots != NULL && task->scratch != NULL &&
        reserve_store(step->world, task->store, task->results->pair_count + last->manifold_count, points);
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/// Merges the sorted manifolds of the last step with the sorted pairs of the narrow phase.
static void merge_manifolds(PairTask* task)
{
    const AbutStepContext* step = task->step;
    const AbutWorld* world = step->world;
    const AbutCollideResults* results = task->results;
    AbutContactStore* store = task->store;
    const AbutContactStore* last = &world->stores[world->current];
    store->manifold_count = store->point_count = 0;
    size_t old = 0; // both lists are sorted by a, then b
    for (size_t i = 0; i <= results->pair_count; ++i)
    {
        const AbutPairResult* pair = i < results->pair_count ? &results->pairs[i] : NULL;
        while (old < last->manifold_count &&
               (pair == NULL || compare(&last->manifolds[old], pair->a, pair->b) < 0))
        {
            if (last->manifolds[old].recycled || was_woken(world, &last->manifolds[old]))
            {
                recycle(step, &last->manifolds[old], store);
            }
            else if (is_sleeping(world, &last->manifolds[old]))
            {
                keep_sleeping(step, last, &last->manifolds[old], store);
            }
            ++old;
        }
        if (pair == NULL)
        {
            break;
        }
        bool same = old < last->manifold_count && compare(&last->manifolds[old], pair->a, pair->b) == 0;
        if (pair->output.state != ABUT_COLLIDE_INVALID)
        {
            bool known = same && abut_manifold_is_current(world, &last->manifolds[old]);
            reserve_slot(task, i, pair->output.contact_count, known ? &last->manifolds[old] : NULL);
        }
        old += same ? 1 : 0;
    }
}

#if defined(ABUT_ENABLE_ASSERTS)
/// Manifolds are sorted by (a, b), without duplicates, and own consecutive points.
static void check_store(const AbutWorld* world, const AbutContactStore* store)
{
    size_t first = 0;
    ABUT_ASSERT(store->manifold_count <= store->manifold_capacity);
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        ABUT_ASSERT(m->a < m->b && m->b < world->body_count);
        ABUT_ASSERT(i == 0 || compare(m - 1, m->a, m->b) < 0);
        ABUT_ASSERT(m->first == first && m->count <= ABUT_MANIFOLD_POINTS);
        first += m->count;
    }
    ABUT_ASSERT(first == store->point_count && first <= store->point_capacity);
}
#endif

AbutResult abut_step_make_manifolds(AbutStepContext* step, const AbutCollideResults* results)
{
    PairTask task = { .step = step, .results = results, .store = abut_step_next_store(step) };
    AbutResult result = reserve(&task);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_step_wake_islands(step);
    merge_manifolds(&task);
    abut_parallel_for(&step->world->host, abut_block_count(results->pair_count, BLOCK), pair_block, &task);
    profile_pairs(&task, &step->profiler.profile);
    compact_points(task.store);
#if defined(ABUT_ENABLE_ASSERTS)
    check_store(step->world, task.store);
#endif
    abut_step_commit_store(step);
    return ABUT_OK;
}
