/// @file view.h
/// The map from space to the pixels of an image: an orthographic view along an axis.
///
/// A coordinate x belongs to pixel ⌊clamp((x − low) · scale)⌋, in float arithmetic. Rounding, clamping and
/// flooring are monotone, so the map is monotone on real numbers too, and every real point has exactly one
/// pixel. Hence an interval [a, b] of floats touches the pixels from that of a to that of b and no others:
/// there is no error to bound.
#ifndef ABUT_IMAGE_RASTER_VIEW_H
#define ABUT_IMAGE_RASTER_VIEW_H

#include <abut/math.h>

enum
{
    ABUT_IMAGE_MAX_RESOLUTION = 2048,
    ABUT_IMAGE_SLABS = 64, ///< bits of the mask of depth slabs
};

/// The map of one coordinate to [0, limit].
typedef struct AbutPixelMap
{
    float low;
    float scale;
    float limit; // a whole number
} AbutPixelMap;

typedef struct AbutImageView
{
    int axes[3];          // coordinates of space that are columns, rows and depth
    AbutPixelMap maps[3]; // the same order
    uint32_t resolution;
    double margin; // triangles are drawn larger by this in every direction
    bool has_slabs;
} AbutImageView;

static inline uint32_t abut_pixel_of(AbutPixelMap map, float x)
{
    float t = (x - map.low) * map.scale;
    t = t < map.limit ? t : map.limit;
    t = 0.0f < t ? t : 0.0f;
    return (uint32_t)(int32_t)t;
}

/// Bits of the slabs from `first` to `last`.
static inline uint64_t abut_slab_mask(uint32_t first, uint32_t last)
{
    return (UINT64_MAX << first) & (UINT64_MAX >> (ABUT_IMAGE_SLABS - 1 - last));
}

/// A view along `axis` of the points in a finite box that is not empty.
AbutImageView abut_image_view(AbutBox box, int axis, uint32_t resolution, bool has_slabs);

#endif
