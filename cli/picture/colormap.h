/// @file colormap.h
/// Colours for signed distances: cool inside, warm outside, darker with depth in even steps to the eye.
#ifndef ABUT_CLI_COLORMAP_H
#define ABUT_CLI_COLORMAP_H

#include "picture.h"

enum
{
    COLORMAP_SIZE = 512 ///< colours per side
};

typedef struct Colormap
{
    float inside[COLORMAP_SIZE][3]; ///< sRGB, 0 to 255, from the surface to the deepest
    float outside[COLORMAP_SIZE][3];
    float inside_range; ///< depth of the last colour
    float outside_range;
} Colormap;

/// Colours for distances in [−inside_range, outside_range]; what is beyond has the last colour.
Colormap colormap_make(float inside_range, float outside_range);

/// The colour of a distance, as three numbers of 0 to 255. NaN is grey.
const float* colormap_color(const Colormap* map, float distance);

#endif
