// The gap between a field and a shape that is none: the field's octree is divided, and the shape is sampled at the middles of
// boxes.
//
// A point q beyond a box, seen from the shape, says of all x in it that they are at least f(q) − |x − q| away from the shape. With
// d the way from the middle of the box to x, t that to q, and k how far the surface reaches from the middle towards the shape,
// |x − q|² ≤ t² + 2tk + |d|². From far away that is t + k and little more.
#include "narrow/distance/closest_pair_search.h"
#include "shape/shape.h"

#include <math.h>
#include <string.h>

enum
{
    STACK = 8 * ABUT_GAP_LEVELS,
    ROUNDS = 16
};

/// How far away q is, in half diagonals of the box.
static const float BEYOND = 8.0f;

/// A round of a witness that gains less than this, in cells, is its last.
static const double GAIN = 0.01;

typedef struct ShapeBox
{
    AbutShellBox box;
    float plate[4];
    float low; // in cells, as all here
} ShapeBox;

/// The parts of a box, and what the shape says at their middles.
typedef struct Parts
{
    AbutShellBox box[8];
    float plate[8][4];
    float at[3][8]; // in the pair's frame
    float distance[8], gradient[3][8];
    float low[8];
    uint32_t count;
} Parts;

typedef struct ShapeSearch
{
    AbutPair* pair;
    int field; // its side
    AbutGapSide side;
    const AbutGapWish* wish;
    float limit, low;
    AbutWitness best;
    ShapeBox stack[STACK];
    uint32_t count;
    uint64_t looked_at;
} ShapeSearch;

static const AbutPairSide* field_side(const ShapeSearch* self)
{
    return &self->pair->sides[self->field];
}

/// From cells to the pair's frame.
static void to_pair(const ShapeSearch* self, const float cells[3], double out[3])
{
    const AbutFieldHeader* h = self->side.shell.block;
    const AbutFrame* frame = &field_side(self)->frame;
    double inner[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        inner[axis] = (h->origin[axis] + h->cell_size * (double)cells[axis]) * frame->scale;
    }
    abut_frame_rotate(frame, inner, out);
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] += frame->translation[axis];
    }
}

static void sample(ShapeSearch* self, float at[3][8], uint32_t count, float* distance, float gradient[3][8])
{
    const AbutPairSide* shape = &self->pair->sides[1 - self->field];
    AbutSamples out = { .distance = distance };
    if (gradient != NULL)
    {
        out = (AbutSamples){ distance, gradient[0], gradient[1], gradient[2] };
    }
    abut_pair_side_sample(shape, (AbutPoints){ at[0], at[1], at[2] }, count, out);
    self->looked_at += count;
}

/// What a sample of the shape says at least of its distance, in cells.
static float low_of_sample(const ShapeSearch* self, float distance)
{
    const AbutPairSide* shape = &self->pair->sides[1 - self->field];
    return ((distance - shape->error) / shape->growth - shape->rounding) / field_side(self)->cell_size;
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts
// ---------------------------------------------------------------------------------------------------------------------

/// The parts of a box that may hold something.
static void list_parts(const ShapeSearch* self, const ShapeBox* box, Parts* parts)
{
    int16_t made[8];
    AbutShellParts kept = abut_shell_parts(&self->side.shell, &box->box, made);
    const int* limits = self->side.limits[box->box.level - 1 - ABUT_GAP_FINEST];
    AbutGapParts how = { .plates = kept.plates,
                         .plate_unit = abut_shell_radius(box->box.level - 1) * (1.0f / 127.0f),
                         .step = 0.25f * abut_shell_size(box->box.level) };
    parts->count = 0;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        if (kept.numbers[corner] < limits[0] || kept.numbers[corner] > limits[1])
        {
            continue;
        }
        uint32_t i = parts->count++;
        float middle[3];
        double at[3];
        parts->box[i] = abut_shell_part(&box->box, corner);
        memcpy(parts->plate[i], box->plate, sizeof(box->plate));
        abut_gap_take_plate(&how, corner, 1.0f, parts->plate[i]);
        abut_shell_middle(&parts->box[i], middle);
        to_pair(self, middle, at);
        for (int axis = 0; axis < 3; ++axis)
        {
            parts->at[axis][i] = (float)at[axis];
        }
    }
}

/// Towards the shape, in the frame of the field.
static void direction_of(const ShapeSearch* self, const Parts* parts, uint32_t i, float direction[3])
{
    const AbutFrame* frame = &field_side(self)->frame;
    float length =
        sqrtf(parts->gradient[0][i] * parts->gradient[0][i] + parts->gradient[1][i] * parts->gradient[1][i] +
              parts->gradient[2][i] * parts->gradient[2][i]);
    for (int axis = 0; axis < 3; ++axis)
    {
        double turned = frame->rotation[0][axis] * (double)parts->gradient[0][i] +
                        frame->rotation[1][axis] * (double)parts->gradient[1][i] +
                        frame->rotation[2][axis] * (double)parts->gradient[2][i];
        direction[axis] = length > 0.0f ? (float)-turned / length : 0.0f;
    }
}

/// From samples at the middles, and at points beyond them.
static void bound_parts(ShapeSearch* self, float least, Parts* parts)
{
    float radius = abut_shell_radius(parts->box[0].level), way = BEYOND * radius;
    float beyond[3][8], reach[8], distance[8];
    sample(self, parts->at, parts->count, parts->distance, parts->gradient);
    for (uint32_t i = 0; i < parts->count; ++i)
    {
        float direction[3], middle[3], there[3];
        double at[3];
        direction_of(self, parts, i, direction);
        reach[i] = abut_gap_reach(&self->side, &parts->box[i], parts->plate[i], direction);
        abut_shell_middle(&parts->box[i], middle);
        for (int axis = 0; axis < 3; ++axis)
        {
            there[axis] = middle[axis] - way * direction[axis];
        }
        to_pair(self, there, at);
        for (int axis = 0; axis < 3; ++axis)
        {
            beyond[axis][i] = (float)at[axis];
        }
    }
    sample(self, beyond, parts->count, distance, NULL);
    for (uint32_t i = 0; i < parts->count; ++i)
    {
        float squared = way * way + 2.0f * way * reach[i] + radius * radius;
        float far = squared > 0.0f ? low_of_sample(self, distance[i]) - sqrtf(squared) : INFINITY;
        parts->low[i] = fmaxf(least, fmaxf(far, low_of_sample(self, parts->distance[i]) - radius));
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------------------------

static void clear(ShapeSearch* self, float low)
{
    self->low = low < self->low ? low : self->low;
}

static void look_for_witness(ShapeSearch* self, const Parts* parts, uint32_t i)
{
    AbutWitness witness;
    for (int axis = 0; axis < 3; ++axis)
    {
        double at = (double)parts->at[axis][i];
        witness.at[self->field][axis] = at;
        witness.at[1 - self->field][axis] =
            at - (double)parts->distance[i] * (double)parts->gradient[axis][i];
    }
    double cell = (double)field_side(self)->cell_size;
    abut_witness_approach(self->pair, &witness, ROUNDS, GAIN * cell);
    if (witness.distance < self->best.distance)
    {
        abut_witness_improve(self->pair, &self->best, &witness);
        self->limit = fminf(self->limit, abut_gap_limit(self->wish, &self->best) / (float)cell);
    }
}

/// Puts parts that may be nearer than the limit on the stack, the nearest on top.
static void push_parts(ShapeSearch* self, Parts* parts)
{
    bool used[8] = { false };
    for (uint32_t turn = 0; turn < parts->count; ++turn)
    {
        uint32_t next = 8;
        for (uint32_t i = 0; i < parts->count; ++i)
        {
            next = !used[i] && (next == 8 || parts->low[i] > parts->low[next]) ? i : next;
        }
        used[next] = true;
        if (parts->low[next] >= self->limit || parts->box[next].level <= ABUT_GAP_FINEST)
        {
            clear(self, parts->low[next]);
            self->limit = fminf(self->limit, self->low);
            continue;
        }
        ShapeBox* box = &self->stack[self->count++];
        box->box = parts->box[next];
        box->low = parts->low[next];
        memcpy(box->plate, parts->plate[next], sizeof(box->plate));
    }
}

static void divide(ShapeSearch* self, const ShapeBox* box)
{
    Parts parts;
    list_parts(self, box, &parts);
    if (parts.count == 0)
    {
        return;
    }
    bound_parts(self, box->low, &parts);
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < parts.count; ++i)
    {
        nearest = parts.low[i] < parts.low[nearest] ? i : nearest;
    }
    if (parts.box[0].level <= ABUT_SHELL_FINEST && parts.low[nearest] < self->limit)
    {
        look_for_witness(self, &parts, nearest);
    }
    push_parts(self, &parts);
}

float abut_gap_search_shape(AbutPair* pair, const AbutGapWish* wish, AbutWitness* witness)
{
    ShapeSearch self = { .pair = pair, .field = pair->sides[0].is_field ? 0 : 1 };
    float cell = pair->sides[self.field].cell_size;
    abut_gap_side_init(&self.side, &pair->sides[self.field]);
    self.side.unit = 1.0f;
    self.wish = wish;
    self.limit = self.low = INFINITY;
    self.best = (AbutWitness){ .distance = INFINITY, .high = INFINITY };
    self.stack[self.count++] = (ShapeBox){ .box = { .level = self.side.shell.top }, .low = 0.0f };
    while (self.count > 0 && self.looked_at < wish->budget)
    {
        ShapeBox box = self.stack[--self.count];
        if (box.low >= self.limit)
        {
            clear(&self, box.low);
            continue;
        }
        divide(&self, &box);
    }
    for (uint32_t i = 0; i < self.count; ++i)
    {
        clear(&self, self.stack[i].low);
    }
    pair->evaluations += self.looked_at;
    *witness = self.best;
    return fmaxf(0.0f, self.low) * cell * (1.0f - 1e-6f);
}
