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
    uint32_t depth;       // nodes from the root to the deepest leaf
    uint32_t* components; // a vertex of the solid's mesh in each component
    uint32_t component_count;
};

#endif
