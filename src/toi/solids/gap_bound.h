/// @file gap_bound.h
/// Boxes between two parallel surfaces, over time: free although both are close.
///
/// A point n at a distance of at least low(n) from a solid proves for all others a distance of at least
/// low(n) − |x − n| (see search/gap_bound.h). Let n be such a point for the standing shape, and m one for the
/// moving shape. A point x of the moving solid in the box has low(m) − |x − m| ≤ 0, so its distance to the
/// standing solid is at least the sum of both, which hardly changes over the box when n and m are on opposite
/// sides. With w the vector from n to the middle, L its length and d the vector from the middle to x after a
/// time τ,
///
///     |w + d| ≤ L + d·w/L + |d|²/2L,
///     d·w/L ≤ (offset in the box)·w/L + τ·(velocity·w/L + angular speed · radius) + τ²/2 · acceleration,
///
/// and |d| ≤ radius + τ · speed. So only the velocity towards the solid counts, and sliding boxes are free
/// for long: until the root of a quadratic in τ.
#ifndef ABUT_TOI_SOLIDS_GAP_BOUND_H
#define ABUT_TOI_SOLIDS_GAP_BOUND_H

#include "toi/solids/bounds.h"

/// Extends the free times of boxes with little progress.
void abut_toi_gap_bound(AbutToiSearch* toi, AbutToiBatch* batch);

#endif
