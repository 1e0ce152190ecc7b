#include "slice.h"
#include "slice_rows.h"

#include <math.h>
#include <string.h>

enum
{
    PROBES = 160, // along each side of the rectangle, to find the range of distances
    INDEX_EVERY = 5
};

/// Widths of lines in pixels of a picture of this height; larger pictures have wider ones.
#define REFERENCE_HEIGHT 800.0f
#define ZERO_WIDTH 3.0f
#define INDEX_WIDTH 1.5f
#define LINE_WIDTH 1.0f

static const float line_color[3] = { 40.0f, 30.0f, 40.0f };
static const float zero_color[3] = { 18.0f, 20.0f, 34.0f };

// -----------------------------------------------------------------------------------------------------------
// Range of distances, colours
// -----------------------------------------------------------------------------------------------------------

SliceStyle slice_style_make(const SliceView* view, const AbutShape* shape, const AbutPose* pose,
                            double spacing)
{
    SliceStyle style = { .lowest = INFINITY, .highest = -INFINITY };
    double width = view->pixel_size * (double)view->width, height = view->pixel_size * (double)view->height;
    SliceSolid solid = { shape, *pose };
    for (int row = 0; row < PROBES; ++row)
    {
        SliceStrip strip;
        for (int i = 0; i < PROBES; ++i)
        {
            strip.u[i] = (float)(width * ((double)i / (PROBES - 1) - 0.5));
            strip.v[i] = (float)(height * ((double)row / (PROBES - 1) - 0.5));
        }
        slice_ask(view, &solid, 1, &strip, PROBES);
        for (int i = 0; i < PROBES; ++i)
        {
            style.lowest = fminf(style.lowest, strip.of[0].distance[i]);
            style.highest = fmaxf(style.highest, strip.of[0].distance[i]);
        }
    }
    float inside = fmaxf(-style.lowest, 0.0f), outside = fmaxf(style.highest, 0.0f);
    float largest = fmaxf(inside, outside);
    if (!(largest > 0.0f && isfinite(largest)))
    {
        largest = (float)width;
    }
    // A thin wall is not as dark as a deep body, yet dark enough to show its middle.
    style.colors = colormap_make(fmaxf(inside, 0.4f * largest), fmaxf(outside, 0.4f * largest));
    double round = slice_round_length((double)largest / 8.0);
    style.spacing = (float)(isnan(spacing) ? round : spacing);
    return style;
}

// -----------------------------------------------------------------------------------------------------------
// Pixels
// -----------------------------------------------------------------------------------------------------------

/// Everything that the color of a sample depends on.
typedef struct Pen
{
    const SliceStyle* style;
    float pixel_size;
    float line_scale; // widths of lines relative to the reference
    float
        crowding; // 0 when isolines stand so close that they would only darken the picture, 1 when well apart
} Pen;

/// A SliceColorFn of one solid; the pen is its context.
static void color_of(const void* context, const float* distances, const float* slopes, float color[3])
{
    const Pen* pen = context;
    const SliceStyle* style = pen->style;
    float distance = distances[0], slope = slopes[0];
    memcpy(color, colormap_color(&style->colors, distance), 3 * sizeof(float));
    // Where the distance hardly changes within the plane there is no line to draw, but a whole area at one
    // level.
    float steep = slice_smooth_step(0.02f, 0.12f, slope);
    float pixels = 1.0f / (fmaxf(slope, 0.02f) * pen->pixel_size);
    float level = rintf(distance / style->spacing);
    if (level != 0.0f && isfinite(level))
    {
        bool index = fmodf(level, (float)INDEX_EVERY) == 0.0f;
        float width = (index ? INDEX_WIDTH : LINE_WIDTH) * pen->line_scale;
        float cover = slice_line_cover(fabsf(distance - level * style->spacing) * pixels, width);
        float range = distance < 0.0f ? style->colors.inside_range : style->colors.outside_range;
        float fade = 1.0f - 0.55f * slice_clamp(fabsf(distance) / range);
        float strength = (index ? 0.62f : 0.38f) * fade * (index ? 1.0f : pen->crowding);
        slice_mix(color, line_color, cover * strength * steep);
    }
    slice_mix(color, zero_color,
              slice_line_cover(fabsf(distance) * pixels, ZERO_WIDTH * pen->line_scale) * steep);
}

void slice_paint(Picture* picture, const SliceView* view, const SliceStyle* style, const AbutShape* shape,
                 const AbutPose* pose, const AbutHost* host)
{
    Pen pen = { .style = style, .pixel_size = (float)view->pixel_size };
    pen.line_scale = fmaxf((float)view->height / REFERENCE_HEIGHT, 0.8f);
    pen.crowding = slice_smooth_step(2.5f, 7.0f, style->spacing / (float)view->pixel_size);
    SliceSolid solid = { shape, *pose };
    slice_rows_paint(picture, view, &solid, 1, color_of, &pen, host);
}
