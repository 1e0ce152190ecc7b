#include "narrow/pair.h"

#include "field/field.h"
#include "field/pyramid.h"
#include "shape/shape.h"

#include <math.h>

// Without the care of fmaxf() for what is not a number, which has been ruled out.
static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static float largest_extent(AbutBox box)
{
    AbutVec3 e = abut_box_extents(box);
    return larger(e.x, larger(e.y, e.z));
}

static void set_field(AbutPairSide* side)
{
    const AbutFieldHeader* h = abut_field_of(side->shape)->block;
    double unit = side->frame.scale * h->cell_size, per_unit = 1.0 / unit;
    side->is_field = true;
    side->slope = 1.0f; // its samples are near a distance, and a distance has slope 1
    side->growth = h->source_slope;
    side->in_doubt = isinf(side->error);
    side->cell_size = (float)unit;
    for (int row = 0; row < 3; ++row)
    {
        double* m = side->to_grid[row];
        m[3] = -h->origin[row] / h->cell_size;
        for (int column = 0; column < 3; ++column)
        {
            m[column] = side->frame.rotation[column][row] * per_unit; // the inverse of a rotation
            m[3] -= m[column] * side->frame.translation[column];
        }
    }
}

/// The frame has been set.
static void set_side(AbutPairSide* side, const AbutShape* shape, const AbutPose* pose, float size)
{
    const AbutShapeInfo* info = &shape->info;
    side->shape = shape;
    side->pose = pose;
    side->slope = info->lipschitz;
    side->growth = info->lipschitz;
    side->error = info->error * (float)side->frame.scale + ABUT_PAIR_ROUNDING * size;
    side->rounding = ABUT_PAIR_ROUNDING * size;
    side->inflate = 0.0f;
    side->is_field = false;
    side->in_doubt = false;
    side->cell_size = 0.0f;
    if (info->kind == ABUT_SHAPE_FIELD)
    {
        set_field(side);
    }
}

AbutPairSide abut_pair_make_side(const AbutShape* shape, float size)
{
    AbutPairSide side = { 0 };
    AbutPose identity = abut_pose_identity();
    side.frame = abut_frame_from_pose(&identity);
    set_side(&side, shape, NULL, size);
    return side;
}

/// Distance between two boxes, 0 when they meet.
static float box_gap(AbutBox a, AbutBox b)
{
    float x = larger(0.0f, larger(a.min.x - b.max.x, b.min.x - a.max.x));
    float y = larger(0.0f, larger(a.min.y - b.max.y, b.min.y - a.max.y));
    float z = larger(0.0f, larger(a.min.z - b.max.z, b.min.z - a.max.z));
    return sqrtf(x * x + y * y + z * z) * (1.0f - 1e-6f);
}

AbutResult abut_pair_init(const AbutCollideInput* input, AbutPair* pair, float* gap)
{
    *gap = 0.0f;
    if (input->shape_a == NULL || input->shape_b == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: a shape is NULL");
    }
    if (!abut_pose_is_valid(&input->pose_a) || !abut_pose_is_valid(&input->pose_b))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "collide: a pose is not finite, its scale not over 0, or its quaternion not of length 1");
    }
    if (!(input->settings.tolerance >= 0.0f) || !(input->settings.margin >= 0.0f) ||
        !(input->settings.spacing >= 0.0f) ||
        !isfinite(input->settings.tolerance + input->settings.margin + input->settings.spacing))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "collide: tolerance, margin and spacing must be finite and at least 0");
    }
    pair->relative = abut_pose_relative(&input->pose_a, &input->pose_b);
    pair->sides[0].frame = abut_frame_identity();
    pair->sides[1].frame = abut_frame_from_pose(&pair->relative);
    pair->evaluations = 0;
    pair->has_witness = false;
    AbutBox a = input->shape_a->info.bounds;
    AbutBox b = abut_frame_box(&pair->sides[1].frame, input->shape_b->info.bounds);
    if (abut_box_is_empty(a) || abut_box_is_empty(b))
    {
        *gap = INFINITY; // nothing is solid
        return ABUT_OK;
    }
    pair->boxes[0] = a;
    pair->boxes[1] = b;
    float sizes[2] = { largest_extent(a), largest_extent(b) };
    pair->size = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
    float own_b = (float)pair->sides[1].frame.scale * largest_extent(input->shape_b->info.bounds);
    pair->own_size = sizes[0] < own_b ? sizes[0] : own_b;
    *gap = box_gap(a, b);
    pair->apart = 0.5f * input->settings.margin + 0.02f * pair->size;
    pair->box = abut_box_intersection(abut_box_expand(a, pair->apart), abut_box_expand(b, pair->apart));
    if (input->settings.margin > 1e3f * pair->size)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "collide: the margin is %g, over a thousand times the smaller shape",
                         (double)input->settings.margin);
    }
    AbutVec3 extents = abut_box_extents(pair->box);
    if (*gap <= input->settings.margin && !isfinite(extents.x + extents.y + extents.z))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "collide: what both shapes may occupy has no end; give one of them an end");
    }
    float far = larger(abut_vec3_length(pair->box.min), abut_vec3_length(pair->box.max));
    set_side(&pair->sides[0], input->shape_a, NULL, far);
    set_side(&pair->sides[1], input->shape_b, &pair->relative, far);
    return ABUT_OK;
}

_Static_assert(ABUT_PAIR_BATCH <= ABUT_SHAPE_BATCH, "a batch is sampled in one piece");

static void sample_side(const AbutPairSide* self, int side, AbutPairBatch* batch, bool gradient)
{
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    float(*g)[ABUT_PAIR_BATCH] = batch->gradient[side];
    AbutSamples out = { batch->distance[side], gradient ? g[0] : NULL, gradient ? g[1] : NULL,
                        gradient ? g[2] : NULL };
    abut_shape_sample_batch(self->shape, self->pose != NULL ? &self->frame : NULL, points, batch->count, out);
    for (size_t i = 0; i < batch->count && self->inflate != 0.0f; ++i)
    {
        batch->distance[side][i] -= self->inflate;
    }
}

void abut_pair_sample(AbutPair* pair, AbutPairBatch* batch, bool gradient)
{
    sample_side(&pair->sides[0], 0, batch, gradient);
    sample_side(&pair->sides[1], 1, batch, gradient);
    pair->evaluations += batch->count;
}

void abut_pair_sample_side(AbutPair* pair, int side, AbutPairBatch* batch, bool gradient)
{
    sample_side(&pair->sides[side], side, batch, gradient);
    pair->evaluations += batch->count;
}

float abut_pair_field_error(const AbutPairSide* side, const AbutPairBatch* batch, size_t i)
{
    AbutFieldHeader* h = abut_field_of(side->shape)->block;
    const double outer[3] = { batch->at[0][i], batch->at[1][i], batch->at[2][i] };
    double grid[3];
    uint32_t brick[3], cell[3];
    abut_pair_to_grid(side, outer, grid);
    for (int axis = 0; axis < 3; ++axis)
    {
        double most = h->brick_count[axis] * (double)ABUT_BRICK_CELLS - 1.0;
        uint32_t index = (uint32_t)(grid[axis] > 0.0 ? (grid[axis] < most ? grid[axis] : most) : 0.0);
        brick[axis] = index / ABUT_BRICK_CELLS;
        cell[axis] = index % ABUT_BRICK_CELLS;
    }
    uint32_t number = (brick[2] * h->brick_count[1] + brick[1]) * h->brick_count[0] + brick[0];
    if (side->in_doubt && !abut_field_is_certain_around(h, number))
    {
        return INFINITY;
    }
    return abut_field_cell_error(h, number, cell) * (float)side->frame.scale + side->rounding;
}

float abut_pair_error(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i, float limit)
{
    const AbutPairSide* self = &pair->sides[side];
    float distance = batch->distance[side][i];
    if (!self->is_field || distance - self->error > limit || distance + self->error <= limit)
    {
        return self->error;
    }
    float error = abut_pair_field_error(self, batch, i);
    return error < self->error ? error : self->error;
}

float abut_pair_low(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i, float limit)
{
    float error = abut_pair_error(pair, side, batch, i, limit);
    return (batch->distance[side][i] - error) / pair->sides[side].slope;
}

bool abut_pair_is_hit(const AbutPair* pair, const AbutPairBatch* batch, size_t i)
{
    for (int side = 0; side < 2; ++side)
    {
        float distance = batch->distance[side][i];
        if (!(distance <= 0.0f) || !(distance + abut_pair_error(pair, side, batch, i, 0.0f) <= 0.0f))
        {
            return false;
        }
    }
    return true;
}
