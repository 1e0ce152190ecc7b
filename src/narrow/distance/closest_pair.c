#include "narrow/distance/closest_pair.h"

#include "base/assert.h"
#include "field/field.h"
#include "narrow/distance/closest_pair_leaf.h"
#include "narrow/distance/closest_pair_search.h"
#include "narrow/distance/closest_pair_shape.h"
#include "narrow/distance/kernels.h"
#include "search/running_minima.h"

#include <math.h>
#include <string.h>

enum
{
    MAX_BRICKS = 1 << 16 // along a side
};

static const AbutFieldHeader* header_of(const AbutPair* pair, int side)
{
    return abut_field_of(pair->sides[side].shape)->block;
}

/// A field with proved bounds, and with fractions of cells that floats can represent.
static bool is_provable(const AbutPair* pair, int side)
{
    const uint32_t* bricks = header_of(pair, side)->brick_count;
    return isfinite(pair->sides[side].growth) && bricks[0] < MAX_BRICKS && bricks[1] < MAX_BRICKS &&
           bricks[2] < MAX_BRICKS;
}

bool abut_closest_pair_applies(const AbutPair* pair)
{
    for (int side = 0; side < 2; ++side)
    {
        if (pair->sides[side].is_field && !is_provable(pair, side))
        {
            return false;
        }
    }
    return pair->sides[0].is_field || pair->sides[1].is_field;
}

// -----------------------------------------------------------------------------------------------------------
// Frames
// -----------------------------------------------------------------------------------------------------------

static void set_frames(AbutClosestPairSearch* self)
{
    const AbutFieldHeader *a = header_of(self->pair, 0), *b = header_of(self->pair, 1);
    const AbutTransform* frame = &self->pair->relative;
    double extent = 0.0;
    for (int row = 0; row < 3; ++row)
    {
        double shift = abut_dvec3_get(frame->translation, row) - a->origin[row];
        for (int column = 0; column < 3; ++column)
        {
            double element = frame->rotation.m[row][column];
            self->to_a[row][column] = self->to_b[column][row] = (float)element;
            shift += element * frame->scale * b->origin[column];
            extent += a->brick_count[column] * (double)ABUT_BRICK_CELLS / 3.0;
            extent +=
                fabs(element) * b->brick_count[column] * (double)(ABUT_BRICK_CELLS * self->sides[1].unit);
        }
        self->shift[row] = (float)(shift / a->cell_size);
        extent += fabs(shift / a->cell_size);
    }
    // A few roundings per level of the octrees.
    self->rounding = 2e-6f * (float)extent;
}

static void set_rotation(AbutClosestPairSearch* self)
{
    float unit = self->sides[1].unit;
    for (int corner = 0; corner < 8; ++corner)
    {
        const float sign[3] = { (corner & 1) != 0 ? 1.0f : -1.0f, (corner & 2) != 0 ? 1.0f : -1.0f,
                                (corner & 4) != 0 ? 1.0f : -1.0f };
        for (int row = 0; row < 3; ++row)
        {
            const float *a = self->to_a[row], *b = self->to_b[row];
            self->rotation.corner[0][0][row][corner] = -sign[row];
            self->rotation.corner[0][1][row][corner] = b[0] * sign[0] + b[1] * sign[1] + b[2] * sign[2];
            self->rotation.corner[1][0][row][corner] =
                unit * (a[0] * sign[0] + a[1] * sign[1] + a[2] * sign[2]);
            self->rotation.corner[1][1][row][corner] = -unit * sign[row];
        }
    }
}

/// The roots of both octrees.
static AbutBoxPair first_boxes(const AbutClosestPairSearch* self)
{
    AbutBoxPair boxes = { .box = { { .level = self->sides[0].surface_octree.top },
                                   { .level = self->sides[1].surface_octree.top } } };
    float middle[2];
    for (int side = 0; side < 2; ++side)
    {
        middle[side] = 0.5f * abut_surface_octree_size(boxes.box[side].level);
        boxes.gap.half[side] = middle[side] * self->sides[side].unit;
    }
    for (int row = 0; row < 3; ++row)
    {
        const float* m = self->to_a[row];
        boxes.gap.to_other[0][row] = self->shift[row] + boxes.gap.half[1] * (m[0] + m[1] + m[2]) - middle[0];
    }
    for (int row = 0; row < 3; ++row)
    {
        const float *m = self->to_b[row], *delta = boxes.gap.to_other[0];
        boxes.gap.to_other[1][row] = -(m[0] * delta[0] + m[1] * delta[1] + m[2] * delta[2]);
    }
    return boxes;
}

static void init(AbutClosestPairSearch* self, AbutPair* pair, const AbutClosestPairGoal* goal)
{
    self->pair = pair;
    self->kernels = abut_closest_pair_kernels();
    self->goal = goal;
    for (int side = 0; side < 2; ++side)
    {
        abut_octree_side_init(&self->sides[side], &pair->sides[side]);
        self->sides[side].unit = pair->sides[side].cell_size / pair->sides[0].cell_size;
    }
    set_frames(self);
    set_rotation(self);
    self->limit = self->low = INFINITY;
    abut_running_minima_init(self->least);
    self->best = (AbutWitness){ .distance = INFINITY, .high = INFINITY };
    self->start_count = 0;
    self->stack[0] = first_boxes(self);
    self->count = 1;
    self->evaluations = 0;
}

// -----------------------------------------------------------------------------------------------------------
// Division
// -----------------------------------------------------------------------------------------------------------

static void push_child(AbutClosestPairSearch* self, const AbutBoxPair* boxes,
                       const AbutClosestPairChildren* children, uint32_t corner, float low)
{
    AbutBoxPair* child = &self->stack[self->count++];
    int side = children->side;
    *child = *boxes;
    child->box[side] = abut_surface_octree_child(&boxes->box[side], corner);
    child->gap.low = low;
    child->gap.half[side] *= 0.5f;
    for (int frame = 0; frame < 2; ++frame)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            child->gap.to_other[frame][axis] +=
                children->step * self->rotation.corner[side][frame][axis][corner];
        }
    }
    const AbutChildHalfSpaces half_spaces = { children->half_spaces, children->half_space_unit,
                                              children->step * self->sides[side].unit };
    abut_octree_side_half_space(&half_spaces, corner, child->gap.half_space[side]);
}

/// Pushes the children of one box, each paired with the other box, the nearest on top.
static void divide(AbutClosestPairSearch* self, const AbutBoxPair* boxes, int side)
{
    const AbutOctreeSide* own = &self->sides[side];
    const AbutOctreeBox* box = &boxes->box[side];
    const int* limits = own->limits[box->level - 1 - ABUT_OCTREE_SIDE_FINEST];
    int16_t made[8];
    float low[8];
    AbutSurfaceOctreeChildren kept = abut_surface_octree_children(&own->surface_octree, box, made);
    AbutClosestPairChildren children = {
        .side = side,
        .numbers = kept.numbers,
        .limits = { limits[0], limits[1] },
        .half_spaces = kept.half_spaces,
        .half_space_unit = own->unit * abut_surface_octree_radius(box->level - 1) * (1.0f / 127.0f),
        .step = 0.25f * abut_surface_octree_size(box->level),
        .rounding = self->rounding
    };
    unsigned open =
        self->kernels->divide(&self->rotation, &boxes->gap, &children, self->limit, low, self->least);
    self->evaluations += 8;
    uint32_t order[8], count = abut_octree_side_order(open, low, order);
    ABUT_ASSERT(self->count + count <= ABUT_CLOSEST_PAIR_STACK);
    for (uint32_t i = 0; i < count; ++i)
    {
        push_child(self, boxes, &children, order[i], low[order[i]]);
    }
}

static bool is_leaf(const AbutOctreeBox* box)
{
    return box->level <= ABUT_SURFACE_OCTREE_FINEST;
}

/// The larger box, but boxes of the octrees before smaller ones.
static int side_to_divide(const AbutBoxPair* boxes)
{
    bool small[2] = { is_leaf(&boxes->box[0]), is_leaf(&boxes->box[1]) };
    if (small[0] != small[1])
    {
        return small[0] ? 1 : 0;
    }
    return boxes->gap.half[1] > boxes->gap.half[0] ? 1 : 0;
}

/// The surfaces in the pair of boxes are proved to be `low` apart, and it is not divided further.
static void discard(AbutClosestPairSearch* self, float low)
{
    self->low = low < self->low ? low : self->low;
}

/// A pair of boxes that octrees do not divide further.
static void bound_leaf(AbutClosestPairSearch* self, AbutBoxPair* boxes)
{
    int side = side_to_divide(boxes);
    boxes->gap.low = abut_closest_pair_leaf_bound(self, boxes);
    if (boxes->gap.low < self->limit)
    {
        abut_closest_pair_find_witness(self, boxes, boxes->box[side].level <= ABUT_OCTREE_SIDE_FINEST);
    }
    if (boxes->gap.low >= self->limit)
    {
        discard(self, boxes->gap.low);
    }
    else if (boxes->box[side].level > ABUT_OCTREE_SIDE_FINEST)
    {
        divide(self, boxes, side);
    }
    else
    {
        discard(self, boxes->gap.low);
        self->limit = boxes->gap.low; // pairs further apart do not lower the bound
    }
}

float abut_closest_pair_search(AbutPair* pair, const AbutClosestPairGoal* goal, AbutWitness* witness)
{
    if (!pair->sides[0].is_field || !pair->sides[1].is_field)
    {
        return abut_closest_pair_search_shape(pair, goal, witness);
    }
    AbutClosestPairSearch self;
    init(&self, pair, goal);
    ABUT_ASSERT(self.count == 1 && self.rounding >= 0.0f);
    while (self.count > 0 && self.evaluations < goal->budget)
    {
        AbutBoxPair boxes = self.stack[--self.count];
        if (boxes.gap.low >= self.limit)
        {
            discard(&self, boxes.gap.low);
        }
        else if (is_leaf(&boxes.box[0]) && is_leaf(&boxes.box[1]))
        {
            bound_leaf(&self, &boxes);
        }
        else
        {
            divide(&self, &boxes, side_to_divide(&boxes));
        }
    }
    for (uint32_t i = 0; i < self.count; ++i)
    {
        discard(&self, self.stack[i].gap.low);
    }
    discard(&self, abut_running_minimum(self.least));
    pair->evaluations += self.evaluations;
    *witness = self.best;
    return fmaxf(0.0f, self.low) * (float)header_of(pair, 0)->cell_size * (1.0f - 1e-6f);
}
