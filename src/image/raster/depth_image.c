// Drawing of boxes and chunks of triangles, and tests against what was drawn.
#include "image/raster/depth_image.h"

static bool draw_pixel(void* context, uint32_t pixel, float nearest, float farthest, uint64_t slabs)
{
    AbutDepthPixel* p = (AbutDepthPixel*)context + pixel;
    p->nearest = nearest < p->nearest ? nearest : p->nearest;
    p->farthest = farthest > p->farthest ? farthest : p->farthest;
    p->slabs |= slabs;
    return false;
}

static bool test_pixel(void* context, uint32_t pixel, float nearest, float farthest, uint64_t slabs)
{
    const AbutDepthPixel* p = (const AbutDepthPixel*)context + pixel;
    return nearest <= p->farthest && p->nearest <= farthest && (slabs & p->slabs) != 0;
}

void abut_depth_image_clear(const AbutImageView* view, AbutDepthPixel* pixels, uint32_t first_row,
                            uint32_t last_row)
{
    const AbutDepthPixel empty = { INFINITY, -INFINITY, 0 };
    size_t end = ((size_t)last_row + 1) * view->resolution;
    for (size_t i = (size_t)first_row * view->resolution; i < end; ++i)
    {
        pixels[i] = empty;
    }
}

static float component(AbutVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

AbutPixelBox abut_pixel_box(const AbutImageView* view, const AbutBox* box)
{
    AbutPixelBox out;
    for (int k = 0; k < 3; ++k)
    {
        out.first[k] = abut_pixel_of(view->maps[k], component(box->min, view->axes[k]));
        out.last[k] = abut_pixel_of(view->maps[k], component(box->max, view->axes[k]));
    }
    out.nearest = component(box->min, view->axes[2]);
    out.farthest = component(box->max, view->axes[2]);
    return out;
}

void abut_depth_image_draw_box(const AbutImageView* view, AbutDepthPixel* pixels, const AbutBox* box,
                               uint32_t first_row, uint32_t last_row)
{
    AbutPixelBox range = abut_pixel_box(view, box);
    abut_raster_visit_box(view, &range, first_row, last_row, draw_pixel, pixels);
}

bool abut_depth_image_test_box(const AbutImageView* view, const AbutDepthPixel* pixels, const AbutBox* box)
{
    AbutPixelBox range = abut_pixel_box(view, box);
    return abut_raster_visit_box(view, &range, 0, view->resolution - 1, test_pixel, (void*)(uintptr_t)pixels);
}

void abut_depth_image_draw(const AbutImageView* view, AbutDepthPixel* pixels,
                           const AbutTransformedChunk* chunk, uint32_t mask, uint32_t first_row,
                           uint32_t last_row)
{
    AbutChunkRanges ranges;
    abut_image_kernels()->ranges(view, chunk->boxes, chunk->chunk->triangle_count, &ranges);
    for (; mask != 0; mask &= mask - 1)
    {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        AbutPixelBox box = abut_chunk_pixel_box(view, chunk, &ranges, i);
        if (box.first[1] <= last_row && first_row <= box.last[1])
        {
            abut_raster_visit(view, chunk, &box, i, first_row, last_row, draw_pixel, pixels);
        }
    }
}

uint32_t abut_depth_image_test(const AbutImageView* view, const AbutDepthPixel* pixels,
                               const AbutTransformedChunk* chunk, uint32_t mask)
{
    AbutChunkRanges ranges;
    abut_image_kernels()->ranges(view, chunk->boxes, chunk->chunk->triangle_count, &ranges);
    void* target = (void*)(uintptr_t)pixels;
    uint32_t hits = 0;
    for (; mask != 0; mask &= mask - 1)
    {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        AbutPixelBox box = abut_chunk_pixel_box(view, chunk, &ranges, i);
        // The box first: nearly all triangles that are fully visible have a box that is.
        bool hit = abut_raster_visit_box(view, &box, 0, view->resolution - 1, test_pixel, target);
        if (hit && !abut_pixel_box_is_small(&box))
        {
            hit = abut_raster_visit(view, chunk, &box, i, 0, view->resolution - 1, test_pixel, target);
        }
        hits |= (uint32_t)hit << i;
    }
    return hits;
}
