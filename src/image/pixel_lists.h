/// @file pixel_lists.h
/// Per pixel the triangles above it.
#ifndef ABUT_IMAGE_PIXEL_LISTS_H
#define ABUT_IMAGE_PIXEL_LISTS_H

#include "image/set.h"
#include "mesh/triangle/touch.h"

/// Bit of AbutPixelEntry.record: the triangle covers the centre of the pixel.
#define ABUT_ENTRY_COVERS 0x80000000u

typedef struct AbutPixelListDef
{
    uint32_t first_live, live_count; // chunks to be listed, in set->live_chunks
    bool has_centers;                // entries have ABUT_ENTRY_COVERS
} AbutPixelListDef;

/// Records of all live triangles, in the order of objects, chunks and slots, and lists of those in the chunks
/// of the def.
AbutResult abut_pixel_lists_build(AbutImageSet* set, const AbutImageView* view, AbutPixelListDef def);

/// The corners of a triangle in the frame of the set. Records have theirs in set->triangles.
AbutDTriangle abut_image_triangle(const AbutImageSet* set, uint32_t chunk, uint32_t slot);

/// Whether the line along `axis` through the point meets the triangle; exact, and for points on edges
/// consistent: the lines through a point meet a closed surface an even number of times.
bool abut_image_covers(const AbutDTriangle* triangle, AbutDVec3 point, int axis);

/// A point in the middle of a pixel, of depth 0.
AbutDVec3 abut_image_pixel_center(const AbutImageView* view, uint32_t pixel);

/// Whether that point has the pixel: not when pixels are finer than the coordinates.
bool abut_image_pixel_has_center(const AbutImageView* view, uint32_t pixel);

#endif
