#include "toi/solids/first_contact.h"

#include "narrow/contacts/project.h"
#include "narrow/prove/node_proof.h"
#include "shape/shape.h"

#include <math.h>

enum
{
    SURFACE_STEPS = 2,   // towards a surface
    INSIDE_TRIES = 3,    // into a solid, each half as far again
    PROBE_TIMES = 8,     // that nearest points are followed to
    MAX_ITERATIONS = 24, // from one surface to the other
    STARTS = 9,          // of the search for a common point: the touch, and the corners of a cube around it
    PROJECTION_STEPS = 6,
    TIMES = 24,  // that are tried, each twice as long after the touch as the last
    HALVINGS = 4 // of the time to the first that succeeds
};

/// The pair at a time, in A's frame; false when it cannot be looked at.
static bool pair_at(const AbutToiInput* input, float time, AbutPair* pair)
{
    const AbutPairDef def = { .shape_a = input->shape_a, .shape_b = input->shape_b };
    AbutRelativeMotion motion;
    float gap;
    if (abut_relative_motion_init(&input->pose_a, &input->motion_a, &input->pose_b, &input->motion_b,
                                  &motion) != ABUT_OK)
    {
        return false;
    }
    AbutTransform relative = abut_relative_motion_frame(&motion, (double)time);
    return abut_pair_init_relative(&def, &relative, abut_relative_motion_length(&motion), pair, &gap) ==
               ABUT_OK &&
           gap == 0.0f;
}

// ---------------------------------------------------------------------------------------------------------------------
// Where
// ---------------------------------------------------------------------------------------------------------------------

/// A shape's answer at one point of its own frame.
typedef struct Sample
{
    double distance, gradient[3];
} Sample;

static Sample sample_at(AbutToiSearch* toi, int number, const double at[3])
{
    float x = (float)at[0], y = (float)at[1], z = (float)at[2], distance, g[3];
    abut_pair_side_sample(&toi->pair.sides[number], (AbutPoints){ &x, &y, &z }, 1,
                          (AbutSamples){ &distance, &g[0], &g[1], &g[2] });
    toi->evaluations += 1;
    return (Sample){ .distance = distance, .gradient = { g[0], g[1], g[2] } };
}

/// Takes a point to the surface of a shape, in its own frame.
static void step_to_surface(AbutToiSearch* toi, int number, double at[3])
{
    for (int i = 0; i < SURFACE_STEPS; ++i)
    {
        Sample sample = sample_at(toi, number, at);
        const double* g = sample.gradient;
        double squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        for (int axis = 0; axis < 3 && squared > 0.0 && isfinite(sample.distance); ++axis)
        {
            at[axis] -= sample.distance / squared * g[axis];
        }
    }
}

static void to_standing(const AbutTransform* frame, const double at[3], double out[3])
{
    abut_transform_rotate(frame, at, out);
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] = frame->scale * out[axis] + frame->translation[axis];
    }
}

/// From one surface to the other and back, which leads to where they are nearest. A point of the moving one, in its frame.
static void find_closest(AbutToiSearch* toi, const AbutTransform* frame, double in_moving[3])
{
    double moved = INFINITY, in_standing[3], next[3];
    for (int iteration = 0; iteration < MAX_ITERATIONS && moved > 1e-3 * toi->min_progress; ++iteration)
    {
        to_standing(frame, in_moving, in_standing);
        step_to_surface(toi, 1, in_standing);
        abut_transform_inverse_point(frame, in_standing, next);
        step_to_surface(toi, 0, next);
        moved = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            moved += toi->unit * fabs(next[axis] - in_moving[axis]);
            in_moving[axis] = next[axis];
        }
    }
}

/// What a sample may be over the truth where that is 0.
static double error_at(const AbutToiSearch* toi, int number, const double at[3], double distance)
{
    AbutPairBatch batch;
    batch.count = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        batch.at[axis][0] = (float)at[axis];
    }
    batch.distance[number][0] = (float)distance;
    return (double)abut_pair_error(&toi->pair, number, &batch, 0, 0.0f);
}

/// How far a point that is in the solid for certain is from one that is near it; infinite when none is found down its gradient.
static double inside_distance(AbutToiSearch* toi, int number, const double at[3], const Sample* sample,
                              double most)
{
    const double* g = sample->gradient;
    double squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2], free_time = most;
    for (int i = 0; i < INSIDE_TRIES && squared > 0.0; ++i)
    {
        free_time *= i == 0 ? 1.01 : 1.5;
        const double there[3] = { at[0] - free_time / squared * g[0], at[1] - free_time / squared * g[1],
                                  at[2] - free_time / squared * g[2] };
        double distance = sample_at(toi, number, there).distance;
        if (distance + error_at(toi, number, there, distance) <= 0.0)
        {
            return free_time / sqrt(squared) + (double)toi->pair.sides[number].rounding;
        }
    }
    return INFINITY;
}

/// At most how far the solid is from a point of its own frame, or infinite where that is not known.
static double max_distance(AbutToiSearch* toi, int number, const double at[3], const Sample* sample)
{
    const AbutShapeInfo* info = &toi->pair.sides[number].shape->info;
    double most = sample->distance + error_at(toi, number, at, sample->distance);
    bool exact =
        info->distance_kind == ABUT_DISTANCE_EXACT || info->distance_kind == ABUT_DISTANCE_EXACT_OUTSIDE;
    return most <= 0.0                                      ? 0.0
           : exact && sample->distance < (double)info->band ? most
                                                            : inside_distance(toi, number, at, sample, most);
}

/// At most how far the solids are apart, by way of a point of the moving one's frame. `in_standing` is what the standing one says of it.
static double max_separation(AbutToiSearch* toi, const AbutTransform* frame, const double in_moving[3],
                             Sample* in_standing)
{
    double at[3];
    to_standing(frame, in_moving, at);
    *in_standing = sample_at(toi, 1, at);
    Sample sample = sample_at(toi, 0, in_moving);
    double most = max_distance(toi, 1, at, in_standing);
    return most + toi->unit * max_distance(toi, 0, in_moving, &sample);
}

/// How fast a point of the moving shape's frame comes nearer to what is down a gradient.
static double approach_speed(const AbutToiSearch* toi, double time, const double in_moving[3],
                             const double g[3])
{
    AbutMotionSample moment = abut_relative_motion_at(&toi->motion, time);
    double at[3], length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    to_standing(&moment.frame, in_moving, at);
    const double* t = moment.angular_velocity;
    const double from_center[3] = { at[0] - moment.center[0], at[1] - moment.center[1],
                                    at[2] - moment.center[2] };
    double x = moment.velocity[0] + t[1] * from_center[2] - t[2] * from_center[1];
    double y = moment.velocity[1] + t[2] * from_center[0] - t[0] * from_center[2];
    double z = moment.velocity[2] + t[0] * from_center[1] - t[1] * from_center[0];
    return length > 0.0 ? -(x * g[0] + y * g[1] + z * g[2]) / length : 0.0;
}

void abut_toi_probe(AbutToiSearch* toi, const AbutToiBox* box)
{
    double in_moving[3] = { box->center[0], box->center[1], box->center[2] }, time = box->time;
    step_to_surface(toi, 0, in_moving);
    for (int i = 0; i < PROBE_TIMES && time < toi->limit; ++i)
    {
        AbutTransform frame = abut_relative_motion_frame(&toi->motion, time);
        Sample in_standing;
        find_closest(toi, &frame, in_moving);
        double separation = max_separation(toi, &frame, in_moving, &in_standing);
        if (separation <= toi->close_distance)
        {
            const float point[3] = { (float)in_moving[0], (float)in_moving[1], (float)in_moving[2] };
            abut_toi_set_close(toi, time, point);
            return;
        }
        double towards = approach_speed(toi, time, in_moving, in_standing.gradient);
        if (!(towards > 0.0) || !isfinite(separation))
        {
            return;
        }
        time += (separation - 0.5 * toi->close_distance) / towards;
    }
}

void abut_toi_describe(AbutToiSearch* toi, bool b_moves, const float point[3], AbutToiOutput* output)
{
    AbutTransform frame = abut_relative_motion_frame(&toi->motion, (double)output->time);
    double in_moving[3] = { point[0], point[1], point[2] }, in_standing[3];
    step_to_surface(toi, 0, in_moving);
    find_closest(toi, &frame, in_moving);
    to_standing(&frame, in_moving, in_standing);
    Sample other;
    double unit = b_moves ? 1.0 : 1.0 / toi->unit; // to A's units
    output->gap = (float)(unit * max_separation(toi, &frame, in_moving, &other));
    // The normal of B is that of its distance at a point of A: so it leads from the one to the other at edges, too.
    double at_a[3], at_b[3], normal[3];
    if (b_moves)
    {
        step_to_surface(toi, 1, in_standing);
        abut_transform_inverse_point(&frame, in_standing, at_b);
        abut_transform_rotate(&frame, sample_at(toi, 0, at_b).gradient, normal);
    }
    else
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            normal[axis] = frame.rotation[0][axis] * other.gradient[0] +
                           frame.rotation[1][axis] * other.gradient[1] +
                           frame.rotation[2][axis] * other.gradient[2];
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        at_a[axis] = b_moves ? in_standing[axis] + toi->origin[axis] : in_moving[axis];
    }
    output->position = abut_vec3((float)at_a[0], (float)at_a[1], (float)at_a[2]);
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    output->normal = length > 0.0 ? abut_vec3((float)(normal[0] / length), (float)(normal[1] / length),
                                              (float)(normal[2] / length))
                                  : abut_vec3(1.0f, 0.0f, 0.0f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Whether it is certain
// ---------------------------------------------------------------------------------------------------------------------

static bool has_common_point(const AbutToiInput* input, AbutToiSearch* toi, AbutVec3 around,
                             float probe_radius, float time)
{
    AbutPair pair;
    AbutPairBatch batch;
    if (!pair_at(input, time, &pair))
    {
        return false;
    }
    abut_pair_batch_set(&batch, 0, abut_pair_position(&pair, around));
    const float middle[3] = { batch.at[0][0], batch.at[1][0], batch.at[2][0] };
    batch.count = STARTS;
    for (int i = 0; i < STARTS; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            float step = i == 0 ? 0.0f : (i - 1) >> axis & 1 ? probe_radius : -probe_radius;
            batch.at[axis][i] = middle[axis] + step;
        }
    }
    float error = fmaxf(pair.sides[0].rounding, pair.sides[1].rounding);
    abut_narrow_project(&pair, &batch, PROJECTION_STEPS, -2.0f * error);
    toi->evaluations += pair.evaluations;
    size_t best = 0;
    float least = INFINITY;
    for (size_t i = 0; i < batch.count; ++i)
    {
        float value = fmaxf(batch.distance[0][i], batch.distance[1][i]);
        if (abut_pair_is_hit(&pair, &batch, i))
        {
            return true;
        }
        best = value < least ? i : best;
        least = fminf(least, value);
    }
    size_t hit_index;
    batch.count = 1; // nodes are asked around the best alone
    for (int axis = 0; axis < 3; ++axis)
    {
        batch.at[axis][0] = batch.at[axis][best];
    }
    batch.distance[0][0] = batch.distance[0][best];
    batch.distance[1][0] = batch.distance[1][best];
    return abut_prove_find_hit_node(&pair, &batch, INFINITY, &hit_index);
}

void abut_toi_prove_contact(const AbutToiInput* input, AbutToiSearch* toi, AbutToiOutput* output)
{
    AbutMotionBounds bounds = abut_relative_motion_bounds(&toi->motion, (double)output->time, 1.0);
    AbutBox box = abut_shape_info(toi->pair.sides[0].shape).bounds;
    double size = toi->unit * (double)abut_vec3_length(abut_box_extents(box));
    double speed = bounds.linear_speed + bounds.angular_speed * size;
    double step = speed > 0.0 ? toi->min_progress / speed : 1.0, before = 0.0;
    float probe_radius = (float)(2.0 * toi->min_progress);
    for (int i = 0; i < TIMES && (double)output->time + before < 1.0; ++i)
    {
        double after = before == 0.0 ? step : 2.0 * before;
        double time = fmin(1.0, (double)output->time + after);
        if (has_common_point(input, toi, output->position, probe_radius, (float)time))
        {
            output->touch_proved = true;
            output->touch_time = (float)time;
            for (int k = 0; k < HALVINGS; ++k)
            {
                double middle = 0.5 * (before + after);
                float at = fminf(1.0f, (float)((double)output->time + middle));
                bool touches = has_common_point(input, toi, output->position, probe_radius, at);
                output->touch_time = touches ? at : output->touch_time;
                before = touches ? before : middle;
                after = touches ? middle : after;
            }
            return;
        }
        before = after;
    }
}
