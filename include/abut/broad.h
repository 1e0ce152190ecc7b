/// @file broad.h
/// Broad phase: pairs of overlapping boxes. Boxes are added, moved and removed;
/// abut_broad_update_pairs() gives every pair of boxes with a common point (touching counts), once, sorted.
/// docs/broad.md compares the methods, with figures.
///
/// The pairs are exact and in a fixed order: they do not depend on the method, the number of workers, the
/// instruction set or the earlier calls.
///
/// Temporal coherence: each moving box has a fat box, larger in the direction of its motion. While it stays
/// in there, only the pairs of the fat box are compared again. Boxes that leave theirs are queried one by
/// one, or all together when there are many.
#ifndef ABUT_BROAD_H
#define ABUT_BROAD_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Broad-phase methods. All give the same pairs.
typedef enum AbutBroadMethod
{
    ABUT_BROAD_ALL_PAIRS,       ///< every box with every other: up to about a hundred boxes
    ABUT_BROAD_SWEEP_AND_PRUNE, ///< sorted along an axis: some thousands of boxes, or long and thin worlds
    ABUT_BROAD_GRID,            ///< a hash grid with a level per size: many boxes, spread evenly
    ABUT_BROAD_TREE,            ///< a tree of boxes: anything, and the fastest for queries; the default
    ABUT_BROAD_METHOD_COUNT
} AbutBroadMethod;

/// "all pairs", "sweep and prune", "grid", "tree"; never NULL.
ABUT_API const char* abut_broad_method_name(AbutBroadMethod method);

typedef struct AbutBroadDef
{
    AbutBroadMethod method;
    /// More pairs are ABUT_LIMIT_EXCEEDED, before they take all memory; ≥ 1, default 2²⁷.
    uint32_t pair_limit;
    const AbutHost* host; ///< NULL: the default host
} AbutBroadDef;

ABUT_API AbutBroadDef abut_broad_def(void);

/// A set of boxes. Calls that change it, and abut_broad_update_pairs(), need exclusive access; queries may
/// run on any number of threads at once.
typedef struct AbutBroad AbutBroad;

ABUT_API AbutResult abut_broad_create(const AbutBroadDef* def, AbutBroad** out);

/// NULL is ignored.
ABUT_API void abut_broad_destroy(AbutBroad* broad);

/// Ids are small numbers, to index arrays: the first is 0; ids of removed boxes are reused, the last removed
/// first. Two boxes are a pair when each one's group has a bit in common with the other's mask. Sides of
/// boxes may be infinite. An empty box is never in a pair.
/// @return ABUT_INVALID_ARGUMENT for a box with a NaN; ABUT_LIMIT_EXCEEDED past 2²⁷ boxes.
ABUT_API AbutResult abut_broad_add(AbutBroad* broad, AbutBox box, uint32_t group, uint32_t mask,
                                   uint32_t* id);

/// @return ABUT_INVALID_ARGUMENT for an id that is not in use or a box with a NaN; then nothing has moved.
ABUT_API AbutResult abut_broad_move(AbutBroad* broad, uint32_t id, AbutBox box);

/// Many at once, which is faster: boxes[i] is the box of ids[i], or of the id i when `ids` is NULL. The last
/// box of a repeated id counts.
/// @return ABUT_INVALID_ARGUMENT for an id that is not in use or a box with a NaN, with its index; then
/// nothing has moved.
ABUT_API AbutResult abut_broad_move_many(AbutBroad* broad, const uint32_t* ids, const AbutBox* boxes,
                                         size_t count);

/// Sets group and mask of a box.
/// @return ABUT_INVALID_ARGUMENT for an id that is not in use.
ABUT_API AbutResult abut_broad_set_filter(AbutBroad* broad, uint32_t id, uint32_t group, uint32_t mask);

/// @return ABUT_INVALID_ARGUMENT for an id that is not in use.
ABUT_API AbutResult abut_broad_remove(AbutBroad* broad, uint32_t id);

/// Count of boxes.
ABUT_API uint32_t abut_broad_count(const AbutBroad* broad);

/// Whether an id is in use.
ABUT_API bool abut_broad_has(const AbutBroad* broad, uint32_t id);

/// The box of an id that is in use; abut_box_empty() for any empty one, and for an id that is not in use.
ABUT_API AbutBox abut_broad_box(const AbutBroad* broad, uint32_t id);

/// Ids of two overlapping boxes, a < b.
typedef struct AbutBodyPair
{
    uint32_t a, b;
} AbutBodyPair;

/// All pairs, sorted by a, then b. They belong to the set and are valid until its next change or update.
/// Allocates only while the counts of pairs and boxes grow.
/// @return ABUT_OUT_OF_MEMORY, or ABUT_LIMIT_EXCEEDED for more pairs of fat boxes than the def allows. The
/// boxes are unchanged, and a later call may succeed.
ABUT_API AbutResult abut_broad_update_pairs(AbutBroad* broad, const AbutBodyPair** pairs, size_t* count);

// -----------------------------------------------------------------------------------------------------------
// Queries. They see every change at once, but are fast only for boxes near their positions of the last
// update.
// -----------------------------------------------------------------------------------------------------------

/// Receives a box of a query. Return false to stop. It must not change the set.
typedef bool AbutBroadBoxFn(void* user, uint32_t id);

/// Calls visit() once for each box that overlaps `box` and whose group has a bit in common with `mask`, in
/// any order. A box with a NaN or an empty one overlaps nothing.
ABUT_API void abut_broad_query_box(const AbutBroad* broad, AbutBox box, uint32_t mask, AbutBroadBoxFn* visit,
                                   void* user);

/// Points origin + t · direction with t in [0, limit].
typedef struct AbutBroadRay
{
    AbutVec3 origin;
    AbutVec3 direction; ///< of any length
    float limit;        ///< 0 or more; may be infinite
    uint32_t mask;
    float margin; ///< boxes count as larger by this on every side; 0 or more, finite
} AbutBroadRay;

/// Receives a box and the t at which the ray enters it (0 when it starts inside). Returns the new limit: the
/// value of `limit` to go on, a smaller one to cut the ray, a negative one to stop. It must not change the
/// set.
typedef float AbutBroadRayFn(void* user, uint32_t id, float enter, float limit);

/// Calls visit() once for each box that the ray enters before the limit and whose group has a bit in common
/// with the mask. The tree visits near boxes first, roughly; the other methods test all boxes.
/// @return ABUT_INVALID_ARGUMENT when origin, direction or margin are not finite, or limit or margin are
/// negative or NaN.
ABUT_API AbutResult abut_broad_query_ray(const AbutBroad* broad, const AbutBroadRay* ray,
                                         AbutBroadRayFn* visit, void* user);

#ifdef __cplusplus
}
#endif

#endif
