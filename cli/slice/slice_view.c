#include "slice.h"

#include <math.h>

/// Part of the shape's size that is added on each side.
#define MARGIN 0.16

/// Width of the view where nothing says how large anything is.
#define DEFAULT_WIDTH 4.0

double slice_coordinate(AbutPosition position, int axis)
{
    return axis == 0 ? position.x : (axis == 1 ? position.y : position.z);
}

static void set_coordinate(AbutPosition* position, int axis, double value)
{
    *(axis == 0 ? &position->x : (axis == 1 ? &position->y : &position->z)) = value;
}

double slice_round_length(double length)
{
    double power = pow(10.0, floor(log10(length)));
    double leading = length / power;
    // A hair of slack: 10^n is not exact for negative n.
    return power * (leading >= 5.0 - 1e-9 ? 5.0 : (leading >= 2.0 - 1e-9 ? 2.0 : 1.0));
}

/// A range of one coordinate; either end may be infinite.
typedef struct Range
{
    double low, high;
} Range;

static void box_ranges(AbutBox box, Range out[3])
{
    out[0] = (Range){ (double)box.min.x, (double)box.max.x };
    out[1] = (Range){ (double)box.min.y, (double)box.max.y };
    out[2] = (Range){ (double)box.min.z, (double)box.max.z };
}

/// The point of the surface that one step along the gradient from the origin of the shape leads to.
static AbutPosition near_surface(const AbutShape* shape, const AbutPose* pose)
{
    AbutVec3 gradient;
    float distance = abut_shape_distance(shape, abut_vec3(0.0f, 0.0f, 0.0f), &gradient);
    AbutVec3 point = abut_vec3_scale(gradient, -distance);
    if (!abut_vec3_is_finite(point))
    {
        point = abut_vec3(0.0f, 0.0f, 0.0f);
    }
    return abut_pose_transform_point(pose, point);
}

/// The bounds of the posed shape with the precision of the pose: boxes are float.
static void shape_ranges(const AbutShape* shape, const AbutPose* pose, Range out[3])
{
    AbutPose rotated = *pose;
    rotated.position = (AbutPosition){ 0.0, 0.0, 0.0 };
    box_ranges(abut_pose_transform_box(&rotated, abut_shape_info(shape).bounds), out);
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis].low += slice_coordinate(pose->position, axis);
        out[axis].high += slice_coordinate(pose->position, axis);
    }
}

/// Middle of a range; where it has no end, `fallback`, or the end that it has when the fallback is not in it.
static double middle_of(Range range, double fallback)
{
    if (isfinite(range.low) && isfinite(range.high))
    {
        return 0.5 * (range.low + range.high);
    }
    return fallback < range.low ? range.low : (fallback > range.high ? range.high : fallback);
}

static double size_of(Range range)
{
    double size = range.high - range.low;
    return isfinite(size) && size > 0.0 ? size : 0.0;
}

/// Bounds are rounded outward in float: their middle is taken to six digits of the size.
static double without_dust(double value, double size)
{
    double step = size > 0.0 ? slice_round_length(1e-6 * size) : 0.0;
    return step > 0.0 ? rint(value / step) * step : value;
}

/// Everything that no option gave comes from the shape.
static void view_from_shape(SliceView* view, const AbutShape* shape, const AbutPose* pose)
{
    Range ranges[3];
    shape_ranges(shape, pose, ranges);
    AbutPosition surface = near_surface(shape, pose);
    for (int axis = 0; axis < 3; ++axis)
    {
        double middle = middle_of(ranges[axis], slice_coordinate(surface, axis));
        set_coordinate(&view->center, axis, without_dust(middle, size_of(ranges[axis])));
    }
    double grow = 1.0 + 2.0 * MARGIN;
    double fit = fmax(size_of(ranges[view->u_axis]) / (double)view->width,
                      size_of(ranges[view->v_axis]) / (double)view->height);
    view->pixel_size = fit > 0.0 ? grow * fit : DEFAULT_WIDTH / (double)view->width;
}

static void apply_request(SliceView* view, const SliceRequest* request)
{
    if (!isnan(request->box[0]))
    {
        const double* low = request->box;
        const double* high = request->box + 3;
        for (int axis = 0; axis < 3; ++axis)
        {
            set_coordinate(&view->center, axis, 0.5 * (low[axis] + high[axis]));
        }
        view->pixel_size = fmax((high[view->u_axis] - low[view->u_axis]) / (double)view->width,
                                (high[view->v_axis] - low[view->v_axis]) / (double)view->height);
    }
    for (int axis = 0; axis < 3 && !isnan(request->center[0]); ++axis)
    {
        set_coordinate(&view->center, axis, request->center[axis]);
    }
    if (!isnan(request->width))
    {
        view->pixel_size = request->width / (double)view->width;
    }
    if (!isnan(request->at))
    {
        set_coordinate(&view->center, view->axis, request->at);
    }
}

SliceView slice_view_along(int axis, uint32_t width, uint32_t height)
{
    static const int u_axes[3] = { 2, 0, 0 };
    static const int v_axes[3] = { 1, 2, 1 };
    SliceView view = { .axis = axis, .u_axis = u_axes[axis], .v_axis = v_axes[axis], .v_down = axis == 1 };
    view.u_name = "xyz"[view.u_axis];
    view.v_name = "xyz"[view.v_axis];
    view.width = width;
    view.height = height;
    return view;
}

SliceView slice_view_make(const SliceRequest* request, const AbutShape* shape, const AbutPose* pose,
                          uint32_t width, uint32_t height)
{
    SliceView view = slice_view_along(request->axis, width, height);
    view_from_shape(&view, shape, pose);
    apply_request(&view, request);
    return view;
}
