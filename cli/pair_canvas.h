/// @file pair_canvas.h
/// What the parts of the picture of a pair share: its colours and marks.
#ifndef ABUT_CLI_PAIR_CANVAS_H
#define ABUT_CLI_PAIR_CANVAS_H

#include "pair_picture.h"

enum
{
    MOST_MARKED_OFF = 16 ///< contacts off the plane that are marked as well as those in it
};

/// Colours.
static const Color ink = { 38, 40, 52 };
static const Color faint = { 118, 120, 132 };
static const Color white = { 255, 255, 255 };
static const Color particle_color = { 200, 30, 50 };
static const Color contact_color = { 20, 20, 30 };

/// Of the solids: the lines, and the areas inside of A, of B and of both.
static const Color line_colors[2] = { { 24, 92, 160 }, { 190, 96, 10 } };
static const Color area_colors[3] = { { 178, 208, 236 }, { 250, 214, 166 }, { 178, 150, 172 } };

/// Tools of the drawing.
typedef struct Canvas
{
    Picture picture;
    const PairScene* scene;
    const PairView* view;
    float text;    // height of capital letters
    float spacing; // of the isolines
} Canvas;

/// Particles go where both may be; beside the distance of solids that are apart they would only be in the way.
static inline bool canvas_has_particles(const Canvas* canvas)
{
    return !canvas->view->apart && canvas->scene->distance == NULL;
}

void canvas_stroke(Canvas* canvas, PicturePoint from, PicturePoint to, float width, Color color, float alpha);

/// A particle where it starts.
void canvas_start(Canvas* canvas, PicturePoint at);

/// From `from` by dx, dy pixels.
void canvas_arrow(Canvas* canvas, PicturePoint from, float dx, float dy, Color color, float width);

/// Hollow where it is not in the plane.
void canvas_contact(Canvas* canvas, PicturePoint at, bool in_plane);

/// Two nearest points and the line between them.
void canvas_distance(Canvas* canvas, PicturePoint a, PicturePoint b);

/// The answer in a line above the picture.
void canvas_title(Canvas* canvas);

/// What the colours and marks mean, below it.
void canvas_legend(Canvas* canvas);

#endif
