/// @file lab.h
/// Trees of the laboratory: nodes level by level, each with a range of triangles, its volume apart.
#ifndef ABUT_BVH_LAB_LAB_H
#define ABUT_BVH_LAB_LAB_H

#include "bvh/lab/volume.h"

enum
{
    ABUT_BVH_MAX_CHILDREN = 8,
    ABUT_BVH_MAX_LEAF_SIZE = 8,
    ABUT_BVH_MAX_LEVELS = 80, ///< halves of equal count from ABUT_BVH_FREE_LEVELS on
    ABUT_BVH_FREE_LEVELS = 44,
};

typedef struct AbutBvhNode
{
    uint32_t first, count; // items
    uint32_t child;        // the first; the others follow it
    uint16_t child_count;  // 0 for a leaf
    uint16_t level;
} AbutBvhNode;

struct AbutBvh
{
    AbutHost host;
    AbutBvhDef def;
    const AbutVolumeTable* table;
    AbutBvhNode* nodes; // node 0 is the root
    double* volumes;    // table->size of each node
    double* areas;      // of each node
    AbutBvhItem* items;
    uint32_t* vertices; // three of each item
    uint32_t node_count, item_count, vertex_count;
    uint32_t level_count;
    uint32_t level_first[ABUT_BVH_MAX_LEVELS + 1]; // first node of each level, then node_count
    AbutBox bounds;
    double largest; // magnitude of a coordinate
    double built_cost, cost;
};

static inline const double* abut_bvh_volume(const AbutBvh* bvh, uint32_t node)
{
    return bvh->volumes + (size_t)node * bvh->table->size;
}

/// Splits `count` ≥ 2 items in two by reordering them. Returns the number of the first ones, from 1 to
/// count − 1. `seed` picks random centroids.
uint32_t abut_bvh_split(const AbutBvhDef* def, AbutBvhItem* items, uint32_t count, uint32_t seed);

/// Volumes, areas, bounds and cost from the corners of all items.
void abut_bvh_fit(AbutBvh* bvh, AbutBvhRefit refit);

#endif
