// Vertices, boxes and pixels of a chunk (image/kernels.h).
#ifndef ABUT_IMAGE_RASTER_CHUNK_KERNELS_INL
#define ABUT_IMAGE_RASTER_CHUNK_KERNELS_INL

#include "image/raster/kernels.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

KERNEL_INLINE WideDouble apply_row(const double row[4], const WideDouble v[3])
{
    WideDouble sum = wide_double_splat(row[0]) * v[0] + wide_double_splat(row[1]) * v[1];
    return sum + wide_double_splat(row[2]) * v[2] + wide_double_splat(row[3]);
}

KERNEL_INLINE void store_floats(float* p, WideDouble a)
{
    WideDoubleFloats floats = __builtin_convertvector(a, WideDoubleFloats);
    memcpy(p, &floats, sizeof(floats));
}

/// Least and largest of floats whose count is a multiple of the padding.
KERNEL_INLINE void find_ends(const float* p, uint32_t count, float* low, float* high)
{
    Wide least = wide_load(p), most = least;
    for (uint32_t i = WIDE_LANES; i < count; i += WIDE_LANES)
    {
        least = wide_min(wide_load(p + i), least);
        most = wide_max(wide_load(p + i), most);
    }
    float lows[WIDE_LANES], highs[WIDE_LANES];
    wide_store(lows, least);
    wide_store(highs, most);
    *low = lows[0];
    *high = highs[0];
    for (int i = 1; i < WIDE_LANES; ++i)
    {
        *low = lows[i] < *low ? lows[i] : *low;
        *high = highs[i] > *high ? highs[i] : *high;
    }
}

static AbutBox transform_kernel(const AbutDAffine* map, AbutChunkVertices in, uint32_t count,
                                AbutChunkVertices out)
{
    for (uint32_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        const WideDouble v[3] = { wide_double_from_floats(in.coordinates[0] + i),
                                  wide_double_from_floats(in.coordinates[1] + i),
                                  wide_double_from_floats(in.coordinates[2] + i) };
        for (int k = 0; k < 3; ++k)
        {
            store_floats(out.coordinates[k] + i, apply_row(map->m[k], v));
        }
    }
    AbutBox box;
    find_ends(out.coordinates[0], count, &box.min.x, &box.max.x);
    find_ends(out.coordinates[1], count, &box.min.y, &box.max.y);
    find_ends(out.coordinates[2], count, &box.min.z, &box.max.z);
    return box;
}

/// Vertex numbers of one corner of the triangles in these lanes.
KERNEL_INLINE void load_corners(const uint8_t* corners, uint32_t index[WIDE_LANES])
{
    wide_int_store(index, wide_int_load_bytes(corners));
}

static uint32_t boxes_kernel(const AbutImageChunk* chunk, AbutChunkVertices vertices, float margin,
                             const AbutBox* region, AbutChunkBoxes* out)
{
    const float low[3] = { region->min.x, region->min.y, region->min.z };
    const float high[3] = { region->max.x, region->max.y, region->max.z };
    Wide border = wide_splat(margin);
    uint32_t mask = 0;
    for (uint32_t i = 0; i < chunk->triangle_count; i += WIDE_LANES)
    {
        uint32_t index[3][WIDE_LANES];
        for (int corner = 0; corner < 3; ++corner)
        {
            load_corners(chunk->corners[corner] + i, index[corner]);
        }
        unsigned inside = ~0u;
        for (int k = 0; k < 3; ++k)
        {
            Wide a = wide_gather(vertices.coordinates[k], index[0]);
            Wide b = wide_gather(vertices.coordinates[k], index[1]);
            Wide c = wide_gather(vertices.coordinates[k], index[2]);
            Wide least = wide_sub(wide_min(wide_min(a, b), c), border);
            Wide most = wide_add(wide_max(wide_max(a, b), c), border);
            wide_store(out->low[k] + i, least);
            wide_store(out->high[k] + i, most);
            inside &= wide_bits(wide_and(wide_less_equal(least, wide_splat(high[k])),
                                         wide_less_equal(wide_splat(low[k]), most)));
        }
        mask |= inside << i;
    }
    return mask;
}

/// As abut_pixel_of().
KERNEL_INLINE WideInt pixels_of(const AbutPixelMap* map, Wide x)
{
    Wide t = wide_mul(wide_sub(x, wide_splat(map->low)), wide_splat(map->scale));
    return wide_int_from_float(wide_max(wide_zero(), wide_min(t, wide_splat(map->limit))));
}

static void ranges_kernel(const AbutImageView* view, const AbutChunkBoxes* boxes, uint32_t count,
                          AbutChunkRanges* out)
{
    for (int k = 0; k < 3; ++k)
    {
        const float* low = boxes->low[view->axes[k]];
        const float* high = boxes->high[view->axes[k]];
        for (uint32_t i = 0; i < count; i += WIDE_LANES)
        {
            wide_int_store(out->first[k] + i, pixels_of(&view->maps[k], wide_load(low + i)));
            wide_int_store(out->last[k] + i, pixels_of(&view->maps[k], wide_load(high + i)));
        }
    }
}

#endif
