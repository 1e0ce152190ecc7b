/// @file gap_bound.h
/// Boxes between two surfaces that run side by side, in time: free although both are near.
///
/// A point n that is a distance low(n) away from a solid says of all others that they are at least low(n) − |x − n| away (see
/// search/gap_bound.h). Let n say so of the standing shape, and m of the moving one. A point x of the moving solid in the
/// box has low(m) − |x − m| ≤ 0, so its way to the standing solid is at least the sum of both, which hardly changes over the box when n and m lie
/// opposite to each other. With w the way from n to the middle, L its length and d the way from the middle to x after a time τ,
///
///     |w + d| ≤ L + d·w/L + |d|²/2L,    d·w/L ≤ (offset in the box)·w/L + τ·(velocity·w/L + turning · radius) + τ²/2 · acceleration,
///
/// and |d| ≤ radius + τ · speed. So only the part of the velocity counts that leads towards the solid, and what slides along it is free
/// for long: until the root of a quadratic in τ.
#ifndef ABUT_TOI_SOLIDS_GAP_BOUND_H
#define ABUT_TOI_SOLIDS_GAP_BOUND_H

#include "toi/solids/solids.h"

/// Lets boxes that gain less than they could be free for longer.
void abut_toi_gap_bound(AbutToiSearch* toi, AbutToiBatch* batch);

#endif
