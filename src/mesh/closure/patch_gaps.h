/// @file patch_gaps.h
/// Patches for narrow gaps.
#ifndef ABUT_MESH_CLOSURE_PATCH_GAPS_H
#define ABUT_MESH_CLOSURE_PATCH_GAPS_H

#include "mesh/closure/patching.h"

/// Closes the gaps that are at most `tolerance` wide.
AbutResult abut_patching_level(AbutPatching* self, double tolerance);

#endif
