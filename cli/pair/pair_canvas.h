/// @file pair_canvas.h
/// What the parts of the picture of a pair share.
#ifndef ABUT_CLI_PAIR_CANVAS_H
#define ABUT_CLI_PAIR_CANVAS_H

#include "canvas.h"
#include "pair_picture.h"

enum
{
    MOST_MARKED_OFF = 16 ///< contacts off the plane that are marked as well as those in it
};

static const Color particle_color = { 200, 30, 50 };

typedef struct PairCanvas
{
    Canvas canvas;
    const PairScene* scene;
    const PairView* view;
    float spacing; ///< of the isolines
} PairCanvas;

/// Particles go where both may be; beside the distance of solids that are apart they would only be in the
/// way.
static inline bool pair_canvas_has_particles(const PairCanvas* pair)
{
    return !pair->view->apart && pair->scene->distance == NULL;
}

/// A particle where it starts.
void pair_canvas_start(PairCanvas* pair, PicturePoint at);

/// Two nearest points and the line between them.
void pair_canvas_distance(PairCanvas* pair, PicturePoint a, PicturePoint b);

/// The answer in a line above the picture.
void pair_canvas_title(PairCanvas* pair);

/// What the colours and marks mean, below it.
void pair_canvas_legend(PairCanvas* pair);

#endif
