/// @file impact_fields.h
/// The first touch of two fields that move and turn, from their octrees.
///
/// Time goes on in strides. At the beginning of one, pairs of boxes that the surfaces may pass through, one of each octree, are divided from coarse
/// to fine (as in narrow/gap.h), and each pair is free for a time of its own. With n a direction from the standing box to the moving one, what is in
/// the two is apart by
///
///     s = n·w − reach of the one along n − reach of the other against n,
///
/// w being the way from middle to middle; plates and nodes tell the reaches. No point x of the moving box comes nearer along n than
/// u τ + a τ²/2 in a time τ, where u is what its velocity has against n, at most, and a bounds accelerations. So only the part of the velocity
/// counts that leads from one surface to the other, and threads that slide along each other are free for long. A pair that is free for as long as
/// others have been found to be is done with. When the smallest boxes gain nothing any more, that is where the fields meet.
///
/// Surfaces that do not touch leave the case that a part of one solid is within the other from the start: impact_inside.h.
#ifndef ABUT_SWEEP_IMPACT_FIELDS_H
#define ABUT_SWEEP_IMPACT_FIELDS_H

#include "sweep/impact.h"

/// True when both are fields with something proved of them.
bool abut_impact_fields_apply(const AbutImpact* impact);

/// As abut_impact_search().
bool abut_impact_fields_search(AbutImpact* impact, double* until);

#endif
