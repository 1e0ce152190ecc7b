/// @file decomposition.h
/// Storage of a decomposition.
#ifndef ABUT_DECOMPOSE_DECOMPOSITION_H
#define ABUT_DECOMPOSE_DECOMPOSITION_H

#include <abut/decompose.h>

#include "decompose/solid.h"

struct AbutDecomposition
{
    AbutHost host;
    AbutSolid solid;              // its mesh has the triangles in their old order
    AbutMesh* mesh;               // in the order of the nodes
    AbutDecompositionNode* nodes; // each before its children; hulls are owned
    uint32_t* parents;            // by node
    uint32_t* ranks;              // by node: position in the order of division, the largest concavity first
    uint32_t node_count, leaf_count;
};

#endif
