#include "message.h"
#include "slice.h"

#include <math.h>
#include <string.h>

enum
{
    SUPERSAMPLES =
        2,       // per pixel and direction (slope_at() counts on two): corners of the distance are soft too
    STRIP = 128, // pixels of a row that are painted at once
    STRIP_SAMPLES = STRIP * SUPERSAMPLES,
    BAND = 64,    // rows between two looks at the progress
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

/// Points of the plane and what the shape answers there. Coordinates are relative to the centre of the view.
typedef struct Strip
{
    float u[STRIP_SAMPLES], v[STRIP_SAMPLES], w[STRIP_SAMPLES];
    float distance[STRIP_SAMPLES];
    float gradient[3][STRIP_SAMPLES];
} Strip;

static AbutPose pose_in_view(const SliceView* view, const AbutPose* pose)
{
    AbutPose local = *pose;
    local.position.x -= view->center.x;
    local.position.y -= view->center.y;
    local.position.z -= view->center.z;
    return local;
}

static void ask(const SliceView* view, const AbutShape* shape, const AbutPose* local_pose, Strip* strip,
                size_t count)
{
    const float* by_axis[3];
    by_axis[view->u_axis] = strip->u;
    by_axis[view->v_axis] = strip->v;
    by_axis[view->axis] = strip->w;
    memset(strip->w, 0, sizeof(strip->w));
    AbutPoints points = { by_axis[0], by_axis[1], by_axis[2] };
    AbutSamples samples = { strip->distance, strip->gradient[0], strip->gradient[1], strip->gradient[2] };
    abut_shape_sample(shape, local_pose, points, count, samples);
}

// ---------------------------------------------------------------------------------------------------------------------
// Range of distances, colours
// ---------------------------------------------------------------------------------------------------------------------

SliceStyle slice_style_make(const SliceView* view, const AbutShape* shape, const AbutPose* pose,
                            double spacing)
{
    AbutPose local = pose_in_view(view, pose);
    SliceStyle style = { .lowest = INFINITY, .highest = -INFINITY };
    double width = view->pixel_size * (double)view->width, height = view->pixel_size * (double)view->height;
    for (int row = 0; row < PROBES; ++row)
    {
        Strip strip;
        for (int i = 0; i < PROBES; ++i)
        {
            strip.u[i] = (float)(width * ((double)i / (PROBES - 1) - 0.5));
            strip.v[i] = (float)(height * ((double)row / (PROBES - 1) - 0.5));
        }
        ask(view, shape, &local, &strip, PROBES);
        for (int i = 0; i < PROBES; ++i)
        {
            style.lowest = fminf(style.lowest, strip.distance[i]);
            style.highest = fmaxf(style.highest, strip.distance[i]);
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

// ---------------------------------------------------------------------------------------------------------------------
// Pixels
// ---------------------------------------------------------------------------------------------------------------------

/// Everything that the color of a sample depends on.
typedef struct Pen
{
    const SliceStyle* style;
    float pixel_size;
    float line_scale; // widths of lines relative to the reference
    float
        crowding; // 0 when isolines stand so close that they would only darken the picture, 1 when well apart
} Pen;

static float clamp01(float value)
{
    return value < 0.0f ? 0.0f : (value > 1.0f ? 1.0f : value);
}

static float smooth_step(float from, float to, float value)
{
    float t = clamp01((value - from) / (to - from));
    return t * t * (3.0f - 2.0f * t);
}

/// How much of a pixel a line covers when its middle is `offset` pixels away.
static float line_cover(float offset, float width)
{
    return clamp01(0.5f * width + 0.5f - offset);
}

static void mix(float color[3], const float other[3], float share)
{
    for (int i = 0; i < 3; ++i)
    {
        color[i] += (other[i] - color[i]) * share;
    }
}

/// `slope` is the length of the gradient within the plane.
static void color_of(const Pen* pen, float distance, float slope, float color[3])
{
    const SliceStyle* style = pen->style;
    memcpy(color, colormap_color(&style->colors, distance), 3 * sizeof(float));
    // Where the distance hardly changes within the plane there is no line to draw, but a whole area at one level.
    float steep = smooth_step(0.02f, 0.12f, slope);
    float pixels = 1.0f / (fmaxf(slope, 0.02f) * pen->pixel_size);
    float level = rintf(distance / style->spacing);
    if (level != 0.0f && isfinite(level))
    {
        bool index = fmodf(level, (float)INDEX_EVERY) == 0.0f;
        float width = (index ? INDEX_WIDTH : LINE_WIDTH) * pen->line_scale;
        float cover = line_cover(fabsf(distance - level * style->spacing) * pixels, width);
        float range = distance < 0.0f ? style->colors.inside_range : style->colors.outside_range;
        float fade = 1.0f - 0.55f * clamp01(fabsf(distance) / range);
        float strength = (index ? 0.62f : 0.38f) * fade * (index ? 1.0f : pen->crowding);
        mix(color, line_color, cover * strength * steep);
    }
    mix(color, zero_color, line_cover(fabsf(distance) * pixels, ZERO_WIDTH * pen->line_scale) * steep);
}

typedef struct PaintJob
{
    Picture* picture;
    const SliceView* view;
    const AbutShape* shape;
    AbutPose local_pose;
    Pen pen;
    uint32_t first_row; // of the band that is being painted
} PaintJob;

/// Asks for one line of subpixels of `count` pixels.
static void ask_subrow(const PaintJob* job, uint32_t first, uint32_t count, double row, Strip* strip)
{
    const SliceView* view = job->view;
    double v = view->pixel_size * (row - 0.5 * (double)view->height) * (view->v_down ? 1.0 : -1.0);
    for (uint32_t i = 0; i < count * SUPERSAMPLES; ++i)
    {
        double column = (double)first + ((double)i + 0.5) / SUPERSAMPLES;
        strip->u[i] = (float)(view->pixel_size * (column - 0.5 * (double)view->width));
        strip->v[i] = (float)v;
    }
    ask(view, job->shape, &job->local_pose, strip, count * SUPERSAMPLES);
}

/// Slope within the plane. Zero where all samples of a pixel are equal, whatever the gradient says: bounds of a distance
/// have flat places.
static float slope_at(const SliceView* view, const Strip strips[SUPERSAMPLES], int row, uint32_t i)
{
    float here = strips[row].distance[i];
    if (here == strips[row].distance[i ^ 1u] && here == strips[row ^ 1].distance[i])
    {
        return 0.0f;
    }
    float gu = strips[row].gradient[view->u_axis][i], gv = strips[row].gradient[view->v_axis][i];
    return sqrtf(gu * gu + gv * gv);
}

/// The mean colour of the samples of pixel `i` of the strips.
static void paint_pixel(const PaintJob* job, const Strip strips[SUPERSAMPLES], uint32_t i, uint8_t pixel[3])
{
    float sum[3] = { 0.0f, 0.0f, 0.0f };
    for (int sample = 0; sample < SUPERSAMPLES * SUPERSAMPLES; ++sample)
    {
        int row = sample / SUPERSAMPLES;
        uint32_t column = i * SUPERSAMPLES + (uint32_t)(sample % SUPERSAMPLES);
        float color[3];
        color_of(&job->pen, strips[row].distance[column], slope_at(job->view, strips, row, column), color);
        for (int k = 0; k < 3; ++k)
        {
            sum[k] += color[k];
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        pixel[k] = (uint8_t)lrintf(sum[k] / (float)(SUPERSAMPLES * SUPERSAMPLES));
    }
}

static void paint_row(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const PaintJob* job = context;
    const SliceView* view = job->view;
    uint32_t row = job->first_row + block;
    Strip strips[SUPERSAMPLES];
    for (uint32_t first = 0; first < view->width; first += STRIP)
    {
        uint32_t count = view->width - first < STRIP ? view->width - first : STRIP;
        for (int sub = 0; sub < SUPERSAMPLES; ++sub)
        {
            ask_subrow(job, first, count, (double)row + ((double)sub + 0.5) / SUPERSAMPLES, &strips[sub]);
        }
        size_t start = (size_t)(view->top + row) * job->picture->width + view->left + first;
        for (uint32_t i = 0; i < count; ++i)
        {
            paint_pixel(job, strips, i, job->picture->pixels + 3 * (start + i));
        }
    }
}

void slice_paint(Picture* picture, const SliceView* view, const SliceStyle* style, const AbutShape* shape,
                 const AbutPose* pose, const AbutHost* host)
{
    PaintJob job = { .picture = picture, .view = view, .shape = shape };
    job.local_pose = pose_in_view(view, pose);
    job.pen.style = style;
    job.pen.pixel_size = (float)view->pixel_size;
    job.pen.line_scale = fmaxf((float)view->height / REFERENCE_HEIGHT, 0.8f);
    job.pen.crowding = smooth_step(2.5f, 7.0f, style->spacing / (float)view->pixel_size);
    Progress progress = progress_start("painting");
    for (; job.first_row < view->height; job.first_row += BAND)
    {
        uint32_t left = view->height - job.first_row;
        host->parallel_for(host->user, left < BAND ? left : BAND, paint_row, &job);
        progress_show(&progress, (float)job.first_row / (float)view->height);
    }
    progress_end();
}
