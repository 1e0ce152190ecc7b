/// @file canvas.h
/// What pictures of pairs are drawn with: colours, marks, the line above and the legend below.
#ifndef ABUT_CLI_CANVAS_H
#define ABUT_CLI_CANVAS_H

#include "plane_view.h"

/// Colours.
static const Color ink = { 38, 40, 52 };
static const Color faint = { 118, 120, 132 };
static const Color white = { 255, 255, 255 };
static const Color contact_color = { 20, 20, 30 };

/// Of the solids: the lines, and the areas inside of A, of B and of both.
static const Color line_colors[2] = { { 24, 92, 160 }, { 190, 96, 10 } };
static const Color area_colors[3] = { { 178, 208, 236 }, { 250, 214, 166 }, { 178, 150, 172 } };

typedef struct Canvas
{
    Picture picture;
    const PlaneView* plane;
    float text; ///< height of capital letters
} Canvas;

// -----------------------------------------------------------------------------------------------------------
// Areas and lines of solids: pieces of a SliceColorFn
// -----------------------------------------------------------------------------------------------------------

void canvas_set_color(float out[3], Color color);

/// A line where `distance` is zero, so many pixels wide; none where the distance hardly changes within the
/// plane.
void canvas_level(const Canvas* canvas, float color[3], Color line, float distance, float slope, float width,
                  float strength);

// -----------------------------------------------------------------------------------------------------------
// Marks
// -----------------------------------------------------------------------------------------------------------

/// At least `margin` pixels inside of the rectangle that shows the plane.
bool canvas_shows(const Canvas* canvas, PicturePoint at, float margin);

/// Cuts off what of a line is not in the rectangle. @return false when nothing is left.
bool canvas_clip(const Canvas* canvas, PicturePoint* from, PicturePoint* to);

void canvas_stroke(Canvas* canvas, PicturePoint from, PicturePoint to, float width, Color color, float alpha);

void canvas_disc(Canvas* canvas, PicturePoint at, float diameter, Color color);

/// What of it is in the rectangle.
void canvas_dashes(Canvas* canvas, PicturePoint from, PicturePoint to);

/// From `from` by dx, dy pixels.
void canvas_arrow(Canvas* canvas, PicturePoint from, float dx, float dy, Color color, float width);

/// An arrow from a point of A's frame along a unit vector, as far as that lies in the plane.
void canvas_normal(Canvas* canvas, AbutVec3 position, AbutVec3 normal);

/// Hollow where it is not in the plane.
void canvas_contact(Canvas* canvas, PicturePoint at, bool in_plane);

// -----------------------------------------------------------------------------------------------------------
// Words
// -----------------------------------------------------------------------------------------------------------

/// The answer in a line above the picture, and a note at its right end where there is room.
void canvas_title(Canvas* canvas, const char* title, const char* note);

/// "z = 0.5    ", the place of a plane that is square to an axis; nothing for others. Returns its length.
int canvas_plane_text(const Canvas* canvas, char* out, size_t size);

/// The pen of the legend: it goes on to the next line where there is no room.
typedef struct LegendPen
{
    float x, y, left, right;
} LegendPen;

/// Starts `down` letters under the rectangle.
LegendPen canvas_legend_begin(const Canvas* canvas, float down);

/// Room for a mark of `width` and its words, and the words. Returns where the left end of the mark goes.
PicturePoint canvas_legend_entry(Canvas* canvas, LegendPen* pen, float width, const char* words);

/// A patch of a colour, with a rim unless `line` is NULL.
void canvas_legend_area(Canvas* canvas, LegendPen* pen, Color area, const Color* line, const char* words);

/// Patches of A and B with their names.
void canvas_legend_solids(Canvas* canvas, LegendPen* pen, const char* const names[2]);

void canvas_legend_contact(Canvas* canvas, LegendPen* pen, const char* words);

#endif
