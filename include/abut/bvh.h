/// @file bvh.h
/// Trees over the triangles of a mesh, for queries about surfaces as they are: whether two meshes touch, all
/// pairs of touching triangles, the distance with its points, self-collision; and meshes that deform.
///
/// Queries are about **surfaces**: a mesh inside of another one does not touch it. Shapes of meshes
/// (abut_shape_create_mesh()) are solids.
///
/// **What is exact.** Triangles are closed: shared corners, edges and T-junctions touch; a triangle without
/// area is the segment or point that it covers. Corners of A are used as they are, corners of B are moved
/// into the frame of A in double and rounded. About the rounded corners every answer is exact
/// (`touching`). The rounding itself, at most 2⁻⁴⁶ of the lengths involved, is counted in the states:
/// `separated` and `contact` are true of the poses as real numbers, and what touches or is apart by no more
/// than rounding is `close`. At equal poses nothing is moved, and nothing is `close`.
///
/// A tree may be shared between threads as long as nobody refits it. Queries need up to a few hundred
/// kilobytes of scratch of the calling thread, allocated by its first ones.
#ifndef ABUT_BVH_H
#define ABUT_BVH_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutMeshTree AbutMeshTree;

/// Builds a tree over all triangles, degenerate ones too, by the surface area heuristic: eight boxes per
/// node, eight triangles per leaf. The same tree for any number of workers. Keeps a copy of what it needs:
/// about 70 bytes per triangle. `host` may be NULL.
/// @return ABUT_INVALID_DATA for a mesh without triangles, ABUT_LIMIT_EXCEEDED for coordinates over 1e12,
/// ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_mesh_tree_create(const AbutMesh* mesh, const AbutHost* host, AbutMeshTree** out);

/// NULL is ignored.
ABUT_API void abut_mesh_tree_destroy(AbutMeshTree* tree);

ABUT_API uint32_t abut_mesh_tree_triangle_count(const AbutMeshTree* tree);
ABUT_API uint32_t abut_mesh_tree_vertex_count(const AbutMeshTree* tree);
ABUT_API AbutBox abut_mesh_tree_bounds(const AbutMeshTree* tree);
ABUT_API size_t abut_mesh_tree_size(const AbutMeshTree* tree); ///< bytes of memory

/// New positions of all vertices, as many as the mesh had; triangles stay. Boxes are computed bottom up on
/// the host's workers, the same for any number of them. The tree's structure stays as it was built, so that
/// queries become slower as neighbours part: abut_mesh_tree_quality() has the growth of the boxes.
/// @return ABUT_INVALID_ARGUMENT for another number of vertices, ABUT_INVALID_DATA for a vertex that is not
/// finite, ABUT_LIMIT_EXCEEDED for one over 1e12; the tree is unchanged then.
ABUT_API AbutResult abut_mesh_tree_refit(AbutMeshTree* tree, const AbutVec3* vertices, uint32_t vertex_count);

/// Expected cost of a query over that just after the last build, in the surface area heuristic: 1 after a
/// build, larger as refits make boxes overlap.
ABUT_API double abut_mesh_tree_quality(const AbutMeshTree* tree);

/// A refit, and a build where it leaves a quality over `rebuild_above` (≥ 1; 1.5 pays where hundreds of
/// queries follow, INFINITY never builds). `rebuilt`, unless NULL, tells which it was.
/// @return as abut_mesh_tree_refit(); ABUT_INVALID_ARGUMENT for a bound under 1; ABUT_OUT_OF_MEMORY of a
/// build, which leaves the refitted tree.
ABUT_API AbutResult abut_mesh_tree_update(AbutMeshTree* tree, const AbutVec3* vertices, uint32_t vertex_count,
                                          double rebuild_above, bool* rebuilt);

// -----------------------------------------------------------------------------------------------------------
// Two meshes
// -----------------------------------------------------------------------------------------------------------

typedef enum AbutMeshTreeState
{
    ABUT_MESH_TREE_SEPARATED, ///< proved: the surfaces have no point in common
    ABUT_MESH_TREE_CONTACT,   ///< proved: they have one
    ABUT_MESH_TREE_CLOSE,     ///< apart or in touch by no more than the rounding of the poses
    ABUT_MESH_TREE_INVALID,   ///< a pose is invalid or scratch memory ran out: abut_last_error()
    ABUT_MESH_TREE_STATE_COUNT
} AbutMeshTreeState;

/// Two trees with poses. Scales from 1e-6 to 1e6.
typedef struct AbutMeshTreePair
{
    const AbutMeshTree* a;
    const AbutMeshTree* b;
    AbutPose pose_a, pose_b;
} AbutMeshTreePair;

typedef struct AbutMeshTreeTouch
{
    AbutMeshTreeState state;
    bool touching;       ///< exact about the rounded corners
    uint32_t triangle_a; ///< of a touching pair, where `touching`
    uint32_t triangle_b;
    double uncertainty; ///< of a moved corner's coordinates, in the unit of A
} AbutMeshTreeTouch;

/// Whether the surfaces touch. Stops at the first pair of triangles that proves it.
ABUT_API AbutMeshTreeTouch abut_mesh_tree_collide(const AbutMeshTreePair* pair);

typedef struct AbutTrianglePair
{
    uint32_t a, b; ///< triangles, b of the second tree
} AbutTrianglePair;

typedef struct AbutMeshTreePairs
{
    AbutMeshTreeState state;
    size_t pair_count;  ///< of all touching pairs, whatever the capacity
    double uncertainty; ///< as in AbutMeshTreeTouch
} AbutMeshTreePairs;

/// All pairs of triangles that touch, exactly about the rounded corners, in an order that depends on the
/// trees and poses alone. The first `capacity` of them are written; `pairs` may be NULL with capacity 0.
ABUT_API AbutMeshTreePairs abut_mesh_tree_pairs(const AbutMeshTreePair* pair, AbutTrianglePair* pairs,
                                                size_t capacity);

typedef struct AbutMeshTreeDistance
{
    /// As of abut_mesh_tree_collide(). With `touching` surfaces the distance is 0 and points are not set.
    AbutMeshTreeState state;
    bool found;           ///< false: further apart than the limit; then only `lower` is set
    double distance;      ///< of the two points, in the unit of A
    double lower;         ///< proved: no two points of the surfaces are closer
    AbutPosition point_a; ///< closest points, both in the frame of A
    AbutPosition point_b;
    uint32_t triangle_a, triangle_b;
    double uncertainty; ///< as in AbutMeshTreeTouch
} AbutMeshTreeDistance;

/// Distance of the surfaces, with points of both. `limit` ≥ 0, in the unit of A: pairs of triangles further
/// apart are not looked at; INFINITY for none. Centres up to 1e16 apart.
ABUT_API AbutMeshTreeDistance abut_mesh_tree_distance(const AbutMeshTreePair* pair, double limit);

/// Whether the surfaces are at most `tolerance` apart (in the unit of A, 0 to 1e17): ABUT_MESH_TREE_CONTACT
/// when they are, ABUT_MESH_TREE_SEPARATED when they are further apart, both proved, else
/// ABUT_MESH_TREE_CLOSE. Stops at the first pair of triangles within the tolerance.
ABUT_API AbutMeshTreeState abut_mesh_tree_within(const AbutMeshTreePair* pair, double tolerance);

// -----------------------------------------------------------------------------------------------------------
// One mesh
// -----------------------------------------------------------------------------------------------------------

/// Self-collision: all pairs of triangles of one mesh that touch in more than their common corners and edges,
/// exactly. Corners at equal positions are common ones, whatever their numbers. Triangles with one common
/// corner touch where they have another point in common, with two where they overlap in one plane, and
/// triangles with the same three corners always do. `a` is less than `b`; the order of pairs depends on the
/// tree alone. On the workers of the tree's host. The first `capacity` pairs are written; `pairs` may be
/// NULL with capacity 0. The state is ABUT_MESH_TREE_CONTACT or ABUT_MESH_TREE_SEPARATED, or
/// ABUT_MESH_TREE_INVALID without scratch memory.
ABUT_API AbutMeshTreePairs abut_mesh_tree_self_pairs(const AbutMeshTree* tree, AbutTrianglePair* pairs,
                                                     size_t capacity);

// -----------------------------------------------------------------------------------------------------------
// The laboratory: any volume, split, number of children and order of traversal
// -----------------------------------------------------------------------------------------------------------
//
// Trees whose kinds are chosen, for comparisons on one's own meshes (`abut bench families survey`) and for
// queries with a deadline. Every combination has the same answers, those of AbutMeshTree; AbutMeshTree is
// the combination that measured best, in lanes. Scalar, in double.

typedef enum AbutBvhVolume
{
    ABUT_BVH_BOX,          ///< along the axes of the mesh
    ABUT_BVH_ORIENTED_BOX, ///< along the principal axes of the triangles' areas
    ABUT_BVH_SPHERE,       ///< smallest enclosing (Welzl)
    ABUT_BVH_DOP_14,       ///< a box with its 8 corners cut
    ABUT_BVH_DOP_18,       ///< a box with its 12 edges cut
    ABUT_BVH_DOP_26,       ///< a box with corners and edges cut
    ABUT_BVH_VOLUME_COUNT
} AbutBvhVolume;

/// Axis of a split.
typedef enum AbutBvhAxis
{
    ABUT_BVH_LONGEST_SIDE,     ///< of the box of the triangles; of an oriented box its own longest axis
    ABUT_BVH_LARGEST_VARIANCE, ///< of x, y, z: that of the largest variance of centroids
    ABUT_BVH_BEST_AXIS,        ///< of x, y, z: that of the least expected cost (surface area heuristic)
    ABUT_BVH_AXIS_COUNT
} AbutBvhAxis;

/// Position of a split along its axis.
typedef enum AbutBvhSplit
{
    ABUT_BVH_MEDIAN,           ///< of the centroids: halves of equal count
    ABUT_BVH_MEAN,             ///< of the centroids
    ABUT_BVH_SPATIAL_MEDIAN,   ///< middle of the interval of the triangles
    ABUT_BVH_EVEN_PLANES,      ///< that of 15 evenly spaced planes of the least expected cost
    ABUT_BVH_RANDOM_CENTROIDS, ///< that of 8 centroids of the least cost, the same in each run
    ABUT_BVH_SPLIT_COUNT
} AbutBvhSplit;

/// What is built. abut_bvh_def() has the defaults.
typedef struct AbutBvhDef
{
    AbutBvhVolume volume;
    AbutBvhAxis axis;
    AbutBvhSplit split;
    uint32_t children;    ///< of a node, at most: 2, 4 or 8
    uint32_t leaf_size;   ///< triangles of a leaf, at most: 1 to 8
    const AbutHost* host; ///< NULL for abut_host_default()
} AbutBvhDef;

typedef struct AbutBvh AbutBvh;

/// Boxes, best axis, even planes, four children, leaves of up to four triangles.
ABUT_API AbutBvhDef abut_bvh_def(void);

/// Names as in tables: "box", "longest side", "median".
ABUT_API const char* abut_bvh_volume_name(AbutBvhVolume volume);
ABUT_API const char* abut_bvh_axis_name(AbutBvhAxis axis);
ABUT_API const char* abut_bvh_split_name(AbutBvhSplit split);

/// Builds a tree over all triangles, on the calling thread.
/// @return ABUT_INVALID_ARGUMENT for a def out of range, and as abut_mesh_tree_create().
ABUT_API AbutResult abut_bvh_create(const AbutBvhDef* def, const AbutMesh* mesh, AbutBvh** out);

/// NULL is ignored.
ABUT_API void abut_bvh_destroy(AbutBvh* bvh);

ABUT_API uint32_t abut_bvh_node_count(const AbutBvh* bvh);
ABUT_API uint32_t abut_bvh_level_count(const AbutBvh* bvh);
ABUT_API size_t abut_bvh_size(const AbutBvh* bvh); ///< bytes of memory

typedef enum AbutBvhRefit
{
    ABUT_BVH_BOTTOM_UP, ///< leaves from their triangles, nodes from their children: least time
    ABUT_BVH_TOP_DOWN,  ///< every node from its triangles, as at the build: tightest
    ABUT_BVH_HYBRID,    ///< nodes of up to 64 triangles from these, those above from their children
    ABUT_BVH_REFIT_COUNT
} AbutBvhRefit;

ABUT_API const char* abut_bvh_refit_name(AbutBvhRefit refit);

/// New positions of all vertices, as abut_mesh_tree_refit(). The structure stays; on the host's workers, the
/// same bytes for any number of them.
ABUT_API AbutResult abut_bvh_refit(AbutBvh* bvh, const AbutVec3* vertices, uint32_t vertex_count,
                                   AbutBvhRefit refit);

/// As abut_mesh_tree_quality(), of the tree's own volumes.
ABUT_API double abut_bvh_quality(const AbutBvh* bvh);

/// Traversal rule: the node to open of a pair.
typedef enum AbutBvhRule
{
    ABUT_BVH_OPEN_LARGER,    ///< the larger of the two
    ABUT_BVH_OPEN_BOTH,      ///< both at once
    ABUT_BVH_OPEN_ALTERNATE, ///< that of the upper level
    ABUT_BVH_RULE_COUNT
} AbutBvhRule;

/// Order of pairs.
typedef enum AbutBvhQueue
{
    ABUT_BVH_STACK,    ///< last in, first out: depth first
    ABUT_BVH_FIFO,     ///< first in, first out: level by level
    ABUT_BVH_PRIORITY, ///< the deepest overlap, relative to the size, first
    ABUT_BVH_QUEUE_COUNT
} AbutBvhQueue;

typedef enum AbutBvhLeafTest
{
    ABUT_BVH_TRIANGLES,       ///< every triangle of a leaf with every one of the other
    ABUT_BVH_TRIANGLE_VOLUME, ///< before that, each triangle with the volume of the other leaf
    ABUT_BVH_LEAF_TEST_COUNT
} AbutBvhLeafTest;

/// How a query traverses. abut_bvh_traversal() has the defaults.
typedef struct AbutBvhTraversal
{
    AbutBvhRule rule;
    AbutBvhQueue queue;
    AbutBvhLeafTest leaf_test;
    uint64_t test_limit;         ///< tests of volumes and triangles together; 0: none. The same in each run
    double seconds;              ///< of the clock; 0: none. The clock is read about once in a microsecond
    double (*clock)(void* user); ///< seconds; NULL for the wall clock
    void* clock_user;
} AbutBvhTraversal;

/// The larger node first, a stack, triangles, no limits.
ABUT_API AbutBvhTraversal abut_bvh_traversal(void);

ABUT_API const char* abut_bvh_rule_name(AbutBvhRule rule);
ABUT_API const char* abut_bvh_queue_name(AbutBvhQueue queue);
ABUT_API const char* abut_bvh_leaf_test_name(AbutBvhLeafTest leaf_test);

/// Two trees of one kind of volume, with poses.
typedef struct AbutBvhPair
{
    const AbutBvh* a;
    const AbutBvh* b;
    AbutPose pose_a, pose_b;
} AbutBvhPair;

typedef struct AbutBvhOutput
{
    AbutMeshTreeState state;
    bool touching; ///< exact about the rounded corners where `complete`; else true: something was not pruned
    bool complete; ///< false: a limit ended the traversal
    uint32_t triangle_a, triangle_b; ///< of a touching pair, where one was found
    size_t pair_count;               ///< touching pairs of triangles that were found
    size_t open_count;               ///< pairs of volumes that a limit left
    double uncertainty;              ///< as in AbutMeshTreeTouch
    uint64_t volume_tests, triangle_tests;
    size_t largest_queue; ///< pairs that waited at once
} AbutBvhOutput;

/// Whether the surfaces touch; stops at the first pair of triangles that proves it. When a limit ends the
/// traversal, what is not pruned counts as touching: `touching` is true, `complete` false and the state
/// ABUT_MESH_TREE_CLOSE. ABUT_MESH_TREE_INVALID for trees of different volumes, too.
ABUT_API AbutBvhOutput abut_bvh_collide(const AbutBvhPair* pair, const AbutBvhTraversal* traversal);

/// All touching pairs of triangles; the first `capacity` are written. With a limit those found in time, and
/// the state is ABUT_MESH_TREE_CONTACT where one of them is certain, else ABUT_MESH_TREE_CLOSE.
ABUT_API AbutBvhOutput abut_bvh_pairs(const AbutBvhPair* pair, const AbutBvhTraversal* traversal,
                                      AbutTrianglePair* pairs, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
