// Boxes are created, moved and destroyed; their pairs are found when they are asked for (update_pairs.c).
#include "broad/broad.h"

#include "base/fp_env.h"
#include "base/memory.h"

#include <string.h>

enum
{
    MAX_IDS = 1 << 27
};

/// Fat boxes are for so many moves like the last one. More moves mean fewer searches and more candidates to
/// compare.
static const float moves_ahead = 10.0f;

/// Fraction of the predicted displacement that a fat box gets on all sides, for rotations.
static const float aside = 0.1f;

/// A box with a larger predicted displacement than this fraction of its longest side has no fat box, and is
/// looked up at every move.
static const float max_displacement = 1.0f;

static const AbutBroadTable* const tables[] = {
    [ABUT_BROAD_ALL_PAIRS] = &abut_broad_all_pairs,
    [ABUT_BROAD_SWEEP_AND_PRUNE] = &abut_broad_sweep_and_prune,
    [ABUT_BROAD_GRID] = &abut_broad_grid,
    [ABUT_BROAD_TREE] = &abut_broad_tree,
};
_Static_assert(sizeof(tables) / sizeof(tables[0]) == ABUT_BROAD_METHOD_COUNT, "a method has no row");

const char* abut_broad_method_name(AbutBroadMethod method)
{
    return (unsigned)method < ABUT_BROAD_METHOD_COUNT ? tables[method]->name : "unknown method";
}

AbutBroadDef abut_broad_def(void)
{
    AbutBroadDef def = { .method = ABUT_BROAD_TREE, .pair_limit = 1u << 27 };
    return def;
}

// -----------------------------------------------------------------------------------------------------------
// Life
// -----------------------------------------------------------------------------------------------------------

AbutResult abut_broad_create(const AbutBroadDef* def, AbutBroad** out)
{
    *out = NULL;
    if ((unsigned)def->method >= ABUT_BROAD_METHOD_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "no broad phase has the number %d; there are %d",
                         (int)def->method, ABUT_BROAD_METHOD_COUNT);
    }
    if (def->pair_limit == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "broad: the limit is 0 pairs; start from abut_broad_def(), and it is at least 1");
    }
    AbutHost host = abut_host_resolve(def->host);
    AbutBroad* broad = abut_memory_allocate_zero(&host, 1, sizeof(AbutBroad));
    if (broad == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    broad->host = host;
    broad->table = tables[def->method];
    broad->pair_limit = def->pair_limit;
    broad->structure = abut_memory_allocate_zero(&host, 1, broad->table->size);
    broad->sinks = abut_memory_allocate_zero(&host, host.worker_count, sizeof(AbutPairSink));
    if (broad->structure == NULL || broad->sinks == NULL)
    {
        abut_broad_destroy(broad);
        return ABUT_OUT_OF_MEMORY;
    }
    broad->structure->host = host;
    for (uint32_t i = 0; i < host.worker_count; ++i)
    {
        broad->sinks[i].host = &broad->host;
        broad->sinks[i].limit = def->pair_limit;
    }
    *out = broad;
    return ABUT_OK;
}

static void free_pairs(AbutBroad* broad)
{
    const AbutHost* host = &broad->host;
    for (uint32_t i = 0; broad->sinks != NULL && i < host->worker_count; ++i)
    {
        abut_memory_free(host, broad->sinks[i].pairs, broad->sinks[i].capacity, sizeof(AbutBodyPair));
    }
    abut_memory_free(host, broad->sinks, host->worker_count, sizeof(AbutPairSink));
    abut_pair_sorter_free(&broad->sorter, host);
    abut_pair_list_free(&broad->candidates, host);
    abut_pair_list_free(&broad->changed_pairs, host);
    abut_pair_list_free(&broad->merged, host);
    abut_pair_list_free(&broad->pairs, host);
}

void abut_broad_destroy(AbutBroad* broad)
{
    if (broad == NULL)
    {
        return;
    }
    AbutHost host = broad->host;
    abut_memory_free(&host, broad->boxes, broad->box_capacity, sizeof(AbutBox));
    abut_memory_free(&host, broad->last, broad->last_capacity, sizeof(AbutBox));
    abut_memory_free(&host, broad->fat_boxes, broad->fat_box_capacity, sizeof(AbutBox));
    abut_memory_free(&host, broad->filters, broad->filter_capacity, sizeof(AbutBroadFilter));
    abut_memory_free(&host, broad->flags, broad->flag_capacity, sizeof(uint8_t));
    abut_memory_free(&host, broad->pack_indices, broad->pack_index_capacity, sizeof(uint32_t));
    abut_memory_free(&host, broad->free_ids, broad->free_capacity, sizeof(uint32_t));
    abut_memory_free(&host, broad->changed, broad->changed_capacity, sizeof(uint32_t));
    abut_memory_free(&host, broad->ids, broad->ids_capacity, sizeof(uint32_t));
    if (broad->structure != NULL)
    {
        broad->table->clear(broad->structure);
        abut_memory_free(&host, broad->structure, 1, broad->table->size);
    }
    abut_box_packs_free(&broad->loose, &host);
    free_pairs(broad);
    abut_memory_free(&host, broad, 1, sizeof(AbutBroad));
}

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

AbutBox abut_broad_nan_box(void)
{
    return abut_box(abut_vec3(NAN, NAN, NAN), abut_vec3(NAN, NAN, NAN));
}

bool abut_broad_is_bounded(const AbutBox* box)
{
    const float far = ABUT_BROAD_MAX_COORDINATE;
    return box->min.x >= -far && box->min.y >= -far && box->min.z >= -far && box->max.x <= far &&
           box->max.y <= far && box->max.z <= far;
}

static bool has_nan(const AbutBox* box)
{
    float sum = 0.0f * box->min.x; // NaN for an infinite side, too: only a hint
    sum += 0.0f * box->min.y + 0.0f * box->min.z + 0.0f * box->max.x + 0.0f * box->max.y + 0.0f * box->max.z;
    return sum != 0.0f && (isnan(box->min.x) || isnan(box->min.y) || isnan(box->min.z) || isnan(box->max.x) ||
                           isnan(box->max.y) || isnan(box->max.z));
}

AbutBox abut_broad_fat_box(const AbutBox* last, const AbutBox* box)
{
    if (!abut_broad_is_bounded(box) || !abut_broad_is_bounded(last)) // infinite or NaN
    {
        return *box;
    }
    AbutVec3 low = abut_vec3_scale(abut_vec3_sub(box->min, last->min), moves_ahead);
    AbutVec3 high = abut_vec3_scale(abut_vec3_sub(box->max, last->max), moves_ahead);
    float displacement = fabsf(low.x);
    const float displacements[5] = { fabsf(low.y), fabsf(low.z), fabsf(high.x), fabsf(high.y),
                                     fabsf(high.z) };
    for (int i = 0; i < 5; ++i)
    {
        displacement = displacements[i] > displacement ? displacements[i] : displacement;
    }
    if (!(displacement > 0.0f && displacement <= max_displacement * abut_box_side(box)))
    {
        return *box;
    }
    const AbutVec3 zero = { 0.0f, 0.0f, 0.0f };
    AbutBox fat_box = { abut_vec3_add(box->min, abut_vec3_min(low, zero)),
                        abut_vec3_add(box->max, abut_vec3_max(high, zero)) };
    return abut_box_expand(fat_box, aside * displacement);
}

void abut_broad_mark_changed(AbutBroad* broad, uint32_t id)
{
    if ((broad->flags[id] & ABUT_BROAD_CHANGED) == 0)
    {
        broad->flags[id] |= ABUT_BROAD_CHANGED;
        broad->changed[broad->changed_count++] = id;
    }
}

static bool is_alive(const AbutBroad* broad, uint32_t id)
{
    return id < broad->id_count && (broad->flags[id] & ABUT_BROAD_ALIVE) != 0;
}

static AbutResult unknown_id(const AbutBroad* broad, uint32_t id)
{
    return abut_fail(ABUT_INVALID_ARGUMENT, "no box has the id %u; there are %u boxes with ids below %u", id,
                     broad->live_count, broad->id_count);
}

// -----------------------------------------------------------------------------------------------------------
// Changes
// -----------------------------------------------------------------------------------------------------------

/// Capacity for one id more in all arrays by id.
static bool reserve_id(AbutBroad* broad)
{
    const AbutHost* host = &broad->host;
    const size_t count = (size_t)broad->id_count + 1;
    return abut_memory_grow(host, (void**)&broad->boxes, &broad->box_capacity, count, sizeof(AbutBox)) &&
           abut_memory_grow(host, (void**)&broad->last, &broad->last_capacity, count, sizeof(AbutBox)) &&
           abut_memory_grow(host, (void**)&broad->fat_boxes, &broad->fat_box_capacity, count,
                            sizeof(AbutBox)) &&
           abut_memory_grow(host, (void**)&broad->filters, &broad->filter_capacity, count,
                            sizeof(AbutBroadFilter)) &&
           abut_memory_grow(host, (void**)&broad->flags, &broad->flag_capacity, count, sizeof(uint8_t)) &&
           abut_memory_grow(host, (void**)&broad->pack_indices, &broad->pack_index_capacity, count,
                            sizeof(uint32_t)) &&
           abut_memory_grow(host, (void**)&broad->free_ids, &broad->free_capacity, count, sizeof(uint32_t)) &&
           abut_memory_grow(host, (void**)&broad->changed, &broad->changed_capacity, count, sizeof(uint32_t));
}

static void set_filter(AbutBroad* broad, uint32_t id, uint32_t group, uint32_t mask)
{
    broad->filters[id] = (AbutBroadFilter){ group, mask };
    broad->filtered |= group != UINT32_MAX || mask != UINT32_MAX;
}

AbutResult abut_broad_add(AbutBroad* broad, AbutBox box, uint32_t group, uint32_t mask, uint32_t* id)
{
    ABUT_FP_CALL(abut_broad_add, broad, box, group, mask, id);
    if (has_nan(&box))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "a box has a side that is not a number");
    }
    if (broad->free_count == 0)
    {
        if (broad->id_count == MAX_IDS)
        {
            return abut_fail(ABUT_LIMIT_EXCEEDED, "more than %d boxes", MAX_IDS);
        }
        if (!reserve_id(broad))
        {
            return ABUT_OUT_OF_MEMORY;
        }
        broad->flags[broad->id_count] = 0;
        broad->pack_indices[broad->id_count] = ABUT_BROAD_NONE;
        broad->free_ids[broad->free_count++] = broad->id_count++;
    }
    const uint32_t added = broad->free_ids[--broad->free_count];
    broad->boxes[added] = abut_box_is_empty(box) ? abut_broad_nan_box() : box;
    broad->last[added] = broad->boxes[added];
    broad->fat_boxes[added] = broad->boxes[added];
    broad->flags[added] |= ABUT_BROAD_ALIVE;
    broad->live_count += 1;
    broad->moved = true;
    set_filter(broad, added, group, mask);
    abut_broad_mark_changed(broad, added);
    *id = added;
    return ABUT_OK;
}

static void move_box(AbutBroad* broad, uint32_t id, const AbutBox* box)
{
    broad->last[id] = broad->boxes[id];
    broad->boxes[id] = abut_box_is_empty(*box) ? abut_broad_nan_box() : *box;
    AbutBox* fat_boxes = &broad->fat_boxes[id];
    if (!abut_box_contains(fat_boxes, &broad->boxes[id]) ||
        (!abut_broad_is_bounded(fat_boxes) && abut_broad_is_bounded(&broad->boxes[id]))) // finite again
    {
        *fat_boxes = abut_broad_fat_box(&broad->last[id], &broad->boxes[id]);
        abut_broad_mark_changed(broad, id);
    }
    broad->candidates_are_fat = true; // without a test whether the box has moved
}

AbutResult abut_broad_move(AbutBroad* broad, uint32_t id, AbutBox box)
{
    ABUT_FP_CALL(abut_broad_move, broad, id, box);
    return abut_broad_move_many(broad, &id, &box, 1);
}

AbutResult abut_broad_move_many(AbutBroad* broad, const uint32_t* ids, const AbutBox* boxes, size_t count)
{
    ABUT_FP_CALL(abut_broad_move_many, broad, ids, boxes, count);
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t id = ids != NULL ? ids[i] : (uint32_t)(i < UINT32_MAX ? i : UINT32_MAX);
        if (!is_alive(broad, id))
        {
            return unknown_id(broad, id);
        }
        if (has_nan(&boxes[i]))
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "the box of id %u has a side that is not a number", id);
        }
    }
    for (size_t i = 0; i < count; ++i)
    {
        move_box(broad, ids != NULL ? ids[i] : (uint32_t)i, &boxes[i]);
    }
    broad->moved |= count > 0;
    return ABUT_OK;
}

AbutResult abut_broad_set_filter(AbutBroad* broad, uint32_t id, uint32_t group, uint32_t mask)
{
    if (!is_alive(broad, id))
    {
        return unknown_id(broad, id);
    }
    set_filter(broad, id, group, mask);
    abut_broad_mark_changed(broad, id);
    broad->moved = true;
    return ABUT_OK;
}

AbutResult abut_broad_remove(AbutBroad* broad, uint32_t id)
{
    if (!is_alive(broad, id))
    {
        return unknown_id(broad, id);
    }
    broad->boxes[id] = abut_broad_nan_box();
    broad->fat_boxes[id] = broad->boxes[id];
    broad->flags[id] &= (uint8_t)~ABUT_BROAD_ALIVE;
    broad->live_count -= 1;
    broad->free_ids[broad->free_count++] = id;
    broad->moved = true;
    abut_broad_mark_changed(broad, id);
    return ABUT_OK;
}

uint32_t abut_broad_count(const AbutBroad* broad)
{
    return broad->live_count;
}

bool abut_broad_has(const AbutBroad* broad, uint32_t id)
{
    return is_alive(broad, id);
}

AbutBox abut_broad_box(const AbutBroad* broad, uint32_t id)
{
    return is_alive(broad, id) && broad->boxes[id].min.x <= broad->boxes[id].max.x ? broad->boxes[id]
                                                                                   : abut_box_empty();
}
