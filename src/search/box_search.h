/// @file box_search.h
/// The division of a pair's box into parts that are proved clear and parts that are not.
#ifndef ABUT_SEARCH_BOX_SEARCH_H
#define ABUT_SEARCH_BOX_SEARCH_H

#include "field/bounds/far_nodes.h"
#include "search/field_pair.h"
#include "search/pair.h"

enum
{
    ABUT_BOX_SEARCH_LEVELS = 24,
    // A batch of children per level waits at most, and the first parts.
    ABUT_BOX_SEARCH_STACK = (ABUT_BOX_SEARCH_LEVELS + 2) * ABUT_PAIR_BATCH
};

typedef struct AbutSearchBox
{
    float center[3];
    uint32_t level;
    float low; // of max(distance of A, distance of B) over it, as far as samples tell; −INFINITY: not known
    bool fresh; // not sampled yet: first it is looked at as a whole
} AbutSearchBox;

typedef struct AbutBoxSearch
{
    AbutPair* pair;
    float half[3];   // of a first part; each level has half of that
    float radius;    // half-diagonal of a first part
    float threshold; // parts are clear when max(distance of A, distance of B) is over this all over them
    float least;     // lower bound of max(distance of A, distance of B) over all parts that were clear
    float
        gap_bound_radius; // boxes of at most this half-diagonal are looked at as what lies between two surfaces
    uint32_t last_level; // parts of this level are not divided
    AbutSearchBox stack[ABUT_BOX_SEARCH_STACK];
    uint32_t stack_count;
    bool breadth_first;        // boxes that are pushed wait for those that are on the stack
    bool by_level;             // so they always do; what there is no room for is dropped
    uint32_t next_count;       // boxes that wait, at the end of the stack
    bool gradients;            // are wanted at the middles of all parts
    bool has_views, views_set; // of two fields without doubt
    AbutFieldPair fields;
    AbutFarNodes far[2];
    AbutPairBatch batch; // the children of the last step
    AbutSearchBox children[ABUT_PAIR_BATCH];
} AbutBoxSearch;

/// Starts with the pair's box; parts of the last level have a half-diagonal of at most `finest`, and are as even as the
/// levels allow.
void abut_box_search_init(AbutBoxSearch* search, AbutPair* pair, float threshold, float finest);

/// Starts without boxes; those of level 0 are cubes with sides of 2 · half.
void abut_box_search_init_empty(AbutBoxSearch* search, AbutPair* pair, float half, float threshold,
                                float finest);

/// Divides the topmost boxes of the stack, fresh ones excepted, and samples the parts: `children`, in `batch` at the same index. Those that
/// are not clear are marked in `open`. Returns how many there are; 0 when the stack is empty.
size_t abut_box_search_step(AbutBoxSearch* search, bool open[ABUT_PAIR_BATCH]);

/// From now on parts are clear when max(distance of A, distance of B) is over `threshold` all over them as far as samples tell, large boxes
/// are divided before small ones, and those that there is no room for are dropped: no longer a proof, but no place is
/// forgotten over another.
void abut_box_search_by_level(AbutBoxSearch* search, float threshold);

/// True when a part of the last level around one of the points (sampled with gradients) would not be clear: the search cannot prove
/// all parts clear then.
bool abut_box_search_ends_open(AbutBoxSearch* search, AbutPairBatch* batch);

/// Puts a part back to be divided further.
void abut_box_search_push(AbutBoxSearch* search, const AbutSearchBox* box);

/// The two fields as kernels walk between them, or NULL.
const AbutFieldPair* abut_box_search_fields(AbutBoxSearch* search);

#endif
