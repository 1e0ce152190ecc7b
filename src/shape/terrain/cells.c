// Cells of a terrain in a box (cells.h).
#include "shape/terrain/cells.h"

typedef struct Visit
{
    AbutHeightReader* reader;
    uint32_t first[2], last[2]; // cells along x and z
    double low, high;           // heights
    AbutTerrainCellFn* visit;
    void* context;
} Visit;

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void visit_leaf(const Visit* self, uint32_t x, uint32_t z)
{
    const uint32_t side = 1 << ABUT_HEIGHT_BLOCK_SHIFT;
    for (uint32_t k = larger(z * side, self->first[1]); k <= smaller(z * side + side - 1, self->last[1]); ++k)
    {
        for (uint32_t i = larger(x * side, self->first[0]); i <= smaller(x * side + side - 1, self->last[0]);
             ++i)
        {
            self->visit(self->context, i, k);
        }
    }
}

static void visit_block(const Visit* self, uint32_t level, uint32_t x, uint32_t z)
{
    AbutHeightRange range = abut_height_block(self->reader, level, x, z);
    if ((double)range.low > self->high || (double)range.high < self->low)
    {
        return;
    }
    if (level == 0)
    {
        visit_leaf(self, x, z);
        return;
    }
    uint32_t shift = ABUT_HEIGHT_BLOCK_SHIFT + level - 1;
    for (uint32_t k = larger(2 * z, self->first[1] >> shift); k <= smaller(2 * z + 1, self->last[1] >> shift);
         ++k)
    {
        for (uint32_t i = larger(2 * x, self->first[0] >> shift);
             i <= smaller(2 * x + 1, self->last[0] >> shift); ++i)
        {
            visit_block(self, level - 1, i, k);
        }
    }
}

static uint32_t cell_at(double coordinate, double spacing, double last)
{
    return (uint32_t)abut_heightfield_clamp(coordinate / spacing, 0.0, last);
}

void abut_terrain_visit_cells(const AbutHeightfield* self, AbutHeightReader* reader, AbutDVec3 low,
                              AbutDVec3 high, AbutTerrainCellFn* visit, void* context)
{
    const AbutTerrainLengths* l = &self->lengths;
    double slack = 1e-9 * l->spacing;
    if (low.x > l->width + slack || high.x < -slack || low.z > l->depth + slack || high.z < -slack)
    {
        return;
    }
    Visit work = { .reader = reader,
                   .first = { cell_at(low.x - slack, l->spacing, l->last_cell[0]),
                              cell_at(low.z - slack, l->spacing, l->last_cell[1]) },
                   .last = { cell_at(high.x + slack, l->spacing, l->last_cell[0]),
                             cell_at(high.z + slack, l->spacing, l->last_cell[1]) },
                   .low = low.y,
                   .high = high.y,
                   .visit = visit,
                   .context = context };
    uint32_t level = 0;
    while (work.last[0] >> (ABUT_HEIGHT_BLOCK_SHIFT + level) !=
               work.first[0] >> (ABUT_HEIGHT_BLOCK_SHIFT + level) ||
           work.last[1] >> (ABUT_HEIGHT_BLOCK_SHIFT + level) !=
               work.first[1] >> (ABUT_HEIGHT_BLOCK_SHIFT + level))
    {
        level += 1;
    }
    uint32_t shift = ABUT_HEIGHT_BLOCK_SHIFT + level;
    visit_block(&work, level, work.first[0] >> shift, work.first[1] >> shift);
}
