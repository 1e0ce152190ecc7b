// A sans-serif font of round strokes, drawn for this program. Capitals are 36 units high, small letters 26,
// tails reach down to -11. A glyph is a list of strokes separated by ';'. A stroke is a list of points "x,y"
// and arcs "(cx,cy,rx,ry,from,to)" with angles in degrees, counter-clockwise from the right; each joins the
// one before.
#include "font.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Glyph
{
    float width;
    const char* strokes;
} Glyph;

enum
{
    FIRST = ' ',
    LAST = '~'
};

static const Glyph glyphs[LAST - FIRST + 1] = {
    [' ' - FIRST] = { 4, "" },
    ['!' - FIRST] = { 3, "1.5,36 1.5,11;1.5,0.5 1.5,1" },
    ['"' - FIRST] = { 8, "0,36 0,26;8,36 8,26" },
    ['#' - FIRST] = { 24, "7,0 11,36;15,0 19,36;1,24 24,24;0,12 23,12" },
    ['$' - FIRST] = { 21, "(10.5,26,9.5,8,35,270) (10.5,10,10.5,8,90,-148);10.5,40 10.5,-4" },
    ['%' - FIRST] = { 32, "6,0 26,36;(6.5,28.5,6.5,7.5,0,360);(25.5,7.5,6.5,7.5,0,360)" },
    ['&' - FIRST] = { 27, "27,0 5.5,25 (11,29,6.5,7,215,-40) (11,9,11,9.5,120,330) 26,17" },
    ['\'' - FIRST] = { 3, "1.5,36 1.5,26" },
    ['(' - FIRST] = { 8, "(16,15.5,16,25,122,238)" },
    [')' - FIRST] = { 8, "(-8,15.5,16,25,58,-58)" },
    ['*' - FIRST] = { 16, "8,36 8,20;1,32 15,24;15,32 1,24" },
    ['+' - FIRST] = { 20, "0,14 20,14;10,4 10,24" },
    [',' - FIRST] = { 3, "3,1 0,-7" },
    ['-' - FIRST] = { 14, "0,14 14,14" },
    ['.' - FIRST] = { 3, "1.5,0.5 1.5,1" },
    ['/' - FIRST] = { 16, "0,-5 16,39" },
    ['0' - FIRST] = { 22, "(11,18,11,18,0,360)" },
    ['1' - FIRST] = { 14, "2,28 12,36 12,0" },
    ['2' - FIRST] = { 21, "(10.5,25.5,10,10.5,165,-40) 0,0 21,0" },
    ['3' - FIRST] = { 21, "(10,27.5,9,8.5,150,-90);10,19 (10,9.5,11,9.5,90,-152)" },
    ['4' - FIRST] = { 23, "17,0 17,36 0,11 23,11" },
    ['5' - FIRST] = { 21, "19,36 4,36 2.5,19.5 (10,11.5,11,11.5,132,-150)" },
    ['6' - FIRST] = { 22, "15,36 2,18;(11,11.5,11,11.5,0,360)" },
    ['7' - FIRST] = { 21, "0,36 21,36 7,0" },
    ['8' - FIRST] = { 22, "(11,27.5,9,8.5,0,360);(11,9.5,11,9.5,0,360)" },
    ['9' - FIRST] = { 22, "7,0 20,18;(11,24.5,11,11.5,0,360)" },
    [':' - FIRST] = { 3, "1.5,2.5 1.5,3;1.5,21.5 1.5,22" },
    [';' - FIRST] = { 3, "3,2.5 0,-6;3,21.5 3,22" },
    ['<' - FIRST] = { 18, "18,24 0,14 18,4" },
    ['=' - FIRST] = { 20, "0,19 20,19;0,9.5 20,9.5" },
    ['>' - FIRST] = { 18, "0,24 18,14 0,4" },
    ['?' - FIRST] = { 18, "(9,27,9,9,165,-50) 9,15 9,11;9,0.5 9,1" },
    ['@' - FIRST] = { 34, "(17,13,7,8,0,360);24,21 24,8 (29,8,5,5,180,330) (17,14,17,18,-10,300)" },
    ['A' - FIRST] = { 28, "0,0 14,36 28,0;4.7,12 23.3,12" },
    ['B' - FIRST] = { 23, "0,0 0,36 12,36 (12,27.5,8.5,8.5,90,-90) 0,19;12,19 (13,9.5,9.5,9.5,90,-90) 0,0" },
    ['C' - FIRST] = { 29, "(17,18,17,18,48,312)" },
    ['D' - FIRST] = { 27, "0,0 0,36 10,36 (10,18,17,18,90,-90) 0,0" },
    ['E' - FIRST] = { 20, "20,36 0,36 0,0 20,0;0,19 17,19" },
    ['F' - FIRST] = { 20, "20,36 0,36 0,0;0,18 17,18" },
    ['G' - FIRST] = { 33, "(17,18,17,18,48,320) 30.5,17 19,17" },
    ['H' - FIRST] = { 24, "0,0 0,36;24,0 24,36;0,19 24,19" },
    ['I' - FIRST] = { 3, "1.5,0 1.5,36" },
    ['J' - FIRST] = { 14, "14,36 14,8 (7,8,7,8,0,-175)" },
    ['K' - FIRST] = { 23, "0,0 0,36;22,36 0,13;8,21 23,0" },
    ['L' - FIRST] = { 19, "0,36 0,0 19,0" },
    ['M' - FIRST] = { 30, "0,0 0,36 15,9 30,36 30,0" },
    ['N' - FIRST] = { 24, "0,0 0,36 24,0 24,36" },
    ['O' - FIRST] = { 34, "(17,18,17,18,0,360)" },
    ['P' - FIRST] = { 22, "0,0 0,36 12,36 (12,26.5,9.5,9.5,90,-90) 0,17" },
    ['Q' - FIRST] = { 34, "(17,18,17,18,0,360);22,9 33,-2" },
    ['R' - FIRST] = { 23, "0,0 0,36 12,36 (12,26.5,9.5,9.5,90,-90) 0,17;12,17 23,0" },
    ['S' - FIRST] = { 22, "(11,27,10,9,35,270) (11,9,11,9,90,-148)" },
    ['T' - FIRST] = { 26, "0,36 26,36;13,36 13,0" },
    ['U' - FIRST] = { 24, "0,36 0,12 (12,12,12,12,180,360) 24,36" },
    ['V' - FIRST] = { 28, "0,36 14,0 28,36" },
    ['W' - FIRST] = { 40, "0,36 10,0 20,36 30,0 40,36" },
    ['X' - FIRST] = { 24, "0,0 24,36;0,36 24,0" },
    ['Y' - FIRST] = { 26, "0,36 13,17 26,36;13,17 13,0" },
    ['Z' - FIRST] = { 23, "0,36 23,36 0,0 23,0" },
    ['[' - FIRST] = { 7, "7,39 0,39 0,-7 7,-7" },
    ['\\' - FIRST] = { 16, "0,39 16,-5" },
    [']' - FIRST] = { 7, "0,39 7,39 7,-7 0,-7" },
    ['^' - FIRST] = { 16, "0,25 8,36 16,25" },
    ['_' - FIRST] = { 20, "0,-6 20,-6" },
    ['`' - FIRST] = { 6, "0,37 6,30" },
    ['a' - FIRST] = { 20, "(10,13,10,13,0,360);20,26 20,0" },
    ['b' - FIRST] = { 20, "0,37 0,0;(10,13,10,13,0,360)" },
    ['c' - FIRST] = { 18, "(11,13,11,13,50,310)" },
    ['d' - FIRST] = { 20, "20,37 20,0;(10,13,10,13,0,360)" },
    ['e' - FIRST] = { 22, "0.5,13.5 21.5,13.5 (11,13,11,13,0,315)" },
    ['f' - FIRST] = { 14, "14,37 12,37 (12,30,7,7,90,180) 5,0;0,25 13,25" },
    ['g' - FIRST] = { 20, "20,26 20,-2 (10,-2,10,9.5,0,-150);(10,13,10,13,0,360)" },
    ['h' - FIRST] = { 18, "0,37 0,0;0,16 (9,17,9,9,180,0) 18,0" },
    ['i' - FIRST] = { 3, "1.5,26 1.5,0;1.5,35.5 1.5,36" },
    ['j' - FIRST] = { 6, "6,26 6,-5 (0,-5,6,6.5,0,-90);6,35.5 6,36" },
    ['k' - FIRST] = { 17, "0,37 0,0;16,26 0,10;6,16 17,0" },
    ['l' - FIRST] = { 3, "1.5,37 1.5,0" },
    ['m' - FIRST] = { 32, "0,26 0,0;0,17 (8,18,8,8,180,0) 16,0;16,17 (24,18,8,8,180,0) 32,0" },
    ['n' - FIRST] = { 18, "0,26 0,0;0,16 (9,17,9,9,180,0) 18,0" },
    ['o' - FIRST] = { 22, "(11,13,11,13,0,360)" },
    ['p' - FIRST] = { 20, "0,26 0,-11;(10,13,10,13,0,360)" },
    ['q' - FIRST] = { 20, "20,26 20,-11;(10,13,10,13,0,360)" },
    ['r' - FIRST] = { 11, "0,26 0,0;0,15 (10,16,10,10,180,85)" },
    ['s' - FIRST] = { 16, "(8,19.7,7.3,6.3,38,270) (8,6.7,8,6.7,90,-146)" },
    ['t' - FIRST] = { 14, "5,35 5,6.5 (11.5,6.5,6.5,6.5,180,270) 14,0;0,26 13,26" },
    ['u' - FIRST] = { 18, "0,26 0,9 (9,9,9,9,180,360) 18,26;18,10 18,0" },
    ['v' - FIRST] = { 18, "0,26 9,0 18,26" },
    ['w' - FIRST] = { 28, "0,26 7,0 14,26 21,0 28,26" },
    ['x' - FIRST] = { 17, "0,26 17,0;17,26 0,0" },
    ['y' - FIRST] = { 18, "0,26 9,1;18,26 5,-11" },
    ['z' - FIRST] = { 17, "0,26 17,26 0,0 17,0" },
    ['{' - FIRST] = { 9, "9,39 (9,33,5,6,90,180) 4,22 0,16 4,10 (9,-1,5,6,180,270)" },
    ['|' - FIRST] = { 3, "1.5,40 1.5,-8" },
    ['}' - FIRST] = { 9, "0,39 (0,33,5,6,90,0) 5,22 9,16 5,10 (0,-1,5,6,0,-90)" },
    ['~' - FIRST] = { 20, "(5,12,5,5,180,30) (15,16,5,5,210,360)" },
};

static const Glyph unknown_glyph = { 18, "0,0 18,0 18,30 0,30 0,0" };

/// Degrees of a circle per straight piece.
#define ARC_STEP 20.0f

typedef struct StrokeBuilder
{
    PicturePoint* points;
    size_t count;
    PicturePoint last;
    bool started; // `last` belongs to the current stroke
} StrokeBuilder;

static void add_point(StrokeBuilder* builder, float x, float y)
{
    PicturePoint point = { x, y };
    if (builder->started && builder->count + 2 <= FONT_POINT_LIMIT)
    {
        builder->points[builder->count++] = builder->last;
        builder->points[builder->count++] = point;
    }
    builder->last = point;
    builder->started = true;
}

static void add_arc(StrokeBuilder* builder, const float v[6])
{
    enum
    {
        CENTER_X,
        CENTER_Y,
        RADIUS_X,
        RADIUS_Y,
        FROM,
        TO
    };
    int steps = (int)ceilf(fabsf(v[TO] - v[FROM]) / ARC_STEP);
    for (int i = 0; i <= steps; ++i)
    {
        float angle = (v[FROM] + (v[TO] - v[FROM]) * (float)i / (float)steps) * 0.01745329252f;
        add_point(builder, v[CENTER_X] + v[RADIUS_X] * cosf(angle), v[CENTER_Y] + v[RADIUS_Y] * sinf(angle));
    }
}

/// Reads `count` numbers with commas between and one character after them.
static const char* read_numbers(const char* at, float* values, int count)
{
    for (int i = 0; i < count; ++i)
    {
        char* end;
        values[i] = strtof(at, &end);
        at = i + 1 < count ? end + 1 : end;
    }
    return at;
}

size_t font_strokes(unsigned char letter, PicturePoint points[FONT_POINT_LIMIT], float* width)
{
    const Glyph* glyph = letter >= FIRST && letter <= LAST ? &glyphs[letter - FIRST] : &unknown_glyph;
    StrokeBuilder builder = { .points = points };
    float values[6];
    for (const char* at = glyph->strokes; *at != '\0';)
    {
        if (*at == '(')
        {
            at = read_numbers(at + 1, values, 6) + 1;
            add_arc(&builder, values);
        }
        else if (*at == ';' || *at == ' ')
        {
            builder.started = *at == ' ' && builder.started;
            ++at;
        }
        else
        {
            at = read_numbers(at, values, 2);
            add_point(&builder, values[0], values[1]);
        }
    }
    *width = glyph->width;
    return builder.count;
}
