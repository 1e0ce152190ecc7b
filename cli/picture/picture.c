#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool picture_create(Picture* picture, uint32_t width, uint32_t height, Color color)
{
    size_t count = (size_t)width * height;
    picture->width = width;
    picture->height = height;
    picture->pixels = malloc(count * 3);
    if (picture->pixels == NULL)
    {
        return false;
    }
    for (size_t i = 0; i < count; ++i)
    {
        memcpy(picture->pixels + 3 * i, &(uint8_t[3]){ color.r, color.g, color.b }, 3);
    }
    return true;
}

void picture_destroy(Picture* picture)
{
    free(picture->pixels);
    memset(picture, 0, sizeof(*picture));
}

static uint8_t mix(uint8_t from, uint8_t to, float share)
{
    return (uint8_t)lrintf((float)from + ((float)to - (float)from) * share);
}

void picture_blend(Picture* picture, int x, int y, Color color, float alpha)
{
    if (x < 0 || y < 0 || (uint32_t)x >= picture->width || (uint32_t)y >= picture->height || !(alpha > 0.0f))
    {
        return;
    }
    float share = alpha < 1.0f ? alpha : 1.0f;
    uint8_t* pixel = picture->pixels + 3 * ((size_t)y * picture->width + (size_t)x);
    pixel[0] = mix(pixel[0], color.r, share);
    pixel[1] = mix(pixel[1], color.g, share);
    pixel[2] = mix(pixel[2], color.b, share);
}

// -----------------------------------------------------------------------------------------------------------
// Areas and strokes
// -----------------------------------------------------------------------------------------------------------

/// Range of whole pixels [low, high) that touch an interval, inside of [0, size).
typedef struct PixelRange
{
    int low, high;
} PixelRange;

static PixelRange pixels_touched(float low, float high, uint32_t size)
{
    float limit = (float)size;
    float from = floorf(low < 0.0f ? 0.0f : (low > limit ? limit : low));
    float to = ceilf(high < 0.0f ? 0.0f : (high > limit ? limit : high));
    return (PixelRange){ (int)from, (int)to };
}

/// How much of pixel `i` lies in [low, high].
static float covered(int i, float low, float high)
{
    float from = fmaxf((float)i, low);
    float to = fminf((float)i + 1.0f, high);
    return to > from ? to - from : 0.0f;
}

void picture_fill(Picture* picture, PicturePoint low, PicturePoint high, Color color, float alpha)
{
    PixelRange columns = pixels_touched(low.x, high.x, picture->width);
    PixelRange rows = pixels_touched(low.y, high.y, picture->height);
    for (int y = rows.low; y < rows.high; ++y)
    {
        float row_share = covered(y, low.y, high.y);
        for (int x = columns.low; x < columns.high; ++x)
        {
            picture_blend(picture, x, y, color, alpha * row_share * covered(x, low.x, high.x));
        }
    }
}

static float squared_distance_to_segment(PicturePoint p, PicturePoint a, PicturePoint b)
{
    float dx = b.x - a.x, dy = b.y - a.y;
    float px = p.x - a.x, py = p.y - a.y;
    float length = dx * dx + dy * dy;
    float t = length > 0.0f ? (px * dx + py * dy) / length : 0.0f;
    t = t < 0.0f ? 0.0f : (t > 1.0f ? 1.0f : t);
    float ex = px - t * dx, ey = py - t * dy;
    return ex * ex + ey * ey;
}

static void bounds_of(const PicturePoint* points, size_t count, PicturePoint* low, PicturePoint* high)
{
    *low = *high = points[0];
    for (size_t i = 1; i < count; ++i)
    {
        low->x = fminf(low->x, points[i].x);
        low->y = fminf(low->y, points[i].y);
        high->x = fmaxf(high->x, points[i].x);
        high->y = fmaxf(high->y, points[i].y);
    }
}

void picture_strokes(Picture* picture, const PicturePoint* points, size_t point_count, float width,
                     Color color, float alpha)
{
    if (point_count < 2)
    {
        return;
    }
    PicturePoint low, high;
    bounds_of(points, point_count, &low, &high);
    float half_width = 0.5f * width + 0.5f;
    PixelRange columns = pixels_touched(low.x - half_width, high.x + half_width, picture->width);
    PixelRange rows = pixels_touched(low.y - half_width, high.y + half_width, picture->height);
    for (int y = rows.low; y < rows.high; ++y)
    {
        for (int x = columns.low; x < columns.high; ++x)
        {
            PicturePoint center = { (float)x + 0.5f, (float)y + 0.5f };
            float nearest = INFINITY;
            for (size_t i = 0; i + 1 < point_count; i += 2)
            {
                nearest = fminf(nearest, squared_distance_to_segment(center, points[i], points[i + 1]));
            }
            float coverage = half_width - sqrtf(nearest);
            picture_blend(picture, x, y, color, alpha * (coverage < 1.0f ? coverage : 1.0f));
        }
    }
}
