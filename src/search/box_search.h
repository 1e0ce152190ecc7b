/// @file box_search.h
/// Branch and bound over the box of a pair, by batches of samples: boxes proved separated, and open boxes.
///
/// A box is separated when max(distance of A, distance of B) is proved to be over the threshold all over it.
#ifndef ABUT_SEARCH_BOX_SEARCH_H
#define ABUT_SEARCH_BOX_SEARCH_H

#include "field/bounds/far_nodes.h"
#include "search/field_pair.h"
#include "search/pair.h"

enum
{
    ABUT_BOX_SEARCH_LEVELS = 24,
    // At most a batch of children per level, and the root boxes.
    ABUT_BOX_SEARCH_STACK = (ABUT_BOX_SEARCH_LEVELS + 2) * ABUT_PAIR_BATCH
};

typedef struct AbutSearchBox
{
    float center[3];
    uint32_t level;
    float low; // lower bound of max(distance of A, distance of B) over it, from samples; −INFINITY: unknown
    bool fresh;                              // not sampled yet: sampled as a whole before it is divided
    const struct AbutRecordedSample* sample; // of a fresh box: that at its middle, by a device; or NULL
} AbutSearchBox;

typedef struct AbutBoxSearch
{
    AbutPair* pair;
    float half[3];          // half sides of a root box, halved with each level
    float radius;           // half-diagonal of a root box
    float threshold;        // of max(distance of A, distance of B), over which a box is separated
    float least;            // lower bound of max(distance of A, distance of B) over all separated boxes
    float gap_bound_radius; // largest half-diagonal of boxes with a gap bound (search/gap_bound.h)
    uint32_t last_level;    // boxes of this level are not divided
    AbutSearchBox stack[ABUT_BOX_SEARCH_STACK];
    uint32_t stack_count;
    bool breadth_first;  // pushed boxes wait for the boxes on the stack
    bool by_level;       // breadth first for good; boxes over the capacity are dropped
    uint32_t next_count; // waiting boxes, at the end of the stack
    bool gradients;      // sampled at the middles of all children
    bool by_bounds; // cheap bounds of a shape instead of its samples above the last level, where it has some
    bool has_views, views_set; // views of two fields with certain signs
    AbutFieldPair fields;
    AbutFarNodes far[2];
    AbutPairBatch batch; // the children of the last step
    AbutSearchBox children[ABUT_PAIR_BATCH];
} AbutBoxSearch;

/// Starts with the box of the pair. Boxes of the last level have a half-diagonal of at most `finest`, and are
/// as near to cubes as the levels allow.
void abut_box_search_init(AbutBoxSearch* search, AbutPair* pair, float threshold, float finest);

/// Starts without boxes; those of level 0 are cubes with sides of 2 · half.
void abut_box_search_init_empty(AbutBoxSearch* search, AbutPair* pair, float half, float threshold,
                                float finest);

/// Divides the topmost boxes of the stack (fresh boxes are only sampled) and samples the children:
/// `children`, in `batch` at the same index. `open` marks the children that are not separated. Returns the
/// count of children; 0 for an empty stack.
size_t abut_box_search_step(AbutBoxSearch* search, bool open[ABUT_PAIR_BATCH]);

/// Breadth first from now on, without proof: boxes are separated when samples alone put max(distance of A,
/// distance of B) over `threshold`, large boxes are divided before small ones, and boxes over the capacity
/// are dropped. No region is neglected for another.
void abut_box_search_by_level(AbutBoxSearch* search, float threshold);

/// True when a box of the last level around one of the points (sampled with gradients) would be open: then
/// the search cannot prove the solids separated.
bool abut_box_search_ends_open(AbutBoxSearch* search, AbutPairBatch* batch);

/// Pushes a box that is to be divided further.
void abut_box_search_push(AbutBoxSearch* search, const AbutSearchBox* box);

/// The two fields as kernels read them, or NULL.
const AbutFieldPair* abut_box_search_fields(AbutBoxSearch* search);

#endif
