// The distance of two shapes, to a tolerance. Convex pairs have a formula (closed_form.h). Pairs with a field
// search its octree (closest_pair.h). For others, points that approach each other are the upper bound, and
// the failed search for closer ones the lower bound.
#include <abut/narrow.h>

#include "math/rounding.h"
#include "narrow/collide.h"
#include "narrow/distance/closed_form.h"
#include "narrow/distance/closest_pair.h"
#include "narrow/distance/witness.h"
#include "narrow/prove/prove.h"
#include "search/pair.h"

#include "base/fp_env.h"
#include "base/scratch.h"

#include <abut/field.h>

#include <math.h>
#include <string.h>

enum
{
    STARTS = 4,           // along each side of A's box
    FIRST_ITERATIONS = 3, // for all starts
    LAST_ITERATIONS = 40, // for the best
    SURFACE_STEPS = 6,
    KEPT = 8,
    SEARCHES = 24
};

/// Of the smaller shape.
static const float DEFAULT_TOLERANCE = 2e-3f;

/// A point of each solid.
typedef struct Witnesses
{
    float a[3][ABUT_PAIR_BATCH], b[3][ABUT_PAIR_BATCH];
    float distance[ABUT_PAIR_BATCH];
    size_t count;
} Witnesses;

AbutDistanceInput abut_distance_input(const AbutShape* shape_a, const AbutShape* shape_b)
{
    return (AbutDistanceInput){
        .shape_a = shape_a,
        .shape_b = shape_b,
        .pose_a = abut_pose_identity(),
        .pose_b = abut_pose_identity(),
        .budget = abut_collide_settings().budget,
    };
}

// -----------------------------------------------------------------------------------------------------------
// Upper bound
// -----------------------------------------------------------------------------------------------------------

/// One step of points towards the surface of a side; true when one was further from it than `close`.
static bool step_to(AbutPair* pair, int number, float at[3][ABUT_PAIR_BATCH], size_t count, float close)
{
    const AbutPairSide* side = &pair->sides[number];
    float distance[ABUT_PAIR_BATCH], g[3][ABUT_PAIR_BATCH];
    bool moved = false;
    abut_pair_side_sample(side, (AbutPoints){ at[0], at[1], at[2] }, count,
                          (AbutSamples){ distance, g[0], g[1], g[2] });
    pair->evaluations += count;
    for (size_t i = 0; i < count; ++i)
    {
        float squared = g[0][i] * g[0][i] + g[1][i] * g[1][i] + g[2][i] * g[2][i];
        float by = squared > 0.0f ? distance[i] / squared : 0.0f;
        moved = moved || fabsf(distance[i]) > close;
        at[0][i] -= by * g[0][i];
        at[1][i] -= by * g[1][i];
        at[2][i] -= by * g[2][i];
    }
    return moved;
}

/// The points of the surface of a side closest to points outside of it. Far from a field its samples are only
/// lower bounds, so that it takes more than a step.
static void closest_on(AbutPair* pair, int number, float from[3][ABUT_PAIR_BATCH], size_t count,
                       float to[3][ABUT_PAIR_BATCH])
{
    memcpy(to[0], from[0], count * sizeof(float));
    memcpy(to[1], from[1], count * sizeof(float));
    memcpy(to[2], from[2], count * sizeof(float));
    for (int i = 0; i < SURFACE_STEPS && step_to(pair, number, to, count, 1e-4f * pair->size); ++i)
    {
    }
}

/// Moves the points of A and B towards each other, alternately.
static void approach(AbutPair* pair, Witnesses* w, int iterations)
{
    for (int iteration = 0; iteration < iterations; ++iteration)
    {
        closest_on(pair, 1, w->a, w->count, w->b);
        closest_on(pair, 0, w->b, w->count, w->a);
    }
    for (size_t i = 0; i < w->count; ++i)
    {
        float x = w->a[0][i] - w->b[0][i], y = w->a[1][i] - w->b[1][i], z = w->a[2][i] - w->b[2][i];
        float distance = sqrtf(x * x + y * y + z * z);
        w->distance[i] =
            isfinite(distance) ? distance : INFINITY; // functions that are not distances lead anywhere
    }
}

/// Keeps the nearest `most`, nearest first.
static void keep_closest(Witnesses* w, size_t most)
{
    for (size_t i = 0; i < w->count && i < most; ++i)
    {
        size_t best = i;
        for (size_t k = i + 1; k < w->count; ++k)
        {
            best = w->distance[k] < w->distance[best] ? k : best;
        }
        float distance = w->distance[i];
        w->distance[i] = w->distance[best];
        w->distance[best] = distance;
        for (int axis = 0; axis < 3; ++axis)
        {
            float a = w->a[axis][i], b = w->b[axis][i];
            w->a[axis][i] = w->a[axis][best];
            w->b[axis][i] = w->b[axis][best];
            w->a[axis][best] = a;
            w->b[axis][best] = b;
        }
    }
    w->count = w->count < most ? w->count : most;
}

/// A grid over the box of A, or over that of B where A is infinite.
static void start(const AbutPair* pair, Witnesses* w)
{
    AbutBox box = abut_box_is_finite(pair->boxes[0]) ? pair->boxes[0] : pair->boxes[1];
    AbutVec3 extents = abut_vec3_sub(box.max, box.min);
    w->count = STARTS * STARTS * STARTS;
    for (size_t i = 0; i < w->count; ++i)
    {
        w->a[0][i] = box.min.x + extents.x * ((float)(i % STARTS) + 0.5f) / STARTS;
        w->a[1][i] = box.min.y + extents.y * ((float)(i / STARTS % STARTS) + 0.5f) / STARTS;
        w->a[2][i] = box.min.z + extents.z * ((float)(i / STARTS / STARTS) + 0.5f) / STARTS;
    }
}

static void start_at(const float point[3], Witnesses* w)
{
    w->count = 1;
    w->a[0][0] = point[0];
    w->a[1][0] = point[1];
    w->a[2][0] = point[2];
}

/// Upper bound of the distance of the surfaces, from the closest witnesses: their distance, and their
/// distances from the surfaces.
static float high_of(AbutPair* pair, const Witnesses* w)
{
    AbutVec3 a = abut_vec3(w->a[0][0], w->a[1][0], w->a[2][0]);
    AbutVec3 b = abut_vec3(w->b[0][0], w->b[1][0], w->b[2][0]);
    if (!abut_vec3_is_finite(a) || !abut_vec3_is_finite(b))
    {
        return INFINITY;
    }
    double sum = abut_dvec3_distance(abut_dvec3_from_vec3(a), abut_dvec3_from_vec3(b));
    abut_pair_set_region(pair, abut_box_add_point(abut_box(a, a), b));
    for (int number = 0; number < 2; ++number)
    {
        AbutPairBatch batch;
        batch.count = 1;
        abut_pair_batch_set(&batch, 0, number == 0 ? a : b);
        abut_pair_sample(pair, &batch, false);
        sum += fabs((double)batch.distance[number][0] + (double)pair->sides[number].inflate) +
               (double)abut_pair_error(pair, number, &batch, 0, 0.0f);
    }
    return abut_round_up(sum * (1.0 + 1e-14));
}

// -----------------------------------------------------------------------------------------------------------
// Lower bound
// -----------------------------------------------------------------------------------------------------------

/// None where shapes that are not distances led points astray.
static void take_witnesses(const AbutPair* pair, AbutDistanceOutput* output, const Witnesses* w, float high)
{
    if (!isfinite(w->distance[0]) || !isfinite(high))
    {
        output->high = INFINITY;
        return;
    }
    output->high = high;
    output->point_a = abut_pair_to_a(pair, (const float[3]){ w->a[0][0], w->a[1][0], w->a[2][0] });
    output->point_b = abut_pair_to_a(pair, (const float[3]){ w->b[0][0], w->b[1][0], w->b[2][0] });
}

/// Searches a common point of A and of B inflated by `by`.
static AbutCollideState search_closer(AbutPair* pair, AbutBoxSearch* search, float by, float tolerance,
                                      uint32_t budget)
{
    float gap;
    pair->sides[1].inflate = by;
    pair->box = abut_box_intersection(abut_box_expand(pair->boxes[0], pair->box_margin),
                                      abut_box_expand(pair->boxes[1], pair->box_margin + by));
    abut_pair_set_region(pair, pair->box);
    AbutCollideState state = abut_prove_state(pair, search, tolerance, budget, &gap);
    pair->sides[1].inflate = 0.0f;
    return state;
}

/// Narrows the bounds from both ends.
static void close_in(AbutPair* pair, AbutBoxSearch* search, Witnesses* w, const AbutDistanceInput* input,
                     float tolerance, AbutDistanceOutput* output)
{
    float best = w->distance[0], step = tolerance;
    take_witnesses(pair, output, w, high_of(pair, w));
    for (int i = 0; i < SEARCHES && isfinite(best) && output->low < best - 1.01f * tolerance; ++i)
    {
        float by = best - step;
        AbutCollideState state = by > 0.0f ? search_closer(pair, search, by, 0.25f * tolerance, input->budget)
                                           : ABUT_COLLIDE_CLOSE;
        if (state == ABUT_COLLIDE_SEPARATED)
        {
            output->low = by;
            return;
        }
        if (state == ABUT_COLLIDE_CONTACT)
        {
            start_at(pair->witness, w);
            approach(pair, w, LAST_ITERATIONS);
            if (w->distance[0] < best)
            {
                best = w->distance[0];
                take_witnesses(pair, output, w, high_of(pair, w));
                continue;
            }
        }
        if (by <= 0.0f || state == ABUT_COLLIDE_BUDGET)
        {
            return;
        }
        step *= 4.0f; // below the uncertainty
    }
}

/// For pairs without a field.
static void measure_shapes(AbutPair* pair, AbutBoxSearch* search, const AbutDistanceInput* input,
                           float tolerance, AbutDistanceOutput* output)
{
    Witnesses w;
    start(pair, &w);
    approach(pair, &w, FIRST_ITERATIONS);
    keep_closest(&w, KEPT);
    approach(pair, &w, LAST_ITERATIONS);
    keep_closest(&w, 1);
    if (output->state == ABUT_COLLIDE_SEPARATED)
    {
        close_in(pair, search, &w, input, tolerance, output);
    }
    else
    {
        take_witnesses(pair, output, &w, high_of(pair, &w));
    }
}

// -----------------------------------------------------------------------------------------------------------
// Fields
// -----------------------------------------------------------------------------------------------------------

/// As the settings demand; by default a fraction of the smaller shape, and the errors of the fields.
static AbutClosestPairGoal goal_of(const AbutPair* pair, const AbutDistanceInput* input)
{
    float errors = 0.0f;
    for (int side = 0; side < 2; ++side)
    {
        const AbutPairSide* from = &pair->sides[side];
        float error =
            from->is_field ? abut_field_info(from->shape).error_bound * (float)from->frame.scale : 0.0f;
        errors += isfinite(error) ? error : 0.0f;
    }
    AbutClosestPairGoal goal = { .tolerance = input->tolerance,
                                 .width = input->tolerance,
                                 .budget = input->budget };
    if (!(input->tolerance > 0.0f))
    {
        goal.tolerance = DEFAULT_TOLERANCE * pair->size;
        goal.width = goal.tolerance + errors;
    }
    return goal;
}

static AbutVec3 point_of(const AbutPair* pair, AbutDVec3 at)
{
    return abut_dvec3_to_vec3(abut_dvec3_add(at, pair->origin));
}

/// From the middles of both, when the budget has not sufficed to find a witness.
static AbutWitness any_witness(AbutPair* pair)
{
    AbutWitness witness;
    for (int side = 0; side < 2; ++side)
    {
        AbutBox box = abut_box_is_finite(pair->boxes[side]) ? pair->boxes[side] : pair->boxes[1 - side];
        AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
        witness.at[side] = abut_dvec3_from_vec3(middle);
    }
    abut_witness_approach(pair, &witness, LAST_ITERATIONS, 0.0);
    abut_witness_prove(pair, &witness);
    return witness;
}

/// Restricts errors to points as near to the boxes as points of the surfaces are to each other: closest
/// points are among these.
static void set_gap_box(AbutPair* pair)
{
    AbutWitness witness = any_witness(pair);
    float far = 1.01f * (float)witness.distance + pair->box_margin;
    if (!isfinite(far)) // the other shape is not a distance
    {
        return;
    }
    abut_pair_set_region(pair, abut_box_intersection(abut_box_expand(pair->boxes[0], far),
                                                     abut_box_expand(pair->boxes[1], far)));
}

static void measure_fields(AbutPair* pair, const AbutDistanceInput* input, AbutDistanceOutput* output)
{
    AbutWitness witness;
    AbutClosestPairGoal goal = goal_of(pair, input);
    set_gap_box(pair);
    float low = abut_closest_pair_search(pair, &goal, &witness);
    witness = isfinite(witness.distance) ? witness : any_witness(pair);
    output->point_a = point_of(pair, witness.at[0]);
    output->point_b = point_of(pair, witness.at[1]);
    output->high =
        fmaxf(abut_round_up(witness.high), abut_vec3_length(abut_vec3_sub(output->point_a, output->point_b)));
    if (!isfinite(output->high)) // the other shape is not a distance
    {
        output->high = INFINITY;
        output->point_a = output->point_b = abut_vec3(0.0f, 0.0f, 0.0f);
    }
    if (output->state == ABUT_COLLIDE_SEPARATED)
    {
        // Rounding may have swapped the bounds of a distance that is known exactly.
        output->low = fminf(fmaxf(output->low, low), output->high);
    }
}

static void measure(AbutPair* pair, AbutBoxSearch* search, const AbutDistanceInput* input, float tolerance,
                    AbutDistanceOutput* output)
{
    float gap = output->low;
    output->state =
        gap > 0.0f ? ABUT_COLLIDE_SEPARATED : abut_prove_state(pair, search, tolerance, input->budget, &gap);
    if (output->state == ABUT_COLLIDE_CONTACT)
    {
        output->point_a = output->point_b = abut_pair_to_a(pair, pair->witness);
        return;
    }
    output->low = gap;
    if (abut_closest_pair_applies(pair))
    {
        measure_fields(pair, input, output);
    }
    else
    {
        measure_shapes(pair, search, input, tolerance, output);
    }
}

AbutDistanceOutput abut_distance(const AbutDistanceInput* input)
{
    ABUT_FP_CALL(abut_distance, input);
    AbutPair pair;
    AbutDistanceOutput output = { .state = ABUT_COLLIDE_INVALID };
    AbutPairDef def = {
        input->shape_a, input->shape_b, input->pose_a, input->pose_b, input->tolerance, 0.0f
    };
    float gap;
    if (input->budget == 0)
    {
        abut_fail(ABUT_INVALID_ARGUMENT,
                  "distance: the budget is 0; start from abut_distance_input(), and it is at least 1");
        return output;
    }
    if (abut_pair_init(&def, &pair, &gap) != ABUT_OK)
    {
        return output;
    }
    if (gap == INFINITY) // one of them is empty
    {
        output.state = ABUT_COLLIDE_SEPARATED;
        output.low = output.high = INFINITY;
        return output;
    }
    if (!abut_box_is_finite(pair.boxes[0]) && !abut_box_is_finite(pair.boxes[1]))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "distance: both shapes have no end; give one of them an end");
        return output;
    }
    float tolerance = input->tolerance > 0.0f ? input->tolerance : DEFAULT_TOLERANCE * pair.size;
    if (abut_distance_closed_form(input, tolerance, &output))
    {
        return output;
    }
    AbutBoxSearch* search = abut_scratch_acquire(sizeof(*search));
    if (search == NULL)
    {
        return output;
    }
    output.low = gap;
    output.uncertainty = abut_pair_uncertainty(&pair);
    measure(&pair, search, input, tolerance, &output);
    abut_scratch_release(search);
    output.evaluations = pair.evaluations;
    return output;
}
