/// @file swift.h
/// SWIFT for pairs of the narrow phase.
#ifndef ABUT_NARROW_TRIANGLES_SWIFT_H
#define ABUT_NARROW_TRIANGLES_SWIFT_H

#include <abut/decompose.h>

#include "math/transform.h"

/// The distance of both surfaces: a solid inside of the other one is separated. B in the frame of A, computed
/// from `length`.
AbutSwiftOutput abut_swift_surfaces(const AbutDecomposition* a, const AbutDecomposition* b,
                                    const AbutTransform* b_in_a, double length);

#endif
