#include "search/box_search.h"
#include "search/kernels.h"

#include "base/assert.h"
#include "search/dual_octree.h"
#include "search/gap_bound.h"

#include <math.h>
#include <string.h>

enum
{
    ROOT_BOXES = 4 // at most, along the longest side of a flat box
};

/// ½ to the power of a level, exactly.
static float half_power(uint32_t level)
{
    return 1.0f / (float)(1u << level);
}

static void push_root_boxes(AbutBoxSearch* search, const uint32_t count[3])
{
    const AbutBox* box = &search->pair->box;
    const float low[3] = { box->min.x, box->min.y, box->min.z };
    for (uint32_t i = 0; i < count[0] * count[1] * count[2]; ++i)
    {
        const uint32_t cell[3] = { i % count[0], i / count[0] % count[1], i / count[0] / count[1] };
        const AbutSearchBox root_box = { .level = 0,
                                         .low = -INFINITY,
                                         .center = { low[0] + search->half[0] * (float)(2 * cell[0] + 1),
                                                     low[1] + search->half[1] * (float)(2 * cell[1] + 1),
                                                     low[2] + search->half[2] * (float)(2 * cell[2] + 1) } };
        abut_box_search_push(search, &root_box);
    }
}

/// Largest half-diagonal of boxes for which a gap bound pays.
static float find_gap_bound_radius(const AbutPair* pair)
{
    float cell = fmaxf(pair->sides[0].cell_size, pair->sides[1].cell_size);
    return cell > 0.0f ? 1.8f * cell : 0.1f * pair->size;
}

static void set_last_level(AbutBoxSearch* search, float finest)
{
    search->last_level = 1;
    for (float radius = 0.5f * search->radius; radius > finest && search->last_level < ABUT_BOX_SEARCH_LEVELS;
         radius *= 0.5f)
    {
        search->last_level += 1;
    }
}

void abut_box_search_init(AbutBoxSearch* search, AbutPair* pair, float threshold, float finest)
{
    AbutVec3 extents = abut_box_extents(pair->box);
    const float sides[3] = { extents.x, extents.y, extents.z };
    float longest = fmaxf(sides[0], fmaxf(sides[1], sides[2]));
    uint32_t count[3];
    search->pair = pair;
    search->threshold = threshold;
    search->least = pair->box_margin;
    search->stack_count = 0;
    search->next_count = 0;
    search->breadth_first = false;
    search->by_level = false;
    search->views_set = false;
    search->gradients = false;
    search->by_bounds = false;
    float squared = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        float boxes = floorf(ROOT_BOXES * sides[axis] / longest + 0.5f);
        count[axis] = boxes >= 1.0f ? (uint32_t)boxes : 1u; // also where the box is a point
        // A little wider than the box, so that rounding of the middles leaves no gap between boxes.
        search->half[axis] = 0.5f * sides[axis] / (float)count[axis];
        squared += search->half[axis] * search->half[axis];
    }
    search->radius = sqrtf(squared) * (1.0f + 1e-5f) + 1e-6f * (abut_vec3_length(pair->box.min) + longest);
    search->gap_bound_radius = find_gap_bound_radius(pair);
    set_last_level(search, finest);
    push_root_boxes(search, count);
}

void abut_box_search_init_empty(AbutBoxSearch* search, AbutPair* pair, float half, float threshold,
                                float finest)
{
    search->pair = pair;
    search->threshold = threshold;
    search->least = INFINITY;
    search->stack_count = 0;
    search->next_count = 0;
    search->breadth_first = false;
    search->by_level = false;
    search->views_set = false;
    search->gradients = false;
    search->by_bounds = false;
    search->half[0] = search->half[1] = search->half[2] = half;
    float extent = fmaxf(abut_vec3_length(pair->box.min), abut_vec3_length(pair->box.max));
    search->radius = 1.7320509f * half * (1.0f + 1e-5f) + 1e-6f * extent;
    search->gap_bound_radius = find_gap_bound_radius(pair);
    set_last_level(search, finest);
}

/// Removes separated boxes from a list; returns the count of the rest.
static uint32_t keep_open(AbutSearchBox* boxes, uint32_t count, float threshold)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        boxes[kept] = boxes[i];
        kept += boxes[i].low > threshold ? 0 : 1;
    }
    return kept;
}

void abut_box_search_by_level(AbutBoxSearch* search, float threshold)
{
    search->threshold = threshold;
    search->breadth_first = true;
    search->by_level = true;
    search->stack_count = keep_open(search->stack, search->stack_count, threshold);
    AbutSearchBox* waiting = search->stack + ABUT_BOX_SEARCH_STACK - search->next_count;
    uint32_t kept = keep_open(waiting, search->next_count, threshold);
    memmove(search->stack + ABUT_BOX_SEARCH_STACK - kept, waiting, kept * sizeof(*waiting));
    search->next_count = kept;
}

void abut_box_search_push(AbutBoxSearch* search, const AbutSearchBox* box)
{
    bool has_capacity = search->stack_count + search->next_count < ABUT_BOX_SEARCH_STACK;
    ABUT_ASSERT(has_capacity || search->by_level);
    if (search->breadth_first && has_capacity)
    {
        search->next_count += 1;
        search->stack[ABUT_BOX_SEARCH_STACK - search->next_count] = *box;
    }
    else if (has_capacity)
    {
        search->stack[search->stack_count++] = *box;
    }
}

/// Pops a box, or takes the first waiting one; waiting boxes come with the next step, but at once in a search
/// by level.
static bool pop(AbutBoxSearch* search, AbutSearchBox* box)
{
    bool may_swap = search->batch.count == 0 || !search->breadth_first || search->by_level;
    if (search->stack_count == 0 && search->next_count > 0 && may_swap)
    {
        memmove(search->stack, search->stack + ABUT_BOX_SEARCH_STACK - search->next_count,
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

static void classify(AbutBoxSearch* search, const AbutSearchBox* box)
{
    size_t i = search->batch.count++;
    search->children[i] = *box;
    search->children[i].fresh = false;
    abut_pair_batch_set(&search->batch, i, abut_vec3(box->center[0], box->center[1], box->center[2]));
}

static void divide(AbutBoxSearch* search, const AbutSearchBox* box)
{
    float scale = 0.5f * half_power(box->level); // of the half sides of the children
    for (int corner = 0; corner < 8; ++corner)
    {
        size_t i = search->batch.count++;
        AbutSearchBox* child = &search->children[i];
        child->level = box->level + 1;
        child->fresh = false;
        child->sample = NULL;
        for (int axis = 0; axis < 3; ++axis)
        {
            float step = search->half[axis] * scale;
            child->center[axis] = box->center[axis] + ((corner >> axis & 1) != 0 ? step : -step);
            search->batch.at[axis][i] = child->center[axis];
        }
    }
}

/// A batch of boxes: their middles and sizes.
typedef struct BoxBatch
{
    AbutPairBatch* batch;
    float radius[ABUT_PAIR_BATCH]; // half-diagonal
    float scale[ABUT_PAIR_BATCH];  // of sides, relative to a root box
    float low[ABUT_PAIR_BATCH];    // lower bound of max(distance of A, distance of B) over the box
    bool small;                    // some are small enough for a gap bound, which needs gradients
} BoxBatch;

static void add_box(const AbutBoxSearch* search, BoxBatch* boxes, size_t i, uint32_t level)
{
    boxes->scale[i] = half_power(level);
    boxes->radius[i] = search->radius * boxes->scale[i];
    boxes->small = boxes->small || boxes->radius[i] <= search->gap_bound_radius;
}

/// Closes open boxes by the gap bound.
static void bound_gaps(AbutBoxSearch* search, BoxBatch* boxes, bool open[ABUT_PAIR_BATCH])
{
    AbutPairBatch* batch = boxes->batch;
    uint8_t wanted[ABUT_PAIR_BATCH];
    float scale[ABUT_PAIR_BATCH], low[ABUT_PAIR_BATCH];
    bool any = false;
    for (size_t i = 0; i < batch->count; ++i)
    {
        float sum = batch->distance[0][i] + batch->distance[1][i];
        wanted[i] = open[i] && boxes->radius[i] <= search->gap_bound_radius && sum > 2.0f * search->threshold;
        scale[i] = 1.00001f * boxes->scale[i];
        any = any || wanted[i];
    }
    if (!any)
    {
        return;
    }
    abut_gap_bound(search->pair, batch, wanted, search->half, scale, low);
    for (size_t i = 0; i < batch->count; ++i)
    {
        if (wanted[i] && low[i] > boxes->low[i])
        {
            boxes->low[i] = low[i];
            open[i] = !(low[i] > search->threshold);
        }
    }
}

/// The `low` of a box whose middle has this distance from a solid, by a bound or by a sample.
static float over_slope(const AbutPairSide* side, float distance)
{
    return side->slope == 1.0f ? distance : distance / side->slope;
}

/// Bounds from the samples alone, with errors that hold anywhere. A search by level proves nothing, and
/// errors do not count.
static void bound_by_samples(AbutBoxSearch* search, BoxBatch* boxes, bool open[ABUT_PAIR_BATCH])
{
    const AbutPairSide* sides = search->pair->sides;
    const AbutPairBatch* batch = boxes->batch;
    float errors[2] = { search->by_level ? 0.0f : sides[0].error, search->by_level ? 0.0f : sides[1].error };
    for (size_t i = 0; i < batch->count; ++i)
    {
        float a = over_slope(&sides[0], batch->distance[0][i] - errors[0]);
        float b = over_slope(&sides[1], batch->distance[1][i] - errors[1]);
        boxes->low[i] = (a > b ? a : b) - boxes->radius[i];
        open[i] = !(boxes->low[i] > search->threshold);
    }
}

/// Looks up errors where these could close a box.
static void bound_by_errors(AbutBoxSearch* search, BoxBatch* boxes, bool open[ABUT_PAIR_BATCH])
{
    const AbutPair* pair = search->pair;
    for (size_t i = 0; i < boxes->batch->count; ++i)
    {
        float limit = boxes->radius[i] + search->threshold;
        for (int side = 0; side < 2 && open[i]; ++side)
        {
            if ((pair->sides[side].is_field || pair->sides[side].local_error) &&
                over_slope(&pair->sides[side], boxes->batch->distance[side][i]) > limit)
            {
                float low = abut_pair_low(pair, side, boxes->batch, i, limit) - boxes->radius[i];
                boxes->low[i] = low > boxes->low[i] ? low : boxes->low[i];
                open[i] = !(boxes->low[i] > search->threshold);
            }
        }
    }
}

/// Looks up errors where that may help, and folds the bounds of separated boxes into `least`.
static void finish_open(AbutBoxSearch* search, BoxBatch* boxes, bool open[ABUT_PAIR_BATCH])
{
    if (!search->by_level)
    {
        bound_by_errors(search, boxes, open);
    }
    for (size_t i = 0; i < boxes->batch->count; ++i)
    {
        search->least = !open[i] && boxes->low[i] < search->least ? boxes->low[i] : search->least;
    }
}

/// Marks open boxes from the samples at their middles: by the cheapest bounds first.
static void mark_open(AbutBoxSearch* search, BoxBatch* boxes, bool open[ABUT_PAIR_BATCH])
{
    bound_by_samples(search, boxes, open);
    if (boxes->small)
    {
        bound_gaps(search, boxes, open);
    }
    finish_open(search, boxes, open);
}

static bool set_views(AbutBoxSearch* search)
{
    if (!search->views_set)
    {
        search->views_set = true;
        search->has_views = abut_gap_bound_fields(search->pair, search->far) &&
                            abut_field_pair_init(&search->fields, search->pair);
    }
    return search->has_views;
}

const AbutFieldPair* abut_box_search_fields(AbutBoxSearch* search)
{
    return set_views(search) ? &search->fields : NULL;
}

/// Writes the samples that a device has taken to the batch of the last step; false where one is missing.
static bool take_recorded(const AbutBoxSearch* search, AbutPairBatch* batch)
{
    for (size_t i = 0; i < batch->count; ++i)
    {
        if (search->children[i].sample == NULL)
        {
            return false;
        }
    }
    for (size_t i = 0; i < (batch->count + 7) / 8 * 8; ++i)
    {
        const AbutRecordedSample* sample = search->children[i < batch->count ? i : 0].sample;
        for (int side = 0; side < 2; ++side)
        {
            batch->distance[side][i] = sample->distance[side];
            batch->gradient[side][0][i] = sample->gradient[side][0];
            batch->gradient[side][1][i] = sample->gradient[side][1];
            batch->gradient[side][2][i] = sample->gradient[side][2];
        }
    }
    return true;
}

/// Samples, bounds by samples and gap bounds in one kernel.
static void bound_boxes(AbutBoxSearch* search, BoxBatch* boxes, bool open[ABUT_PAIR_BATCH])
{
    AbutPair* pair = search->pair;
    AbutPairBatch* batch = boxes->batch;
    for (size_t i = batch->count; i % 8 != 0; ++i)
    {
        boxes->radius[i] = boxes->radius[0];
        boxes->scale[i] = boxes->scale[0];
        abut_pair_batch_set(batch, i, abut_pair_batch_point(batch, 0));
    }
    bool recorded = take_recorded(search, batch);
    AbutBoxSearchBounds bounds = {
        .sides = recorded ? NULL : search->fields.sides,
        .far = search->far,
        .at = { batch->at[0], batch->at[1], batch->at[2] },
        .radius = boxes->radius,
        .scale = boxes->scale,
        .half = { 1.00001f * search->half[0], 1.00001f * search->half[1], 1.00001f * search->half[2] },
        .gap_bound_radius = search->gap_bound_radius,
        .threshold = search->threshold,
        .error = { search->by_level ? 0.0f : pair->sides[0].error,
                   search->by_level ? 0.0f : pair->sides[1].error },
        .distance = { batch->distance[0], batch->distance[1] },
        .low = boxes->low,
        .count = batch->count,
    };
    for (int axis = 0; axis < 3 && (search->gradients || recorded); ++axis)
    {
        bounds.gradient[0][axis] = batch->gradient[0][axis];
        bounds.gradient[1][axis] = batch->gradient[1][axis];
    }
    abut_search_kernels()->bound(&bounds);
    pair->evaluations += batch->count;
    for (size_t i = 0; i < batch->count; ++i)
    {
        open[i] = !(boxes->low[i] > search->threshold);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Boxes of a pair with a shape whose bounds are cheaper than its samples
// -----------------------------------------------------------------------------------------------------------

/// Some points of a batch, by their numbers.
typedef struct Selection
{
    float at[3][ABUT_PAIR_BATCH];
    float distance[ABUT_PAIR_BATCH], gradient[3][ABUT_PAIR_BATCH];
    uint8_t numbers[ABUT_PAIR_BATCH];
    size_t count;
} Selection;

static void select_point(Selection* self, const AbutPairBatch* batch, size_t i)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        self->at[axis][self->count] = batch->at[axis][i];
    }
    self->numbers[self->count++] = (uint8_t)i;
}

/// Samples one side at the selected points of the batch.
static void sample_selection(const AbutPairSide* side, int number, Selection* self, AbutPairBatch* batch)
{
    abut_pair_side_sample(
        side, (AbutPoints){ self->at[0], self->at[1], self->at[2] }, self->count,
        (AbutSamples){ self->distance, self->gradient[0], self->gradient[1], self->gradient[2] });
    for (size_t k = 0; k < self->count; ++k)
    {
        size_t i = self->numbers[k];
        batch->distance[number][i] = self->distance[k] - side->inflate;
        for (int axis = 0; axis < 3; ++axis)
        {
            batch->gradient[number][axis][i] = self->gradient[axis][k];
        }
    }
}

/// The side whose bounds are cheap, or −1.
static int bounded_side(const AbutBoxSearch* search)
{
    const AbutPairSide* sides = search->pair->sides;
    int side = abut_pair_side_has_bound(&sides[0]) ? 0 : 1;
    return search->by_bounds && !search->by_level && abut_pair_side_has_bound(&sides[side]) ? side : -1;
}

/// Raises the bounds of boxes by those of one solid, and returns whether box `i` is open.
static bool raise_low(const AbutBoxSearch* search, int number, BoxBatch* boxes, size_t i)
{
    const AbutPairSide* side = &search->pair->sides[number];
    float low = over_slope(side, boxes->batch->distance[number][i] - side->error) - boxes->radius[i];
    boxes->low[i] = low > boxes->low[i] ? low : boxes->low[i];
    return !(boxes->low[i] > search->threshold);
}

/// Bounds of one solid, samples of the other where those leave a box open, and samples of the first where
/// boxes of the last level are still open.
static void mark_open_by_bounds(AbutBoxSearch* search, int bounded, BoxBatch* boxes,
                                bool open[ABUT_PAIR_BATCH])
{
    AbutPair* pair = search->pair;
    AbutPairBatch* batch = boxes->batch;
    Selection selection;
    abut_pair_side_bound(&pair->sides[bounded], (AbutPoints){ batch->at[0], batch->at[1], batch->at[2] },
                         batch->count, batch->distance[bounded]);
    selection.count = 0;
    for (size_t i = 0; i < batch->count; ++i)
    {
        boxes->low[i] = -INFINITY;
        open[i] = raise_low(search, bounded, boxes, i);
        if (open[i])
        {
            select_point(&selection, batch, i);
        }
    }
    sample_selection(&pair->sides[1 - bounded], 1 - bounded, &selection, batch);
    size_t count = selection.count;
    selection.count = 0;
    for (size_t k = 0; k < count; ++k)
    {
        size_t i = selection.numbers[k];
        open[i] = raise_low(search, 1 - bounded, boxes, i);
        if (open[i] && search->children[i].level >= search->last_level)
        {
            select_point(&selection, batch, i);
        }
    }
    sample_selection(&pair->sides[bounded], bounded, &selection, batch);
    for (size_t k = 0; k < selection.count; ++k)
    {
        open[selection.numbers[k]] = raise_low(search, bounded, boxes, selection.numbers[k]);
    }
    pair->evaluations += count; // bounds are not evaluations
}

static void classify_boxes(AbutBoxSearch* search, BoxBatch* boxes, bool open[ABUT_PAIR_BATCH])
{
    int bounded = bounded_side(search);
    if (bounded >= 0)
    {
        mark_open_by_bounds(search, bounded, boxes, open);
    }
    else if (set_views(search))
    {
        bound_boxes(search, boxes, open);
    }
    else
    {
        abut_pair_sample(search->pair, boxes->batch, boxes->small || search->gradients);
        mark_open(search, boxes, open);
        return;
    }
    finish_open(search, boxes, open);
}

size_t abut_box_search_step(AbutBoxSearch* search, bool open[ABUT_PAIR_BATCH])
{
    ABUT_ASSERT(search->stack_count + search->next_count <= ABUT_BOX_SEARCH_STACK);
    search->batch.count = 0;
    AbutSearchBox box;
    while (search->batch.count + 8 <= ABUT_PAIR_BATCH && pop(search, &box))
    {
        (box.fresh ? classify : divide)(search, &box);
    }
    if (search->batch.count == 0)
    {
        return 0;
    }
    BoxBatch boxes = { .batch = &search->batch, .small = false };
    for (size_t i = 0; i < search->batch.count; ++i)
    {
        add_box(search, &boxes, i, search->children[i].level);
    }
    classify_boxes(search, &boxes, open);
    for (size_t i = 0; i < search->batch.count; ++i)
    {
        search->children[i].low = boxes.low[i];
    }
    return search->batch.count;
}

bool abut_box_search_ends_open(AbutBoxSearch* search, AbutPairBatch* batch)
{
    BoxBatch boxes = { .batch = batch, .small = false };
    for (size_t i = 0; i < batch->count; ++i)
    {
        add_box(search, &boxes, i, search->last_level);
    }
    bool open[ABUT_PAIR_BATCH], any = false;
    float least = search->least; // these boxes are no part of the proof
    mark_open(search, &boxes, open);
    search->least = least;
    for (size_t i = 0; i < batch->count; ++i)
    {
        any = any || open[i];
    }
    return any;
}
