// Samples of terrain (shape/terrain/kernels.h).
#ifndef ABUT_SHAPE_TERRAIN_SAMPLE_KERNELS_INL
#define ABUT_SHAPE_TERRAIN_SAMPLE_KERNELS_INL

#include "shape/terrain/cell_lanes.inl"
#include "shape/terrain/tiles.h"

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
        WideDouble p[3] = { wide_double_from_floats(points->given[0] + i) - frame->translation.x,
                            wide_double_from_floats(points->given[1] + i) - frame->translation.y,
                            wide_double_from_floats(points->given[2] + i) - frame->translation.z };
        const double(*m)[3] = frame->matrix;
        WideDouble own[3] = { m[0][0] * p[0] + m[0][1] * p[1] + m[0][2] * p[2] - frame->origin.x,
                              m[1][0] * p[0] + m[1][1] * p[1] + m[1][2] * p[2] - frame->origin.y,
                              m[2][0] * p[0] + m[2][1] * p[1] + m[2][2] * p[2] - frame->origin.z };
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

/// A point against the column under it and the bounds of the terrain.
typedef struct TerrainColumn
{
    WideDouble x, y, z;
    WideDouble above;  // height above the column
    WideDouble border; // distance to the nearest side of the rectangle; negative outside
    WideDouble cosine; // of the steepest slope within a block around the point
    WideDoubleMask inside;
} TerrainColumn;

KERNEL_INLINE TerrainColumn load_column(const AbutTerrainLengths* lengths, const AbutTerrainPoints* points,
                                        size_t i, const TerrainCell* cell)
{
    TerrainColumn column = { .x = load_doubles(points->x + i),
                             .y = load_doubles(points->cells.y + i),
                             .z = load_doubles(points->z + i),
                             .above = height_above(cell, lengths->spacing),
                             .cosine = wide_double_from_floats(points->cosine + i) };
    column.border = wide_double_min(wide_double_min(column.x, lengths->width - column.x),
                                    wide_double_min(column.z, lengths->depth - column.z));
    column.inside = (column.border >= 0.0) & (column.above < 0.0);
    return column;
}

/// A cheap lower bound of the distance: the height above or below the column times a cosine of slopes;
/// outside of the solid at least the distance to the bounds, inside at most that to the walls.
KERNEL_INLINE WideDouble distance_bound(const AbutTerrainLengths* lengths, const TerrainColumn* column,
                                        WideDouble by_height)
{
    WideDouble dx = column->x - clamp_doubles(column->x, 0.0, lengths->width);
    WideDouble dz = column->z - clamp_doubles(column->z, 0.0, lengths->depth);
    WideDouble dy = wide_double_max(column->y - lengths->highest, wide_double_splat(0.0));
    WideDouble to_box = wide_double_sqrt(dx * dx + dy * dy + dz * dz);
    return wide_double_select(column->inside, wide_double_min(by_height, column->border),
                              wide_double_max(by_height, to_box));
}

KERNEL_INLINE WideDouble signed_above(const TerrainColumn* column)
{
    return wide_double_select(column->inside, -column->above, column->above);
}

/// With the cosine of the whole terrain: of slope 1.
KERNEL_INLINE WideDouble far_distance(const AbutTerrainLengths* lengths, const TerrainColumn* column)
{
    return distance_bound(lengths, column, signed_above(column) * lengths->steepest_cosine);
}

/// With the cosine around the point, up to the size of a block: sharper, but not continuous.
KERNEL_INLINE WideDouble local_bound(const AbutTerrainLengths* lengths, const TerrainColumn* column)
{
    double block = lengths->spacing * (double)(1 << ABUT_HEIGHT_BLOCK_SHIFT);
    WideDouble above = signed_above(column);
    WideDouble by_height = wide_double_min(above * column->cosine, wide_double_splat(block));
    return distance_bound(lengths, column, wide_double_max(by_height, above * lengths->steepest_cosine));
}

/// Horizontal radius around the point in which the surface may be closer than `squared`. With slopes of at
/// most L around it, the surface at the radius r is at least |above| − L·r under or over the point, while
/// that is over 0.
KERNEL_INLINE WideDouble closer_radius(const AbutTerrainLengths* lengths, const TerrainColumn* column,
                                       WideDouble squared)
{
    WideDouble distance = wide_double_sqrt(squared), height = wide_double_abs(column->above);
    WideDouble cosine2 = column->cosine * column->cosine, none = wide_double_splat(0.0);
    WideDouble slope = wide_double_sqrt(wide_double_max(1.0 / cosine2 - 1.0, none));
    WideDouble rest = wide_double_max(squared / cosine2 - height * height, none);
    WideDouble radius = cosine2 * (height * slope + wide_double_sqrt(rest)) * (1.0 + 1e-9);
    double block = lengths->spacing * (double)(1 << ABUT_HEIGHT_BLOCK_SHIFT);
    WideDoubleMask around =
        (column->border >= 0.0) & (distance < block) & (distance * slope < height * (1.0 - 1e-9));
    radius = wide_double_select(around, wide_double_min(radius, distance), distance);
    return radius + 1e-9 * lengths->spacing;
}

/// Cells within a radius.
KERNEL_INLINE void store_range(const AbutTerrainLengths* lengths, AbutTerrainPoints* points, size_t i,
                               const TerrainColumn* column, WideDouble radius)
{
    double per_length = 1.0 / lengths->spacing;
    const double* last = lengths->last_cell;
    store_ints(points->first_x + i, cells_of((column->x - radius) * per_length, last[0]));
    store_ints(points->last_x + i, cells_of((column->x + radius) * per_length, last[0]));
    store_ints(points->first_z + i, cells_of((column->z - radius) * per_length, last[1]));
    store_ints(points->last_z + i, cells_of((column->z + radius) * per_length, last[1]));
}

KERNEL_INLINE void store_column(const AbutTerrainLengths* lengths, AbutTerrainPoints* points, size_t i,
                                const TerrainColumn* column)
{
    store_doubles(points->far + i, far_distance(lengths, column));
    store_doubles(points->bound + i, local_bound(lengths, column));
    store_doubles(points->border + i, column->border);
    store_doubles(points->inside + i,
                  wide_double_select(column->inside, wide_double_splat(-1.0), wide_double_splat(1.0)));
}

static void start_kernel(const AbutTerrainLengths* lengths, AbutTerrainPoints* points, size_t count)
{
    double limit = lengths->band * lengths->band;
    for (size_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        TerrainCell cell = load_cell(lengths->spacing, &points->cells, i);
        TerrainColumn column = load_column(lengths, points, i, &cell);
        TerrainFace lower = lower_face(&cell, cell.x, cell.z), upper = upper_face(&cell, cell.x, cell.z);
        TerrainClosest closest = closest_of_cell(&cell, &lower, &upper);
        WideDoubleMask found = closest.squared < limit;
        closest.squared = wide_double_select(found, closest.squared, wide_double_splat(limit));
        closest.feature =
            wide_double_select(found, closest.feature, wide_double_splat((double)ABUT_TERRAIN_NO_FEATURE));
        store_column(lengths, points, i, &column);
        store_doubles(points->cells.squared + i, closest.squared);
        store_doubles(points->cells.feature + i, closest.feature);
        store_range(lengths, points, i, &column, closer_radius(lengths, &column, closest.squared));
    }
}

static void bound_kernel(const AbutTerrainLengths* lengths, AbutTerrainPoints* points, size_t count)
{
    for (size_t i = 0; i < count; i += WIDE_DOUBLES)
    {
        TerrainCell cell = load_cell(lengths->spacing, &points->cells, i);
        TerrainColumn column = load_column(lengths, points, i, &cell);
        store_column(lengths, points, i, &column);
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
    // Heights that could not be loaded have no distance, either.
    WideDouble squared = load_doubles(points->cells.squared + i);
    number = number & (squared == squared);
    WideDouble distance = wide_double_sqrt(squared) * (load_doubles(points->inside + i) * frame->scale);
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
