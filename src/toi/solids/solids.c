// The first contact of two moving solids: preparation of the search, and the result.
#include "toi/solids/solids.h"

#include <abut/narrow.h>

#include "base/scratch.h"

#include "math/rounding.h"
#include "narrow/collide.h"
#include "narrow/prove/prove.h"
#include "shape/shape.h"
#include "toi/solids/first_contact.h"
#include "toi/solids/octree_search.h"
#include "toi/solids/search.h"

enum
{
    ROOT_BOXES = 2, // at most, along the longest side of a flat shape
    MIN_OVERLAP_BUDGET =
        4096 // samples for the proof of an overlap at the start, whatever is left of the budget
};

/// Fractions of the tolerance: radius of the smallest boxes, distance that counts as a contact, displacement
/// that boxes must gain, and displacement by which a result may be early. The middle of a smallest box
/// without progress is closer to both solids than the sum of its radius and that displacement; with the
/// slack, solids in contact are closer to each other than the tolerance.
static const double FINEST = 0.4, CLOSE_TOLERANCE = 0.7, STOP = 0.2, SLACK = 0.2;

/// Acceptable rounding, as a fraction of the tolerance.
static const double ROUNDING_TO_SPARE = 0.25;

/// Largest radius of boxes with a gap bound, as a fraction of the size of the moving shape.
static const double GAP_BOUND_SIZE = 0.25;

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

/// Distance of the farthest corner of a box from a point.
static double farthest_from(AbutBox box, AbutDVec3 point)
{
    AbutDVec3 low = abut_dvec3_abs(abut_dvec3_sub(abut_dvec3_from_vec3(box.min), point));
    AbutDVec3 high = abut_dvec3_abs(abut_dvec3_sub(abut_dvec3_from_vec3(box.max), point));
    return abut_dvec3_length(abut_dvec3_max(low, high));
}

// -----------------------------------------------------------------------------------------------------------
// Start
// -----------------------------------------------------------------------------------------------------------

/// Root boxes along a side.
static uint32_t divide_side(float side, double longest)
{
    double count = floor(ROOT_BOXES * (double)side / longest + 0.5);
    return count >= 1.0 ? (uint32_t)count : 1u;
}

/// Even division of the box of the moving shape into root boxes.
static void divide_first(AbutToiSearch* toi, AbutBox box, double tolerance)
{
    AbutVec3 sides = abut_box_extents(box);
    double longest = largest_extent(box);
    toi->low = box.min;
    toi->root_boxes[0] = divide_side(sides.x, longest);
    toi->root_boxes[1] = divide_side(sides.y, longest);
    toi->root_boxes[2] = divide_side(sides.z, longest);
    toi->half =
        abut_vec3(0.5f * sides.x / (float)toi->root_boxes[0], 0.5f * sides.y / (float)toi->root_boxes[1],
                  0.5f * sides.z / (float)toi->root_boxes[2]);
    // A little more than the box, so that rounding of the middles leaves no gap between boxes.
    double radius = abut_dvec3_length(abut_dvec3_from_vec3(toi->half)) * (1.0 + 1e-5);
    toi->radius = toi->unit * (radius + 1e-6 * (corner_distance(box) + longest));
    toi->last_level = 1;
    while (abut_toi_radius(toi, toi->last_level) > FINEST * tolerance && toi->last_level < ABUT_TOI_LEVELS)
    {
        toi->last_level += 1;
    }
    toi->min_progress = STOP * tolerance;
    toi->close_distance = CLOSE_TOLERANCE * tolerance;
    toi->slack = SLACK * tolerance;
}

/// Where the path of the moving shape is so far from the origin of the standing one that float is too coarse,
/// the standing shape is sampled about the middle of the path. (Fields are not: their size is limited by
/// their nodes.)
static void set_standing(AbutToiSearch* toi, const AbutShape* standing, double tolerance)
{
    AbutMotionSample middle = abut_relative_motion_at(&toi->motion, 0.5);
    AbutMotionBounds bounds = abut_relative_motion_bounds(&toi->motion, 0.0, 1.0);
    double length = abut_relative_motion_length(&toi->motion);
    double path = toi->max_radius + 0.5 * abut_motion_bounds_speed(&bounds, toi->max_radius);
    double far = fabs(middle.center.x) + fabs(middle.center.y) + fabs(middle.center.z);
    toi->origin = abut_dvec3_zero();
    bool is_field = standing->info.kind == ABUT_SHAPE_FIELD;
    if (!is_field && abut_pair_float_rounding(standing, far + path) > ROUNDING_TO_SPARE * tolerance)
    {
        toi->origin = middle.center;
        toi->motion.center_a = abut_dvec3_sub(toi->motion.center_a, middle.center);
        toi->pair.sides[1] = abut_pair_make_side_about(standing, toi->origin, path, length);
        return;
    }
    toi->pair.sides[1] = abut_pair_make_side(standing, abut_round_up(far + path + 0x1p-24 * length));
}

/// `tolerance` is in units of the standing shape.
static void start(AbutToiSearch* toi, const AbutShape* moving, const AbutShape* standing, double tolerance)
{
    AbutBox box = moving->info.bounds;
    double size = toi->unit * largest_extent(box);
    toi->pair.sides[0] = abut_pair_make_side(moving, abut_round_up(corner_distance(box)));
    toi->size = size;
    toi->max_radius = toi->unit * farthest_from(box, toi->motion.center_b);
    set_standing(toi, standing, tolerance);
    toi->gap_bound_radius = GAP_BOUND_SIZE * size;
    toi->evaluations = 0;
    divide_first(toi, box, tolerance);
}

/// The moving shape must be finite; of two finite ones, a field rather than another shape, else the smaller
/// one. Returns 0 (A), 1 (B) or −1.
static int choose_moving(const AbutToiInput* input)
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

// -----------------------------------------------------------------------------------------------------------
// End
// -----------------------------------------------------------------------------------------------------------

/// For solids in contact at the start, within the tolerance: true when a point is proved to be in both of
/// them.
static bool overlap_at_start(const AbutToiInput* input, AbutToiSearch* toi, AbutVec3* position)
{
    AbutPairDef def = {
        input->shape_a, input->shape_b, input->pose_a, input->pose_b, (float)(toi->min_progress / STOP), 0.0f
    };
    AbutPair pair;
    float gap;
    uint64_t left = toi->evaluations < toi->budget ? toi->budget - toi->evaluations : 0;
    uint32_t budget = (uint32_t)(left > MIN_OVERLAP_BUDGET ? left : MIN_OVERLAP_BUDGET);
    if (abut_pair_init(&def, &pair, &gap) != ABUT_OK || gap > 0.0f)
    {
        return false;
    }
    AbutBoxSearch* search = abut_scratch_acquire(sizeof(*search));
    if (search == NULL)
    {
        return false; // not proved
    }
    AbutCollideState state = abut_prove_state(&pair, search, def.tolerance, budget, &gap);
    abut_scratch_release(search);
    toi->evaluations += pair.evaluations;
    *position = abut_pair_to_a(&pair, pair.witness);
    return state == ABUT_COLLIDE_CONTACT;
}

/// Fills in a contact within the tolerance.
static void report_hit(const AbutToiInput* input, AbutToiSearch* toi, bool b_moves, double time,
                       AbutToiOutput* output)
{
    output->state = ABUT_TOI_HIT;
    output->time = fmaxf(0.0f, abut_round_down(time));
    abut_toi_describe(toi, b_moves, toi->close_point, output);
    if (time <= 0.0)
    {
        AbutVec3 position = output->position;
        bool touched = toi->touched && toi->touch_time <= 0.0;
        if (touched || overlap_at_start(input, toi, &position))
        {
            output->state = ABUT_TOI_OVERLAP;
            output->touch_proved = true;
            output->touch_time = 0.0f;
            output->gap = 0.0f;
            output->position = position;
            return;
        }
    }
    if (toi->touched)
    {
        output->touch_proved = true;
        output->touch_time = fminf(1.0f, abut_round_up(toi->touch_time));
    }
    else
    {
        abut_toi_prove_contact(input, toi, output);
    }
}

/// Searches, with `output` as a miss to begin with. `moving`: 0 for A, 1 for B.
static void search_touch(const AbutToiInput* input, const AbutRelativeMotion* motion, int moving,
                         AbutToiSearch* toi, AbutToiOutput* output)
{
    bool b_moves = moving == 1;
    toi->motion = b_moves ? *motion : abut_relative_motion_swap(motion);
    toi->unit = toi->motion.scale_b / toi->motion.scale_a;
    const AbutShape* shapes[2] = { input->shape_a, input->shape_b };
    double size = fmin(largest_extent(shapes[moving]->info.bounds) * toi->unit,
                       largest_extent(shapes[1 - moving]->info.bounds));
    double tolerance = input->settings.tolerance > 0.0f
                           ? (double)input->settings.tolerance * (b_moves ? 1.0 : toi->unit)
                           : 1e-3 * size;
    toi->budget = input->settings.budget;
    start(toi, shapes[moving], shapes[1 - moving], tolerance);
    double until = 1.0;
    bool done =
        abut_toi_octree_applies(toi) ? abut_toi_octree_search(toi, &until) : abut_toi_search(toi, &until);
    if (!done)
    {
        output->state = ABUT_TOI_BUDGET;
        output->time = fmaxf(0.0f, abut_round_down(until));
    }
    else if (toi->is_close)
    {
        report_hit(input, toi, b_moves, until, output);
    }
    else
    {
        output->state = ABUT_TOI_MISS;
        output->gap = fmaxf(0.0f, abut_round_down(b_moves ? toi->gap : toi->gap / toi->unit));
    }
    output->evaluations = toi->evaluations;
}

AbutToiOutput abut_toi_solids(const AbutToiInput* input, const AbutRelativeMotion* motion)
{
    AbutToiOutput output = { .state = ABUT_TOI_INVALID };
    if (input->shape_a == NULL || input->shape_b == NULL)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "sweep: a shape is NULL");
        return output;
    }
    output.time = output.touch_time = 1.0f;
    if (abut_box_is_empty(input->shape_a->info.bounds) || abut_box_is_empty(input->shape_b->info.bounds))
    {
        output.state = ABUT_TOI_MISS;
        output.gap = INFINITY;
        return output;
    }
    int moving = choose_moving(input);
    if (moving < 0)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "sweep: both shapes have no end; give one of them an end");
        return (AbutToiOutput){ .state = ABUT_TOI_INVALID };
    }
    AbutToiSearch* toi = abut_scratch_acquire(sizeof(*toi));
    if (toi == NULL)
    {
        return (AbutToiOutput){ .state = ABUT_TOI_INVALID };
    }
    search_touch(input, motion, moving, toi, &output);
    abut_scratch_release(toi);
    return output;
}
