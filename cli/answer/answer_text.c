#include "answer_text.h"

#include <stdio.h>

/// Of the size: what rounding leaves of a zero.
#define DUST 1e-7f

double text_tidy(float value, float size)
{
    return fabsf(value) < DUST * size ? 0.0 : (double)value;
}

void text_point(AbutVec3 point, float size)
{
    printf("(%.6g %.6g %.6g)", text_tidy(point.x, size), text_tidy(point.y, size), text_tidy(point.z, size));
}

void csv_float(float value)
{
    printf(isfinite(value) ? ",%.9g" : ",", (double)value);
}

void csv_vec3(AbutVec3 value)
{
    csv_float(value.x);
    csv_float(value.y);
    csv_float(value.z);
}

void csv_empty(int count)
{
    for (int i = 0; i < count; ++i)
    {
        printf(",");
    }
}
