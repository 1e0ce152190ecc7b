/// @file slice.h
/// A picture of the distances in a plane: which part of the plane, its colours, and the frame around it.
#ifndef ABUT_CLI_SLICE_H
#define ABUT_CLI_SLICE_H

#include "colormap.h"
#include "picture.h"

#include <abut/abut.h>

/// What was asked for. Numbers that are NaN were not given.
typedef struct SliceRequest
{
    int axis;  ///< that the plane is square to: 0 x, 1 y, 2 z
    double at; ///< where the plane cuts the axis
    double center[3];
    double width;
    double box[6];
    double spacing; ///< of the isolines
} SliceRequest;

/// The plane and the rectangle of pixels that shows it.
typedef struct SliceView
{
    int axis;
    int u_axis, v_axis;  ///< axes that run to the right and up or down in the picture
    char u_name, v_name; ///< of these axes
    bool v_down;         ///< the v axis runs down
    AbutPosition center; ///< of the rectangle, in the frame that the shape is posed in
    double pixel_size;   ///< length of the side of a pixel
    uint32_t left, top;  ///< of the rectangle in the picture
    uint32_t width, height;
} SliceView;

/// How distances become colours and lines.
typedef struct SliceStyle
{
    Colormap colors;
    float spacing;         ///< between isolines
    float lowest, highest; ///< distances in the rectangle
} SliceStyle;

/// Chooses the part of the plane: the box or centre and width that were asked for, or the shape's bounds and
/// a margin. Where they have no end, the surface nearest to the origin is in the middle.
SliceView slice_view_make(const SliceRequest* request, const AbutShape* shape, const AbutPose* pose,
                          uint32_t width, uint32_t height);

/// A view along an axis with nothing but its directions: from the front (z), from the left (x), from above
/// (y), the way one sees the world with y up.
SliceView slice_view_along(int axis, uint32_t width, uint32_t height);

/// Colours for the distances that occur, and isolines at a round spacing unless one was asked for.
SliceStyle slice_style_make(const SliceView* view, const AbutShape* shape, const AbutPose* pose,
                            double spacing);

/// Paints the rectangle.
void slice_paint(Picture* picture, const SliceView* view, const SliceStyle* style, const AbutShape* shape,
                 const AbutPose* pose, const AbutHost* host);

/// Room for the frame around the rectangle; what is left of a picture of the given size.
void slice_frame_layout(SliceView* view, uint32_t width, uint32_t height);

/// Border, axes and scale bar.
void slice_frame_axes(Picture* picture, const SliceView* view);

/// Height of capital letters in a picture of this size.
float slice_text_size(uint32_t width, uint32_t height);

/// Cuts the text with dots at its end so that it fits.
void slice_fit_text(char* out, size_t size, const char* text, float text_height, float width);

/// Axes, scale bar, colour bar and title.
void slice_frame_paint(Picture* picture, const SliceView* view, const SliceStyle* style, const char* title);

/// The largest of 1, 2, 5 times a power of ten that is at most `length`.
double slice_round_length(double length);

/// Coordinate `axis` of a position.
double slice_coordinate(AbutPosition position, int axis);

#endif
