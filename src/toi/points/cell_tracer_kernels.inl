// Points on their trajectories through cells (toi/points/kernels.h).
#ifndef ABUT_TOI_POINTS_CELL_TRACER_KERNELS_INL
#define ABUT_TOI_POINTS_CELL_TRACER_KERNELS_INL

#include "cast/verdict_lanes.inl"
#include "field/cell_lanes.inl"
#include "simd/wide_double.h"
#include "toi/points/kernels.h"

/// Of what a step may reach back by when the field goes on as it did, this part is counted on.
#define EXPECTED 0.7f

// ---------------------------------------------------------------------------------------------------------------------
// Starts
// ---------------------------------------------------------------------------------------------------------------------

#define START_GROUPS (ABUT_TRACE_STARTS / WIDE_DOUBLES)

/// One coefficient of the paths of points, computed in double.
KERNEL_INLINE void map_points(const double map[4], WideDouble at[3][START_GROUPS], float* out)
{
    for (int i = 0; i < START_GROUPS; ++i)
    {
        WideDouble sum = map[0] * at[0][i] + map[1] * at[1][i] + map[2] * at[2][i] + map[3];
        WideDoubleFloats floats = __builtin_convertvector(sum, WideDoubleFloats);
        memcpy(out + i * WIDE_DOUBLES, &floats, sizeof(floats));
    }
}

/// When lanes are within the box along an axis; what rounds is far less than the box has to spare.
KERNEL_INLINE void clip_trace(Wide from, Wide way, float low, float high, Wide* begin, Wide* end)
{
    WideMask moves = wide_less(wide_splat(STILL), wide_abs(way));
    WideMask within =
        wide_and(wide_less_equal(wide_splat(low), from), wide_less_equal(from, wide_splat(high)));
    Wide safe = wide_select(moves, way, wide_splat(1.0f)), all = wide_splat(INFINITY);
    Wide a = wide_div(wide_sub(wide_splat(low), from), safe),
         b = wide_div(wide_sub(wide_splat(high), from), safe);
    Wide still = wide_select(within, wide_negate(all), all);
    *begin = wide_max(*begin, wide_select(moves, wide_min(a, b), still));
    *end = wide_min(*end, wide_select(moves, wide_max(a, b), wide_negate(still)));
}

/// What is beyond the box is outside: straight pieces begin where they come to it, unless they are known to be inside.
KERNEL_INLINE void start_clipped(const AbutTraceField* field, float side, AbutTraces* traces, size_t i)
{
    Wide begin = wide_zero(), end = wide_splat(1.0f);
    for (int axis = 0; axis < 3; ++axis)
    {
        clip_trace(wide_load(traces->c[0][axis] + i), wide_load(traces->c[1][axis] + i), field->low[axis],
                   field->high[axis], &begin, &end);
    }
    begin = side < 0.0f ? wide_zero() : begin;
    WideMask later = wide_less(wide_zero(), begin);
    wide_store(traces->side + i, wide_select(later, wide_splat(1.0f), wide_splat(side)));
    wide_store(traces->time + i, begin);
    wide_store(traces->ahead + i, begin);
    wide_store(traces->end + i, end);
}

KERNEL_INLINE void start_lanes(const AbutTraceField* field, bool straight, const AbutTraceStart* start,
                               AbutTraces* traces, size_t i)
{
    Wide zero = wide_zero();
    wide_store(traces->longest + i, wide_splat(INFINITY));
    wide_store(traces->nudge + i, wide_splat(start->nudge));
    wide_store(traces->per_way + i, wide_splat(start->per_way));
    wide_store(traces->margin + i, wide_splat(start->margin));
    wide_store(traces->bend + i, wide_splat(start->bend));
    if (straight)
    {
        start_clipped(field, start->side, traces, i);
        return;
    }
    wide_store(traces->side + i, wide_splat(start->side));
    wide_store(traces->time + i, zero);
    wide_store(traces->ahead + i, zero);
    wide_store(traces->end + i, wide_splat(1.0f));
}

KERNEL_INLINE void map_starts(const AbutTraceStart* start, int top, AbutTraces* traces, size_t first)
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
            map_points(start->maps[k][axis], at, traces->c[k][axis] + first);
        }
    }
}

static void trace_start_kernel(const AbutTraceField* field, bool straight, const AbutTraceStart* start,
                               AbutTraces* traces)
{
    const size_t first = traces->count;
    map_starts(start, straight ? 1 : ABUT_TRACE_DEGREE, traces, first);
    for (size_t i = 0; i < ABUT_TRACE_STARTS; i += WIDE_LANES)
    {
        start_lanes(field, straight, start, traces, first + i);
    }
    for (size_t i = 0; i < ABUT_TRACE_STARTS; ++i)
    {
        traces->id[first + i] = start->id + (uint32_t)i * start->id_step;
    }
    traces->count = first + start->count;
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------------------------------------------------

/// Where a piece is, and its velocity.
KERNEL_INLINE void trace_axis(const AbutTraces* traces, bool straight, int axis, size_t i, Wide s, Wide* at,
                              Wide* rate)
{
    const int top = straight ? 1 : ABUT_TRACE_DEGREE;
    Wide place = wide_load(traces->c[top][axis] + i), slope = wide_zero();
    for (int k = top - 1; k >= 0; --k)
    {
        slope = k == top - 1 ? place : wide_add(wide_mul(slope, s), place);
        place = wide_add(wide_mul(place, s), wide_load(traces->c[k][axis] + i));
    }
    *at = place;
    *rate = slope;
}

/// One step of a group of pieces.
typedef struct WideTrace
{
    WideVec place, way; // at its begin, where the cell is found
    WideVec at;         // the place, brought into the grid
    Wide begin, step;
    Wide b[4];
    Wide side; // of the cell
} WideTrace;

KERNEL_INLINE void place_trace(const AbutTraceField* field, bool straight, const AbutTraces* traces, size_t i,
                               WideTrace* out)
{
    Wide end = wide_load(traces->end + i);
    out->begin = wide_min(wide_add(wide_load(traces->ahead + i), wide_load(traces->nudge + i)), end);
    trace_axis(traces, straight, 0, i, out->begin, &out->place.x, &out->way.x);
    trace_axis(traces, straight, 1, i, out->begin, &out->place.y, &out->way.y);
    trace_axis(traces, straight, 2, i, out->begin, &out->place.z, &out->way.z);
    out->at = (WideVec){ into_grid(out->place.x, field->view.cell_count[0]),
                         into_grid(out->place.y, field->view.cell_count[1]),
                         into_grid(out->place.z, field->view.cell_count[2]) };
    out->step = wide_min(wide_sub(end, out->begin), wide_load(traces->longest + i));
}

/// The field along the tangent, as far as the cell goes.
KERNEL_INLINE void cross_trace(const AbutTraceField* field, int format, bool sparse, WideTrace* trace)
{
    WideCell cell = sparse ? sparse_cell(&field->view, trace->at) : dense_cell(&field->view, trace->at);
    Wide per_grid = wide_splat(field->view.inverse_cell_size);
    trace->side = sparse ? wide_mul(cell.size, per_grid) : wide_splat(1.0f);
    Wide per_side =
        sparse ? wide_mul(cell.inverse_size, wide_splat(field->view.cell_size)) : wide_splat(1.0f);
    Wide leave = wide_min(leave_axis(cell.part.x, trace->way.x, trace->side),
                          wide_min(leave_axis(cell.part.y, trace->way.y, trace->side),
                                   leave_axis(cell.part.z, trace->way.z, trace->side)));
    trace->step = wide_max(wide_min(leave, trace->step), wide_zero());
    WideVec to = { part_after(cell.part.x, trace->way.x, trace->step, per_side),
                   part_after(cell.part.y, trace->way.y, trace->step, per_side),
                   part_after(cell.part.z, trace->way.z, trace->step, per_side) };
    Wide rows[4][2];
    load_corners(field->view.nodes, format, sparse, &cell, format == ABUT_FIELD_F32 ? per_grid : trace->side,
                 rows, cell.part.x, to.x);
    blend_coefficients(rows, cell.part, to, trace->b);
}

/// Outside of the grid a field is √(d² + f²), and all of it is outside of the solid.
KERNEL_INLINE void leave_grid(WideTrace* trace)
{
    WideVec gap = sub3(trace->place, trace->at);
    Wide squared = dot3(gap, gap);
    WideMask within = wide_less_equal(squared, wide_zero());
    Wide value = wide_sqrt(wide_add(squared, wide_mul(trace->b[0], trace->b[0])));
    trace->step = wide_select(within, trace->step, wide_zero());
    for (int k = 0; k < 4; ++k)
    {
        trace->b[k] = wide_select(within, trace->b[k], value);
    }
}

/// How long a path takes to come from beyond the box to it along an axis, at least: at its velocity, and `pull` times the square of s.
KERNEL_INLINE Wide time_to_box(Wide place, Wide way, float low, float high, Wide margin, Wide pull)
{
    Wide inside = wide_max(wide_min(place, wide_splat(high)), wide_splat(low)), zero = wide_zero();
    Wide beyond = wide_sub(place, inside), gap = wide_max(wide_sub(wide_abs(beyond), margin), zero);
    Wide nearing = wide_max(wide_select(wide_less(zero, beyond), wide_negate(way), way), zero);
    Wide fastest =
        wide_sqrt(wide_add(wide_mul(nearing, nearing), wide_mul(wide_splat(4.0f), wide_mul(pull, gap))));
    // Where nothing moves, later than any end.
    Wide both = wide_max(wide_add(nearing, fastest), wide_splat(1e-6f));
    return wide_div(wide_mul(wide_splat(1.9999f), gap), both);
}

KERNEL_INLINE Wide free_beyond(const AbutTraceField* field, const WideTrace* trace, Wide margin, Wide bend)
{
    Wide pull = wide_mul(bend, wide_splat(field->per_bend));
    const float *low = field->low, *high = field->high;
    return wide_max(time_to_box(trace->place.x, trace->way.x, low[0], high[0], margin, pull),
                    wide_max(time_to_box(trace->place.y, trace->way.y, low[1], high[1], margin, pull),
                             time_to_box(trace->place.z, trace->way.z, low[2], high[2], margin, pull)));
}

KERNEL_INLINE void store_trace_verdicts(uint8_t* verdicts, unsigned done, unsigned turns, unsigned begins)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    uint64_t bytes =
        bits_to_bytes(done & all) | bits_to_bytes(turns & all) << 1 | bits_to_bytes(begins & all) << 2;
    memcpy(verdicts, &bytes, WIDE_LANES);
}

KERNEL_INLINE void store_trace(AbutTraces* traces, size_t i, const WideTrace* trace, Wide next)
{
    wide_store(traces->begin + i, trace->begin);
    wide_store(traces->step + i, trace->step);
    wide_store(traces->next + i, next);
    for (int k = 0; k < 4; ++k)
    {
        wide_store(traces->b[k] + i, trace->b[k]);
    }
}

/// s for which a value keeps its side, before and after: by its slope, or as a distance that it is near.
KERNEL_INLINE Wide reach_of_value(const AbutTraceField* field, Wide size, Wide side, Wide per_way)
{
    Wide far = wide_sub(size, wide_mul(side, wide_splat(field->far_taken)));
    Wide reach =
        wide_max(wide_mul(size, wide_splat(field->per_steep)), wide_mul(far, wide_splat(field->per_far)));
    return wide_mul(wide_max(reach, wide_zero()), per_way);
}

/// How much further than `reach` the next step may begin and still reach back, if the field goes on as it did in this step, `size` away
/// from the surface at its end.
KERNEL_INLINE Wide room_ahead(const AbutTraceField* field, const WideTrace* trace, Wide size, Wide reach,
                              Wide per_way)
{
    Wide part = wide_mul(wide_splat(EXPECTED * field->per_steep), per_way);
    Wide growth = wide_div(wide_sub(wide_abs(trace->b[3]), wide_abs(trace->b[0])),
                           wide_max(trace->step, wide_splat(1e-6f)));
    Wide room = wide_mul(part, wide_add(size, wide_mul(growth, reach)));
    Wide rest = wide_sub(wide_splat(1.0f), wide_mul(part, growth));
    return wide_max(wide_div(room, wide_max(rest, wide_splat(1.0f - EXPECTED))), wide_zero());
}

/// Asks for the nodes of the cells in which the next steps begin, or nearly: the path is taken as straight.
KERNEL_INLINE void prefetch_traces(const AbutTraceField* field, int format, const WideTrace* trace,
                                   Wide ahead)
{
    const size_t bytes = format == ABUT_FIELD_F32 ? 4 : 2;
    Wide time = wide_sub(wide_min(ahead, wide_splat(1.0f)), trace->begin);
    WideVec at = {
        into_grid(wide_add(trace->place.x, wide_mul(trace->way.x, time)), field->view.cell_count[0]),
        into_grid(wide_add(trace->place.y, wide_mul(trace->way.y, time)), field->view.cell_count[1]),
        into_grid(wide_add(trace->place.z, wide_mul(trace->way.z, time)), field->view.cell_count[2]),
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

KERNEL_INLINE void trace_lanes(const AbutTraceField* field, bool straight, int format, bool sparse,
                               AbutTraces* traces, size_t i, uint8_t* verdicts)
{
    WideTrace trace;
    place_trace(field, straight, traces, i, &trace);
    cross_trace(field, format, sparse, &trace);
    leave_grid(&trace);
    const Wide* b = trace.b;
    Wide margin = wide_load(traces->margin + i), top = margin, bottom = margin, zero = wide_zero();
    if (!straight)
    {
        Wide bend = wide_mul(wide_load(traces->bend + i), wide_mul(trace.step, trace.step));
        top = wide_add(margin, bend);
        bottom = wide_sub(margin, bend);
    }
    Wide low = wide_min(wide_min(b[0], b[1]), wide_min(b[2], b[3]));
    Wide high = wide_max(wide_max(b[0], b[1]), wide_max(b[2], b[3]));
    Wide known = wide_load(traces->side + i), per_way = wide_load(traces->per_way + i);
    // A piece that begins takes the side that it is on.
    WideMask begins = wide_equal(known, zero);
    Wide seen = wide_select(wide_less(top, low), wide_splat(1.0f),
                            wide_select(wide_less_equal(high, bottom), wide_splat(-1.0f), zero));
    Wide side = wide_select(begins, seen, known);
    // On the side that it has been on: along the step, and back to what is known.
    WideMask is_out = wide_less(zero, side), is_in = wide_less(side, zero);
    WideMask outside = wide_and(wide_less(top, low), is_out);
    WideMask inside = wide_and(wide_less_equal(high, bottom), is_in);
    Wide time = wide_load(traces->time + i), ahead = wide_load(traces->ahead + i);
    Wide signed_size = wide_select(is_out, wide_sub(b[0], margin), wide_sub(wide_negate(b[0]), margin));
    Wide back = reach_of_value(field, signed_size, trace.side, per_way);
    WideMask is_back = wide_less_equal(wide_sub(ahead, time), back);
    outside = wide_and(outside, is_back);
    inside = wide_and(inside, is_back);
    Wide rest = wide_max(wide_sub(wide_abs(b[3]), top), zero);
    Wide reach = reach_of_value(field, rest, trace.side, per_way);
    if (!straight)
    {
        Wide free = free_beyond(field, &trace, margin, wide_load(traces->bend + i));
        reach = wide_max(reach, wide_sub(free, trace.step));
    }
    Wide next = wide_add(wide_add(trace.begin, trace.step), reach);
    Wide further = wide_add(next, room_ahead(field, &trace, rest, reach, per_way));
    store_trace(traces, i, &trace, next);
    // Where a step does not reach back, the next one begins where all is known.
    Wide again = wide_select(is_back, ahead, time);
    wide_store(traces->time + i, wide_select(outside, next, wide_select(inside, next, time)));
    ahead = wide_select(outside, further, wide_select(inside, further, again));
    wide_store(traces->ahead + i, ahead);
    Wide any = wide_splat(INFINITY), longest = wide_load(traces->longest + i);
    wide_store(traces->longest + i, wide_select(outside, any, wide_select(inside, any, longest)));
    unsigned stays = wide_bits(outside) | wide_bits(inside);
    unsigned done = wide_bits(wide_less_equal(wide_load(traces->end + i), next)) & stays;
    wide_store(traces->side + i, wide_select(outside, side, wide_select(inside, side, known)));
    store_trace_verdicts(verdicts + i, done, ~stays & wide_bits(is_back), stays & wide_bits(begins));
    if (!sparse && WIDE_LANES > 1)
    {
        prefetch_traces(field, format, &trace, ahead);
    }
}

KERNEL_INLINE void run_traces(const AbutTraceField* source, bool straight, int format, bool sparse,
                              AbutTraces* traces, uint8_t* verdicts)
{
    const AbutTraceField field = *source; // a copy, which the stores below cannot alias
    for (size_t i = 0; i < traces->count; i += WIDE_LANES)
    {
        trace_lanes(&field, straight, format, sparse, traces, i, verdicts);
    }
}

#define TRACE_KERNEL(name, format, sparse)                                                                   \
    static void name(const AbutTraceField* field, bool straight, AbutTraces* traces,                         \
                     AbutTraceVerdicts verdicts)                                                             \
    {                                                                                                        \
        if (straight)                                                                                        \
        {                                                                                                    \
            run_traces(field, true, format, sparse, traces, verdicts);                                       \
        }                                                                                                    \
        else                                                                                                 \
        {                                                                                                    \
            run_traces(field, false, format, sparse, traces, verdicts);                                      \
        }                                                                                                    \
    }

TRACE_KERNEL(trace_dense_f32, ABUT_FIELD_F32, false)

TRACE_KERNEL(trace_dense_f16, ABUT_FIELD_F16, false)

TRACE_KERNEL(trace_sparse_f32, ABUT_FIELD_F32, true)

TRACE_KERNEL(trace_sparse_f16, ABUT_FIELD_F16, true)

static void trace_step_kernel(const AbutTraceField* field, bool straight, AbutTraces* traces,
                              AbutTraceVerdicts verdicts)
{
    const bool sparse = field->view.slots != NULL;
    if (field->format == ABUT_FIELD_F32)
    {
        (sparse ? trace_sparse_f32 : trace_dense_f32)(field, straight, traces, verdicts);
    }
    else
    {
        (sparse ? trace_sparse_f16 : trace_dense_f16)(field, straight, traces, verdicts);
    }
}

#endif
