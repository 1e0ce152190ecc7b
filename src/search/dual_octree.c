#include "search/dual_octree.h"

#include "base/assert.h"
#include "field/field.h"
#include "search/kernels.h"
#include "search/running_minima.h"
#include "simd/lane_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BRICK_LEVEL = 3, // a brick has 2³ cells along a side
    FINEST_LEVEL = 1
};

/// Half-diagonal of a cube with sides of 1.
static const float HALF_DIAGONAL = 0.8660255f;

/// Of the largest coordinate in B. What contributes less to a coordinate counts as 0: it is a fraction of the
/// rounding, and points are beyond a grid by nothing or by lengths whose squares are normal numbers, which
/// devices do not flush (gpu/node_range.h).
static const double LEAST_SHARE = 1e-10;

static float share_of(double element, double largest, double least)
{
    return fabs(element) * largest < least ? 0.0f : (float)element;
}

/// Cells of A to cells of B, in double.
static void locate_b(AbutDualOctree* self, const AbutPair* pair, const AbutFieldHeader* a,
                     const AbutFieldHeader* b)
{
    const AbutTransform* frame = &pair->relative;
    double open_distance = 0.0, per_cell = 1.0 / (frame->scale * b->cell_size);
    for (int row = 0; row < 3; ++row)
    {
        double shift = 0.0, elements[3], extents[3], largest = 0.0;
        for (int column = 0; column < 3; ++column)
        {
            double element = frame->rotation.m[column][row] * per_cell; // the inverse of a rotation
            elements[column] = element * a->cell_size;
            extents[column] = a->brick_count[column] * (double)ABUT_BRICK_CELLS;
            shift += element * (a->origin[column] - abut_dvec3_get(frame->translation, column));
            largest += fabs(elements[column]) * extents[column];
        }
        shift -= b->origin[row] / b->cell_size;
        largest += fabs(shift);
        for (int column = 0; column < 3; ++column)
        {
            self->pair.to_b[row][column] = share_of(elements[column], extents[column], LEAST_SHARE * largest);
        }
        self->pair.to_b[row][3] = share_of(shift, 1.0, LEAST_SHARE * largest);
        open_distance += largest;
    }
    float ratio = (float)(frame->scale * b->cell_size / a->cell_size);
    self->pair.ratio = ratio * (1.0f - 1e-6f); // rounds distances in B down
    self->pair.rounding = 1e-6f * (float)open_distance;
    self->rounding = self->pair.rounding * ratio;
}

static void attach_b(AbutDualOctreePair* pair, const AbutDistanceOctree* b)
{
    pair->b_step = b->step;
    pair->leaves = b->leaves;
    pair->first_brick = (uint32_t)(b->levels[0] - b->leaves);
    pair->slots = b->slots;
    pair->brick_row = b->brick_count[0];
    pair->brick_slab = b->brick_count[0] * b->brick_count[1];
    pair->group_row = b->group_count[0][0];
    pair->group_slab = b->group_count[0][0] * b->group_count[0][1];
    for (int axis = 0; axis < 3; ++axis)
    {
        pair->cells[axis] = (float)(b->brick_count[axis] * ABUT_BRICK_CELLS);
        pair->last[axis] = 0.5f * pair->cells[axis] - 1.0f;
    }
}

/// Distance from A's solid to the faces of its grid, in cells.
static float border(const AbutFieldHeader* a)
{
    double least = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        double end = a->origin[axis] + a->cell_size * a->brick_count[axis] * ABUT_BRICK_CELLS;
        double before = (double)a->solid[axis] - a->origin[axis], after = end - (double)a->solid[axis + 3];
        least = before < least ? before : least;
        least = after < least ? after : least;
    }
    return least > 0.0 ? (float)(least * (1.0 - 1e-6) / a->cell_size) : 0.0f;
}

/// True when both shapes are fields with octrees. Boxes of up to 2^`largest_level` cells are not divided.
static bool begin(AbutDualOctree* self, const AbutPair* pair, float threshold, float size,
                  int32_t largest_level)
{
    if (!pair->sides[0].is_field || !pair->sides[1].is_field)
    {
        return false;
    }
    const AbutField *a = abut_field_of(pair->sides[0].shape), *b = abut_field_of(pair->sides[1].shape);
    if (a->octree.leaves == NULL || b->octree.leaves == NULL)
    {
        return false;
    }
    const AbutFieldHeader* header = a->block;
    self->octree = &a->octree;
    self->pair.a_step = a->octree.step;
    self->cell_size = header->cell_size;
    self->origin = abut_dvec3_from_array(header->origin);
    locate_b(self, pair, header, b->block);
    attach_b(&self->pair, &b->octree);
    self->threshold = threshold / (float)header->cell_size;
    self->pair.inflate = pair->sides[1].inflate / (float)header->cell_size;
    self->border = border(header);
    self->last_level = FINEST_LEVEL;
    while ((double)(2u << self->last_level) * header->cell_size <= 1.001 * (double)size &&
           self->last_level < largest_level &&
           self->last_level < BRICK_LEVEL + (int32_t)self->octree->level_count)
    {
        self->last_level += 1;
    }
    abut_running_minima_init(self->least);
    self->stack[0] = (AbutOctreeBox){ .level = (int32_t)self->octree->level_count + BRICK_LEVEL };
    self->stack_count = 1;
    self->evaluations = 0;
    self->surface_only = false;
    return true;
}

/// Finds the traversal of a device with these bounds. Always true.
static bool attach_recorded(AbutDualOctree* self, const AbutPair* pair)
{
    self->recorded = NULL;
    self->missing = 0;
    memset((void*)self->samples, 0, sizeof(self->samples));
    for (uint32_t i = 0; i < pair->recorded_count && self->recorded == NULL; ++i)
    {
        const AbutRecordedOctree* recorded = &pair->recorded[i];
        if (recorded->threshold == self->threshold && recorded->last_level == self->last_level)
        {
            self->recorded = recorded;
            self->numbers[0] = recorded->root;
        }
    }
    return true;
}

bool abut_dual_octree_init(AbutDualOctree* self, const AbutPair* pair, float threshold, float size)
{
    return begin(self, pair, threshold, size, INT32_MAX) &&
           self->threshold <= self->border && // no intersection beyond A's grid
           attach_recorded(self, pair);
}

// Surfaces at most 2 · threshold apart are joined by a segment of that length. Its point at the distance
// `border` from A's surface is in the grid, and the rest of the segment, to B's surface, is at most 2 ·
// threshold − border long.
bool abut_dual_octree_init_speculative(AbutDualOctree* self, const AbutPair* pair, float threshold,
                                       float size)
{
    // The thread of a nut is finer than the spacing of its contacts: larger boxes lose some that bear it.
    if (!begin(self, pair, threshold, size, BRICK_LEVEL) || !(self->border > 0.0f))
    {
        return false;
    }
    self->threshold = fmaxf(self->threshold, 2.0f * self->threshold - self->border);
    return attach_recorded(self, pair);
}

void abut_dual_octree_middle(const AbutDualOctree* self, const AbutOctreeBox* box, float middle[3])
{
    ABUT_ASSERT(box->level >= FINEST_LEVEL);
    for (int axis = 0; axis < 3; ++axis)
    {
        middle[axis] = abut_distance_octree_middle(abut_dvec3_get(self->origin, axis), self->cell_size,
                                                   box->index[axis], (uint32_t)box->level);
    }
}

/// The numbers of the eight children of a box of A; those of a brick without nodes follow from its own and go
/// to `made`. The numbers of abut_surface_octree_children() without half spaces: this is the innermost loop,
/// and inlined.
static const int16_t* child_numbers(const AbutDualOctree* self, const AbutOctreeBox* box, int16_t made[8])
{
    const AbutDistanceOctree* c = self->octree;
    const uint32_t* at = box->index;
    if (box->level > BRICK_LEVEL)
    {
        int32_t level = box->level - BRICK_LEVEL - 1;
        const uint32_t* groups = c->group_count[level];
        return c->levels[level] + 8 * (((size_t)at[2] * groups[1] + at[1]) * groups[0] + at[0]);
    }
    int32_t down = BRICK_LEVEL - box->level; // 0: a brick, 1: an eighth of one
    const uint32_t brick[3] = { at[0] >> down, at[1] >> down, at[2] >> down };
    uint32_t number = abut_brick_number(c->brick_count, brick);
    uint32_t leaf = c->slots != NULL ? c->slots[number] : number;
    if (leaf != ABUT_FIELD_NO_SLOT)
    {
        uint32_t child = (at[2] & 1u) * 4 + (at[1] & 1u) * 2 + (at[0] & 1u);
        return c->leaves + (size_t)leaf * ABUT_DISTANCE_OCTREE_LEAF + (down == 0 ? 0 : 8 + 8 * child);
    }
    int number_of_brick = c->levels[0][abut_distance_octree_brick_index(c, brick[0], brick[1], brick[2])];
    int less = abut_dual_octree_less(c->step, (uint32_t)down);
    int16_t size = (int16_t)(abs(number_of_brick) > less ? abs(number_of_brick) - less : 0);
    for (int i = 0; i < 8; ++i)
    {
        made[i] = (int16_t)(number_of_brick > 0 ? size : -size);
    }
    return made;
}

/// A box as kernels divide it; `made` is for numbers that are not stored. Inline: a call copies
/// the box, 3 % of a query.
static inline AbutDualOctreeBox center_box(const AbutDualOctree* self, const AbutOctreeBox* box,
                                           int16_t made[8])
{
    float size = (float)(1u << box->level), radius = 0.5f * size * HALF_DIAGONAL + self->rounding;
    return (AbutDualOctreeBox){
        .numbers = child_numbers(self, box, made),
        .middle = { ((float)box->index[0] + 0.5f) * size, ((float)box->index[1] + 0.5f) * size,
                    ((float)box->index[2] + 0.5f) * size },
        .half = 0.25f * size,
        .radius = radius,
        .open_distance = radius + self->threshold,
    };
}

/// Pushes the open children of a box, the best on top. Always writes eight: a branch on the count of open
/// children would be mispredicted.
static inline void push_children(AbutDualOctree* self, const AbutOctreeBox* box, uint32_t open, uint32_t best)
{
    ABUT_ASSERT(open != 0 && (open >> best & 1u) != 0);
    ABUT_ASSERT(self->stack_count + 8 <= ABUT_DUAL_OCTREE_STACK);
    AbutOctreeBox* top = self->stack + self->stack_count;
    uint32_t others = open & ~(1u << best);
    const uint8_t* list = abut_lane_lists.lanes[others];
    for (int i = 0; i < 8; ++i)
    {
        top[i] = abut_surface_octree_child(box, list[i]);
    }
    uint32_t count = abut_lane_lists.counts[others];
    top[count] = abut_surface_octree_child(box, best);
    self->stack_count += count + 1;
    ABUT_ASSERT(self->stack_count <= ABUT_DUAL_OCTREE_STACK);
}

/// Pops boxes of the last level from the top of the stack, best first.
static uint32_t pop_last(AbutDualOctree* self, AbutOctreeBox out[8])
{
    uint32_t count = 0;
    while (count < 8 && self->stack_count > 0 && self->stack[self->stack_count - 1].level == self->last_level)
    {
        out[count] = self->stack[--self->stack_count];
        if (self->recorded != NULL)
        {
            uint32_t number = self->numbers[self->stack_count];
            bool has_sample =
                number != ABUT_OCTREE_NOT_RECORDED && self->recorded->samples[number].samples > 0;
            self->samples[count] = has_sample ? &self->recorded->samples[number] : NULL;
        }
        count += 1;
    }
    return count;
}

/// Mask of the children of a box that begin in A's grid. Children beyond it have the largest number, but
/// `threshold` may be larger still.
static uint32_t children_in_grid(const AbutDualOctree* self, const AbutOctreeBox* box)
{
    static const uint32_t lower[3] = { 0x55, 0x33, 0x0F };
    uint32_t children = 0xFF;
    for (int axis = 0; axis < 3 && box->level > BRICK_LEVEL; ++axis)
    {
        uint32_t first = (2 * box->index[axis] + 1) << (box->level - 1 - BRICK_LEVEL);
        children &= first < self->octree->brick_count[axis] ? 0xFF : lower[axis];
    }
    return children;
}

/// The division of a box as a device has recorded it, or NULL.
static const AbutOctreeRecord* record_of(const AbutDualOctree* self, uint32_t number)
{
    if (number == ABUT_OCTREE_NOT_RECORDED)
    {
        return NULL;
    }
    const AbutOctreeRecord* record = &self->recorded->records[number];
    return (record->masks & ABUT_OCTREE_RECORDED) != 0 ? record : NULL;
}

static AbutDualOctreeChildren read_record(AbutDualOctree* self, const AbutOctreeRecord* record)
{
    self->least[0] = fminf(self->least[0], record->least);
    return (AbutDualOctreeChildren){
        .open = record->masks & 0xFFu,
        .inside = record->masks >> 8 & 0xFFu,
        .hit = record->masks >> 16 & 0xFFu,
        .best = record->masks >> 24 & 7u,
    };
}

/// Numbers of the boxes from `first` on, the children of a box with this record.
static void number_children(AbutDualOctree* self, uint32_t first, const AbutOctreeRecord* record,
                            uint32_t children)
{
    for (uint32_t i = first; i < self->stack_count; ++i)
    {
        const uint32_t* index = self->stack[i].index;
        uint32_t child = (index[2] & 1u) * 4 + (index[1] & 1u) * 2 + (index[0] & 1u);
        uint32_t before = (uint32_t)__builtin_popcount(children & ((1u << child) - 1u));
        self->numbers[i] = record != NULL && record->first != ABUT_OCTREE_NOT_RECORDED
                               ? record->first + before
                               : ABUT_OCTREE_NOT_RECORDED;
    }
}

/// Masks of the children of boxes, of which a device has divided some or all.
static void divide_recorded(AbutDualOctree* self, const AbutSearchKernels* kernels,
                            const AbutOctreeBox* boxes, size_t count, const AbutOctreeRecord** records,
                            AbutDualOctreeChildren* children)
{
    for (size_t i = 0; i < count; ++i)
    {
        int16_t made[8];
        records[i] = record_of(self, self->numbers[self->stack_count + (count - 1 - i)]);
        if (records[i] != NULL)
        {
            children[i] = read_record(self, records[i]);
            continue;
        }
        AbutDualOctreeBox divided = center_box(self, &boxes[i], made);
        self->missing += 1;
        kernels->divide(&self->pair, &divided, 1, self->least, &children[i]);
    }
}

/// Divides the topmost boxes. True when a child is a hit: *hit.
static bool divide_topmost(AbutDualOctree* self, const AbutSearchKernels* kernels, AbutOctreeBox* hit)
{
    AbutOctreeBox boxes[2];
    AbutDualOctreeBox divided[2];
    AbutDualOctreeChildren children[2];
    const AbutOctreeRecord* records[2] = { NULL, NULL };
    int16_t made[2][8];
    size_t count = self->stack_count > 1 ? 2 : 1;
    for (size_t i = 0; i < count; ++i)
    {
        boxes[i] = self->stack[--self->stack_count];
    }
    if (self->recorded != NULL)
    {
        divide_recorded(self, kernels, boxes, count, records, children);
    }
    else
    {
        for (size_t i = 0; i < count; ++i)
        {
            divided[i] = center_box(self, &boxes[i], made[i]);
        }
        kernels->divide(&self->pair, divided, count, self->least, children);
    }
    self->evaluations += 8 * count;
    for (size_t i = 0; i < count && !self->surface_only; ++i)
    {
        if (children[i].hit != 0)
        {
            *hit = abut_surface_octree_child(&boxes[i], (uint32_t)__builtin_ctz(children[i].hit));
            return true;
        }
    }
    for (size_t i = count; i-- > 0;) // the first on top
    {
        uint32_t open = self->surface_only ? children[i].open & ~children[i].inside : children[i].open;
        open &= children_in_grid(self, &boxes[i]);
        uint32_t first = self->stack_count;
        uint32_t best =
            (open >> children[i].best & 1u) != 0 ? children[i].best : (uint32_t)__builtin_ctz(open | 256u);
        if (open != 0)
        {
            push_children(self, &boxes[i], open, best);
        }
        if (self->recorded != NULL)
        {
            number_children(self, first, records[i], open & ~children[i].inside);
        }
    }
    return false;
}

uint32_t abut_dual_octree_next(AbutDualOctree* self, AbutOctreeBox out[8], bool* hit)
{
    const AbutSearchKernels* kernels = abut_search_kernels();
    *hit = false;
    while (self->stack_count > 0)
    {
        uint32_t count = pop_last(self, out);
        if (count > 0)
        {
            return count;
        }
        *hit = divide_topmost(self, kernels, &out[0]);
        if (*hit)
        {
            return 0;
        }
    }
    return 0;
}

float abut_dual_octree_lower_bound(const AbutDualOctree* self)
{
    return fminf(abut_running_minimum(self->least), self->border) * (float)self->cell_size;
}

float abut_dual_octree_gap(const AbutDualOctree* self, float least)
{
    float cell = (float)self->cell_size, all = fminf(abut_running_minimum(self->least) * cell, least);
    return all + fminf(all, self->border * cell);
}
