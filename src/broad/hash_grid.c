// A grid per size of boxes (size_classes.h), with cells at least as large as its boxes, of which only
// occupied ones are stored. A box is in the cell of its lowest corner alone. Boxes that overlap [min, max] on
// a level have their corner in [min − longest, max] with the longest side of that level: two or three cells
// on each axis.
//
// Cells are runs of boxes in Morton order, so that neighbours in space are mostly neighbours in memory, and a
// hash table finds a cell by its key. Pairs are found cell by cell: with cells further along (z, y, x) of the
// same level, and with all of coarser levels.
#include "base/memory.h"
#include "base/tasks.h"
#include "broad/kernels.h"
#include "broad/pack_scan.h"
#include "broad/size_classes.h"

#include <float.h>
#include <string.h>

enum
{
    CELLS_PER_BLOCK = 128,
    MAX_KEYS = 64 // cells that are looked up one by one; beyond, all of the level are scanned
};

/// Cells are large enough for several boxes, which are compared together,
static const double boxes_apart = 1.75;

/// but no larger than so many boxes: then boxes are sparse, or crowded.
static const double boxes_long = 2.0;

typedef struct GridCell
{
    uint64_t key;
    AbutBox bounds;
    uint32_t first, count; // packs
} GridCell;

typedef struct GridLevel
{
    uint32_t number; // the high bits of its keys
    double inverse_cell;
    double longest;
    uint32_t first, count; // cells
} GridLevel;

typedef struct Grid
{
    AbutBroadStructure base;
    AbutSizeClasses levels;
    AbutKeySort order;
    GridLevel grids[ABUT_SIZE_CLASSES_MAX]; // small boxes first, those without boxes left out
    uint32_t grid_count;
    GridCell* cells;
    size_t cell_capacity;
    uint32_t cell_count;
    uint32_t* table; // number of a cell plus 1, or 0; open addressing
    size_t table_capacity;
    uint32_t table_shift; // 64 − its bits
} Grid;

static void clear(AbutBroadStructure* structure)
{
    Grid* grid = (Grid*)structure;
    abut_key_sort_free(&grid->order, &structure->host);
    abut_box_packs_free(&structure->items, &structure->host);
    abut_memory_free(&structure->host, grid->cells, grid->cell_capacity, sizeof(GridCell));
    abut_memory_free(&structure->host, grid->table, grid->table_capacity, sizeof(uint32_t));
}

// -----------------------------------------------------------------------------------------------------------
// Cells
// -----------------------------------------------------------------------------------------------------------

static uint32_t cell_on_axis(const Grid* grid, const GridLevel* level, int axis, double value)
{
    return abut_axis_cell(value, (double)grid->levels.low[axis] - (double)grid->levels.side[axis],
                          level->inverse_cell);
}

static uint64_t level_key(const GridLevel* level)
{
    return (uint64_t)level->number << 60;
}

static uint32_t slot_of(const Grid* grid, uint64_t key)
{
    return (uint32_t)(key * 0x9E3779B97F4A7C15u >> grid->table_shift);
}

/// The cell with that key, or NULL.
static const GridCell* find_cell(const Grid* grid, uint64_t key)
{
    const uint32_t mask = (uint32_t)(UINT64_C(1) << (64 - grid->table_shift)) - 1;
    for (uint32_t slot = slot_of(grid, key); grid->table[slot] != 0; slot = (slot + 1) & mask)
    {
        const GridCell* cell = &grid->cells[grid->table[slot] - 1];
        if (cell->key == key)
        {
            return cell;
        }
    }
    return NULL;
}

// -----------------------------------------------------------------------------------------------------------
// Building
// -----------------------------------------------------------------------------------------------------------

static GridLevel make_level(const AbutSizeClasses* levels, uint32_t number)
{
    const double longest = (double)levels->longest[number], spacing = (double)levels->spacing[number];
    const double world =
        fmax((double)levels->side[0], fmax((double)levels->side[1], (double)levels->side[2]));
    double cell = fmin(boxes_apart * spacing, boxes_long * longest);
    cell = fmax(fmax(cell, longest),
                4.0 * world / ABUT_AXIS_CELLS); // so that cells of the region of most boxes have keys
    return (
        GridLevel){ .number = number, .inverse_cell = 1.0 / fmax(cell, (double)FLT_MIN), .longest = longest };
}

/// Sorts the boxes of a level by cell and counts its cells.
static void sort_level(Grid* grid, const AbutBroadInput* input, GridLevel* level)
{
    const uint32_t begin = grid->levels.first[level->number], end = grid->levels.first[level->number + 1];
    AbutKeyedId* items = grid->order.items;
    for (uint32_t i = begin; i < end; ++i)
    {
        const AbutVec3 corner = input->boxes[items[i].id].min;
        uint32_t x = cell_on_axis(grid, level, 0, (double)corner.x);
        uint32_t y = cell_on_axis(grid, level, 1, (double)corner.y);
        uint32_t z = cell_on_axis(grid, level, 2, (double)corner.z);
        items[i].key = level_key(level) | abut_morton_spread(x) | abut_morton_spread(y) << 1 |
                       abut_morton_spread(z) << 2;
    }
    abut_key_sort_range(&grid->order, begin, end - begin);
    level->first = grid->cell_count;
    for (uint32_t i = begin; i < end; ++i)
    {
        level->count += i == begin || items[i].key != items[i - 1].key ? 1 : 0;
    }
    grid->cell_count += level->count;
}

static uint32_t count_packs(const Grid* grid, uint32_t item_count)
{
    const AbutKeyedId* items = grid->order.items;
    uint32_t packs = 0;
    for (uint32_t i = 0, in_cell = 0; i < item_count; ++i)
    {
        in_cell = i > 0 && items[i].key == items[i - 1].key ? in_cell + 1 : 0;
        packs += in_cell % ABUT_BOX_PACK_SIZE == 0 ? 1 : 0;
    }
    return packs;
}

static bool reserve(Grid* grid, uint32_t item_count)
{
    uint32_t bits = 4;
    while ((uint64_t)1 << bits < 2 * (uint64_t)grid->cell_count)
    {
        bits += 1;
    }
    grid->table_shift = 64 - bits;
    return abut_box_packs_resize(&grid->base.items, &grid->base.host, count_packs(grid, item_count)) &&
           abut_memory_grow(&grid->base.host, (void**)&grid->cells, &grid->cell_capacity, grid->cell_count,
                            sizeof(GridCell)) &&
           abut_memory_grow(&grid->base.host, (void**)&grid->table, &grid->table_capacity, (size_t)1 << bits,
                            sizeof(uint32_t));
}

static AbutBox cell_bounds(const Grid* grid, const GridCell* cell)
{
    AbutBox bounds = abut_box_pack_bounds(&grid->base.items.packs[cell->first]);
    for (uint32_t pack = 1; pack < cell->count; ++pack)
    {
        bounds = abut_box_union(bounds, abut_box_pack_bounds(&grid->base.items.packs[cell->first + pack]));
    }
    return bounds;
}

/// Makes a cell of a run of boxes with the same key, and inserts it in the table.
static void fill_cell(Grid* grid, const AbutBroadInput* input, uint32_t number, uint32_t begin, uint32_t end)
{
    GridCell* cell = &grid->cells[number];
    cell->key = grid->order.items[begin].key;
    cell->count = abut_block_count(end - begin, ABUT_BOX_PACK_SIZE);
    uint32_t index = cell->first * ABUT_BOX_PACK_SIZE;
    for (uint32_t i = begin; i < end; ++i, ++index)
    {
        const uint32_t id = grid->order.items[i].id;
        abut_box_packs_set(&grid->base.items, index, id, &input->boxes[id]);
        input->pack_indices[id] = index;
    }
    for (; index % ABUT_BOX_PACK_SIZE != 0; ++index)
    {
        abut_box_packs_clear(&grid->base.items, index);
    }
    cell->bounds = cell_bounds(grid, cell);
    const uint32_t mask = (uint32_t)(UINT64_C(1) << (64 - grid->table_shift)) - 1;
    uint32_t slot = slot_of(grid, cell->key);
    while (grid->table[slot] != 0)
    {
        slot = (slot + 1) & mask;
    }
    grid->table[slot] = number + 1;
}

static void fill_cells(Grid* grid, const AbutBroadInput* input)
{
    const AbutKeyedId* items = grid->order.items;
    memset(grid->table, 0, ((size_t)1 << (64 - grid->table_shift)) * sizeof(uint32_t));
    uint32_t first = 0;
    for (uint32_t number = 0, begin = 0, end = 0; number < grid->cell_count; ++number, begin = end)
    {
        while (end < input->count && items[end].key == items[begin].key)
        {
            end += 1;
        }
        grid->cells[number].first = first;
        fill_cell(grid, input, number, begin, end);
        first += grid->cells[number].count;
    }
}

static bool build(AbutBroadStructure* structure, const AbutBroadInput* input)
{
    Grid* grid = (Grid*)structure;
    grid->grid_count = 0;
    grid->cell_count = 0;
    if (!abut_size_classes_divide(&grid->levels, input, &structure->host, &grid->order))
    {
        return false;
    }
    for (uint32_t number = 0; number < grid->levels.count; ++number)
    {
        if (grid->levels.first[number] < grid->levels.first[number + 1])
        {
            GridLevel* level = &grid->grids[grid->grid_count++];
            *level = make_level(&grid->levels, number);
            sort_level(grid, input, level);
        }
    }
    if (!reserve(grid, input->count))
    {
        return false;
    }
    fill_cells(grid, input);
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Queries
// -----------------------------------------------------------------------------------------------------------

/// Cells [low, high] of a level, both included.
typedef struct CellRange
{
    uint32_t low[3], high[3];
} CellRange;

/// Cells with boxes that may overlap a box.
static CellRange cells_around(const Grid* grid, const GridLevel* level, const AbutBox* box)
{
    const float low[3] = { box->min.x, box->min.y, box->min.z };
    const float high[3] = { box->max.x, box->max.y, box->max.z };
    CellRange range;
    for (int axis = 0; axis < 3; ++axis)
    {
        range.low[axis] = cell_on_axis(grid, level, axis, (double)low[axis] - level->longest);
        range.high[axis] = cell_on_axis(grid, level, axis, (double)high[axis]);
    }
    return range;
}

static bool is_short(const CellRange* range)
{
    uint64_t count = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        uint64_t side = (uint64_t)(range->high[axis] - range->low[axis]) + 1;
        count = side < MAX_KEYS ? count * side : MAX_KEYS + 1;
    }
    return count <= MAX_KEYS;
}

/// Receives a cell whose boxes may overlap those of the query. Returns false to stop.
typedef bool CellFn(void* context, const GridCell* cell);

/// A query for cells whose bounds overlap the box; with `after`, only those behind that cell along (z, y, x).
typedef struct CellQuery
{
    const AbutBox* box;
    const uint32_t* after;
    CellFn* visit;
    void* context;
} CellQuery;

static bool visit_range(const Grid* grid, const GridLevel* level, CellRange range, const CellQuery* query)
{
    const uint32_t* after = query->after;
    const uint32_t z_first = after != NULL && after[2] > range.low[2] ? after[2] : range.low[2];
    for (uint32_t z = z_first; z <= range.high[2]; ++z)
    {
        const bool same_z = after != NULL && z == after[2];
        const uint32_t y_first = same_z && after[1] > range.low[1] ? after[1] : range.low[1];
        const uint64_t z_key = level_key(level) | abut_morton_spread(z) << 2;
        for (uint32_t y = y_first; y <= range.high[1]; ++y)
        {
            const bool same_y = same_z && y == after[1];
            const uint64_t y_key = z_key | abut_morton_spread(y) << 1;
            for (uint32_t x = same_y ? after[0] + 1 : range.low[0]; x <= range.high[0]; ++x)
            {
                const GridCell* cell = find_cell(grid, y_key | abut_morton_spread(x));
                if (cell != NULL && abut_box_overlap(cell->bounds, *query->box) &&
                    !query->visit(query->context, cell))
                {
                    return false;
                }
            }
        }
    }
    return true;
}

/// The coordinates of a cell from those of one of its boxes.
static void cell_coordinates(const Grid* grid, const GridLevel* level, const GridCell* cell, uint32_t at[3])
{
    const AbutBoxPack* pack = &grid->base.items.packs[cell->first];
    at[0] = cell_on_axis(grid, level, 0, (double)pack->low[0][0]);
    at[1] = cell_on_axis(grid, level, 1, (double)pack->low[1][0]);
    at[2] = cell_on_axis(grid, level, 2, (double)pack->low[2][0]);
}

static bool is_behind(const uint32_t at[3], const uint32_t after[3])
{
    return at[2] != after[2] ? at[2] > after[2] : (at[1] != after[1] ? at[1] > after[1] : at[0] > after[0]);
}

/// The same for a range of too many cells: scans all cells of the level.
static bool visit_level(const Grid* grid, const GridLevel* level, const CellQuery* query)
{
    for (uint32_t number = level->first; number < level->first + level->count; ++number)
    {
        const GridCell* cell = &grid->cells[number];
        uint32_t at[3];
        if (!abut_box_overlap(cell->bounds, *query->box))
        {
            continue;
        }
        if (query->after != NULL)
        {
            cell_coordinates(grid, level, cell, at);
        }
        if ((query->after == NULL || is_behind(at, query->after)) && !query->visit(query->context, cell))
        {
            return false;
        }
    }
    return true;
}

static bool visit_cells_around(const Grid* grid, const GridLevel* level, const CellQuery* query)
{
    CellRange range = cells_around(grid, level, query->box);
    return is_short(&range) ? visit_range(grid, level, range, query) : visit_level(grid, level, query);
}

typedef struct CellPairs
{
    const Grid* grid;
    const GridCell* own;
    AbutPairSink* sink;
} CellPairs;

static void find_pack_pairs(const AbutBoxPacks* items, uint32_t pack, const AbutBox* bounds, uint32_t begin,
                            uint32_t end, AbutPairSink* sink)
{
    const AbutBoxKernels* kernels = abut_box_kernels();
    uint32_t hits[ABUT_BOX_PACK_WALK_HITS];
    for (uint32_t first = begin; first < end && !sink->failed; first += ABUT_BOX_PACK_WALK_PACKS)
    {
        uint32_t count = end - first < ABUT_BOX_PACK_WALK_PACKS ? end - first : ABUT_BOX_PACK_WALK_PACKS;
        uint32_t hit_count =
            kernels->pack_hits(&items->packs[pack], bounds, items->packs + first, count, hits);
        abut_pair_sink_add_hits(items, pack, first, hits, hit_count, sink);
    }
}

static bool find_cell_pairs(void* context, const GridCell* other)
{
    const CellPairs* pairs = context;
    const AbutBoxPacks* items = &pairs->grid->base.items;
    const GridCell* own = pairs->own;
    for (uint32_t pack = own->first; pack < own->first + own->count; ++pack)
    {
        AbutBox bounds = own->count == 1 ? own->bounds : abut_box_pack_bounds(&items->packs[pack]);
        find_pack_pairs(items, pack, &bounds, other->first, other->first + other->count, pairs->sink);
    }
    return true;
}

static void find_own_pairs(const Grid* grid, const GridCell* cell, AbutPairSink* sink)
{
    const AbutBoxPacks* items = &grid->base.items;
    const uint32_t end = cell->first + cell->count;
    for (uint32_t pack = cell->first; pack < end; ++pack)
    {
        abut_pack_scan_own_pairs(items, pack, sink);
        if (pack + 1 < end)
        {
            AbutBox bounds = abut_box_pack_bounds(&items->packs[pack]);
            find_pack_pairs(items, pack, &bounds, pack + 1, end, sink);
        }
    }
}

static void find_pairs_of_cell(const Grid* grid, uint32_t level, const GridCell* cell, AbutPairSink* sink)
{
    CellPairs pairs = { grid, cell, sink };
    uint32_t at[3];
    cell_coordinates(grid, &grid->grids[level], cell, at);
    find_own_pairs(grid, cell, sink);
    for (uint32_t other = level; other < grid->grid_count; ++other)
    {
        CellQuery query = { &cell->bounds, other == level ? at : NULL, find_cell_pairs, &pairs };
        visit_cells_around(grid, &grid->grids[other], &query);
    }
}

static uint32_t block_count(const AbutBroadStructure* structure)
{
    return abut_block_count(((const Grid*)structure)->cell_count, CELLS_PER_BLOCK);
}

static void find_pairs(const AbutBroadStructure* structure, uint32_t block, AbutPairSink* sink)
{
    const Grid* grid = (const Grid*)structure;
    const uint32_t begin = block * CELLS_PER_BLOCK;
    const uint32_t end =
        begin + CELLS_PER_BLOCK < grid->cell_count ? begin + CELLS_PER_BLOCK : grid->cell_count;
    uint32_t level = 0;
    for (uint32_t number = begin; number < end; ++number)
    {
        while (number >= grid->grids[level].first + grid->grids[level].count)
        {
            level += 1;
        }
        find_pairs_of_cell(grid, level, &grid->cells[number], sink);
    }
}

typedef struct BoxQuery
{
    const AbutBoxPacks* items;
    const AbutBox* box;
    AbutBroadBoxFn* visit;
    void* context;
} BoxQuery;

static bool query_cell(void* context, const GridCell* cell)
{
    const BoxQuery* query = context;
    return abut_pack_scan_box(query->items, cell->first, cell->first + cell->count, query->box, query->visit,
                              query->context);
}

static bool query_box(const AbutBroadStructure* structure, const AbutBox* box, AbutBroadBoxFn* visit,
                      void* context)
{
    const Grid* grid = (const Grid*)structure;
    BoxQuery boxes = { &structure->items, box, visit, context };
    CellQuery cells = { box, NULL, query_cell, &boxes };
    for (uint32_t i = 0; i < grid->grid_count; ++i)
    {
        if (!visit_cells_around(grid, &grid->grids[i], &cells))
        {
            return false;
        }
    }
    return true;
}

const AbutBroadTable abut_broad_grid = {
    .name = "grid",
    .size = sizeof(Grid),
    .clear = clear,
    .build = build,
    .block_count = block_count,
    .find_pairs = find_pairs,
    .query_box = query_box,
    .query_ray = abut_pack_scan_query_ray,
};
