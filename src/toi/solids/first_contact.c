// Closest points of two solids at a time, and the proof of a common point.
#include "toi/solids/first_contact.h"

#include "narrow/contacts/project.h"
#include "narrow/prove/node_proof.h"
#include "shape/shape.h"
#include "toi/solids/search.h"

#include <math.h>

enum
{
    SURFACE_STEPS = 2,   // of a projection onto a surface
    INSIDE_TRIES = 3,    // points in a solid, each 1.5 times as deep
    PROBE_TIMES = 8,     // of a probe
    MAX_ITERATIONS = 24, // alternating projections
    STARTS = 1 + 8,      // of the search for a common point: the contact, and the corners of a cube around it
    PROJECTION_STEPS = 6,
    TIMES = 24,  // of the search for a common point, each twice as long after the contact as the last
    HALVINGS = 4 // of the interval before the first success
};

/// The pair at a time, in A's frame; false when its boxes are apart or it is invalid.
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

// -----------------------------------------------------------------------------------------------------------
// Closest points
// -----------------------------------------------------------------------------------------------------------

/// A sample of a shape at a point of its own frame.
typedef struct Sample
{
    double distance;
    AbutDVec3 gradient;
} Sample;

static Sample sample_at(AbutToiSearch* toi, int number, AbutDVec3 at)
{
    AbutVec3 p = abut_dvec3_to_vec3(at), g;
    float distance;
    abut_pair_side_sample(&toi->pair.sides[number], (AbutPoints){ &p.x, &p.y, &p.z }, 1,
                          (AbutSamples){ &distance, &g.x, &g.y, &g.z });
    toi->evaluations += 1;
    return (Sample){ .distance = distance, .gradient = abut_dvec3_from_vec3(g) };
}

/// Projection of a point onto the surface of a shape, in its own frame.
static AbutDVec3 step_to_surface(AbutToiSearch* toi, int number, AbutDVec3 at)
{
    for (int i = 0; i < SURFACE_STEPS; ++i)
    {
        Sample sample = sample_at(toi, number, at);
        double squared = abut_dvec3_squared_length(sample.gradient);
        if (squared > 0.0 && isfinite(sample.distance))
        {
            at = abut_dvec3_mul_sub(at, sample.distance / squared, sample.gradient);
        }
    }
    return at;
}

/// Alternating projections onto both surfaces, which lead to their closest points. A point of the moving
/// shape, in its frame.
static AbutDVec3 find_closest(AbutToiSearch* toi, const AbutTransform* frame, AbutDVec3 in_moving)
{
    double moved = INFINITY;
    for (int iteration = 0; iteration < MAX_ITERATIONS && moved > 1e-3 * toi->min_progress; ++iteration)
    {
        AbutDVec3 in_standing = step_to_surface(toi, 1, abut_transform_point(frame, in_moving));
        AbutDVec3 next = step_to_surface(toi, 0, abut_transform_inverse_point(frame, in_standing));
        AbutDVec3 step = abut_dvec3_scale(abut_dvec3_abs(abut_dvec3_sub(next, in_moving)), toi->unit);
        moved = step.x + step.y + step.z;
        in_moving = next;
    }
    return in_moving;
}

/// Error bound of a sample for a comparison with 0.
static double error_at(const AbutToiSearch* toi, int number, AbutDVec3 at, double distance)
{
    AbutPairBatch batch;
    batch.count = 1;
    abut_pair_batch_set(&batch, 0, abut_dvec3_to_vec3(at));
    batch.distance[number][0] = (float)distance;
    return (double)abut_pair_error(&toi->pair, number, &batch, 0, 0.0f);
}

/// Distance of a point proved to be in the solid from a point close to it, along its gradient; infinite when
/// there is none.
static double inside_distance(AbutToiSearch* toi, int number, AbutDVec3 at, const Sample* sample, double most)
{
    double squared = abut_dvec3_squared_length(sample->gradient), depth = most;
    for (int i = 0; i < INSIDE_TRIES && squared > 0.0; ++i)
    {
        depth *= i == 0 ? 1.01 : 1.5;
        AbutDVec3 there = abut_dvec3_mul_sub(at, depth / squared, sample->gradient);
        double distance = sample_at(toi, number, there).distance;
        if (distance + error_at(toi, number, there, distance) <= 0.0)
        {
            return depth / sqrt(squared) + (double)toi->pair.sides[number].rounding;
        }
    }
    return INFINITY;
}

/// Upper bound of the distance of the solid from a point of its own frame; infinite where nothing is proved.
static double max_distance(AbutToiSearch* toi, int number, AbutDVec3 at, const Sample* sample)
{
    const AbutShapeInfo* info = &toi->pair.sides[number].shape->info;
    double most = sample->distance + error_at(toi, number, at, sample->distance);
    bool exact =
        info->distance_kind == ABUT_DISTANCE_EXACT || info->distance_kind == ABUT_DISTANCE_EXACT_OUTSIDE;
    return most <= 0.0                                      ? 0.0
           : exact && sample->distance < (double)info->band ? most
                                                            : inside_distance(toi, number, at, sample, most);
}

/// Upper bound of the distance of the solids, through a point of the moving one's frame. `in_standing` is the
/// sample of the standing shape there.
static double max_separation(AbutToiSearch* toi, const AbutTransform* frame, AbutDVec3 in_moving,
                             Sample* in_standing)
{
    AbutDVec3 at = abut_transform_point(frame, in_moving);
    *in_standing = sample_at(toi, 1, at);
    Sample sample = sample_at(toi, 0, in_moving);
    double most = max_distance(toi, 1, at, in_standing);
    return most + toi->unit * max_distance(toi, 0, in_moving, &sample);
}

/// Approach speed of a point of the moving shape's frame against a gradient of the standing one.
static double approach_speed(const AbutToiSearch* toi, double time, AbutDVec3 in_moving, AbutDVec3 g)
{
    AbutMotionSample sample = abut_relative_motion_at(&toi->motion, time);
    AbutDVec3 at = abut_transform_point(&sample.frame, in_moving);
    double length = abut_dvec3_length(g);
    return length > 0.0 ? -abut_dvec3_dot(abut_motion_sample_velocity(&sample, at), g) / length : 0.0;
}

void abut_toi_probe(AbutToiSearch* toi, const AbutToiBox* box)
{
    AbutDVec3 in_moving = step_to_surface(toi, 0, abut_dvec3_from_vec3(box->center));
    double time = box->time;
    for (int i = 0; i < PROBE_TIMES && time < toi->limit; ++i)
    {
        AbutTransform frame = abut_relative_motion_frame(&toi->motion, time);
        Sample in_standing;
        in_moving = find_closest(toi, &frame, in_moving);
        double separation = max_separation(toi, &frame, in_moving, &in_standing);
        if (separation <= toi->close_distance)
        {
            abut_toi_set_close(toi, time, abut_dvec3_to_vec3(in_moving));
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

void abut_toi_describe(AbutToiSearch* toi, bool b_moves, AbutVec3 point, AbutToiOutput* output)
{
    AbutTransform frame = abut_relative_motion_frame(&toi->motion, (double)output->time);
    AbutDVec3 in_moving = step_to_surface(toi, 0, abut_dvec3_from_vec3(point));
    in_moving = find_closest(toi, &frame, in_moving);
    AbutDVec3 in_standing = abut_transform_point(&frame, in_moving), normal;
    Sample other;
    double unit = b_moves ? 1.0 : 1.0 / toi->unit; // to A's units
    output->gap = (float)(unit * max_separation(toi, &frame, in_moving, &other));
    // The normal of B is that of its distance at a point of A: at edges, too, it is along the closest points.
    if (b_moves)
    {
        in_standing = step_to_surface(toi, 1, in_standing);
        AbutDVec3 in_b = abut_transform_inverse_point(&frame, in_standing);
        normal = abut_transform_rotate(&frame, sample_at(toi, 0, in_b).gradient);
        output->position = abut_dvec3_to_vec3(abut_dvec3_add(in_standing, toi->origin));
    }
    else
    {
        normal = abut_transform_inverse_rotate(&frame, other.gradient);
        output->position = abut_dvec3_to_vec3(in_moving);
    }
    double length = abut_dvec3_length(normal);
    output->normal =
        length > 0.0 ? abut_dvec3_to_vec3(abut_dvec3_div(normal, length)) : abut_vec3(1.0f, 0.0f, 0.0f);
}

// -----------------------------------------------------------------------------------------------------------
// Proof
// -----------------------------------------------------------------------------------------------------------

static bool has_common_point(const AbutToiInput* input, AbutToiSearch* toi, AbutVec3 around,
                             float probe_radius, float time)
{
    AbutPair pair;
    AbutPairBatch batch;
    if (!pair_at(input, time, &pair))
    {
        return false;
    }
    AbutVec3 middle = abut_pair_position(&pair, around);
    batch.count = STARTS;
    abut_pair_batch_set(&batch, 0, abut_vec3_add(middle, abut_vec3(0.0f, 0.0f, 0.0f))); // −0 becomes 0
    for (int corner = 0; corner < 8; ++corner)
    {
        AbutVec3 step =
            abut_vec3(corner & 1 ? probe_radius : -probe_radius, corner & 2 ? probe_radius : -probe_radius,
                      corner & 4 ? probe_radius : -probe_radius);
        abut_pair_batch_set(&batch, (size_t)corner + 1, abut_vec3_add(middle, step));
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
    batch.count = 1; // nodes around the best point alone
    abut_pair_batch_set(&batch, 0, abut_pair_batch_point(&batch, best));
    batch.distance[0][0] = batch.distance[0][best];
    batch.distance[1][0] = batch.distance[1][best];
    return abut_prove_find_hit_node(&pair, &batch, INFINITY, &hit_index);
}

void abut_toi_prove_contact(const AbutToiInput* input, AbutToiSearch* toi, AbutToiOutput* output)
{
    AbutMotionBounds bounds = abut_relative_motion_bounds(&toi->motion, (double)output->time, 1.0);
    AbutBox box = abut_shape_info(toi->pair.sides[0].shape).bounds;
    double size = toi->unit * (double)abut_vec3_length(abut_box_extents(box));
    double speed = abut_motion_bounds_speed(&bounds, size);
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
