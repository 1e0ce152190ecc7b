/// @file node_fault.h
/// What nodes of a source may not be: NaN, infinite, too far for the format, or, of a source that is
/// continuous, further from their neighbours than its slope allows.
#ifndef ABUT_BAKE_BUILD_NODE_FAULT_H
#define ABUT_BAKE_BUILD_NODE_FAULT_H

#include "bake/build/build.h"

/// Looks at what the build's source says of the nodes of a block. Bad ones are remembered in build->fault and
/// fail nothing yet, so that the first one is the same whoever looks at which block.
void abut_build_check_block(AbutBuild* build, const AbutNodeGrid* block, const float* distance);

/// Between blocks, on the thread that bakes: false, with a message that says where, when a node was bad. Also
/// keeps that as the build's result.
bool abut_build_check_nodes(AbutBuild* build);

#endif
