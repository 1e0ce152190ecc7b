/// @file core.h
/// Primitives as cores: a point, a segment, a box or a half space, enlarged by a radius.
///
///     sphere       point       radius
///     capsule      segment     radius
///     box          box         0
///     rounded box  box         radius of the rounding
///     plane        half space  0
///
/// An offset adds to the radius; one inwards beyond it makes the box smaller. All numbers are in double, in
/// the frame and unit of A. Every result is proved by two numbers that do not depend on how it was found: the
/// distance of two points, one of each core, is no less than that of the cores; the gap between the cores
/// along any direction is no more. Both are off by no more than AbutCorePair.rounding.
#ifndef ABUT_NARROW_PRIMITIVE_CORE_H
#define ABUT_NARROW_PRIMITIVE_CORE_H

#include "shape/resolve.h"

/// Roundings of a formula in double on top of those of frames: of sums of up to a dozen products.
#define ABUT_CORE_ROUNDING 0x1p-47

typedef enum AbutCoreKind
{
    ABUT_CORE_POINT,
    ABUT_CORE_SEGMENT,
    ABUT_CORE_BOX,
    ABUT_CORE_HALF_SPACE,
    ABUT_CORE_NONE, // no primitive, or nothing is left of it
} AbutCoreKind;

typedef struct AbutCore
{
    AbutCoreKind kind;
    double radius;
    AbutDVec3 center;
    AbutDVec3 half;      // half extents along the axes: 0 of a point; 0, length, 0 of a segment
    AbutDVec3 axes[3];   // unit; half space: axes[1] is the outward normal
    double plane_offset; // half space: normal · x ≤ plane_offset
} AbutCore;

typedef struct AbutCorePair
{
    AbutCore a, b;
    double rounding; // of every length that is computed from the two
} AbutCorePair;

/// True where both are primitives with a core that is not empty, and not both are half spaces.
bool abut_core_pair_is_known(const AbutShape* shape_a, const AbutShape* shape_b);

/// Cores of two shapes; `relative` is B in the frame of A, computed from poses of `length`. A core is
/// ABUT_CORE_NONE where abut_core_pair_is_known() is false because of it.
void abut_core_pair_make(const AbutShape* shape_a, const AbutShape* shape_b, const AbutTransform* relative,
                         double length, AbutCorePair* out);

/// Distance of a point from the core, under 0 inside. Not of a point core.
double abut_core_distance_at(const AbutCore* core, AbutDVec3 point);

/// A point of the core and two units along its axes.
static inline AbutDVec3 abut_core_point(const AbutCore* core, AbutDVec3 local)
{
    AbutDVec3 at = abut_dvec3_mul_add(core->center, local.x, core->axes[0]);
    at = abut_dvec3_mul_add(at, local.y, core->axes[1]);
    return abut_dvec3_mul_add(at, local.z, core->axes[2]);
}

/// A direction in the axes of the core.
static inline AbutDVec3 abut_core_local(const AbutCore* core, AbutDVec3 direction)
{
    return abut_dvec3(abut_dvec3_dot(core->axes[0], direction), abut_dvec3_dot(core->axes[1], direction),
                      abut_dvec3_dot(core->axes[2], direction));
}

/// The furthest point of a finite core along a direction.
static inline AbutDVec3 abut_core_support(const AbutCore* core, AbutDVec3 direction)
{
    AbutDVec3 d = abut_core_local(core, direction);
    return abut_core_point(core, abut_dvec3(d.x < 0.0 ? -core->half.x : core->half.x,
                                            d.y < 0.0 ? -core->half.y : core->half.y,
                                            d.z < 0.0 ? -core->half.z : core->half.z));
}

/// Half of the width of a finite core along a direction.
static inline double abut_core_width(const AbutCore* core, AbutDVec3 direction)
{
    return abut_dvec3_dot(core->half, abut_dvec3_abs(abut_core_local(core, direction)));
}

#endif
