// Colours are mixed in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), where
// equal steps look equal.
#include "colormap.h"

#include <math.h>

typedef struct Lab
{
    float l, a, b;
} Lab;

static float to_linear(uint8_t value)
{
    float v = (float)value / 255.0f;
    return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

static float from_linear(float v)
{
    float clamped = v < 0.0f ? 0.0f : (v > 1.0f ? 1.0f : v);
    float encoded = clamped <= 0.0031308f ? clamped * 12.92f : 1.055f * powf(clamped, 1.0f / 2.4f) - 0.055f;
    return 255.0f * encoded;
}

static Lab lab_from_color(Color color)
{
    float r = to_linear(color.r), g = to_linear(color.g), b = to_linear(color.b);
    float l = cbrtf(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    float m = cbrtf(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    float s = cbrtf(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    return (Lab){ 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
                  1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
                  0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s };
}

static void color_from_lab(Lab lab, float out[3])
{
    float l = lab.l + 0.3963377774f * lab.a + 0.2158037573f * lab.b;
    float m = lab.l - 0.1055613458f * lab.a - 0.0638541728f * lab.b;
    float s = lab.l - 0.0894841775f * lab.a - 1.2914855480f * lab.b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    out[0] = from_linear(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s);
    out[1] = from_linear(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s);
    out[2] = from_linear(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s);
}

enum
{
    STOP_COUNT = 4
};

static void fill_side(const Color stops[STOP_COUNT], float out[COLORMAP_SIZE][3])
{
    Lab labs[STOP_COUNT];
    for (int i = 0; i < STOP_COUNT; ++i)
    {
        labs[i] = lab_from_color(stops[i]);
    }
    for (int i = 0; i < COLORMAP_SIZE; ++i)
    {
        float position = (float)i / (float)(COLORMAP_SIZE - 1) * (float)(STOP_COUNT - 1);
        int stop = position >= (float)(STOP_COUNT - 1) ? STOP_COUNT - 2 : (int)position;
        float t = position - (float)stop;
        Lab from = labs[stop], to = labs[stop + 1];
        Lab mixed = { from.l + (to.l - from.l) * t, from.a + (to.a - from.a) * t,
                      from.b + (to.b - from.b) * t };
        color_from_lab(mixed, out[i]);
    }
}

Colormap colormap_make(float inside_range, float outside_range)
{
    // Both sides start light, so that the dark zero line stands out, and at once on their own side of grey,
    // so that even a thin wall shows its colour.
    static const Color inside_stops[STOP_COUNT] = {
        { 206, 229, 246 }, { 120, 181, 226 }, { 44, 116, 181 }, { 14, 58, 112 }
    };
    static const Color outside_stops[STOP_COUNT] = {
        { 255, 243, 220 }, { 252, 213, 150 }, { 234, 158, 92 }, { 186, 98, 58 }
    };
    Colormap map = { .inside_range = inside_range, .outside_range = outside_range };
    fill_side(inside_stops, map.inside);
    fill_side(outside_stops, map.outside);
    return map;
}

const float* colormap_color(const Colormap* map, float distance)
{
    static const float grey[3] = { 128.0f, 128.0f, 128.0f };
    if (isnan(distance))
    {
        return grey;
    }
    bool is_inside = distance < 0.0f;
    float range = is_inside ? map->inside_range : map->outside_range;
    float share = range > 0.0f ? fabsf(distance) / range : 0.0f;
    // Infinite distances, whose share is not a number, are as far as the furthest.
    int index = share < 1.0f ? (int)(share * (float)(COLORMAP_SIZE - 1) + 0.5f) : COLORMAP_SIZE - 1;
    return is_inside ? map->inside[index] : map->outside[index];
}
