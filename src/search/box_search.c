#include "search/box_search.h"
#include "search/kernels.h"

#include "base/assert.h"
#include "search/gap_bound.h"

#include <math.h>
#include <string.h>

enum
{
    FIRST_PARTS = 4 // at most, along the longest side of a flat box
};

/// ½ to the power of a level, exactly.
static float half_power(uint32_t level)
{
    return 1.0f / (float)(1u << level);
}

static void push_first_parts(AbutSearch* search, const uint32_t count[3])
{
    const AbutBox* box = &search->pair->box;
    const float low[3] = { box->min.x, box->min.y, box->min.z };
    for (uint32_t i = 0; i < count[0] * count[1] * count[2]; ++i)
    {
        const uint32_t place[3] = { i % count[0], i / count[0] % count[1], i / count[0] / count[1] };
        AbutSearchBox part = { .level = 0, .low = -INFINITY };
        for (int axis = 0; axis < 3; ++axis)
        {
            part.center[axis] = low[axis] + search->half[axis] * (float)(2 * place[axis] + 1);
        }
        abut_search_push(search, &part);
    }
}

/// Radius of boxes from which on it pays to look at what lies between surfaces.
static float between_radius(const AbutPair* pair)
{
    float cell = fmaxf(pair->sides[0].cell_size, pair->sides[1].cell_size);
    return cell > 0.0f ? 1.8f * cell : 0.1f * pair->size;
}

static void set_last_level(AbutSearch* search, float finest)
{
    search->last_level = 1;
    for (float radius = 0.5f * search->radius; radius > finest && search->last_level < ABUT_SEARCH_LEVELS;
         radius *= 0.5f)
    {
        search->last_level += 1;
    }
}

void abut_search_init(AbutSearch* search, AbutPair* pair, float clear, float finest)
{
    AbutVec3 extents = abut_box_extents(pair->box);
    const float sides[3] = { extents.x, extents.y, extents.z };
    float longest = fmaxf(sides[0], fmaxf(sides[1], sides[2]));
    uint32_t count[3];
    search->pair = pair;
    search->clear = clear;
    search->least = pair->apart;
    search->stack_count = 0;
    search->next_count = 0;
    search->in_turn = false;
    search->by_level = false;
    search->views_set = false;
    search->gradients = false;
    float squared = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        float parts = floorf(FIRST_PARTS * sides[axis] / longest + 0.5f);
        count[axis] = parts >= 1.0f ? (uint32_t)parts : 1u; // also where the box is a point
        // A little wider than the part, so that rounding of the middles leaves no gap between parts.
        search->half[axis] = 0.5f * sides[axis] / (float)count[axis];
        squared += search->half[axis] * search->half[axis];
    }
    search->radius = sqrtf(squared) * (1.0f + 1e-5f) + 1e-6f * (abut_vec3_length(pair->box.min) + longest);
    search->between = between_radius(pair);
    set_last_level(search, finest);
    push_first_parts(search, count);
}

void abut_search_init_empty(AbutSearch* search, AbutPair* pair, float half, float clear, float finest)
{
    search->pair = pair;
    search->clear = clear;
    search->least = INFINITY;
    search->stack_count = 0;
    search->next_count = 0;
    search->in_turn = false;
    search->by_level = false;
    search->views_set = false;
    search->gradients = false;
    search->half[0] = search->half[1] = search->half[2] = half;
    float reach = fmaxf(abut_vec3_length(pair->box.min), abut_vec3_length(pair->box.max));
    search->radius = 1.7320509f * half * (1.0f + 1e-5f) + 1e-6f * reach;
    search->between = between_radius(pair);
    set_last_level(search, finest);
}

/// Takes boxes that are clear out of a list; returns how many stay.
static uint32_t keep_open(AbutSearchBox* boxes, uint32_t count, float clear)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        boxes[kept] = boxes[i];
        kept += boxes[i].low > clear ? 0 : 1;
    }
    return kept;
}

void abut_search_by_level(AbutSearch* search, float clear)
{
    search->clear = clear;
    search->in_turn = true;
    search->by_level = true;
    search->stack_count = keep_open(search->stack, search->stack_count, clear);
    AbutSearchBox* waiting = search->stack + ABUT_SEARCH_STACK - search->next_count;
    uint32_t kept = keep_open(waiting, search->next_count, clear);
    memmove(search->stack + ABUT_SEARCH_STACK - kept, waiting, kept * sizeof(*waiting));
    search->next_count = kept;
}

void abut_search_push(AbutSearch* search, const AbutSearchBox* box)
{
    bool has_room = search->stack_count + search->next_count < ABUT_SEARCH_STACK;
    ABUT_ASSERT(has_room || search->by_level);
    if (search->in_turn && has_room)
    {
        search->next_count += 1;
        search->stack[ABUT_SEARCH_STACK - search->next_count] = *box;
    }
    else if (has_room)
    {
        search->stack[search->stack_count++] = *box;
    }
}

/// Takes a box off the stack, or the first of those that wait; these come with the next step, unless boxes are searched by level.
static bool pop(AbutSearch* search, AbutSearchBox* box)
{
    bool has_turn = search->batch.count == 0 || !search->in_turn || search->by_level;
    if (search->stack_count == 0 && search->next_count > 0 && has_turn)
    {
        memmove(search->stack, search->stack + ABUT_SEARCH_STACK - search->next_count,
                search->next_count * sizeof(search->stack[0]));
        search->stack_count = search->next_count;
        search->next_count = 0;
    }
    if (search->stack_count == 0)
    {
        return false;
    }
    *box = search->stack[--search->stack_count];
    return true;
}

static void look_at(AbutSearch* search, const AbutSearchBox* box)
{
    size_t i = search->batch.count++;
    search->children[i] = *box;
    search->children[i].fresh = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        search->batch.at[axis][i] = box->center[axis];
    }
}

static void divide(AbutSearch* search, const AbutSearchBox* box)
{
    float scale = 0.5f * half_power(box->level); // of the half sides of the parts
    for (int corner = 0; corner < 8; ++corner)
    {
        size_t i = search->batch.count++;
        AbutSearchBox* child = &search->children[i];
        child->level = box->level + 1;
        child->fresh = false;
        for (int axis = 0; axis < 3; ++axis)
        {
            float step = search->half[axis] * scale;
            child->center[axis] = box->center[axis] + ((corner >> axis & 1) != 0 ? step : -step);
            search->batch.at[axis][i] = child->center[axis];
        }
    }
}

/// The batch that is looked at: parts around its points, and how large they are.
typedef struct Parts
{
    AbutPairBatch* batch;
    float radius[ABUT_PAIR_BATCH]; // half-diagonal
    float scale[ABUT_PAIR_BATCH];  // of sides, compared with a first part
    float low[ABUT_PAIR_BATCH];    // of max(distance of A, distance of B), over the part
    bool
        small; // some are small enough to be looked at as what lies between two surfaces, which takes gradients
} Parts;

static void add_part(const AbutSearch* search, Parts* parts, size_t i, uint32_t level)
{
    parts->scale[i] = half_power(level);
    parts->radius[i] = search->radius * parts->scale[i];
    parts->small = parts->small || parts->radius[i] <= search->between;
}

/// Closes open parts that lie between the surfaces.
static void look_between(AbutSearch* search, Parts* parts, bool open[ABUT_PAIR_BATCH])
{
    AbutPairBatch* batch = parts->batch;
    uint8_t wanted[ABUT_PAIR_BATCH];
    float scale[ABUT_PAIR_BATCH], low[ABUT_PAIR_BATCH];
    bool any = false;
    for (size_t i = 0; i < batch->count; ++i)
    {
        float sum = batch->distance[0][i] + batch->distance[1][i];
        wanted[i] = open[i] && parts->radius[i] <= search->between && sum > 2.0f * search->clear;
        scale[i] = 1.00001f * parts->scale[i];
        any = any || wanted[i];
    }
    if (!any)
    {
        return;
    }
    abut_pair_low_between(search->pair, batch, wanted, search->half, scale, low);
    for (size_t i = 0; i < batch->count; ++i)
    {
        if (wanted[i] && low[i] > parts->low[i])
        {
            parts->low[i] = low[i];
            open[i] = !(low[i] > search->clear);
        }
    }
}

/// What a part has for `low` when its middle is so far from a solid, by a bound or by a sample.
static float over_slope(const AbutPairSide* side, float distance)
{
    return side->slope == 1.0f ? distance : distance / side->slope;
}

/// What the samples alone say, with errors that hold anywhere. By levels nothing is proved any more, and errors do not
/// count.
static void look_at_samples(AbutSearch* search, Parts* parts, bool open[ABUT_PAIR_BATCH])
{
    const AbutPairSide* sides = search->pair->sides;
    const AbutPairBatch* batch = parts->batch;
    float errors[2] = { search->by_level ? 0.0f : sides[0].error, search->by_level ? 0.0f : sides[1].error };
    for (size_t i = 0; i < batch->count; ++i)
    {
        float a = over_slope(&sides[0], batch->distance[0][i] - errors[0]);
        float b = over_slope(&sides[1], batch->distance[1][i] - errors[1]);
        parts->low[i] = (a > b ? a : b) - parts->radius[i];
        open[i] = !(parts->low[i] > search->clear);
    }
}

/// Looks up the errors of fields where those could close a part.
static void look_at_errors(AbutSearch* search, Parts* parts, bool open[ABUT_PAIR_BATCH])
{
    const AbutPair* pair = search->pair;
    for (size_t i = 0; i < parts->batch->count; ++i)
    {
        float limit = parts->radius[i] + search->clear;
        for (int side = 0; side < 2 && open[i]; ++side)
        {
            if (pair->sides[side].is_field &&
                over_slope(&pair->sides[side], parts->batch->distance[side][i]) > limit)
            {
                float low = abut_pair_low(pair, side, parts->batch, i, limit) - parts->radius[i];
                parts->low[i] = low > parts->low[i] ? low : parts->low[i];
                open[i] = !(parts->low[i] > search->clear);
            }
        }
    }
}

/// Looks up errors where that may help, and takes down how clear parts are.
static void finish_open(AbutSearch* search, Parts* parts, bool open[ABUT_PAIR_BATCH])
{
    if (!search->by_level)
    {
        look_at_errors(search, parts, open);
    }
    for (size_t i = 0; i < parts->batch->count; ++i)
    {
        search->least = !open[i] && parts->low[i] < search->least ? parts->low[i] : search->least;
    }
}

/// Tells from the samples at their middles which parts are not clear: by what is known at once first.
static void mark_open(AbutSearch* search, Parts* parts, bool open[ABUT_PAIR_BATCH])
{
    look_at_samples(search, parts, open);
    if (parts->small)
    {
        look_between(search, parts, open);
    }
    finish_open(search, parts, open);
}

static bool set_views(AbutSearch* search)
{
    if (!search->views_set)
    {
        search->views_set = true;
        search->has_views = abut_pair_far_fields(search->pair, search->far) &&
                            abut_pair_fields_init(&search->fields, search->pair);
    }
    return search->has_views;
}

const AbutPairFields* abut_search_fields(AbutSearch* search)
{
    return set_views(search) ? &search->fields : NULL;
}

/// Samples, looks at what they say and between the surfaces, all at once.
static void bound_parts(AbutSearch* search, Parts* parts, bool open[ABUT_PAIR_BATCH])
{
    AbutPair* pair = search->pair;
    AbutPairBatch* batch = parts->batch;
    for (size_t i = batch->count; i % 8 != 0; ++i)
    {
        parts->radius[i] = parts->radius[0];
        parts->scale[i] = parts->scale[0];
        for (int axis = 0; axis < 3; ++axis)
        {
            batch->at[axis][i] = batch->at[axis][0];
        }
    }
    AbutPartBounds bounds = {
        .sides = search->fields.sides,
        .far = search->far,
        .at = { batch->at[0], batch->at[1], batch->at[2] },
        .radius = parts->radius,
        .scale = parts->scale,
        .half = { 1.00001f * search->half[0], 1.00001f * search->half[1], 1.00001f * search->half[2] },
        .between = search->between,
        .clear = search->clear,
        .error = { search->by_level ? 0.0f : pair->sides[0].error,
                   search->by_level ? 0.0f : pair->sides[1].error },
        .distance = { batch->distance[0], batch->distance[1] },
        .low = parts->low,
        .count = batch->count,
    };
    for (int axis = 0; axis < 3 && search->gradients; ++axis)
    {
        bounds.gradient[0][axis] = batch->gradient[0][axis];
        bounds.gradient[1][axis] = batch->gradient[1][axis];
    }
    abut_search_kernels()->bound(&bounds);
    pair->evaluations += batch->count;
    for (size_t i = 0; i < batch->count; ++i)
    {
        open[i] = !(parts->low[i] > search->clear);
    }
}

static void look_at_parts(AbutSearch* search, Parts* parts, bool open[ABUT_PAIR_BATCH])
{
    if (set_views(search))
    {
        bound_parts(search, parts, open);
        finish_open(search, parts, open);
        return;
    }
    abut_pair_sample(search->pair, parts->batch, parts->small || search->gradients);
    mark_open(search, parts, open);
}

size_t abut_search_step(AbutSearch* search, bool open[ABUT_PAIR_BATCH])
{
    search->batch.count = 0;
    AbutSearchBox box;
    while (search->batch.count + 8 <= ABUT_PAIR_BATCH && pop(search, &box))
    {
        (box.fresh ? look_at : divide)(search, &box);
    }
    if (search->batch.count == 0)
    {
        return 0;
    }
    Parts parts = { .batch = &search->batch, .small = false };
    for (size_t i = 0; i < search->batch.count; ++i)
    {
        add_part(search, &parts, i, search->children[i].level);
    }
    look_at_parts(search, &parts, open);
    for (size_t i = 0; i < search->batch.count; ++i)
    {
        search->children[i].low = parts.low[i];
    }
    return search->batch.count;
}

bool abut_search_ends_open(AbutSearch* search, AbutPairBatch* batch)
{
    Parts parts = { .batch = batch, .small = false };
    for (size_t i = 0; i < batch->count; ++i)
    {
        add_part(search, &parts, i, search->last_level);
    }
    bool open[ABUT_PAIR_BATCH], any = false;
    float least = search->least; // these parts are not what the search proves
    mark_open(search, &parts, open);
    search->least = least;
    for (size_t i = 0; i < batch->count; ++i)
    {
        any = any || open[i];
    }
    return any;
}
