#include "bake/distance/distance.h"

#include "bake/distance/kernels.h"
#include "bake/distance/node_range.h"
#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/// Entry of a list of candidates: the boxes in `mask` of a group of a level.
typedef struct Entry
{
    uint32_t group;
    uint8_t level;
    uint8_t mask;
} Entry;

typedef struct List
{
    Entry* entries;
    size_t count, capacity;
} List;

enum
{
    TILE_LEVELS = 4, // lists of the whole grid and of tiles of 16, 8 and 4 nodes along a side
    LEAF_TILE = 4,
    OCTANTS = 8 // of a leaf tile, 2³ nodes each
};

/// Grows to the needs of the mesh and stays.
struct AbutDistanceScratch
{
    AbutHost host;
    List lists[TILE_LEVELS];
    uint32_t* triangles; // candidates of a tile of 4³ nodes, then of its eight octants, `capacity` each
    uint8_t* masks;      // octants that a candidate is close to
    size_t capacity;
};

/// The state of one block of nodes.
typedef struct Bake
{
    const AbutTriangleGroups* groups;
    const AbutNodeGrid* grid;
    float coordinates[3][ABUT_NODE_BLOCK + LEAF_TILE]; // of its nodes, and of a leaf tile beyond them
    const AbutTriangleKernels* kernels;
    AbutDistanceScratch* scratch;
    const AbutNodeDistances* out;
} Bake;

static bool append(const Bake* bake, List* list, Entry entry)
{
    if (list->count == list->capacity && !abut_memory_grow(&bake->scratch->host, (void**)&list->entries,
                                                           &list->capacity, list->count + 1, sizeof(Entry)))
    {
        return false;
    }
    list->entries[list->count++] = entry;
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// A point of the surface near a tile
// -----------------------------------------------------------------------------------------------------------

static float squared_distance(const float a[3], const float b[3])
{
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/// A tile that is one point, with the nearest point of the surface so far.
typedef struct Search
{
    AbutTile tile;
    float squared;
} Search;

static void set_slack(AbutTile* tile)
{
    // The compared squares are at most the squared distances to the furthest corner of the tile; each sum has
    // a few roundings.
    float most = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        float low = fabsf(tile->low[axis] - tile->q[axis]), high = fabsf(tile->high[axis] - tile->q[axis]);
        float further = low > high ? low : high;
        most += further * further;
    }
    tile->slack = 4e-6f * most;
}

/// Nearest corner of a triangle to the search's point, in an entry of a list and all below it.
static void search_entry(const Bake* bake, Search* search, Entry entry)
{
    const AbutTriangleGroups* groups = bake->groups;
    unsigned candidates = entry.mask & bake->kernels->candidate_boxes(
                                           &search->tile, &groups->levels[entry.level].groups[entry.group]);
    if (candidates == 0)
    {
        return;
    }
    if (entry.level == 0)
    {
        float before = search->squared;
        bake->kernels->nearest_corner(search->tile.low, &groups->corners[entry.group], candidates,
                                      &search->squared, search->tile.q);
        if (search->squared < before)
        {
            set_slack(&search->tile);
        }
        return;
    }
    for (uint32_t k = 0; k < ABUT_GROUP_SIZE; ++k)
    {
        if ((candidates >> k & 1u) != 0)
        {
            search_entry(bake, search,
                         (Entry){ entry.group * ABUT_GROUP_SIZE + k, (uint8_t)(entry.level - 1), 0xFF });
        }
    }
}

/// Improves q, a point of the surface, for the middle of the tile.
static void improve_q(const Bake* bake, const List* list, AbutTile* tile)
{
    Search search = { .tile = *tile };
    for (int axis = 0; axis < 3; ++axis)
    {
        search.tile.low[axis] = search.tile.high[axis] = 0.5f * (tile->low[axis] + tile->high[axis]);
    }
    search.squared = squared_distance(search.tile.low, tile->q);
    set_slack(&search.tile);
    for (size_t i = 0; i < list->count; ++i)
    {
        search_entry(bake, &search, list->entries[i]);
    }
    memcpy(tile->q, search.tile.q, sizeof(tile->q));
    set_slack(tile);
}

// -----------------------------------------------------------------------------------------------------------
// Lists
// -----------------------------------------------------------------------------------------------------------

/// Keeps of an entry the groups that can be nearest to a node of the tile, down to single triangles when
/// `whole` is set and to groups otherwise.
static bool refine_entry(const Bake* bake, const AbutTile* tile, Entry entry, uint8_t lowest, List* out)
{
    const AbutTriangleGroups* groups = bake->groups;
    unsigned candidates =
        entry.mask & bake->kernels->candidate_boxes(tile, &groups->levels[entry.level].groups[entry.group]);
    if (candidates != 0 && entry.level == 0)
    {
        candidates &= bake->kernels->candidate_triangles(tile, &groups->corners[entry.group]);
    }
    if (candidates == 0)
    {
        return true;
    }
    if (entry.level <= lowest)
    {
        return append(bake, out, (Entry){ entry.group, entry.level, (uint8_t)candidates });
    }
    for (uint32_t k = 0; k < ABUT_GROUP_SIZE; ++k)
    {
        if ((candidates >> k & 1u) != 0)
        {
            Entry child = { entry.group * ABUT_GROUP_SIZE + k, (uint8_t)(entry.level - 1), 0xFF };
            if (!refine_entry(bake, tile, child, lowest, out))
            {
                return false;
            }
        }
    }
    return true;
}

static bool refine(const Bake* bake, const AbutTile* tile, const List* in, uint8_t lowest, List* out)
{
    out->count = 0;
    for (size_t i = 0; i < in->count; ++i)
    {
        if (!refine_entry(bake, tile, in->entries[i], lowest, out))
        {
            return false;
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Tiles
// -----------------------------------------------------------------------------------------------------------

static AbutTile make_tile(const Bake* bake, const AbutNodeRange* range, const float q[3])
{
    AbutTile tile;
    for (int axis = 0; axis < 3; ++axis)
    {
        tile.low[axis] = bake->coordinates[axis][range->begin[axis]];
        tile.high[axis] = bake->coordinates[axis][range->end[axis] - 1];
        tile.q[axis] = q[axis];
    }
    set_slack(&tile);
    return tile;
}

static bool grow_scratch(const Bake* bake, size_t needed)
{
    AbutDistanceScratch* scratch = bake->scratch;
    if (needed <= scratch->capacity)
    {
        return true;
    }
    size_t capacity = 2 * needed + 1; // one more: distribute() writes behind the end of an octant
    uint32_t* triangles =
        abut_memory_allocate(&bake->scratch->host, capacity, (1 + OCTANTS) * sizeof(uint32_t));
    uint8_t* masks = abut_memory_allocate(&bake->scratch->host, capacity, sizeof(uint8_t));
    if (triangles == NULL || masks == NULL)
    {
        abut_memory_free(&bake->scratch->host, triangles, capacity, (1 + OCTANTS) * sizeof(uint32_t));
        abut_memory_free(&bake->scratch->host, masks, capacity, sizeof(uint8_t));
        return false;
    }
    abut_memory_free(&bake->scratch->host, scratch->triangles, scratch->capacity,
                     (1 + OCTANTS) * sizeof(uint32_t));
    abut_memory_free(&bake->scratch->host, scratch->masks, scratch->capacity, sizeof(uint8_t));
    scratch->triangles = triangles;
    scratch->masks = masks;
    scratch->capacity = capacity;
    return true;
}

/// Writes the numbers of all triangles of a list of single triangles to scratch->triangles.
static bool list_triangles(const Bake* bake, const List* list, uint32_t* count)
{
    AbutDistanceScratch* scratch = bake->scratch;
    if (!grow_scratch(bake, list->count * ABUT_GROUP_SIZE))
    {
        return false;
    }
    uint32_t n = 0;
    for (size_t i = 0; i < list->count; ++i)
    {
        Entry entry = list->entries[i];
        for (uint32_t k = 0; k < ABUT_GROUP_SIZE; ++k) // all of them, so that there is nothing to guess
        {
            scratch->triangles[n] = entry.group * ABUT_GROUP_SIZE + k;
            n += entry.mask >> k & 1u;
        }
    }
    *count = n;
    return true;
}

/// First node of octant `k` of a leaf tile along an axis; past the end of the tile for empty octants.
static uint32_t octant_begin(const AbutNodeRange* range, int k, int axis)
{
    return range->begin[axis] + ((k >> axis & 1) != 0 ? 2u : 0u);
}

static AbutTileGroup make_octants(const Bake* bake, const AbutNodeRange* range, const float q[3])
{
    AbutTileGroup octants;
    for (int k = 0; k < OCTANTS; ++k)
    {
        octants.squared[k] = 0.0f;
        for (int axis = 0; axis < 3; ++axis)
        {
            const float* at = &bake->coordinates[axis][octant_begin(range, k, axis)];
            float center = 0.5f * (at[0] + at[1]);
            float from_q = center - q[axis];
            octants.center[axis][k] = center;
            octants.q[axis][k] = q[axis];
            octants.squared[k] += from_q * from_q;
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        // Half a cell, and the rounding of the nodes.
        float coordinate_sum = fabsf(bake->coordinates[axis][range->begin[axis]]) +
                               fabsf(bake->coordinates[axis][range->end[axis]]);
        octants.half_size[axis] = (float)(0.5 * bake->grid->cell_size) + 1e-6f * coordinate_sum;
    }
    return octants;
}

static void set_octant_slack(AbutTileGroup* octants)
{
    float half = octants->half_size[0] + octants->half_size[1] + octants->half_size[2];
    for (int k = 0; k < OCTANTS; ++k)
    {
        octants->slack[k] = 8e-6f * (octants->squared[k] + half * half);
    }
}

/// Distributes the candidates of a leaf tile to its octants: counts[k] of them at scratch->triangles + (1 +
/// k) · capacity. Every candidate is written to every octant, and counted where it belongs: without
/// unpredictable branches.
static void distribute(AbutDistanceScratch* scratch, uint32_t count, uint32_t counts[OCTANTS])
{
    uint32_t* out[OCTANTS];
    for (int k = 0; k < OCTANTS; ++k)
    {
        out[k] = scratch->triangles + (size_t)(1 + k) * scratch->capacity;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        unsigned mask = scratch->masks[i];
        for (int k = 0; k < OCTANTS; ++k)
        {
            *out[k] = scratch->triangles[i];
            out[k] += mask >> k & 1u;
        }
    }
    for (int k = 0; k < OCTANTS; ++k)
    {
        counts[k] = (uint32_t)(out[k] - (scratch->triangles + (size_t)(1 + k) * scratch->capacity));
    }
}

/// Results for the nodes of an octant.
typedef struct OctantResults
{
    const float* squared;
    const uint32_t* nearest; // indices in the order of the groups
    float direction[3][8];
} OctantResults;

static void store_octant(const Bake* bake, const AbutNodeRange* range, const uint32_t begin[3],
                         const OctantResults* results)
{
    const AbutNodeDistances* out = bake->out;
    for (int node = 0; node < 8; ++node)
    {
        const uint32_t x = begin[0] + (uint32_t)(node & 1), y = begin[1] + (uint32_t)(node >> 1 & 1),
                       z = begin[2] + (uint32_t)(node >> 2);
        if (x >= range->end[0] || y >= range->end[1] || z >= range->end[2])
        {
            continue;
        }
        size_t index = abut_node_index(bake->grid, x, y, z);
        out->squared[index] = results->squared[node];
        if (out->nearest != NULL)
        {
            out->nearest[index] = bake->groups->frames[results->nearest[node]].number;
        }
        for (int axis = 0; axis < 3 && out->direction[0] != NULL; ++axis)
        {
            out->direction[axis][index] = results->direction[axis][node];
        }
    }
}

/// The nodes of octant `k` of a leaf tile against the remaining triangles.
static void bake_octant(const Bake* bake, const AbutNodeRange* range, int k, const uint32_t* triangles,
                        uint32_t count)
{
    const uint32_t begin[3] = { octant_begin(range, k, 0), octant_begin(range, k, 1),
                                octant_begin(range, k, 2) };
    float at[3][8], squared[8];
    uint32_t nearest[8];
    for (int node = 0; node < 8; ++node)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis][node] = bake->coordinates[axis][begin[axis] + (uint32_t)(node >> axis & 1)];
        }
        squared[node] = INFINITY;
        nearest[node] = triangles[0];
    }
    bake->kernels->lower_distances(bake->groups->frames, triangles, count, at[0], at[1], at[2], squared,
                                   nearest);
    OctantResults results;
    results.squared = squared;
    results.nearest = nearest;
    if (bake->out->direction[0] != NULL)
    {
        bake->kernels->directions(bake->groups->frames, nearest, at[0], at[1], at[2], results.direction[0],
                                  results.direction[1], results.direction[2]);
    }
    store_octant(bake, range, begin, &results);
}

/// Up to 4³ nodes: the candidates are distributed to octants of 2³ nodes, and each octant tests its own.
static bool bake_leaf(const Bake* bake, const AbutNodeRange* range, const List* list, const float q[3])
{
    AbutDistanceScratch* scratch = bake->scratch;
    uint32_t count, counts[OCTANTS];
    if (!list_triangles(bake, list, &count))
    {
        return false;
    }
    AbutTileGroup octants = make_octants(bake, range, q);
    bake->kernels->nearest_first_corners(bake->groups->corners, scratch->triangles, count, &octants);
    set_octant_slack(&octants);
    bake->kernels->candidate_tiles(&octants, bake->groups->corners, scratch->triangles, count,
                                   scratch->masks);
    distribute(scratch, count, counts);
    for (int k = 0; k < OCTANTS; ++k)
    {
        bool there = octant_begin(range, k, 0) < range->end[0] && octant_begin(range, k, 1) < range->end[1] &&
                     octant_begin(range, k, 2) < range->end[2];
        if (there)
        {
            bake_octant(bake, range, k, scratch->triangles + (size_t)(1 + k) * scratch->capacity, counts[k]);
        }
    }
    return true;
}

/// A tile of `size` nodes along a side, with the list of the tile around it and a point of the surface.
static bool bake_tile(const Bake* bake, const AbutNodeRange* range, uint32_t size, int depth,
                      const float q[3])
{
    AbutDistanceScratch* scratch = bake->scratch;
    ABUT_ASSERT(depth + 1 < TILE_LEVELS);
    const List* in = &scratch->lists[depth];
    List* list = &scratch->lists[depth + 1];
    AbutTile tile = make_tile(bake, range, q);
    improve_q(bake, in, &tile);
    uint8_t lowest = size > LEAF_TILE ? 1 : 0; // leaves need single triangles
    if (!refine(bake, &tile, in, lowest, list))
    {
        return false;
    }
    if (size == LEAF_TILE)
    {
        return bake_leaf(bake, range, list, tile.q);
    }
    AbutNodeRange octant;
    for (int corner = 0; corner < 8; ++corner)
    {
        if (abut_node_range_octant(range, corner, size / 2, &octant) &&
            !bake_tile(bake, &octant, size / 2, depth + 1, tile.q))
        {
            return false;
        }
    }
    return true;
}

/// The smallest tile that contains all nodes.
static uint32_t tile_size(const AbutNodeGrid* block)
{
    uint32_t size = LEAF_TILE;
    while (size < block->node_count[0] || size < block->node_count[1] || size < block->node_count[2])
    {
        size *= 2;
    }
    return size;
}

AbutResult abut_distance_block(const AbutTriangleGroups* groups, const AbutNodeGrid* block,
                               AbutDistanceScratch* scratch, const AbutNodeDistances* out)
{
    ABUT_ASSERT(block->node_count[0] <= ABUT_NODE_BLOCK && block->node_count[1] <= ABUT_NODE_BLOCK &&
                block->node_count[2] <= ABUT_NODE_BLOCK);
    ABUT_ASSERT(abut_node_total(block) > 0 && groups->triangle_count > 0);
    Bake bake = {
        .groups = groups, .grid = block, .kernels = abut_triangle_kernels(), .scratch = scratch, .out = out
    };
    for (int axis = 0; axis < 3; ++axis)
    {
        for (uint32_t i = 0; i < ABUT_NODE_BLOCK + LEAF_TILE; ++i)
        {
            bake.coordinates[axis][i] = abut_node_coordinate(block, axis, i);
        }
    }
    AbutNodeRange range = { .end = { block->node_count[0], block->node_count[1], block->node_count[2] } };
    const AbutCornerGroup* first = &groups->corners[0];
    const float q[3] = { first->corner[0][0][0], first->corner[0][1][0], first->corner[0][2][0] };
    List* root = &scratch->lists[0];
    root->count = 0;
    bool complete = append(&bake, root, (Entry){ 0, (uint8_t)(groups->level_count - 1), 0xFF }) &&
                    bake_tile(&bake, &range, tile_size(block), 0, q);
    return complete ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

AbutDistanceScratch* abut_distance_scratch_create(const AbutHost* host)
{
    AbutHost resolved = abut_host_resolve(host);
    AbutDistanceScratch* scratch = abut_memory_allocate_zero(&resolved, 1, sizeof(AbutDistanceScratch));
    if (scratch != NULL)
    {
        scratch->host = resolved;
    }
    return scratch;
}

void abut_distance_scratch_destroy(AbutDistanceScratch* scratch)
{
    if (scratch == NULL)
    {
        return;
    }
    AbutHost host = scratch->host;
    for (int i = 0; i < TILE_LEVELS; ++i)
    {
        abut_memory_free(&host, scratch->lists[i].entries, scratch->lists[i].capacity, sizeof(Entry));
    }
    abut_memory_free(&host, scratch->triangles, scratch->capacity, (1 + OCTANTS) * sizeof(uint32_t));
    abut_memory_free(&host, scratch->masks, scratch->capacity, sizeof(uint8_t));
    abut_memory_free(&host, scratch, 1, sizeof(AbutDistanceScratch));
}
