#include "point_text.h"

#include <abut/io.h>
#include <math.h>

/// Coordinates beyond this are refused: their squares would leave the range of float.
#define COORDINATE_LIMIT 1e18

static const char* skip_blanks(const char* at, const char* end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
    {
        ++at;
    }
    return at;
}

static bool at_end(const char* at, const char* end)
{
    return at == end || *at == '#';
}

PointLine point_line_parse(const char* line, const char* end, AbutPosition* point, const char** reason)
{
    const char* at = skip_blanks(line, end);
    if (at_end(at, end))
    {
        return POINT_LINE_EMPTY;
    }
    double values[3];
    for (int i = 0; i < 3; ++i)
    {
        const char* start = at;
        at = abut_number_parse(at, end, &values[i]);
        if (at == NULL)
        {
            *reason = at_end(start, end) ? "fewer than three numbers; a point is x y z"
                                         : "not a finite number; a point is x y z";
            return POINT_LINE_BAD;
        }
        const char* after = skip_blanks(at, end);
        bool comma = i < 2 && after < end && *after == ',';
        if (after == at && !comma && !at_end(at, end))
        {
            *reason = "something is glued to a number; a point is x y z";
            return POINT_LINE_BAD;
        }
        at = comma ? skip_blanks(after + 1, end) : after;
    }
    if (!at_end(at, end))
    {
        *reason = "more than three numbers; a point is x y z";
        return POINT_LINE_BAD;
    }
    if (fmax(fabs(values[0]), fmax(fabs(values[1]), fabs(values[2]))) > COORDINATE_LIMIT)
    {
        *reason = "a coordinate is beyond 1e18";
        return POINT_LINE_BAD;
    }
    *point = (AbutPosition){ values[0], values[1], values[2] };
    return POINT_LINE_POINT;
}
