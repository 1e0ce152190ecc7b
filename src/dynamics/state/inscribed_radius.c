// Thickness of solids: a penetration of more than half of it may be resolved on the far side.
#include "dynamics/state/inscribed_radius.h"

#include <abut/field.h>
#include <math.h>

enum
{
    SIDE = 9, // samples along an axis, one of them at the centre
    ROWS = 128,
    ROW = 256 // nodes per read
};

/// Largest depth of samples over the box.
static double max_sample_depth(const AbutShape* shape, AbutBox box)
{
    AbutVec3 size = abut_box_extents(box);
    double max_depth = 0.0;
    for (int row = 0; row < SIDE * SIDE; ++row)
    {
        float x[SIDE], y[SIDE], z[SIDE], distance[SIDE];
        for (int i = 0; i < SIDE; ++i)
        {
            x[i] = box.min.x + size.x * ((float)i + 0.5f) / SIDE;
            y[i] = box.min.y + size.y * ((float)(row % SIDE) + 0.5f) / SIDE;
            z[i] = box.min.z + size.z * ((float)(row / SIDE) + 0.5f) / SIDE;
        }
        abut_shape_sample(shape, NULL, (AbutPoints){ x, y, z }, SIDE, (AbutSamples){ .distance = distance });
        for (int i = 0; i < SIDE; ++i)
        {
            max_depth = fmax(max_depth, -(double)distance[i]);
        }
    }
    return max_depth;
}

/// Largest depth of the nodes of a field, of at most ROWS² rows of nodes: proved bounds would be too deep for
/// thin walls.
static double max_node_depth(const AbutShape* field)
{
    AbutFieldInfo info = abut_field_info(field);
    const uint32_t steps[3] = { info.cell_count[0] / ROWS + 1, info.cell_count[1] / ROWS + 1,
                                info.cell_count[2] / ROWS + 1 };
    float values[ROW], max_depth = 0.0f;
    for (uint32_t z = 0; z <= info.cell_count[2]; z += steps[2])
    {
        for (uint32_t y = 0; y <= info.cell_count[1]; y += steps[1])
        {
            for (uint32_t x = 0; x <= info.cell_count[0]; x += ROW)
            {
                uint32_t left = info.cell_count[0] + 1 - x;
                const uint32_t begin[3] = { x, y, z }, count[3] = { left < ROW ? left : ROW, 1, 1 };
                abut_field_read_nodes(field, begin, count, values);
                for (uint32_t i = 0; i < count[0]; ++i)
                {
                    max_depth = fmaxf(max_depth, -values[i]);
                }
            }
        }
    }
    return (double)max_depth;
}

double abut_shape_inscribed_radius(const AbutShape* shape)
{
    AbutBox box = abut_shape_info(shape).bounds;
    if (!abut_box_is_finite(box) || abut_box_is_empty(box))
    {
        return INFINITY;
    }
    if (abut_shape_is_field(shape))
    {
        return max_node_depth(shape);
    }
    return max_sample_depth(shape, box);
}
