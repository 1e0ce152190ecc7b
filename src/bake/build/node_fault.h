/// @file node_fault.h
/// Invalid nodes of a source: NaN, infinite, too large for the format, or, for a continuous source, further
/// from their neighbours than its slope allows.
#ifndef ABUT_BAKE_BUILD_NODE_FAULT_H
#define ABUT_BAKE_BUILD_NODE_FAULT_H

#include "bake/build/build.h"

/// Checks the nodes of a block. The first invalid one in the order of the grid is kept in build->fault, so
/// that it does not depend on the order of blocks; the build goes on.
void abut_build_check_block(AbutBuild* build, const AbutNodeGrid* block, const float* distance);

/// Between blocks, on the thread of the bake: false, with a message and the result of the build set, when a
/// node was invalid.
bool abut_build_check_nodes(AbutBuild* build);

#endif
