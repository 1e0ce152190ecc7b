#include "bake/sign/node_range.h"

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

double abut_node_range_ball(const AbutNodeGrid* grid, const AbutNodeRange* range, double center[3])
{
    double squared = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double low = abut_node_coordinate(grid, i, range->begin[i]);
        double high = abut_node_coordinate(grid, i, range->end[i] - 1);
        center[i] = 0.5 * (low + high);
        squared += 0.25 * (high - low) * (high - low);
    }
    return sqrt(squared);
}
