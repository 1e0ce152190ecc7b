#include "bake/distance/node_range.h"

#include "base/assert.h"

#include <math.h>

bool abut_node_range_octant(const AbutNodeRange* range, int corner, uint32_t size, AbutNodeRange* octant)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        octant->begin[axis] = range->begin[axis] + ((corner >> axis & 1) != 0 ? size : 0u);
        uint32_t end = octant->begin[axis] + size;
        octant->end[axis] = end < range->end[axis] ? end : range->end[axis];
        if (octant->begin[axis] >= octant->end[axis])
        {
            return false;
        }
    }
    return true;
}

AbutNodeBall abut_node_range_ball(const AbutNodeGrid* grid, const AbutNodeRange* range)
{
    ABUT_ASSERT(abut_node_range_total(range) > 0);
    const uint32_t last[3] = { range->end[0] - 1, range->end[1] - 1, range->end[2] - 1 };
    AbutDVec3 low = abut_node_position(grid, range->begin), high = abut_node_position(grid, last);
    AbutDVec3 sides = abut_dvec3_sub(high, low);
    // By components: another order of the products would have other bits.
    double squared = 0.25 * sides.x * sides.x + 0.25 * sides.y * sides.y + 0.25 * sides.z * sides.z;
    return (AbutNodeBall){ abut_dvec3_scale(abut_dvec3_add(low, high), 0.5), sqrt(squared) };
}
