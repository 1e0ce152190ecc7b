/// @file field_cast.h
/// One segment through a field.
///
/// The result is put together from cells. The test of a cell depends on the cell and the segment alone: not
/// on the method, not on the cells before. Methods only skip cells for which the result of the test is
/// proved, so all methods give the same bytes.
#ifndef ABUT_CAST_FIELD_CAST_H
#define ABUT_CAST_FIELD_CAST_H

#include <abut/cast.h>

#include "cast/cell_crossing.h"
#include "cast/grid_walk.h"
#include "cast/skip.h"

/// Follows the line from `time` to its end; false when the visitor ended the search.
bool abut_cast_follow(AbutCastWalk* walk, AbutCastSkipFn* skip, double time, const AbutCastVisitor* visitor,
                      uint64_t* steps);

/// Starts a walk along segment i; false where an end is not finite.
bool abut_cast_start(const AbutCastField* field, AbutSegments segments, size_t i, AbutCastWalk* walk);

/// Ends the search at the first interval and stores its begin.
AbutCastVisitor abut_cast_first_visitor(double* time);

/// Writes a hit or a miss.
void abut_cast_store_hit(AbutCastHits out, size_t i, bool hit, double time);

/// The first crossing of one segment; invalid where an end is not finite.
void abut_cast_first(const AbutCastField* field, AbutCastSkipFn* skip, AbutSegments segments, size_t i,
                     AbutCastHits out);

#endif
