// Persistent state for the next substep, and the published contacts: tangential springs, forces, and contacts
// of all substeps.
#include "dynamics/penalty/anchors.h"

#include "base/assert.h"
#include "base/memory.h"
#include "dynamics/penalty/penalty.h"

#include <math.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Anchors
// -----------------------------------------------------------------------------------------------------------

/// Whether a body was at rest when the pairs of the substep were made.
static bool rested(const AbutWorld* world, uint32_t index)
{
    const AbutBody* body = &world->bodies[index];
    return abut_body_is_alive(body) && body->kind != ABUT_BODY_KINEMATIC &&
           (!abut_body_moves(body) || abut_penalty(world)->bodies[index].woken);
}

/// Both at rest: not a pair of the substep; its state stays.
static bool sleeps(const AbutWorld* world, const AbutPenaltyAnchor* anchor)
{
    return rested(world, anchor->a) && rested(world, anchor->b);
}

static bool is_before(const AbutPenaltyAnchor* anchor, const AbutPenaltyPair* pair)
{
    return anchor->a != pair->a ? anchor->a < pair->a : anchor->b < pair->b;
}

static void keep_sleeping(AbutWorld* world, size_t* from, const AbutPenaltyPair* until)
{
    AbutPenalty* penalty = abut_penalty(world);
    for (; *from < penalty->anchors_count; ++*from)
    {
        const AbutPenaltyAnchor* anchor = &penalty->anchors[*from];
        if (until != NULL && !is_before(anchor, until))
        {
            return;
        }
        if (sleeps(world, anchor))
        {
            penalty->next_anchors[penalty->next_anchors_count++] = *anchor;
        }
    }
}

static void swap_anchors(AbutPenalty* penalty)
{
    AbutPenaltyAnchor* anchors = penalty->anchors;
    size_t capacity = penalty->anchors_capacity;
    penalty->anchors = penalty->next_anchors;
    penalty->anchors_count = penalty->next_anchors_count;
    penalty->anchors_capacity = penalty->next_anchors_capacity;
    penalty->next_anchors = anchors;
    penalty->next_anchors_capacity = capacity;
}

static void keep_anchors(AbutWorld* world)
{
    AbutPenalty* penalty = abut_penalty(world);
    size_t old = 0;
    penalty->next_anchors_count = 0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        keep_sleeping(world, &old, pair);
        for (size_t k = 0; k < pair->response_count; ++k)
        {
            const AbutPenaltyResponse* response = &penalty->responses[pair->first + k];
            const AbutPenaltyContact* contact = &penalty->contacts[response->contact];
            if (response->persists)
            {
                AbutPenaltyAnchor* anchor = &penalty->next_anchors[penalty->next_anchors_count++];
                *anchor = (AbutPenaltyAnchor){ pair->a, pair->b, contact->side, contact->point,
                                               response->tangential_spring };
            }
        }
    }
    keep_sleeping(world, &old, NULL);
    ABUT_ASSERT(penalty->next_anchors_count <= penalty->next_anchors_capacity);
    swap_anchors(penalty);
}

void abut_penalty_reset_body(AbutWorld* world, uint32_t index)
{
    AbutPenalty* penalty = abut_penalty(world);
    if (index >= penalty->bodies_count)
    {
        return;
    }
    memset(&penalty->bodies[index], 0, sizeof(AbutPenaltyBody));
    size_t kept = 0;
    for (size_t i = 0; i < penalty->anchors_count; ++i)
    {
        if (penalty->anchors[i].a != index && penalty->anchors[i].b != index)
        {
            penalty->anchors[kept++] = penalty->anchors[i];
        }
    }
    penalty->anchors_count = kept;
}

// -----------------------------------------------------------------------------------------------------------
// Records
// -----------------------------------------------------------------------------------------------------------

static int compare(const AbutPenaltyRecord* x, const AbutPenaltyRecord* y)
{
    return x->a != y->a         ? (x->a < y->a ? -1 : 1)
           : x->b != y->b       ? (x->b < y->b ? -1 : 1)
           : x->side != y->side ? (x->side < y->side ? -1 : 1)
                                : (x->point > y->point) - (x->point < y->point);
}

static AbutPenaltyRecord record_of(const AbutPenalty* penalty, const AbutPenaltyPair* pair,
                                   const AbutPenaltyResponse* response)
{
    const AbutPenaltyContact* contact = &penalty->contacts[response->contact];
    AbutPenaltyRecord record = { .a = pair->a, .b = pair->b, .side = contact->side, .point = contact->point };
    record.position = response->position;
    record.normal = contact->side == 0 ? response->normal : abut_dvec3_neg(response->normal); // from B to A
    record.max_depth = response->max_depth;
    record.impulse = response->normal_impulse;
    return record;
}

/// The same point in an earlier substep: position and normal of the later, depth of the deeper, sum of
/// impulses.
static void join(AbutPenaltyRecord* record, const AbutPenaltyRecord* earlier)
{
    record->max_depth = fmax(record->max_depth, earlier->max_depth);
    record->impulse += earlier->impulse;
}

/// Merges one into next_records, after those of earlier substeps that precede it. `old` advances over these.
static void keep_record(AbutPenalty* penalty, AbutPenaltyRecord record, size_t* old)
{
    while (*old < penalty->records_count && compare(&penalty->records[*old], &record) < 0)
    {
        penalty->next_records[penalty->next_records_count++] = penalty->records[(*old)++];
    }
    if (*old < penalty->records_count && compare(&penalty->records[*old], &record) == 0)
    {
        join(&record, &penalty->records[(*old)++]);
    }
    ABUT_ASSERT(penalty->next_records_count == 0 ||
                compare(&penalty->next_records[penalty->next_records_count - 1], &record) < 0);
    penalty->next_records[penalty->next_records_count++] = record;
}

static void keep_records(AbutPenalty* penalty)
{
    size_t old = 0;
    penalty->next_records_count = 0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        for (size_t k = 0; k < pair->response_count; ++k)
        {
            const AbutPenaltyResponse* response = &penalty->responses[pair->first + k];
            if (response->normal_impulse > 0.0)
            {
                keep_record(penalty, record_of(penalty, pair, response), &old);
            }
        }
    }
    while (old < penalty->records_count)
    {
        penalty->next_records[penalty->next_records_count++] = penalty->records[old++];
    }
    ABUT_ASSERT(penalty->next_records_count <= penalty->next_records_capacity);
    AbutPenaltyRecord* records = penalty->records;
    size_t capacity = penalty->records_capacity;
    penalty->records = penalty->next_records;
    penalty->records_count = penalty->next_records_count;
    penalty->records_capacity = penalty->next_records_capacity;
    penalty->next_records = records;
    penalty->next_records_capacity = capacity;
}

AbutResult abut_penalty_reserve_anchors(AbutWorld* world)
{
    const AbutPenalty* penalty = abut_penalty(world);
    bool good = ABUT_PENALTY_GROW(world, next_anchors, penalty->anchors_count + penalty->contacts_count) &&
                ABUT_PENALTY_GROW(world, next_records, penalty->records_count + penalty->contacts_count);
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

void abut_penalty_store_anchors(AbutWorld* world)
{
    keep_anchors(world);
    keep_records(abut_penalty(world));
}

// -----------------------------------------------------------------------------------------------------------
// Manifolds
// -----------------------------------------------------------------------------------------------------------

static AbutResult reserve_store(const AbutStepContext* step, AbutContactStore* store)
{
    const AbutWorld* world = step->world;
    const AbutContactStore* last = &world->stores[world->current];
    size_t points = abut_penalty(world)->records_count + last->point_count;
    size_t manifolds = abut_penalty(world)->records_count + last->manifold_count;
    bool good = abut_memory_grow(&world->host, (void**)&store->manifolds, &store->manifold_capacity,
                                 manifolds, sizeof(AbutManifold)) &&
                abut_memory_grow(&world->host, (void**)&store->points, &store->point_capacity, points,
                                 sizeof(AbutManifoldPoint));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static void store_record(const AbutWorld* world, const AbutPenaltyRecord* record, AbutContactStore* store)
{
    AbutManifold* m = store->manifold_count > 0 ? &store->manifolds[store->manifold_count - 1] : NULL;
    if (m == NULL || m->a != record->a || m->b != record->b)
    {
        m = &store->manifolds[store->manifold_count++];
        memset(m, 0, sizeof(*m));
        m->a = record->a;
        m->b = record->b;
        m->first = (uint32_t)store->point_count;
        m->solved = true;
    }
    AbutManifoldPoint* point = &store->points[store->point_count++];
    memset(point, 0, sizeof(*point));
    m->count += 1;
    point->id = (uint64_t)record->side << 32 | record->point;
    point->normal = record->normal;
    point->r_a = abut_dvec3_sub(record->position, world->bodies[record->a].start);
    point->r_b = abut_dvec3_sub(record->position, world->bodies[record->b].start);
    point->separation = -record->max_depth;
    point->normal_impulse = point->total_impulse = record->impulse;
}

static void keep_manifold(const AbutContactStore* last, const AbutManifold* m, AbutContactStore* store)
{
    AbutManifold* kept = &store->manifolds[store->manifold_count++];
    *kept = *m;
    kept->first = (uint32_t)store->point_count;
    kept->solved = false;
    if (m->count > 0)
    {
        memcpy(store->points + store->point_count, last->points + m->first,
               m->count * sizeof(AbutManifoldPoint));
    }
    store->point_count += m->count;
}

/// Manifolds of sleeping pairs, up to (a, b).
static void keep_manifolds(const AbutWorld* world, size_t* from, uint32_t a, uint32_t b,
                           AbutContactStore* store)
{
    const AbutContactStore* last = &world->stores[world->current];
    for (; *from < last->manifold_count; ++*from)
    {
        const AbutManifold* m = &last->manifolds[*from];
        if (m->a != a ? m->a > a : m->b >= b)
        {
            return;
        }
        AbutPenaltyAnchor pair = { .a = m->a, .b = m->b };
        if (sleeps(world, &pair))
        {
            keep_manifold(last, m, store);
        }
    }
}

AbutResult abut_penalty_store_manifolds(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    const AbutPenalty* penalty = abut_penalty(world);
    AbutContactStore* store = abut_step_next_store(step);
    size_t old = 0;
    AbutResult result = reserve_store(step, store);
    if (result != ABUT_OK)
    {
        return result;
    }
    store->manifold_count = store->point_count = 0;
    for (size_t i = 0; i < penalty->records_count; ++i)
    {
        keep_manifolds(world, &old, penalty->records[i].a, penalty->records[i].b, store);
        store_record(world, &penalty->records[i], store);
    }
    keep_manifolds(world, &old, UINT32_MAX, UINT32_MAX, store);
    ABUT_ASSERT(store->manifold_count <= store->manifold_capacity &&
                store->point_count <= store->point_capacity);
    abut_step_commit_store(step);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].force = world->bodies[i].torque = abut_dvec3_zero();
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Snapshots: forces of all bodies, then anchors
// -----------------------------------------------------------------------------------------------------------

size_t abut_penalty_state_size(const AbutWorld* world)
{
    const AbutPenalty* penalty = abut_penalty(world);
    return world->body_count * sizeof(double[6]) + penalty->anchors_count * sizeof(AbutPenaltyAnchor);
}

void abut_penalty_save(const AbutWorld* world, void* data)
{
    const AbutPenalty* penalty = abut_penalty(world);
    unsigned char* at = data;
    for (uint32_t i = 0; i < world->body_count; ++i, at += sizeof(double[6]))
    {
        const double none[6] = { 0.0 };
        memcpy(at, i < penalty->bodies_count ? penalty->bodies[i].force : none, sizeof(none));
    }
    if (penalty->anchors_count > 0)
    {
        memcpy(at, penalty->anchors, penalty->anchors_count * sizeof(AbutPenaltyAnchor));
    }
}

uint64_t abut_penalty_hash(const AbutWorld* world, uint64_t hash)
{
    const AbutPenalty* penalty = abut_penalty(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const double none[6] = { 0.0 };
        hash = abut_hash(i < penalty->bodies_count ? penalty->bodies[i].force : none, sizeof(none), hash);
    }
    return penalty->anchors_count > 0
               ? abut_hash(penalty->anchors, penalty->anchors_count * sizeof(AbutPenaltyAnchor), hash)
               : hash;
}

static bool are_anchors(const AbutWorld* world, const unsigned char* data, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        AbutPenaltyAnchor anchor;
        memcpy(&anchor, data + i * sizeof(anchor), sizeof(anchor));
        if (anchor.a >= world->body_count || anchor.b >= world->body_count || anchor.side > 1 ||
            !abut_dvec3_is_finite(anchor.tangential_spring))
        {
            return false;
        }
    }
    return true;
}

static bool are_forces(const unsigned char* data, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        double force;
        memcpy(&force, data + i * sizeof(force), sizeof(force));
        if (!isfinite(force))
        {
            return false;
        }
    }
    return true;
}

/// Anchors in the bytes of a state.
static size_t count_anchors(size_t size, size_t forces)
{
    return size >= forces ? (size - forces) / sizeof(AbutPenaltyAnchor) : 0;
}

AbutResult abut_penalty_check(AbutWorld* world, const void* data, size_t size)
{
    size_t forces = world->body_count * sizeof(double[6]), count = count_anchors(size, forces);
    const unsigned char* at = data;
    if (size != forces + count * sizeof(AbutPenaltyAnchor) || !are_forces(at, forces / sizeof(double)) ||
        !are_anchors(world, at + forces, count))
    {
        return abut_fail(ABUT_INVALID_DATA, "world: the snapshot is one of another response");
    }
    if (!ABUT_PENALTY_GROW(world, anchors, count) || !abut_penalty_reserve_bodies(world))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    return ABUT_OK;
}

void abut_penalty_restore(AbutWorld* world, const void* data, size_t size)
{
    AbutPenalty* penalty = abut_penalty(world);
    size_t forces = world->body_count * sizeof(double[6]), count = count_anchors(size, forces);
    const unsigned char* at = data;
    ABUT_ASSERT(count <= penalty->anchors_capacity);
    for (uint32_t i = 0; i < penalty->bodies_count; ++i) // of others, as before a first step, the force is 0
    {
        memcpy(penalty->bodies[i].force, at + i * sizeof(double[6]), sizeof(double[6]));
    }
    at += forces;
    if (count > 0)
    {
        memcpy(penalty->anchors, at, count * sizeof(AbutPenaltyAnchor));
    }
    penalty->anchors_count = count;
}
