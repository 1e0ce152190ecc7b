#include "font.h"
#include "picture.h"

#include <math.h>

/// Bytes after the first of a UTF-8 sequence: the letter has been drawn (as a box) at the first.
static bool continues_letter(unsigned char byte)
{
    return (byte & 0xC0u) == 0x80u;
}

float picture_text_width(const char* text, float size)
{
    PicturePoint points[FONT_POINT_LIMIT];
    float total = 0.0f;
    for (const char* at = text; *at != '\0'; ++at)
    {
        if (!continues_letter((unsigned char)*at))
        {
            float width;
            font_strokes((unsigned char)*at, points, &width);
            total += width + (float)FONT_GAP;
        }
    }
    return total > 0.0f ? (total - (float)FONT_GAP) * size / (float)FONT_CAPITAL_HEIGHT : 0.0f;
}

static void draw(Picture* picture, float x, float y, const char* text, float size, float stroke, Color color,
                 float alpha)
{
    float scale = size / (float)FONT_CAPITAL_HEIGHT;
    PicturePoint points[FONT_POINT_LIMIT];
    for (const char* at = text; *at != '\0'; ++at)
    {
        if (continues_letter((unsigned char)*at))
        {
            continue;
        }
        float width;
        size_t count = font_strokes((unsigned char)*at, points, &width);
        for (size_t i = 0; i < count; ++i)
        {
            points[i].x = x + points[i].x * scale;
            points[i].y = y - points[i].y * scale;
        }
        picture_strokes(picture, points, count, stroke, color, alpha);
        x += (width + (float)FONT_GAP) * scale;
    }
}

void picture_text(Picture* picture, float x, float y, const char* text, float size, float weight, Color color)
{
    // Strokes thinner than a pixel would fade away.
    draw(picture, x, y, text, size, fmaxf(weight * size, 1.0f), color, 1.0f);
}

void picture_text_with_rim(Picture* picture, float x, float y, const char* text, float size, Color color,
                           Color rim)
{
    float stroke = fmaxf(TEXT_REGULAR * size, 1.0f);
    draw(picture, x, y, text, size, stroke + 0.36f * size, rim, 0.75f);
    draw(picture, x, y, text, size, stroke, color, 1.0f);
}
