// The words of the picture of a pair.
#include "pair_canvas.h"

#include <math.h>
#include <stdio.h>

void pair_canvas_title(PairCanvas* pair)
{
    const AbutCollideOutput* output = &pair->scene->output;
    char title[160], note[160];
    int length = snprintf(title, sizeof(title), "%s", abut_collide_state_name(output->state));
    if (output->state == ABUT_COLLIDE_SEPARATED)
    {
        const AbutDistanceOutput* distance = pair->scene->distance;
        length += snprintf(title + length, sizeof(title) - (size_t)length,
                           distance != NULL ? ", distance %.4g" : ", gap at least %.4g",
                           (double)(distance != NULL ? distance->high : output->gap));
    }
    if (output->contact_total > 0)
    {
        float deepest = INFINITY;
        for (uint32_t i = 0; i < output->contact_count; ++i)
        {
            deepest = fminf(deepest, pair->scene->contacts[i].separation);
        }
        snprintf(title + length, sizeof(title) - (size_t)length, ": %d contact%s, deepest %.3g",
                 output->contact_total, output->contact_total == 1 ? "" : "s", (double)deepest);
    }
    length = canvas_plane_text(&pair->canvas, note, sizeof(note));
    snprintf(note + length, sizeof(note) - (size_t)length, "lines every %.4g", (double)pair->spacing);
    canvas_title(&pair->canvas, title, note);
}

static void legend_contacts(PairCanvas* pair, LegendPen* pen)
{
    Canvas* canvas = &pair->canvas;
    float text = canvas->text;
    canvas_legend_contact(canvas, pen, "contact and normal");
    if (pair->scene->output.contact_count <= MOST_MARKED_OFF)
    {
        PicturePoint at = canvas_legend_entry(canvas, pen, 0.8f * text, "off the plane");
        canvas_contact(canvas, (PicturePoint){ at.x + 0.4f * text, at.y }, false);
    }
}

static void legend_particles(PairCanvas* pair, LegendPen* pen)
{
    Canvas* canvas = &pair->canvas;
    float text = canvas->text;
    PicturePoint at = canvas_legend_entry(canvas, pen, 2.4f * text, "particle and its path");
    canvas_stroke(canvas, at, (PicturePoint){ at.x + 2.4f * text, at.y }, 0.11f * text, particle_color,
                  0.75f);
    pair_canvas_start(pair, (PicturePoint){ at.x + 0.3f * text, at.y });
}

void pair_canvas_legend(PairCanvas* pair)
{
    Canvas* canvas = &pair->canvas;
    float text = canvas->text;
    LegendPen pen = canvas_legend_begin(canvas, 4.4f);
    canvas_legend_solids(canvas, &pen, pair->scene->names);
    if (pair->scene->output.state != ABUT_COLLIDE_SEPARATED)
    {
        canvas_legend_area(canvas, &pen, area_colors[2], NULL, "both");
    }
    if (pair_canvas_has_particles(pair))
    {
        legend_particles(pair, &pen);
    }
    if (pair->scene->output.contact_count > 0)
    {
        legend_contacts(pair, &pen);
    }
    if (pair->scene->distance != NULL)
    {
        PicturePoint from = canvas_legend_entry(canvas, &pen, 2.6f * text, "nearest points");
        from.x += 0.4f * text;
        pair_canvas_distance(pair, from, (PicturePoint){ from.x + 1.8f * text, from.y });
    }
    PicturePoint at = canvas_legend_entry(canvas, &pen, 2.4f * text,
                                          pair->view->apart ? "box between them" : "box of both");
    for (int i = 0; i < 2; ++i)
    {
        float x = at.x + 1.3f * text * (float)i;
        canvas_stroke(canvas, (PicturePoint){ x, at.y }, (PicturePoint){ x + 0.9f * text, at.y }, 0.1f * text,
                      faint, 1.0f);
    }
}
