/// @file clamp_core_points.h
/// Clamping by core points: time of impact, stop, and escape of pairs of which one body has core points.
#ifndef ABUT_DYNAMICS_CCD_CLAMP_CORE_POINTS_H
#define ABUT_DYNAMICS_CCD_CLAMP_CORE_POINTS_H

#include "dynamics/ccd/motion.h"
#include "dynamics/state/manifold.h"

/// A clamped fraction is this share of the largest allowed one, as a reserve for later pairs.
#define ABUT_CCD_SAFETY 0.98

/// Resets the results of core points in all manifolds, before a pass.
void abut_ccd_begin(AbutWorld* world);

/// Time of impact of all pairs with a blocking body, in parallel.
void abut_ccd_find_toi(AbutWorld* world);

/// Clamps the fractions of two bodies whose core points come too near, to `safety` times the free fraction.
/// True when a fraction fell.
bool abut_ccd_clamp_pair(AbutManifold* m, AbutBody* a, AbutBody* b, const AbutCcdMotion* motion_a,
                         const AbutCcdMotion* motion_b, double safety);

/// Resets the times of a pair of which one body has a new motion.
void abut_ccd_reset_pair(AbutManifold* m);

/// Replaces the motions of stuck bodies by a small separation. True when there are any.
bool abut_ccd_separate_stuck(AbutWorld* world);

/// Updates the clearances of all pairs, after the fractions are final and before bodies are moved to them.
void abut_ccd_end(const AbutWorld* world);

/// Removes the approach velocity at blocked core points, at the final poses.
void abut_ccd_stop_approach(const AbutStepContext* step);

#endif
