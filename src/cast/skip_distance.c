// The field itself says how far is safe: a proved distance at the middle of a box of two cells, or of a brick, keeps a ball
// around it free.
#include "cast/field_cast.h"

#include <math.h>
#include <stdlib.h>

/// Distance from the line at `time` to the middle of the box of `size` cells that the walk's cell is in.
static double distance_to_middle(const AbutCastWalk* walk, double time, int32_t size)
{
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double middle = (walk->cell[axis] & ~(size - 1)) + 0.5 * size;
        double displacement = abut_cast_position(&walk->line, axis, time) - middle;
        squared += displacement * displacement;
    }
    return sqrt(squared);
}

static int16_t brick_number(const AbutCastWalk* walk)
{
    const AbutDistanceOctree* octree = &walk->field->field->octree;
    const uint32_t at[3] = { (uint32_t)walk->cell[0] / 8, (uint32_t)walk->cell[1] / 8,
                             (uint32_t)walk->cell[2] / 8 };
    return octree->levels[0][abut_distance_octree_brick_index(octree, at[0], at[1], at[2])];
}

static int16_t pair_number(const AbutCastWalk* walk)
{
    uint32_t four = 0, two = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        four |= ((uint32_t)walk->cell[axis] >> 2 & 1u) << axis;
        two |= ((uint32_t)walk->cell[axis] >> 1 & 1u) << axis;
    }
    return walk->field->field->octree
        .leaves[(size_t)walk->slot * ABUT_DISTANCE_OCTREE_LEAF + 8 + 8 * four + two];
}

/// What a number proves: the field stays on its side of σ for `fine` from here as long as bricks are stored, for `coarse` in
/// any case.
typedef struct SafeRadius
{
    double fine, coarse;
    bool inside;
} SafeRadius;

static SafeRadius safe_radius_of(const AbutCastWalk* walk, double time, int16_t number, int32_t size)
{
    const AbutCastField* field = walk->field;
    double step = (double)field->field->octree.step, displacement = distance_to_middle(walk, time, size);
    double distance = step * abs(number), margin = abut_cast_margin(field, walk->line.rounding, distance);
    if (number > 0)
    {
        double rest = distance - displacement - margin - field->center_iso;
        return (SafeRadius){ rest - field->slack, rest - field->coarse_slack, false };
    }
    // Inside: under −(distance − way) + slack, where no sign is in doubt.
    const AbutFieldHeader* h = field->field->block;
    double rest = distance - displacement - margin + fmin(field->iso, 0.0);
    double slack = field->sparse ? field->slack * ABUT_BRICK_CELLS : field->slack;
    bool is_proved = number < 0 && field->certain && h->source_slope >= 1.0f;
    return (SafeRadius){ is_proved ? rest - field->slack : 0.0, is_proved ? rest - slack : 0.0, true };
}

static double time_after(const AbutCastWalk* walk, double time, double displacement)
{
    return displacement < walk->line.length * (1.0 - time) ? time + displacement / walk->line.length : 1.0;
}

/// Where the walk may go on by what a reach says, or `time` when it says nothing.
static double safe_end(const AbutCastWalk* walk, double time, SafeRadius safe_radius)
{
    double until = safe_radius.coarse > 0.0 ? time_after(walk, time, safe_radius.coarse) : time;
    if (safe_radius.fine > safe_radius.coarse && safe_radius.fine > 0.0 && walk->slot != ABUT_FIELD_NO_SLOT)
    {
        const int32_t first[3] = { walk->cell[0] & ~7, walk->cell[1] & ~7, walk->cell[2] & ~7 };
        double exit = abut_cast_box_exit(walk, first, ABUT_BRICK_CELLS);
        until = fmax(until, fmin(exit, time_after(walk, time, safe_radius.fine)));
    }
    return until;
}

bool abut_cast_skip_distance(const AbutCastWalk* walk, double time, AbutCastSkip* skip, uint64_t* steps)
{
    if (walk->field->field->octree.leaves == NULL)
    {
        return abut_cast_skip_pyramid(walk, time, skip, steps);
    }
    ++*steps;
    SafeRadius safe_radius = safe_radius_of(walk, time, brick_number(walk), ABUT_BRICK_CELLS);
    *skip = (AbutCastSkip){ safe_end(walk, time, safe_radius), safe_radius.inside };
    if (skip->until <= walk->exit && walk->slot != ABUT_FIELD_NO_SLOT)
    {
        ++*steps;
        safe_radius = safe_radius_of(walk, time, pair_number(walk), 2);
        *skip = (AbutCastSkip){ safe_end(walk, time, safe_radius), safe_radius.inside };
    }
    return skip->until > walk->exit;
}
