#include "plane_view.h"

#include <math.h>

float plane_coordinate(AbutVec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

AbutVec3 plane_axis(int axis)
{
    return abut_vec3(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f);
}

AbutVec3 plane_normalize(AbutVec3 v)
{
    float length = abut_vec3_length(v);
    return abut_vec3_scale(v, length > 0.0f ? 1.0f / length : 0.0f);
}

/// Turns the picture so that one looks against `toward` and y, or −z where y is hidden, points up.
static AbutQuat look_against(AbutVec3 toward)
{
    AbutVec3 z = plane_axis(2);
    AbutVec3 axis = abut_vec3_cross(z, toward);
    AbutQuat lean = abut_quat_from_axis_angle(axis, atan2f(abut_vec3_length(axis), abut_vec3_dot(z, toward)));
    AbutVec3 up = fabsf(toward.y) < 0.9f ? plane_axis(1) : abut_vec3(0.0f, 0.0f, -1.0f);
    AbutVec3 seen = abut_quat_rotate(abut_quat_conjugate(lean), up);
    return abut_quat_multiply(lean, abut_quat_from_axis_angle(z, atan2f(-seen.x, seen.y)));
}

static int axis_of(AbutVec3 toward)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        if (plane_coordinate(toward, axis) == 1.0f)
        {
            return axis;
        }
    }
    return -1;
}

PlaneView plane_view_make(AbutVec3 at, AbutVec3 toward, uint32_t width, uint32_t height)
{
    int axis = axis_of(toward);
    PlaneView plane = { .aligned = axis >= 0, .frame = abut_pose_identity() };
    plane.slice = slice_view_along(plane.aligned ? axis : 2, width, height);
    if (!plane.aligned)
    {
        plane.frame = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
        plane.frame.rotation = look_against(toward);
        plane.slice.u_name = 'u';
        plane.slice.v_name = 'v';
    }
    return plane;
}

void plane_view_ranges(const PlaneView* plane, AbutBox box, double low[2], double high[2])
{
    AbutPose to_picture = abut_pose_inverse(&plane->frame);
    AbutBox seen = abut_pose_transform_box(&to_picture, box);
    low[0] = (double)plane_coordinate(seen.min, plane->slice.u_axis);
    low[1] = (double)plane_coordinate(seen.min, plane->slice.v_axis);
    high[0] = (double)plane_coordinate(seen.max, plane->slice.u_axis);
    high[1] = (double)plane_coordinate(seen.max, plane->slice.v_axis);
}

double plane_view_fit(const PlaneView* plane, AbutBox box)
{
    double low[2], high[2];
    plane_view_ranges(plane, box, low, high);
    double size = fmax((high[0] - low[0]) / (double)plane->slice.width,
                       (high[1] - low[1]) / (double)plane->slice.height);
    return isfinite(size) && size > 0.0 ? size : PLANE_FURTHEST;
}

void plane_view_center(PlaneView* plane, AbutVec3 at, const AbutBox* shown, double pixel_size)
{
    AbutVec3 local = abut_pose_inverse_transform_point(
        &plane->frame, (AbutPosition){ (double)at.x, (double)at.y, (double)at.z });
    double center[3] = { (double)local.x, (double)local.y, (double)local.z };
    if (shown != NULL)
    {
        double low[2], high[2];
        plane_view_ranges(plane, *shown, low, high);
        center[plane->slice.u_axis] = 0.5 * (low[0] + high[0]);
        center[plane->slice.v_axis] = 0.5 * (low[1] + high[1]);
    }
    plane->slice.center = (AbutPosition){ center[0], center[1], center[2] };
    plane->slice.pixel_size = pixel_size;
}

void plane_view_show(PlaneView* plane, AbutVec3 at, AbutBox seen, double padding)
{
    plane_view_center(plane, at, NULL, 1.0);
    double center[3] = { plane->slice.center.x, plane->slice.center.y, plane->slice.center.z };
    const int axes[2] = { plane->slice.u_axis, plane->slice.v_axis };
    const double pixels[2] = { (double)plane->slice.width, (double)plane->slice.height };
    double size = 0.0;
    for (int i = 0; i < 2; ++i)
    {
        double low = (double)plane_coordinate(seen.min, axes[i]),
               high = (double)plane_coordinate(seen.max, axes[i]);
        center[axes[i]] = 0.5 * (low + high);
        size = fmax(size, (high - low) / pixels[i]);
    }
    plane->slice.center = (AbutPosition){ center[0], center[1], center[2] };
    plane->slice.pixel_size = padding * size;
}

PicturePoint plane_view_pixel(const PlaneView* plane, AbutVec3 point, float* off)
{
    const SliceView* slice = &plane->slice;
    AbutPosition outer = { (double)point.x, (double)point.y, (double)point.z };
    AbutVec3 local = abut_pose_inverse_transform_point(&plane->frame, outer);
    double u =
        (double)plane_coordinate(local, slice->u_axis) - slice_coordinate(slice->center, slice->u_axis);
    double v =
        (double)plane_coordinate(local, slice->v_axis) - slice_coordinate(slice->center, slice->v_axis);
    *off = plane_coordinate(local, slice->axis) - (float)slice_coordinate(slice->center, slice->axis);
    return (PicturePoint){ (float)(slice->left + 0.5 * slice->width + u / slice->pixel_size),
                           (float)(slice->top + 0.5 * slice->height +
                                   (slice->v_down ? v : -v) / slice->pixel_size) };
}

AbutVec3 plane_view_point(const PlaneView* plane, double u, double v)
{
    float local[3];
    local[plane->slice.axis] = (float)slice_coordinate(plane->slice.center, plane->slice.axis);
    local[plane->slice.u_axis] = (float)u;
    local[plane->slice.v_axis] = (float)v;
    AbutPosition outer = abut_pose_transform_point(&plane->frame, abut_vec3(local[0], local[1], local[2]));
    return abut_vec3((float)outer.x, (float)outer.y, (float)outer.z);
}
