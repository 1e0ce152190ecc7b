/// @file containment.h
/// Overlap at the start of solids with separated surfaces: a part of one solid within the other.
///
/// Without contact of the surfaces each component of either solid is outside of the other one, or within it.
/// The octree boxes with a part of a solid, its inside included, are sampled in the other shape: a middle in
/// both solids decides. A solid inside of a box of two cells of the other's surface, thinner than its grid,
/// is not recognised.
#ifndef ABUT_TOI_SOLIDS_CONTAINMENT_H
#define ABUT_TOI_SOLIDS_CONTAINMENT_H

#include "toi/solids/solids.h"

/// True for an overlap at the start near `point`, in the moving shape's frame, or when none can be excluded.
/// For pairs with a field whose surfaces are apart.
bool abut_toi_containment(AbutToiSearch* toi, AbutVec3* point);

#endif
