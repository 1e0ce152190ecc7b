#include "field/block.h"
#include "field/bounds/distance_octree.h"
#include "field/bounds/half_spaces.h"
#include "field/bounds/lower_planes.h"
#include "field/bounds/pyramid.h"
#include "field/nodes/node.h"

#include <string.h>

const char* abut_field_format_name(AbutFieldFormat format)
{
    static const char* const names[ABUT_FIELD_FORMAT_COUNT] = {
        [ABUT_FIELD_F32] = "f32",
        [ABUT_FIELD_F16] = "f16",
        [ABUT_FIELD_FIRST_ORDER] = "first order",
    };
    return (unsigned)format < ABUT_FIELD_FORMAT_COUNT ? names[format] : "unknown format";
}

// -----------------------------------------------------------------------------------------------------------
// Layout
// -----------------------------------------------------------------------------------------------------------

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
        abut_pyramid_halve(count);
        total += count[0] * count[1] * count[2];
        root = count[0] == 1 && count[1] == 1 && count[2] == 1;
    }
    return total;
}

static void add_section(AbutFieldHeader* header, AbutFieldSectionName name, uint64_t size)
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
    add_section(header, ABUT_FIELD_NODES,
                node_total(header) * abut_field_node_bytes((AbutFieldFormat)header->format));
    add_section(header, ABUT_FIELD_SLOTS, brick_total(header) * sizeof(uint32_t));
    add_section(header, ABUT_FIELD_PYRAMID, pyramid_total(header) * sizeof(AbutPackedBounds));
    add_section(header, ABUT_FIELD_CELL_ERRORS, (uint64_t)header->error_brick_count * ABUT_CELL_ERROR_BYTES);
    header->octree_step = abut_distance_octree_step(header);
    add_section(header, ABUT_FIELD_DISTANCE_OCTREE, abut_distance_octree_count(header) * sizeof(int16_t));
    add_section(header, ABUT_FIELD_HALF_SPACES, abut_half_spaces_bytes(header));
    add_section(header, ABUT_FIELD_LOWER_PLANES, abut_lower_planes_bytes(header));
    return ABUT_OK;
}

uint64_t abut_field_block_checksum(const void* data, size_t size)
{
    // The header with its checksum zero, then the rest with that hash as its seed.
    AbutFieldHeader header;
    memcpy(&header, data, sizeof(header));
    header.checksum = 0;
    uint64_t seed = abut_hash(&header, sizeof(header), 0);
    return abut_hash((const char*)data + sizeof(header), size - sizeof(header), seed);
}
