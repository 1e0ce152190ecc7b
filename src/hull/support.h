/// @file support.h
/// Support function of a hull: scan of small ones, hill climbing on large ones, exact at the end if asked.
#ifndef ABUT_HULL_SUPPORT_H
#define ABUT_HULL_SUPPORT_H

#include "hull/hull.h"

/// Hulls up to this many vertices are scanned, which takes less time there than climbing from the table of
/// start vertices and the exact signs behind it.
#define ABUT_HULL_SCAN 160u

/// The cell of the cube of start vertices that a direction belongs to; 0 for NaN.
uint32_t abut_hull_start_cell(uint32_t resolution, AbutDVec3 direction);

/// The table of start vertices: the support of the middle of every cell.
void abut_hull_fill_starts(AbutHull* hull, uint16_t* starts);

#endif
