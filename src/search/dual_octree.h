/// @file dual_octree.h
/// The octrees of two fields searched together, from coarse to fine: what they prove without looking at nodes.
#ifndef ABUT_SEARCH_DUAL_OCTREE_H
#define ABUT_SEARCH_DUAL_OCTREE_H

#include "field/bounds/surface_octree.h"
#include "search/dual_octree_kernels.h"
#include "search/pair.h"

enum
{
    // Boxes of a level are divided before others of it come on top, two at a time.
    ABUT_DUAL_OCTREE_STACK = 16 * (ABUT_DISTANCE_OCTREE_LEVELS + 4)
};

typedef struct AbutDualOctree
{
    const AbutDistanceOctree* octree; // of A
    AbutDualOctreePair pair;
    double origin[3], cell_size; // of A's grid
    float threshold;    // in cells of A: parts are clear when one solid is further than this all over them
    float rounding;     // in cells of A
    float border;       // in cells of A: from its solid to the sides of its grid
    int32_t last_level; // boxes of this level are not divided
    float least[8];     // what was clear was clear by at least this much; see AbutSearchKernels
    bool
        surface_only; // looks for the surface of what both have in common: goes on at hits, and leaves out the inside
    AbutOctreeBox stack[ABUT_DUAL_OCTREE_STACK];
    uint32_t stack_count;
    uint64_t evaluations;
} AbutDualOctree;

/// True when both shapes are fields with octrees, and `threshold` reaches no further than A's grid. `threshold` is in the unit of the pair, and parts of at most `size` along a side
/// (but at least two cells) are not divided.
bool abut_dual_octree_init(AbutDualOctree* self, const AbutPair* pair, float threshold, float size);

/// The same for surfaces that are at most 2 · `threshold` apart, however far A's grid reaches: boxes come out for all such places.
bool abut_dual_octree_init_speculative(AbutDualOctree* self, const AbutPair* pair, float threshold,
                                       float size);

/// Divides the topmost boxes, and again until boxes come out that are not to be divided: at most eight, the most
/// promising one first. *hit: a point was proved to be in both solids, the middle of out[0]; then the search may stop. Returns how many boxes
/// there are; 0 at the end, or at a hit.
uint32_t abut_dual_octree_next(AbutDualOctree* self, AbutOctreeBox out[8], bool* hit);

/// Middle of a box in the frame of the pair.
void abut_dual_octree_middle(const AbutDualOctree* self, const AbutOctreeBox* box, float middle[3]);

/// Lower bound, over all that was found clear, of the distance to the further solid.
float abut_dual_octree_lower_bound(const AbutDualOctree* self);

/// Lower bound of the gap when all was found clear; `least` is the bound of boxes that were looked at further.
float abut_dual_octree_gap(const AbutDualOctree* self, float least);

#endif
