#include "base/wall_clock.h"

#include <time.h>

double abut_wall_clock(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
