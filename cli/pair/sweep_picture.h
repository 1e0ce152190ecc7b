/// @file sweep_picture.h
/// A picture of a motion: a plane that shows it well, A in it, B on its way and where it first touches, and a
/// bar of time below.
#ifndef ABUT_CLI_SWEEP_PICTURE_H
#define ABUT_CLI_SWEEP_PICTURE_H

#include "canvas.h"

/// What to draw. A does not move; everything is in its frame.
typedef struct SweepScene
{
    const char* names[2];
    AbutToiInput input;
    AbutToiOutput output;
    const AbutPointInterval* intervals; ///< output.interval_count of them, of points
} SweepScene;

/// The pose of B at a time.
AbutPose sweep_scene_pose(const SweepScene* scene, float time);

/// The middle of B's bounds at a time; the point that moves straight where they have no end.
AbutVec3 sweep_scene_center(const SweepScene* scene, float time);

/// Some time at which the solids touch is known.
bool sweep_scene_touches(const SweepScene* scene);

enum
{
    SWEEP_MOST_GHOSTS = 8 ///< outlines of B between start and end
};

typedef struct SweepView
{
    PlaneView plane;
    float ghosts[SWEEP_MOST_GHOSTS]; ///< times
    int ghost_count;
    bool has_inset;  ///< B is small beside its way: the touch is shown from close by, too
    PlaneView inset; ///< left and top are those in the rectangle of the plane
} SweepView;

/// A plane that the way of B's middle lies in, square to the axis that it turns about where it does, through
/// the touch.
SweepView sweep_view_make(const SweepScene* scene, uint32_t width, uint32_t height);

/// Draws and saves. @return false after a message.
bool sweep_picture_save(const SweepScene* scene, const char* path, uint32_t width, uint32_t height,
                        const AbutHost* host);

// -----------------------------------------------------------------------------------------------------------
// The bar of time
// -----------------------------------------------------------------------------------------------------------

static const Color free_color = { 186, 222, 188 };
static const Color touching_color = { 206, 84, 84 };
static const Color unknown_color = { 222, 222, 226 };

enum
{
    SWEEP_COLUMNS = 480 ///< parts of the step that the bar shows
};

/// What is known of each part of the step.
typedef struct SweepBar
{
    float share[SWEEP_COLUMNS]; ///< of the most points that touch at once; of solids 0 or 1; NaN: not known
    uint32_t most;              ///< points that touch at once
    bool solids;                ///< solids, not points, were looked at
} SweepBar;

/// From the intervals of points, or else by asking whether the solids touch in the middle of each part.
SweepBar sweep_bar_make(const SweepScene* scene, const AbutHost* host);

/// Height in letters, with its numbers.
float sweep_bar_height(void);

/// `top` is in pixels.
void sweep_bar_draw(Canvas* canvas, const SweepScene* scene, const SweepBar* bar, float top);

#endif
