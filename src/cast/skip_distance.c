// The field itself says how far is safe: a proved distance at the middle of a box of two cells, or of a brick, keeps a ball
// around it free.
#include "cast/field_cast.h"

#include <math.h>
#include <stdlib.h>

/// Distance from the line at `time` to the middle of the box of `size` cells that the walk's cell is in.
static double way_to_middle(const AbutSegmentWalk* walk, double time, int32_t size)
{
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double middle = (walk->cell[axis] & ~(size - 1)) + 0.5 * size;
        double way = abut_segment_place(&walk->line, axis, time) - middle;
        squared += way * way;
    }
    return sqrt(squared);
}

static int16_t brick_number(const AbutSegmentWalk* walk)
{
    const AbutCenters* centers = &walk->field->field->centers;
    const uint32_t at[3] = { (uint32_t)walk->cell[0] / 8, (uint32_t)walk->cell[1] / 8,
                             (uint32_t)walk->cell[2] / 8 };
    return centers->levels[0][abut_center_of_brick(centers, at[0], at[1], at[2])];
}

static int16_t pair_number(const AbutSegmentWalk* walk)
{
    uint32_t four = 0, two = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        four |= ((uint32_t)walk->cell[axis] >> 2 & 1u) << axis;
        two |= ((uint32_t)walk->cell[axis] >> 1 & 1u) << axis;
    }
    return walk->field->field->centers.leaves[(size_t)walk->slot * ABUT_CENTER_LEAF + 8 + 8 * four + two];
}

/// What a number proves: the field stays on its side of σ for `fine` from here as long as bricks are stored, for `coarse` in
/// any case.
typedef struct Reach
{
    double fine, coarse;
    bool inside;
} Reach;

static Reach reach_of(const AbutSegmentWalk* walk, double time, int16_t number, int32_t size)
{
    const AbutSegmentField* field = walk->field;
    double step = (double)field->field->centers.step, way = way_to_middle(walk, time, size);
    double distance = step * abs(number), margin = abut_segment_margin(field, walk->line.rounding, distance);
    if (number > 0)
    {
        double rest = distance - way - margin - field->center_iso;
        return (Reach){ rest - field->slack, rest - field->coarse_slack, false };
    }
    // Inside: under −(distance − way) + slack, where no sign is in doubt.
    const AbutFieldHeader* h = field->field->block;
    double rest = distance - way - margin + fmin(field->iso, 0.0);
    double slack = field->sparse ? field->slack * ABUT_BRICK_CELLS : field->slack;
    bool holds = number < 0 && field->certain && h->source_slope >= 1.0f;
    return (Reach){ holds ? rest - field->slack : 0.0, holds ? rest - slack : 0.0, true };
}

static double time_after(const AbutSegmentWalk* walk, double time, double way)
{
    return way < walk->line.length * (1.0 - time) ? time + way / walk->line.length : 1.0;
}

/// Where the walk may go on by what a reach says, or `time` when it says nothing.
static double reach_end(const AbutSegmentWalk* walk, double time, Reach reach)
{
    double until = reach.coarse > 0.0 ? time_after(walk, time, reach.coarse) : time;
    if (reach.fine > reach.coarse && reach.fine > 0.0 && walk->slot != ABUT_FIELD_NO_SLOT)
    {
        const int32_t first[3] = { walk->cell[0] & ~7, walk->cell[1] & ~7, walk->cell[2] & ~7 };
        double exit = abut_segment_box_exit(walk, first, ABUT_BRICK_CELLS);
        until = fmax(until, fmin(exit, time_after(walk, time, reach.fine)));
    }
    return until;
}

bool abut_segment_skip_steps(const AbutSegmentWalk* walk, double time, AbutSegmentSkip* skip, uint64_t* steps)
{
    if (walk->field->field->centers.leaves == NULL)
    {
        return abut_segment_skip_pyramid(walk, time, skip, steps);
    }
    ++*steps;
    Reach reach = reach_of(walk, time, brick_number(walk), ABUT_BRICK_CELLS);
    *skip = (AbutSegmentSkip){ reach_end(walk, time, reach), reach.inside };
    if (skip->until <= walk->exit && walk->slot != ABUT_FIELD_NO_SLOT)
    {
        ++*steps;
        reach = reach_of(walk, time, pair_number(walk), 2);
        *skip = (AbutSegmentSkip){ reach_end(walk, time, reach), reach.inside };
    }
    return skip->until > walk->exit;
}
