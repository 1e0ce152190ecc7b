#include "toi/solids/first_contact.h"

#include "narrow/contacts/project.h"
#include "narrow/prove/node_proof.h"
#include "shape/shape.h"

#include <math.h>

enum
{
    SURFACE_STEPS = 2, // towards a surface
    INSIDE_TRIES = 3,  // into a solid, each half as far again
    PROBE_TIMES = 8,   // that nearest points are followed to
    ROUNDS = 24,       // from one surface to the other
    STARTS = 9,        // of the search for a common point: the touch, and the corners of a cube around it
    PROJECTION_STEPS = 6,
    TIMES = 24,  // that are tried, each twice as long after the touch as the last
    HALVINGS = 4 // of the time to the first that succeeds
};

/// The pair at a time, in A's frame; false when it cannot be looked at.
static bool pair_at(const AbutSweepInput* input, float time, AbutPair* pair)
{
    const AbutPairDef def = { .shape_a = input->shape_a, .shape_b = input->shape_b };
    AbutRelativeMotion motion;
    float gap;
    if (abut_relative_motion_init(&input->pose_a, &input->motion_a, &input->pose_b, &input->motion_b,
                                  &motion) != ABUT_OK)
    {
        return false;
    }
    AbutFrame relative = abut_relative_motion_frame(&motion, (double)time);
    return abut_pair_init_relative(&def, &relative, abut_relative_motion_length(&motion), pair, &gap) ==
               ABUT_OK &&
           gap == 0.0f;
}

// ---------------------------------------------------------------------------------------------------------------------
// Where
// ---------------------------------------------------------------------------------------------------------------------

/// A shape's answer at one point of its own frame.
typedef struct Answer
{
    double distance, gradient[3];
} Answer;

static Answer ask(AbutImpact* impact, int number, const double at[3])
{
    float x = (float)at[0], y = (float)at[1], z = (float)at[2], distance, g[3];
    abut_pair_side_sample(&impact->pair.sides[number], (AbutPoints){ &x, &y, &z }, 1,
                          (AbutSamples){ &distance, &g[0], &g[1], &g[2] });
    impact->evaluations += 1;
    return (Answer){ .distance = distance, .gradient = { g[0], g[1], g[2] } };
}

/// Takes a point to the surface of a shape, in its own frame.
static void step_to_surface(AbutImpact* impact, int number, double at[3])
{
    for (int i = 0; i < SURFACE_STEPS; ++i)
    {
        Answer answer = ask(impact, number, at);
        const double* g = answer.gradient;
        double squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        for (int axis = 0; axis < 3 && squared > 0.0 && isfinite(answer.distance); ++axis)
        {
            at[axis] -= answer.distance / squared * g[axis];
        }
    }
}

static void to_standing(const AbutFrame* frame, const double at[3], double out[3])
{
    abut_frame_rotate(frame, at, out);
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] = frame->scale * out[axis] + frame->translation[axis];
    }
}

/// From one surface to the other and back, which leads to where they are nearest. A point of the moving one, in its frame.
static void find_nearest(AbutImpact* impact, const AbutFrame* frame, double own[3])
{
    double moved = INFINITY, seen[3], next[3];
    for (int round = 0; round < ROUNDS && moved > 1e-3 * impact->stop; ++round)
    {
        to_standing(frame, own, seen);
        step_to_surface(impact, 1, seen);
        abut_frame_to_inner(frame, seen, next);
        step_to_surface(impact, 0, next);
        moved = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            moved += impact->unit * fabs(next[axis] - own[axis]);
            own[axis] = next[axis];
        }
    }
}

/// What a sample may be over the truth where that is 0.
static double error_at(const AbutImpact* impact, int number, const double at[3], double distance)
{
    AbutPairBatch batch;
    batch.count = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        batch.at[axis][0] = (float)at[axis];
    }
    batch.distance[number][0] = (float)distance;
    return (double)abut_pair_error(&impact->pair, number, &batch, 0, 0.0f);
}

/// How far a point that is in the solid for certain is from one that is near it; infinite when none is found down its gradient.
static double way_inside(AbutImpact* impact, int number, const double at[3], const Answer* answer,
                         double most)
{
    const double* g = answer->gradient;
    double squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2], by = most;
    for (int i = 0; i < INSIDE_TRIES && squared > 0.0; ++i)
    {
        by *= i == 0 ? 1.01 : 1.5;
        const double there[3] = { at[0] - by / squared * g[0], at[1] - by / squared * g[1],
                                  at[2] - by / squared * g[2] };
        double distance = ask(impact, number, there).distance;
        if (distance + error_at(impact, number, there, distance) <= 0.0)
        {
            return by / sqrt(squared) + (double)impact->pair.sides[number].rounding;
        }
    }
    return INFINITY;
}

/// At most how far the solid is from a point of its own frame, or infinite where that is not known.
static double most_distance(AbutImpact* impact, int number, const double at[3], const Answer* answer)
{
    const AbutShapeInfo* info = &impact->pair.sides[number].shape->info;
    double most = answer->distance + error_at(impact, number, at, answer->distance);
    bool exact =
        info->distance_kind == ABUT_DISTANCE_EXACT || info->distance_kind == ABUT_DISTANCE_EXACT_OUTSIDE;
    return most <= 0.0                                      ? 0.0
           : exact && answer->distance < (double)info->band ? most
                                                            : way_inside(impact, number, at, answer, most);
}

/// At most how far the solids are apart, by way of a point of the moving one's frame. `seen` is what the standing one says of it.
static double most_apart(AbutImpact* impact, const AbutFrame* frame, const double own[3], Answer* seen)
{
    double at[3];
    to_standing(frame, own, at);
    *seen = ask(impact, 1, at);
    Answer answer = ask(impact, 0, own);
    double most = most_distance(impact, 1, at, seen);
    return most + impact->unit * most_distance(impact, 0, own, &answer);
}

/// How fast a point of the moving shape's frame comes nearer to what is down a gradient.
static double approach_speed(const AbutImpact* impact, double time, const double own[3], const double g[3])
{
    AbutMotionMoment moment = abut_relative_motion_at(&impact->motion, time);
    double at[3], length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    to_standing(&moment.frame, own, at);
    const double* t = moment.turn;
    const double arm[3] = { at[0] - moment.center[0], at[1] - moment.center[1], at[2] - moment.center[2] };
    double x = moment.velocity[0] + t[1] * arm[2] - t[2] * arm[1];
    double y = moment.velocity[1] + t[2] * arm[0] - t[0] * arm[2];
    double z = moment.velocity[2] + t[0] * arm[1] - t[1] * arm[0];
    return length > 0.0 ? -(x * g[0] + y * g[1] + z * g[2]) / length : 0.0;
}

void abut_impact_probe(AbutImpact* impact, const AbutImpactBox* box)
{
    double own[3] = { box->center[0], box->center[1], box->center[2] }, time = box->time;
    step_to_surface(impact, 0, own);
    for (int i = 0; i < PROBE_TIMES && time < impact->limit; ++i)
    {
        AbutFrame frame = abut_relative_motion_frame(&impact->motion, time);
        Answer seen;
        find_nearest(impact, &frame, own);
        double apart = most_apart(impact, &frame, own, &seen);
        if (apart <= impact->near)
        {
            const float point[3] = { (float)own[0], (float)own[1], (float)own[2] };
            abut_impact_meet(impact, time, point);
            return;
        }
        double towards = approach_speed(impact, time, own, seen.gradient);
        if (!(towards > 0.0) || !isfinite(apart))
        {
            return;
        }
        time += (apart - 0.5 * impact->near) / towards;
    }
}

void abut_impact_describe(AbutImpact* impact, bool b_moves, const float point[3], AbutSweepOutput* output)
{
    AbutFrame frame = abut_relative_motion_frame(&impact->motion, (double)output->time);
    double own[3] = { point[0], point[1], point[2] }, seen[3];
    step_to_surface(impact, 0, own);
    find_nearest(impact, &frame, own);
    to_standing(&frame, own, seen);
    Answer other;
    double unit = b_moves ? 1.0 : 1.0 / impact->unit; // to A's units
    output->gap = (float)(unit * most_apart(impact, &frame, own, &other));
    // The normal of B is that of its distance at a point of A: so it leads from the one to the other at edges, too.
    double at_a[3], at_b[3], normal[3];
    if (b_moves)
    {
        step_to_surface(impact, 1, seen);
        abut_frame_to_inner(&frame, seen, at_b);
        abut_frame_rotate(&frame, ask(impact, 0, at_b).gradient, normal);
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
        at_a[axis] = b_moves ? seen[axis] + impact->origin[axis] : own[axis];
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

static bool has_common_point(const AbutSweepInput* input, AbutImpact* impact, AbutVec3 near, float reach,
                             float time)
{
    AbutPair pair;
    AbutPairBatch batch;
    if (!pair_at(input, time, &pair))
    {
        return false;
    }
    abut_batch_set(&batch, 0, abut_pair_position(&pair, near));
    const float middle[3] = { batch.at[0][0], batch.at[1][0], batch.at[2][0] };
    batch.count = STARTS;
    for (int i = 0; i < STARTS; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            float step = i == 0 ? 0.0f : (i - 1) >> axis & 1 ? reach : -reach;
            batch.at[axis][i] = middle[axis] + step;
        }
    }
    float error = fmaxf(pair.sides[0].rounding, pair.sides[1].rounding);
    abut_pair_project(&pair, &batch, PROJECTION_STEPS, -2.0f * error);
    impact->evaluations += pair.evaluations;
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
    size_t found;
    batch.count = 1; // nodes are asked around the best alone
    for (int axis = 0; axis < 3; ++axis)
    {
        batch.at[axis][0] = batch.at[axis][best];
    }
    batch.distance[0][0] = batch.distance[0][best];
    batch.distance[1][0] = batch.distance[1][best];
    return abut_pair_find_hit_node(&pair, &batch, INFINITY, &found);
}

void abut_impact_prove(const AbutSweepInput* input, AbutImpact* impact, AbutSweepOutput* output)
{
    AbutMotionBounds bounds = abut_relative_motion_bounds(&impact->motion, (double)output->time, 1.0);
    AbutBox box = abut_shape_info(impact->pair.sides[0].shape).bounds;
    double size = impact->unit * (double)abut_vec3_length(abut_box_extents(box));
    double speed = bounds.carried + bounds.turning * size;
    double step = speed > 0.0 ? impact->stop / speed : 1.0, before = 0.0;
    float reach = (float)(2.0 * impact->stop);
    for (int i = 0; i < TIMES && (double)output->time + before < 1.0; ++i)
    {
        double after = before == 0.0 ? step : 2.0 * before;
        double time = fmin(1.0, (double)output->time + after);
        if (has_common_point(input, impact, output->position, reach, (float)time))
        {
            output->touch_proved = true;
            output->touch_time = (float)time;
            for (int k = 0; k < HALVINGS; ++k)
            {
                double middle = 0.5 * (before + after);
                float at = fminf(1.0f, (float)((double)output->time + middle));
                bool touches = has_common_point(input, impact, output->position, reach, at);
                output->touch_time = touches ? at : output->touch_time;
                before = touches ? before : middle;
                after = touches ? middle : after;
            }
            return;
        }
        before = after;
    }
}
