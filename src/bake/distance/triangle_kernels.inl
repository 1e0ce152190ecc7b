// Nodes against triangles (bake/distance/kernels.h).
#ifndef ABUT_BAKE_DISTANCE_TRIANGLE_KERNELS_INL
#define ABUT_BAKE_DISTANCE_TRIANGLE_KERNELS_INL

#include "bake/distance/kernels.h"
#include "simd/lanes.inl"

/// Least value over one axis of the tile of (distance to [low, high])² − (x − q)²: at one of its two ends,
/// since the function is concave (a minimum of linear ones).
KERNEL_INLINE Wide least_over_ends(Wide from_low, Wide from_high, Wide low, Wide high, Wide q)
{
    Wide at_low = wide_max(wide_max(wide_sub(low, from_low), wide_sub(from_low, high)), wide_zero());
    Wide at_high = wide_max(wide_max(wide_sub(low, from_high), wide_sub(from_high, high)), wide_zero());
    Wide q_low = wide_sub(from_low, q), q_high = wide_sub(from_high, q);
    return wide_min(wide_sub(wide_mul(at_low, at_low), wide_mul(q_low, q_low)),
                    wide_sub(wide_mul(at_high, at_high), wide_mul(q_high, q_high)));
}

static unsigned candidate_boxes_kernel(const AbutTile* tile, const AbutBoxGroup* boxes)
{
    unsigned bits = 0;
    for (int i = 0; i < 8; i += WIDE_LANES)
    {
        Wide sum = wide_zero();
        for (int axis = 0; axis < 3; ++axis)
        {
            sum = wide_add(sum, least_over_ends(wide_splat(tile->low[axis]), wide_splat(tile->high[axis]),
                                                wide_load(boxes->low[axis] + i),
                                                wide_load(boxes->high[axis] + i), wide_splat(tile->q[axis])));
        }
        bits |= wide_bits(wide_less_equal(sum, wide_splat(tile->slack))) << i;
    }
    return bits;
}

static unsigned candidate_triangles_kernel(const AbutTile* tile, const AbutCornerGroup* triangles)
{
    unsigned bits = 0;
    for (int i = 0; i < 8; i += WIDE_LANES)
    {
        Wide least = wide_splat(INFINITY);
        for (int corner = 0; corner < 3; ++corner)
        {
            Wide sum = wide_zero();
            for (int axis = 0; axis < 3; ++axis)
            {
                Wide v = wide_load(triangles->corner[corner][axis] + i);
                sum = wide_add(sum, least_over_ends(wide_splat(tile->low[axis]), wide_splat(tile->high[axis]),
                                                    v, v, wide_splat(tile->q[axis])));
            }
            least = wide_min(least, sum);
        }
        Wide limit = wide_add(wide_load(triangles->squared_ball + i), wide_splat(tile->slack));
        bits |= wide_bits(wide_less_equal(least, limit)) << i;
    }
    return bits;
}

static void nearest_corner_kernel(const float point[3], const AbutCornerGroup* triangles, unsigned mask,
                                  float* squared, float corner_out[3])
{
    for (int corner = 0; corner < 3; ++corner)
    {
        for (int i = 0; i < 8; i += WIDE_LANES)
        {
            Wide sum = wide_zero();
            for (int axis = 0; axis < 3; ++axis)
            {
                Wide d = wide_sub(wide_load(triangles->corner[corner][axis] + i), wide_splat(point[axis]));
                sum = wide_add(sum, wide_mul(d, d));
            }
            unsigned nearer = wide_bits(wide_less(sum, wide_splat(*squared))) & (mask >> i);
            float values[WIDE_LANES];
            wide_store(values, sum);
            for (int lane = 0; nearer >> lane != 0; ++lane)
            {
                if ((nearer >> lane & 1u) != 0 && values[lane] < *squared)
                {
                    *squared = values[lane];
                    for (int axis = 0; axis < 3; ++axis)
                    {
                        corner_out[axis] = triangles->corner[corner][axis][i + lane];
                    }
                }
            }
        }
    }
}

static void nearest_first_corners_kernel(const AbutCornerGroup* groups, const uint32_t* list, uint32_t count,
                                         AbutTileGroup* tiles)
{
    for (int i = 0; i < 8; i += WIDE_LANES)
    {
        WideVec center = { wide_load(tiles->center[0] + i), wide_load(tiles->center[1] + i),
                           wide_load(tiles->center[2] + i) };
        WideVec q = { wide_load(tiles->q[0] + i), wide_load(tiles->q[1] + i), wide_load(tiles->q[2] + i) };
        Wide best = wide_load(tiles->squared + i);
        for (uint32_t k = 0; k < count; ++k)
        {
            const AbutCornerGroup* group = &groups[list[k] / 8];
            uint32_t lane = list[k] % 8;
            WideVec corner = { wide_splat(group->corner[0][0][lane]), wide_splat(group->corner[0][1][lane]),
                               wide_splat(group->corner[0][2][lane]) };
            WideVec d = sub3(corner, center);
            Wide squared = dot3(d, d);
            WideMask nearer = wide_less(squared, best);
            best = wide_select(nearer, squared, best);
            q = select3(nearer, corner, q);
        }
        wide_store(tiles->squared + i, best);
        wide_store(tiles->q[0] + i, q.x);
        wide_store(tiles->q[1] + i, q.y);
        wide_store(tiles->q[2] + i, q.z);
    }
}

/// Least value over a tile of |x − corner|² − |x − q|², which is linear in x: its value at the centre less
/// what the half size can change, without the |centre − q|² that is the same for all corners.
KERNEL_INLINE Wide least_over_tile(WideVec corner, WideVec center, WideVec q, WideVec half_size)
{
    WideVec d = sub3(corner, center), slope = sub3(corner, q);
    WideVec steep = { wide_abs(slope.x), wide_abs(slope.y), wide_abs(slope.z) };
    return wide_sub(dot3(d, d), dot3(steep, half_size));
}

static void candidate_tiles_kernel(const AbutTileGroup* tiles, const AbutCornerGroup* groups,
                                   const uint32_t* list, uint32_t count, uint8_t* masks)
{
    // The slope of the difference is 2(q − corner), so the half size counts twice.
    WideVec half_size = { wide_splat(2.0f * tiles->half_size[0]), wide_splat(2.0f * tiles->half_size[1]),
                          wide_splat(2.0f * tiles->half_size[2]) };
    for (int i = 0; i < 8; i += WIDE_LANES)
    {
        WideVec center = { wide_load(tiles->center[0] + i), wide_load(tiles->center[1] + i),
                           wide_load(tiles->center[2] + i) };
        WideVec q = { wide_load(tiles->q[0] + i), wide_load(tiles->q[1] + i), wide_load(tiles->q[2] + i) };
        Wide limit = wide_add(wide_load(tiles->squared + i), wide_load(tiles->slack + i));
        for (uint32_t k = 0; k < count; ++k)
        {
            const AbutCornerGroup* group = &groups[list[k] / 8];
            uint32_t lane = list[k] % 8;
            Wide least = wide_splat(INFINITY);
            for (int c = 0; c < 3; ++c)
            {
                WideVec corner = { wide_splat(group->corner[c][0][lane]),
                                   wide_splat(group->corner[c][1][lane]),
                                   wide_splat(group->corner[c][2][lane]) };
                least = wide_min(least, least_over_tile(corner, center, q, half_size));
            }
            least = wide_sub(least, wide_splat(group->squared_ball[lane]));
            unsigned bits = wide_bits(wide_less_equal(least, limit)) << i;
            masks[k] = (uint8_t)(i == 0 ? bits : masks[k] | bits);
        }
    }
}

typedef struct WideEdge
{
    Wide out;     // distance along the outward normal
    Wide squared; // distance to the edge
} WideEdge;

KERNEL_INLINE WideEdge edge_distance(const struct AbutTriangleEdge* edge, Wide u, Wide v)
{
    Wide nu = wide_splat(edge->normal[0]), nv = wide_splat(edge->normal[1]);
    Wide out = wide_sub(dot2(nu, nv, u, v), wide_splat(edge->offset));
    Wide along = wide_sub(wide_sub(wide_mul(nu, v), wide_mul(nv, u)), wide_splat(edge->middle));
    Wide beyond = wide_max(wide_sub(wide_abs(along), wide_splat(edge->half_length)), wide_zero());
    return (WideEdge){ out, dot2(out, beyond, out, beyond) };
}

KERNEL_INLINE Wide triangle_squared_distance(const AbutTriangleFrame* frame, WideVec x)
{
    WideVec d = { wide_sub(x.x, wide_splat(frame->origin[0])), wide_sub(x.y, wide_splat(frame->origin[1])),
                  wide_sub(x.z, wide_splat(frame->origin[2])) };
    Wide u = dot3((WideVec){ wide_splat(frame->u[0]), wide_splat(frame->u[1]), wide_splat(frame->u[2]) }, d);
    Wide v = dot3((WideVec){ wide_splat(frame->v[0]), wide_splat(frame->v[1]), wide_splat(frame->v[2]) }, d);
    Wide w = dot3((WideVec){ wide_splat(frame->w[0]), wide_splat(frame->w[1]), wide_splat(frame->w[2]) }, d);
    Wide beyond = wide_max(wide_sub(wide_abs(u), wide_splat(frame->half_length)), wide_zero());
    WideEdge e1 = edge_distance(&frame->edges[0], u, v);
    WideEdge e2 = edge_distance(&frame->edges[1], u, v);
    Wide in_plane = wide_min(dot2(v, beyond, v, beyond), wide_min(e1.squared, e2.squared));
    Wide outside = wide_max(wide_negate(v), wide_max(e1.out, e2.out));
    in_plane = wide_select(wide_less(outside, wide_zero()), wide_zero(), in_plane);
    return wide_add(in_plane, wide_mul(w, w));
}

static void lower_distances_kernel(const AbutTriangleFrame* frames, const uint32_t* list, uint32_t count,
                                   const float x[8], const float y[8], const float z[8], float squared[8],
                                   uint32_t nearest[8])
{
    for (int i = 0; i < 8; i += WIDE_LANES)
    {
        WideVec node = { wide_load(x + i), wide_load(y + i), wide_load(z + i) };
        Wide best = wide_load(squared + i);
        WideInt best_id = wide_int_load(nearest + i), best_rank = wide_int_splat(INT32_MAX);
        for (uint32_t k = 0; k < count; ++k)
        {
            const AbutTriangleFrame* frame = &frames[list[k]];
            Wide d = triangle_squared_distance(frame, node);
            WideInt rank = wide_int_splat(frame->number + 1); // 0 stands for a triangle that is nearer
            WideMask nearer = wide_less(d, best);
            WideMask wins =
                wide_and(wide_less_equal(d, best),
                         wide_int_less(wide_int_select(nearer, wide_int_splat(0), rank), best_rank));
            best = wide_select(nearer, d, best);
            best_id = wide_int_select(wins, wide_int_splat(list[k]), best_id);
            best_rank = wide_int_select(wins, rank, best_rank);
        }
        wide_store(squared + i, best);
        wide_int_store(nearest + i, best_id);
    }
}

/// From the nearest point of an edge to a point of the plane.
typedef struct WideResidual
{
    Wide u, v, squared;
} WideResidual;

KERNEL_INLINE WideResidual residual(Wide normal_u, Wide normal_v, Wide out, Wide along, Wide half_length)
{
    Wide beyond = wide_max(wide_sub(wide_abs(along), half_length), wide_zero());
    Wide ahead = wide_select(wide_less(along, wide_zero()), wide_negate(beyond), beyond);
    return (WideResidual){ wide_sub(wide_mul(out, normal_u), wide_mul(ahead, normal_v)),
                           wide_add(wide_mul(out, normal_v), wide_mul(ahead, normal_u)),
                           dot2(out, beyond, out, beyond) };
}

KERNEL_INLINE WideResidual edge_residual(const struct AbutTriangleEdge* edge, Wide u, Wide v, Wide* outside)
{
    Wide nu = wide_splat(edge->normal[0]), nv = wide_splat(edge->normal[1]);
    Wide out = wide_sub(dot2(nu, nv, u, v), wide_splat(edge->offset));
    Wide along = wide_sub(wide_sub(wide_mul(nu, v), wide_mul(nv, u)), wide_splat(edge->middle));
    *outside = wide_max(*outside, out);
    return residual(nu, nv, out, along, wide_splat(edge->half_length));
}

KERNEL_INLINE WideResidual nearer_residual(WideResidual a, WideResidual b)
{
    WideMask second = wide_less(b.squared, a.squared);
    return (WideResidual){ wide_select(second, b.u, a.u), wide_select(second, b.v, a.v),
                           wide_select(second, b.squared, a.squared) };
}

/// Squared distance relative to the distance of the triangle's origin under which floats give no direction.
#define DIRECTION_LIMIT 1e-6f

KERNEL_INLINE WideVec triangle_direction(const AbutTriangleFrame* frame, WideVec x)
{
    WideVec d = { wide_sub(x.x, wide_splat(frame->origin[0])), wide_sub(x.y, wide_splat(frame->origin[1])),
                  wide_sub(x.z, wide_splat(frame->origin[2])) };
    WideVec u_axis = { wide_splat(frame->u[0]), wide_splat(frame->u[1]), wide_splat(frame->u[2]) };
    WideVec v_axis = { wide_splat(frame->v[0]), wide_splat(frame->v[1]), wide_splat(frame->v[2]) };
    WideVec w_axis = { wide_splat(frame->w[0]), wide_splat(frame->w[1]), wide_splat(frame->w[2]) };
    Wide u = dot3(u_axis, d), v = dot3(v_axis, d), w = dot3(w_axis, d), zero = wide_zero();
    Wide outside = wide_negate(v);
    WideResidual r = residual(zero, wide_splat(-1.0f), outside, u, wide_splat(frame->half_length));
    r = nearer_residual(r, edge_residual(&frame->edges[0], u, v, &outside));
    r = nearer_residual(r, edge_residual(&frame->edges[1], u, v, &outside));
    WideMask over = wide_less(outside, zero); // the nearest point is inside of the triangle
    r = (WideResidual){ wide_select(over, zero, r.u), wide_select(over, zero, r.v),
                        wide_select(over, zero, r.squared) };
    Wide squared = wide_add(r.squared, wide_mul(w, w));
    WideMask accurate = wide_less(wide_mul(wide_splat(DIRECTION_LIMIT), dot3(d, d)), squared);
    Wide scale = wide_select(accurate, wide_div(wide_splat(1.0f), wide_sqrt(squared)), zero);
    r = (WideResidual){ wide_mul(r.u, scale), wide_mul(r.v, scale), squared };
    w = wide_mul(w, scale);
    return (WideVec){
        wide_add(wide_mul(w, w_axis.x), wide_add(wide_mul(r.u, u_axis.x), wide_mul(r.v, v_axis.x))),
        wide_add(wide_mul(w, w_axis.y), wide_add(wide_mul(r.u, u_axis.y), wide_mul(r.v, v_axis.y))),
        wide_add(wide_mul(w, w_axis.z), wide_add(wide_mul(r.u, u_axis.z), wide_mul(r.v, v_axis.z))),
    };
}

/// True when lane i of a list is the first with its number, from lane `begin` on.
KERNEL_INLINE bool is_first(const uint32_t* list, int begin, int i)
{
    for (int k = begin; k < i; ++k)
    {
        if (list[k] == list[i])
        {
            return false;
        }
    }
    return true;
}

static void directions_kernel(const AbutTriangleFrame* frames, const uint32_t nearest[8], const float x[8],
                              const float y[8], const float z[8], float dx[8], float dy[8], float dz[8])
{
    for (int i = 0; i < 8; i += WIDE_LANES)
    {
        WideVec node = { wide_load(x + i), wide_load(y + i), wide_load(z + i) };
        WideVec out = { wide_zero(), wide_zero(), wide_zero() };
        WideInt numbers = wide_int_load(nearest + i);
        for (int lane = i; lane < i + WIDE_LANES; ++lane) // neighbours mostly share their triangle
        {
            if (is_first(nearest, i, lane))
            {
                WideMask own = wide_int_equal(numbers, wide_int_splat(nearest[lane]));
                out = select3(own, triangle_direction(&frames[nearest[lane]], node), out);
            }
        }
        wide_store(dx + i, out.x);
        wide_store(dy + i, out.y);
        wide_store(dz + i, out.z);
    }
}

#endif
