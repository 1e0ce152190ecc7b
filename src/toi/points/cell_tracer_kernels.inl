// Points on their trajectories through cells (toi/points/kernels.h).
#ifndef ABUT_TOI_POINTS_CELL_TRACER_KERNELS_INL
#define ABUT_TOI_POINTS_CELL_TRACER_KERNELS_INL

#include "field/cell_lanes.inl"
#include "simd/wide_double.h"
#include "toi/points/kernels.h"

/// Fraction of the expected safe interval back from a step that is used.
#define EXPECTED 0.7f

// -----------------------------------------------------------------------------------------------------------
// Starts
// -----------------------------------------------------------------------------------------------------------

#define START_GROUPS (ABUT_TRACER_STARTS / WIDE_DOUBLES)

/// One coefficient of the trajectories of points, computed in double.
KERNEL_INLINE void map_points(const double map[4], WideDouble at[3][START_GROUPS], float* out)
{
    for (int i = 0; i < START_GROUPS; ++i)
    {
        WideDouble sum = map[0] * at[0][i] + map[1] * at[1][i] + map[2] * at[2][i] + map[3];
        WideDoubleFloats floats = __builtin_convertvector(sum, WideDoubleFloats);
        memcpy(out + i * WIDE_DOUBLES, &floats, sizeof(floats));
    }
}

/// Interval of the lanes within the box along an axis; rounding is far less than the margin of the box.
KERNEL_INLINE void clip_tracer_axis(Wide from, Wide velocity, float low, float high, Wide* begin, Wide* end)
{
    WideMask moves = wide_less(wide_splat(STILL), wide_abs(velocity));
    WideMask within =
        wide_and(wide_less_equal(wide_splat(low), from), wide_less_equal(from, wide_splat(high)));
    Wide safe = wide_select(moves, velocity, wide_splat(1.0f)), all = wide_splat(INFINITY);
    Wide a = wide_div(wide_sub(wide_splat(low), from), safe),
         b = wide_div(wide_sub(wide_splat(high), from), safe);
    Wide still = wide_select(within, wide_negate(all), all);
    *begin = wide_max(*begin, wide_select(moves, wide_min(a, b), still));
    *end = wide_min(*end, wide_select(moves, wide_max(a, b), wide_negate(still)));
}

/// Points beyond the box are outside: straight spans begin at the box, unless they are known to be inside.
KERNEL_INLINE void start_clipped(const AbutTracerField* field, float side, AbutTracerBatch* batch, size_t i)
{
    Wide begin = wide_zero(), end = wide_splat(1.0f);
    for (int axis = 0; axis < 3; ++axis)
    {
        clip_tracer_axis(wide_load(batch->c[0][axis] + i), wide_load(batch->c[1][axis] + i), field->low[axis],
                         field->high[axis], &begin, &end);
    }
    begin = side < 0.0f ? wide_zero() : begin;
    WideMask later = wide_less(wide_zero(), begin);
    wide_store(batch->side + i, wide_select(later, wide_splat(1.0f), wide_splat(side)));
    wide_store(batch->time + i, begin);
    wide_store(batch->ahead + i, begin);
    wide_store(batch->end + i, end);
}

KERNEL_INLINE void start_lanes(const AbutTracerField* field, bool straight, const AbutTracerStart* start,
                               AbutTracerBatch* batch, size_t i)
{
    Wide zero = wide_zero();
    wide_store(batch->longest + i, wide_splat(INFINITY));
    wide_store(batch->nudge + i, wide_splat(start->nudge));
    wide_store(batch->inverse_speed + i, wide_splat(start->inverse_speed));
    wide_store(batch->margin + i, wide_splat(start->margin));
    wide_store(batch->curvature + i, wide_splat(start->curvature));
    if (straight)
    {
        start_clipped(field, start->side, batch, i);
        return;
    }
    wide_store(batch->side + i, wide_splat(start->side));
    wide_store(batch->time + i, zero);
    wide_store(batch->ahead + i, zero);
    wide_store(batch->end + i, wide_splat(1.0f));
}

KERNEL_INLINE void map_starts(const AbutTracerStart* start, int top, AbutTracerBatch* batch, size_t first)
{
    const float* const from[3] = { start->points.x, start->points.y, start->points.z };
    WideDouble at[3][START_GROUPS];
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < START_GROUPS; ++i)
        {
            at[axis][i] = wide_double_from_floats(from[axis] + i * WIDE_DOUBLES);
        }
    }
    for (int k = 0; k <= top; ++k)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            map_points(start->maps[k].m[axis], at, batch->c[k][axis] + first);
        }
    }
}

static void tracer_start_kernel(const AbutTracerField* field, bool straight, const AbutTracerStart* start,
                                AbutTracerBatch* batch)
{
    const size_t first = batch->count;
    map_starts(start, straight ? 1 : ABUT_TRACER_DEGREE, batch, first);
    for (size_t i = 0; i < ABUT_TRACER_STARTS; i += WIDE_LANES)
    {
        start_lanes(field, straight, start, batch, first + i);
    }
    for (size_t i = 0; i < ABUT_TRACER_STARTS; ++i)
    {
        batch->id[first + i] = start->id + (uint32_t)i * start->id_step;
    }
    batch->count = first + start->count;
}

// -----------------------------------------------------------------------------------------------------------
// Steps
// -----------------------------------------------------------------------------------------------------------

/// Position and velocity of a span.
KERNEL_INLINE void tracer_axis(const AbutTracerBatch* batch, bool straight, int axis, size_t i, Wide s,
                               Wide* at, Wide* rate)
{
    const int top = straight ? 1 : ABUT_TRACER_DEGREE;
    Wide position = wide_load(batch->c[top][axis] + i), slope = wide_zero();
    for (int k = top - 1; k >= 0; --k)
    {
        slope = k == top - 1 ? position : wide_add(wide_mul(slope, s), position);
        position = wide_add(wide_mul(position, s), wide_load(batch->c[k][axis] + i));
    }
    *at = position;
    *rate = slope;
}

/// One step of a group of spans.
typedef struct WideTracer
{
    WideVec position, velocity; // at its begin, which determines the cell
    WideVec at;                 // the position, clamped to the grid
    Wide begin, step;
    Wide b[4];
    Wide side; // of the cell
} WideTracer;

KERNEL_INLINE void tracer_position(const AbutTracerField* field, bool straight, const AbutTracerBatch* batch,
                                   size_t i, WideTracer* out)
{
    Wide end = wide_load(batch->end + i);
    out->begin = wide_min(wide_add(wide_load(batch->ahead + i), wide_load(batch->nudge + i)), end);
    tracer_axis(batch, straight, 0, i, out->begin, &out->position.x, &out->velocity.x);
    tracer_axis(batch, straight, 1, i, out->begin, &out->position.y, &out->velocity.y);
    tracer_axis(batch, straight, 2, i, out->begin, &out->position.z, &out->velocity.z);
    out->at = (WideVec){ clamp_to_grid(out->position.x, field->view.cell_count[0]),
                         clamp_to_grid(out->position.y, field->view.cell_count[1]),
                         clamp_to_grid(out->position.z, field->view.cell_count[2]) };
    out->step = wide_min(wide_sub(end, out->begin), wide_load(batch->longest + i));
}

/// The field along the tangent within the cell.
KERNEL_INLINE void cross_tracer_cell(const AbutTracerField* field, int format, bool sparse,
                                     WideTracer* tracer)
{
    WideCell cell = sparse ? sparse_cell(&field->view, tracer->at) : dense_cell(&field->view, tracer->at);
    Wide per_grid = wide_splat(field->view.inverse_cell_size);
    tracer->side = sparse ? wide_mul(cell.size, per_grid) : wide_splat(1.0f);
    Wide per_side =
        sparse ? wide_mul(cell.inverse_size, wide_splat(field->view.cell_size)) : wide_splat(1.0f);
    Wide leave = wide_min(leave_axis(cell.fraction.x, tracer->velocity.x, tracer->side),
                          wide_min(leave_axis(cell.fraction.y, tracer->velocity.y, tracer->side),
                                   leave_axis(cell.fraction.z, tracer->velocity.z, tracer->side)));
    tracer->step = wide_max(wide_min(leave, tracer->step), wide_zero());
    WideVec to = { fraction_after(cell.fraction.x, tracer->velocity.x, tracer->step, per_side),
                   fraction_after(cell.fraction.y, tracer->velocity.y, tracer->step, per_side),
                   fraction_after(cell.fraction.z, tracer->velocity.z, tracer->step, per_side) };
    Wide rows[4][2];
    load_corners(field->view.nodes, format, sparse, &cell, format == ABUT_FIELD_F32 ? per_grid : tracer->side,
                 rows, cell.fraction.x, to.x);
    blend_coefficients(rows, cell.fraction, to, tracer->b);
}

/// Outside of the grid a field is √(d² + f²), which is outside of the solid.
KERNEL_INLINE void leave_grid(WideTracer* tracer)
{
    WideVec gap = sub3(tracer->position, tracer->at);
    Wide squared = dot3(gap, gap);
    WideMask within = wide_less_equal(squared, wide_zero());
    Wide value = wide_sqrt(wide_add(squared, wide_mul(tracer->b[0], tracer->b[0])));
    tracer->step = wide_select(within, tracer->step, wide_zero());
    for (int k = 0; k < 4; ++k)
    {
        tracer->b[k] = wide_select(within, tracer->b[k], value);
    }
}

/// Lower bound of the time from beyond the box to it along an axis: for its velocity, and `acceleration`
/// times the square of s.
KERNEL_INLINE Wide time_to_box(Wide position, Wide velocity, float low, float high, Wide margin,
                               Wide acceleration)
{
    Wide inside = wide_max(wide_min(position, wide_splat(high)), wide_splat(low)), zero = wide_zero();
    Wide beyond = wide_sub(position, inside), gap = wide_max(wide_sub(wide_abs(beyond), margin), zero);
    Wide nearing = wide_max(wide_select(wide_less(zero, beyond), wide_negate(velocity), velocity), zero);
    Wide fastest = wide_sqrt(
        wide_add(wide_mul(nearing, nearing), wide_mul(wide_splat(4.0f), wide_mul(acceleration, gap))));
    // Without movement, later than any end.
    Wide both = wide_max(wide_add(nearing, fastest), wide_splat(1e-6f));
    return wide_div(wide_mul(wide_splat(1.9999f), gap), both);
}

KERNEL_INLINE Wide free_beyond(const AbutTracerField* field, const WideTracer* tracer, Wide margin,
                               Wide curvature)
{
    Wide acceleration = wide_mul(curvature, wide_splat(field->per_curvature));
    const float *low = field->low, *high = field->high;
    return wide_max(
        time_to_box(tracer->position.x, tracer->velocity.x, low[0], high[0], margin, acceleration),
        wide_max(time_to_box(tracer->position.y, tracer->velocity.y, low[1], high[1], margin, acceleration),
                 time_to_box(tracer->position.z, tracer->velocity.z, low[2], high[2], margin, acceleration)));
}

KERNEL_INLINE void store_tracer_states(uint8_t* states, unsigned done, unsigned crossings, unsigned begins)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    uint64_t bytes =
        bits_to_bytes(done & all) | bits_to_bytes(crossings & all) << 1 | bits_to_bytes(begins & all) << 2;
    memcpy(states, &bytes, WIDE_LANES);
}

KERNEL_INLINE void store_tracer(AbutTracerBatch* batch, size_t i, const WideTracer* tracer, Wide next)
{
    wide_store(batch->begin + i, tracer->begin);
    wide_store(batch->step + i, tracer->step);
    wide_store(batch->next + i, next);
    for (int k = 0; k < 4; ++k)
    {
        wide_store(batch->b[k] + i, tracer->b[k]);
    }
}

/// Interval of s before and after in which a value keeps its sign: by its slope, or as an approximation of a
/// distance.
KERNEL_INLINE Wide safe_span_of(const AbutTracerField* field, Wide size, Wide side, Wide inverse_speed)
{
    Wide excess_distance = wide_sub(size, wide_mul(side, wide_splat(field->source_slack)));
    Wide safe_span = wide_max(wide_mul(size, wide_splat(field->inverse_slope)),
                              wide_mul(excess_distance, wide_splat(field->inverse_source_slope)));
    return wide_mul(wide_max(safe_span, wide_zero()), inverse_speed);
}

/// Distance in s beyond `safe_span` of the next step with an expected safe interval back, if the field goes
/// on as in this step, with the value `size` at its end.
KERNEL_INLINE Wide step_ahead(const AbutTracerField* field, const WideTracer* tracer, Wide size,
                              Wide safe_span, Wide inverse_speed)
{
    Wide fraction = wide_mul(wide_splat(EXPECTED * field->inverse_slope), inverse_speed);
    Wide growth = wide_div(wide_sub(wide_abs(tracer->b[3]), wide_abs(tracer->b[0])),
                           wide_max(tracer->step, wide_splat(1e-6f)));
    Wide slack = wide_mul(fraction, wide_add(size, wide_mul(growth, safe_span)));
    Wide excess = wide_sub(wide_splat(1.0f), wide_mul(fraction, growth));
    return wide_max(wide_div(slack, wide_max(excess, wide_splat(1.0f - EXPECTED))), wide_zero());
}

/// Prefetches the nodes of the cells of the next steps, approximately: the trajectory is taken as straight.
KERNEL_INLINE void prefetch_tracer_cells(const AbutTracerField* field, int format, const WideTracer* tracer,
                                         Wide ahead)
{
    const size_t bytes = format == ABUT_FIELD_F32 ? 4 : 2;
    Wide time = wide_sub(wide_min(ahead, wide_splat(1.0f)), tracer->begin);
    WideVec at = {
        clamp_to_grid(wide_add(tracer->position.x, wide_mul(tracer->velocity.x, time)),
                      field->view.cell_count[0]),
        clamp_to_grid(wide_add(tracer->position.y, wide_mul(tracer->velocity.y, time)),
                      field->view.cell_count[1]),
        clamp_to_grid(wide_add(tracer->position.z, wide_mul(tracer->velocity.z, time)),
                      field->view.cell_count[2]),
    };
    const WideCell cell = dense_cell(&field->view, at);
    for (int lane = 0; lane < WIDE_LANES; ++lane)
    {
        UNROLL_ROWS
        for (int row = 0; row < 4; ++row)
        {
            size_t node = cell.offset[row] + cell.index[0][lane];
            __builtin_prefetch((const char*)field->view.nodes + bytes * node);
        }
    }
}

KERNEL_INLINE void tracer_lanes(const AbutTracerField* field, bool straight, int format, bool sparse,
                                AbutTracerBatch* batch, size_t i, uint8_t* states)
{
    WideTracer tracer;
    tracer_position(field, straight, batch, i, &tracer);
    cross_tracer_cell(field, format, sparse, &tracer);
    leave_grid(&tracer);
    const Wide* b = tracer.b;
    Wide margin = wide_load(batch->margin + i), top = margin, bottom = margin, zero = wide_zero();
    if (!straight)
    {
        Wide curvature = wide_mul(wide_load(batch->curvature + i), wide_mul(tracer.step, tracer.step));
        top = wide_add(margin, curvature);
        bottom = wide_sub(margin, curvature);
    }
    Wide low = wide_min(wide_min(b[0], b[1]), wide_min(b[2], b[3]));
    Wide high = wide_max(wide_max(b[0], b[1]), wide_max(b[2], b[3]));
    Wide known = wide_load(batch->side + i), inverse_speed = wide_load(batch->inverse_speed + i);
    // The first step of a span sets its side.
    WideMask begins = wide_equal(known, zero);
    Wide seen = wide_select(wide_less(top, low), wide_splat(1.0f),
                            wide_select(wide_less_equal(high, bottom), wide_splat(-1.0f), zero));
    Wide side = wide_select(begins, seen, known);
    // On the same side along the step, and back to the decided s.
    WideMask is_out = wide_less(zero, side), is_in = wide_less(side, zero);
    WideMask outside = wide_and(wide_less(top, low), is_out);
    WideMask inside = wide_and(wide_less_equal(high, bottom), is_in);
    Wide time = wide_load(batch->time + i), ahead = wide_load(batch->ahead + i);
    Wide signed_size = wide_select(is_out, wide_sub(b[0], margin), wide_sub(wide_negate(b[0]), margin));
    Wide back = safe_span_of(field, signed_size, tracer.side, inverse_speed);
    WideMask is_back = wide_less_equal(wide_sub(ahead, time), back);
    outside = wide_and(outside, is_back);
    inside = wide_and(inside, is_back);
    Wide excess = wide_max(wide_sub(wide_abs(b[3]), top), zero);
    Wide safe_span = safe_span_of(field, excess, tracer.side, inverse_speed);
    if (!straight)
    {
        Wide free = free_beyond(field, &tracer, margin, wide_load(batch->curvature + i));
        safe_span = wide_max(safe_span, wide_sub(free, tracer.step));
    }
    Wide next = wide_add(wide_add(tracer.begin, tracer.step), safe_span);
    Wide further = wide_add(next, step_ahead(field, &tracer, excess, safe_span, inverse_speed));
    store_tracer(batch, i, &tracer, next);
    // Without a safe interval back, the next step begins at the decided s.
    Wide restart = wide_select(is_back, ahead, time);
    wide_store(batch->time + i, wide_select(outside, next, wide_select(inside, next, time)));
    ahead = wide_select(outside, further, wide_select(inside, further, restart));
    wide_store(batch->ahead + i, ahead);
    Wide any = wide_splat(INFINITY), longest = wide_load(batch->longest + i);
    wide_store(batch->longest + i, wide_select(outside, any, wide_select(inside, any, longest)));
    unsigned stays = wide_bits(outside) | wide_bits(inside);
    unsigned done = wide_bits(wide_less_equal(wide_load(batch->end + i), next)) & stays;
    wide_store(batch->side + i, wide_select(outside, side, wide_select(inside, side, known)));
    store_tracer_states(states + i, done, ~stays & wide_bits(is_back), stays & wide_bits(begins));
    if (!sparse && WIDE_LANES > 1)
    {
        prefetch_tracer_cells(field, format, &tracer, ahead);
    }
}

KERNEL_INLINE void step_tracer(const AbutTracerField* source, bool straight, int format, bool sparse,
                               AbutTracerBatch* batch, uint8_t* states)
{
    const AbutTracerField field = *source; // a copy: no alias of the stores below
    for (size_t i = 0; i < batch->count; i += WIDE_LANES)
    {
        tracer_lanes(&field, straight, format, sparse, batch, i, states);
    }
}

#define TRACER_KERNEL(name, format, sparse)                                                                  \
    static void name(const AbutTracerField* field, bool straight, AbutTracerBatch* batch,                    \
                     AbutTracerStates states)                                                                \
    {                                                                                                        \
        if (straight)                                                                                        \
        {                                                                                                    \
            step_tracer(field, true, format, sparse, batch, states);                                         \
        }                                                                                                    \
        else                                                                                                 \
        {                                                                                                    \
            step_tracer(field, false, format, sparse, batch, states);                                        \
        }                                                                                                    \
    }

TRACER_KERNEL(tracer_dense_f32, ABUT_FIELD_F32, false)

TRACER_KERNEL(tracer_dense_f16, ABUT_FIELD_F16, false)

TRACER_KERNEL(tracer_sparse_f32, ABUT_FIELD_F32, true)

TRACER_KERNEL(tracer_sparse_f16, ABUT_FIELD_F16, true)

static void tracer_step_kernel(const AbutTracerField* field, bool straight, AbutTracerBatch* batch,
                               AbutTracerStates states)
{
    const bool sparse = field->view.slots != NULL;
    if (field->format == ABUT_FIELD_F32)
    {
        (sparse ? tracer_sparse_f32 : tracer_dense_f32)(field, straight, batch, states);
    }
    else
    {
        (sparse ? tracer_sparse_f16 : tracer_dense_f16)(field, straight, batch, states);
    }
}

#endif
