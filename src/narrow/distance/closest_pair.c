#include "narrow/distance/closest_pair.h"

#include "field/field.h"
#include "narrow/distance/closest_pair_search.h"
#include "narrow/distance/kernels.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_BRICKS = 1 << 16 // along a side
};

static const AbutFieldHeader* header_of(const AbutPair* pair, int side)
{
    return abut_field_of(pair->sides[side].shape)->block;
}

/// A field of which something is proved, with parts of cells that floats tell apart.
static bool is_provable(const AbutPair* pair, int side)
{
    const uint32_t* bricks = header_of(pair, side)->brick_count;
    return isfinite(pair->sides[side].growth) && bricks[0] < MOST_BRICKS && bricks[1] < MOST_BRICKS &&
           bricks[2] < MOST_BRICKS;
}

bool abut_gap_applies(const AbutPair* pair)
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

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

static void set_frames(AbutGapSearch* self)
{
    const AbutFieldHeader *a = header_of(self->pair, 0), *b = header_of(self->pair, 1);
    const AbutFrame* frame = &self->pair->relative;
    double reach = 0.0;
    for (int row = 0; row < 3; ++row)
    {
        double shift = frame->translation[row] - a->origin[row];
        for (int column = 0; column < 3; ++column)
        {
            double turned = frame->rotation[row][column];
            self->to_a[row][column] = self->to_b[column][row] = (float)turned;
            shift += turned * frame->scale * b->origin[column];
            reach += a->brick_count[column] * (double)ABUT_BRICK_CELLS / 3.0;
            reach += fabs(turned) * b->brick_count[column] * (double)(ABUT_BRICK_CELLS * self->sides[1].unit);
        }
        self->shift[row] = (float)(shift / a->cell_size);
        reach += fabs(shift / a->cell_size);
    }
    // A few roundings per level of the octrees.
    self->rounding = 2e-6f * (float)reach;
}

static void set_turn(AbutGapSearch* self)
{
    float unit = self->sides[1].unit;
    for (int corner = 0; corner < 8; ++corner)
    {
        const float sign[3] = { (corner & 1) != 0 ? 1.0f : -1.0f, (corner & 2) != 0 ? 1.0f : -1.0f,
                                (corner & 4) != 0 ? 1.0f : -1.0f };
        for (int row = 0; row < 3; ++row)
        {
            const float *a = self->to_a[row], *b = self->to_b[row];
            self->turn.corner[0][0][row][corner] = -sign[row];
            self->turn.corner[0][1][row][corner] = b[0] * sign[0] + b[1] * sign[1] + b[2] * sign[2];
            self->turn.corner[1][0][row][corner] = unit * (a[0] * sign[0] + a[1] * sign[1] + a[2] * sign[2]);
            self->turn.corner[1][1][row][corner] = -unit * sign[row];
        }
    }
}

/// The boxes around everything.
static AbutBoxPair first_boxes(const AbutGapSearch* self)
{
    AbutBoxPair boxes = { .box = { { .level = self->sides[0].shell.top },
                                   { .level = self->sides[1].shell.top } } };
    float middle[2];
    for (int side = 0; side < 2; ++side)
    {
        middle[side] = 0.5f * abut_shell_size(boxes.box[side].level);
        boxes.gap.half[side] = middle[side] * self->sides[side].unit;
    }
    for (int row = 0; row < 3; ++row)
    {
        const float* m = self->to_a[row];
        boxes.gap.apart[0][row] = self->shift[row] + boxes.gap.half[1] * (m[0] + m[1] + m[2]) - middle[0];
    }
    for (int row = 0; row < 3; ++row)
    {
        const float *m = self->to_b[row], *way = boxes.gap.apart[0];
        boxes.gap.apart[1][row] = -(m[0] * way[0] + m[1] * way[1] + m[2] * way[2]);
    }
    return boxes;
}

void abut_gap_side_init(AbutGapSide* self, const AbutPairSide* side)
{
    const AbutField* field = abut_field_of(side->shape);
    self->shell = abut_shell_make(field->block, &field->centers, &field->plates);
    self->nodes = abut_field_far_nodes(self->shell.block);
    for (int32_t level = ABUT_GAP_FINEST; level <= self->shell.top; ++level)
    {
        abut_shell_limits(&self->shell, level, self->limits[level - ABUT_GAP_FINEST]);
    }
}

static void init(AbutGapSearch* self, AbutPair* pair, const AbutGapWish* wish)
{
    self->pair = pair;
    self->kernels = abut_closest_pair_kernels();
    self->wish = wish;
    for (int side = 0; side < 2; ++side)
    {
        abut_gap_side_init(&self->sides[side], &pair->sides[side]);
        self->sides[side].unit = pair->sides[side].cell_size / pair->sides[0].cell_size;
    }
    set_frames(self);
    set_turn(self);
    self->limit = self->low = INFINITY;
    for (int i = 0; i < 8; ++i)
    {
        self->least[i] = INFINITY;
    }
    self->best = (AbutWitness){ .distance = INFINITY, .high = INFINITY };
    self->start_count = 0;
    self->stack[0] = first_boxes(self);
    self->count = 1;
    self->looked_at = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Division
// ---------------------------------------------------------------------------------------------------------------------

void abut_gap_take_plate(const AbutGapParts* parts, uint32_t corner, float unit, float plate[4])
{
    if (parts->plates != NULL)
    {
        const uint8_t* at = parts->plates + corner;
        plate[0] = (float)(at[0] - ABUT_PLATE_ZERO) * (1.0f / 127.0f);
        plate[1] = (float)(at[8] - ABUT_PLATE_ZERO) * (1.0f / 127.0f);
        plate[2] = (float)(at[16] - ABUT_PLATE_ZERO) * (1.0f / 127.0f);
        plate[3] = (float)(at[24] - ABUT_PLATE_ZERO) * parts->plate_unit;
        return;
    }
    float step = parts->step * unit;
    plate[3] -= ((corner & 1u) != 0 ? step : -step) * plate[0] +
                ((corner & 2u) != 0 ? step : -step) * plate[1] +
                ((corner & 4u) != 0 ? step : -step) * plate[2];
}

static void push_part(AbutGapSearch* self, const AbutBoxPair* boxes, const AbutGapParts* parts,
                      uint32_t corner, float low)
{
    AbutBoxPair* part = &self->stack[self->count++];
    int side = parts->side;
    *part = *boxes;
    part->box[side] = abut_shell_part(&boxes->box[side], corner);
    part->gap.low = low;
    part->gap.half[side] *= 0.5f;
    for (int frame = 0; frame < 2; ++frame)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            part->gap.apart[frame][axis] += parts->step * self->turn.corner[side][frame][axis][corner];
        }
    }
    abut_gap_take_plate(parts, corner, self->sides[side].unit, part->gap.plate[side]);
}

/// Puts the parts of one box with the other on the stack, the nearest on top.
static void divide(AbutGapSearch* self, const AbutBoxPair* boxes, int side)
{
    const AbutGapSide* own = &self->sides[side];
    const AbutShellBox* box = &boxes->box[side];
    const int* limits = own->limits[box->level - 1 - ABUT_GAP_FINEST];
    int16_t made[8];
    float low[8];
    AbutShellParts kept = abut_shell_parts(&own->shell, box, made);
    AbutGapParts parts = { .side = side,
                           .numbers = kept.numbers,
                           .limits = { limits[0], limits[1] },
                           .plates = kept.plates,
                           .plate_unit = own->unit * abut_shell_radius(box->level - 1) * (1.0f / 127.0f),
                           .step = 0.25f * abut_shell_size(box->level),
                           .rounding = self->rounding };
    unsigned open = self->kernels->divide(&self->turn, &boxes->gap, &parts, self->limit, low, self->least);
    self->looked_at += 8;
    while (open != 0)
    {
        uint32_t furthest = (uint32_t)__builtin_ctz(open);
        for (unsigned rest = open & (open - 1); rest != 0; rest &= rest - 1)
        {
            uint32_t i = (uint32_t)__builtin_ctz(rest);
            furthest = low[i] > low[furthest] ? i : furthest;
        }
        push_part(self, boxes, &parts, furthest, low[furthest]);
        open &= ~(1u << furthest);
    }
}

static bool is_small(const AbutShellBox* box)
{
    return box->level <= ABUT_SHELL_FINEST;
}

/// The larger one, in boxes that octrees tell apart first.
static int side_to_divide(const AbutBoxPair* boxes)
{
    bool small[2] = { is_small(&boxes->box[0]), is_small(&boxes->box[1]) };
    if (small[0] != small[1])
    {
        return small[0] ? 1 : 0;
    }
    return boxes->gap.half[1] > boxes->gap.half[0] ? 1 : 0;
}

/// Pairs are done, and proved to be `low` apart.
static void clear(AbutGapSearch* self, float low)
{
    self->low = low < self->low ? low : self->low;
}

/// A pair of boxes that octrees do not divide further.
static void look_at_small(AbutGapSearch* self, AbutBoxPair* boxes)
{
    int side = side_to_divide(boxes);
    boxes->gap.low = abut_gap_low_of_small(self, boxes);
    if (boxes->gap.low < self->limit)
    {
        abut_gap_look_for_witness(self, boxes, boxes->box[side].level <= ABUT_GAP_FINEST);
    }
    if (boxes->gap.low >= self->limit)
    {
        clear(self, boxes->gap.low);
    }
    else if (boxes->box[side].level > ABUT_GAP_FINEST)
    {
        divide(self, boxes, side);
    }
    else
    {
        clear(self, boxes->gap.low);
        self->limit = boxes->gap.low; // what is further apart does not lower the bound any more
    }
}

float abut_gap_search(AbutPair* pair, const AbutGapWish* wish, AbutWitness* witness)
{
    if (!pair->sides[0].is_field || !pair->sides[1].is_field)
    {
        return abut_gap_search_shape(pair, wish, witness);
    }
    AbutGapSearch self;
    init(&self, pair, wish);
    while (self.count > 0 && self.looked_at < wish->budget)
    {
        AbutBoxPair boxes = self.stack[--self.count];
        if (boxes.gap.low >= self.limit)
        {
            clear(&self, boxes.gap.low);
        }
        else if (is_small(&boxes.box[0]) && is_small(&boxes.box[1]))
        {
            look_at_small(&self, &boxes);
        }
        else
        {
            divide(&self, &boxes, side_to_divide(&boxes));
        }
    }
    for (uint32_t i = 0; i < self.count; ++i)
    {
        clear(&self, self.stack[i].gap.low);
    }
    for (int i = 0; i < 8; ++i)
    {
        clear(&self, self.least[i]);
    }
    pair->evaluations += self.looked_at;
    *witness = self.best;
    return fmaxf(0.0f, self.low) * (float)header_of(pair, 0)->cell_size * (1.0f - 1e-6f);
}
