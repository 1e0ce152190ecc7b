#include "canvas.h"

#include "slice_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Areas and lines of solids
// -----------------------------------------------------------------------------------------------------------

void canvas_set_color(float out[3], Color color)
{
    out[0] = (float)color.r;
    out[1] = (float)color.g;
    out[2] = (float)color.b;
}

void canvas_level(const Canvas* canvas, float color[3], Color line, float distance, float slope, float width,
                  float strength)
{
    float rgb[3];
    canvas_set_color(rgb, line);
    float pixels = 1.0f / (fmaxf(slope, 0.02f) * (float)canvas->plane->slice.pixel_size);
    float steep = slice_smooth_step(0.02f, 0.12f, slope);
    slice_mix(color, rgb, slice_line_cover(fabsf(distance) * pixels, width) * strength * steep);
}

// -----------------------------------------------------------------------------------------------------------
// Marks
// -----------------------------------------------------------------------------------------------------------

bool canvas_shows(const Canvas* canvas, PicturePoint at, float margin)
{
    const SliceView* slice = &canvas->plane->slice;
    return at.x >= (float)slice->left + margin && at.x <= (float)(slice->left + slice->width) - margin &&
           at.y >= (float)slice->top + margin && at.y <= (float)(slice->top + slice->height) - margin;
}

bool canvas_clip(const Canvas* canvas, PicturePoint* from, PicturePoint* to)
{
    const SliceView* slice = &canvas->plane->slice;
    const float low[2] = { (float)slice->left, (float)slice->top };
    const float high[2] = { low[0] + (float)slice->width, low[1] + (float)slice->height };
    const float start[2] = { from->x, from->y }, direction[2] = { to->x - from->x, to->y - from->y };
    float first = 0.0f, last = 1.0f;
    for (int i = 0; i < 2; ++i)
    {
        bool along = direction[i] == 0.0f;
        if (along && (start[i] < low[i] || start[i] > high[i]))
        {
            return false;
        }
        float a = along ? 0.0f : (low[i] - start[i]) / direction[i],
              b = along ? 1.0f : (high[i] - start[i]) / direction[i];
        first = fmaxf(first, fminf(a, b));
        last = fminf(last, fmaxf(a, b));
    }
    *from = (PicturePoint){ start[0] + first * direction[0], start[1] + first * direction[1] };
    *to = (PicturePoint){ start[0] + last * direction[0], start[1] + last * direction[1] };
    return first <= last;
}

void canvas_stroke(Canvas* canvas, PicturePoint from, PicturePoint to, float width, Color color, float alpha)
{
    PicturePoint points[2] = { from, to };
    picture_strokes(&canvas->picture, points, 2, width, color, alpha);
}

void canvas_disc(Canvas* canvas, PicturePoint at, float diameter, Color color)
{
    canvas_stroke(canvas, at, at, diameter, color, 1.0f);
}

void canvas_dashes(Canvas* canvas, PicturePoint from, PicturePoint to)
{
    float dx = to.x - from.x, dy = to.y - from.y, length = hypotf(dx, dy), dash = 0.7f * canvas->text;
    int count = (int)fminf(length / dash, 400.0f);
    for (int i = 0; i < count; i += 2)
    {
        float s = (float)i / (float)count, t = ((float)i + 0.9f) / (float)count;
        PicturePoint a = { from.x + s * dx, from.y + s * dy }, b = { from.x + t * dx, from.y + t * dy };
        if (canvas_shows(canvas, a, 0.0f) && canvas_shows(canvas, b, 0.0f))
        {
            canvas_stroke(canvas, a, b, 0.1f * canvas->text, faint, 1.0f);
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

void canvas_normal(Canvas* canvas, AbutVec3 position, AbutVec3 normal)
{
    float off, length = 3.2f * canvas->text;
    float unit = length * (float)canvas->plane->slice.pixel_size;
    PicturePoint at = plane_view_pixel(canvas->plane, position, &off);
    AbutVec3 tip = abut_vec3_add(position, abut_vec3_scale(normal, unit));
    PicturePoint to = plane_view_pixel(canvas->plane, tip, &off);
    canvas_arrow(canvas, at, to.x - at.x, to.y - at.y, white, 0.46f * canvas->text);
    canvas_arrow(canvas, at, to.x - at.x, to.y - at.y, contact_color, 0.16f * canvas->text);
}

void canvas_contact(Canvas* canvas, PicturePoint at, bool in_plane)
{
    canvas_disc(canvas, at, 0.98f * canvas->text, white);
    canvas_disc(canvas, at, 0.72f * canvas->text, contact_color);
    if (!in_plane)
    {
        canvas_disc(canvas, at, 0.44f * canvas->text, white);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Words
// -----------------------------------------------------------------------------------------------------------

int canvas_plane_text(const Canvas* canvas, char* out, size_t size)
{
    const SliceView* slice = &canvas->plane->slice;
    out[0] = '\0';
    if (!canvas->plane->aligned)
    {
        return 0;
    }
    double step = slice_round_length(0.5 * slice->pixel_size); // what can be seen
    double at = rint(slice_coordinate(slice->center, slice->axis) / step) * step;
    return snprintf(out, size, "%c = %.6g    ", "xyz"[slice->axis], at == 0.0 ? 0.0 : at);
}

void canvas_title(Canvas* canvas, const char* title, const char* note)
{
    const SliceView* slice = &canvas->plane->slice;
    float text = canvas->text, base = (float)slice->top - 1.3f * text, left = (float)slice->left;
    char shown[192];
    slice_fit_text(shown, sizeof(shown), title, 1.35f * text, (float)slice->width);
    picture_text(&canvas->picture, left, base, shown, 1.35f * text, TEXT_BOLD, ink);
    float right = (float)(slice->left + slice->width) - picture_text_width(note, text);
    if (right > left + picture_text_width(shown, 1.35f * text) + 2.0f * text)
    {
        picture_text(&canvas->picture, right, base, note, text, TEXT_REGULAR, faint);
    }
}

LegendPen canvas_legend_begin(const Canvas* canvas, float down)
{
    const SliceView* slice = &canvas->plane->slice;
    LegendPen pen = { .left = (float)slice->left, .right = (float)(slice->left + slice->width) };
    pen.x = pen.left;
    pen.y = (float)(slice->top + slice->height) + down * canvas->text;
    return pen;
}

PicturePoint canvas_legend_entry(Canvas* canvas, LegendPen* pen, float width, const char* words)
{
    float text = canvas->text;
    char shown[96];
    slice_fit_text(shown, sizeof(shown), words, text, 0.36f * (pen->right - pen->left));
    float total = width + 0.8f * text + picture_text_width(shown, text);
    if (pen->x + total > pen->right && pen->x > pen->left)
    {
        pen->x = pen->left;
        pen->y += 2.1f * text;
    }
    picture_text(&canvas->picture, pen->x + width + 0.8f * text, pen->y + 0.5f * text, shown, text,
                 TEXT_REGULAR, ink);
    PicturePoint at = { pen->x, pen->y };
    pen->x += total + 2.2f * text;
    return at;
}

void canvas_legend_area(Canvas* canvas, LegendPen* pen, Color area, const Color* line, const char* words)
{
    float size = 1.3f * canvas->text, half = 0.5f * size, rim = 0.2f * canvas->text;
    PicturePoint at = canvas_legend_entry(canvas, pen, size, words);
    PicturePoint low = { at.x, at.y - half }, high = { at.x + size, at.y + half };
    if (line != NULL)
    {
        picture_fill(&canvas->picture, low, high, *line, 1.0f);
        low = (PicturePoint){ low.x + rim, low.y + rim };
        high = (PicturePoint){ high.x - rim, high.y - rim };
    }
    picture_fill(&canvas->picture, low, high, area, 1.0f);
}

/// The last part of a path.
static const char* file_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    bool is_path = slash != NULL && strpbrk(path, ":(;") == NULL;
    return is_path && slash[1] != '\0' ? slash + 1 : path;
}

void canvas_legend_solids(Canvas* canvas, LegendPen* pen, const char* const names[2])
{
    for (int i = 0; i < 2; ++i)
    {
        char words[256];
        snprintf(words, sizeof(words), "%c: %s", "AB"[i], file_name(names[i]));
        canvas_legend_area(canvas, pen, area_colors[i], &line_colors[i], words);
    }
}

void canvas_legend_contact(Canvas* canvas, LegendPen* pen, const char* words)
{
    float text = canvas->text;
    PicturePoint at = canvas_legend_entry(canvas, pen, 2.6f * text, words);
    canvas_arrow(canvas, at, 2.6f * text, 0.0f, contact_color, 0.16f * text);
    canvas_contact(canvas, (PicturePoint){ at.x + 0.3f * text, at.y }, true);
}
