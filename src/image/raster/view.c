// Scale of a view.
#include "image/raster/view.h"

#include "base/assert.h"

#include <float.h>

static float component(AbutVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// Extents are differences of floats in double, so that they do not overflow. Any finite positive scale is
/// right; a box without extent has one pixel on each side of its coordinate.
static AbutPixelMap map_of(float low, float high, uint32_t count)
{
    double extent = (double)high - low;
    double scale = extent > 0.0 ? count / extent : 1.0;
    return (AbutPixelMap){ low, (float)(scale < (double)FLT_MAX ? scale : (double)FLT_MAX),
                           (float)(count - 1) };
}

AbutImageView abut_image_view(AbutBox box, int axis, uint32_t resolution, bool has_slabs)
{
    ABUT_ASSERT(axis >= 0 && axis < 3 && abut_box_is_finite(box) && !abut_box_is_empty(box));
    ABUT_ASSERT(resolution >= 1 && resolution <= ABUT_IMAGE_MAX_RESOLUTION);
    AbutImageView view = { .axes = { (axis + 1) % 3, (axis + 2) % 3, axis },
                           .resolution = resolution,
                           .has_slabs = has_slabs };
    for (int i = 0; i < 3; ++i)
    {
        view.maps[i] = map_of(component(box.min, view.axes[i]), component(box.max, view.axes[i]),
                              i < 2 ? resolution : (uint32_t)ABUT_IMAGE_SLABS);
    }
    return view;
}
