// One segment after another through a field.
#include "cast/field_cast.h"

#include "math/rounding.h"

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

static bool take_first(void* user, double begin, double end)
{
    (void)end;
    *(double*)user = begin;
    return false;
}

AbutSegmentTaker abut_segment_first_taker(double* time)
{
    return (AbutSegmentTaker){ take_first, time, true };
}

void abut_segment_answer(AbutSegmentHits out, size_t i, bool hit, double time)
{
    out.state[i] = hit ? (time > 0.0 ? ABUT_SEGMENT_HIT : ABUT_SEGMENT_INSIDE) : ABUT_SEGMENT_MISS;
    out.time[i] = hit ? abut_round_down(time) : 1.0f;
}

static bool is_finite(AbutVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

bool abut_segment_start(const AbutSegmentField* field, AbutSegments segments, size_t i, AbutSegmentWalk* walk)
{
    AbutVec3 from = abut_vec3(segments.from.x[i], segments.from.y[i], segments.from.z[i]);
    AbutVec3 to = abut_vec3(segments.to.x[i], segments.to.y[i], segments.to.z[i]);
    walk->field = field;
    abut_segment_line_init(field, from, to, &walk->line);
    return is_finite(from) && is_finite(to);
}

void abut_segment_first(const AbutSegmentField* field, AbutSegmentSkipFn* skip, AbutSegments segments,
                        size_t i, AbutSegmentHits out)
{
    AbutSegmentWalk walk;
    if (!abut_segment_start(field, segments, i, &walk))
    {
        out.state[i] = ABUT_SEGMENT_INVALID;
        out.time[i] = 0.0f;
        return;
    }
    double time = 1.0;
    uint64_t steps = 0;
    const AbutSegmentTaker taker = abut_segment_first_taker(&time);
    bool hit = !abut_segment_follow(&walk, skip, 0.0, &taker, &steps);
    abut_segment_answer(out, i, hit, time);
}
