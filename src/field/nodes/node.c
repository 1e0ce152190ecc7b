// Nodes one by one. A node of order 1 is two words with four numbers: 23 bits of value, and 14, 13 and 13
// bits of gradient. Each number is read together with the bits below it, as if they were its own; so numbers
// are written from the lowest to the highest, and each is rounded to the nearest with the bits below it in
// place. Reading needs no masks, and the rounding is as good as with masks.
#include "field/nodes/node.h"

#include "base/assert.h"
#include "field/nodes/kernels.h"

#include <string.h>

/// A gradient of 1: a little under 2³¹, so that 13 bits above 19 others can hold it.
static const double GRADIENT_ONE = 2146959360.0;

enum
{
    VALUE_LOW_BITS = 9,          // below the value in the first word: eight of z, and the thin bit
    X_SHIFT = 18,                // of x in the second word
    YZ_SHIFT = 19,               // of y and z in a word of their own
    Z_LOW_BITS = 8,              // of z, in the first word; five are in the second
    SMALLEST_VALUE = 0x21800000, // 2⁻⁶⁰: with the bits below it, zero would be subnormal, and flushed by GPUs
    LARGEST_VALUE = 0x7F7FFE00
};

static int64_t fixed_point(float g)
{
    double kept = g < -1.0f ? -1.0 : (g > 1.0f ? 1.0 : (double)g);
    return g == g ? (int64_t)(kept * GRADIENT_ONE) : 0;
}

/// The bits nearest to the target with `low` below them.
static uint32_t nearest_above(int64_t target, uint32_t low, int shift)
{
    int64_t unit = INT64_C(1) << shift;
    int64_t shifted =
        target - (int64_t)low + unit / 2 + (INT64_C(1) << 40); // positive, so that division rounds down
    return (uint32_t)(shifted / unit - (INT64_C(1) << (40 - shift)));
}

static uint32_t encode_value(float value, uint32_t low)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    uint32_t sign = bits & 0x80000000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
    {
        return 0x7FC00000u | low;
    }
    magnitude = magnitude < SMALLEST_VALUE ? (uint32_t)SMALLEST_VALUE : magnitude;
    magnitude = magnitude > LARGEST_VALUE ? (uint32_t)LARGEST_VALUE : magnitude;
    uint32_t top = (magnitude + (1u << (VALUE_LOW_BITS - 1)) - low) >> VALUE_LOW_BITS << VALUE_LOW_BITS;
    return sign | (top < SMALLEST_VALUE ? (uint32_t)SMALLEST_VALUE : top) | low;
}

void abut_field_encode_first_order(float value, const float gradient[3], uint32_t words[2])
{
    uint32_t z = nearest_above(fixed_point(gradient[2]), 0, YZ_SHIFT) & 0x1FFFu;
    uint32_t z_high = z >> Z_LOW_BITS, z_low = z & ((1u << Z_LOW_BITS) - 1);
    uint32_t y = nearest_above(fixed_point(gradient[1]), z_high << 14, YZ_SHIFT) & 0x1FFFu;
    uint32_t yz = y << 5 | z_high;
    uint32_t x = nearest_above(fixed_point(gradient[0]), yz, X_SHIFT);
    words[0] = encode_value(value, z_low << 1);
    words[1] = x << X_SHIFT | yz;
}

static inline float gradient_component(uint32_t component)
{
    return (float)((double)(int32_t)component * (1.0 / 2146959360.0)); // by GRADIENT_ONE
}

void abut_field_node_gradients(const void* nodes, size_t first, size_t count, float* x, float* y, float* z,
                               bool* thin)
{
    const uint32_t* words = (const uint32_t*)nodes + 2 * first;
    for (size_t i = 0; i < count; ++i, words += 2)
    {
        x[i] = gradient_component(words[1]);
        y[i] = gradient_component(words[1] << 14);
        z[i] = gradient_component(words[1] << 27 | (words[0] & 0x1FEu) << 18);
        thin[i] = (words[0] & ABUT_FIELD_NODE_THIN) != 0;
    }
}

static AbutFieldNode decode_first_order(const uint32_t words[2])
{
    AbutFieldNode out;
    memcpy(&out.value, &words[0], sizeof(out.value));
    abut_field_node_gradients(words, 0, 1, &out.gradient[0], &out.gradient[1], &out.gradient[2], &out.thin);
    return out;
}

size_t abut_field_node_bytes(AbutFieldFormat format)
{
    static const size_t bytes[ABUT_FIELD_FORMAT_COUNT] = {
        [ABUT_FIELD_F32] = 4,
        [ABUT_FIELD_F16] = 2,
        [ABUT_FIELD_FIRST_ORDER] = 8,
    };
    return bytes[format];
}

AbutFieldNode abut_field_node(const void* nodes, AbutFieldFormat format, double cell_size, size_t node)
{
    AbutFieldNode out = { 0 };
    switch (format)
    {
    case ABUT_FIELD_F32:
        out.value = (float)((double)((const float*)nodes)[node] / cell_size);
        break;
    case ABUT_FIELD_F16:
        abut_node_kernels()->half_to_float((const uint16_t*)nodes + node, 1, &out.value);
        break;
    default:
        out = decode_first_order((const uint32_t*)nodes + 2 * node);
        break;
    }
    return out;
}

void abut_field_node_values(const void* nodes, AbutFieldFormat format, double cell_size, size_t first,
                            size_t count, float* out)
{
    ABUT_ASSERT(cell_size > 0.0);
    const float per_cell = (float)(1.0 / cell_size);
    switch (format)
    {
    case ABUT_FIELD_F32:
        for (size_t i = 0; i < count; ++i)
        {
            out[i] = ((const float*)nodes)[first + i] * per_cell;
        }
        break;
    case ABUT_FIELD_F16:
        abut_node_kernels()->half_to_float((const uint16_t*)nodes + first, count, out);
        break;
    default:
        for (size_t i = 0; i < count; ++i)
        {
            memcpy(&out[i], (const uint32_t*)nodes + 2 * (first + i), sizeof(float));
        }
        break;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Checks
// -----------------------------------------------------------------------------------------------------------

enum
{
    CHECKED_NODES = 4096, // at once
    LARGEST_HALF = 0x7BFF // that is finite
};

/// The magnitudes of floats are in the order of their bits, with NaN last: a magnitude is too large where
/// `most` less it is negative. Without branches, so that compilers use lanes.
static bool any_above(const uint32_t* words, size_t count, int32_t most)
{
    int32_t signs = 0;
    for (size_t i = 0; i < count; ++i)
    {
        signs |= most - (int32_t)(words[i] & 0x7FFFFFFFu);
    }
    return signs < 0;
}

/// The same of every second word.
static bool any_first_above(const uint32_t* words, size_t count, int32_t most)
{
    int32_t first = 0, second = 0;
    for (size_t i = 0; i + 1 < count; i += 2)
    {
        first |= most - (int32_t)(words[i] & 0x7FFFFFFFu);
        second |= (int32_t)words[i + 1]; // unused; for lanes
    }
    (void)second;
    return first < 0;
}

static bool any_half_above(const uint16_t* halves, size_t count)
{
    uint16_t signs = 0;
    for (size_t i = 0; i < count; ++i)
    {
        signs = (uint16_t)(signs | (uint16_t)(LARGEST_HALF - (halves[i] & 0x7FFF)));
    }
    return (signs & 0x8000u) != 0;
}

/// The largest valid bits of a value in a format.
static int32_t most_bits(AbutFieldFormat format, double cell_size)
{
    double most = (double)ABUT_FIELD_MAX_CELLS * (format == ABUT_FIELD_F32 ? cell_size : 1.0);
    float rounded = (float)(most < 3e38 ? most : 3e38);
    int32_t bits;
    memcpy(&bits, &rounded, sizeof(bits));
    return bits;
}

static bool any_bad(const void* nodes, AbutFieldFormat format, int32_t most, size_t first, size_t count)
{
    switch (format)
    {
    case ABUT_FIELD_F32:
        return any_above((const uint32_t*)nodes + first, count, most);
    case ABUT_FIELD_F16:
        return any_half_above((const uint16_t*)nodes + first, count);
    default:
        return any_first_above((const uint32_t*)nodes + 2 * first, 2 * count, most);
    }
}

size_t abut_field_find_invalid_node(const void* nodes, AbutFieldFormat format, double cell_size, size_t count)
{
    const int32_t most = most_bits(format, cell_size);
    for (size_t first = 0; first < count; first += CHECKED_NODES)
    {
        size_t n = count - first < CHECKED_NODES ? count - first : CHECKED_NODES;
        size_t checked = any_bad(nodes, format, most, first, n) ? n : 0;
        for (size_t i = 0; i < checked; ++i)
        {
            if (any_bad(nodes, format, most, first + i, 1))
            {
                return first + i;
            }
        }
    }
    return count;
}
