/// @file source.h
/// Where the signed distances of nodes come from: a shape that is sampled, or a mesh that is measured.
#ifndef ABUT_BAKE_SOURCE_SOURCE_H
#define ABUT_BAKE_SOURCE_SOURCE_H

#include <abut/bake.h>

#include "bake/distance/node_grid.h"

/// Distances and gradients of one block of nodes.
typedef struct AbutNodeValues
{
    float distance[ABUT_NODE_BLOCK_TOTAL];
    float gradient[3][ABUT_NODE_BLOCK_TOTAL];
    uint8_t origin[ABUT_NODE_BLOCK_TOTAL]; // of the sign: AbutSignOrigin, 0 beyond doubt
} AbutNodeValues;

typedef struct AbutNodeSource
{
    void* context;

    /// Fills `out` for a block of at most ABUT_NODE_BLOCK nodes along a side, gradients where asked. Called
    /// on many threads, never twice at once with the same worker. May fail with ABUT_OUT_OF_MEMORY.
    AbutResult (*sample)(void* context, uint32_t worker, const AbutNodeGrid* block, bool gradient,
                         AbutNodeValues* out);

    /// True when the sign is beyond doubt within `radius` of a point, so that the signed distance jumps
    /// nowhere there. NULL for sources whose sign never is.
    bool (*is_certain)(void* context, const double center[3], double radius);

    /// True when the surface nearest to a point has no inside. Called as `sample` is. NULL for sources
    /// without such surfaces.
    bool (*is_sheet)(void* context, uint32_t worker, const double point[3]);

    bool is_continuous; // values change by no more than the build's slope says, anywhere
} AbutNodeSource;

#endif
