/// @file box_lanes.h
/// Manifolds of boxes whose separating axes were found in lanes.
#ifndef ABUT_NARROW_PRIMITIVE_BOX_LANES_H
#define ABUT_NARROW_PRIMITIVE_BOX_LANES_H

#include "narrow/primitive/kernels.h"
#include "narrow/primitive/manifold.h"

/// The manifold of the boxes or rounded boxes in a lane that is within the margin, and B in the frame of A.
void abut_box_lanes_collide(const AbutBoxLanes* lanes, const AbutRoundPairs* pairs, uint32_t lane,
                            AbutTransform* relative, AbutPrimitiveManifold* out);

#endif
