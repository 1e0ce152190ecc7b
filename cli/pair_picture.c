#include "pair_canvas.h"

#include "message.h"
#include "slice_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MOST_ARROWS = 24, // with more, normals are a thicket
    LOST_STEPS = 3    // of particles that do not arrive: they go to and fro
};

// ---------------------------------------------------------------------------------------------------------------------
// The plane
// ---------------------------------------------------------------------------------------------------------------------

static void set_color(float out[3], Color color)
{
    out[0] = (float)color.r;
    out[1] = (float)color.g;
    out[2] = (float)color.b;
}

static void draw_level(float color[3], Color line, float distance, float slope, float pixel, float width,
                       float strength)
{
    float rgb[3];
    set_color(rgb, line);
    float pixels = 1.0f / (fmaxf(slope, 0.02f) * pixel);
    float steep = slice_smooth_step(0.02f, 0.12f, slope);
    slice_mix(color, rgb, slice_line_cover(fabsf(distance) * pixels, width) * strength * steep);
}

/// A SliceColorFn: isolines of the intersection, the areas of the solids and their outlines.
static void color_of(const void* context, const float* distances, const float* slopes, float color[3])
{
    const Canvas* canvas = context;
    float pixel = (float)canvas->view->slice.pixel_size, scale = canvas->text / 12.0f;
    bool in_a = distances[0] < 0.0f, in_b = distances[1] < 0.0f;
    set_color(color,
              in_a && in_b ? area_colors[2] : (in_a ? area_colors[0] : (in_b ? area_colors[1] : white)));
    int larger = distances[0] >= distances[1] ? 0 : 1;
    float level = rintf(distances[larger] / canvas->spacing);
    if (isfinite(level) && level != 0.0f)
    {
        draw_level(color, ink, distances[larger] - level * canvas->spacing, slopes[larger], pixel,
                   0.9f * scale, 0.2f);
    }
    for (int i = 0; i < 2; ++i)
    {
        draw_level(color, line_colors[i], distances[i], slopes[i], pixel, 2.6f * scale, 1.0f);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Marks
// ---------------------------------------------------------------------------------------------------------------------

void canvas_stroke(Canvas* canvas, PicturePoint from, PicturePoint to, float width, Color color, float alpha)
{
    PicturePoint points[2] = { from, to };
    picture_strokes(&canvas->picture, points, 2, width, color, alpha);
}

static void disc(Canvas* canvas, PicturePoint at, float diameter, Color color)
{
    canvas_stroke(canvas, at, at, diameter, color, 1.0f);
}

static bool in_window(const PairView* view, PicturePoint p, float margin)
{
    const SliceView* slice = &view->slice;
    return p.x >= (float)slice->left + margin && p.x <= (float)(slice->left + slice->width) - margin &&
           p.y >= (float)slice->top + margin && p.y <= (float)(slice->top + slice->height) - margin;
}

static void dashes(Canvas* canvas, PicturePoint from, PicturePoint to)
{
    float dx = to.x - from.x, dy = to.y - from.y, length = hypotf(dx, dy), dash = 0.7f * canvas->text;
    int count = (int)fminf(length / dash, 400.0f);
    for (int i = 0; i < count; i += 2)
    {
        float s = (float)i / (float)count, t = ((float)i + 0.9f) / (float)count;
        PicturePoint a = { from.x + s * dx, from.y + s * dy }, b = { from.x + t * dx, from.y + t * dy };
        if (in_window(canvas->view, a, 0.0f) && in_window(canvas->view, b, 0.0f))
        {
            canvas_stroke(canvas, a, b, 0.1f * canvas->text, faint, 1.0f);
        }
    }
}

static void draw_common_box(Canvas* canvas)
{
    AbutVec3 corners[12];
    int count = pair_view_cut(canvas->view, corners);
    for (int i = 0; i < count; ++i)
    {
        float off;
        dashes(canvas, pair_view_pixel(canvas->view, corners[i], &off),
               pair_view_pixel(canvas->view, corners[(i + 1) % count], &off));
    }
}

void canvas_start(Canvas* canvas, PicturePoint at)
{
    disc(canvas, at, 0.62f * canvas->text, white);
    disc(canvas, at, 0.4f * canvas->text, particle_color);
}

static void draw_paths(Canvas* canvas, const PairPath* paths, int count)
{
    float off;
    for (int i = 0; i < count; ++i)
    {
        int steps = paths[i].arrived || paths[i].count <= LOST_STEPS ? paths[i].count : LOST_STEPS + 1;
        for (int step = 1; step < steps; ++step)
        {
            PicturePoint from = pair_view_pixel(canvas->view, paths[i].at[step - 1], &off);
            PicturePoint to = pair_view_pixel(canvas->view, paths[i].at[step], &off);
            if (in_window(canvas->view, from, 0.0f) && in_window(canvas->view, to, 0.0f))
            {
                canvas_stroke(canvas, from, to, 0.11f * canvas->text, particle_color,
                              paths[i].arrived ? 0.75f : 0.25f);
            }
        }
    }
    for (int i = 0; i < count; ++i)
    {
        PicturePoint at = pair_view_pixel(canvas->view, paths[i].at[0], &off);
        if (in_window(canvas->view, at, 0.0f))
        {
            canvas_start(canvas, at);
        }
    }
}

void canvas_arrow(Canvas* canvas, PicturePoint from, float dx, float dy, Color color, float width)
{
    float length = hypotf(dx, dy), head = fminf(0.75f * canvas->text, 0.5f * length);
    PicturePoint to = { from.x + dx, from.y + dy };
    float ux = length > 0.0f ? dx / length : 0.0f, uy = length > 0.0f ? dy / length : 0.0f;
    PicturePoint points[6] = { from, to,
                               to,   { to.x - head * (ux + 0.5f * uy), to.y - head * (uy - 0.5f * ux) },
                               to,   { to.x - head * (ux - 0.5f * uy), to.y - head * (uy + 0.5f * ux) } };
    picture_strokes(&canvas->picture, points, 6, width, color, 1.0f);
}

static void draw_normal(Canvas* canvas, const AbutContact* contact, PicturePoint at)
{
    float off, length = 3.2f * canvas->text;
    float unit = length * (float)canvas->view->slice.pixel_size;
    AbutVec3 tip = abut_vec3_add(contact->position, abut_vec3_scale(contact->normal, unit));
    PicturePoint to = pair_view_pixel(canvas->view, tip, &off);
    canvas_arrow(canvas, at, to.x - at.x, to.y - at.y, white, 0.46f * canvas->text);
    canvas_arrow(canvas, at, to.x - at.x, to.y - at.y, contact_color, 0.16f * canvas->text);
}

void canvas_contact(Canvas* canvas, PicturePoint at, bool in_plane)
{
    disc(canvas, at, 0.98f * canvas->text, white);
    disc(canvas, at, 0.72f * canvas->text, contact_color);
    if (!in_plane)
    {
        disc(canvas, at, 0.44f * canvas->text, white);
    }
}

void canvas_distance(Canvas* canvas, PicturePoint a, PicturePoint b)
{
    canvas_stroke(canvas, a, b, 0.5f * canvas->text, white, 1.0f);
    canvas_stroke(canvas, a, b, 0.2f * canvas->text, contact_color, 1.0f);
    canvas_contact(canvas, a, true);
    canvas_contact(canvas, b, true);
}

/// Within half a layer of contacts; particles stand anywhere, and those in a thin layer are enough.
static bool is_in_plane(const Canvas* canvas, float off)
{
    bool layers = canvas->scene->settings.method == ABUT_COLLIDE_ADAPTIVE;
    return fabsf(off) <= (layers ? 0.5f : 0.2f) * canvas->scene->output.spacing;
}

/// Draws contacts and, under them, their normals; `all`: those off the plane, too.
static void draw_contacts(Canvas* canvas, const AbutContact* contacts, int count, bool all)
{
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int i = 0; i < count; ++i)
        {
            float off;
            PicturePoint at = pair_view_pixel(canvas->view, contacts[i].position, &off);
            bool in_plane = is_in_plane(canvas, off);
            if ((!in_plane && !all) || !in_window(canvas->view, at, 0.5f * canvas->text))
            {
                continue;
            }
            if (pass == 0)
            {
                draw_normal(canvas, &contacts[i], at);
            }
            else
            {
                canvas_contact(canvas, at, in_plane);
            }
        }
    }
}

/// Dots for all contacts in the plane, arrows for as many as can be told apart.
static bool draw_all_contacts(Canvas* canvas)
{
    int count = canvas->scene->output.contact_count, near = 0;
    if (count <= MOST_MARKED_OFF)
    {
        draw_contacts(canvas, canvas->scene->contacts, count, true);
        return true;
    }
    AbutContact* contacts = malloc((size_t)count * sizeof(*contacts));
    if (contacts == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        float off;
        pair_view_pixel(canvas->view, canvas->scene->contacts[i].position, &off);
        if (is_in_plane(canvas, off))
        {
            contacts[near++] = canvas->scene->contacts[i];
        }
    }
    for (int i = 0; i < near; ++i)
    {
        float off;
        PicturePoint at = pair_view_pixel(canvas->view, contacts[i].position, &off);
        if (in_window(canvas->view, at, 0.5f * canvas->text))
        {
            disc(canvas, at, 0.62f * canvas->text, white);
            disc(canvas, at, 0.46f * canvas->text, contact_color);
        }
    }
    AbutReduction reduction = abut_contacts_reduce(contacts, near, MOST_ARROWS);
    draw_contacts(canvas, contacts, reduction.kept, false);
    free(contacts);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// All of it
// ---------------------------------------------------------------------------------------------------------------------

/// A line between the nearest points of solids that are apart.
static void draw_distance(Canvas* canvas)
{
    const AbutDistanceOutput* distance = canvas->scene->distance;
    if (distance != NULL)
    {
        float off;
        PicturePoint a = pair_view_pixel(canvas->view, distance->point_a, &off);
        PicturePoint b = pair_view_pixel(canvas->view, distance->point_b, &off);
        if (in_window(canvas->view, a, 0.0f) && in_window(canvas->view, b, 0.0f))
        {
            canvas_distance(canvas, a, b);
        }
    }
}

static bool draw(Canvas* canvas, const AbutHost* host)
{
    const PairView* view = canvas->view;
    PairPath* paths = malloc(PAIR_PATH_MOST * sizeof(*paths));
    if (paths == NULL)
    {
        return false;
    }
    SliceSolid solids[2] = { { canvas->scene->shapes[0], view->poses[0] },
                             { canvas->scene->shapes[1], view->poses[1] } };
    slice_rows_paint(&canvas->picture, &view->slice, solids, 2, color_of, canvas, host);
    draw_common_box(canvas);
    if (canvas_has_particles(canvas))
    {
        draw_paths(canvas, paths, pair_paths_make(canvas->scene, view, paths));
    }
    free(paths);
    draw_distance(canvas);
    bool good = draw_all_contacts(canvas);
    slice_frame_axes(&canvas->picture, &view->slice);
    canvas_title(canvas);
    canvas_legend(canvas);
    return good;
}

bool pair_picture_save(const PairScene* scene, const char* path, uint32_t width, uint32_t height,
                       const AbutHost* host)
{
    float text = slice_text_size(width, height);
    uint32_t left = (uint32_t)(7.0f * text), top = (uint32_t)(4.0f * text);
    uint32_t right = (uint32_t)(2.5f * text), bottom = (uint32_t)(8.4f * text);
    PairView view = pair_view_make(scene, width - left - right, height - top - bottom);
    view.slice.left = left;
    view.slice.top = top;
    Canvas canvas = { .scene = scene, .view = &view, .text = text };
    double shorter = view.slice.pixel_size *
                     (double)(view.slice.width < view.slice.height ? view.slice.width : view.slice.height);
    canvas.spacing = (float)slice_round_length(shorter / 16.0);
    if (!picture_create(&canvas.picture, width, height, white))
    {
        message_error("no memory for a picture of %ux%u pixels", width, height);
        return false;
    }
    char title[256];
    snprintf(title, sizeof(title), "%s and %s", scene->names[0], scene->names[1]);
    bool drawn = draw(&canvas, host);
    if (!drawn)
    {
        message_error("no memory for the marks of the picture");
    }
    bool saved = drawn && picture_save(&canvas.picture, path, title);
    picture_destroy(&canvas.picture);
    return saved;
}
