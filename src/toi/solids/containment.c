#include "toi/solids/containment.h"

#include "field/field.h"
#include "narrow/distance/closest_pair_search.h"
#include "shape/shape.h"

enum
{
    STACK = 8 * ABUT_GAP_LEVELS
};

typedef struct SolidBox
{
    AbutShellBox box;
    float depth; // of its middle in the solid, at least, in cells; under 0: it may be as far outside
} SolidBox;

/// One field, looked at from the other shape at the start.
typedef struct Walk
{
    AbutImpact* impact;
    int field, other; // sides of the pair
    AbutGapSide side;
    AbutFrame frame; // of the moving shape in the standing one's
    SolidBox stack[STACK];
    uint32_t count;
} Walk;

/// Parts of a box that may hold something of the solid, and how far the other shape is from their middles.
typedef struct Parts
{
    SolidBox box[8];
    AbutPairBatch seen; // in the other shape's frame
} Parts;

static void middle_of(const Walk* self, const AbutShellBox* box, double out[3])
{
    const AbutFieldHeader* h = self->side.shell.block;
    float middle[3];
    abut_shell_middle(box, middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] = h->origin[axis] + h->cell_size * (double)middle[axis];
    }
}

/// From the field's frame to that of the other shape.
static void to_other(const Walk* self, const double at[3], double out[3])
{
    if (self->field == 1)
    {
        abut_frame_to_inner(&self->frame, at, out);
        return;
    }
    abut_frame_rotate(&self->frame, at, out);
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] = self->frame.scale * out[axis] + self->frame.translation[axis];
    }
}

static void list_parts(Walk* self, const SolidBox* box, Parts* parts)
{
    int16_t made[8];
    AbutShellParts kept = abut_shell_parts(&self->side.shell, &box->box, made);
    const int* limits = self->side.limits[box->box.level - 1 - ABUT_GAP_FINEST];
    float step = 0.5f * abut_shell_radius(box->box.level); // from its middle to those of parts
    parts->seen.count = 0;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        if (kept.numbers[corner] > limits[1])
        {
            continue;
        }
        size_t i = parts->seen.count++;
        double at[3], there[3];
        parts->box[i].box = abut_shell_part(&box->box, corner);
        parts->box[i].depth = fmaxf(box->depth - step, -(float)kept.numbers[corner] * self->side.shell.step);
        middle_of(self, &parts->box[i].box, at);
        to_other(self, at, there);
        for (int axis = 0; axis < 3; ++axis)
        {
            parts->seen.at[axis][i] = (float)there[axis];
        }
    }
}

/// What the octree of the other shape, when it is a field, says of its distance from a point: far from the surface sparse fields tell more by the
/// middles of their bricks than by samples.
static double low_of_brick(const Walk* self, const AbutPairBatch* seen, size_t i)
{
    const AbutPairSide* side = &self->impact->pair.sides[self->other];
    const AbutField* field = side->is_field ? abut_field_of(side->shape) : NULL;
    if (field == NULL || field->centers.leaves == NULL)
    {
        return -INFINITY;
    }
    const AbutFieldHeader* h = field->block;
    uint32_t brick[3];
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double at = ((double)seen->at[axis][i] - h->origin[axis]) / (h->cell_size * ABUT_BRICK_CELLS);
        double last = h->brick_count[axis] - 1.0;
        brick[axis] = (uint32_t)(at > 0.0 ? (at < last ? at : last) : 0.0);
        double way = (at - brick[axis] - 0.5) * ABUT_BRICK_CELLS;
        squared += way * way;
    }
    int number =
        field->centers.levels[0][abut_center_of_brick(&field->centers, brick[0], brick[1], brick[2])];
    double cells = number * (double)field->centers.step - sqrt(squared);
    return cells * h->cell_size - (double)side->rounding;
}

/// Looks at the parts of a box. True for one that is in both, or may be and is too small to be divided: *found.
static bool look_at_parts(Walk* self, Parts* parts, SolidBox* found)
{
    const AbutPair* pair = &self->impact->pair;
    const AbutFieldHeader* h = self->side.shell.block;
    AbutPairBatch* seen = &parts->seen;
    // A cell of the field, in the other shape's units.
    double cell = h->cell_size * (self->field == 0 ? self->frame.scale : 1.0 / self->frame.scale);
    abut_pair_side_sample(&pair->sides[self->other], (AbutPoints){ seen->at[0], seen->at[1], seen->at[2] },
                          seen->count, (AbutSamples){ .distance = seen->distance[self->other] });
    self->impact->evaluations += seen->count;
    for (size_t i = 0; i < seen->count; ++i)
    {
        const SolidBox* part = &parts->box[i];
        float radius = abut_shell_radius(part->box.level),
              limit = (float)(cell * (double)radius) * (1.0f + 1e-5f);
        float distance = seen->distance[self->other][i];
        if (abut_pair_low(pair, self->other, seen, i, limit) > limit ||
            low_of_brick(self, seen, i) > (double)limit)
        {
            continue;
        }
        bool inside =
            part->depth > 0.0f && distance + abut_pair_error(pair, self->other, seen, i, 0.0f) <= 0.0f;
        bool deep = part->depth > radius;
        if (inside || (deep && part->box.level <= ABUT_GAP_FINEST))
        {
            *found = *part;
            return true;
        }
        if (deep || part->box.level > ABUT_SHELL_FINEST)
        {
            self->stack[self->count++] = *part;
        }
    }
    return false;
}

static bool walk(AbutImpact* impact, int field, float point[3])
{
    Walk self = { .impact = impact, .field = field, .other = 1 - field };
    self.frame = abut_relative_motion_frame(&impact->motion, 0.0);
    abut_gap_side_init(&self.side, &impact->pair.sides[field]);
    self.stack[0] = (SolidBox){ { .level = self.side.shell.top }, -INFINITY };
    self.count = 1;
    while (self.count > 0)
    {
        SolidBox box = self.stack[--self.count], found;
        Parts parts;
        list_parts(&self, &box, &parts);
        if (parts.seen.count > 0 && look_at_parts(&self, &parts, &found))
        {
            double at[3], moving[3];
            middle_of(&self, &found.box, at);
            to_other(&self, at, moving);
            for (int axis = 0; axis < 3; ++axis)
            {
                point[axis] = (float)(field == 0 ? at[axis] : moving[axis]);
            }
            return true;
        }
    }
    return false;
}

bool abut_impact_inside(AbutImpact* impact, float point[3])
{
    for (int side = 0; side < 2; ++side)
    {
        if (impact->pair.sides[side].is_field && walk(impact, side, point))
        {
            return true;
        }
    }
    return false;
}
