#include "surface/grid.h"

#include "base/memory.h"
#include "shape/shape.h"

#include <float.h>

/// A side that exceeds a whole count of cells by less than this fraction of a cell does so by rounding.
static const double WHOLE_CELLS_TOLERANCE = 1e-6;

/// Around the bounds of a shape, in cells. A half, so that faces that lie along the bounds fall between
/// nodes.
static const double MARGIN_CELLS = 1.5;

typedef struct Range
{
    double min, max;
} Range;

/// The box of the extraction, in double.
typedef struct Region
{
    Range axes[3];
    double longest; // side
    bool given;     // by the caller, and to be kept; else from the shape, with a margin to come
    bool empty;
} Region;

static Region make_region(AbutBox box, bool given)
{
    Region region = {
        .axes = { { box.min.x, box.max.x }, { box.min.y, box.max.y }, { box.min.z, box.max.z } },
        .given = given,
        .empty = abut_box_is_empty(box),
    };
    const Range *x = &region.axes[0], *y = &region.axes[1], *z = &region.axes[2];
    region.longest = fmax(0.0, fmax(x->max - x->min, fmax(y->max - y->min, z->max - z->min)));
    return region;
}

static AbutResult check_numbers(const AbutSurfaceDef* def)
{
    if (!isfinite(def->iso))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "surface: the level (iso) is %g; it must be finite",
                         (double)def->iso);
    }
    if (!(def->cell_size >= 0.0f) || !isfinite(def->cell_size))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "surface: cell_size is %g; it must be finite and > 0, or 0 to use resolution",
                         (double)def->cell_size);
    }
    if (def->cell_size == 0.0f && (def->resolution < 2 || def->resolution > ABUT_SURFACE_MAX_CELLS))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "surface: resolution is %u; it must be in [2, %d]",
                         def->resolution, ABUT_SURFACE_MAX_CELLS);
    }
    return ABUT_OK;
}

static bool has_nan(AbutBox box)
{
    return isnan(box.min.x) || isnan(box.min.y) || isnan(box.min.z) || isnan(box.max.x) || isnan(box.max.y) ||
           isnan(box.max.z);
}

static AbutResult check_given_box(AbutBox box)
{
    if (!abut_box_is_finite(box))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "surface: a side of the box is not finite");
    }
    if (!(box.min.x < box.max.x && box.min.y < box.max.y && box.min.z < box.max.z))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "surface: the box is flat (%g × %g × %g)",
                         (double)box.max.x - (double)box.min.x, (double)box.max.y - (double)box.min.y,
                         (double)box.max.z - (double)box.min.z);
    }
    return ABUT_OK;
}

/// The bounds of { f ≤ iso }: those of the shape, grown or shrunk.
static AbutResult bounds_of_level(const AbutShape* shape, float iso, AbutBox* box)
{
    const AbutShapeInfo info = abut_shape_info(shape);
    *box = abut_lipschitz_offset_bounds(info.bounds, shape->lower_lipschitz, iso);
    if (abut_box_is_empty(*box) || abut_box_is_finite(*box))
    {
        return ABUT_OK;
    }
    if (!abut_box_is_finite(info.bounds))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "surface: the shape (%s) has no end: give a box to look into",
                         abut_shape_kind_name(info.kind));
    }
    return abut_fail(
        ABUT_INVALID_ARGUMENT,
        "surface: how far the level %g of the shape (%s) reaches is not known, or is beyond the range "
        "of float: give a box to look into",
        (double)iso, abut_shape_kind_name(info.kind));
}

static AbutResult choose_region(const AbutSurfaceDef* def, const AbutShape* shape, Region* region)
{
    if (has_nan(def->box))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "surface: a side of the box is not a number");
    }
    const bool given = !abut_box_is_empty(def->box);
    AbutBox box = def->box;
    AbutResult result = given ? check_given_box(box) : bounds_of_level(shape, def->iso, &box);
    *region = make_region(box, given);
    return result;
}

static AbutResult choose_cell_size(const AbutSurfaceDef* def, const Region* region, double* cell_size)
{
    *cell_size = def->cell_size > 0.0f ? (double)def->cell_size : region->longest / def->resolution;
    if (!(*cell_size > 0.0))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "surface: the bounds of the shape are a point: give a cell_size or a box");
    }
    if (region->longest / *cell_size > ABUT_SURFACE_MAX_CELLS + WHOLE_CELLS_TOLERANCE)
    {
        return abut_fail(
            ABUT_LIMIT_EXCEEDED,
            "surface: cells of %g would be %.0f along the longest side (%g); at most %d: use cells "
            "of at least %g",
            *cell_size, region->longest / *cell_size, region->longest, ABUT_SURFACE_MAX_CELLS,
            region->longest / ABUT_SURFACE_MAX_CELLS);
    }
    return ABUT_OK;
}

/// Cells are cubes where the box may be chosen. A given box keeps its sides, and cells shrink along an axis
/// until a whole count of them fits.
static uint32_t fit_cells(const Region* region, Range* range, double cell_size)
{
    const double length = range->max - range->min;
    double count = fmax(ceil(length / cell_size - WHOLE_CELLS_TOLERANCE), region->given ? 1.0 : 0.0);
    if (!region->given)
    {
        count += 2.0 * MARGIN_CELLS;
        range->min -= MARGIN_CELLS * cell_size;
        range->max = range->min + count * cell_size;
    }
    return (uint32_t)count;
}

static AbutResult check_spacing(Range range, double spacing, double* step)
{
    const double furthest = fmax(fabs(range.min), fabs(range.max));
    if (!(furthest < (double)FLT_MAX))
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "surface: the box ends beyond the range of float, at %g",
                         furthest);
    }
    *step = (double)nextafterf((float)furthest, INFINITY) - (double)(float)furthest;
    if (spacing < ABUT_SURFACE_MIN_STEPS * *step)
    {
        return abut_fail(
            ABUT_LIMIT_EXCEEDED,
            "surface: cells of %g at %g from the origin are too small for float coordinates: use cells "
            "of at least %g, or a shape nearer to the origin",
            spacing, furthest, ABUT_SURFACE_MIN_STEPS * *step);
    }
    return ABUT_OK;
}

static AbutResult lay_nodes(Range range, uint32_t cell_count, const AbutHost* host, AbutSurfaceAxis* axis)
{
    const double spacing = (range.max - range.min) / cell_count;
    double step = 0.0;
    AbutResult result = check_spacing(range, spacing, &step);
    if (result != ABUT_OK)
    {
        return result;
    }
    const uint32_t block_count = (cell_count + 2 + ABUT_BLOCK_CELLS - 1) / ABUT_BLOCK_CELLS;
    axis->nodes = abut_memory_allocate(host, block_count * ABUT_BLOCK_CELLS + 1, sizeof(float));
    if (axis->nodes == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    axis->cell_count = cell_count;
    axis->block_count = block_count;
    axis->nudge = (float)fmax(ABUT_SURFACE_CLEARANCE / 4.0 * spacing, step);
    for (uint32_t node = 0; node <= block_count * ABUT_BLOCK_CELLS; ++node)
    {
        const uint32_t i = node < 1 ? 0 : node - 1;
        axis->nodes[node] = (float)(i < cell_count ? range.min + spacing * i : range.max);
    }
    return ABUT_OK;
}

AbutResult abut_surface_grid_create(const AbutSurfaceDef* def, const AbutShape* shape, const AbutHost* host,
                                    AbutSurfaceGrid* grid)
{
    *grid = (AbutSurfaceGrid){ 0 };
    Region region = { .empty = true };
    double cell_size = 0.0;
    AbutResult result = check_numbers(def);
    if (result == ABUT_OK)
    {
        result = choose_region(def, shape, &region);
    }
    if (result != ABUT_OK || region.empty)
    {
        return result;
    }
    result = choose_cell_size(def, &region, &cell_size);
    for (int i = 0; i < 3 && result == ABUT_OK; ++i)
    {
        const uint32_t cell_count = fit_cells(&region, &region.axes[i], cell_size);
        result = lay_nodes(region.axes[i], cell_count, host, &grid->axes[i]);
    }
    return result;
}

void abut_surface_grid_destroy(AbutSurfaceGrid* grid, const AbutHost* host)
{
    for (int i = 0; i < 3; ++i)
    {
        AbutSurfaceAxis* axis = &grid->axes[i];
        abut_memory_free(host, axis->nodes, axis->block_count * ABUT_BLOCK_CELLS + 1, sizeof(float));
    }
    *grid = (AbutSurfaceGrid){ 0 };
}
