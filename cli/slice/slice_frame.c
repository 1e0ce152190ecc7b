#include "slice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const Color ink = { 38, 40, 52 };
static const Color faint = { 118, 120, 132 };
static const Color white = { 255, 255, 255 };

enum
{
    LABEL_SIZE = 48
};

float slice_text_size(uint32_t width, uint32_t height)
{
    float side = (float)(width < height ? width : height);
    return fminf(fmaxf(0.0155f * side, 6.0f), 48.0f);
}

void slice_frame_layout(SliceView* view, uint32_t width, uint32_t height)
{
    float text = slice_text_size(width, height);
    uint32_t left = (uint32_t)(7.5f * text), right = (uint32_t)(9.5f * text);
    uint32_t top = (uint32_t)(4.6f * text), bottom = (uint32_t)(4.2f * text);
    view->left = left;
    view->top = top;
    view->width = width > left + right ? width - left - right : 1;
    view->height = height > top + bottom ? height - top - bottom : 1;
}

// -----------------------------------------------------------------------------------------------------------
// Numbers
// -----------------------------------------------------------------------------------------------------------

/// A multiple of `step` with the decimals that the step needs.
static void format_multiple(char label[LABEL_SIZE], double value, double step)
{
    int decimals = (int)fmax(0.0, -floor(log10(step) + 1e-9));
    if (decimals > 7 || fabs(value) >= 1e8)
    {
        snprintf(label, LABEL_SIZE, "%.6g", value);
        return;
    }
    snprintf(label, LABEL_SIZE, "%.*f", decimals, fabs(value) < 0.5 * step ? 0.0 : value);
}

/// One axis of the frame: where a coordinate lies in the picture.
typedef struct AxisMap
{
    double low, high;       // coordinates at the ends of the rectangle, low < high
    double pixel_of_low;    // where `low` lies
    double pixels_per_unit; // negative when it runs up the picture
} AxisMap;

static AxisMap horizontal_map(const SliceView* view)
{
    double half = 0.5 * view->pixel_size * (double)view->width;
    double center = slice_coordinate(view->center, view->u_axis);
    return (AxisMap){ center - half, center + half, (double)view->left, 1.0 / view->pixel_size };
}

static AxisMap vertical_map(const SliceView* view)
{
    double half = 0.5 * view->pixel_size * (double)view->height;
    double center = slice_coordinate(view->center, view->v_axis);
    double low_pixel = (double)view->top + (view->v_down ? 0.0 : (double)view->height);
    double rate = (view->v_down ? 1.0 : -1.0) / view->pixel_size;
    return (AxisMap){ center - half, center + half, low_pixel, rate };
}

static float map_pixel(const AxisMap* map, double value)
{
    return (float)(map->pixel_of_low + (value - map->low) * map->pixels_per_unit);
}

/// The multiples of a round step that lie on an axis.
typedef struct Ticks
{
    double step;
    double first; // number of the first one: it stands at first · step
    int count;
} Ticks;

/// Ticks with about `pixels` between them; none when the axis is so far out that they could not be told
/// apart.
static Ticks make_ticks(const AxisMap* map, float pixels)
{
    Ticks ticks = { .step = slice_round_length((double)pixels / fabs(map->pixels_per_unit) * 1.6) };
    ticks.first = ceil(map->low / ticks.step - 1e-9);
    double last = floor(map->high / ticks.step + 1e-9);
    if (fabs(ticks.first) < 1e12 && fabs(last) < 1e12)
    {
        ticks.count = (int)fmin(last - ticks.first + 1.0, 1000.0);
    }
    return ticks;
}

static void stroke(Picture* picture, float x0, float y0, float x1, float y1, float width, Color color)
{
    PicturePoint points[2] = { { x0, y0 }, { x1, y1 } };
    picture_strokes(picture, points, 2, width, color, 1.0f);
}

// -----------------------------------------------------------------------------------------------------------
// Axes
// -----------------------------------------------------------------------------------------------------------

static void paint_horizontal_axis(Picture* picture, const SliceView* view, float text)
{
    AxisMap map = horizontal_map(view);
    float bottom = (float)(view->top + view->height);
    Ticks ticks = make_ticks(&map, 7.0f * text);
    float name_x = (float)(view->left + view->width) - 0.6f * text;
    for (int i = 0; i < ticks.count; ++i)
    {
        char label[LABEL_SIZE];
        double value = (ticks.first + (double)i) * ticks.step;
        format_multiple(label, value, ticks.step);
        float x = map_pixel(&map, value), width = picture_text_width(label, text);
        stroke(picture, x, bottom + 1.0f, x, bottom + 0.5f * text, fmaxf(0.1f * text, 1.0f), ink);
        if (x + 0.5f * width < name_x - text)
        {
            picture_text(picture, x - 0.5f * width, bottom + 2.0f * text, label, text, TEXT_REGULAR, ink);
        }
    }
    picture_text(picture, name_x, bottom + 2.0f * text, (char[2]){ view->u_name, '\0' }, 1.1f * text,
                 TEXT_BOLD, ink);
}

static void paint_vertical_axis(Picture* picture, const SliceView* view, float text)
{
    AxisMap map = vertical_map(view);
    float left = (float)view->left;
    Ticks ticks = make_ticks(&map, 5.0f * text);
    float name_y = view->v_down ? (float)(view->top + view->height) - 0.2f * text : (float)view->top + text;
    for (int i = 0; i < ticks.count; ++i)
    {
        char label[LABEL_SIZE];
        double value = (ticks.first + (double)i) * ticks.step;
        format_multiple(label, value, ticks.step);
        float y = map_pixel(&map, value), width = picture_text_width(label, text);
        stroke(picture, left - 0.5f * text, y, left - 1.0f, y, fmaxf(0.1f * text, 1.0f), ink);
        if (fabsf(y + 0.5f * text - name_y) > 1.6f * text)
        {
            picture_text(picture, left - text - width, y + 0.5f * text, label, text, TEXT_REGULAR, ink);
        }
    }
    const char name[2] = { view->v_name, '\0' };
    picture_text(picture, left - text - picture_text_width(name, 1.1f * text), name_y, name, 1.1f * text,
                 TEXT_BOLD, ink);
}

static void paint_border(Picture* picture, const SliceView* view, float text)
{
    float width = fmaxf(0.1f * text, 1.0f);
    float x0 = (float)view->left, y0 = (float)view->top;
    float x1 = x0 + (float)view->width, y1 = y0 + (float)view->height;
    picture_fill(picture, (PicturePoint){ x0 - width, y0 - width }, (PicturePoint){ x1 + width, y0 }, ink,
                 1.0f);
    picture_fill(picture, (PicturePoint){ x0 - width, y1 }, (PicturePoint){ x1 + width, y1 + width }, ink,
                 1.0f);
    picture_fill(picture, (PicturePoint){ x0 - width, y0 }, (PicturePoint){ x0, y1 }, ink, 1.0f);
    picture_fill(picture, (PicturePoint){ x1, y0 }, (PicturePoint){ x1 + width, y1 }, ink, 1.0f);
}

// -----------------------------------------------------------------------------------------------------------
// Scale bar, colour bar, title
// -----------------------------------------------------------------------------------------------------------

static void paint_scale_bar(Picture* picture, const SliceView* view, float text)
{
    double length = slice_round_length(0.25 * view->pixel_size * (double)view->width);
    float pixels = (float)(length / view->pixel_size);
    float x1 = (float)(view->left + view->width) - 1.6f * text, x0 = x1 - pixels;
    float y1 = (float)(view->top + view->height) - 1.5f * text, y0 = y1 - 0.5f * text;
    float rim = 0.18f * text;
    float line = fmaxf(0.08f * text, 1.0f);
    picture_fill(picture, (PicturePoint){ x0 - rim - line, y0 - rim - line },
                 (PicturePoint){ x1 + rim + line, y1 + rim + line }, white, 0.8f);
    picture_fill(picture, (PicturePoint){ x0 - line, y0 - line }, (PicturePoint){ x1 + line, y1 + line }, ink,
                 1.0f);
    for (int quarter = 0; quarter < 4; ++quarter)
    {
        float from = x0 + 0.25f * pixels * (float)quarter;
        picture_fill(picture, (PicturePoint){ from, y0 }, (PicturePoint){ from + 0.25f * pixels, y1 },
                     quarter % 2 == 0 ? ink : white, 1.0f);
    }
    char label[LABEL_SIZE];
    format_multiple(label, length, length);
    float width = picture_text_width(label, text);
    picture_text_with_rim(picture, 0.5f * (x0 + x1 - width), y0 - 0.8f * text, label, text, ink, white);
}

/// Rows of the colour bar run from the largest distance in the picture down to the smallest.
static void paint_color_bar(Picture* picture, const SliceView* view, const SliceStyle* style, float text)
{
    float x0 = (float)(view->left + view->width) + 2.0f * text, x1 = x0 + 1.5f * text;
    double low = fmin((double)style->lowest, 0.0), high = fmax((double)style->highest, 0.0);
    if (!(isfinite(low) && isfinite(high) && high > low))
    {
        return;
    }
    for (uint32_t row = 0; row < view->height; ++row)
    {
        double distance = high + (low - high) * ((double)row + 0.5) / (double)view->height;
        const float* rgb = colormap_color(&style->colors, (float)distance);
        Color color = { (uint8_t)rgb[0], (uint8_t)rgb[1], (uint8_t)rgb[2] };
        float y = (float)(view->top + row);
        picture_fill(picture, (PicturePoint){ x0, y }, (PicturePoint){ x1, y + 1.0f }, color, 1.0f);
    }
    AxisMap map = { low, high, (double)(view->top + view->height), -(double)view->height / (high - low) };
    Ticks ticks = make_ticks(&map, 4.6f * text);
    for (int i = 0; i < ticks.count; ++i)
    {
        char label[LABEL_SIZE];
        double value = (ticks.first + (double)i) * ticks.step;
        format_multiple(label, value, ticks.step);
        float y = map_pixel(&map, value);
        bool zero = value == 0.0;
        stroke(picture, zero ? x0 : x1 - 0.45f * text, y, x1, y, (zero ? 0.22f : 0.1f) * text, ink);
        picture_text(picture, x1 + 0.7f * text, y + 0.5f * text, label, text, zero ? TEXT_BOLD : TEXT_REGULAR,
                     ink);
    }
}

void slice_fit_text(char* out, size_t size, const char* text, float text_height, float width)
{
    snprintf(out, size, "%s", text);
    size_t length = strlen(out);
    while (length > 3 && picture_text_width(out, text_height) > width)
    {
        length -= 1;
        memcpy(out + length - 3, "...", 4);
    }
}

static void paint_title(Picture* picture, const SliceView* view, const SliceStyle* style, const char* title,
                        float text)
{
    char note[160], shown[512];
    char at[LABEL_SIZE];
    snprintf(at, sizeof(at), "%.9g", slice_coordinate(view->center, view->axis));
    snprintf(note, sizeof(note), "%c = %s    lines every %.6g", "xyz"[view->axis], at,
             (double)style -> spacing);
    float left = (float)view->left, right = (float)picture->width - 2.0f * text;
    float base = (float)view->top - 1.5f * text;
    float note_width = picture_text_width(note, text);
    bool both = right - left > 2.0f * note_width;
    slice_fit_text(shown, sizeof(shown), title, 1.35f * text,
                   right - left - (both ? note_width + 2.0f * text : 0.0f));
    picture_text(picture, left, base, shown, 1.35f * text, TEXT_BOLD, ink);
    if (both)
    {
        picture_text(picture, right - note_width, base, note, text, TEXT_REGULAR, faint);
    }
}

void slice_frame_axes(Picture* picture, const SliceView* view)
{
    float text = slice_text_size(picture->width, picture->height);
    paint_border(picture, view, text);
    paint_horizontal_axis(picture, view, text);
    paint_vertical_axis(picture, view, text);
    paint_scale_bar(picture, view, text);
}

void slice_frame_paint(Picture* picture, const SliceView* view, const SliceStyle* style, const char* title)
{
    float text = slice_text_size(picture->width, picture->height);
    slice_frame_axes(picture, view);
    paint_color_bar(picture, view, style, text);
    paint_title(picture, view, style, title, text);
}
