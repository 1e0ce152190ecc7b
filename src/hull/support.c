#include "hull/support.h"

#include "hull/kernels.h"
#include "mesh/triangle/orient.h"

uint32_t abut_hull_start_cell(uint32_t resolution, AbutDVec3 direction)
{
    AbutDVec3 size = abut_dvec3_abs(direction);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double along = abut_dvec3_get(direction, axis);
    double scale = 0.5 * resolution / fabs(along), half = 0.5 * resolution;
    double u = abut_dvec3_get(direction, (axis + 1) % 3) * scale + half;
    double v = abut_dvec3_get(direction, (axis + 2) % 3) * scale + half;
    double last = resolution - 1;
    // The last comparisons are false for NaN.
    uint32_t column = u > 0.0 ? (uint32_t)abut_smaller(u, last) : 0;
    uint32_t row = v > 0.0 ? (uint32_t)abut_smaller(v, last) : 0;
    uint32_t side = 2 * (uint32_t)axis + (along < 0.0);
    return (side * resolution + row) * resolution + column;
}

uint32_t abut_hull_start(const AbutHull* hull, AbutDVec3 direction)
{
    if (hull->start_resolution == 0)
    {
        return 0;
    }
    const uint16_t* starts = abut_hull_at(hull, hull->starts_at);
    return starts[abut_hull_start_cell(hull->start_resolution, direction)];
}

static double along(const AbutHull* hull, AbutDVec3 direction, uint32_t vertex)
{
    return abut_dvec3_dot(direction, abut_hull_position(hull, vertex));
}

/// To the best neighbour, as long as one is better.
static uint32_t climb(const AbutHull* hull, AbutDVec3 direction, uint32_t vertex)
{
    const AbutHullVertex* vertices = abut_hull_vertices(hull);
    const uint16_t* neighbors = abut_hull_neighbors(hull);
    double best = along(hull, direction, vertex);
    for (uint32_t last = UINT32_MAX; last != vertex;)
    {
        last = vertex;
        const uint16_t* around = neighbors + vertices[vertex].first_neighbor;
        for (uint32_t i = 0, count = vertices[vertex].neighbor_count; i < count; ++i)
        {
            double value = along(hull, direction, around[i]);
            if (value > best)
            {
                best = value;
                vertex = around[i];
            }
        }
    }
    return vertex;
}

uint32_t abut_hull_support(const AbutHull* hull, AbutDVec3 direction, uint32_t start)
{
    ABUT_ASSERT(start < hull->vertex_count);
    if (hull->vertex_count > ABUT_HULL_SCAN)
    {
        return climb(hull, direction, start);
    }
    uint32_t vertex = abut_hull_kernels()->support(abut_hull_lanes(hull, 0), hull->lane_count, direction);
    return vertex < hull->vertex_count ? vertex : 0; // of NaN
}

// A vertex without a better neighbour is the best of all: the hull lies in the cone of the edges that leave
// the vertex. Every step is strictly upwards, so the walk ends.
uint32_t abut_hull_exact_support(const AbutHull* hull, AbutDVec3 direction, uint32_t start)
{
    const AbutHullVertex* vertices = abut_hull_vertices(hull);
    const AbutVec3* positions = abut_hull_positions(hull);
    uint32_t vertex = abut_hull_support(hull, direction, start);
    for (uint32_t last = UINT32_MAX; last != vertex;)
    {
        last = vertex;
        const uint16_t* around = abut_hull_neighbors(hull) + vertices[last].first_neighbor;
        for (uint32_t i = 0; i < vertices[last].neighbor_count; ++i)
        {
            if (abut_orient_along(direction, positions[vertex], positions[around[i]]) > 0)
            {
                vertex = around[i];
            }
        }
    }
    return vertex;
}

void abut_hull_fill_starts(AbutHull* hull, uint16_t* starts)
{
    uint32_t r = hull->start_resolution, vertex = 0;
    for (uint32_t cell = 0; cell < 6 * r * r; ++cell)
    {
        uint32_t side = cell / (r * r), row = cell / r % r, column = cell % r;
        int axis = (int)(side / 2);
        AbutDVec3 direction = abut_dvec3_with(abut_dvec3_zero(), axis, side % 2 == 0 ? 1.0 : -1.0);
        direction = abut_dvec3_with(direction, (axis + 1) % 3, (2.0 * column + 1.0) / r - 1.0);
        direction = abut_dvec3_with(direction, (axis + 2) % 3, (2.0 * row + 1.0) / r - 1.0);
        vertex = climb(hull, direction, vertex);
        starts[cell] = (uint16_t)vertex;
    }
}
