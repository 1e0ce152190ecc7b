// Blocks with the surface. Cubes of 4³, 2³ and 1³ blocks are ruled out by one sample in their middle: when |f
// − iso| there is more than the slope bound allows to vanish within the cube, the cube is all inside or all
// outside.
#include "surface/find_blocks.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "surface/node_signs.h"

#include <string.h>

enum
{
    CUBE_SIZE = 4, // blocks along each axis
    CUBE_BLOCKS = CUBE_SIZE * CUBE_SIZE * CUBE_SIZE,
    PASS_CUBES = 512,     // searched between two reports of progress; bounds the memory of their blocks
    GATHER_CUBES = 16384, // tested together, to gather cubes for a few passes
};

/// Rounding of a sampled value, relative to coordinates and values; twice what shapes promise.
static const double ROUNDING = 4e-6;

/// Blocks found in a cube.
typedef struct FoundBlock
{
    uint32_t count;
    AbutSurfaceBlock blocks[CUBE_BLOCKS];
} FoundBlock;

typedef struct Search
{
    AbutSurfaceExtraction* extraction;
    const uint32_t* cubes; // keys of their first blocks
    FoundBlock* found;
    uint32_t number; // of the first cube
} Search;

/// A cube of blocks, clipped to the box.
typedef struct Extent
{
    float center[3];
    double radius;
    double magnitude; // |x| + |y| + |z| of the center
    bool at_side;     // has nodes outside of the box
} Extent;

static Extent measure(const AbutSurfaceGrid* grid, uint32_t key, uint32_t size)
{
    Extent extent = { .at_side = false };
    double square = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        const AbutSurfaceAxis* axis = &grid->axes[i];
        const uint32_t position = abut_surface_key_coordinate(key, i);
        const uint32_t end = position + size < axis->block_count ? position + size : axis->block_count;
        const double low = axis->nodes[position * ABUT_BLOCK_CELLS],
                     high = axis->nodes[end * ABUT_BLOCK_CELLS];
        extent.center[i] = (float)(0.5 * (low + high));
        const double half = fmax((double)extent.center[i] - low, high - (double)extent.center[i]);
        square += half * half;
        extent.magnitude += fabs((double)extent.center[i]);
        extent.at_side |= position == 0 || !abut_surface_axis_has(axis, end * ABUT_BLOCK_CELLS);
    }
    extent.radius = sqrt(square);
    return extent;
}

/// A cube that is all inside still has surface at a face of the box.
static bool may_contain_surface(const AbutSurfaceExtraction* extraction, const Extent* extent, float value)
{
    const double bound = extraction->slope * extent->radius;
    const double slack =
        ROUNDING * (extraction->slope * (extent->magnitude + extent->radius) + fabs((double)value));
    const bool uniform = fabs((double)value - (double)extraction->iso) > bound + slack;
    return !uniform || (extent->at_side && value <= extraction->iso);
}

/// Keeps the cubes that may hold surface, in order, and returns their number.
static size_t cull(const AbutSurfaceExtraction* extraction, uint32_t* keys, size_t count, uint32_t size,
                   uint32_t number, AbutSurfaceScratch* scratch)
{
    size_t kept = 0;
    for (size_t begin = 0; begin < count; begin += ABUT_BLOCK_MAX_VERTICES)
    {
        const size_t n = count - begin < ABUT_BLOCK_MAX_VERTICES ? count - begin : ABUT_BLOCK_MAX_VERTICES;
        for (size_t i = 0; i < n; ++i)
        {
            const Extent extent = measure(&extraction->grid, keys[begin + i], size);
            scratch->x[i] = extent.center[0];
            scratch->y[i] = extent.center[1];
            scratch->z[i] = extent.center[2];
        }
        if (!abut_surface_sample(extraction, n, number, scratch))
        {
            return 0;
        }
        for (size_t i = 0; i < n; ++i)
        {
            const Extent extent = measure(&extraction->grid, keys[begin + i], size);
            if (may_contain_surface(extraction, &extent, scratch->value[i]))
            {
                keys[kept++] = keys[begin + i];
            }
        }
    }
    return kept;
}

/// Cubes of half the size, leaving out those beyond the grid.
static size_t split(const AbutSurfaceGrid* grid, const uint32_t* keys, size_t count, uint32_t size,
                    uint32_t* out)
{
    size_t out_count = 0;
    for (size_t i = 0; i < 8 * count; ++i)
    {
        uint32_t position[3];
        bool within = true;
        for (int k = 0; k < 3; ++k)
        {
            position[k] = abut_surface_key_coordinate(keys[i / 8], k) + (i >> k & 1 ? size / 2 : 0);
            within = within && position[k] < grid->axes[k].block_count;
        }
        if (within)
        {
            out[out_count++] = abut_surface_key(position);
        }
    }
    return out_count;
}

static void search_cube(void* context, uint32_t i, uint32_t worker)
{
    const Search* search = context;
    const AbutSurfaceExtraction* extraction = search->extraction;
    AbutSurfaceScratch* scratch = &extraction->scratch[worker];
    const uint32_t number = search->number + i;
    FoundBlock* found = &search->found[i];
    found->count = 0;

    uint32_t halves[8], blocks[CUBE_BLOCKS];
    size_t count = split(&extraction->grid, &search->cubes[i], 1, CUBE_SIZE, halves);
    count = cull(extraction, halves, count, CUBE_SIZE / 2, number, scratch);
    count = split(&extraction->grid, halves, count, CUBE_SIZE / 2, blocks);
    count = cull(extraction, blocks, count, 1, number, scratch);
    for (size_t k = 0; k < count; ++k)
    {
        if (abut_surface_sample_block(extraction, blocks[k], number, scratch, &found->blocks[found->count]))
        {
            found->count += 1;
        }
    }
}

static AbutResult search_pass(Search* search, uint32_t count)
{
    abut_parallel_for(&search->extraction->host, count, search_cube, search);
    AbutResult result = abut_surface_report(search->extraction);
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k < search->found[i].count && result == ABUT_OK; ++k)
        {
            result = abut_surface_blocks_add(&search->extraction->blocks, &search->found[i].blocks[k],
                                             &search->extraction->host);
        }
    }
    return result;
}

/// How many cubes lie along each axis.
static void count_cubes(const AbutSurfaceGrid* grid, uint32_t counts[3])
{
    counts[0] = abut_block_count(grid->axes[0].block_count, CUBE_SIZE);
    counts[1] = abut_block_count(grid->axes[1].block_count, CUBE_SIZE);
    counts[2] = abut_block_count(grid->axes[2].block_count, CUBE_SIZE);
}

/// The cubes from `first` on, in the order x, y, z, that may hold surface.
static size_t gather_cubes(AbutSurfaceExtraction* extraction, uint32_t first, uint32_t count, uint32_t* cubes)
{
    uint32_t counts[3];
    count_cubes(&extraction->grid, counts);
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t n = first + i;
        const uint32_t position[3] = { n % counts[0] * CUBE_SIZE, n / counts[0] % counts[1] * CUBE_SIZE,
                                       n / counts[0] / counts[1] * CUBE_SIZE };
        cubes[i] = abut_surface_key(position);
    }
    return cull(extraction, cubes, count, CUBE_SIZE, 0, &extraction->scratch[0]);
}

static AbutResult search_all(AbutSurfaceExtraction* extraction, uint32_t total, uint32_t* cubes,
                             FoundBlock* found)
{
    AbutResult result = abut_surface_progress(extraction, 0.0);
    for (uint32_t first = 0; first < total && result == ABUT_OK; first += GATHER_CUBES)
    {
        const uint32_t count = total - first < GATHER_CUBES ? total - first : GATHER_CUBES;
        const size_t kept = gather_cubes(extraction, first, count, cubes);
        result = abut_surface_report(extraction);
        for (size_t k = 0; k < kept && result == ABUT_OK; k += PASS_CUBES)
        {
            Search search = { extraction, cubes + k, found, (uint32_t)k };
            result = search_pass(&search, (uint32_t)(kept - k < PASS_CUBES ? kept - k : PASS_CUBES));
            if (result == ABUT_OK)
            {
                const double fraction = (double)k / (double)kept;
                result = abut_surface_progress(extraction,
                                               ABUT_SURFACE_FIND_END * (first + fraction * count) / total);
            }
        }
    }
    return result;
}

AbutResult abut_surface_find_blocks(AbutSurfaceExtraction* extraction)
{
    uint32_t counts[3];
    count_cubes(&extraction->grid, counts);
    const uint32_t total = counts[0] * counts[1] * counts[2];
    const uint32_t cube_count = total < GATHER_CUBES ? total : GATHER_CUBES;
    const uint32_t found_count = total < PASS_CUBES ? total : PASS_CUBES;
    uint32_t* cubes = abut_memory_allocate(&extraction->host, cube_count, sizeof(uint32_t));
    FoundBlock* found = abut_memory_allocate(&extraction->host, found_count, sizeof(FoundBlock));
    AbutResult result =
        cubes != NULL && found != NULL ? search_all(extraction, total, cubes, found) : ABUT_OUT_OF_MEMORY;
    abut_memory_free(&extraction->host, found, found_count, sizeof(FoundBlock));
    abut_memory_free(&extraction->host, cubes, cube_count, sizeof(uint32_t));
    return result;
}
