/// @file kernels.h
/// The vertices and triangles of a chunk, in lanes.
#ifndef ABUT_IMAGE_RASTER_KERNELS_H
#define ABUT_IMAGE_RASTER_KERNELS_H

#include "image/raster/chunks.h"
#include "image/raster/view.h"
#include "math/daffine.h"
#include "simd/dispatch.h"

/// Boxes of the triangles of a chunk, coordinate by coordinate.
typedef struct AbutChunkBoxes
{
    float low[3][ABUT_CHUNK_TRIANGLES];
    float high[3][ABUT_CHUNK_TRIANGLES];
} AbutChunkBoxes;

/// Pixels that those boxes touch: columns, rows and slabs.
typedef struct AbutChunkRanges
{
    uint32_t first[3][ABUT_CHUNK_TRIANGLES];
    uint32_t last[3][ABUT_CHUNK_TRIANGLES];
} AbutChunkRanges;

/// Arrays of coordinates of the vertices of a chunk.
typedef struct AbutChunkVertices
{
    float* coordinates[3];
} AbutChunkVertices;

typedef struct AbutImageKernels
{
    /// Each vertex by abut_daffine_apply(), rounded to float; the box of the results. `count` is a multiple
    /// of ABUT_CHUNK_PADDING and not 0.
    AbutBox (*transform)(const AbutDAffine* map, AbutChunkVertices in, uint32_t count, AbutChunkVertices out);

    /// Boxes of the triangles of a chunk at transformed vertices, larger by `margin` before rounding to
    /// nearest; the mask of those that overlap the region.
    uint32_t (*boxes)(const AbutImageChunk* chunk, AbutChunkVertices vertices, float margin,
                      const AbutBox* region, AbutChunkBoxes* out);

    /// Pixels of `count` boxes, rounded up to the number of lanes.
    void (*ranges)(const AbutImageView* view, const AbutChunkBoxes* boxes, uint32_t count,
                   AbutChunkRanges* out);
} AbutImageKernels;

ABUT_KERNELS(AbutImageKernels, abut_image_kernels)

#endif
