#include "volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    /// Cells of one level that are kept at most; the next level has up to eight times as many samples.
    CELL_LIMIT = 1 << 19,
    LEVEL_LIMIT = 12,
    ROOT_CELLS = 8, // along the longest side
    BATCH = 1 << 16
};

/// Rounding of a distance in float, relative to the size of the shape (the promise of AbutShapeInfo).
#define ROUNDING 4e-6

typedef struct Cell
{
    uint16_t x, y, z;
} Cell;

typedef struct CellList
{
    Cell* cells;
    size_t count, capacity;
} CellList;

typedef struct VolumeWork
{
    const AbutShape* shape;
    const AbutHost* host;
    AbutShapeInfo info;
    AbutPosition center; // of the bounds; cells are placed from it, so that far shapes lose nothing
    double root_size;    // of a cell of level 0
    uint32_t root_counts[3];
    double slack;     // distance that float rounding and the shape's own error may hide
    double inside;    // volume proved inside
    double undecided; // volume of undecided cells
    double estimate;  // part of it that is probably inside
} VolumeWork;

static bool list_push(CellList* list, Cell cell)
{
    if (list->count == list->capacity)
    {
        size_t capacity = list->capacity == 0 ? 4096 : list->capacity * 2;
        Cell* cells = realloc(list->cells, capacity * sizeof(Cell));
        if (cells == NULL)
        {
            return false;
        }
        list->cells = cells;
        list->capacity = capacity;
    }
    list->cells[list->count++] = cell;
    return true;
}

static double cell_coordinate(const VolumeWork* work, uint32_t index, int axis, double size, uint32_t scale)
{
    double half = 0.5 * (double)(work->root_counts[axis] * scale);
    return ((double)index + 0.5 - half) * size;
}

/// The share of a cube of side `size` on the inner side of a plane, to first order: exact on average over all
/// positions of the plane.
static double inside_share(double distance, const float gradient[3], double size)
{
    double width = size * (fabs((double)gradient[0]) + fabs((double)gradient[1]) + fabs((double)gradient[2]));
    if (!(width > 0.0))
    {
        return distance < 0.0 ? 1.0 : 0.0;
    }
    double share = 0.5 - distance / width;
    return share < 0.0 ? 0.0 : (share > 1.0 ? 1.0 : share);
}

/// Distances and gradients at the centres of `count` cells.
typedef struct CellSamples
{
    float x[BATCH], y[BATCH], z[BATCH];
    float distance[BATCH], gradient_x[BATCH], gradient_y[BATCH], gradient_z[BATCH];
} CellSamples;

static void sample_cells(const VolumeWork* work, const Cell* cells, size_t count, double size, uint32_t scale,
                         CellSamples* samples)
{
    for (size_t i = 0; i < count; ++i)
    {
        samples->x[i] = (float)cell_coordinate(work, cells[i].x, 0, size, scale);
        samples->y[i] = (float)cell_coordinate(work, cells[i].y, 1, size, scale);
        samples->z[i] = (float)cell_coordinate(work, cells[i].z, 2, size, scale);
    }
    AbutPose pose = abut_pose_at(-work->center.x, -work->center.y, -work->center.z);
    AbutPoints points = { samples->x, samples->y, samples->z };
    AbutSamples out = { samples->distance, samples->gradient_x, samples->gradient_y, samples->gradient_z };
    abut_shape_sample_parallel(work->shape, &pose, points, count, out, work->host);
}

static bool push_children(CellList* next, Cell cell)
{
    bool good = true;
    for (unsigned child = 0; good && child < 8; ++child)
    {
        Cell child_cell = { (uint16_t)(2u * cell.x + (child & 1u)),
                            (uint16_t)(2u * cell.y + (child >> 1 & 1u)),
                            (uint16_t)(2u * cell.z + (child >> 2)) };
        good = list_push(next, child_cell);
    }
    return good;
}

/// Decides the cells of one level. Those that stay undecided go to `next` as their eight parts, or into the
/// estimate when this is the last level.
static bool classify_level(VolumeWork* work, const CellList* level, uint32_t scale, bool last, CellList* next)
{
    double size = work->root_size / (double)scale;
    double cell_volume = size * size * size;
    double bound = (double)work->info.lipschitz * 0.5 * sqrt(3.0) * size + work->slack;
    CellSamples* samples = malloc(sizeof(CellSamples));
    bool good = samples != NULL;
    for (size_t start = 0; good && start < level->count; start += BATCH)
    {
        size_t count = level->count - start < BATCH ? level->count - start : BATCH;
        sample_cells(work, level->cells + start, count, size, scale, samples);
        for (size_t i = 0; good && i < count; ++i)
        {
            double distance = (double)samples->distance[i];
            if (distance < -bound)
            {
                work->inside += cell_volume;
            }
            else if (distance <= bound && !last)
            {
                good = push_children(next, level->cells[start + i]);
            }
            else if (distance <= bound)
            {
                float gradient[3] = { samples->gradient_x[i], samples->gradient_y[i],
                                      samples->gradient_z[i] };
                work->undecided += cell_volume;
                work->estimate += cell_volume * inside_share(distance, gradient, size);
            }
        }
    }
    free(samples);
    return good;
}

static bool push_roots(const VolumeWork* work, CellList* level)
{
    bool good = true;
    for (uint32_t z = 0; z < work->root_counts[2]; ++z)
    {
        for (uint32_t y = 0; y < work->root_counts[1]; ++y)
        {
            for (uint32_t x = 0; good && x < work->root_counts[0]; ++x)
            {
                good = list_push(level, (Cell){ (uint16_t)x, (uint16_t)y, (uint16_t)z });
            }
        }
    }
    return good;
}

/// Splits until the next level would be too large.
static bool refine(VolumeWork* work, uint32_t* finest)
{
    CellList level = { 0 }, next = { 0 };
    bool good = push_roots(work, &level);
    uint32_t scale = 1;
    for (int depth = 0; good && level.count > 0; ++depth)
    {
        bool last = depth == LEVEL_LIMIT || level.count > CELL_LIMIT;
        *finest = scale;
        good = classify_level(work, &level, scale, last, &next);
        CellList swap = level;
        level = next;
        next = swap;
        next.count = 0;
        scale *= 2;
    }
    free(level.cells);
    free(next.cells);
    return good;
}

static VolumeWork make_work(const AbutShape* shape, const AbutHost* host)
{
    VolumeWork work = { .shape = shape, .host = host, .info = abut_shape_info(shape) };
    AbutBox box = work.info.bounds;
    double extents[3] = { (double)box.max.x - (double)box.min.x, (double)box.max.y - (double)box.min.y,
                          (double)box.max.z - (double)box.min.z };
    double longest = fmax(extents[0], fmax(extents[1], extents[2]));
    work.center = (AbutPosition){ 0.5 * ((double)box.min.x + (double)box.max.x),
                                  0.5 * ((double)box.min.y + (double)box.max.y),
                                  0.5 * ((double)box.min.z + (double)box.max.z) };
    // Not a round part of the box: centres of cells then avoid its planes of symmetry, where gradients jump.
    work.root_size = longest * 1.0137 / ROOT_CELLS;
    for (int axis = 0; axis < 3; ++axis)
    {
        work.root_counts[axis] = (uint32_t)fmax(1.0, ceil(extents[axis] / work.root_size));
    }
    work.slack = (double)work.info.error + ROUNDING * longest;
    return work;
}

AbutResult volume_of_shape(const AbutShape* shape, const AbutHost* host, VolumeEstimate* out)
{
    AbutBox bounds = abut_shape_info(shape).bounds;
    memset(out, 0, sizeof(*out));
    if (abut_box_is_empty(bounds))
    {
        return ABUT_OK;
    }
    if (!abut_box_is_finite(bounds))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "a shape without end has no volume");
    }
    VolumeWork work = make_work(shape, host);
    uint32_t finest = 1;
    if (!(work.root_size > 0.0))
    {
        return ABUT_OK;
    }
    if (!refine(&work, &finest))
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for the cells of a volume");
    }
    out->low = work.inside;
    out->high = work.inside + work.undecided;
    out->volume = work.inside + work.estimate;
    out->cell_size = work.root_size / (double)finest;
    return ABUT_OK;
}
