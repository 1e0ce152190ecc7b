// What the paths of all points of a sphere have in common over a span: the maps to their coefficients, and bounds from the path of its centre
// and from how much others may differ from it.
#include "math/rounding.h"
#include "toi/points/cell_tracer.h"

#include <math.h>

/// Steps of a float below 1, for numbers that are rounded a few times.
static const double FLOAT_STEP = 0x1p-23;

/// Cubics of values up to a few cells are rounded to this, in cells per slope.
static const double VALUE_ROUNDING = 0x1p-19;

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// How far a map takes two points apart that are 1 apart, at most: the Frobenius norm.
static double stretch_of(double map[3][4])
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        sum += map[i / 3][i % 3] * map[i / 3][i % 3];
    }
    return sqrt(sum);
}

/// The velocity's control points, which it lies in the hull of, are affine in the coefficients. So are those of the acceleration.
static double longest_control(double c[6][3], const double weights[][6], int count)
{
    double longest = 0.0;
    for (int i = 0; i < count; ++i)
    {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for (int k = 1; k <= ABUT_TRACE_DEGREE; ++k)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                sum[axis] += weights[i][k] * c[k][axis];
            }
        }
        longest = fmax(longest, length3(sum));
    }
    return longest;
}

static const double VELOCITY[5][6] = { { 0, 1, 0, 0, 0, 0 },
                                       { 0, 1, 0.5, 0, 0, 0 },
                                       { 0, 1, 1, 0.5, 0, 0 },
                                       { 0, 1, 1.5, 1.5, 1, 0 },
                                       { 0, 1, 2, 3, 4, 5 } };
static const double ACCELERATION[4][6] = {
    { 0, 0, 2, 0, 0, 0 }, { 0, 0, 2, 2, 0, 0 }, { 0, 0, 2, 4, 4, 0 }, { 0, 0, 2, 6, 12, 20 }
};

/// What holds for all points of a sphere: that of its centre, and how much others differ from it by.
typedef struct SpanBounds
{
    double way, pull;
    double places; // of terms of a place along an axis, each as often as it is rounded in float
} SpanBounds;

static SpanBounds bound_span(const AbutTraceRun* run, AbutTraceSpan* span, const double center[3],
                             double radius)
{
    const int top = abut_trace_degree(run);
    double c[6][3] = { { 0 } }, spread[6] = { 0 }, most[3] = { 0 };
    SpanBounds out = { 0 };
    for (int k = 0; k <= top; ++k)
    {
        abut_path_apply(span->maps[k], center, c[k]);
        spread[k] = radius * stretch_of(span->maps[k]);
        for (int axis = 0; axis < 3; ++axis)
        {
            most[axis] += (2 * k + 2) * (fabs(c[k][axis]) + spread[k]);
        }
        out.way += k * spread[k];
        out.pull += k * (k - 1) * spread[k];
    }
    out.places = fmax(most[0], fmax(most[1], most[2]));
    out.way += run->straight ? length3(c[1]) : longest_control(c, VELOCITY, 5);
    out.pull += run->straight ? 0.0 : longest_control(c, ACCELERATION, 4);
    return out;
}

/// Prepares a span for all points of a node.
static void make_span(const AbutTraceRun* run, const AbutPointNode* node, AbutTraceSpan* out)
{
    const double center[3] = { node->center.x, node->center.y, node->center.z };
    if (!out->span.is_open)
    {
        return;
    }
    abut_knots_maps(run->knots, out->span.begin, out->span.end, out->maps);
    for (int k = 0; k <= abut_trace_degree(run); ++k)
    {
        for (int i = 0; i < 12; ++i)
        {
            const double origin = k == 0 && i % 4 == 3 ? run->origin[i / 4] : 0.0;
            out->maps[k][i / 4][i % 4] = (out->maps[k][i / 4][i % 4] - origin) * run->per_length;
        }
    }
    SpanBounds bounds = bound_span(run, out, center, (double)node->radius);
    double rounding = 0.5 * FLOAT_STEP * (bounds.places + 2.0);
    out->way = bounds.way * (1.0 + 1e-9) + 1e-12;
    double nudge = fmax(rounding / out->way, ABUT_TRACE_SHORTEST);
    // Places are off along three axes, and a nudge jumps over some.
    double off = 2.0 * rounding + nudge * out->way;
    out->least = run->fine / out->way;
    out->nudge = abut_round_up(nudge);
    out->per_way = abut_round_down(1.0 / out->way);
    out->margin = abut_round_up(run->steep * (off + VALUE_ROUNDING));
    out->bend = abut_round_up(0.5 * run->steep * bounds.pull);
}

uint32_t abut_trace_spans_next(AbutTraceRun* run, const AbutPointNode* node, AbutSpans* spans)
{
    uint32_t count = 0;
    while (count < ABUT_TRACE_SPANS && abut_spans_next(spans, &run->spans[count].span))
    {
        make_span(run, node, &run->spans[count++]);
    }
    return count;
}
