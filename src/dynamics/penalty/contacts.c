// Pairs and contacts of a substep, with the tangential springs of the last one.
#include "dynamics/penalty/contacts.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sort.h"
#include "dynamics/penalty/candidates.h"
#include "dynamics/penalty/contact_law.h"
#include "dynamics/penalty/penalty.h"
#include "points/points.h"

static uint32_t count_points(const AbutBody* body)
{
    return body->points != NULL ? body->points->count : 0;
}

static AbutPenaltyPair make_pair(const AbutWorld* world, uint32_t a, uint32_t b)
{
    const AbutPenalty* penalty = abut_penalty(world);
    AbutPenaltyPair pair = { .a = a, .b = b };
    pair.law = abut_penalty_law(world, &world->bodies[a], &world->bodies[b], penalty->seconds);
    pair.start[0] = abut_penalty_relative_frame(&penalty->bodies[a].start, &penalty->bodies[b].start);
    pair.start[1] = abut_penalty_relative_frame(&penalty->bodies[b].start, &penalty->bodies[a].start);
    return pair;
}

AbutResult abut_penalty_make_pairs(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    AbutPenalty* penalty = abut_penalty(world);
    penalty->pairs_count = penalty->contacts_count = 0;
    if (!ABUT_PENALTY_GROW(world, keys, 2 * step->pair_count) ||
        !ABUT_PENALTY_GROW(world, pairs, step->pair_count))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    size_t count = 0;
    for (size_t i = 0; i < step->pair_count; ++i)
    {
        AbutBodyPair pair = step->pairs[i];
        if (count_points(&world->bodies[pair.a]) + count_points(&world->bodies[pair.b]) > 0)
        {
            penalty->keys[count++] = (uint64_t)pair.a << 32 | pair.b;
        }
    }
    if (count > 0)
    {
        abut_sort_keys(penalty->keys, penalty->keys + count, count, 0);
    }
    for (size_t i = 0; i < count; ++i)
    {
        penalty->pairs[i] = make_pair(world, (uint32_t)(penalty->keys[i] >> 32), (uint32_t)penalty->keys[i]);
    }
    penalty->pairs_count = count;
    return abut_penalty_reserve_candidates(world);
}

/// Anchors of a pair: first and end. `from` advances.
typedef struct AnchorRange
{
    size_t first, end;
} AnchorRange;

static AnchorRange find_anchors(const AbutPenalty* penalty, size_t from, const AbutPenaltyPair* pair)
{
    AnchorRange range = { from, from };
    for (; range.first < penalty->anchors_count; ++range.first)
    {
        const AbutPenaltyAnchor* anchor = &penalty->anchors[range.first];
        if (anchor->a != pair->a ? anchor->a > pair->a : anchor->b >= pair->b)
        {
            break;
        }
    }
    for (range.end = range.first; range.end < penalty->anchors_count; ++range.end)
    {
        const AbutPenaltyAnchor* anchor = &penalty->anchors[range.end];
        if (anchor->a != pair->a || anchor->b != pair->b)
        {
            break;
        }
    }
    return range;
}

static AbutPenaltyContact make_contact(const AbutWorld* world, const AbutPenaltyPair* pair, uint32_t side,
                                       uint32_t point)
{
    const AbutBody* body = &world->bodies[side == 0 ? pair->a : pair->b];
    AbutPenaltyContact contact = { .side = side, .point = point };
    AbutDVec3 at =
        abut_dvec3(body->points->at[0][point], body->points->at[1][point], body->points->at[2][point]);
    contact.r = abut_dvec3_scale(abut_dvec3_sub(at, body->center), (double)body->scale);
    return contact;
}

static uint64_t order_key(uint32_t side, uint32_t point)
{
    return (uint64_t)side << 32 | point;
}

/// Contacts of a pair, with their anchors.
static void add_pair(AbutWorld* world, size_t index, AnchorRange anchors)
{
    AbutPenalty* penalty = abut_penalty(world);
    AbutPenaltyPair* pair = &penalty->pairs[index];
    const AbutPenaltyCandidates* candidates = &penalty->candidates[index];
    size_t last = anchors.first;
    pair->first = penalty->contacts_count;
    pair->count = candidates->count;
    pair->response_count = 0;
    pair->is_evaluated = false;
    for (size_t i = 0; i < candidates->count; ++i)
    {
        uint32_t ref = candidates->points[i];
        uint32_t side = (ref & ABUT_PENALTY_SIDE_B) != 0 ? 1u : 0u;
        uint32_t point = ref & ~ABUT_PENALTY_SIDE_B;
        AbutPenaltyContact contact = make_contact(world, pair, side, point);
        while (last < anchors.end &&
               order_key(penalty->anchors[last].side, penalty->anchors[last].point) < order_key(side, point))
        {
            ++last;
        }
        const AbutPenaltyAnchor* anchor = last < anchors.end ? &penalty->anchors[last] : NULL;
        contact.is_old = anchor != NULL && anchor->side == side && anchor->point == point;
        if (contact.is_old)
        {
            contact.tangential_spring = anchor->tangential_spring;
        }
        penalty->contacts[penalty->contacts_count++] = contact;
    }
}

AbutResult abut_penalty_find_contacts(AbutWorld* world)
{
    AbutPenalty* penalty = abut_penalty(world);
    if (abut_penalty_collect_candidates(world) != ABUT_OK)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    size_t needed = 0, anchor = 0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        ABUT_ASSERT(penalty->candidates[i].is_known);
        needed += penalty->candidates[i].count;
    }
    if (!ABUT_PENALTY_GROW(world, contacts, needed) || !ABUT_PENALTY_GROW(world, responses, needed))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    penalty->contacts_count = 0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        AnchorRange anchors = find_anchors(penalty, anchor, &penalty->pairs[i]);
        anchor = anchors.end;
        add_pair(world, i, anchors);
    }
    ABUT_ASSERT(penalty->contacts_count == needed);
    return ABUT_OK;
}

/// A touched body wakes. The contacts it slept on act once more as they did: their pairs are not in this
/// substep.
static void wake(AbutWorld* world, uint32_t index, double seconds)
{
    AbutBody* body = &world->bodies[index];
    AbutPenaltyBody* extra = &abut_penalty(world)->bodies[index];
    if (body->asleep)
    {
        body->asleep = false;
        body->sleep_time = 0.0;
        extra->woken = true;
        for (int i = 0; i < 6; ++i)
        {
            extra->sleep_impulse[i] = extra->force[i] * seconds;
        }
    }
}

void abut_penalty_wake(AbutWorld* world, double seconds)
{
    const AbutPenalty* penalty = abut_penalty(world);
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        if (penalty->pairs[i].response_count > 0)
        {
            wake(world, penalty->pairs[i].a, seconds);
            wake(world, penalty->pairs[i].b, seconds);
        }
    }
}
