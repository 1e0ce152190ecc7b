/// @file patch_loops.h
/// Patches for small holes.
#ifndef ABUT_MESH_CLOSURE_PATCH_LOOPS_H
#define ABUT_MESH_CLOSURE_PATCH_LOOPS_H

#include "mesh/closure/patching.h"

/// Fills the loops of the border that are small enough.
AbutResult abut_patching_fill(AbutPatching* self);

#endif
