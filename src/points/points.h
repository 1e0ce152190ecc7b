/// @file points.h (internal)
/// Storage of a point set: one allocation with the points in the order of the tree and the nodes, parents
/// before children.
#ifndef ABUT_POINTS_POINTS_H
#define ABUT_POINTS_POINTS_H

#include <abut/points.h>

#include <stdatomic.h>

enum
{
    ABUT_POINT_LEAF = 8,       // most points of a leaf
    ABUT_POINT_CHILDREN = 8,   // most children of a node
    ABUT_POINT_MAX_DEPTH = 16, // levels, enough for 2³¹ points
};

/// Limit of 32-bit indices.
#define ABUT_POINT_MAX_COUNT 0x7FFFFFFFu

struct AbutPointSet
{
    AbutHost host;
    size_t bytes; // of the allocation
    uint32_t count, node_count, depth;
    AbutBox bounds;
    float spacing, min_distance;
    float* at[3];
    float* normal[3];
    uint32_t* source;
    AbutPointNode* nodes;
    atomic_uint_least32_t owners;
};

/// Input of a point set. Positions must be finite; normals may be NULL (zero), sources too (their own index).
typedef struct AbutPointInput
{
    const float* positions; // x, y, z of each
    const float* normals;
    const uint32_t* sources;
    uint32_t count;
    float spacing;
} AbutPointInput;

AbutResult abut_points_make(const AbutPointInput* input, const AbutHost* host, AbutPointSet** out);

/// The order of a tree and its nodes, in scratch memory.
typedef struct AbutPointTree
{
    uint32_t* order; // index in the tree -> index of the input
    AbutPointNode* nodes;
    uint32_t node_count, depth;
} AbutPointTree;

/// Most nodes of a tree over `count` points.
static inline size_t abut_point_tree_capacity(uint32_t count)
{
    return (size_t)count / 2 + 1; // leaves have at least four points, but for one that is the root
}

#endif
