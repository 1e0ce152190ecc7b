#include "search/pair.h"

#include "base/assert.h"
#include "field/bounds/pyramid.h"
#include "field/field.h"
#include "math/rounding.h"
#include "shape/shape.h"

#include <math.h>

/// Rounding that a query allows for, as a fraction of its tolerance: beyond it shapes are sampled in double,
/// about the middle of the box that both may occupy.
static const double ROUNDING_TO_SPARE = 0.25;

/// Roundings in float of a distance that was computed in double: its own, and those of bounds computed from
/// it.
static const float PRECISE_ROUNDINGS = 8.0f;

// Unlike fmaxf() without a treatment of NaN, which has been ruled out.
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
    side->local_error = false;
    side->slope = 1.0f; // its samples are near a distance, and a distance has slope 1
    side->growth = h->source_slope;
    side->uncertain = isinf(side->error);
    side->cell_size = (float)unit;
    for (int row = 0; row < 3; ++row)
    {
        double* m = side->to_grid.m[row];
        m[3] = -h->origin[row] / h->cell_size;
        for (int column = 0; column < 3; ++column)
        {
            m[column] = side->frame.rotation.m[column][row] * per_unit; // the inverse of a rotation
            m[3] -= m[column] * abut_dvec3_get(side->frame.translation, column);
        }
    }
}

/// Roundings of the samples of this side in float, relative to lengths.
static double unit_of(const AbutShape* shape)
{
    return 0x1p-24 * (double)shape->rounding.count * fmax(1.0, (double)shape->info.lipschitz);
}

/// The shape and the frame have been set.
static void set_rounding(AbutPairSide* side, double rounding)
{
    side->rounding = abut_round_up(rounding);
    side->error = side->shape->info.error * (float)side->frame.scale * (1.0f + 1e-6f) + side->rounding;
}

/// The frame has been set.
static void set_side(AbutPairSide* side, const AbutShape* shape, bool has_transform, double rounding)
{
    const AbutShapeInfo* info = &shape->info;
    side->shape = shape;
    side->has_transform = has_transform;
    side->slope = info->lipschitz;
    side->growth = info->lipschitz;
    set_rounding(side, rounding);
    side->inflate = 0.0f;
    side->is_field = false;
    side->uncertain = false;
    side->local_error = abut_shape_has_local_error(shape);
    side->cell_size = 0.0f;
    if (info->kind == ABUT_SHAPE_FIELD)
    {
        set_field(side);
    }
}

double abut_pair_float_rounding(const AbutShape* shape, double size)
{
    return unit_of(shape) * (size + (double)shape->rounding.length);
}

AbutPairSide abut_pair_make_side(const AbutShape* shape, float size)
{
    AbutPairSide side = { 0 };
    side.frame = abut_transform_identity();
    set_side(&side, shape, false, abut_pair_float_rounding(shape, (double)size));
    return side;
}

void abut_pair_side_set_size(AbutPairSide* side, float size)
{
    set_rounding(side, abut_pair_float_rounding(side->shape, (double)size));
}

float abut_pair_uncertainty(const AbutPair* pair)
{
    return pair->sides[0].error + pair->sides[1].error;
}

// -----------------------------------------------------------------------------------------------------------
// Frame and box of a pair. docs/proofs.md has the bounds.
// -----------------------------------------------------------------------------------------------------------

/// A box in double, in the frame of A.
typedef struct Ends
{
    AbutDVec3 low, high;
} Ends;

/// Upper bound of the rounding of the coordinates of a point; `length` as in ends_of().
static AbutDVec3 rounding_at(AbutDVec3 at, double length)
{
    AbutDVec3 lengths = abut_dvec3_add(abut_dvec3(length, length, length), abut_dvec3_abs(at));
    return abut_dvec3_scale(lengths, ABUT_TRANSFORM_ROUNDING);
}

/// Larger by the rounding of its ends; `length` is of the poses that the frame was computed from.
static Ends ends_of(const AbutTransform* frame, AbutBox box, double length)
{
    Ends ends;
    abut_transform_box_ends(frame, box, &ends.low, &ends.high);
    ends.low = abut_dvec3_sub(ends.low, rounding_at(ends.low, length));
    ends.high = abut_dvec3_add(ends.high, rounding_at(ends.high, length));
    return ends;
}

static AbutBox box_about(const Ends* ends, AbutDVec3 origin)
{
    AbutDVec3 low = abut_dvec3_sub(ends->low, origin), high = abut_dvec3_sub(ends->high, origin);
    return abut_box(abut_vec3(abut_round_down(low.x), abut_round_down(low.y), abut_round_down(low.z)),
                    abut_vec3(abut_round_up(high.x), abut_round_up(high.y), abut_round_up(high.z)));
}

/// Distance between two boxes, 0 when they meet.
static float box_gap(const Ends* a, const Ends* b)
{
    AbutDVec3 between = abut_dvec3_max(abut_dvec3_sub(a->low, b->high), abut_dvec3_sub(b->low, a->high));
    double length = abut_dvec3_length(abut_dvec3_max(abut_dvec3_zero(), between));
    float gap = abut_round_down(length * (1.0 - 1e-14));
    return gap > 0.0f ? gap : 0.0f;
}

static float extent_of(const Ends* ends)
{
    AbutDVec3 sides = abut_dvec3_sub(ends->high, ends->low);
    return (float)abut_larger(sides.x, abut_larger(sides.y, sides.z));
}

static bool has_end(const Ends* ends)
{
    return isfinite(extent_of(ends));
}

/// The space that both may occupy, larger by `box_margin` all round.
static Ends common_ends(const Ends* a, const Ends* b, float box_margin)
{
    AbutDVec3 margin = abut_dvec3(box_margin, box_margin, box_margin);
    return (Ends){ abut_dvec3_sub(abut_dvec3_max(a->low, b->low), margin),
                   abut_dvec3_add(abut_dvec3_min(a->high, b->high), margin) };
}

/// Largest distance of points of a box from a point.
static double farthest_from(const Ends* box, AbutDVec3 point)
{
    return abut_dvec3_taxicab(abut_dvec3_max(abut_dvec3_abs(abut_dvec3_sub(box->low, point)),
                                             abut_dvec3_abs(abut_dvec3_sub(box->high, point))));
}

/// The lengths of one side that its rounding depends on, in the unit of the pair.
typedef struct Lengths
{
    double far;          // largest distance of the box from the shape's own origin
    double inner_length; // of the shape's parts
    double precise;      // lengths added in float in any case
    double pose;         // lengths of the poses that the frame was computed from
} Lengths;

static Lengths lengths_of(const AbutShape* shape, const AbutTransform* frame, const Ends* box, double pose)
{
    return (Lengths){
        .far = farthest_from(box, frame->translation),
        .inner_length = frame->scale * (double)shape->rounding.length,
        .precise = frame->scale * (double)shape->rounding.precise_length,
        .pose = pose,
    };
}

static double rounding_of(const AbutShape* shape, const Lengths* l, double extent, bool precise)
{
    double all = l->far + l->inner_length, in_float = unit_of(shape) * all;
    if (precise)
    {
        double saved = (double)(ABUT_SHAPE_ROUNDINGS - PRECISE_ROUNDINGS) / (double)shape->rounding.count;
        in_float = unit_of(shape) *
                   ((1.0 - saved) * (extent + l->precise) + (shape->rounding.float_only ? all : 0.0));
    }
    return in_float + ABUT_TRANSFORM_ROUNDING * (all + l->pose) * fmax(1.0, shape->info.lipschitz);
}

AbutPairSide abut_pair_make_side_about(const AbutShape* shape, AbutDVec3 origin, double size, double length)
{
    AbutPairSide side = { 0 };
    Lengths lengths = { .far = size + abut_dvec3_taxicab(origin),
                        .inner_length = (double)shape->rounding.length,
                        .precise = (double)shape->rounding.precise_length,
                        .pose = length };
    side.frame = abut_transform_identity();
    side.frame.precise = true;
    side.frame.translation = abut_dvec3_neg(origin);
    set_side(&side, shape, true, rounding_of(shape, &lengths, size, true));
    return side;
}

/// Chooses the origin of the frame, and the precision of samples in it.
static void set_frame(const AbutPairDef* def, const Ends* box, double length, AbutPair* pair)
{
    const AbutShape* shapes[2] = { def->shape_a, def->shape_b };
    AbutTransform frames[2] = { abut_transform_identity(), pair->relative };
    bool fields = shapes[0]->info.kind == ABUT_SHAPE_FIELD && shapes[1]->info.kind == ABUT_SHAPE_FIELD;
    double spare = ROUNDING_TO_SPARE * abut_pair_tolerance(pair->size, def->tolerance);
    AbutDVec3 sides = abut_dvec3_sub(box->high, box->low);
    AbutDVec3 middle = abut_dvec3_scale(abut_dvec3_add(box->low, box->high), 0.5);
    double extent = sides.x + sides.y + sides.z;
    Lengths lengths[2];
    bool precise = false;
    pair->origin = abut_dvec3_zero();
    for (int i = 0; i < 2; ++i)
    {
        lengths[i] = lengths_of(shapes[i], &frames[i], box, i == 0 ? 0.0 : length);
        precise = precise || rounding_of(shapes[i], &lengths[i], extent, false) > spare;
    }
    precise = precise && !fields && isfinite(abut_dvec3_taxicab(middle));
    for (int i = 0; i < 2; ++i)
    {
        if (precise)
        {
            pair->origin = middle;
            frames[i].translation = abut_dvec3_sub(frames[i].translation, middle);
        }
        frames[i].precise = precise;
        pair->sides[i].frame = frames[i];
        set_side(&pair->sides[i], shapes[i], precise || i == 1,
                 rounding_of(shapes[i], &lengths[i], extent, precise));
    }
}

void abut_pair_set_region(AbutPair* pair, AbutBox box)
{
    Ends ends = { abut_dvec3_from_vec3(box.min), abut_dvec3_from_vec3(box.max) };
    double extent = 2.0 * farthest_from(&ends, abut_dvec3_zero());
    for (int i = 0; i < 2; ++i)
    {
        AbutPairSide* side = &pair->sides[i];
        Lengths lengths = lengths_of(side->shape, &side->frame, &ends, i == 0 ? 0.0 : pair->length);
        set_rounding(side, rounding_of(side->shape, &lengths, extent, side->frame.precise));
    }
}

AbutResult abut_pair_check(const AbutPairDef* def)
{
    if (def->shape_a == NULL || def->shape_b == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: a shape is NULL");
    }
    if (!abut_transform_pose_is_valid(&def->pose_a) || !abut_transform_pose_is_valid(&def->pose_b))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "collide: a pose is not finite, its scale not over 0, or its quaternion not of length 1");
    }
    if (!(def->tolerance >= 0.0f) || !(def->margin >= 0.0f) || !isfinite(def->tolerance + def->margin))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "collide: tolerance and margin must be finite and at least 0");
    }
    return ABUT_OK;
}

AbutResult abut_pair_init(const AbutPairDef* def, AbutPair* pair, float* gap)
{
    *gap = 0.0f;
    AbutResult result = abut_pair_check(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutTransform relative = abut_transform_relative(&def->pose_a, &def->pose_b);
    return abut_pair_init_relative(def, &relative, abut_dvec3_taxicab(relative.translation), pair, gap);
}

AbutResult abut_pair_init_relative(const AbutPairDef* def, const AbutTransform* relative, double length,
                                   AbutPair* pair, float* gap)
{
    *gap = 0.0f;
    pair->relative = *relative;
    pair->length = length;
    pair->evaluations = 0;
    pair->has_witness = false;
    pair->recorded = NULL;
    pair->recorded_count = 0;
    const AbutTransform identity = abut_transform_identity();
    AbutBox bounds_a = def->shape_a->info.bounds, bounds_b = def->shape_b->info.bounds;
    if (abut_box_is_empty(bounds_a) || abut_box_is_empty(bounds_b))
    {
        *gap = INFINITY; // one shape is empty
        return ABUT_OK;
    }
    Ends a = ends_of(&identity, bounds_a, 0.0), b = ends_of(&pair->relative, bounds_b, length);
    float sizes[2] = { extent_of(&a), extent_of(&b) };
    pair->size = abut_pair_smaller_size(sizes[0], sizes[1]);
    float own_b = (float)pair->relative.scale * largest_extent(bounds_b);
    pair->own_size = abut_pair_smaller_size(sizes[0], own_b);
    *gap = box_gap(&a, &b);
    pair->box_margin = 0.5f * def->margin + 0.02f * pair->size;
    if (def->margin > 1e3f * pair->size)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "collide: the margin is %g, over a thousand times the smaller shape",
                         (double)def->margin);
    }
    Ends box = common_ends(&a, &b, pair->box_margin);
    if (*gap <= def->margin && !has_end(&box))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "collide: what both shapes may occupy has no end; give one of them an end");
    }
    set_frame(def, &box, length, pair);
    pair->boxes[0] = box_about(&a, pair->origin);
    pair->boxes[1] = box_about(&b, pair->origin);
    pair->box = box_about(&box, pair->origin);
    return ABUT_OK;
}

void abut_pair_side_sample(const AbutPairSide* side, AbutPoints points, size_t count, AbutSamples out)
{
    ABUT_ASSERT(side->shape != NULL && out.distance != NULL);
    const AbutTransform* frame = side->has_transform ? &side->frame : NULL;
    for (size_t i = 0; i < count; i += ABUT_SHAPE_BATCH)
    {
        size_t n = count - i < ABUT_SHAPE_BATCH ? count - i : ABUT_SHAPE_BATCH;
        bool gradient = out.gradient_x != NULL;
        AbutSamples chunk = { out.distance + i, gradient ? out.gradient_x + i : NULL,
                              gradient ? out.gradient_y + i : NULL, gradient ? out.gradient_z + i : NULL };
        abut_shape_sample_batch(side->shape, frame, (AbutPoints){ points.x + i, points.y + i, points.z + i },
                                n, chunk);
    }
}

bool abut_pair_side_has_bound(const AbutPairSide* side)
{
    return side->shape->class->bound != NULL;
}

void abut_pair_side_bound(const AbutPairSide* side, AbutPoints points, size_t count, float* out)
{
    ABUT_ASSERT(count <= ABUT_PAIR_BATCH && abut_pair_side_has_bound(side));
    side->shape->class->bound(side->shape, side->has_transform ? &side->frame : NULL, points, count, out);
    for (size_t i = 0; i < count && side->inflate != 0.0f; ++i)
    {
        out[i] -= side->inflate;
    }
}

_Static_assert(ABUT_PAIR_BATCH <= ABUT_SHAPE_BATCH, "a batch is sampled in one piece");

static void sample_side(const AbutPairSide* self, int side, AbutPairBatch* batch, bool gradient)
{
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    float(*g)[ABUT_PAIR_BATCH] = batch->gradient[side];
    AbutSamples out = { batch->distance[side], gradient ? g[0] : NULL, gradient ? g[1] : NULL,
                        gradient ? g[2] : NULL };
    abut_shape_sample_batch(self->shape, self->has_transform ? &self->frame : NULL, points, batch->count,
                            out);
    for (size_t i = 0; i < batch->count && self->inflate != 0.0f; ++i)
    {
        batch->distance[side][i] -= self->inflate;
    }
}

void abut_pair_sample(AbutPair* pair, AbutPairBatch* batch, bool gradient)
{
    ABUT_ASSERT(batch->count <= ABUT_PAIR_BATCH);
    sample_side(&pair->sides[0], 0, batch, gradient);
    sample_side(&pair->sides[1], 1, batch, gradient);
    pair->evaluations += batch->count;
}

void abut_pair_sample_side(AbutPair* pair, int side, AbutPairBatch* batch, bool gradient)
{
    ABUT_ASSERT(side == 0 || side == 1);
    ABUT_ASSERT(batch->count <= ABUT_PAIR_BATCH);
    sample_side(&pair->sides[side], side, batch, gradient);
    pair->evaluations += batch->count;
}

void abut_pair_cell_at(const AbutPairSide* side, AbutDVec3 grid, uint32_t cell[3])
{
    const AbutFieldHeader* h = abut_field_of(side->shape)->block;
    for (int axis = 0; axis < 3; ++axis)
    {
        double at = abut_dvec3_get(grid, axis), most = h->brick_count[axis] * (double)ABUT_BRICK_CELLS - 1.0;
        cell[axis] = (uint32_t)(at > 0.0 ? (at < most ? at : most) : 0.0);
    }
}

float abut_pair_field_error(const AbutPairSide* side, const AbutPairBatch* batch, size_t i)
{
    AbutFieldHeader* h = abut_field_of(side->shape)->block;
    AbutDVec3 outer = abut_dvec3_from_vec3(abut_pair_batch_point(batch, i));
    uint32_t brick[3], cell[3];
    abut_pair_cell_at(side, abut_pair_to_grid(side, outer), cell);
    for (int axis = 0; axis < 3; ++axis)
    {
        brick[axis] = cell[axis] / ABUT_BRICK_CELLS;
        cell[axis] %= ABUT_BRICK_CELLS;
    }
    uint32_t number = abut_brick_number(h->brick_count, brick);
    if (side->uncertain && !abut_field_is_certain_around(h, number))
    {
        return INFINITY;
    }
    return abut_field_cell_error(h, number, cell) * (float)side->frame.scale + side->rounding;
}

float abut_pair_local_error(const AbutPairSide* side, AbutVec3 at)
{
    const AbutTransform* frame = side->has_transform ? &side->frame : NULL;
    double error = abut_shape_error_at(side->shape, frame, abut_dvec3_from_vec3(at));
    return error > 0.0 ? abut_round_up(error * (1.0 + 1e-6)) + side->rounding : side->rounding;
}

float abut_pair_error(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i, float limit)
{
    const AbutPairSide* self = &pair->sides[side];
    float distance = batch->distance[side][i];
    bool is_sharp = !self->is_field && !self->local_error;
    if (is_sharp || distance - self->error > limit || distance + self->error <= limit)
    {
        return self->error;
    }
    float error = self->is_field ? abut_pair_field_error(self, batch, i)
                                 : abut_pair_local_error(self, abut_pair_batch_point(batch, i));
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
