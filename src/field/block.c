#include "field/block.h"
#include "field/centers.h"
#include "field/floors.h"
#include "field/plates.h"
#include "field/pyramid.h"

#include <string.h>

size_t abut_field_node_bytes(AbutFieldFormat format)
{
    static const size_t bytes[ABUT_FIELD_FORMAT_COUNT] = {
        [ABUT_FIELD_F32] = 4,
        [ABUT_FIELD_F16] = 2,
        [ABUT_FIELD_FIRST_ORDER] = 8,
    };
    return bytes[format];
}

const char* abut_field_format_name(AbutFieldFormat format)
{
    static const char* const names[ABUT_FIELD_FORMAT_COUNT] = {
        [ABUT_FIELD_F32] = "f32",
        [ABUT_FIELD_F16] = "f16",
        [ABUT_FIELD_FIRST_ORDER] = "first order",
    };
    return (unsigned)format < ABUT_FIELD_FORMAT_COUNT ? names[format] : "unknown format";
}

// ---------------------------------------------------------------------------------------------------------------------
// Layout
// ---------------------------------------------------------------------------------------------------------------------

/// Kernels count nodes, and halves of nodes, in 31 bits.
#define MAX_INDEX ((UINT64_C(1) << 31) - 1)

/// Bricks along a side: cells along a side fit a float exactly.
#define MAX_BRICKS (UINT32_C(1) << 20)

static uint64_t brick_total(const AbutFieldHeader* header)
{
    return (uint64_t)header->brick_count[0] * header->brick_count[1] * header->brick_count[2];
}

/// Saturates: three factors of 2²³ fit into 64 bits only in pairs.
static uint64_t multiply(uint64_t a, uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static uint64_t node_total(const AbutFieldHeader* header)
{
    uint64_t nodes = multiply(multiply(abut_field_level_nodes(header, 0), abut_field_level_nodes(header, 1)),
                              abut_field_level_nodes(header, 2));
    uint64_t fine = header->sparse != 0 ? (uint64_t)header->stored_brick_count * ABUT_BRICK_NODE_TOTAL : 0;
    return nodes > UINT64_MAX - fine ? UINT64_MAX : nodes + fine;
}

/// Boxes of all levels; sets their number. Level 0 of a sparse field has the stored bricks alone.
static uint64_t pyramid_total(AbutFieldHeader* header)
{
    uint64_t count[3] = { header->brick_count[0], header->brick_count[1], header->brick_count[2] };
    uint64_t total = header->sparse != 0 ? header->stored_brick_count : brick_total(header);
    bool root = header->sparse == 0 && total == 1;
    for (header->level_count = 1; !root; header->level_count += 1)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            count[axis] = (count[axis] + 1) / 2;
        }
        total += count[0] * count[1] * count[2];
        root = count[0] == 1 && count[1] == 1 && count[2] == 1;
    }
    return total;
}

static void place_section(AbutFieldHeader* header, AbutFieldSectionName name, uint64_t size)
{
    header->sections[name] = (AbutFieldSection){ size > 0 ? header->total_bytes : 0, size };
    header->total_bytes += (size + ABUT_FIELD_ALIGNMENT - 1) / ABUT_FIELD_ALIGNMENT * ABUT_FIELD_ALIGNMENT;
}

AbutResult abut_field_block_layout(AbutFieldHeader* header)
{
    memcpy(header->magic, ABUT_FIELD_MAGIC, sizeof(header->magic));
    header->version = ABUT_FIELD_VERSION;
    header->header_bytes = sizeof(AbutFieldHeader);
    const uint32_t* bricks = header->brick_count;
    uint64_t index_per_node = header->format == ABUT_FIELD_FIRST_ORDER ? 4 : 1;
    bool fits = bricks[0] <= MAX_BRICKS && bricks[1] <= MAX_BRICKS && bricks[2] <= MAX_BRICKS &&
                multiply(multiply(bricks[0], bricks[1]), bricks[2]) <= MAX_INDEX;
    if (!fits || multiply(node_total(header), index_per_node) > MAX_INDEX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "a field of %u by %u by %u bricks of 8³ cells has too many nodes; use larger cells, "
                         "or a sparse field",
                         bricks[0], bricks[1], bricks[2]);
    }
    header->total_bytes =
        (sizeof(AbutFieldHeader) + ABUT_FIELD_ALIGNMENT - 1) / ABUT_FIELD_ALIGNMENT * ABUT_FIELD_ALIGNMENT;
    place_section(header, ABUT_FIELD_NODES,
                  node_total(header) * abut_field_node_bytes((AbutFieldFormat)header->format));
    place_section(header, ABUT_FIELD_SLOTS, brick_total(header) * sizeof(uint32_t));
    place_section(header, ABUT_FIELD_PYRAMID, pyramid_total(header) * sizeof(AbutPackedBounds));
    place_section(header, ABUT_FIELD_CELL_ERRORS,
                  (uint64_t)header->error_brick_count * ABUT_CELL_ERROR_BYTES);
    header->center_step = abut_field_center_step(header);
    place_section(header, ABUT_FIELD_CENTERS, abut_field_center_count(header) * sizeof(int16_t));
    place_section(header, ABUT_FIELD_PLATES, abut_field_plate_bytes(header));
    place_section(header, ABUT_FIELD_FLOORS, abut_field_floor_bytes(header));
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------------------------

uint64_t abut_field_block_checksum(const void* data, size_t size)
{
    // The header with its checksum zero, then the rest with that hash as its seed.
    AbutFieldHeader header;
    memcpy(&header, data, sizeof(header));
    header.checksum = 0;
    uint64_t seed = abut_hash(&header, sizeof(header), 0);
    return abut_hash((const char*)data + sizeof(header), size - sizeof(header), seed);
}

static AbutResult fail_block(const char* name, size_t offset, const char* what)
{
    return abut_fail(ABUT_INVALID_DATA, "%s: byte %zu: %s", name, offset, what);
}

#define FAIL_AT(member, what) fail_block(name, offsetof(AbutFieldHeader, member), what)

static AbutResult check_identity(const AbutFieldHeader* h, size_t size, const char* name)
{
    if (memcmp(h->magic, ABUT_FIELD_MAGIC, sizeof(h->magic)) != 0)
    {
        return FAIL_AT(magic, "this is not an abut field");
    }
    if (h->version != ABUT_FIELD_VERSION)
    {
        return abut_fail(
            ABUT_INVALID_DATA,
            "%s: byte %zu: format version %u; this library reads version %u: bake the field again", name,
            offsetof(AbutFieldHeader, version), h->version, ABUT_FIELD_VERSION);
    }
    if (h->header_bytes != sizeof(AbutFieldHeader))
    {
        return FAIL_AT(header_bytes, "the header has the wrong size");
    }
    if (h->total_bytes != size)
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "%s: the header says %llu bytes, but there are %zu: the file is cut off or has "
                         "something behind it",
                         name, (unsigned long long)h->total_bytes, size);
    }
    return ABUT_OK;
}

static bool is_measure(float value)
{
    return value >= 0.0f; // may be infinite, not NaN
}

static bool is_zero(const void* bytes, size_t size)
{
    const char* at = bytes;
    for (size_t i = 0; i < size; ++i)
    {
        if (at[i] != 0)
        {
            return false;
        }
    }
    return true;
}

static AbutResult check_numbers(const AbutFieldHeader* h, const char* name)
{
    if (!(isfinite(h->origin[0]) && isfinite(h->origin[1]) && isfinite(h->origin[2])))
    {
        return FAIL_AT(origin, "the origin is not finite");
    }
    if (!(h->cell_size > 0.0) || !isfinite(h->cell_size))
    {
        return FAIL_AT(cell_size, "the cell size is not a positive number");
    }
    if (h->brick_count[0] == 0 || h->brick_count[1] == 0 || h->brick_count[2] == 0)
    {
        return FAIL_AT(brick_count, "there are no bricks");
    }
    if (h->format >= ABUT_FIELD_FORMAT_COUNT)
    {
        return FAIL_AT(format, "unknown node format");
    }
    if (h->sparse > 1 || h->has_centers > 1 || h->exact > 1 ||
        !is_zero(&h->reserved_end, sizeof(h->reserved_end)))
    {
        return FAIL_AT(sparse, "a flag is neither 0 nor 1, or a reserved number is not 0");
    }
    if (!is_measure(h->slope) || !isfinite(h->slope) || !is_measure(h->error_bound) ||
        !is_measure(h->measured_max) || !is_measure(h->measured_rms))
    {
        return FAIL_AT(slope, "slope or error is not a number, or negative");
    }
    if (h->sign_flags >> ABUT_FIELD_SIGN_MASS_SHIFT > ABUT_MASS_UNKNOWN)
    {
        return FAIL_AT(sign_flags, "unknown flags of the sign");
    }
    if (!is_measure(h->source_slope) || !is_measure(h->node_error) || !is_measure(h->gap_width))
    {
        return FAIL_AT(source_slope, "slope or error of the source is not a number, or negative");
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        if (isnan(h->solid[axis]) || isnan(h->solid[axis + 3]))
        {
            return FAIL_AT(solid, "the box of the solid is not a number");
        }
    }
    return ABUT_OK;
}

/// Everything that the layout decides must be as it decides.
static AbutResult check_layout(const AbutFieldHeader* h, const char* name)
{
    AbutFieldHeader expected = *h;
    AbutResult result = abut_field_block_layout(&expected);
    if (result != ABUT_OK)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: %s", name, abut_last_error());
    }
    if (expected.total_bytes != h->total_bytes || expected.level_count != h->level_count ||
        memcmp(&expected.center_step, &h->center_step, sizeof(float)) != 0 ||
        memcmp(expected.sections, h->sections, sizeof(h->sections)) != 0)
    {
        return FAIL_AT(sections, "sections are not where the counts put them");
    }
    uint64_t bricks = brick_total(h);
    if (h->sparse != 0 ? h->stored_brick_count > bricks : h->stored_brick_count != bricks)
    {
        return FAIL_AT(stored_brick_count,
                       "more bricks are stored than there are, or a dense field lacks some");
    }
    if (h->sparse != 0 ? h->error_brick_count != h->stored_brick_count : h->error_brick_count > bricks)
    {
        return FAIL_AT(error_brick_count,
                       "cell errors are not those of the stored bricks, or more than bricks");
    }
    return ABUT_OK;
}

static AbutResult check_slots(const AbutFieldHeader* h, const void* data, const char* name)
{
    const uint32_t* slots = (const uint32_t*)((const char*)data + h->sections[ABUT_FIELD_SLOTS].offset);
    uint64_t bricks = brick_total(h);
    for (uint64_t i = 0; i < bricks; ++i)
    {
        if (slots[i] != ABUT_FIELD_NO_SLOT && slots[i] >= h->error_brick_count)
        {
            return abut_fail(ABUT_INVALID_DATA, "%s: byte %llu: brick %llu refers to stored brick %u of %u",
                             name, (unsigned long long)(h->sections[ABUT_FIELD_SLOTS].offset + 4 * i),
                             (unsigned long long)i, slots[i], h->error_brick_count);
        }
    }
    return ABUT_OK;
}

AbutResult abut_field_block_check(const void* data, size_t size, bool skip_checksum, const char* name)
{
    if (size < sizeof(AbutFieldHeader))
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: %zu bytes are too few for the header of a field (%zu)", name,
                         size, sizeof(AbutFieldHeader));
    }
    AbutFieldHeader header;
    memcpy(&header, data, sizeof(header));
    AbutResult result = check_identity(&header, size, name);
    result = result == ABUT_OK ? check_numbers(&header, name) : result;
    result = result == ABUT_OK ? check_layout(&header, name) : result;
    if (result == ABUT_OK && !skip_checksum && abut_field_block_checksum(data, size) != header.checksum)
    {
        result = FAIL_AT(checksum,
                         "the checksum does not match: the bytes were changed after the field was written");
    }
    return result == ABUT_OK ? check_slots(&header, data, name) : result;
}
