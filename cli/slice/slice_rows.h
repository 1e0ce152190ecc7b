/// @file slice_rows.h
/// Colours for a plane through a few solids, pixel by pixel.
#ifndef ABUT_CLI_SLICE_ROWS_H
#define ABUT_CLI_SLICE_ROWS_H

#include "slice.h"

enum
{
    SLICE_SOLIDS = 12,     ///< at most
    SLICE_SUPERSAMPLES = 2 ///< per pixel and direction: corners of the distance are soft too
};

/// A shape and where it stands.
typedef struct SliceSolid
{
    const AbutShape* shape;
    AbutPose pose;
} SliceSolid;

enum
{
    SLICE_STRIP = 128, ///< pixels of a row that are painted at once
    SLICE_STRIP_SAMPLES = SLICE_STRIP * SLICE_SUPERSAMPLES
};

/// Points of the plane, relative to the centre of the view, and what the solids answer there.
typedef struct SliceStrip
{
    float u[SLICE_STRIP_SAMPLES], v[SLICE_STRIP_SAMPLES], w[SLICE_STRIP_SAMPLES];
    struct
    {
        float distance[SLICE_STRIP_SAMPLES];
        float gradient[3][SLICE_STRIP_SAMPLES];
    } of[SLICE_SOLIDS];
} SliceStrip;

/// Distances and gradients at u, v.
void slice_ask(const SliceView* view, const SliceSolid* solids, int solid_count, SliceStrip* strip,
               size_t count);

/// The colour (0 to 255) of a point: distances to the solids, and how steep they are within the plane.
typedef void SliceColorFn(const void* context, const float* distances, const float* slopes, float color[3]);

/// Paints the rectangle of the view.
void slice_rows_paint(Picture* picture, const SliceView* view, const SliceSolid* solids, int solid_count,
                      SliceColorFn* color, const void* context, const AbutHost* host);

// Pieces of colour functions.

/// To [0, 1].
float slice_clamp(float value);

/// 0 under `from`, 1 over `to`.
float slice_smooth_step(float from, float to, float value);

/// How much of a pixel a line covers when its middle is `offset` pixels away.
float slice_line_cover(float offset, float width);

void slice_mix(float color[3], const float other[3], float share);

#endif
