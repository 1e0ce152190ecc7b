/// @file block.h
/// The bytes of a field: one relocatable block, the same in memory, in a file and on a GPU.
/// docs/field_format.md says it in words.
#ifndef ABUT_FIELD_BLOCK_H
#define ABUT_FIELD_BLOCK_H

#include <abut/field.h>

#define ABUT_FIELD_MAGIC "abutfld"
#define ABUT_FIELD_VERSION 1u

enum
{
    ABUT_BRICK_CELLS = 8, // along a side
    ABUT_BRICK_NODES = 9, // along a side: bricks keep the nodes that they share with neighbours
    ABUT_BRICK_NODE_TOTAL = 9 * 9 * 9,
    ABUT_FIELD_ALIGNMENT = 64,
    ABUT_FIELD_MAX_LEVELS = 12 // of the pyramid
};

#define ABUT_FIELD_NO_SLOT UINT32_MAX // of a brick that the coarse level stands for

typedef struct AbutFieldSection
{
    uint64_t offset; // bytes from the start of the block, a multiple of ABUT_FIELD_ALIGNMENT; 0 when the
                     // section is empty
    uint64_t size;   // bytes
} AbutFieldSection;

/// Per brick and per box of the pyramid.
typedef struct AbutFieldBounds
{
    float low, high; // of the true distance over the brick
    float error;     // |sample − distance| ≤ error in the brick; infinite where the sign is in doubt
    float slope;     // of the interpolant over the brick
} AbutFieldBounds;

typedef enum AbutFieldSectionName
{
    // Dense: (8·bx + 1)(8·by + 1)(8·bz + 1) nodes. Sparse: (bx + 1)(by + 1)(bz + 1) coarse nodes, then 9³ per
    // stored brick in the order of slots. x runs fastest everywhere.
    ABUT_FIELD_NODES,
    // Sparse: uint32_t per brick, the number of its nodes' brick or ABUT_FIELD_NO_SLOT.
    ABUT_FIELD_SLOTS,
    // AbutFieldBounds: level 0 has one per brick, each level above one per 2³ of the level below, up to one.
    ABUT_FIELD_PYRAMID,
    // uint8_t per 2³ cells of stored bricks (64 each, in the order of slots; dense: bricks in order): error
    // bound there, in 1/128 of a cell, rounded up; 255 means no bound but the brick's.
    ABUT_FIELD_CELL_ERRORS,
    ABUT_FIELD_SECTION_COUNT
} AbutFieldSectionName;

typedef struct AbutFieldHeader
{
    char magic[8];
    uint32_t version;
    uint32_t header_bytes; // sizeof(AbutFieldHeader)
    uint64_t total_bytes;
    uint64_t
        checksum; // XXH64 of what follows the header, seeded with that of the header with these bytes zero
    double origin[3]; // of node 0
    double cell_size;
    uint32_t brick_count[3];
    uint32_t format; // AbutFieldFormat
    uint32_t sparse; // 0 or 1
    uint32_t stored_brick_count;
    uint32_t level_count; // of the pyramid
    float slope;          // of the interpolant anywhere
    float error_bound, measured_max, measured_rms;
    uint32_t reserved;              // 0
    double mass[13], mesh_mass[13]; // volume, centre, inertia row by row
    uint32_t sign_flags;            // bit 0 closed, bit 1 inverted
    uint32_t has_cell_errors;       // 0 or 1
    uint64_t winding_nodes, doubtful_nodes;
    double doubtful_volume;
    AbutFieldSection sections[ABUT_FIELD_SECTION_COUNT];
} AbutFieldHeader;

_Static_assert(sizeof(AbutFieldHeader) == 416, "the header is part of the file format");

/// Bytes of a node in a format.
size_t abut_field_node_bytes(AbutFieldFormat format);

/// Completes a header whose origin, cell size, brick counts, format and flags are set: sizes and places of
/// all sections. There is one layout for given counts, so a block can be checked by making its layout again.
/// @return ABUT_LIMIT_EXCEEDED when numbers of nodes do not fit the kernels.
AbutResult abut_field_block_layout(AbutFieldHeader* header);

/// Nodes of the grid, or of the coarse level of a sparse field, along an axis.
static inline uint32_t abut_field_level_nodes(const AbutFieldHeader* header, int axis)
{
    return header->brick_count[axis] * (header->sparse != 0 ? 1u : (uint32_t)ABUT_BRICK_CELLS) + 1u;
}

/// ABUT_OK when the block can be used without reading outside of it; `name` is for the message.
AbutResult abut_field_block_check(const void* data, size_t size, bool skip_checksum, const char* name);

/// The checksum that the block should carry.
uint64_t abut_field_block_checksum(const void* data, size_t size);

static inline void* abut_field_section(void* block, AbutFieldSectionName name)
{
    return (char*)block + ((AbutFieldHeader*)block)->sections[name].offset;
}

/// A field that owns `block` (from `host`, block->total_bytes large) from now on, also on failure.
AbutResult abut_field_create(void* block, const AbutHost* host, AbutShape** out);

#endif
