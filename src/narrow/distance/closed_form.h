/// @file closed_form.h
/// Distances of convex pairs by their own methods, without a sample.
#ifndef ABUT_NARROW_DISTANCE_CLOSED_FORM_H
#define ABUT_NARROW_DISTANCE_CLOSED_FORM_H

#include <abut/narrow.h>

/// Fills the output of a separated pair of the methods "primitives" (two primitives) and "gjk", where the
/// bounds are within the tolerance. False for all others; the output is unchanged then.
bool abut_distance_closed_form(const AbutDistanceInput* input, float tolerance, AbutDistanceOutput* output);

#endif
