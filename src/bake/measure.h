/// @file measure.h
/// What a finished field is measured to be: its error near the surface, and its mass.
#ifndef ABUT_BAKE_MEASURE_H
#define ABUT_BAKE_MEASURE_H

#include "bake/build/build.h"

/// Fills the header's measured errors, error bound and mass from the block, whose nodes and pyramid are
/// complete.
AbutResult abut_build_measure(AbutBuild* build);

#endif
