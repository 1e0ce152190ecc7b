/// @file containment.h
/// Whether a part of one solid is within the other although their surfaces are apart.
///
/// Surfaces that do not touch leave two cases, for each part of either: it is all outside of the other solid, or all within. The boxes of an
/// octree that hold something of a solid, its inside too, are looked at from the other one: a middle that is in both decides. What lies as a whole
/// within a box of two cells of the other's surface, and so is thinner than its grid, is not told apart.
#ifndef ABUT_TOI_SOLIDS_CONTAINMENT_H
#define ABUT_TOI_SOLIDS_CONTAINMENT_H

#include "toi/solids/solids.h"

/// True when they overlap at the start, or nothing proves that they do not: near `point`, in the moving shape's frame. For pairs with a field whose
/// surfaces are apart.
bool abut_toi_containment(AbutToiSearch* toi, AbutVec3* point);

#endif
