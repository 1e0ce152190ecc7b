// The bar of time below the picture of a motion: free, first touch, contact.
#include "sweep_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    COLUMN_BUDGET = 1 << 14 // samples for a column: a picture may leave one open
};

/// Heights in letters: of the bar, and of the numbers below it.
#define BAR_HEIGHT 3.0f
#define NUMBERS_HEIGHT 2.2f

// -----------------------------------------------------------------------------------------------------------
// What is known
// -----------------------------------------------------------------------------------------------------------

/// Counts points per column: +1 where an interval begins, −1 behind its end, then sums.
static void count_points(const SweepScene* scene, SweepBar* bar)
{
    int changes[SWEEP_COLUMNS + 1] = { 0 }, sum = 0;
    for (uint32_t i = 0; i < scene->output.interval_count; ++i)
    {
        AbutTimeInterval times = scene->intervals[i].times;
        int first = (int)fminf(times.begin * (float)SWEEP_COLUMNS, (float)(SWEEP_COLUMNS - 1));
        int last = (int)fminf(times.end * (float)SWEEP_COLUMNS, (float)(SWEEP_COLUMNS - 1));
        changes[first] += 1;
        changes[last + 1] -= 1;
    }
    for (int i = 0; i < SWEEP_COLUMNS; ++i)
    {
        sum += changes[i];
        bar->share[i] = (float)sum;
        bar->most = (uint32_t)sum > bar->most ? (uint32_t)sum : bar->most;
    }
    for (int i = 0; i < SWEEP_COLUMNS && bar->most > 0; ++i)
    {
        bar->share[i] /= (float)bar->most;
    }
}

typedef struct ColumnJob
{
    const SweepScene* scene;
    SweepBar* bar;
} ColumnJob;

static void ask_column(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const ColumnJob* job = context;
    const SweepScene* scene = job->scene;
    float time = ((float)block + 0.5f) / (float)SWEEP_COLUMNS;
    job->bar->share[block] = 0.0f;
    if (time <= scene->output.time && scene->output.state != ABUT_TOI_OVERLAP)
    {
        return; // proved to be free
    }
    AbutCollideInput input = abut_collide_input(scene->input.shape_a, scene->input.shape_b);
    input.pose_b = sweep_scene_pose(scene, time);
    input.settings.tolerance = scene->input.settings.tolerance;
    input.settings.budget = COLUMN_BUDGET;
    AbutCollideState state = abut_collide(&input, NULL, 0).state;
    bool known =
        state == ABUT_COLLIDE_SEPARATED || state == ABUT_COLLIDE_CONTACT || state == ABUT_COLLIDE_CLOSE;
    job->bar->share[block] = known ? (state == ABUT_COLLIDE_SEPARATED ? 0.0f : 1.0f) : NAN;
}

SweepBar sweep_bar_make(const SweepScene* scene, const AbutHost* host)
{
    SweepBar bar = { .solids = scene->input.settings.method == ABUT_TOI_SOLIDS };
    if (bar.solids)
    {
        ColumnJob job = { scene, &bar };
        host->parallel_for(host->user, SWEEP_COLUMNS, ask_column, &job);
    }
    else
    {
        count_points(scene, &bar);
    }
    return bar;
}

// -----------------------------------------------------------------------------------------------------------
// Drawing
// -----------------------------------------------------------------------------------------------------------

float sweep_bar_height(void)
{
    return BAR_HEIGHT + NUMBERS_HEIGHT;
}

/// Where times lie in the picture.
typedef struct BarFrame
{
    float left, width, top, bottom;
} BarFrame;

static float bar_x(const BarFrame* frame, float time)
{
    return frame->left + frame->width * time;
}

static void fill_times(Canvas* canvas, const BarFrame* frame, float from, float to, float share, Color color)
{
    float top = frame->bottom - share * (frame->bottom - frame->top);
    PicturePoint low = { bar_x(frame, from), top }, high = { bar_x(frame, to), frame->bottom };
    picture_fill(&canvas->picture, low, high, color, 1.0f);
}

/// The part of the step that is proved to be free.
static float free_until(const AbutToiOutput* output)
{
    return output->state == ABUT_TOI_OVERLAP ? 0.0f : output->time;
}

/// Pixel by pixel: soft edges of neighbours would let the paper through.
static void draw_columns(Canvas* canvas, const SweepScene* scene, const SweepBar* bar, const BarFrame* frame)
{
    float end = free_until(&scene->output), pixel = 1.0f / frame->width;
    for (float x = 0.0f; x < frame->width; x += 1.0f)
    {
        float from = x * pixel, share = bar->share[(int)(from * (float)SWEEP_COLUMNS)];
        bool known = isfinite(share) && scene->output.state != ABUT_TOI_BUDGET;
        if (from >= end && (!known || share > 0.0f))
        {
            fill_times(canvas, frame, from, from + pixel, known ? share : 1.0f,
                       known ? touching_color : unknown_color);
        }
    }
    fill_times(canvas, frame, 0.0f, end, 1.0f, free_color);
}

static void draw_border(Canvas* canvas, const BarFrame* frame)
{
    PicturePoint corners[4] = { { frame->left, frame->top },
                                { frame->left + frame->width, frame->top },
                                { frame->left + frame->width, frame->bottom },
                                { frame->left, frame->bottom } };
    for (int i = 0; i < 4; ++i)
    {
        canvas_stroke(canvas, corners[i], corners[(i + 1) % 4], fmaxf(0.1f * canvas->text, 1.0f), ink, 1.0f);
    }
}

static void draw_numbers(Canvas* canvas, const BarFrame* frame)
{
    float text = canvas->text, line = fmaxf(0.1f * text, 1.0f);
    int divisions = frame->width > 40.0f * text ? 10 : 4;
    for (int i = 0; i <= divisions; ++i)
    {
        char label[16];
        float x = bar_x(frame, (float)i / (float)divisions);
        snprintf(label, sizeof(label), "%.3g", (double)i / (double)divisions);
        canvas_stroke(canvas, (PicturePoint){ x, frame->bottom },
                      (PicturePoint){ x, frame->bottom + 0.5f * text }, line, ink, 1.0f);
        picture_text(&canvas->picture, x - 0.5f * picture_text_width(label, text),
                     frame->bottom + 2.0f * text, label, text, TEXT_REGULAR, ink);
    }
    const char name[] = "time";
    picture_text(&canvas->picture, frame->left - text - picture_text_width(name, text),
                 0.5f * (frame->top + frame->bottom + text), name, text, TEXT_REGULAR, ink);
}

/// A line across the bar where the solids first touch.
static void draw_touch(Canvas* canvas, const BarFrame* frame, float time)
{
    float text = canvas->text, x = bar_x(frame, time);
    PicturePoint top = { x, frame->top - 0.7f * text }, bottom = { x, frame->bottom };
    canvas_stroke(canvas, top, bottom, 0.5f * text, white, 0.8f);
    canvas_stroke(canvas, top, bottom, 0.22f * text, contact_color, 1.0f);
    canvas_disc(canvas, top, 0.72f * text, contact_color);
}

void sweep_bar_draw(Canvas* canvas, const SweepScene* scene, const SweepBar* bar, float top)
{
    const SliceView* slice = &canvas->plane->slice;
    BarFrame frame = { (float)slice->left, (float)slice->width, top, top + BAR_HEIGHT * canvas->text };
    draw_columns(canvas, scene, bar, &frame);
    draw_border(canvas, &frame);
    draw_numbers(canvas, &frame);
    if (sweep_scene_touches(scene))
    {
        draw_touch(canvas, &frame, scene->output.time);
    }
}
