/// @file font.h
/// Letters as strokes: the shapes behind picture_text().
#ifndef ABUT_CLI_FONT_H
#define ABUT_CLI_FONT_H

#include "picture.h"

enum
{
    FONT_CAPITAL_HEIGHT = 36, ///< in the units of the glyphs
    FONT_GAP = 9,             ///< between the ink of two letters
    FONT_POINT_LIMIT = 160    ///< points of the strokes of one letter
};

/// The strokes of one printable ASCII letter as pairs of points (y up, base line at 0); a hollow box for any
/// other. Returns the number of points; *width is that of the ink.
size_t font_strokes(unsigned char letter, PicturePoint points[FONT_POINT_LIMIT], float* width);

#endif
