// Contacts of all pairs, in order: those that last as they are, and those of pairs that were looked at (pair_contacts.c), on all workers.
#include "dynamics/ccd/core_points.h"
#include "dynamics/contacts/contacts.h"

#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

enum
{
    BLOCK = 4 // pairs of a task
};

static int compare(const AbutManifold* m, uint32_t a, uint32_t b)
{
    return m->a != a ? (m->a < a ? -1 : 1) : m->b != b ? (m->b < b ? -1 : 1) : 0;
}

/// Both asleep, or gone: a manifold that was not looked at in this step. It stays as it was while both are there.
static bool keeps(const AbutWorld* world, const AbutManifold* m)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    return abut_manifold_is_current(world, m) && (a->asleep || b->asleep) && !abut_body_moves(a) &&
           !abut_body_moves(b) && a->kind != ABUT_BODY_KINEMATIC && b->kind != ABUT_BODY_KINEMATIC;
}

/// Of bodies that slept when pairs were collected, and have been woken since: nothing has moved, so contacts are where they were.
static bool was_woken(const AbutWorld* world, const AbutManifold* m)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool slept = a->was_asleep || b->was_asleep;
    return slept && abut_manifold_is_current(world, m) && (a->kind != ABUT_BODY_DYNAMIC || a->was_asleep) &&
           (b->kind != ABUT_BODY_DYNAMIC || b->was_asleep) && (abut_body_moves(a) || abut_body_moves(b));
}

static bool reserve(AbutWorld* world, AbutContactStore* store, size_t manifolds, size_t points)
{
    return abut_memory_grow(&world->host, (void**)&store->manifolds, &store->manifold_capacity, manifolds,
                            sizeof(AbutManifold)) &&
           abut_memory_grow(&world->host, (void**)&store->points, &store->point_capacity, points,
                            sizeof(AbutContactPoint));
}

static void keep(const AbutWorld* world, const AbutContactStore* last, const AbutManifold* m,
                 AbutContactStore* store)
{
    AbutManifold* kept = &store->manifolds[store->manifold_count++];
    *kept = *m;
    kept->first = (uint32_t)store->point_count;
    kept->solved = kept->is_new = false;
    abut_manifold_carry(world, m, kept);
    if (m->count > 0)
    {
        memcpy(store->points + store->point_count, last->points + m->first,
               m->count * sizeof(AbutContactPoint));
    }
    store->point_count += m->count;
}

/// A manifold that holds: its contacts where the bodies have taken them.
static void add_again(const AbutWorld* world, const AbutManifold* m, AbutContactStore* store)
{
    AbutManifold* again = &store->manifolds[store->manifold_count++];
    *again = *m;
    again->first = (uint32_t)store->point_count;
    again->solved = m->count > 0;
    again->is_new = false;
    abut_manifold_carry(world, m, again);
    if (m->count > 0)
    {
        abut_contacts_bring_along(world, m, store->points + store->point_count);
    }
    store->point_count += m->count;
}

/// Pairs that were looked at, and what each of them had in the last step. Their manifolds are in order already.
typedef struct CollectRun
{
    const AbutWorld* world;
    const AbutCollideResults* results;
    AbutContactStore* store;
} CollectRun;

static AbutPairRoom room_of(const AbutWorld* world, uint32_t worker)
{
    size_t first = worker * world->room;
    return (AbutPairRoom){ world->contacts + first, world->choices + first, world->found + first };
}

/// A place of a pair that was looked at, until its contacts are there: which one, and its manifold in the last step.
static void leave_place(AbutWorld* world, size_t pair, const AbutManifold* before, AbutContactStore* store)
{
    AbutPairPlace* place = &world->places[pair];
    *place = (AbutPairPlace){ .before = before,
                              .manifold = (uint32_t)store->manifold_count,
                              .first = (uint32_t)store->point_count };
    store->manifolds[store->manifold_count++] = (AbutManifold){ 0 };
    store->point_count += world->def.contacts_per_pair + ABUT_GUARD_CONTACTS;
}

static void collect_block(void* context, uint32_t block, uint32_t worker)
{
    const CollectRun* run = context;
    const AbutWorld* world = run->world;
    AbutPairRoom room = room_of(world, worker);
    size_t end = ((size_t)block + 1) * BLOCK;
    for (size_t i = (size_t)block * BLOCK; i < end && i < run->results->pair_count; ++i)
    {
        const AbutPairResult* pair = &run->results->pairs[i];
        const AbutPairPlace* place = &world->places[i];
        if (pair->output.state == ABUT_COLLIDE_INVALID)
        {
            continue;
        }
        AbutManifold* m = &run->store->manifolds[place->manifold];
        abut_pair_collect(world, pair, run->results->contacts + pair->first_contact, place->before, &room, m);
        m->first = place->first;
        if (m->count > 0)
        {
            memcpy(run->store->points + m->first, room.points, m->count * sizeof(AbutContactPoint));
        }
    }
}

/// Takes out the room that was left between contacts.
static void close_up(AbutContactStore* store)
{
    size_t count = 0;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (m->count > 0 && m->first != count)
        {
            memmove(store->points + count, store->points + m->first, m->count * sizeof(AbutContactPoint));
        }
        m->first = (uint32_t)count;
        count += m->count;
    }
    store->point_count = count;
}

AbutResult abut_world_reserve_constraints(AbutWorld* world, const AbutCollideResults* results)
{
    const AbutContactStore* last = &world->stores[world->current];
    size_t most = 0, points = last->point_count;
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        size_t count = (size_t)results->pairs[i].output.contact_count;
        most = count > most ? count : most;
        points += world->def.contacts_per_pair + ABUT_GUARD_CONTACTS;
    }
    world->room =
        2 * most + ABUT_MANIFOLD_POINTS; // twice what was found, and that of the last step, or of guards
    size_t workers = world->host.worker_count > 0 ? world->host.worker_count : 1;
    bool good = reserve(world, &world->stores[1 - world->current], results->pair_count + last->manifold_count,
                        points) &&
                abut_memory_grow(&world->host, (void**)&world->contacts, &world->contact_capacity,
                                 workers * world->room, sizeof(AbutContact)) &&
                abut_memory_grow(&world->host, (void**)&world->choices, &world->choice_capacity,
                                 workers * world->room, sizeof(AbutContactChoice)) &&
                abut_memory_grow(&world->host, (void**)&world->found, &world->found_capacity,
                                 workers * world->room, sizeof(AbutContactPoint)) &&
                abut_memory_grow(&world->host, (void**)&world->places, &world->place_capacity,
                                 results->pair_count, sizeof(AbutPairPlace));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/// Manifolds in order: those that last as they are, and places for those of pairs that were looked at.
static void line_up(AbutWorld* world, const AbutCollideResults* results, AbutContactStore* store)
{
    const AbutContactStore* last = &world->stores[world->current];
    store->manifold_count = store->point_count = 0;
    size_t old = 0; // both lists are sorted by a, then b
    for (size_t i = 0; i <= results->pair_count; ++i)
    {
        const AbutPairResult* pair = i < results->pair_count ? &results->pairs[i] : NULL;
        while (old < last->manifold_count &&
               (pair == NULL || compare(&last->manifolds[old], pair->a, pair->b) < 0))
        {
            if (last->manifolds[old].holds || was_woken(world, &last->manifolds[old]))
            {
                add_again(world, &last->manifolds[old], store);
            }
            else if (keeps(world, &last->manifolds[old]))
            {
                keep(world, last, &last->manifolds[old], store);
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
            leave_place(world, i, known ? &last->manifolds[old] : NULL, store);
        }
        old += same ? 1 : 0;
    }
}

void abut_world_make_constraints(AbutWorld* world, const AbutCollideResults* results)
{
    AbutContactStore* store = &world->stores[1 - world->current];
    CollectRun run = { world, results, store };
    abut_world_wake_islands(world);
    line_up(world, results, store);
    abut_parallel_for(&world->host, abut_block_count(results->pair_count, BLOCK), collect_block, &run);
    close_up(store);
    world->current = 1 - world->current;
}
