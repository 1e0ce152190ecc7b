/// @file cell_errors.h
/// How far the blend in each cell near the surface may be from the distance.
#ifndef ABUT_BAKE_BUILD_CELL_ERRORS_H
#define ABUT_BAKE_BUILD_CELL_ERRORS_H

#include "bake/build/build.h"

/// Fills the section of cell errors, a dense field's slots, and the header's error bound. The pyramid must be
/// there: without a bound where the sign is uncertain. A dense field's layout gets its final size.
void abut_build_cell_errors(AbutBuild* build);

#endif
