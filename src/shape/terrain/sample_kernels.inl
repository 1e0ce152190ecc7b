// Samples of terrain (shape/terrain/kernels.h).
#ifndef ABUT_SHAPE_TERRAIN_SAMPLE_KERNELS_INL
#define ABUT_SHAPE_TERRAIN_SAMPLE_KERNELS_INL

#include "shape/terrain/cell_lanes.inl"

/// `value` within [low, high]; low when it is NaN.
KERNEL_INLINE WideDouble clamp_doubles(WideDouble value, double low, double high)
{
    return wide_double_min(wide_double_max(value, wide_double_splat(low)), wide_double_splat(high));
}

KERNEL_INLINE WideDoubleInts cells_of(WideDouble position, double last)
{
    return __builtin_convertvector(clamp_doubles(position, 0.0, last), WideDoubleInts);
}

KERNEL_INLINE void store_ints(int32_t* p, WideDoubleInts lanes)
{
    memcpy(p, &lanes, sizeof(lanes));
}

static void locate_kernel(const AbutTerrainLengths* lengths, const AbutTerrainFrame* frame,
                          AbutTerrainPoints* points, size_t count)
{
    for (size_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        WideDouble p[3], own[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            p[axis] = wide_double_from_floats(points->given[axis] + i) - frame->translation[axis];
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            const double* m = frame->matrix[axis];
            own[axis] = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] - frame->origin[axis];
        }
        WideDoubleInts x = cells_of(own[0] / lengths->spacing, lengths->last_cell[0]);
        WideDoubleInts z = cells_of(own[2] / lengths->spacing, lengths->last_cell[1]);
        store_ints(points->cell_x + i, x);
        store_ints(points->cell_z + i, z);
        store_doubles(points->x + i, own[0]);
        store_doubles(points->z + i, own[2]);
        store_doubles(points->cells.x + i,
                      own[0] - __builtin_convertvector(x, WideDouble) * lengths->spacing);
        store_doubles(points->cells.y + i, own[1]);
        store_doubles(points->cells.z + i,
                      own[2] - __builtin_convertvector(z, WideDouble) * lengths->spacing);
    }
}

/// Height above the column of the point, or the one nearest to it.
KERNEL_INLINE WideDouble height_above(const TerrainCell* cell, double spacing)
{
    WideDouble x = clamp_doubles(cell->x, 0.0, spacing), z = clamp_doubles(cell->z, 0.0, spacing);
    WideDouble above = wide_double_select(x >= z, lower_face(cell, x, z).above, upper_face(cell, x, z).above);
    return above / spacing;
}

/// A cheap lower bound of the distance: outside of the solid the height above the column times the cosine of
/// the steepest slope, or the distance to the bounds.
KERNEL_INLINE WideDouble far_distance(const AbutTerrainLengths* lengths, WideDouble x, WideDouble y,
                                      WideDouble z, WideDouble above, WideDouble border,
                                      WideDoubleMask inside)
{
    WideDouble by_height = above * lengths->steepest_cosine;
    WideDouble dx = x - clamp_doubles(x, 0.0, lengths->width);
    WideDouble dz = z - clamp_doubles(z, 0.0, lengths->depth);
    WideDouble dy = wide_double_max(y - lengths->highest, wide_double_splat(0.0));
    WideDouble to_box = wide_double_sqrt(dx * dx + dy * dy + dz * dz);
    return wide_double_select(inside, wide_double_min(-by_height, border),
                              wide_double_max(by_height, to_box));
}

/// Cells within the distance of the closest feature; a little more than that, for rounding.
KERNEL_INLINE void store_range(const AbutTerrainLengths* lengths, AbutTerrainPoints* points, size_t i,
                               WideDouble x, WideDouble z, WideDouble squared)
{
    WideDouble radius = wide_double_sqrt(squared) + 1e-9 * lengths->spacing;
    double per_length = 1.0 / lengths->spacing;
    store_ints(points->first_x + i, cells_of((x - radius) * per_length, lengths->last_cell[0]));
    store_ints(points->last_x + i, cells_of((x + radius) * per_length, lengths->last_cell[0]));
    store_ints(points->first_z + i, cells_of((z - radius) * per_length, lengths->last_cell[1]));
    store_ints(points->last_z + i, cells_of((z + radius) * per_length, lengths->last_cell[1]));
}

static void start_kernel(const AbutTerrainLengths* lengths, AbutTerrainPoints* points, size_t count)
{
    double limit = lengths->band * lengths->band;
    for (size_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        WideDouble x = load_doubles(points->x + i), y = load_doubles(points->cells.y + i);
        WideDouble z = load_doubles(points->z + i);
        TerrainCell cell = load_cell(lengths->spacing, &points->cells, i);
        WideDouble above = height_above(&cell, lengths->spacing);
        WideDouble border =
            wide_double_min(wide_double_min(x, lengths->width - x), wide_double_min(z, lengths->depth - z));
        WideDoubleMask inside = (border >= 0.0) & (above < 0.0);
        TerrainFace lower = lower_face(&cell, cell.x, cell.z), upper = upper_face(&cell, cell.x, cell.z);
        TerrainClosest closest = closest_of_cell(&cell, &lower, &upper);
        WideDoubleMask found = closest.squared < limit;
        closest.squared = wide_double_select(found, closest.squared, wide_double_splat(limit));
        closest.feature =
            wide_double_select(found, closest.feature, wide_double_splat((double)ABUT_TERRAIN_NO_FEATURE));
        store_doubles(points->far + i, far_distance(lengths, x, y, z, above, border, inside));
        store_doubles(points->border + i, border);
        store_doubles(points->inside + i,
                      wide_double_select(inside, wide_double_splat(-1.0), wide_double_splat(1.0)));
        store_doubles(points->cells.squared + i, closest.squared);
        store_doubles(points->cells.feature + i, closest.feature);
        store_range(lengths, points, i, x, z, closest.squared);
    }
}

static void closest_kernel(double spacing, AbutTerrainCells* cells, size_t count)
{
    for (size_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        TerrainCell cell = load_cell(spacing, cells, i);
        TerrainFace lower = lower_face(&cell, cell.x, cell.z), upper = upper_face(&cell, cell.x, cell.z);
        TerrainClosest closest = closest_of_cell(&cell, &lower, &upper);
        store_doubles(cells->squared + i, closest.squared);
        store_doubles(cells->feature + i, closest.feature);
    }
}

/// A vector of lanes of doubles.
typedef struct TerrainVec
{
    WideDouble x, y, z;
} TerrainVec;

KERNEL_INLINE TerrainVec select_vec(WideDoubleMask mask, TerrainVec a, TerrainVec b)
{
    return (TerrainVec){ wide_double_select(mask, a.x, b.x), wide_double_select(mask, a.y, b.y),
                         wide_double_select(mask, a.z, b.z) };
}

KERNEL_INLINE WideDoubleMask is_feature(WideDouble feature, AbutTerrainFeature which)
{
    return feature == (double)which;
}

/// From a corner of the closest edge, or from the closest corner, to the point.
KERNEL_INLINE TerrainVec from_corner(const TerrainCell* cell, WideDouble f)
{
    WideDoubleMask corner_11 = is_feature(f, ABUT_TERRAIN_CORNER_11);
    WideDoubleMask corner_10 = is_feature(f, ABUT_TERRAIN_CORNER_10) | is_feature(f, ABUT_TERRAIN_EDGE_X1);
    WideDoubleMask corner_01 = is_feature(f, ABUT_TERRAIN_CORNER_01) | is_feature(f, ABUT_TERRAIN_EDGE_Z1);
    WideDouble y = wide_double_select(corner_10, cell->y10, cell->y00);
    y = wide_double_select(corner_01, cell->y01, y);
    y = wide_double_select(corner_11, cell->y11, y);
    return (TerrainVec){ wide_double_select(corner_10 | corner_11, cell->x - cell->spacing, cell->x), y,
                         wide_double_select(corner_01 | corner_11, cell->z - cell->spacing, cell->z) };
}

/// The closest edge, from its first corner to its second.
KERNEL_INLINE TerrainVec edge_of(const TerrainCell* cell, WideDouble f)
{
    WideDoubleMask z0 = is_feature(f, ABUT_TERRAIN_EDGE_Z0), z1 = is_feature(f, ABUT_TERRAIN_EDGE_Z1);
    WideDoubleMask x0 = is_feature(f, ABUT_TERRAIN_EDGE_X0), x1 = is_feature(f, ABUT_TERRAIN_EDGE_X1);
    WideDouble none = wide_double_splat(0.0), rise = cell->h11 - cell->h00;
    rise = wide_double_select(z0, cell->h10 - cell->h00, rise);
    rise = wide_double_select(z1, cell->h11 - cell->h01, rise);
    rise = wide_double_select(x0, cell->h01 - cell->h00, rise);
    rise = wide_double_select(x1, cell->h11 - cell->h10, rise);
    return (TerrainVec){ wide_double_select(x0 | x1, none, cell->spacing), rise,
                         wide_double_select(z0 | z1, none, cell->spacing) };
}

KERNEL_INLINE TerrainVec cross_doubles(TerrainVec a, TerrainVec b)
{
    return (TerrainVec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/// Within this fraction of a spacing, the direction to an edge or corner is rounding, and the normal of a
/// face beside it is used.
static const double ON_SURFACE = 1e-9;

static void directions_kernel(double spacing, AbutTerrainPoints* points, size_t count)
{
    for (size_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        TerrainCell cell = load_cell(spacing, &points->cells, i);
        WideDouble f = load_doubles(points->cells.feature + i), outward = load_doubles(points->inside + i);
        TerrainVec corner = from_corner(&cell, f), edge = edge_of(&cell, f);
        TerrainVec aside = cross_doubles(edge, cross_doubles(corner, edge));
        TerrainVec d = select_vec(f >= (double)ABUT_TERRAIN_CORNER_00, corner, aside);
        d = (TerrainVec){ d.x * outward, d.y * outward, d.z * outward };
        TerrainFace lower = lower_face(&cell, cell.x, cell.z), upper = upper_face(&cell, cell.x, cell.z);
        WideDoubleMask beside_upper =
            is_feature(f, ABUT_TERRAIN_UPPER_FACE) | is_feature(f, ABUT_TERRAIN_EDGE_Z1) |
            is_feature(f, ABUT_TERRAIN_EDGE_X0) | is_feature(f, ABUT_TERRAIN_CORNER_01);
        TerrainVec normal = { wide_double_select(beside_upper, upper.nx, lower.nx), cell.spacing,
                              wide_double_select(beside_upper, upper.nz, lower.nz) };
        double least = ON_SURFACE * spacing;
        WideDoubleMask on_face = (f <= (double)ABUT_TERRAIN_UPPER_FACE) |
                                 (load_doubles(points->cells.squared + i) <= least * least);
        d = select_vec(on_face, normal, d);
        store_doubles(points->direction[0] + i, d.x);
        store_doubles(points->direction[1] + i, d.y);
        store_doubles(points->direction[2] + i, d.z);
    }
}

KERNEL_INLINE void store_floats(float* p, size_t n, WideDouble lanes)
{
    WideDoubleFloats floats = __builtin_convertvector(lanes, WideDoubleFloats);
    memcpy(p, &floats, n * sizeof(float));
}

KERNEL_INLINE void finish_lanes(const AbutTerrainFrame* frame, const AbutTerrainPoints* points, size_t i,
                                size_t n, AbutSamples out, bool gradient)
{
    WideDouble given_x = wide_double_from_floats(points->given[0] + i);
    WideDouble given_y = wide_double_from_floats(points->given[1] + i);
    WideDouble given_z = wide_double_from_floats(points->given[2] + i);
    WideDoubleMask number = (given_x == given_x) & (given_y == given_y) & (given_z == given_z);
    WideDouble nan = wide_double_splat((double)NAN);
    WideDouble distance = wide_double_sqrt(load_doubles(points->cells.squared + i)) *
                          (load_doubles(points->inside + i) * frame->scale);
    store_floats(out.distance + i, n, wide_double_select(number, distance, nan));
    if (!gradient)
    {
        return;
    }
    WideDouble x = load_doubles(points->direction[0] + i), y = load_doubles(points->direction[1] + i);
    WideDouble z = load_doubles(points->direction[2] + i);
    WideDouble per_length = 1.0 / wide_double_sqrt(x * x + y * y + z * z);
    per_length = wide_double_select(number, per_length, nan);
    float* const g[3] = { out.gradient_x, out.gradient_y, out.gradient_z };
    for (int axis = 0; axis < 3; ++axis)
    {
        const double* m = frame->rotation[axis];
        store_floats(g[axis] + i, n, (m[0] * x + m[1] * y + m[2] * z) * per_length);
    }
}

static void finish_kernel(const AbutTerrainFrame* frame, const AbutTerrainPoints* points, size_t count,
                          AbutSamples out)
{
    size_t whole = count / WIDE_DOUBLES * WIDE_DOUBLES;
    bool gradient = out.gradient_x != NULL;
    for (size_t i = 0; i < whole; i += WIDE_DOUBLES)
    {
        finish_lanes(frame, points, i, WIDE_DOUBLES, out, gradient);
    }
    if (whole < count)
    {
        finish_lanes(frame, points, whole, count - whole, out, gradient);
    }
}

#endif
