/// @file search.h
/// Branch and bound over the boxes of the moving shape and time (solids.h).
#ifndef ABUT_TOI_SOLIDS_SEARCH_H
#define ABUT_TOI_SOLIDS_SEARCH_H

#include "toi/solids/solids.h"

/// Records a contact within the tolerance at a time, near a point of the moving shape's frame: nothing after
/// it matters, and little before it.
void abut_toi_set_close(AbutToiSearch* toi, double time, AbutVec3 point);

/// Searches until all boxes are free, a contact is known, or the budget is spent (false). *until is the time
/// until which all is free, unset when that is the whole step.
bool abut_toi_search(AbutToiSearch* toi, double* until);

#endif
