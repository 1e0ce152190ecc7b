/// @file format.h
/// The bytes of a field: one relocatable block, the same in memory, in a file and on a GPU. Header, sections,
/// limits. docs/field_format.md describes it.
#ifndef ABUT_FIELD_NODES_FORMAT_H
#define ABUT_FIELD_NODES_FORMAT_H

#include <abut/field.h>

#include "base/assert.h"

#define ABUT_FIELD_MAGIC "abutfld"
#define ABUT_FIELD_VERSION 5u

enum
{
    ABUT_BRICK_CELLS = 8, // along a side
    ABUT_BRICK_NODES = 9, // along a side: bricks store the nodes that they share with neighbours
    ABUT_BRICK_NODE_TOTAL = 9 * 9 * 9,
    ABUT_CELL_ERROR_BYTES = 32, // per brick: half a byte for each 2³ cells
    ABUT_FIELD_ALIGNMENT = 64
};

/// Limits of fields, such that lengths and their squares are finite: lengths, cells, and values of nodes in
/// cells.
#define ABUT_FIELD_LARGEST 1e30
#define ABUT_FIELD_MIN_CELL_SIZE 1e-30
#define ABUT_FIELD_MAX_CELLS 0x1p60f

#define ABUT_FIELD_NO_SLOT UINT32_MAX // of a brick of the coarse level, or without cell errors

typedef struct AbutFieldSection
{
    uint64_t offset; // bytes from the start of the block, a multiple of ABUT_FIELD_ALIGNMENT; 0: empty
    uint64_t size;   // bytes
} AbutFieldSection;

typedef enum AbutFieldSectionName
{
    // Dense: (8·bx + 1)(8·by + 1)(8·bz + 1) nodes. Sparse: (bx + 1)(by + 1)(bz + 1) coarse nodes, then 9³ per
    // stored brick in the order of slots. x runs fastest everywhere.
    ABUT_FIELD_NODES,
    // uint32_t per brick. Sparse: the number of its stored brick, or ABUT_FIELD_NO_SLOT. Dense: the number of
    // its cell errors, or ABUT_FIELD_NO_SLOT.
    ABUT_FIELD_SLOTS,
    // AbutPackedBounds (field/bounds/pyramid.h). Level 0: dense, one per brick; sparse, one per stored brick
    // in the order of slots. Each level above: one per 2³ bricks or boxes of the level below, up to one.
    // Sparse fields have at least two levels, so that there is always a root.
    ABUT_FIELD_PYRAMID,
    // ABUT_CELL_ERROR_BYTES per brick near the surface (dense) or stored brick (sparse), in the order of
    // slots: a code per 2³ cells, x fastest, the lower half of a byte first. See abut_field_error_levels.
    ABUT_FIELD_CELL_ERRORS,
    // int16_t proved distances at the middles of boxes (field/bounds/distance_octree.h); may be empty.
    ABUT_FIELD_DISTANCE_OCTREE,
    // Half spaces that hold the surface in the same boxes (field/bounds/half_spaces.h).
    ABUT_FIELD_HALF_SPACES,
    // Linear functions under the field in boxes of 4 cells (field/bounds/lower_planes.h); empty for order 1.
    ABUT_FIELD_LOWER_PLANES,
    ABUT_FIELD_SECTION_COUNT
} AbutFieldSectionName;

/// Bits of sign_flags; from the last on, an AbutMassSource.
enum
{
    ABUT_FIELD_SIGN_CLOSED = 1,
    ABUT_FIELD_SIGN_INVERTED = 2,
    ABUT_FIELD_SIGN_SHEETS = 4,
    ABUT_FIELD_SIGN_MASS_SHIFT = 3,
};

typedef struct AbutFieldHeader
{
    char magic[8];
    uint32_t version;
    uint32_t header_bytes; // sizeof(AbutFieldHeader)
    uint64_t total_bytes;
    // XXH64 of all bytes after the header, seeded with that of the header with these bytes zero
    uint64_t checksum;
    double origin[3]; // of node 0
    double cell_size;
    uint32_t brick_count[3];
    uint32_t format; // AbutFieldFormat
    uint32_t sparse; // 0 or 1
    uint32_t stored_brick_count;
    uint32_t level_count; // of the pyramid
    float slope;          // Lipschitz bound of the interpolant
    float error_bound, measured_max, measured_rms;
    // 0 or 1: outside, nodes are the distance of the solid, up to node_error; else they may be less
    uint32_t exact;
    double mass[13], mesh_mass[13]; // volume, centre, inertia row by row
    uint32_t sign_flags;            // see above
    uint32_t error_brick_count;     // bricks with cell errors: near the surface (dense), or stored (sparse)
    uint64_t winding_nodes, uncertain_nodes;
    double uncertain_volume;
    AbutFieldSection sections[ABUT_FIELD_SECTION_COUNT];
    // Lipschitz bound of the distance that was baked: 1, or as a shape declares; infinite: nothing is proved
    float source_slope;
    float node_error;    // largest error of a node before it was rounded to the format
    float solid[6];      // box of the solid: minimum x, y, z, then maximum
    uint32_t has_octree; // 0 or 1; half spaces and lower planes come with it
    float octree_step;   // unit of the distance octree, in cells
    // gaps of the mesh were closed by patches within this of it; included in node_error
    float gap_width;
    uint32_t reserved_end; // 0
} AbutFieldHeader;

_Static_assert(sizeof(AbutFieldHeader) == 512, "the header is part of the file format");

/// Nodes of the grid, or of the coarse level of a sparse field, along an axis.
static inline uint32_t abut_field_level_nodes(const AbutFieldHeader* header, int axis)
{
    return header->brick_count[axis] * (header->sparse != 0 ? 1u : (uint32_t)ABUT_BRICK_CELLS) + 1u;
}

/// Position of a brick in the grid of bricks, from its number; x runs fastest.
static inline void abut_brick_position(const uint32_t brick_count[3], uint32_t brick, uint32_t position[3])
{
    position[0] = brick % brick_count[0];
    position[1] = brick / brick_count[0] % brick_count[1];
    position[2] = brick / brick_count[0] / brick_count[1];
}

/// The inverse of abut_brick_position().
static inline uint32_t abut_brick_number(const uint32_t brick_count[3], const uint32_t position[3])
{
    ABUT_ASSERT(position[0] < brick_count[0] && position[1] < brick_count[1] && position[2] < brick_count[2]);
    return (position[2] * brick_count[1] + position[1]) * brick_count[0] + position[0];
}

static inline void* abut_field_section(void* block, AbutFieldSectionName name)
{
    ABUT_ASSERT(((AbutFieldHeader*)block)->sections[name].size > 0);
    return (char*)block + ((AbutFieldHeader*)block)->sections[name].offset;
}

/// Proved bounds over a brick or a box of bricks.
typedef struct AbutFieldBounds
{
    float low, high; // of the true distance
    float error;     // |sample − distance| ≤ error; infinite where the sign is uncertain
    float slope;     // of the interpolant
} AbutFieldBounds;

/// The same as half floats, rounded outward: distances in cells.
typedef struct AbutPackedBounds
{
    uint16_t low, high, error, slope;
} AbutPackedBounds;

#endif
