#include "sweep_picture.h"

#include "message.h"
#include "slice_rows.h"

#include <math.h>
#include <stdio.h>

enum
{
    PATH_STEPS = 96, // pieces of the line of B's middle
    FIRST_B = 1      // solids: A, then B at times
};

/// A part of a turn that is worth a word, in degrees.
#define MIN_ROTATION 0.5

/// How B is drawn at some time.
typedef enum SolidRole
{
    ROLE_GHOST, ///< an outline
    ROLE_END,   ///< start or end of the way
    ROLE_TOUCH
} SolidRole;

typedef struct SweepCanvas
{
    Canvas canvas;
    const SweepScene* scene;
    const SweepView* view;
    SliceSolid solids[SLICE_SOLIDS]; ///< A, then B at times
    SolidRole roles[SLICE_SOLIDS];
    bool after[SLICE_SOLIDS]; ///< the touch
    int solid_count;
} SweepCanvas;

// -----------------------------------------------------------------------------------------------------------
// The plane
// -----------------------------------------------------------------------------------------------------------

static const Color path_colors[2] = { { 190, 96, 10 }, { 150, 150, 160 } };

/// A SliceColorFn: A and B at the touch as areas, B at other times as outlines: paler after the touch, which
/// it would have to go through A for.
static void color_of(const void* context, const float* distances, const float* slopes, float color[3])
{
    const SweepCanvas* sweep = context;
    const Canvas* canvas = &sweep->canvas;
    float scale = canvas->text / 12.0f, area[3];
    bool in_a = distances[0] < 0.0f;
    canvas_set_color(color, in_a ? area_colors[0] : white);
    for (int i = FIRST_B; i < sweep->solid_count; ++i)
    {
        bool touch = sweep->roles[i] == ROLE_TOUCH;
        if (distances[i] < 0.0f && sweep->roles[i] != ROLE_GHOST)
        {
            canvas_set_color(area, touch && in_a ? area_colors[2]
                                                 : (sweep->after[i] ? unknown_color : area_colors[1]));
            slice_mix(color, area, touch ? 1.0f : 0.35f);
        }
    }
    canvas_level(canvas, color, line_colors[0], distances[0], slopes[0], 2.6f * scale, 1.0f);
    for (int i = FIRST_B; i < sweep->solid_count; ++i)
    {
        bool ghost = sweep->roles[i] == ROLE_GHOST;
        bool touch = sweep->roles[i] == ROLE_TOUCH;
        canvas_level(canvas, color, path_colors[sweep->after[i] ? 1 : 0], distances[i], slopes[i],
                     (touch ? 2.6f : (ghost ? 1.1f : 1.6f)) * scale, touch ? 1.0f : (ghost ? 0.55f : 0.85f));
    }
}

static void add_solid(SweepCanvas* sweep, float time, SolidRole role)
{
    const SweepScene* scene = sweep->scene;
    AbutPose pose = sweep_scene_pose(scene, time);
    int i = sweep->solid_count++;
    sweep->solids[i] =
        (SliceSolid){ scene->input.shape_b, abut_pose_relative(&sweep->view->plane.frame, &pose) };
    sweep->roles[i] = role;
    sweep->after[i] = role != ROLE_TOUCH && time > scene->output.time;
}

/// A, and B at the times that are drawn; the touch last, over the others.
static void pose_solids(SweepCanvas* sweep)
{
    const SweepScene* scene = sweep->scene;
    sweep->solids[0] = (SliceSolid){ scene->input.shape_a, abut_pose_inverse(&sweep->view->plane.frame) };
    sweep->solid_count = FIRST_B;
    for (int i = 0; i < sweep->view->ghost_count; ++i)
    {
        add_solid(sweep, sweep->view->ghosts[i], ROLE_GHOST);
    }
    add_solid(sweep, 1.0f, ROLE_END);
    if (scene->output.state != ABUT_TOI_OVERLAP)
    {
        add_solid(sweep, 0.0f, ROLE_END);
    }
    if (sweep_scene_touches(scene))
    {
        add_solid(sweep, scene->output.time, ROLE_TOUCH);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Marks
// -----------------------------------------------------------------------------------------------------------

static PicturePoint center_pixel(const SweepCanvas* sweep, float time)
{
    float off;
    return plane_view_pixel(sweep->canvas.plane, sweep_scene_center(sweep->scene, time), &off);
}

/// The way of B's middle: a line until the touch, dashes after it.
static void draw_path(SweepCanvas* sweep)
{
    Canvas* canvas = &sweep->canvas;
    for (int after = 0; after < 2; ++after)
    {
        PicturePoint points[2 * PATH_STEPS];
        size_t count = 0;
        for (int i = 0; i < PATH_STEPS; ++i)
        {
            float from = (float)i / (float)PATH_STEPS, to = (float)(i + 1) / (float)PATH_STEPS;
            PicturePoint a = center_pixel(sweep, from), b = center_pixel(sweep, to);
            bool drawn =
                after == 0 ? from < sweep->scene->output.time : to > sweep->scene->output.time && i % 2 == 0;
            if (drawn && canvas_clip(canvas, &a, &b))
            {
                points[count++] = a;
                points[count++] = b;
            }
        }
        picture_strokes(&canvas->picture, points, count, (after == 0 ? 0.17f : 0.12f) * canvas->text,
                        after == 0 ? ink : faint, 1.0f);
    }
}

/// A dot on the way, with its time beside it, square to where the way goes.
static void draw_time(SweepCanvas* sweep, float time, const char* label)
{
    Canvas* canvas = &sweep->canvas;
    float text = canvas->text, step = 0.01f;
    PicturePoint at = center_pixel(sweep, time);
    PicturePoint from = center_pixel(sweep, time - step), to = center_pixel(sweep, time + step);
    float dx = to.x - from.x, dy = to.y - from.y, length = hypotf(dx, dy);
    float side_x = length > 0.0f ? -dy / length : 1.0f, side_y = length > 0.0f ? dx / length : 0.0f;
    float flip = side_x < -0.01f ? -1.0f : 1.0f; // to the right
    float width = picture_text_width(label, text);
    float x = at.x + flip * side_x * (0.9f * text + 0.5f * width) - 0.5f * width;
    float y = at.y + flip * side_y * 1.4f * text + 0.5f * text;
    if (canvas_shows(canvas, at, 0.0f))
    {
        canvas_disc(canvas, at, 0.66f * text, white);
        canvas_disc(canvas, at, 0.46f * text, ink);
        picture_text_with_rim(&canvas->picture, x, y, label, text, ink, white);
    }
}

/// Start, touch and end of the way; those that would stand on each other are left out.
static void draw_times(SweepCanvas* sweep)
{
    const AbutToiOutput* output = &sweep->scene->output;
    float times[3] = { sweep_scene_touches(sweep->scene) ? output->time : 0.0f, 0.0f, 1.0f };
    PicturePoint marked[3];
    for (int i = 0, count = 0; i < 3; ++i)
    {
        PicturePoint at = center_pixel(sweep, times[i]);
        bool is_free = true;
        for (int k = 0; k < count; ++k)
        {
            is_free = is_free && hypotf(at.x - marked[k].x, at.y - marked[k].y) > 2.5f * sweep->canvas.text;
        }
        if (is_free)
        {
            char label[24];
            snprintf(label, sizeof(label), "t = %.3g", (double)times[i]);
            draw_time(sweep, times[i], label);
            marked[count++] = at;
        }
    }
}

static void draw_touch(SweepCanvas* sweep)
{
    const AbutToiOutput* output = &sweep->scene->output;
    float off;
    PicturePoint at = plane_view_pixel(sweep->canvas.plane, output->position, &off);
    if (sweep_scene_touches(sweep->scene) && canvas_shows(&sweep->canvas, at, 0.5f * sweep->canvas.text))
    {
        canvas_normal(&sweep->canvas, output->position, output->normal);
        canvas_contact(&sweep->canvas, at, true);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Words
// -----------------------------------------------------------------------------------------------------------

static void write_title(SweepCanvas* sweep)
{
    const AbutToiOutput* output = &sweep->scene->output;
    char title[160], note[160];
    int length = snprintf(title, sizeof(title), "%s", abut_toi_state_name(output->state));
    if (output->state == ABUT_TOI_HIT)
    {
        snprintf(title + length, sizeof(title) - (size_t)length, " at t = %.4g", (double)output->time);
    }
    else if (output->state == ABUT_TOI_MISS && output->gap > 0.0f)
    {
        snprintf(title + length, sizeof(title) - (size_t)length, ", never nearer than %.4g",
                 (double)output->gap);
    }
    else if (output->state == ABUT_TOI_OVERLAP)
    {
        snprintf(title + length, sizeof(title) - (size_t)length, " at the start");
    }
    else if (output->state == ABUT_TOI_BUDGET)
    {
        snprintf(title + length, sizeof(title) - (size_t)length, " spent, free until t = %.4g",
                 (double)output->time);
    }
    length = canvas_plane_text(&sweep->canvas, note, sizeof(note));
    double degrees = 57.29578 * (double)abut_vec3_length(sweep->scene->input.motion_b.angular);
    if (degrees > MIN_ROTATION)
    {
        snprintf(note + length, sizeof(note) - (size_t)length, "turns by %.4g degrees", degrees);
    }
    canvas_title(&sweep->canvas, title, note);
}

static void legend_line(Canvas* canvas, LegendPen* pen, Color color, float width, const char* words)
{
    float text = canvas->text;
    PicturePoint at = canvas_legend_entry(canvas, pen, 2.0f * text, words);
    canvas_stroke(canvas, at, (PicturePoint){ at.x + 2.0f * text, at.y }, width * text, color, 1.0f);
}

static void write_legend(SweepCanvas* sweep, const SweepBar* bar, float down)
{
    Canvas* canvas = &sweep->canvas;
    const SweepScene* scene = sweep->scene;
    bool touches = sweep_scene_touches(scene);
    LegendPen pen = canvas_legend_begin(canvas, down);
    canvas_legend_solids(canvas, &pen, scene->names);
    if (scene->output.time > 0.0f)
    {
        legend_line(canvas, &pen, path_colors[0], 0.12f, "B in motion");
    }
    if (scene->output.state != ABUT_TOI_MISS)
    {
        legend_line(canvas, &pen, path_colors[1], 0.12f, touches ? "B after the touch" : "B later");
    }
    legend_line(canvas, &pen, ink, 0.17f, "path of its middle");
    if (touches)
    {
        canvas_legend_contact(canvas, &pen, "first touch, normal");
    }
    if (scene->output.time > 0.0f)
    {
        canvas_legend_area(canvas, &pen, free_color, NULL, "proved free");
    }
    if (bar->solids && touches)
    {
        canvas_legend_area(canvas, &pen, touching_color, NULL, "solids touch");
    }
    else if (bar->most > 0)
    {
        char words[64];
        snprintf(words, sizeof(words), "up to %u points inside", bar->most);
        canvas_legend_area(canvas, &pen, touching_color, NULL, words);
    }
}

// -----------------------------------------------------------------------------------------------------------
// All of it
// -----------------------------------------------------------------------------------------------------------

/// Heights in letters under the rectangle: where the bar begins, and the legend.
#define BAR_DOWN 4.4f
#define LEGEND_DOWN (BAR_DOWN + sweep_bar_height() + 1.8f)
#define LEGEND_HEIGHT 5.4f

/// The solids, the way and the touch, in the rectangle of the canvas' plane.
static void draw_plane(SweepCanvas* sweep, const AbutHost* host)
{
    Canvas* canvas = &sweep->canvas;
    slice_rows_paint(&canvas->picture, &canvas->plane->slice, sweep->solids, sweep->solid_count, color_of,
                     sweep, host);
    draw_path(sweep);
    draw_touch(sweep);
}

/// The touch from close by.
static void draw_inset(SweepCanvas* sweep, const AbutHost* host)
{
    Canvas* canvas = &sweep->canvas;
    const PlaneView* whole = canvas->plane;
    const SliceView* slice = &sweep->view->inset.slice;
    float rim = 0.2f * canvas->text, left = (float)slice->left, top = (float)slice->top;
    PicturePoint low = { left - rim, top - rim };
    PicturePoint high = { left + (float)slice->width + rim, top + (float)slice->height + rim };
    picture_fill(&canvas->picture, low, high, faint, 1.0f);
    canvas->plane = &sweep->view->inset;
    draw_plane(sweep, host);
    canvas->plane = whole;
    char words[48];
    snprintf(words, sizeof(words), "%.2gx", whole->slice.pixel_size / slice->pixel_size);
    picture_text_with_rim(&canvas->picture, left + 0.6f * canvas->text, top + 1.6f * canvas->text, words,
                          0.9f * canvas->text, faint, white);
}

static void draw(SweepCanvas* sweep, const AbutHost* host)
{
    Canvas* canvas = &sweep->canvas;
    const SliceView* slice = &sweep->view->plane.slice;
    SweepBar bar = sweep_bar_make(sweep->scene, host);
    pose_solids(sweep);
    draw_plane(sweep, host);
    draw_times(sweep);
    if (sweep->view->has_inset)
    {
        draw_inset(sweep, host);
    }
    slice_frame_axes(&canvas->picture, slice);
    sweep_bar_draw(canvas, sweep->scene, &bar, (float)(slice->top + slice->height) + BAR_DOWN * canvas->text);
    write_title(sweep);
    write_legend(sweep, &bar, LEGEND_DOWN);
}

bool sweep_picture_save(const SweepScene* scene, const char* path, uint32_t width, uint32_t height,
                        const AbutHost* host)
{
    float text = slice_text_size(width, height);
    uint32_t left = (uint32_t)(7.0f * text), top = (uint32_t)(4.0f * text);
    uint32_t right = (uint32_t)(2.5f * text), bottom = (uint32_t)((LEGEND_DOWN + LEGEND_HEIGHT) * text);
    SweepView view = sweep_view_make(scene, width - left - right, height - top - bottom);
    view.plane.slice.left = left;
    view.plane.slice.top = top;
    view.inset.slice.left += left;
    view.inset.slice.top += top;
    SweepCanvas sweep = { .canvas = { .plane = &view.plane, .text = text }, .scene = scene, .view = &view };
    if (!picture_create(&sweep.canvas.picture, width, height, white))
    {
        message_error("no memory for a picture of %ux%u pixels", width, height);
        return false;
    }
    char title[256];
    snprintf(title, sizeof(title), "%s moves against %s", scene->names[1], scene->names[0]);
    draw(&sweep, host);
    bool saved = picture_save(&sweep.canvas.picture, path, title);
    picture_destroy(&sweep.canvas.picture);
    return saved;
}
