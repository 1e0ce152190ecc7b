// Tiles of a terrain that are loaded on demand (tile_cache.h).
#include "shape/terrain/tile_cache.h"

#include "base/memory.h"
#include "shape/shape.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>

enum
{
    MIN_SLOTS = 16,
    NO_SLOT = -1,
    LOADING = INT32_MIN / 2 // of `readers`, while a slot gets another tile
};

/// Memory of loaded tiles, unless the definition says otherwise.
static const size_t DEFAULT_BYTES = (size_t)64 << 20;

typedef struct TileSlot
{
    atomic_int_least32_t readers;
    atomic_bool used; // since the hand of the clock was here
    size_t number;    // of its tile; SIZE_MAX: none. Changes under the lock.
} TileSlot;

typedef struct AbutTileCache
{
    AbutHeightsFn* load;
    void* user;
    double spacing;
    uint32_t slot_count;
    TileSlot* slots;
    float* floats;                 // of all slots
    atomic_int_least32_t* slot_of; // tile, or NO_SLOT
    AbutHeightRegion region;       // scratch of the loading thread
    uint32_t hand;
    pthread_mutex_t lock; // of loading
} AbutTileCache;

// -----------------------------------------------------------------------------------------------------------
// Loading
// -----------------------------------------------------------------------------------------------------------

typedef struct Span
{
    uint32_t first, count; // of samples that are on the terrain
    uint32_t before;       // samples of the region before the first
} Span;

static Span span_of(uint32_t tile, uint32_t shift, uint32_t side, uint32_t cells)
{
    const int64_t block = 1 << ABUT_HEIGHT_BLOCK_SHIFT;
    int64_t begin = ((int64_t)tile << shift) - block, end = begin + side;
    int64_t first = begin > 0 ? begin : 0, last = end < (int64_t)cells + 1 ? end : (int64_t)cells + 1;
    return (Span){ (uint32_t)first, (uint32_t)(last - first), (uint32_t)(first - begin) };
}

static uint32_t index_in(const Span* span, uint32_t i)
{
    uint32_t from = i > span->before ? i - span->before : 0;
    return from < span->count ? from : span->count - 1;
}

/// From the samples on the terrain, at the beginning of the region, to the whole region. Backwards: no sample
/// is overwritten before it has been read.
static void spread(const AbutHeightRegion* region, const Span* x, const Span* z)
{
    for (uint32_t k = region->side; k-- > 0;)
    {
        for (uint32_t i = region->side; i-- > 0;)
        {
            region->heights[(size_t)k * region->side + i] =
                region->heights[(size_t)index_in(z, k) * x->count + index_in(x, i)];
        }
    }
}

static AbutResult check_heights(const AbutHeightRegion* region, const Span* x, const Span* z)
{
    for (size_t i = 0; i < (size_t)x->count * z->count; ++i)
    {
        if (!(fabsf(region->heights[i]) <= ABUT_SHAPE_MAX_LENGTH))
        {
            return abut_fail(ABUT_INVALID_DATA,
                             "heightfield: the height at x %zu, z %zu is %g; its size must be at most %g",
                             x->first + i % x->count, z->first + i / x->count, (double)region->heights[i],
                             (double)ABUT_SHAPE_MAX_LENGTH);
        }
    }
    return ABUT_OK;
}

static AbutResult load_region(const AbutHeightTiles* self, size_t number)
{
    const AbutTileCache* cache = self->cache;
    uint32_t side = cache->region.side;
    Span x = span_of((uint32_t)(number % self->x_count), self->shift, side, self->x_cells);
    Span z = span_of((uint32_t)(number / self->x_count), self->shift, side, self->z_cells);
    if (!cache->load(cache->user, x.first, z.first, x.count, z.count, cache->region.heights))
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "heightfield: %u by %u heights from x %u, z %u could not be loaded", x.count,
                         z.count, x.first, z.first);
    }
    AbutResult result = check_heights(&cache->region, &x, &z);
    if (result == ABUT_OK)
    {
        spread(&cache->region, &x, &z);
    }
    return result;
}

/// No height is known: searches get as far as the cells, by the range of the tile, and find NaN.
static void fill_unknown(const AbutHeightTiles* self, size_t number, float* tile)
{
    AbutHeightRange range = self->levels[0].blocks[number];
    for (size_t i = 0; i < self->tile_floats; ++i)
    {
        tile[i] = NAN;
    }
    for (uint32_t level = 0; level < self->tile_levels; ++level)
    {
        float* blocks = tile + self->level_starts[level];
        for (size_t i = 0; i < (size_t)1 << (2 * (self->tile_levels - level)); ++i)
        {
            blocks[2 * i] = range.low;
            blocks[2 * i + 1] = range.high;
        }
    }
}

/// Heights that are not those of the creation would contradict the levels above the tiles.
static void load_tile(const AbutHeightTiles* self, size_t number, float* tile)
{
    AbutHeightRange known = self->levels[0].blocks[number], range = { INFINITY, -INFINITY };
    double steepest = 0.0;
    if (load_region(self, number) == ABUT_OK)
    {
        range = abut_height_tile_build(self, &self->cache->region, self->cache->spacing, tile, &steepest);
    }
    if (range.low != known.low || range.high != known.high)
    {
        fill_unknown(self, number, tile);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Slots
// -----------------------------------------------------------------------------------------------------------

static float* floats_of(const AbutHeightTiles* self, uint32_t slot)
{
    return self->cache->floats + (size_t)slot * self->tile_floats;
}

/// A slot that no reader keeps, with `readers` LOADING. Waits while all are kept: readers do not wait for
/// anything while they keep a tile.
static uint32_t take_slot(AbutTileCache* cache)
{
    for (uint32_t tries = 1;; ++tries)
    {
        uint32_t slot = cache->hand;
        TileSlot* at = &cache->slots[slot];
        cache->hand = slot + 1 < cache->slot_count ? slot + 1 : 0;
        bool used = atomic_exchange_explicit(&at->used, false, memory_order_relaxed);
        int_least32_t none = 0;
        if (!used && atomic_compare_exchange_strong(&at->readers, &none, LOADING))
        {
            return slot;
        }
        if (tries % (2 * cache->slot_count) == 0)
        {
            sched_yield();
        }
    }
}

/// Keeps the tile of a slot; false when the slot has another tile by now.
static bool keep(const AbutHeightTiles* self, int_least32_t slot, size_t number)
{
    TileSlot* at = &self->cache->slots[slot];
    if (atomic_fetch_add(&at->readers, 1) >= 0 && at->number == number)
    {
        atomic_store_explicit(&at->used, true, memory_order_relaxed);
        return true;
    }
    atomic_fetch_sub(&at->readers, 1);
    return false;
}

/// Loads a tile, unless another thread has, and keeps it.
static uint32_t load_and_keep(const AbutHeightTiles* self, size_t number)
{
    AbutTileCache* cache = self->cache;
    pthread_mutex_lock(&cache->lock);
    int_least32_t found = atomic_load(&cache->slot_of[number]);
    uint32_t slot = (uint32_t)found;
    if (found == NO_SLOT || !keep(self, found, number))
    {
        slot = take_slot(cache);
        TileSlot* at = &cache->slots[slot];
        if (at->number != SIZE_MAX)
        {
            atomic_store(&cache->slot_of[at->number], NO_SLOT);
        }
        load_tile(self, number, floats_of(self, slot));
        at->number = number;
        atomic_store(&cache->slot_of[number], (int_least32_t)slot);
        atomic_fetch_add(&at->readers, 1 - LOADING); // this reader
    }
    pthread_mutex_unlock(&cache->lock);
    return slot;
}

const float* abut_height_reader_load(AbutHeightReader* self, size_t number)
{
    abut_height_reader_end(self);
    int_least32_t found = atomic_load(&self->tiles->cache->slot_of[number]);
    bool kept = found != NO_SLOT && keep(self->tiles, found, number);
    self->slot = kept ? (uint32_t)found : load_and_keep(self->tiles, number);
    self->number = number;
    self->tile = floats_of(self->tiles, self->slot);
    return self->tile;
}

void abut_height_reader_end(AbutHeightReader* self)
{
    if (self->tile != NULL)
    {
        atomic_fetch_sub(&self->tiles->cache->slots[self->slot].readers, 1);
        self->tile = NULL;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static bool allocate(AbutHeightTiles* self, AbutTileCache* cache, size_t tile_count)
{
    const AbutHost* host = &self->host;
    size_t region = (size_t)cache->region.side * cache->region.side;
    cache->slots = abut_memory_allocate_zero(host, cache->slot_count, sizeof(TileSlot));
    cache->floats = abut_memory_allocate(host, cache->slot_count * self->tile_floats, sizeof(float));
    cache->slot_of = abut_memory_allocate(host, tile_count, sizeof(*cache->slot_of));
    cache->region.heights = abut_memory_allocate(host, region, sizeof(float));
    bool good = cache->slots != NULL && cache->floats != NULL && cache->slot_of != NULL &&
                cache->region.heights != NULL;
    for (uint32_t i = 0; i < cache->slot_count && good; ++i)
    {
        cache->slots[i].number = SIZE_MAX;
    }
    for (size_t i = 0; i < tile_count && good; ++i)
    {
        atomic_init(&cache->slot_of[i], NO_SLOT);
    }
    return good;
}

static uint32_t slots_for(const AbutHeightTiles* self, size_t bytes, size_t tile_count)
{
    size_t slots = (bytes > 0 ? bytes : DEFAULT_BYTES) / (self->tile_floats * sizeof(float));
    slots = slots < tile_count ? slots : tile_count;
    slots = slots > MIN_SLOTS ? slots : MIN_SLOTS;
    return (uint32_t)(slots < INT32_MAX ? slots : INT32_MAX);
}

/// Ranges and slopes of all tiles; the first slot has the tile in work.
static AbutResult scan(AbutHeightTiles* self, AbutHeightRange* ranges, size_t tile_count, double* steepest)
{
    *steepest = 0.0;
    for (size_t i = 0; i < tile_count; ++i)
    {
        AbutResult result = load_region(self, i);
        if (result != ABUT_OK)
        {
            return result;
        }
        ranges[i] = abut_height_tile_build(self, &self->cache->region, self->cache->spacing,
                                           floats_of(self, 0), steepest);
    }
    return ABUT_OK;
}

AbutResult abut_tile_cache_create(AbutHeightTiles* self, const AbutHeightfieldDef* def, double* steepest)
{
    size_t tile_count = (size_t)self->x_count * self->z_count;
    AbutTileCache* cache = abut_memory_allocate_zero(&self->host, 1, sizeof(*cache));
    if (cache == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->cache = cache;
    cache->load = def->load;
    cache->user = def->user;
    cache->spacing = def->spacing;
    cache->slot_count = slots_for(self, def->cache_bytes, tile_count);
    cache->region.side = abut_height_region_side(self);
    pthread_mutex_init(&cache->lock, NULL);
    AbutHeightLevel* level = allocate(self, cache, tile_count)
                                 ? abut_height_tiles_add_level(self, self->x_count, self->z_count)
                                 : NULL;
    if (level == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutResult result = scan(self, level->blocks, tile_count, steepest);
    if (result == ABUT_OK && !abut_height_tiles_build_levels(self))
    {
        result = ABUT_OUT_OF_MEMORY;
    }
    return result;
}

void abut_tile_cache_destroy(AbutHeightTiles* self)
{
    AbutTileCache* cache = self->cache;
    if (cache == NULL)
    {
        return;
    }
    const AbutHost* host = &self->host;
    pthread_mutex_destroy(&cache->lock);
    abut_memory_free(host, cache->region.heights, (size_t)cache->region.side * cache->region.side,
                     sizeof(float));
    abut_memory_free(host, cache->slot_of, (size_t)self->x_count * self->z_count, sizeof(*cache->slot_of));
    abut_memory_free(host, cache->floats, cache->slot_count * self->tile_floats, sizeof(float));
    abut_memory_free(host, cache->slots, cache->slot_count, sizeof(TileSlot));
    abut_memory_free(host, cache, 1, sizeof(*cache));
    self->cache = NULL;
}

size_t abut_tile_cache_bytes(const AbutHeightTiles* self)
{
    const AbutTileCache* cache = self->cache;
    size_t region = (size_t)cache->region.side * cache->region.side;
    return sizeof(*cache) + (cache->slot_count * self->tile_floats + region) * sizeof(float) +
           cache->slot_count * sizeof(TileSlot) +
           (size_t)self->x_count * self->z_count * sizeof(*cache->slot_of);
}
