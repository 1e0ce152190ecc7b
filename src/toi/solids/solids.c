// When two moving solids first touch: what there is to look at, and what was found.
#include <abut/narrow.h>

#include "toi/solids/solids.h"

#include "base/scratch.h"

#include "math/rounding.h"
#include "narrow/collide.h"
#include "narrow/prove/prove.h"
#include "shape/shape.h"
#include "toi/solids/first_contact.h"
#include "toi/solids/octree_search.h"

enum
{
    FIRST_PARTS = 2,            // at most, along the longest side of a flat shape
    LEAST_OVERLAP_BUDGET = 4096 // samples to tell an overlap at the start, whatever the search has left
};

/// Of the tolerance: the radius of the smallest boxes, the distance that is as good as a touch, the way that boxes must gain, and the way
/// that an answer may be early by. The middle of a smallest box that gains no more is nearer to both solids than the sum of its radius
/// and that way; so with what comes on top for being early, solids that meet are nearer to each other than the tolerance.
static const double FINEST = 0.4, NEAR = 0.7, STOP = 0.2, SLACK = 0.2;

/// Of the tolerance: rounding that can be spared.
static const double ROUNDING_TO_SPARE = 0.25;

/// Of the size of the moving shape: from this radius on it pays to look at what lies between surfaces.
static const double BETWEEN = 0.25;

static double largest_extent(AbutBox box)
{
    AbutVec3 e = abut_box_extents(box);
    return (double)fmaxf(e.x, fmaxf(e.y, e.z));
}

static double corner_distance(AbutBox box)
{
    AbutVec3 far =
        abut_vec3(fmaxf(fabsf(box.min.x), fabsf(box.max.x)), fmaxf(fabsf(box.min.y), fabsf(box.max.y)),
                  fmaxf(fabsf(box.min.z), fabsf(box.max.z)));
    return (double)abut_vec3_length(far);
}

/// How far the furthest corner of a box is from a point.
static double farthest_from(AbutBox box, const double point[3])
{
    const double low[3] = { box.min.x, box.min.y, box.min.z }, high[3] = { box.max.x, box.max.y, box.max.z };
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double way = fmax(fabs(low[axis] - point[axis]), fabs(high[axis] - point[axis]));
        squared += way * way;
    }
    return sqrt(squared);
}

// ---------------------------------------------------------------------------------------------------------------------
// Start
// ---------------------------------------------------------------------------------------------------------------------

/// Even parts of the box of the moving shape.
static void divide_first(AbutImpact* impact, AbutBox box, double tolerance)
{
    AbutVec3 extents = abut_box_extents(box);
    const float sides[3] = { extents.x, extents.y, extents.z }, low[3] = { box.min.x, box.min.y, box.min.z };
    double longest = largest_extent(box), squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double parts = floor(FIRST_PARTS * (double)sides[axis] / longest + 0.5);
        impact->low[axis] = low[axis];
        impact->parts[axis] = parts >= 1.0 ? (uint32_t)parts : 1u;
        impact->half[axis] = 0.5f * sides[axis] / (float)impact->parts[axis];
        squared += (double)impact->half[axis] * (double)impact->half[axis];
    }
    // A little more than the part, so that rounding of the middles leaves no gap between parts.
    impact->radius = impact->unit * (sqrt(squared) * (1.0 + 1e-5) + 1e-6 * (corner_distance(box) + longest));
    impact->last_level = 1;
    while (abut_impact_radius(impact, impact->last_level) > FINEST * tolerance &&
           impact->last_level < ABUT_IMPACT_LEVELS)
    {
        impact->last_level += 1;
    }
    impact->stop = STOP * tolerance;
    impact->near = NEAR * tolerance;
    impact->slack = SLACK * tolerance;
}

/// Where the path of the moving shape is so far from the origin of the standing one that float would lose what is asked for, the standing
/// shape is seen about the middle of the path. (Fields are not: they are no larger than their nodes can tell.)
static void set_standing(AbutImpact* impact, const AbutShape* standing, double tolerance)
{
    AbutMotionMoment middle = abut_relative_motion_at(&impact->motion, 0.5);
    AbutMotionBounds bounds = abut_relative_motion_bounds(&impact->motion, 0.0, 1.0);
    double length = abut_relative_motion_length(&impact->motion), far = 0.0;
    double path = impact->reach + 0.5 * (bounds.carried + bounds.turning * impact->reach);
    for (int axis = 0; axis < 3; ++axis)
    {
        impact->origin[axis] = 0.0;
        far += fabs(middle.center[axis]);
    }
    bool is_field = standing->info.kind == ABUT_SHAPE_FIELD;
    if (!is_field && abut_pair_float_rounding(standing, far + path) > ROUNDING_TO_SPARE * tolerance)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            impact->origin[axis] = middle.center[axis];
            impact->motion.center_a[axis] -= middle.center[axis];
        }
        impact->pair.sides[1] = abut_pair_make_side_about(standing, impact->origin, path, length);
        return;
    }
    impact->pair.sides[1] = abut_pair_make_side(standing, abut_round_up(far + path + 0x1p-24 * length));
}

/// `tolerance` is in units of the standing shape.
static void start(AbutImpact* impact, const AbutShape* moving, const AbutShape* standing, double tolerance)
{
    AbutBox box = moving->info.bounds;
    double size = impact->unit * largest_extent(box);
    impact->pair.sides[0] = abut_pair_make_side(moving, abut_round_up(corner_distance(box)));
    impact->size = size;
    impact->reach = impact->unit * farthest_from(box, impact->motion.center_b);
    set_standing(impact, standing, tolerance);
    impact->between = BETWEEN * size;
    impact->evaluations = 0;
    divide_first(impact, box, tolerance);
}

/// The shape that is divided must have an end; of two that have one, it is a field rather than none, or the smaller. Returns 0 (A), 1 (B) or −1.
static int choose_moving(const AbutSweepInput* input)
{
    AbutBox a = input->shape_a->info.bounds, b = input->shape_b->info.bounds;
    bool a_ends = abut_box_is_finite(a), b_ends = abut_box_is_finite(b);
    if (!a_ends || !b_ends)
    {
        return b_ends ? 1 : a_ends ? 0 : -1;
    }
    bool a_field = input->shape_a->info.kind == ABUT_SHAPE_FIELD;
    if (a_field != (input->shape_b->info.kind == ABUT_SHAPE_FIELD))
    {
        return a_field ? 0 : 1;
    }
    double scale_a = (double)input->pose_a.scale, scale_b = (double)input->pose_b.scale;
    return largest_extent(a) * scale_a < largest_extent(b) * scale_b ? 0 : 1;
}

// ---------------------------------------------------------------------------------------------------------------------
// End
// ---------------------------------------------------------------------------------------------------------------------

/// Solids that cannot be told from touching at the start: whether a point is proved to be in both of them.
static bool overlap_at_start(const AbutSweepInput* input, AbutImpact* impact, AbutVec3* position)
{
    AbutPairDef def = {
        input->shape_a, input->shape_b, input->pose_a, input->pose_b, (float)(impact->stop / STOP), 0.0f
    };
    AbutPair pair;
    float gap;
    uint64_t left = impact->evaluations < impact->budget ? impact->budget - impact->evaluations : 0;
    uint32_t budget = (uint32_t)(left > LEAST_OVERLAP_BUDGET ? left : LEAST_OVERLAP_BUDGET);
    if (abut_pair_init(&def, &pair, &gap) != ABUT_OK || gap > 0.0f)
    {
        return false;
    }
    AbutSearch* search = abut_scratch_take(sizeof(*search));
    if (search == NULL)
    {
        return false; // not proved
    }
    AbutCollideState state = abut_pair_decide(&pair, search, def.tolerance, budget, &gap);
    abut_scratch_give(search);
    impact->evaluations += pair.evaluations;
    *position = abut_pair_to_a(&pair, pair.witness);
    return state == ABUT_COLLIDE_CONTACT;
}

/// A touch was found, or what cannot be told from one.
static void report_hit(const AbutSweepInput* input, AbutImpact* impact, bool b_moves, double time,
                       AbutSweepOutput* output)
{
    output->state = ABUT_SWEEP_HIT;
    output->time = fmaxf(0.0f, abut_round_down(time));
    abut_impact_describe(impact, b_moves, impact->meet_point, output);
    if (time <= 0.0)
    {
        AbutVec3 position = output->position;
        bool touched = impact->touched && impact->touch_time <= 0.0;
        if (touched || overlap_at_start(input, impact, &position))
        {
            output->state = ABUT_SWEEP_OVERLAP;
            output->touch_proved = true;
            output->touch_time = 0.0f;
            output->gap = 0.0f;
            output->position = position;
            return;
        }
    }
    if (impact->touched)
    {
        output->touch_proved = true;
        output->touch_time = fminf(1.0f, abut_round_up(impact->touch_time));
    }
    else
    {
        abut_impact_prove(input, impact, output);
    }
}

/// Searches, with `output` as a miss to begin with. `moving`: 0 for A, 1 for B.
static void search_touch(const AbutSweepInput* input, const AbutRelativeMotion* motion, int moving,
                         AbutImpact* impact, AbutSweepOutput* output)
{
    bool b_moves = moving == 1;
    impact->motion = b_moves ? *motion : abut_relative_motion_swap(motion);
    impact->unit = impact->motion.scale_b / impact->motion.scale_a;
    const AbutShape* shapes[2] = { input->shape_a, input->shape_b };
    double size = fmin(largest_extent(shapes[moving]->info.bounds) * impact->unit,
                       largest_extent(shapes[1 - moving]->info.bounds));
    double tolerance = input->settings.tolerance > 0.0f
                           ? (double)input->settings.tolerance * (b_moves ? 1.0 : impact->unit)
                           : 1e-3 * size;
    impact->budget = input->settings.budget;
    start(impact, shapes[moving], shapes[1 - moving], tolerance);
    double until = 1.0;
    bool done = abut_impact_field_applies(impact) ? abut_impact_field_search(impact, &until)
                                                  : abut_impact_search(impact, &until);
    if (!done)
    {
        output->state = ABUT_SWEEP_BUDGET;
        output->time = fmaxf(0.0f, abut_round_down(until));
    }
    else if (impact->met)
    {
        report_hit(input, impact, b_moves, until, output);
    }
    else
    {
        output->state = ABUT_SWEEP_MISS;
        output->gap = fmaxf(0.0f, abut_round_down(b_moves ? impact->gap : impact->gap / impact->unit));
    }
    output->evaluations = impact->evaluations;
}

AbutSweepOutput abut_sweep_shapes(const AbutSweepInput* input, const AbutRelativeMotion* motion)
{
    AbutSweepOutput output = { .state = ABUT_SWEEP_INVALID };
    if (input->shape_a == NULL || input->shape_b == NULL)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "sweep: a shape is NULL");
        return output;
    }
    output.time = output.touch_time = 1.0f;
    if (abut_box_is_empty(input->shape_a->info.bounds) || abut_box_is_empty(input->shape_b->info.bounds))
    {
        output.state = ABUT_SWEEP_MISS;
        output.gap = INFINITY;
        return output;
    }
    int moving = choose_moving(input);
    if (moving < 0)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "sweep: both shapes have no end; give one of them an end");
        return (AbutSweepOutput){ .state = ABUT_SWEEP_INVALID };
    }
    AbutImpact* impact = abut_scratch_take(sizeof(*impact));
    if (impact == NULL)
    {
        return (AbutSweepOutput){ .state = ABUT_SWEEP_INVALID };
    }
    search_touch(input, motion, moving, impact, &output);
    abut_scratch_give(impact);
    return output;
}
