#include "report_rows.h"

#include <stdarg.h>
#include <stdio.h>

void print_row(const char* name, const char* format, ...)
{
    printf("  %-20s", name);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

void print_bounds(AbutBox box)
{
    if (abut_box_is_empty(box))
    {
        print_row("bounds", "empty");
        return;
    }
    AbutVec3 size = abut_box_extents(box);
    print_row("bounds", "(%.7g, %.7g, %.7g) to (%.7g, %.7g, %.7g)", (double)box.min.x, (double)box.min.y,
              (double)box.min.z, (double)box.max.x, (double)box.max.y, (double)box.max.z);
    print_row("size", "%.7g x %.7g x %.7g", (double)size.x, (double)size.y, (double)size.z);
}

void print_mass(const AbutMassData* mass)
{
    print_row("volume", "%.9g", mass->volume);
    print_row("centre", "(%.7g, %.7g, %.7g)", mass->center[0], mass->center[1], mass->center[2]);
    for (int i = 0; i < 3; ++i)
    {
        print_row(i == 0 ? "inertia (density 1)" : "", "%14.7g %14.7g %14.7g", mass->inertia[i][0],
                  mass->inertia[i][1], mass->inertia[i][2]);
    }
}
