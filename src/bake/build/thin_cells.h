/// @file thin_cells.h
/// Finding the nodes of order 1 around things that are thinner than a cell.
#ifndef ABUT_BAKE_BUILD_THIN_CELLS_H
#define ABUT_BAKE_BUILD_THIN_CELLS_H

#include "bake/build/build.h"

/// Sets the thin bit of every stored node that is a corner of a thin cell and clears it for all others: a
/// function of the stored distances and gradients alone, so doing it twice changes nothing. Order 0 has no
/// such bit.
AbutResult abut_build_mark_thin(AbutBuild* build);

#endif
