// The sides of a pair with points, and the first contact of both.
#include "toi/points/points.h"

#include <abut/field.h>

#include "base/assert.h"
#include "shape/shape.h"
#include "toi/points/first_touch.h"

#include <math.h>

/// Tolerance as a fraction of the smaller body, where the settings have none.
static const double DEFAULT_TOLERANCE = 1e-3;

// -----------------------------------------------------------------------------------------------------------
// Sides
// -----------------------------------------------------------------------------------------------------------

/// Longest side of a box; infinite for an empty one.
static double longest_extent(AbutBox box)
{
    double longest = fmax((double)box.max.x - (double)box.min.x,
                          fmax((double)box.max.y - (double)box.min.y, (double)box.max.z - (double)box.min.z));
    return longest > 0.0 ? longest : INFINITY;
}

/// The tolerance of the settings, or a fraction of the smaller of points and shape, or of the displacement.
static double tolerance_of(const AbutToiPointSide* side, const AbutToiSettings* settings)
{
    if (settings->tolerance > 0.0f)
    {
        return (double)settings->tolerance / side->unit;
    }
    double size = fmin(longest_extent(side->shape->info.bounds),
                       side->path.scale_ratio * longest_extent(side->points->bounds));
    if (!isfinite(size))
    {
        AbutTrajectorySample sample;
        double radius = 0.0;
        AbutDVec3 center =
            side->points->count > 0 ? abut_sphere_load(side->points, 0, &radius) : abut_dvec3_zero();
        abut_trajectory_at(&side->path, 0.5, &sample);
        AbutDVec3 velocity = abut_daffine_apply(&sample.velocity, center);
        size = abut_trajectory_distance(&side->path, velocity, radius, 0.5);
    }
    return DEFAULT_TOLERANCE * size;
}

static double error_of(const AbutShape* shape)
{
    double error = abut_shape_is_field(shape) ? (double)abut_field_info(shape).error_bound : 0.0;
    return isfinite(error) ? error : 0.0;
}

static AbutToiPointSide make_side(const AbutToiInput* input, const AbutRelativeMotion* motion, int side)
{
    AbutRelativeMotion seen = side == 0 ? abut_relative_motion_swap(motion) : *motion;
    AbutToiPointSide self = {
        .shape = side == 0 ? input->shape_b : input->shape_a,
        .points = side == 0 ? input->points_a : input->points_b,
        .path = abut_trajectory_make(&seen, input->settings.linear),
        .unit = side == 0 ? motion->scale_b / motion->scale_a : 1.0,
        .side = side,
    };
    self.safe_radius = abut_safe_radius_make(self.shape);
    if (self.points->count > 0)
    {
        abut_trajectory_set_bounds(&self.path, self.points->nodes[0].center, self.points->nodes[0].radius);
    }
    self.tolerance = tolerance_of(&self, &input->settings);
    self.error = error_of(self.shape);
    return self;
}

void abut_toi_point_sides(const AbutToiInput* input, const AbutRelativeMotion* motion,
                          AbutToiPointSide sides[2], int* count)
{
    *count = 0;
    if (input->points_a == NULL && input->points_b == NULL)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "sweep: the method is points, but points_a and points_b are NULL");
        *count = -1;
    }
    for (int side = 0; side < 2 && *count >= 0; ++side)
    {
        if ((side == 0 ? input->points_a : input->points_b) == NULL)
        {
            continue;
        }
        if ((side == 0 ? input->shape_b : input->shape_a) == NULL)
        {
            abut_fail(ABUT_INVALID_ARGUMENT, "sweep: points_%c have no shape_%c to move against",
                      side == 0 ? 'a' : 'b', side == 0 ? 'b' : 'a');
            *count = -1;
            return;
        }
        sides[(*count)++] = make_side(input, motion, side);
    }
}

void abut_toi_point_batch_sample(const AbutToiPointSide* side, AbutToiPointBatch* batch)
{
    ABUT_ASSERT(batch->count <= ABUT_TOI_POINT_BATCH);
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    abut_shape_sample_batch(side->shape, NULL, points, batch->count,
                            (AbutSamples){ .distance = batch->distance });
}

_Static_assert(ABUT_TOI_POINT_BATCH <= ABUT_SHAPE_BATCH, "a batch is sampled at once");

void abut_toi_point_side_describe(const AbutToiPointSide* side, uint32_t point, double time,
                                  AbutToiOutput* output)
{
    const AbutPointSet* set = side->points;
    ABUT_ASSERT(point < set->count);
    AbutVec3 x = abut_vec3(set->at[0][point], set->at[1][point], set->at[2][point]), gradient;
    AbutTrajectorySample sample;
    abut_trajectory_at(&side->path, time, &sample);
    AbutVec3 position = abut_dvec3_to_vec3(abut_daffine_apply(&sample.position, abut_dvec3_from_vec3(x)));
    abut_shape_distance(side->shape, position, &gradient);
    AbutDVec3 g = abut_dvec3_from_vec3(gradient);
    double length = abut_dvec3_length(g);
    g = length > 0.0 ? abut_dvec3_div(g, length) : abut_dvec3(1.0, 0.0, 0.0);
    if (side->side == 1)
    {
        output->position = position;
        output->normal = abut_dvec3_to_vec3(abut_dvec3_neg(g));
        return;
    }
    AbutTransform frame = abut_relative_motion_frame(&side->path.motion, time);
    output->position = x;
    output->normal = abut_dvec3_to_vec3(abut_transform_inverse_rotate(&frame, g));
}

// -----------------------------------------------------------------------------------------------------------
// First contact
// -----------------------------------------------------------------------------------------------------------

/// The first contact of both sides together.
typedef struct Joined
{
    AbutToiOutput output;
    const AbutToiPointSide* side; // of the contact; NULL for none
    AbutFirstTouch touch;
    double free_until, clearance;
    bool is_spent;
} Joined;

static void join(Joined* joined, const AbutToiPointSide* side, const AbutFirstTouch* touch)
{
    if (touch->is_proved && (!joined->output.touch_proved || touch->touch_time < joined->output.touch_time))
    {
        joined->output.touch_proved = true;
        joined->output.touch_time = (float)touch->touch_time;
    }
    if (touch->free_until < joined->free_until || touch->is_touching)
    {
        joined->free_until = touch->free_until;
        joined->side = side;
        joined->touch = *touch;
        joined->is_spent = touch->is_spent;
    }
    joined->clearance = fmin(joined->clearance, touch->clearance * side->unit);
}

static AbutToiOutput finish(Joined* joined)
{
    AbutToiOutput* output = &joined->output;
    if (joined->side == NULL)
    {
        output->state = ABUT_TOI_MISS;
        output->gap = isfinite(joined->clearance) ? (float)(joined->clearance * (1.0 - 1e-6)) : 0.0f;
        return *output;
    }
    output->time = (float)joined->free_until; // a dyadic number of few bits
    output->state = joined->is_spent            ? ABUT_TOI_BUDGET
                    : joined->touch.is_touching ? ABUT_TOI_OVERLAP
                                                : ABUT_TOI_HIT;
    if (output->state != ABUT_TOI_BUDGET)
    {
        output->gap = (float)(joined->touch.gap * joined->side->unit);
        abut_toi_point_side_describe(joined->side, joined->touch.point, joined->free_until, output);
    }
    return *output;
}

AbutToiOutput abut_toi_points_first(const AbutToiInput* input, const AbutRelativeMotion* motion)
{
    AbutToiPointSide sides[2];
    int count;
    abut_toi_point_sides(input, motion, sides, &count);
    if (count < 0)
    {
        return (AbutToiOutput){ .state = ABUT_TOI_INVALID };
    }
    Joined joined = { .output = { .time = 1.0f, .touch_time = 1.0f },
                      .free_until = INFINITY,
                      .clearance = INFINITY };
    for (int i = 0; i < count && !joined.touch.is_touching; ++i)
    {
        double limit = fmin(1.0, joined.free_until);
        AbutFirstTouch touch =
            abut_toi_point_side_first(&sides[i], limit, input->settings.budget, &joined.output.evaluations);
        join(&joined, &sides[i], &touch);
    }
    return finish(&joined);
}
