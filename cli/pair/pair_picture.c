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

// -----------------------------------------------------------------------------------------------------------
// The plane
// -----------------------------------------------------------------------------------------------------------

/// A SliceColorFn: isolines of the intersection, the areas of the solids and their outlines.
static void color_of(const void* context, const float* distances, const float* slopes, float color[3])
{
    const PairCanvas* pair = context;
    const Canvas* canvas = &pair->canvas;
    float scale = canvas->text / 12.0f;
    bool in_a = distances[0] < 0.0f, in_b = distances[1] < 0.0f;
    canvas_set_color(color, in_a && in_b ? area_colors[2]
                                         : (in_a ? area_colors[0] : (in_b ? area_colors[1] : white)));
    int larger = distances[0] >= distances[1] ? 0 : 1;
    float level = rintf(distances[larger] / pair->spacing);
    if (isfinite(level) && level != 0.0f)
    {
        canvas_level(canvas, color, ink, distances[larger] - level * pair->spacing, slopes[larger],
                     0.9f * scale, 0.2f);
    }
    for (int i = 0; i < 2; ++i)
    {
        canvas_level(canvas, color, line_colors[i], distances[i], slopes[i], 2.6f * scale, 1.0f);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Marks
// -----------------------------------------------------------------------------------------------------------

static void draw_common_box(PairCanvas* pair)
{
    AbutVec3 corners[12];
    int count = pair_view_cut(pair->view, corners);
    for (int i = 0; i < count; ++i)
    {
        float off;
        PicturePoint from = plane_view_pixel(&pair->view->plane, corners[i], &off);
        PicturePoint to = plane_view_pixel(&pair->view->plane, corners[(i + 1) % count], &off);
        canvas_dashes(&pair->canvas, from, to);
    }
}

void pair_canvas_start(PairCanvas* pair, PicturePoint at)
{
    canvas_disc(&pair->canvas, at, 0.62f * pair->canvas.text, white);
    canvas_disc(&pair->canvas, at, 0.4f * pair->canvas.text, particle_color);
}

static void draw_paths(PairCanvas* pair, const PairPath* paths, int count)
{
    float off;
    for (int i = 0; i < count; ++i)
    {
        int steps = paths[i].arrived || paths[i].count <= LOST_STEPS ? paths[i].count : LOST_STEPS + 1;
        for (int step = 1; step < steps; ++step)
        {
            PicturePoint from = plane_view_pixel(&pair->view->plane, paths[i].at[step - 1], &off);
            PicturePoint to = plane_view_pixel(&pair->view->plane, paths[i].at[step], &off);
            if (canvas_shows(&pair->canvas, from, 0.0f) && canvas_shows(&pair->canvas, to, 0.0f))
            {
                canvas_stroke(&pair->canvas, from, to, 0.11f * pair->canvas.text, particle_color,
                              paths[i].arrived ? 0.75f : 0.25f);
            }
        }
    }
    for (int i = 0; i < count; ++i)
    {
        PicturePoint at = plane_view_pixel(&pair->view->plane, paths[i].at[0], &off);
        if (canvas_shows(&pair->canvas, at, 0.0f))
        {
            pair_canvas_start(pair, at);
        }
    }
}

void pair_canvas_distance(PairCanvas* pair, PicturePoint a, PicturePoint b)
{
    canvas_stroke(&pair->canvas, a, b, 0.5f * pair->canvas.text, white, 1.0f);
    canvas_stroke(&pair->canvas, a, b, 0.2f * pair->canvas.text, contact_color, 1.0f);
    canvas_contact(&pair->canvas, a, true);
    canvas_contact(&pair->canvas, b, true);
}

/// Within half a layer of contacts; particles stand anywhere, and those in a thin layer are enough.
static bool is_in_plane(const PairCanvas* pair, float off)
{
    bool layers = pair->scene->settings.method != ABUT_COLLIDE_PARTICLES;
    return fabsf(off) <= (layers ? 0.5f : 0.2f) * pair->scene->output.spacing;
}

/// Draws contacts and, under them, their normals; `all`: those off the plane, too.
static void draw_contacts(PairCanvas* pair, const AbutContact* contacts, uint32_t count, bool all)
{
    for (int pass = 0; pass < 2; ++pass)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            float off;
            PicturePoint at = plane_view_pixel(&pair->view->plane, contacts[i].position, &off);
            bool in_plane = is_in_plane(pair, off);
            if ((!in_plane && !all) || !canvas_shows(&pair->canvas, at, 0.5f * pair->canvas.text))
            {
                continue;
            }
            if (pass == 0)
            {
                canvas_normal(&pair->canvas, contacts[i].position, contacts[i].normal);
            }
            else
            {
                canvas_contact(&pair->canvas, at, in_plane);
            }
        }
    }
}

/// Dots for all contacts in the plane, arrows for as many as can be told apart.
static bool draw_all_contacts(PairCanvas* pair)
{
    uint32_t count = pair->scene->output.contact_count, visible = 0;
    if (count <= MOST_MARKED_OFF)
    {
        draw_contacts(pair, pair->scene->contacts, count, true);
        return true;
    }
    AbutContact* contacts = malloc((size_t)count * sizeof(*contacts));
    if (contacts == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        float off;
        plane_view_pixel(&pair->view->plane, pair->scene->contacts[i].position, &off);
        if (is_in_plane(pair, off))
        {
            contacts[visible++] = pair->scene->contacts[i];
        }
    }
    for (uint32_t i = 0; i < visible; ++i)
    {
        float off;
        PicturePoint at = plane_view_pixel(&pair->view->plane, contacts[i].position, &off);
        if (canvas_shows(&pair->canvas, at, 0.5f * pair->canvas.text))
        {
            canvas_disc(&pair->canvas, at, 0.62f * pair->canvas.text, white);
            canvas_disc(&pair->canvas, at, 0.46f * pair->canvas.text, contact_color);
        }
    }
    AbutReduction reduction = abut_contacts_reduce(contacts, visible, MOST_ARROWS);
    draw_contacts(pair, contacts, reduction.kept_count, false);
    free(contacts);
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// All of it
// -----------------------------------------------------------------------------------------------------------

/// A line between the nearest points of solids that are apart.
static void draw_distance(PairCanvas* pair)
{
    const AbutDistanceOutput* distance = pair->scene->distance;
    if (distance != NULL)
    {
        float off;
        PicturePoint a = plane_view_pixel(&pair->view->plane, distance->point_a, &off);
        PicturePoint b = plane_view_pixel(&pair->view->plane, distance->point_b, &off);
        if (canvas_shows(&pair->canvas, a, 0.0f) && canvas_shows(&pair->canvas, b, 0.0f))
        {
            pair_canvas_distance(pair, a, b);
        }
    }
}

static bool draw(PairCanvas* pair, const AbutHost* host)
{
    const PairView* view = pair->view;
    PairPath* paths = malloc(PAIR_PATH_MOST * sizeof(*paths));
    if (paths == NULL)
    {
        return false;
    }
    SliceSolid solids[2] = { { pair->scene->shapes[0], view->poses[0] },
                             { pair->scene->shapes[1], view->poses[1] } };
    slice_rows_paint(&pair->canvas.picture, &view->plane.slice, solids, 2, color_of, pair, host);
    draw_common_box(pair);
    if (pair_canvas_has_particles(pair))
    {
        draw_paths(pair, paths, pair_paths_make(pair->scene, view, paths));
    }
    free(paths);
    draw_distance(pair);
    bool good = draw_all_contacts(pair);
    slice_frame_axes(&pair->canvas.picture, &view->plane.slice);
    pair_canvas_title(pair);
    pair_canvas_legend(pair);
    return good;
}

bool pair_picture_save(const PairScene* scene, const char* path, uint32_t width, uint32_t height,
                       const AbutHost* host)
{
    float text = slice_text_size(width, height);
    uint32_t left = (uint32_t)(7.0f * text), top = (uint32_t)(4.0f * text);
    uint32_t right = (uint32_t)(2.5f * text), bottom = (uint32_t)(8.4f * text);
    PairView view = pair_view_make(scene, width - left - right, height - top - bottom);
    view.plane.slice.left = left;
    view.plane.slice.top = top;
    PairCanvas pair = { .canvas = { .plane = &view.plane, .text = text }, .scene = scene, .view = &view };
    double shorter = view.plane.slice.pixel_size * (double)(view.plane.slice.width < view.plane.slice.height
                                                                ? view.plane.slice.width
                                                                : view.plane.slice.height);
    pair.spacing = (float)slice_round_length(shorter / 16.0);
    if (!picture_create(&pair.canvas.picture, width, height, white))
    {
        message_error("no memory for a picture of %ux%u pixels", width, height);
        return false;
    }
    char title[256];
    snprintf(title, sizeof(title), "%s and %s", scene->names[0], scene->names[1]);
    bool drawn = draw(&pair, host);
    if (!drawn)
    {
        message_error("no memory for the marks of the picture");
    }
    bool saved = drawn && picture_save(&pair.canvas.picture, path, title);
    picture_destroy(&pair.canvas.picture);
    return saved;
}
