#include "points/hull/cells.h"

#include "math/dvec3.h"
#include "shape/shape.h"

#include <math.h>
#include <string.h>

enum
{
    MAX_LEVELS = 20, // 60 bits of a Morton code
    NODE_CELLS = 16  // cells of a node that is not divided
};

static const double HALF_DIAGONAL = 0.86602540378443864676; // of a cube of edge 1

/// Unit in the last place of floats in [1, 2), halved.
static const double ROUNDING = 0x1p-24;

AbutHullPromise abut_hull_promise(const AbutShape* shape)
{
    AbutShapeInfo info = shape->info;
    double size = (double)abut_shape_box_radius(info.bounds);
    double rounding =
        ((double)shape->rounding.count + 8.0) * ROUNDING * (2.0 * size + (double)shape->rounding.length);
    AbutHullPromise promise = { .error = (double)info.error + rounding, .slope = (double)info.lipschitz };
    bool exact = info.distance_kind == ABUT_DISTANCE_EXACT;
    promise.exact_outside = exact || info.distance_kind == ABUT_DISTANCE_EXACT_OUTSIDE;
    promise.slope = exact ? 1.0 : abut_larger(promise.slope, 1.0);
    return promise;
}

// -----------------------------------------------------------------------------------------------------------
// Levels of the octree
// -----------------------------------------------------------------------------------------------------------

static uint32_t compact_bits(uint64_t key) // every third bit
{
    uint32_t value = 0;
    for (int i = 0; i < MAX_LEVELS; ++i)
    {
        value |= (uint32_t)((key >> (3 * i)) & 1u) << i;
    }
    return value;
}

/// The middle of a cube with this key at a level whose cubes have this edge.
static AbutVec3 middle_of(const AbutHullCells* cells, uint64_t key, double edge)
{
    return abut_vec3((float)((double)cells->corner.x + edge * ((double)compact_bits(key) + 0.5)),
                     (float)((double)cells->corner.y + edge * ((double)compact_bits(key >> 1) + 0.5)),
                     (float)((double)cells->corner.z + edge * ((double)compact_bits(key >> 2) + 0.5)));
}

static bool allocate_cells(AbutHullCells* cells, size_t count, AbutArena* arena)
{
    float** columns[7] = { &cells->x,
                           &cells->y,
                           &cells->z,
                           &cells->samples.distance,
                           &cells->samples.gradient_x,
                           &cells->samples.gradient_y,
                           &cells->samples.gradient_z };
    bool good = true;
    for (int i = 0; i < 7 && good; ++i)
    {
        *columns[i] = abut_arena_allocate(arena, count, sizeof(float));
        good = *columns[i] != NULL;
    }
    return good;
}

/// Samples the cubes of a level and keeps those that the surface may be in. Returns their count.
static uint32_t keep_candidates(AbutHullCells* cells, uint32_t count, double edge)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 at = middle_of(cells, cells->keys[i], edge);
        cells->x[i] = at.x;
        cells->y[i] = at.y;
        cells->z[i] = at.z;
    }
    AbutPoints points = { cells->x, cells->y, cells->z };
    abut_shape_sample_parallel(cells->shape, NULL, points, count, cells->samples, cells->host);
    double limit = cells->promise.slope * HALF_DIAGONAL * edge * (1.0 + 0x1p-20) + cells->promise.error;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!(fabs((double)cells->samples.distance[i]) > limit)) // a NaN stays: it proves nothing
        {
            cells->keys[kept] = cells->keys[i];
            cells->x[kept] = cells->x[i];
            cells->y[kept] = cells->y[i];
            cells->z[kept] = cells->z[i];
            cells->samples.distance[kept] = cells->samples.distance[i];
            cells->samples.gradient_x[kept] = cells->samples.gradient_x[i];
            cells->samples.gradient_y[kept] = cells->samples.gradient_y[i];
            cells->samples.gradient_z[kept] = cells->samples.gradient_z[i];
            ++kept;
        }
    }
    return kept;
}

/// Replaces the cubes of a level by their eight children each, in Morton order.
static AbutResult divide(AbutHullCells* cells, AbutArena* arena)
{
    size_t count = 8 * (size_t)cells->count;
    uint64_t* keys = abut_arena_allocate(arena, count, sizeof(uint64_t));
    if (keys == NULL || !allocate_cells(cells, count, arena))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; ++i)
    {
        keys[i] = cells->keys[i / 8] << 3 | i % 8;
    }
    cells->keys = keys;
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Nodes over the cells
// -----------------------------------------------------------------------------------------------------------

/// The first cell of [first, last) whose key is at least `key`.
static uint32_t find_key(const AbutHullCells* cells, uint32_t first, uint32_t last, uint64_t key)
{
    while (first < last)
    {
        uint32_t middle = first + (last - first) / 2;
        if (cells->keys[middle] < key)
        {
            first = middle + 1;
        }
        else
        {
            last = middle;
        }
    }
    return first;
}

static AbutHullNode make_node(const AbutHullCells* cells, uint32_t first, uint32_t count, int level)
{
    int below = cells->levels - level;
    double edge = ldexp(cells->edge, below);
    AbutVec3 at = middle_of(cells, cells->keys[first] >> (3 * below), edge);
    return (AbutHullNode){ .center = { at.x, at.y, at.z },
                           .radius = (float)(HALF_DIAGONAL * edge * (1.0 + 0x1p-20)),
                           .first = first,
                           .count = count };
}

static bool add_node(AbutHullCells* cells, AbutHullNode node, size_t* capacity, AbutArena* arena)
{
    if (cells->node_count == *capacity)
    {
        size_t wanted = 2 * *capacity + 64;
        AbutHullNode* nodes = abut_arena_allocate(arena, wanted, sizeof(AbutHullNode));
        if (nodes == NULL)
        {
            return false;
        }
        if (cells->node_count > 0)
        {
            memcpy(nodes, cells->nodes, cells->node_count * sizeof(AbutHullNode));
        }
        cells->nodes = nodes;
        *capacity = wanted;
    }
    cells->nodes[cells->node_count++] = node;
    return true;
}

/// Divides node `index` of a level into cubes of the next.
static bool divide_node(AbutHullCells* cells, uint32_t index, int level, size_t* capacity, AbutArena* arena)
{
    int below = 3 * (cells->levels - level - 1);
    uint32_t at = cells->nodes[index].first, last = at + cells->nodes[index].count;
    cells->nodes[index].first_child = cells->node_count;
    while (at < last)
    {
        uint64_t next = ((cells->keys[at] >> below) + 1) << below;
        uint32_t split = find_key(cells, at, last, next);
        if (!add_node(cells, make_node(cells, at, split - at, level + 1), capacity, arena))
        {
            return false;
        }
        ++cells->nodes[index].child_count;
        at = split;
    }
    return true;
}

/// Breadth first: children of a node are neighbours. A level of nodes ends where the next begins.
static AbutResult build_nodes(AbutHullCells* cells, AbutArena* arena)
{
    size_t capacity = 0;
    bool good = add_node(cells, make_node(cells, 0, cells->count, 0), &capacity, arena);
    uint32_t first = 0;
    for (int level = 0; level < cells->levels && good; ++level)
    {
        uint32_t end = cells->node_count;
        for (uint32_t i = first; i < end && good; ++i)
        {
            good = cells->nodes[i].count <= NODE_CELLS || divide_node(cells, i, level, &capacity, arena);
        }
        first = end;
    }
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static AbutResult begin(const AbutShape* shape, double radius, AbutArena* arena, AbutHullCells* cells)
{
    AbutBox box = shape->info.bounds;
    AbutVec3 size = abut_box_extents(box);
    double extent = (double)fmaxf(size.x, fmaxf(size.y, size.z));
    // A little wider, so that rounding of middles keeps the surface inside.
    double widened = extent * (1.0 + 0x1p-10) + 0x1p-60;
    double edge = radius / HALF_DIAGONAL;
    *cells = (AbutHullCells){ .shape = shape, .host = &shape->host, .promise = abut_hull_promise(shape) };
    cells->levels = 1;
    while (ldexp(edge, cells->levels) < widened && cells->levels <= MAX_LEVELS)
    {
        ++cells->levels;
    }
    if (cells->levels > MAX_LEVELS)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "point hull: the error is too small for a body of this size");
    }
    cells->edge = ldexp(widened, -cells->levels);
    cells->radius = HALF_DIAGONAL * cells->edge * (1.0 + 0x1p-20) + 0x1p-20 * cells->edge;
    AbutVec3 center = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
    float half = (float)(0.5 * widened);
    cells->corner = abut_vec3_sub(center, abut_vec3(half, half, half));
    cells->keys = abut_arena_allocate(arena, 1, sizeof(uint64_t));
    if (cells->keys == NULL || !allocate_cells(cells, 1, arena))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    cells->keys[0] = 0;
    cells->count = 1;
    return ABUT_OK;
}

AbutResult abut_hull_cells_build(const AbutShape* shape, double radius, uint32_t limit, AbutArena* arena,
                                 AbutHullCells* out)
{
    AbutResult result = begin(shape, radius, arena, out);
    for (int level = 1; level <= out->levels && result == ABUT_OK && out->count > 0; ++level)
    {
        if (8 * (uint64_t)out->count > limit)
        {
            return abut_fail(ABUT_LIMIT_EXCEEDED,
                             "point hull: over %u cells of the surface; ask for a larger error", limit);
        }
        result = divide(out, arena);
        if (result == ABUT_OK)
        {
            out->count = keep_candidates(out, 8 * out->count, ldexp(out->edge, out->levels - level));
        }
    }
    return result == ABUT_OK && out->count > 0 ? build_nodes(out, arena) : result;
}
