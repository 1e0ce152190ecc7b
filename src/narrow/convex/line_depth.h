/// @file line_depth.h
/// Depths of contacts of two convex solids, whose intervals on a line have two ends each: bracketed by points
/// that are proved to be inside and outside.
#ifndef ABUT_NARROW_CONVEX_LINE_DEPTH_H
#define ABUT_NARROW_CONVEX_LINE_DEPTH_H

#include <abut/contact.h>

#include "math/transform.h"

/// A convex function that is at most 0 in the solid, within `rounding`: a distance, or heights over planes.
typedef double AbutSolidHeightFn(const void* solid, AbutDVec3 point);

/// Two solids in one frame, with a unit of its own.
typedef struct AbutLineSolids
{
    AbutSolidHeightFn* height[2];
    const void* solid[2];
    double rounding; // of points and heights
    double size;     // of the smaller solid
} AbutLineSolids;

/// Depths, errors and shared lengths of contacts in the frame of A; `frame` is that of the solids in it, and
/// `relative` B in it. Contacts of faces move by a millionth of the size to the middle of the others, since
/// lines through corners and edges graze a solid.
void abut_measure_line_depths(const AbutLineSolids* solids, const AbutTransform* frame,
                              const AbutTransform* relative, AbutContact* contacts, uint32_t count);

#endif
