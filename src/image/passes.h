/// @file passes.h
/// The two passes of CULLIDE over the chunks or the triangles of a set.
#ifndef ABUT_IMAGE_PASSES_H
#define ABUT_IMAGE_PASSES_H

#include "image/set.h"

typedef enum AbutImageLevel
{
    ABUT_IMAGE_CHUNKS,   ///< members are chunks, drawn as their boxes
    ABUT_IMAGE_TRIANGLES ///< members are triangles
} AbutImageLevel;

/// Rows of a tile: a tile is drawn by one worker.
enum
{
    ABUT_IMAGE_TILE_ROWS = 16
};

/// Removes the members that are fully visible in both passes along the view from set->live. set->pixels has
/// the capacity for the view.
void abut_image_passes(AbutImageSet* set, const AbutImageView* view, AbutImageLevel level);

/// Rows of the live chunks in an image.
void abut_image_find_rows(AbutImageSet* set, const AbutImageView* view);

/// The list of chunks with live triangles, from set->live.
void abut_image_list_live(AbutImageSet* set);

#endif
