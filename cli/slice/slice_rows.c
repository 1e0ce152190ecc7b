#include "slice_rows.h"

#include "message.h"

#include <math.h>
#include <string.h>

enum
{
    BAND = 64 // rows between two looks at the progress
};

float slice_clamp(float value)
{
    return value < 0.0f ? 0.0f : (value > 1.0f ? 1.0f : value);
}

float slice_smooth_step(float from, float to, float value)
{
    float t = slice_clamp((value - from) / (to - from));
    return t * t * (3.0f - 2.0f * t);
}

float slice_line_cover(float offset, float width)
{
    return slice_clamp(0.5f * width + 0.5f - offset);
}

void slice_mix(float color[3], const float other[3], float share)
{
    for (int i = 0; i < 3; ++i)
    {
        color[i] += (other[i] - color[i]) * share;
    }
}

static AbutPose pose_in_view(const SliceView* view, const AbutPose* pose)
{
    AbutPose local = *pose;
    local.position.x -= view->center.x;
    local.position.y -= view->center.y;
    local.position.z -= view->center.z;
    return local;
}

void slice_ask(const SliceView* view, const SliceSolid* solids, int solid_count, SliceStrip* strip,
               size_t count)
{
    const float* by_axis[3];
    by_axis[view->u_axis] = strip->u;
    by_axis[view->v_axis] = strip->v;
    by_axis[view->axis] = strip->w;
    memset(strip->w, 0, sizeof(strip->w));
    AbutPoints points = { by_axis[0], by_axis[1], by_axis[2] };
    for (int i = 0; i < solid_count; ++i)
    {
        AbutPose local = pose_in_view(view, &solids[i].pose);
        AbutSamples samples = { strip->of[i].distance, strip->of[i].gradient[0], strip->of[i].gradient[1],
                                strip->of[i].gradient[2] };
        abut_shape_sample(solids[i].shape, &local, points, count, samples);
    }
}

typedef struct PaintJob
{
    Picture* picture;
    const SliceView* view;
    const SliceSolid* solids;
    int solid_count;
    SliceColorFn* color;
    const void* context;
    uint32_t first_row; // of the band that is being painted
} PaintJob;

/// Asks for one line of subpixels of `count` pixels.
static void ask_subrow(const PaintJob* job, uint32_t first, uint32_t count, double row, SliceStrip* strip)
{
    const SliceView* view = job->view;
    double v = view->pixel_size * (row - 0.5 * (double)view->height) * (view->v_down ? 1.0 : -1.0);
    for (uint32_t i = 0; i < count * SLICE_SUPERSAMPLES; ++i)
    {
        double column = (double)first + ((double)i + 0.5) / SLICE_SUPERSAMPLES;
        strip->u[i] = (float)(view->pixel_size * (column - 0.5 * (double)view->width));
        strip->v[i] = (float)v;
    }
    slice_ask(view, job->solids, job->solid_count, strip, count * SLICE_SUPERSAMPLES);
}

/// Slope within the plane. Zero where all samples of a pixel are equal, whatever the gradient says: bounds of
/// a distance have flat places.
static float slope_at(const SliceView* view, const SliceStrip strips[SLICE_SUPERSAMPLES], int solid, int row,
                      uint32_t i)
{
    float here = strips[row].of[solid].distance[i];
    if (here == strips[row].of[solid].distance[i ^ 1u] && here == strips[row ^ 1].of[solid].distance[i])
    {
        return 0.0f;
    }
    float gu = strips[row].of[solid].gradient[view->u_axis][i],
          gv = strips[row].of[solid].gradient[view->v_axis][i];
    return sqrtf(gu * gu + gv * gv);
}

/// The mean colour of the samples of pixel `i` of the strips.
static void paint_pixel(const PaintJob* job, const SliceStrip strips[SLICE_SUPERSAMPLES], uint32_t i,
                        uint8_t pixel[3])
{
    float sum[3] = { 0.0f, 0.0f, 0.0f };
    for (int sample = 0; sample < SLICE_SUPERSAMPLES * SLICE_SUPERSAMPLES; ++sample)
    {
        int row = sample / SLICE_SUPERSAMPLES;
        uint32_t column = i * SLICE_SUPERSAMPLES + (uint32_t)(sample % SLICE_SUPERSAMPLES);
        float distances[SLICE_SOLIDS], slopes[SLICE_SOLIDS], color[3];
        for (int solid = 0; solid < job->solid_count; ++solid)
        {
            distances[solid] = strips[row].of[solid].distance[column];
            slopes[solid] = slope_at(job->view, strips, solid, row, column);
        }
        job->color(job->context, distances, slopes, color);
        for (int k = 0; k < 3; ++k)
        {
            sum[k] += color[k];
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        pixel[k] = (uint8_t)lrintf(sum[k] / (float)(SLICE_SUPERSAMPLES * SLICE_SUPERSAMPLES));
    }
}

static void paint_row(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const PaintJob* job = context;
    const SliceView* view = job->view;
    uint32_t row = job->first_row + block;
    SliceStrip strips[SLICE_SUPERSAMPLES];
    for (uint32_t first = 0; first < view->width; first += SLICE_STRIP)
    {
        uint32_t count = view->width - first < SLICE_STRIP ? view->width - first : SLICE_STRIP;
        for (int sub = 0; sub < SLICE_SUPERSAMPLES; ++sub)
        {
            double line = (double)row + ((double)sub + 0.5) / SLICE_SUPERSAMPLES;
            ask_subrow(job, first, count, line, &strips[sub]);
        }
        size_t start = (size_t)(view->top + row) * job->picture->width + view->left + first;
        for (uint32_t i = 0; i < count; ++i)
        {
            paint_pixel(job, strips, i, job->picture->pixels + 3 * (start + i));
        }
    }
}

void slice_rows_paint(Picture* picture, const SliceView* view, const SliceSolid* solids, int solid_count,
                      SliceColorFn* color, const void* context, const AbutHost* host)
{
    PaintJob job = { picture, view, solids, solid_count, color, context, 0 };
    Progress progress = progress_start("painting");
    for (; job.first_row < view->height; job.first_row += BAND)
    {
        uint32_t left = view->height - job.first_row;
        host->parallel_for(host->user, left < BAND ? left : BAND, paint_row, &job);
        progress_show(&progress, (float)job.first_row / (float)view->height);
    }
    progress_end();
}
