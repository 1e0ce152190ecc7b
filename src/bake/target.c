// The error of a field falls with a power of the cell size: 2 or 3 where the surface is smooth, 1 at its edges. Which one
// holds is seen from two bakes, and tells the resolution of the next; only the error that a bake measures ends the
// search.
#include "bake/target.h"

#include <math.h>

enum
{
    FIRST_RESOLUTION = 32,
    LAST_RESOLUTION = 8192,
    MOST_BAKES = 12,
    BRICK = 8 // resolutions are multiples of it: what is between costs the same
};

static const double LEAST_ORDER = 0.9, MOST_ORDER = 3.2; // of convergence, as measured
static const double LARGEST_STEP = 3.0;                  // from one resolution to the next
static const double AIM = 0.9; // of the target: that the measure is a sample makes it uneven
static const double NO_FALL =
    0.95; // an error that is still this part of the last one has hit the rounding of floats

/// Progress of all bakes of a search: each has half of what is left, since how many there are is not known.
typedef struct SearchProgress
{
    const AbutBakeDef* def;
    float start;
} SearchProgress;

static bool report(void* user, float done)
{
    const SearchProgress* self = user;
    return self->def->progress(self->def->progress_user, self->start + 0.5f * (1.0f - self->start) * done);
}

typedef struct Search
{
    double target;
    uint32_t resolution, last_resolution; // last: the finest that was baked; 0 before
    double last_error;
    double order;
    bool stepped_back;
} Search;

static uint32_t whole_bricks(double resolution)
{
    double rounded = ceil(resolution / BRICK) * BRICK;
    return (uint32_t)fmin(rounded, LAST_RESOLUTION);
}

/// Takes in a measured error and picks the next resolution. @return false when none is left to try.
static bool advance(Search* search, double error)
{
    Search before = *search;
    search->last_resolution = search->resolution;
    search->last_error = error;
    if (before.last_resolution != 0)
    {
        double finer = (double)before.resolution / before.last_resolution;
        double order = log(before.last_error / error) / log(finer);
        search->order = fmin(fmax(order, LEAST_ORDER), MOST_ORDER);
        if (finer > 1.2 && error > NO_FALL * before.last_error)
        {
            return false;
        }
    }
    double step = pow(error / (AIM * search->target), 1.0 / search->order);
    // One bake says nothing about the order.
    double largest = before.last_resolution == 0 ? 2.0 : LARGEST_STEP;
    uint32_t next = whole_bricks(before.resolution * fmin(step, largest));
    search->resolution = next > before.resolution ? next : before.resolution + BRICK;
    return search->resolution <= LAST_RESOLUTION;
}

/// The resolution that was to be tried takes too much: a little less may do, since more was aimed at than is asked for,
/// but far less will not. @return false when that has been tried.
static bool step_back(Search* search)
{
    uint32_t less = whole_bricks(AIM * search->resolution - BRICK);
    bool worth_it = !search->stepped_back && less > search->last_resolution && search->last_resolution != 0;
    search->stepped_back = true;
    search->resolution = worth_it ? less : search->resolution;
    return worth_it;
}

static AbutResult fail_search(const Search* search, const char* reason)
{
    return abut_fail(
        ABUT_LIMIT_EXCEEDED,
        "bake: an error of %g is not reached: with %u cells along the longest side it is %g, falling with "
        "the power %.1f of the cell size; %s",
        search->target, search->last_resolution, search->last_error, search->order, reason);
}

AbutResult abut_bake_to_target(const AbutBakeDef* def, AbutBakeOnceFn* once, const void* source,
                               AbutShape** out)
{
    Search search = { .target = (double)def->target_error, .resolution = FIRST_RESOLUTION, .order = 1.0 };
    SearchProgress progress = { .def = def };
    AbutBakeDef one = *def;
    one.target_error = 0.0f;
    one.cell_size = 0.0f;
    one.progress = def->progress != NULL ? report : NULL;
    one.progress_user = &progress;
    for (int i = 0; i < MOST_BAKES; ++i, progress.start += 0.5f * (1.0f - progress.start))
    {
        one.resolution = search.resolution;
        AbutResult result = once(&one, source, out);
        if (result == ABUT_LIMIT_EXCEEDED && search.last_resolution != 0)
        {
            if (!step_back(&search))
            {
                return fail_search(&search, abut_last_error());
            }
            continue;
        }
        if (result != ABUT_OK)
        {
            return result;
        }
        double error = (double)abut_field_info(*out).measured_max;
        if (error <= search.target)
        {
            return ABUT_OK;
        }
        abut_shape_destroy(*out);
        *out = NULL;
        if (!advance(&search, error))
        {
            return fail_search(&search, "finer cells do not help");
        }
    }
    return fail_search(&search, "too many bakes were tried");
}
