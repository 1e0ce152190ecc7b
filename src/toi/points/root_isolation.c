// One sample of each search per pass, all sampled together.
#include "toi/points/root_isolation.h"

#include "base/assert.h"

#include "shape/shape.h"

#include <math.h>

enum
{
    MAX_BRACKETINGS = 60,
    MIN_SAMPLE_LIMIT = 32,
    MAX_SAMPLE_LIMIT = 1024
};

enum
{
    PHASE_LEFT,  // the next sample is at the start
    PHASE_RIGHT, // at the end
    PHASE_SPLIT, // between two others
    PHASE_ROOT,  // in a bracket
    PHASE_FULL,  // of crossings, until they are flushed
    PHASE_DONE
};

/// Precision of times: half a step of a float below 1, in ticks.
static const double TICK_STEP = (double)ABUT_TRAJECTORY_TICKS / (1 << 24);

/// Smallest reduction of the gap between two samples by one in between, as a fraction.
static const double MIN_GAIN = 0.25;

/// Value at a crossing, as a fraction of the rounding of samples.
static const double ROUNDING_SHARE = 0.002;

// -----------------------------------------------------------------------------------------------------------
// Crossings
// -----------------------------------------------------------------------------------------------------------

/// A shorter interval outside is less high than the tolerance.
static void put_crossing(const AbutRootIsolation* isolation, AbutRootSearch* search, bool is_inside, double s)
{
    abut_crossings_put(&search->crossings, is_inside, s, isolation->fine / search->path.max_speed);
}

// -----------------------------------------------------------------------------------------------------------
// Brackets
// -----------------------------------------------------------------------------------------------------------

/// The next sample: regula falsi with the Illinois rule for a value of epsilon, or the middle in every fourth
/// iteration.
static void plan_bracket(AbutRootSearch* search, double epsilon)
{
    double low = search->f_low - epsilon, high = search->f_high - epsilon, fraction = low / (low - high);
    bool is_usable = search->iterations % 4 != 3 && fraction > 0.0 && fraction < 1.0;
    fraction = fraction < 0.001 ? 0.001 : fraction > 0.999 ? 0.999 : fraction;
    search->next = search->low + (search->high - search->low) * (is_usable ? fraction : 0.5);
}

static void narrow_bracket(AbutRootSearch* search, double f)
{
    bool is_low = (f <= 0.0) == (search->left.f <= 0.0);
    int side = is_low ? -1 : 1;
    search->outer = f > 0.0 ? f : search->outer;
    if (is_low)
    {
        search->low = search->next;
        search->f_low = f;
        search->f_high *= search->last_side == side ? 0.5 : 1.0;
    }
    else
    {
        search->high = search->next;
        search->f_high = f;
        search->f_low *= search->last_side == side ? 0.5 : 1.0;
    }
    search->last_side = side;
    search->iterations += 1;
}

/// True when the crossing is at full precision: *at is outside, up to epsilon.
static bool is_crossing(const AbutRootSearch* search, double epsilon, double* at)
{
    *at = search->left.f <= 0.0 ? search->high : search->low;
    return search->outer <= 2.0 * epsilon ||
           (search->high - search->low) * search->crossings.length <= TICK_STEP ||
           search->iterations >= MAX_BRACKETINGS;
}

static void start_bracket(AbutRootSearch* search, const AbutRootSample* right)
{
    search->phase = PHASE_ROOT;
    search->low = search->left.s;
    search->f_low = search->left.f;
    search->high = right->s;
    search->f_high = right->f;
    search->outer = INFINITY;
    search->iterations = 0;
    search->last_side = 0;
}

// -----------------------------------------------------------------------------------------------------------
// Subdivision
// -----------------------------------------------------------------------------------------------------------

static double clamp(double x, double low, double high)
{
    return x > low ? (x < high ? x : high) : low;
}

/// Position of a sample between the left sample and another, in the gap between their safe radii. For a
/// change of sign: as far from the sample with the larger safe radius that the new safe radius just closes
/// the gap if values change linearly, but not beyond the expected crossing; at the crossing, when the step
/// would be too short.
static double split_at(const AbutRootSearch* search, const AbutRootSample* right)
{
    const AbutRootSample* left = &search->left;
    double inverse_speed = 1.0 / search->path.max_speed, width = right->s - left->s;
    double low = left->s + left->safe_radius * inverse_speed,
           high = right->s - right->safe_radius * inverse_speed, gap = high - low;
    if ((left->f <= 0.0) == (right->f <= 0.0))
    {
        return 0.5 * (low + high);
    }
    double root = clamp(left->s + width * left->f / (left->f - right->f), low, high);
    double rate = (left->safe_radius + right->safe_radius) * inverse_speed / width;
    double safe_radius = left->safe_radius > right->safe_radius ? left->safe_radius : right->safe_radius;
    double step = 0.97 * (2.0 * safe_radius + search->fine) * inverse_speed / (1.0 + rate);
    bool is_from_left = left->safe_radius > right->safe_radius;
    double at = is_from_left ? left->s + step : right->s - step;
    double gain = is_from_left ? (at < root ? at : root) - low : high - (at > root ? at : root);
    if (gain < MIN_GAIN * gap)
    {
        return clamp(root, low + MIN_GAIN * gap, high - MIN_GAIN * gap);
    }
    return is_from_left ? low + gain : high - gain;
}

/// Advances to the right over proved gaps, and plans the next sample.
static void advance(AbutRootIsolation* isolation, AbutRootSearch* search)
{
    while (search->depth > 0)
    {
        const AbutRootSample right = search->ahead[search->depth - 1];
        double length = search->path.max_speed * (right.s - search->left.s);
        bool is_crossed = (search->left.f <= 0.0) != (right.f <= 0.0);
        bool is_proved = length - search->left.safe_radius - right.safe_radius <= isolation->fine;
        if (!is_proved && (search->fine == isolation->fine || length > search->fine) &&
            search->depth < ABUT_ROOT_SEARCH_DEPTH)
        {
            search->phase = PHASE_SPLIT;
            search->next = split_at(search, &right);
            return;
        }
        if (!abut_crossings_have_capacity(&search->crossings))
        {
            search->phase = PHASE_FULL;
            return;
        }
        if (!is_proved)
        {
            put_crossing(isolation, search, true, search->left.s);
            put_crossing(isolation, search, right.f <= 0.0, right.s);
            isolation->coarsest = length > isolation->coarsest ? length : isolation->coarsest;
        }
        else if (is_crossed)
        {
            start_bracket(search, &right);
            return;
        }
        search->left = right;
        search->depth -= 1;
    }
    search->phase = PHASE_DONE;
}

/// Plans the next sample in a bracket, or ends it.
static void go_on_bracket(AbutRootIsolation* isolation, AbutRootSearch* search, double epsilon)
{
    double at;
    while (search->phase == PHASE_ROOT)
    {
        if (!is_crossing(search, epsilon, &at))
        {
            plan_bracket(search, epsilon);
            return;
        }
        put_crossing(isolation, search, !(search->left.f <= 0.0), at);
        search->left = search->ahead[--search->depth];
        advance(isolation, search);
    }
}

/// A sample at an end with a known side and an unknown distance.
static AbutRootSample known_sample(const AbutRootSearch* search, int inside, double s)
{
    return (AbutRootSample){ s, (inside != 0 ? -0.5 : 0.5) * search->fine, 0.0 };
}

/// Sets the sample at the start.
static void set_left(AbutRootIsolation* isolation, AbutRootSearch* search, AbutRootSample sample)
{
    search->left = sample;
    put_crossing(isolation, search, sample.f <= 0.0, 0.0);
    if (search->after == ABUT_NOT_KNOWN)
    {
        search->phase = PHASE_RIGHT;
        search->next = 1.0;
        return;
    }
    search->ahead[search->depth++] = known_sample(search, search->after, 1.0);
    advance(isolation, search);
}

static void step_search(AbutRootIsolation* isolation, AbutRootSearch* search, const float at[3], float f)
{
    const AbutSafeRadius* safe_radius = &isolation->side->safe_radius;
    double coordinate_sum = fabs((double)at[0]) + fabs((double)at[1]) + fabs((double)at[2]);
    double epsilon = ROUNDING_SHARE * abut_safe_radius_rounding(safe_radius, coordinate_sum, f);
    AbutRootSample sample = { search->next, (double)f, 0.0 };
    search->samples += 1;
    if (search->samples >= isolation->sample_limit)
    {
        search->samples -= isolation->sample_limit / 4;
        search->fine *= 2.0;
    }
    if (search->phase == PHASE_ROOT)
    {
        narrow_bracket(search, f);
        go_on_bracket(isolation, search, epsilon);
        return;
    }
    sample.safe_radius = abut_safe_radius_same_sign(safe_radius, at, f);
    if (search->phase == PHASE_LEFT)
    {
        set_left(isolation, search, sample);
    }
    else
    {
        ABUT_ASSERT(search->depth < ABUT_ROOT_SEARCH_DEPTH);
        search->ahead[search->depth++] = sample;
        advance(isolation, search);
    }
    go_on_bracket(isolation, search, epsilon);
}

// -----------------------------------------------------------------------------------------------------------
// Passes
// -----------------------------------------------------------------------------------------------------------

static bool is_active(const AbutRootSearch* search)
{
    return search->phase < PHASE_FULL;
}

/// The next sample of the listed searches. Returns the number of those that go on, which stay in the list.
static uint32_t run_pass(AbutRootIsolation* isolation, AbutToiPointBatch* batch, uint8_t* list,
                         uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < count; ++k)
    {
        float at[3];
        abut_quintic_at(&isolation->searches[list[k]].path, isolation->searches[list[k]].next, at);
        batch->at[0][k] = at[0];
        batch->at[1][k] = at[1];
        batch->at[2][k] = at[2];
    }
    batch->count = count;
    abut_toi_point_batch_sample(isolation->side, batch);
    *isolation->evaluations += count;
    for (uint32_t k = 0; k < count; ++k)
    {
        AbutRootSearch* search = &isolation->searches[list[k]];
        const float at[3] = { batch->at[0][k], batch->at[1][k], batch->at[2][k] };
        step_search(isolation, search, at, batch->distance[k]);
        list[left] = list[k];
        left += is_active(search) ? 1 : 0;
    }
    return left;
}

_Static_assert(ABUT_TOI_POINT_BATCH <= 256, "searches are listed in bytes");

/// Runs searches until they are done or full. False when the budget is spent.
static bool run_searches(AbutRootIsolation* isolation, uint32_t first, uint32_t end)
{
    AbutToiPointBatch batch;
    uint8_t list[ABUT_TOI_POINT_BATCH];
    uint32_t count = 0;
    for (uint32_t i = first; i < end; ++i)
    {
        list[count] = (uint8_t)i;
        count += is_active(&isolation->searches[i]) ? 1 : 0;
    }
    while (count > 0)
    {
        if (*isolation->evaluations >= isolation->budget)
        {
            return false;
        }
        count = run_pass(isolation, &batch, list, count);
    }
    return true;
}

bool abut_root_isolation_flush(AbutRootIsolation* isolation)
{
    uint32_t count = isolation->count;
    isolation->count = 0;
    if (!run_searches(isolation, 0, count))
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutRootSearch* search = &isolation->searches[i];
        abut_crossings_start(&search->crossings, isolation->writer);
        abut_crossings_flush(&search->crossings, isolation->writer);
        while (search->phase != PHASE_DONE)
        {
            advance(isolation, search);
            go_on_bracket(isolation, search, 0.0);
            if (!run_searches(isolation, i, i + 1))
            {
                return false;
            }
            abut_crossings_flush(&search->crossings, isolation->writer);
        }
        abut_crossings_end(&search->crossings, isolation->writer);
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

static void start_search(AbutRootIsolation* isolation, AbutRootSearch* search, const AbutSpan* span)
{
    search->depth = 0;
    search->samples = 0;
    search->fine = isolation->fine;
    search->after = span->after;
    search->phase = PHASE_LEFT;
    search->next = 0.0;
    if (span->before != ABUT_NOT_KNOWN)
    {
        set_left(isolation, search, known_sample(search, span->before, 0.0));
        go_on_bracket(isolation, search, 0.0);
    }
}

bool abut_root_isolation_add(AbutRootIsolation* isolation, uint32_t point,
                             const AbutOpenIntervals* open_intervals)
{
    AbutSpans spans = abut_spans(open_intervals, isolation->trajectory_samples->span_ticks);
    AbutSpan span;
    double radius;
    AbutDVec3 at = abut_sphere_load(isolation->side->points, point | ABUT_SPHERE_IS_POINT, &radius);
    while (abut_spans_next(&spans, &span))
    {
        if (isolation->count == ABUT_TOI_POINT_BATCH && !abut_root_isolation_flush(isolation))
        {
            return false;
        }
        ABUT_ASSERT(isolation->count < ABUT_TOI_POINT_BATCH);
        AbutRootSearch* search = &isolation->searches[isolation->count++];
        abut_crossings_init(&search->crossings, point, &span);
        search->phase = PHASE_DONE;
        if (span.is_open)
        {
            abut_trajectory_samples_quintic(isolation->trajectory_samples, at, span.begin, span.end,
                                            &search->path);
            start_search(isolation, search, &span);
        }
    }
    return true;
}

void abut_root_isolation_init(AbutRootIsolation* isolation, const AbutToiPointSide* side,
                              AbutTrajectorySamples* trajectory_samples, AbutIntervalWriter* writer,
                              uint64_t budget)
{
    uint64_t share = budget / (4 * (uint64_t)(side->points->count + 1u));
    isolation->sample_limit = share > MAX_SAMPLE_LIMIT ? MAX_SAMPLE_LIMIT : (uint32_t)share;
    isolation->sample_limit =
        isolation->sample_limit < MIN_SAMPLE_LIMIT ? MIN_SAMPLE_LIMIT : isolation->sample_limit;
    isolation->budget = budget;
    isolation->side = side;
    isolation->trajectory_samples = trajectory_samples;
    isolation->writer = writer;
    isolation->count = 0;
    isolation->coarsest = 0.0;
    isolation->fine = 2.0 * (side->tolerance + side->error) / fmax(1.0, side->shape->info.lipschitz);
}
