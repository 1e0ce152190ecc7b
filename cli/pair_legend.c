// The words of the picture of a pair.
#include "pair_canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void canvas_title(Canvas* canvas)
{
    const AbutCollideOutput* output = &canvas->scene->output;
    const SliceView* slice = &canvas->view->slice;
    float text = canvas->text, base = (float)slice->top - 1.3f * text;
    char title[160], note[160];
    int length = snprintf(title, sizeof(title), "%s", abut_collide_state_name(output->state));
    if (output->state == ABUT_COLLIDE_SEPARATED)
    {
        const AbutDistanceOutput* distance = canvas->scene->distance;
        length += snprintf(title + length, sizeof(title) - (size_t)length,
                           distance != NULL ? ", distance %.4g" : ", gap at least %.4g",
                           (double)(distance != NULL ? distance->high : output->gap));
    }
    if (output->contact_total > 0)
    {
        float deepest = INFINITY;
        for (int i = 0; i < output->contact_count; ++i)
        {
            deepest = fminf(deepest, canvas->scene->contacts[i].separation);
        }
        snprintf(title + length, sizeof(title) - (size_t)length, ": %d contact%s, deepest %.3g",
                 output->contact_total, output->contact_total == 1 ? "" : "s", (double)deepest);
    }
    length = 0;
    if (canvas->view->aligned)
    {
        double step = slice_round_length(0.5 * slice->pixel_size); // what can be seen
        double at = rint(slice_coordinate(slice->center, slice->axis) / step) * step;
        length = snprintf(note, sizeof(note), "%c = %.6g    ", "xyz"[slice->axis], at == 0.0 ? 0.0 : at);
    }
    snprintf(note + length, sizeof(note) - (size_t)length, "lines every %.4g", (double)canvas->spacing);
    picture_text(&canvas->picture, (float)slice->left, base, title, 1.35f * text, TEXT_BOLD, ink);
    float right = (float)(slice->left + slice->width) - picture_text_width(note, text);
    if (right > (float)slice->left + picture_text_width(title, 1.35f * text) + 2.0f * text)
    {
        picture_text(&canvas->picture, right, base, note, text, TEXT_REGULAR, faint);
    }
}

/// The pen of the legend: it goes on to the next line where there is no room.
typedef struct LegendPen
{
    float x, y, left, right;
} LegendPen;

/// Room for a mark of `width` and its words, and the words. Returns where the mark goes.
static PicturePoint legend_entry(Canvas* canvas, LegendPen* pen, float width, const char* words)
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

static void legend_area(Canvas* canvas, LegendPen* pen, Color area, const Color* line, const char* words)
{
    float size = 1.3f * canvas->text, half = 0.5f * size, rim = 0.2f * canvas->text;
    PicturePoint at = legend_entry(canvas, pen, size, words);
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

static void legend_solids(Canvas* canvas, LegendPen* pen)
{
    char words[256];
    for (int i = 0; i < 2; ++i)
    {
        snprintf(words, sizeof(words), "%c: %s", "AB"[i], file_name(canvas->scene->names[i]));
        legend_area(canvas, pen, area_colors[i], &line_colors[i], words);
    }
    if (canvas->scene->output.state != ABUT_COLLIDE_SEPARATED)
    {
        legend_area(canvas, pen, area_colors[2], NULL, "both");
    }
}

static void legend_contacts(Canvas* canvas, LegendPen* pen)
{
    float text = canvas->text;
    PicturePoint at = legend_entry(canvas, pen, 2.6f * text, "contact and normal");
    canvas_arrow(canvas, at, 2.6f * text, 0.0f, contact_color, 0.16f * text);
    canvas_contact(canvas, (PicturePoint){ at.x + 0.3f * text, at.y }, true);
    if (canvas->scene->output.contact_count <= MOST_MARKED_OFF)
    {
        at = legend_entry(canvas, pen, 0.8f * text, "off the plane");
        canvas_contact(canvas, (PicturePoint){ at.x + 0.4f * text, at.y }, false);
    }
}

static void legend_particles(Canvas* canvas, LegendPen* pen)
{
    float text = canvas->text;
    PicturePoint at = legend_entry(canvas, pen, 2.4f * text, "particle and its way");
    canvas_stroke(canvas, at, (PicturePoint){ at.x + 2.4f * text, at.y }, 0.11f * text, particle_color,
                  0.75f);
    canvas_start(canvas, (PicturePoint){ at.x + 0.3f * text, at.y });
}

void canvas_legend(Canvas* canvas)
{
    const SliceView* slice = &canvas->view->slice;
    float text = canvas->text;
    LegendPen pen = { .left = (float)slice->left, .right = (float)(slice->left + slice->width) };
    pen.x = pen.left;
    pen.y = (float)(slice->top + slice->height) + 4.4f * text;
    legend_solids(canvas, &pen);
    if (canvas_has_particles(canvas))
    {
        legend_particles(canvas, &pen);
    }
    if (canvas->scene->output.contact_count > 0)
    {
        legend_contacts(canvas, &pen);
    }
    if (canvas->scene->distance != NULL)
    {
        PicturePoint from = legend_entry(canvas, &pen, 2.6f * text, "nearest points");
        from.x += 0.4f * text;
        canvas_distance(canvas, from, (PicturePoint){ from.x + 1.8f * text, from.y });
    }
    PicturePoint at =
        legend_entry(canvas, &pen, 2.4f * text, canvas->view->apart ? "box between them" : "box of both");
    for (int i = 0; i < 2; ++i)
    {
        float x = at.x + 1.3f * text * (float)i;
        canvas_stroke(canvas, (PicturePoint){ x, at.y }, (PicturePoint){ x + 0.9f * text, at.y }, 0.1f * text,
                      faint, 1.0f);
    }
}
