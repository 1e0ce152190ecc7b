// Boxes of bricks are left out where the pyramid's bounds say that the field is on one side of σ all through them.
#include "cast/field_cast.h"

#include "field/bounds/pyramid.h"

bool abut_cast_skip_none(const AbutCastWalk* walk, double time, AbutCastSkip* skip, uint64_t* steps)
{
    (void)walk;
    (void)time;
    (void)skip;
    (void)steps;
    return false;
}

/// −1 where the field is under σ all over the entry's box, 1 where it is over it, 0 where that is not known.
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

/// The entry of the box of a level that the walk's brick is in. Level 0 of a sparse field has none for bricks that the coarse
/// level stands for.
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
    int32_t size = (int32_t)ABUT_BRICK_CELLS << best, first[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        first[axis] = walk->cell[axis] & ~(size - 1);
    }
    *skip = (AbutCastSkip){ abut_cast_box_exit(walk, first, size), side < 0 };
    return true;
}
