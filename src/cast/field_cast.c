// One segment through a field: skips and tests of cells along its walk.
#include "cast/field_cast.h"

#include "math/rounding.h"

#include <math.h>

/// The time at which the line enters the grid, for a field without crossings outside of it; else `time`.
static double skip_outside(const AbutCastWalk* walk, double time)
{
    const AbutCastField* field = walk->field;
    double margin = abut_cast_margin(field, walk->line.rounding, field->outside);
    return field->outside > field->iso + margin ? abut_cast_grid_enter(walk) : time;
}

/// Skips an interval from `time` on; false when the walk's cell must be tested.
static bool skip_from(const AbutCastWalk* walk, AbutCastSkipFn* skip, double time, AbutCastSkip* out,
                      uint64_t* steps)
{
    if (!walk->outside)
    {
        return skip(walk, time, out, steps) && out->until > time;
    }
    *out = (AbutCastSkip){ skip_outside(walk, time), false };
    return out->until > time;
}

bool abut_cast_follow(AbutCastWalk* walk, AbutCastSkipFn* skip, double time, const AbutCastVisitor* visitor,
                      uint64_t* steps)
{
    abut_cast_walk_to(walk, time);
    while (true)
    {
        AbutCastSkip skipped;
        if (skip_from(walk, skip, time, &skipped, steps))
        {
            if (skipped.inside && !visitor->visit(visitor->user, time, skipped.until))
            {
                return false;
            }
            if (skipped.until >= 1.0)
            {
                return true;
            }
            time = skipped.until;
            abut_cast_walk_to(walk, time);
            continue;
        }
        ++*steps;
        // Grazed cells add nothing to their neighbours.
        if (walk->enter < walk->exit &&
            !(walk->outside ? abut_cast_test_outside(walk, visitor) : abut_cast_test_cell(walk, visitor)))
        {
            return false;
        }
        if (!abut_cast_walk_next(walk))
        {
            return true;
        }
        time = walk->enter > time ? walk->enter : time;
    }
}

static bool visit_first(void* user, double begin, double end)
{
    (void)end;
    *(double*)user = begin;
    return false;
}

AbutCastVisitor abut_cast_first_visitor(double* time)
{
    return (AbutCastVisitor){ visit_first, time, true };
}

void abut_cast_store_hit(AbutCastHits out, size_t i, bool hit, double time)
{
    out.state[i] = hit ? (time > 0.0 ? ABUT_CAST_HIT : ABUT_CAST_INSIDE) : ABUT_CAST_MISS;
    out.time[i] = hit ? abut_round_down(time) : 1.0f;
}

bool abut_cast_start(const AbutCastField* field, AbutSegments segments, size_t i, AbutCastWalk* walk)
{
    AbutVec3 from = abut_vec3(segments.from.x[i], segments.from.y[i], segments.from.z[i]);
    AbutVec3 to = abut_vec3(segments.to.x[i], segments.to.y[i], segments.to.z[i]);
    walk->field = field;
    abut_cast_line_init(field, from, to, &walk->line);
    return abut_vec3_is_finite(from) && abut_vec3_is_finite(to);
}

void abut_cast_first(const AbutCastField* field, AbutCastSkipFn* skip, AbutSegments segments, size_t i,
                     AbutCastHits out)
{
    AbutCastWalk walk;
    if (!abut_cast_start(field, segments, i, &walk))
    {
        out.state[i] = ABUT_CAST_INVALID;
        out.time[i] = 0.0f;
        return;
    }
    double time = 1.0;
    uint64_t steps = 0;
    const AbutCastVisitor visitor = abut_cast_first_visitor(&time);
    bool hit = !abut_cast_follow(&walk, skip, 0.0, &visitor, &steps);
    abut_cast_store_hit(out, i, hit, time);
}
