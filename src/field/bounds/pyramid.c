// The pyramid of bounds: one box per brick, then one per 2³, up to a root.
#include "field/bounds/pyramid.h"

#include "base/assert.h"
#include "field/nodes/brick_nodes.h"
#include "field/nodes/kernels.h"

#include <math.h>
#include <string.h>

const float abut_field_error_levels[ABUT_ERROR_LEVELS] = {
    0.0442f, 0.0557f, 0.0702f, 0.0884f, 0.1114f, 0.1403f, 0.1768f, 0.2227f,
    0.2806f, 0.3536f, 0.4454f, 0.5612f, 0.7071f, 0.8909f, 1.1225f,
};

// -----------------------------------------------------------------------------------------------------------
// Entries
// -----------------------------------------------------------------------------------------------------------

static uint16_t half_at_least(double value)
{
    float single = (float)value, rounded;
    uint16_t half;
    single = (double)single < value ? nextafterf(single, INFINITY) : single;
    abut_node_kernels()->float_to_half(&single, 1, &half);
    abut_node_kernels()->half_to_float(&half, 1, &rounded);
    if (rounded >= single)
    {
        return half;
    }
    // The next half float up: away from zero for positive ones, towards it for negative ones.
    return (half & 0x8000u) == 0 ? (uint16_t)(half + 1u) : (half == 0x8000u ? 1u : (uint16_t)(half - 1u));
}

AbutPackedBounds abut_field_pack_bounds(AbutFieldBounds bounds, double cell_size)
{
    return (AbutPackedBounds){
        .low = (uint16_t)(half_at_least(-(double)bounds.low / cell_size) ^ 0x8000u),
        .high = half_at_least((double)bounds.high / cell_size),
        .error = half_at_least((double)bounds.error / cell_size),
        .slope = half_at_least(bounds.slope),
    };
}

AbutFieldBounds abut_field_unpack_bounds(AbutPackedBounds packed, double cell_size)
{
    const uint16_t halves[4] = { packed.low, packed.high, packed.error, packed.slope };
    float values[4];
    abut_node_kernels()->half_to_float(halves, 4, values);
    // The products are rounded outward too: a float of the cell size is not the cell size.
    double low = values[0] * cell_size, high = values[1] * cell_size, error = values[2] * cell_size;
    return (AbutFieldBounds){
        .low = (float)(low - 1e-7 * fabs(low)),
        .high = (float)(high + 1e-7 * fabs(high)),
        .error = (float)(error + 1e-7 * error),
        .slope = values[3],
    };
}

AbutFieldBounds abut_field_join_bounds(AbutFieldBounds a, AbutFieldBounds b)
{
    return (AbutFieldBounds){ fminf(a.low, b.low), fmaxf(a.high, b.high), fmaxf(a.error, b.error),
                              fmaxf(a.slope, b.slope) };
}

/// Half floats in the order of their values.
static int32_t order_of_half(uint16_t half)
{
    int32_t size = half & 0x7FFF;
    return (half & 0x8000u) != 0 ? -size : size;
}

size_t abut_field_find_invalid_bounds(const AbutPackedBounds* entries, size_t count)
{
    const int32_t infinite = 0x7C00;
    for (size_t i = 0; i < count; ++i)
    {
        int32_t low = order_of_half(entries[i].low), high = order_of_half(entries[i].high);
        bool ordered = low >= -infinite && low <= high && high <= infinite;
        if (!ordered || entries[i].error > infinite || entries[i].slope > infinite)
        {
            return i;
        }
    }
    return count;
}

// -----------------------------------------------------------------------------------------------------------
// Levels
// -----------------------------------------------------------------------------------------------------------

AbutPackedBounds* abut_field_level(void* block, uint32_t level, uint32_t count[3])
{
    ABUT_ASSERT(level < ((const AbutFieldHeader*)block)->level_count);
    const AbutFieldHeader* h = block;
    AbutPackedBounds* entries = abut_field_section(block, ABUT_FIELD_PYRAMID);
    memcpy(count, h->brick_count, sizeof(h->brick_count));
    for (uint32_t i = 0; i < level; ++i)
    {
        entries += i == 0 && h->sparse != 0 ? h->stored_brick_count : (size_t)count[0] * count[1] * count[2];
        abut_pyramid_halve_count(count);
    }
    return entries;
}

AbutFieldBounds abut_field_root_bounds(void* block)
{
    const AbutFieldHeader* h = block;
    uint32_t count[3];
    return abut_field_unpack_bounds(*abut_field_level(block, h->level_count - 1, count), h->cell_size);
}

/// Bounds of the box of level 1 around a brick.
static AbutFieldBounds parent_bounds(void* block, uint32_t brick)
{
    const AbutFieldHeader* h = block;
    uint32_t count[3], at[3];
    abut_brick_position(h->brick_count, brick, at);
    const AbutPackedBounds* level = abut_field_level(block, 1, count);
    size_t parent = ((size_t)(at[2] / 2) * count[1] + at[1] / 2) * count[0] + at[0] / 2;
    return abut_field_unpack_bounds(level[parent], h->cell_size);
}

AbutFieldBounds abut_field_brick_bounds(void* block, uint32_t brick)
{
    const AbutFieldHeader* h = block;
    const AbutPackedBounds* entries = abut_field_section(block, ABUT_FIELD_PYRAMID);
    if (h->sparse == 0)
    {
        return abut_field_unpack_bounds(entries[brick], h->cell_size);
    }
    uint32_t slot = ((const uint32_t*)abut_field_section(block, ABUT_FIELD_SLOTS))[brick];
    if (slot != ABUT_FIELD_NO_SLOT)
    {
        return abut_field_unpack_bounds(entries[slot], h->cell_size);
    }
    AbutFieldBounds bounds = abut_field_bound_brick(block, brick);
    return isinf(parent_bounds(block, brick).error) ? abut_field_uncertain_bounds(bounds) : bounds;
}

bool abut_field_is_certain_around(void* block, uint32_t brick)
{
    const AbutFieldHeader* h = block;
    if (isfinite(abut_field_root_bounds(block).error))
    {
        return true;
    }
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    uint32_t low[3], high[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        low[axis] = position[axis] > 0 ? position[axis] - 1 : 0;
        high[axis] = position[axis] + 1 < h->brick_count[axis] ? position[axis] + 1 : position[axis];
    }
    for (uint32_t z = low[2]; z <= high[2]; ++z)
    {
        for (uint32_t y = low[1]; y <= high[1]; ++y)
        {
            for (uint32_t x = low[0]; x <= high[0]; ++x)
            {
                uint32_t other = (z * h->brick_count[1] + y) * h->brick_count[0] + x;
                if (isinf(abut_field_brick_bounds(block, other).error))
                {
                    return false;
                }
            }
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Errors of cells
// -----------------------------------------------------------------------------------------------------------

uint8_t abut_field_error_code(float error)
{
    uint8_t code = 0;
    while (code < ABUT_ERROR_LEVELS && !(error <= abut_field_error_levels[code]))
    {
        ++code;
    }
    return code;
}

float abut_field_cell_error(void* block, uint32_t brick, const uint32_t cell[3])
{
    ABUT_ASSERT(cell[0] < ABUT_BRICK_CELLS && cell[1] < ABUT_BRICK_CELLS && cell[2] < ABUT_BRICK_CELLS);
    const AbutFieldHeader* h = block;
    uint32_t slot = ((const uint32_t*)abut_field_section(block, ABUT_FIELD_SLOTS))[brick];
    uint32_t code = ABUT_ERROR_LEVELS;
    if (slot != ABUT_FIELD_NO_SLOT)
    {
        const uint8_t* codes = (const uint8_t*)abut_field_section(block, ABUT_FIELD_CELL_ERRORS) +
                               (size_t)slot * ABUT_CELL_ERROR_BYTES;
        uint32_t group = (cell[2] / 2 * 4 + cell[1] / 2) * 4 + cell[0] / 2;
        code = (uint32_t)codes[group / 2] >> (group % 2 * 4) & 15u;
    }
    return code < ABUT_ERROR_LEVELS ? (float)((double)abut_field_error_levels[code] * h->cell_size)
                                    : abut_field_brick_bounds(block, brick).error;
}
