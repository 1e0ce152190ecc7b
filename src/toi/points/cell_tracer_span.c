// Trajectories of all points of a sphere over a span: the maps to their coefficients, and bounds from the
// trajectory of its centre and the deviation of others from it.
#include "math/rounding.h"
#include "toi/points/cell_tracer.h"

#include <math.h>

/// Step of a float below 1, twice its rounding.
static const double FLOAT_STEP = 0x1p-23;

/// Rounding of cubics of values up to a few cells, in cells per slope.
static const double VALUE_ROUNDING = 0x1p-19;

/// Upper bound of the stretch of a map: the Frobenius norm.
static double scale_of(const AbutDAffine* map)
{
    double sum = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        sum += map->m[i / 3][i % 3] * map->m[i / 3][i % 3];
    }
    return sqrt(sum);
}

/// Control points of the velocity, which lies in their convex hull, are linear in the coefficients. So are
/// those of the acceleration.
static double longest_control(const AbutDVec3 c[6], const double weights[][6], int count)
{
    double longest = 0.0;
    for (int i = 0; i < count; ++i)
    {
        AbutDVec3 sum = abut_dvec3_zero();
        for (int k = 1; k <= ABUT_TRACER_DEGREE; ++k)
        {
            sum = abut_dvec3_mul_add(sum, weights[i][k], c[k]);
        }
        longest = fmax(longest, abut_dvec3_length(sum));
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

/// Bounds for all points of a sphere.
typedef struct SpanBounds
{
    double max_speed, acceleration;
    double position_terms; // sum of the terms of a coordinate, each as often as it is rounded in float
} SpanBounds;

static SpanBounds bound_span(const AbutCellTracer* tracer, const AbutTracerSpan* span, AbutDVec3 center,
                             double radius)
{
    const int top = abut_cell_tracer_degree(tracer);
    AbutDVec3 c[6] = { { 0 } }, most = abut_dvec3_zero();
    SpanBounds out = { 0 };
    for (int k = 0; k <= top; ++k)
    {
        c[k] = abut_daffine_apply(&span->maps[k], center);
        double spread = radius * scale_of(&span->maps[k]);
        AbutDVec3 largest = abut_dvec3_add(abut_dvec3_abs(c[k]), abut_dvec3(spread, spread, spread));
        most = abut_dvec3_mul_add(most, 2 * k + 2, largest);
        out.max_speed += k * spread;
        out.acceleration += k * (k - 1) * spread;
    }
    out.position_terms = fmax(most.x, fmax(most.y, most.z));
    out.max_speed += tracer->straight ? abut_dvec3_length(c[1]) : longest_control(c, VELOCITY, 5);
    out.acceleration += tracer->straight ? 0.0 : longest_control(c, ACCELERATION, 4);
    return out;
}

/// Prepares a span for all points of a node.
static void make_span(const AbutCellTracer* tracer, const AbutPointNode* node, AbutTracerSpan* out)
{
    if (!out->span.is_open)
    {
        return;
    }
    abut_trajectory_samples_maps(tracer->trajectory_samples, out->span.begin, out->span.end, out->maps);
    for (int k = 0; k <= abut_cell_tracer_degree(tracer); ++k)
    {
        for (int i = 0; i < 12; ++i)
        {
            const double origin = k == 0 && i % 4 == 3 ? tracer->origin[i / 4] : 0.0;
            double* entry = &out->maps[k].m[i / 4][i % 4];
            *entry = (*entry - origin) * tracer->per_length;
        }
    }
    SpanBounds bounds = bound_span(tracer, out, abut_dvec3_from_vec3(node->center), (double)node->radius);
    double rounding = 0.5 * FLOAT_STEP * (bounds.position_terms + 2.0);
    out->max_speed = bounds.max_speed * (1.0 + 1e-9) + 1e-12;
    double nudge = fmax(rounding / out->max_speed, ABUT_TRACER_SHORTEST);
    // Rounding of positions along the axes, and the displacement in a nudge.
    double off = 2.0 * rounding + nudge * out->max_speed;
    out->least = tracer->fine / out->max_speed;
    out->nudge = abut_round_up(nudge);
    out->inverse_speed = abut_round_down(1.0 / out->max_speed);
    out->margin = abut_round_up(tracer->slope_bound * (off + VALUE_ROUNDING));
    out->curvature = abut_round_up(0.5 * tracer->slope_bound * bounds.acceleration);
}

uint32_t abut_cell_tracer_next_spans(AbutCellTracer* tracer, const AbutPointNode* node, AbutSpans* spans)
{
    uint32_t count = 0;
    while (count < ABUT_TRACER_SPANS && abut_spans_next(spans, &tracer->spans[count].span))
    {
        make_span(tracer, node, &tracer->spans[count++]);
    }
    return count;
}
