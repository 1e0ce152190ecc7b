// Skips of cells by bounds that the field stores.
#include "cast/skip.h"

#include "field/bounds/pyramid.h"

#include <math.h>
#include <stdlib.h>

bool abut_cast_skip_none(const AbutCastWalk* walk, double time, AbutCastSkip* skip, uint64_t* steps)
{
    (void)walk;
    (void)time;
    (void)skip;
    (void)steps;
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Pyramid
// -----------------------------------------------------------------------------------------------------------

/// −1 for a field under σ in the entry's box, 1 for one over σ, 0 for neither proved.
static int side_of(const AbutCastWalk* walk, AbutPackedBounds packed)
{
    const AbutCastField* field = walk->field;
    AbutFieldBounds bounds = abut_field_unpack_bounds(packed, 1.0);
    double low = (double)bounds.low - (double)bounds.error, high = (double)bounds.high + (double)bounds.error;
    if (low > field->iso + abut_cast_margin(field, walk->line.rounding, low))
    {
        return 1;
    }
    return high < field->iso - abut_cast_margin(field, walk->line.rounding, high) ? -1 : 0;
}

/// The entry of a level for the walk's brick. Level 0 of a sparse field has none for bricks that the coarse
/// level replaces.
static AbutPackedBounds find_entry(const AbutCastWalk* walk, uint32_t level)
{
    uint32_t count[3];
    const AbutPackedBounds* entries = abut_field_level(walk->field->field->block, level, count);
    if (level == 0)
    {
        return entries[walk->slot];
    }
    size_t at = 0;
    for (int axis = 2; axis >= 0; --axis)
    {
        at = at * count[axis] + ((uint32_t)walk->cell[axis] / ABUT_BRICK_CELLS >> level);
    }
    return entries[at];
}

bool abut_cast_skip_pyramid(const AbutCastWalk* walk, double time, AbutCastSkip* skip, uint64_t* steps)
{
    (void)time;
    const AbutFieldHeader* h = walk->field->field->block;
    uint32_t level = walk->slot == ABUT_FIELD_NO_SLOT ? 1 : 0;
    int side = 0;
    uint32_t best = 0;
    for (; level < h->level_count; ++level)
    {
        ++*steps;
        int here = side_of(walk, find_entry(walk, level));
        if (here == 0 || (side != 0 && here != side))
        {
            break;
        }
        side = here;
        best = level;
    }
    if (side == 0)
    {
        return false;
    }
    const int32_t size = (int32_t)ABUT_BRICK_CELLS << best;
    const int32_t first[3] = { walk->cell[0] & -size, walk->cell[1] & -size, walk->cell[2] & -size };
    *skip = (AbutCastSkip){ abut_cast_box_exit(walk, first, size), side < 0 };
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Distance octree
// -----------------------------------------------------------------------------------------------------------

/// Distance of the line at `time` from the middle of the box of `size` cells around the walk's cell.
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

/// Radii around the position in which the field stays on its side of σ: `fine` within stored bricks, `coarse`
/// anywhere.
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
    // Inside the field is under −(distance − displacement) + slack, where no sign is in doubt.
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

/// End of the interval that the radii prove; `time` when they prove nothing.
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
