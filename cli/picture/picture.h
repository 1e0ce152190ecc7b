/// @file picture.h
/// A canvas of pixels with soft-edged lines and text, saved as PNG.
#ifndef ABUT_CLI_PICTURE_H
#define ABUT_CLI_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// sRGB, 0 to 255.
typedef struct Color
{
    uint8_t r, g, b;
} Color;

typedef struct Picture
{
    uint32_t width, height;
    uint8_t* pixels; ///< three bytes per pixel, rows from the top
} Picture;

/// A place in pixels: x to the right, y down, (0, 0) the upper left corner of the upper left pixel.
typedef struct PicturePoint
{
    float x, y;
} PicturePoint;

/// All pixels in one colour. @return false without memory.
bool picture_create(Picture* picture, uint32_t width, uint32_t height, Color color);

void picture_destroy(Picture* picture);

/// Mixes `alpha` (0 to 1) of the colour into a pixel; places outside are passed over.
void picture_blend(Picture* picture, int x, int y, Color color, float alpha);

/// Fills the rectangle, with soft edges where they cut pixels.
void picture_fill(Picture* picture, PicturePoint low, PicturePoint high, Color color, float alpha);

/// Straight strokes from points[i] to points[i + 1] for even i, with round ends, drawn as one: overlaps are
/// not darker.
void picture_strokes(Picture* picture, const PicturePoint* points, size_t point_count, float width,
                     Color color, float alpha);

/// A line of text in a font of strokes. `size` is the height of capital letters; x, y is the left end of its
/// base line.
void picture_text(Picture* picture, float x, float y, const char* text, float size, float weight,
                  Color color);

/// The same with a soft rim of another colour around it, for text over a picture.
void picture_text_with_rim(Picture* picture, float x, float y, const char* text, float size, Color color,
                           Color rim);

/// Width of the ink of a line of text.
float picture_text_width(const char* text, float size);

/// Stroke widths for picture_text, as parts of its size.
#define TEXT_REGULAR 0.115f
#define TEXT_BOLD 0.165f

/// Writes the picture; the file is whole or not there. `title` becomes a text chunk. @return false after a
/// message.
bool picture_save(const Picture* picture, const char* path, const char* title);

#endif
