/// @file point_hull.h (internal)
/// Storage of a point hull: one relocatable block with the balls in the order of a sphere tree.
#ifndef ABUT_POINTS_HULL_POINT_HULL_H
#define ABUT_POINTS_HULL_POINT_HULL_H

#include <abut/points.h>

#include "shape/shape.h"

#include <stdatomic.h>

#define ABUT_POINT_HULL_MAGIC "abutpts" // 8 bytes with its end
#define ABUT_POINT_HULL_VERSION 1u

enum
{
    ABUT_POINT_HULL_ALIGNMENT = 64 // of sections
};

typedef enum AbutPointHullSection
{
    ABUT_POINT_HULL_X, // floats, one per ball
    ABUT_POINT_HULL_Y,
    ABUT_POINT_HULL_Z,
    ABUT_POINT_HULL_RADIUS,
    ABUT_POINT_HULL_NODES, // AbutPointHullNode, parents before children
    ABUT_POINT_HULL_SECTION_COUNT
} AbutPointHullSection;

/// The start of a block. The layout is a function of both counts, so that checks compute it again.
typedef struct AbutPointHullHeader
{
    char magic[8];
    uint32_t version, header_bytes;
    uint64_t total_bytes;
    uint64_t checksum; // of the block with this zero
    uint32_t count, node_count;
    float error, min_radius, max_radius;
    float bounds[6];
    uint32_t reserved[5];
    uint64_t offsets[ABUT_POINT_HULL_SECTION_COUNT];
} AbutPointHullHeader;

_Static_assert(sizeof(AbutPointHullHeader) == 136, "no padding");

/// A sphere around the centers of all balls of a node of the tree, and the largest of their radii.
typedef struct AbutPointHullNode
{
    float center[3];
    float radius;
    float largest;
    uint32_t first_point, point_count;
    uint32_t first_child, child_count;
} AbutPointHullNode;

struct AbutPointHull
{
    AbutShapeCompanion companion; // first: a shape may own it
    AbutHost host;
    AbutPointHullHeader* block;
    const float* at[3];
    const float* radius;
    const AbutPointHullNode* nodes;
    atomic_uint_least32_t owners;
};

/// Completes a header whose counts are set: identity, sizes and offsets.
void abut_point_hull_layout(AbutPointHullHeader* header);

/// Gives up the reference of a shape.
void abut_point_hull_release(AbutShapeCompanion* companion);

/// The checksum of a block.
uint64_t abut_point_hull_checksum(const void* data, size_t size);

/// A hull that owns a block, which has been checked. On failure the block is freed.
AbutResult abut_point_hull_wrap(AbutPointHullHeader* block, const AbutHost* host, AbutPointHull** out);

#endif
