// How thick a solid is, about: what overlaps by more than half of that may come out on the other side.
#include "dynamics/near.h"

#include <abut/field.h>
#include <math.h>

enum
{
    SIDE = 9 // samples along an axis: one of them is in the middle
};

/// The deepest of samples all over the box.
static double deepest_sample(const AbutShape* shape, AbutBox box)
{
    AbutVec3 size = abut_box_extents(box);
    double deepest = 0.0;
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
            deepest = fmax(deepest, -(double)distance[i]);
        }
    }
    return deepest;
}

double abut_shape_inner_radius(const AbutShape* shape)
{
    AbutBox box = abut_shape_info(shape).bounds;
    if (!abut_box_is_finite(box) || abut_box_is_empty(box))
    {
        return INFINITY;
    }
    if (abut_shape_is_field(shape))
    {
        return fmax(0.0, -(double)abut_field_box_bounds(shape, box).low);
    }
    return deepest_sample(shape, box);
}
