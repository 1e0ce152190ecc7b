/// @file dual_octree.h
/// Dual octree traversal: the distance octrees of two fields, from coarse to fine, without samples of nodes.
#ifndef ABUT_SEARCH_DUAL_OCTREE_H
#define ABUT_SEARCH_DUAL_OCTREE_H

#include "field/bounds/surface_octree.h"
#include "search/dual_octree_kernels.h"
#include "search/pair.h"

#include <math.h>

enum
{
    // Two boxes of a level are divided at a time, before others of that level come on top.
    ABUT_DUAL_OCTREE_STACK = 16 * (ABUT_DISTANCE_OCTREE_LEVELS + 4)
};

#define ABUT_OCTREE_NOT_RECORDED UINT32_MAX

/// The division of a box, which a device has computed before. The children in `masks` that are open, in A's
/// grid and not inside are adjacent, in the order of their numbers.
typedef struct AbutOctreeRecord
{
    uint32_t masks; // AbutDualOctreeChildren: open, inside << 8, hit << 16, best << 24; RECORDED
    uint32_t first; // record of the first child or, for the last level, its sample; or NOT_RECORDED
    float least;    // minimum, over children that are not open, of the bound less the radius; or INFINITY
} AbutOctreeRecord;

#define ABUT_OCTREE_RECORDED UINT32_C(0x80000000) // of the masks of a box that was divided

/// Samples of both fields at the middle of a box of the last level, or where a projection from there ended.
typedef struct AbutRecordedSample
{
    uint32_t samples; // that were taken; 0: none, the device left it open
    float at[3];
    float distance[2];
    float gradient[2][3];
} AbutRecordedSample;

/// A traversal of a pair by a device. The processor's own traversal reads its records, in its own order, and
/// divides the boxes that have none itself: whatever the device has computed, the outcome is the same.
typedef struct AbutRecordedOctree
{
    float threshold; // of the traversal it is for, as in AbutDualOctree
    int32_t last_level;
    uint32_t steps; // of the projection of its samples; 0: they are at the middles
    float target;   // of the projection
    uint32_t root;  // its record
    const AbutOctreeRecord* records;
    const AbutRecordedSample* samples;
} AbutRecordedOctree;

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
    const AbutRecordedOctree* recorded;       // NULL: none
    uint32_t numbers[ABUT_DUAL_OCTREE_STACK]; // with `recorded`: records or samples of the boxes on the stack
    const AbutRecordedSample* samples[8];     // of the boxes that came out last; NULL where there is none
    uint64_t missing;                         // boxes that had no record
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

/// By how much the number of a brick without nodes is less at its eighths (down = 0), or at the eighths of
/// these: from its middle to theirs it is √3 · 2, and at most √3 · 3 cells.
static inline int abut_dual_octree_less(float step, uint32_t down)
{
    return (int)ceilf((down == 0 ? 3.4641018f : 5.1961527f) / step);
}

/// The sample of a device at the middle of box `i` of those that came out last; NULL where it has none.
static inline const AbutRecordedSample* abut_dual_octree_sample(const AbutDualOctree* self, uint32_t i)
{
    return self->recorded != NULL && self->recorded->steps == 0 ? self->samples[i] : NULL;
}

/// Middle of a box in the frame of the pair.
void abut_dual_octree_middle(const AbutDualOctree* self, const AbutOctreeBox* box, float middle[3]);

/// Lower bound, over all separated boxes, of the distance to the further solid.
float abut_dual_octree_lower_bound(const AbutDualOctree* self);

/// Lower bound of the gap when all boxes are separated; `least` is the bound of boxes that were searched
/// further.
float abut_dual_octree_gap(const AbutDualOctree* self, float least);

#endif
