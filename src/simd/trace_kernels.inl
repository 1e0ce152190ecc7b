// Body of the trace kernel; see kernels.inl for how it is compiled. It goes through cells as those of segments do.

#include "simd/trace_kernels.h"

/// Of what a step may reach back by when the field goes on as it did, this part is counted on.
#define EXPECTED 0.6f

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
    Wide one = wide_splat(1.0f);
    out->begin = wide_min(wide_add(wide_load(traces->ahead + i), wide_load(traces->nudge + i)), one);
    trace_axis(traces, straight, 0, i, out->begin, &out->place.x, &out->way.x);
    trace_axis(traces, straight, 1, i, out->begin, &out->place.y, &out->way.y);
    trace_axis(traces, straight, 2, i, out->begin, &out->place.z, &out->way.z);
    out->at = (WideVec){ into_grid(out->place.x, field->view.cell_count[0]),
                         into_grid(out->place.y, field->view.cell_count[1]),
                         into_grid(out->place.z, field->view.cell_count[2]) };
    out->step = wide_min(wide_sub(one, out->begin), wide_load(traces->longest + i));
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
    load_corners(field->view.nodes, format, sparse, &cell, format == FORMAT_F32 ? per_grid : trace->side,
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
    const size_t bytes = format == FORMAT_F32 ? 4 : 2;
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
    Wide side = wide_load(traces->side + i), per_way = wide_load(traces->per_way + i);
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
    unsigned done = wide_bits(wide_less_equal(wide_splat(1.0f), next)) & stays;
    store_verdicts(verdicts + i, done, ~stays & wide_bits(is_back));
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

TRACE_KERNEL(trace_dense_f32, FORMAT_F32, false)
TRACE_KERNEL(trace_dense_f16, FORMAT_F16, false)
TRACE_KERNEL(trace_sparse_f32, FORMAT_F32, true)
TRACE_KERNEL(trace_sparse_f16, FORMAT_F16, true)

static void trace_kernel(const AbutTraceField* field, bool straight, AbutTraces* traces,
                         AbutTraceVerdicts verdicts)
{
    const bool sparse = field->view.slots != NULL;
    if (field->format == FORMAT_F32)
    {
        (sparse ? trace_sparse_f32 : trace_dense_f32)(field, straight, traces, verdicts);
    }
    else
    {
        (sparse ? trace_sparse_f16 : trace_dense_f16)(field, straight, traces, verdicts);
    }
}
