/// @file depth_image.h
/// An image with the depths of everything drawn to it: per pixel the interval that contains them, and the
/// slabs of depth that they touch. Drawing is a minimum, a maximum and a union, so the order does not matter.
#ifndef ABUT_IMAGE_RASTER_DEPTH_IMAGE_H
#define ABUT_IMAGE_RASTER_DEPTH_IMAGE_H

#include "image/raster/kernels.h"
#include "image/raster/raster.h"

typedef struct AbutDepthPixel
{
    float nearest, farthest; // nearest > farthest: empty
    uint64_t slabs;
} AbutDepthPixel;

/// Triangles of a chunk at their transformed vertices.
typedef struct AbutTransformedChunk
{
    const AbutImageChunk* chunk;
    const AbutChunkBoxes* boxes;
    AbutChunkVertices vertices;
} AbutTransformedChunk;

/// Rows first_row to last_row become empty.
void abut_depth_image_clear(const AbutImageView* view, AbutDepthPixel* pixels, uint32_t first_row,
                            uint32_t last_row);

/// Draws a box, in these rows.
void abut_depth_image_draw_box(const AbutImageView* view, AbutDepthPixel* pixels, const AbutBox* box,
                               uint32_t first_row, uint32_t last_row);

/// True unless the box is fully visible: separate in depth from all that was drawn, at each of its pixels.
bool abut_depth_image_test_box(const AbutImageView* view, const AbutDepthPixel* pixels, const AbutBox* box);

/// Draws the triangles of the mask, in these rows.
void abut_depth_image_draw(const AbutImageView* view, AbutDepthPixel* pixels,
                           const AbutTransformedChunk* chunk, uint32_t mask, uint32_t first_row,
                           uint32_t last_row);

/// The triangles of the mask that are not fully visible.
uint32_t abut_depth_image_test(const AbutImageView* view, const AbutDepthPixel* pixels,
                               const AbutTransformedChunk* chunk, uint32_t mask);

/// Pixels of a box of space.
AbutPixelBox abut_pixel_box(const AbutImageView* view, const AbutBox* box);

static inline AbutPixelBox abut_chunk_pixel_box(const AbutImageView* view, const AbutTransformedChunk* chunk,
                                                const AbutChunkRanges* ranges, uint32_t i)
{
    AbutPixelBox box;
    for (int k = 0; k < 3; ++k)
    {
        box.first[k] = ranges->first[k][i];
        box.last[k] = ranges->last[k][i];
    }
    box.nearest = chunk->boxes->low[view->axes[2]][i];
    box.farthest = chunk->boxes->high[view->axes[2]][i];
    return box;
}

static inline AbutVec3 abut_chunk_vertex(AbutChunkVertices vertices, uint32_t i)
{
    return abut_vec3(vertices.coordinates[0][i], vertices.coordinates[1][i], vertices.coordinates[2][i]);
}

static inline void abut_chunk_corners(const AbutTransformedChunk* chunk, uint32_t i, AbutVec3 corners[3])
{
    for (int corner = 0; corner < 3; ++corner)
    {
        corners[corner] = abut_chunk_vertex(chunk->vertices, chunk->chunk->corners[corner][i]);
    }
}

/// All pixels of triangle i of a chunk in these rows. True when `visit` ended it.
static inline __attribute__((always_inline)) bool
abut_raster_visit(const AbutImageView* view, const AbutTransformedChunk* chunk, const AbutPixelBox* box,
                  uint32_t i, uint32_t first_row, uint32_t last_row, AbutPixelFn* visit, void* context)
{
    if (abut_pixel_box_is_small(box))
    {
        return abut_raster_visit_box(view, box, first_row, last_row, visit, context);
    }
    AbutVec3 corners[3];
    abut_chunk_corners(chunk, i, corners);
    return abut_raster_visit_large(view, box, corners, first_row, last_row, visit, context);
}

#endif
