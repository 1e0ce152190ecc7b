/// @file source.h
/// Sources of signed distances of nodes: a sampled shape, or a mesh.
#ifndef ABUT_BAKE_SOURCE_SOURCE_H
#define ABUT_BAKE_SOURCE_SOURCE_H

#include <abut/bake.h>

#include "bake/distance/node_grid.h"

/// Distances and gradients of one block of nodes.
typedef struct AbutNodeValues
{
    float distance[ABUT_NODE_BLOCK_TOTAL];
    float gradient[3][ABUT_NODE_BLOCK_TOTAL];
    uint8_t origin[ABUT_NODE_BLOCK_TOTAL]; // of the sign: AbutSignOrigin, 0 for a certain sign
} AbutNodeValues;

typedef struct AbutNodeSource
{
    void* context;

    /// Fills `out` for a block of at most ABUT_NODE_BLOCK nodes along a side, gradients on request. Called on
    /// many threads, never twice at once with the same worker. May fail with ABUT_OUT_OF_MEMORY.
    AbutResult (*sample)(void* context, uint32_t worker, const AbutNodeGrid* block, bool gradient,
                         AbutNodeValues* out);

    /// True when the sign is certain within `radius` of a point, so that the signed distance is continuous
    /// there. NULL for sources with certain signs everywhere.
    bool (*is_certain)(void* context, AbutDVec3 center, double radius);

    /// True when the surface nearest to a point has no inside. Called as `sample` is. NULL for sources
    /// without such surfaces.
    bool (*is_sheet)(void* context, uint32_t worker, AbutDVec3 point);

    bool is_continuous; // values change by no more than the build's slope says, anywhere
} AbutNodeSource;

#endif
