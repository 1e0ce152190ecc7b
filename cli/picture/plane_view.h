/// @file plane_view.h
/// A plane through the frame of A and the rectangle of pixels that shows it, for pictures of pairs.
#ifndef ABUT_CLI_PLANE_VIEW_H
#define ABUT_CLI_PLANE_VIEW_H

#include "slice.h"

/// Length that stands for "no end".
#define PLANE_FURTHEST 1e15

typedef struct PlaneView
{
    SliceView slice;
    bool
        /// square to an axis of A; otherwise its axes are u and v from the point that it was made with
        aligned;
    AbutPose frame; ///< of the picture, in A's
} PlaneView;

/// A plane through `at` that one looks at against the unit vector `toward`; a y axis, or −z where y is
/// hidden, points up. Where `toward` is an axis of A, to the bit, the picture has the axes of A. Which part
/// it shows is set later.
PlaneView plane_view_make(AbutVec3 at, AbutVec3 toward, uint32_t width, uint32_t height);

/// Which part: `at` is in the plane, and the middle of the picture is that of `shown`, or `at` itself when it
/// is NULL.
void plane_view_center(PlaneView* plane, AbutVec3 at, const AbutBox* shown, double pixel_size);

/// Which part: `seen`, a box of the picture's frame, and a factor of room around it. Its depth does not
/// matter.
void plane_view_show(PlaneView* plane, AbutVec3 at, AbutBox seen, double padding);

/// A point of A's frame in the picture, in pixels; *off is how far it is in front of the plane.
PicturePoint plane_view_pixel(const PlaneView* plane, AbutVec3 point, float* off);

/// A point of the picture's frame: `u` to the right and `v` up or down as the axes run, in A's frame.
AbutVec3 plane_view_point(const PlaneView* plane, double u, double v);

/// Ranges of u and v that a box of A's frame spans.
void plane_view_ranges(const PlaneView* plane, AbutBox box, double low[2], double high[2]);

/// Pixels as large as it takes to show a box of A's frame; PLANE_FURTHEST where it has no end or no size.
double plane_view_fit(const PlaneView* plane, AbutBox box);

// Pieces of choosing a plane.

float plane_coordinate(AbutVec3 v, int axis);
AbutVec3 plane_axis(int axis);

/// Unit length; zero stays zero.
AbutVec3 plane_normalize(AbutVec3 v);

#endif
