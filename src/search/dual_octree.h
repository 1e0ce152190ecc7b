/// @file dual_octree.h
/// Dual octree traversal: the distance octrees of two fields, from coarse to fine, without samples of nodes.
#ifndef ABUT_SEARCH_DUAL_OCTREE_H
#define ABUT_SEARCH_DUAL_OCTREE_H

#include "field/bounds/surface_octree.h"
#include "search/dual_octree_kernels.h"
#include "search/pair.h"

enum
{
    // Two boxes of a level are divided at a time, before others of that level come on top.
    ABUT_DUAL_OCTREE_STACK = 16 * (ABUT_DISTANCE_OCTREE_LEVELS + 4)
};

typedef struct AbutDualOctree
{
    const AbutDistanceOctree* octree; // of A
    AbutDualOctreePair pair;
    AbutDVec3 origin;   // of A's grid
    double cell_size;   // of A's grid
    float threshold;    // in cells of A: a box is separated when one solid is further than this all over it
    float rounding;     // in cells of A
    float border;       // in cells of A: from its solid to the faces of its grid
    int32_t last_level; // boxes of this level are not divided
    float least[8];     // running minima of the bounds of separated boxes (search/kernels.h)
    bool surface_only;  // only the surface of the intersection: goes on at hits, and leaves out the inside
    AbutOctreeBox stack[ABUT_DUAL_OCTREE_STACK];
    uint32_t stack_count;
    uint64_t evaluations;
} AbutDualOctree;

/// False unless both shapes are fields with octrees, and `threshold`, in the unit of the pair, is no larger
/// than the border of A's grid. Boxes of at most `size` along a side (but at least two cells) are not
/// divided.
bool abut_dual_octree_init(AbutDualOctree* self, const AbutPair* pair, float threshold, float size);

/// The same for surfaces within 2 · `threshold` of each other, for any border of A's grid: next() returns
/// boxes around all such places.
bool abut_dual_octree_init_speculative(AbutDualOctree* self, const AbutPair* pair, float threshold,
                                       float size);

/// Divides the topmost boxes until boxes of the last level come out: at most eight, the one with the least
/// bound first. *hit: the middle of out[0] is proved to be in both solids, and the search may stop. Returns
/// the count of boxes; 0 at the end, or at a hit.
uint32_t abut_dual_octree_next(AbutDualOctree* self, AbutOctreeBox out[8], bool* hit);

/// Middle of a box in the frame of the pair.
void abut_dual_octree_middle(const AbutDualOctree* self, const AbutOctreeBox* box, float middle[3]);

/// Lower bound, over all separated boxes, of the distance to the further solid.
float abut_dual_octree_lower_bound(const AbutDualOctree* self);

/// Lower bound of the gap when all boxes are separated; `least` is the bound of boxes that were searched
/// further.
float abut_dual_octree_gap(const AbutDualOctree* self, float least);

#endif
