/// @file raster.h
/// The pixels of a triangle: every pixel whose square the triangle touches, with an interval that contains
/// the depths of the triangle above that square, rounded outward.
///
/// Small triangles, those in a box of a few pixels, are taken as that box with the whole interval of their
/// depth: exact by view.h. Large ones are clipped to the strip of each row. That is done in double, with
/// strips and results larger than the rounding (docs/image_space.md).
#ifndef ABUT_IMAGE_RASTER_RASTER_H
#define ABUT_IMAGE_RASTER_RASTER_H

#include "image/raster/view.h"

enum
{
    /// Boxes up to so many pixels are drawn whole. A setup of strips costs as much as a dozen pixels.
    ABUT_RASTER_SMALL = 16,
};

/// Pixels first to last of columns, rows and slabs, with the interval of depth.
typedef struct AbutPixelBox
{
    uint32_t first[3], last[3];
    float nearest, farthest;
} AbutPixelBox;

/// A triangle in the order columns, rows, depth, with the plane of its depths. An edge is a triangle with two
/// equal corners.
typedef struct AbutRasterTriangle
{
    double corners[3][3]; // by coordinate, then corner
    double slack[3];      // rounding of clipped coordinates, and the margin of the view
    double slope[2];      // of the depth along columns and rows
    double slope_slack;
    bool has_plane; // whether it is steep enough against the view for `slope`
} AbutRasterTriangle;

/// Columns first to last of a triangle in one row; no column when first > last.
typedef struct AbutRasterSpan
{
    uint32_t first, last;
    double nearest, farthest;         // of the triangle in the strip of the row
    double base_near, base_far, step; // depth of the plane above column c: base + c · step; when has_plane
    bool has_plane;
} AbutRasterSpan;

AbutRasterTriangle abut_raster_triangle(const AbutImageView* view, const AbutVec3 corners[3]);

AbutRasterSpan abut_raster_span(const AbutImageView* view, const AbutRasterTriangle* triangle, uint32_t row);

/// Depth of one pixel of a span.
void abut_raster_depth(const AbutImageView* view, const AbutRasterSpan* span, uint32_t column, float* nearest,
                       float* farthest);

/// Called for each pixel; true ends the visit.
typedef bool AbutPixelFn(void* context, uint32_t pixel, float nearest, float farthest, uint64_t slabs);

static inline uint64_t abut_pixel_box_slabs(const AbutImageView* view, const AbutPixelBox* box)
{
    return view->has_slabs ? abut_slab_mask(box->first[2], box->last[2]) : UINT64_MAX;
}

static inline bool abut_pixel_box_is_small(const AbutPixelBox* box)
{
    return (box->last[0] - box->first[0] + 1) * (box->last[1] - box->first[1] + 1) <= ABUT_RASTER_SMALL;
}

/// All pixels of a box in the rows first_row to last_row. True when `visit` ended it.
static inline __attribute__((always_inline)) bool abut_raster_visit_box(const AbutImageView* view,
                                                                        const AbutPixelBox* box,
                                                                        uint32_t first_row, uint32_t last_row,
                                                                        AbutPixelFn* visit, void* context)
{
    uint32_t first = box->first[1] > first_row ? box->first[1] : first_row;
    uint32_t last = box->last[1] < last_row ? box->last[1] : last_row;
    uint64_t slabs = abut_pixel_box_slabs(view, box);
    for (uint32_t row = first; row <= last; ++row)
    {
        for (uint32_t column = box->first[0]; column <= box->last[0]; ++column)
        {
            if (visit(context, row * view->resolution + column, box->nearest, box->farthest, slabs))
            {
                return true;
            }
        }
    }
    return false;
}

/// All pixels of a large triangle in the rows first_row to last_row. True when `visit` ended it.
bool abut_raster_visit_large(const AbutImageView* view, const AbutPixelBox* box, const AbutVec3 corners[3],
                             uint32_t first_row, uint32_t last_row, AbutPixelFn* visit, void* context);

#endif
