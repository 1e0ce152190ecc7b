/// @file box_tree.h
/// A tree of boxes over anything that has one: triangles, edges, points.
///
/// Nodes are in depth-first order, each followed by its first child, with the number of nodes of their
/// subtree. So a traversal needs no stack: the next node enters a subtree, adding `size` skips it. A leaf has
/// size 1; the second child of node i is i + 1 + nodes[i + 1].size.
///
/// Items are numbered by slot: their order in the leaves, close ones close to each other. The items below
/// node i are the slots from nodes[i].first to nodes[i + nodes[i].size].first; an extra node at the end makes
/// this hold for the last.
#ifndef ABUT_MESH_BOX_TREE_H
#define ABUT_MESH_BOX_TREE_H

#include "base/assert.h"
#include "math/dvec3.h"

typedef struct AbutBoxNode
{
    AbutVec3 min;
    uint32_t first; // slot
    AbutVec3 max;
    uint32_t size; // nodes of the subtree, this one included; 1 for a leaf
} AbutBoxNode;

typedef struct AbutBoxTree
{
    AbutBoxNode* nodes; // node_count and the extra one
    uint32_t* items;    // by slot
    uint32_t node_count;
    uint32_t item_count; // items with a box
} AbutBoxTree;

/// The box of item `item`, finite, or empty to leave the item out. Called from several threads, each item
/// once.
typedef AbutBox AbutItemBoxFn(void* context, uint32_t item);

enum
{
    ABUT_BOX_TREE_MAX_ITEMS = 0x7FFFFFFF
};

/// Builds a tree over the items [0, item_count) by the surface area heuristic. The same tree for any number
/// of workers. item_count is at most ABUT_BOX_TREE_MAX_ITEMS. A tree without items has no nodes.
AbutResult abut_box_tree_create(const AbutHost* host, uint32_t item_count, AbutItemBoxFn* box, void* context,
                                AbutBoxTree* out);

/// The same with leaves of up to `leaf_size` items (≥ 1) instead of four.
AbutResult abut_box_tree_create_leaves(const AbutHost* host, uint32_t item_count, uint32_t leaf_size,
                                       AbutItemBoxFn* box, void* context, AbutBoxTree* out);

/// Gives the memory back to the host it came from. A zeroed tree is ignored.
void abut_box_tree_destroy(const AbutHost* host, AbutBoxTree* tree);

static inline AbutBox abut_box_node_box(const AbutBoxNode* node)
{
    return abut_box(node->min, node->max);
}

/// Distance of a coordinate from the interval [low, high].
static inline double abut_interval_distance(double x, double low, double high)
{
    return x < low ? low - x : (x > high ? x - high : 0.0);
}

/// Squared distance of a point from a box.
static inline double abut_box_squared_distance(AbutBox box, AbutDVec3 p)
{
    AbutDVec3 d = abut_dvec3(abut_interval_distance(p.x, box.min.x, box.max.x),
                             abut_interval_distance(p.y, box.min.y, box.max.y),
                             abut_interval_distance(p.z, box.min.z, box.max.z));
    return abut_dvec3_squared_length(d);
}

static inline double abut_box_node_squared_distance(const AbutBoxNode* node, AbutDVec3 p)
{
    return abut_box_squared_distance(abut_box_node_box(node), p);
}

/// The slots of a leaf that a traversal came to.
typedef struct AbutBoxLeaf
{
    uint32_t first, end; // slots
} AbutBoxLeaf;

/// The next leaf at or after node *cursor whose box, and all boxes above it, touch `box`, restricted to
/// subtrees with slots from `first_slot` on. Start with *cursor = 0. False at the end.
static inline bool abut_box_tree_next_overlap(const AbutBoxTree* tree, const AbutBox* box,
                                              uint32_t first_slot, uint32_t* cursor, AbutBoxLeaf* leaf)
{
    ABUT_ASSERT(*cursor <= tree->node_count);
    uint32_t i = *cursor;
    while (i < tree->node_count)
    {
        const AbutBoxNode* node = &tree->nodes[i];
        if (node[node->size].first <= first_slot || !abut_box_overlap(abut_box_node_box(node), *box))
        {
            i += node->size;
        }
        else if (node->size > 1)
        {
            i += 1;
        }
        else
        {
            *leaf = (AbutBoxLeaf){ node[0].first, node[1].first };
            *cursor = i + 1;
            return true;
        }
    }
    *cursor = i;
    return false;
}

#endif
