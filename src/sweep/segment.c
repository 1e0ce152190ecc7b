// One segment after another through a field.
#include "sweep/segment.h"

#include <math.h>

/// Where nothing of a field can be met outside of its grid, up to where the line comes to the grid; else `time`.
static double skip_outside(const AbutSegmentWalk* walk, double time)
{
    const AbutSegmentField* field = walk->field;
    double margin = abut_segment_margin(field, walk->line.rounding, field->outside);
    return field->outside > field->iso + margin ? abut_segment_grid_enter(walk) : time;
}

/// Leaves out what it can from `time` on; false when the walk's cell must be looked at.
static bool leave_out(const AbutSegmentWalk* walk, AbutSegmentSkipFn* skip, double time, AbutSegmentSkip* out,
                      uint64_t* steps)
{
    if (!walk->outside)
    {
        return skip(walk, time, out, steps) && out->until > time;
    }
    *out = (AbutSegmentSkip){ skip_outside(walk, time), false };
    return out->until > time;
}

bool abut_segment_follow(AbutSegmentWalk* walk, AbutSegmentSkipFn* skip, double time,
                         const AbutSegmentTaker* taker, uint64_t* steps)
{
    abut_segment_walk_to(walk, time);
    while (true)
    {
        AbutSegmentSkip skipped;
        if (leave_out(walk, skip, time, &skipped, steps))
        {
            if (skipped.inside && !taker->take(taker->user, time, skipped.until))
            {
                return false;
            }
            if (skipped.until >= 1.0)
            {
                return true;
            }
            time = skipped.until;
            abut_segment_walk_to(walk, time);
            continue;
        }
        ++*steps;
        // Cells that the line but touches say nothing that their neighbours do not.
        if (walk->enter < walk->exit &&
            !(walk->outside ? abut_segment_test_outside(walk, taker) : abut_segment_test_cell(walk, taker)))
        {
            return false;
        }
        if (!abut_segment_walk_next(walk))
        {
            return true;
        }
        time = walk->enter > time ? walk->enter : time;
    }
}
