/// @file decompose.h
/// Decomposition of a solid into convex pieces, and the distance of two decompositions. docs/decompose.md has
/// more.
///
/// A closed mesh becomes a binary tree of convex hulls. Its leaves are the hulls of convex surface patches:
/// triangles that lie on the border of their own hull, whose other faces are inside of the solid. Every other
/// node is the hull of its two children; the root is the hull of the mesh. A cut through the tree is a
/// decomposition into as many pieces as wanted: its pieces cover the surface of the mesh, and approximate the
/// solid with an error that is measured.
#ifndef ABUT_DECOMPOSE_H
#define ABUT_DECOMPOSE_H

#include <abut/base.h>
#include <abut/hull.h>
#include <abut/math.h>
#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Immutable, and may be shared between threads.
typedef struct AbutDecomposition AbutDecomposition;

typedef struct AbutDecomposeDef
{
    /// Patches are divided while a face of their hull is further than this outside of the solid, at a few
    /// points of each face. ≥ 0; default 0: 1/1000 of the diagonal of the bounds.
    float patch_error;
    const AbutHost* host; ///< NULL for the default
} AbutDecomposeDef;

ABUT_API AbutDecomposeDef abut_decompose_def(void);

/// Patches of a mesh and the tree of hulls over them. Equal vertices are joined. On the calling thread; the
/// same result on any machine. Takes about 0.1 to 0.5 ms per triangle of a scanned surface.
/// @return ABUT_INVALID_ARGUMENT for a patch_error that is negative or not finite; ABUT_INVALID_DATA for a
/// mesh that is empty, open, not manifold or inside out; ABUT_LIMIT_EXCEEDED where a hull had over 65,536
/// points; ABUT_OUT_OF_MEMORY
ABUT_API AbutResult abut_decompose(const AbutDecomposeDef* def, const AbutMesh* mesh,
                                   AbutDecomposition** out);

/// NULL is ignored.
ABUT_API void abut_decomposition_destroy(AbutDecomposition* decomposition);

/// No child: a leaf.
#define ABUT_DECOMPOSITION_NONE UINT32_MAX

/// A node of the tree; node 0 is the root.
typedef struct AbutDecompositionNode
{
    const AbutHull* hull;    ///< of the decomposition
    uint32_t children[2];    ///< nodes, both larger than this one; ABUT_DECOMPOSITION_NONE for a leaf
    uint32_t first_triangle; ///< of abut_decomposition_mesh(): the triangles of the patches of its subtree
    uint32_t triangle_count;
    /// Greatest depth of vertices of the mesh below the surface of the hull, at some vertices of the subtree;
    /// not under that of the children, 0 for leaves.
    float concavity;
} AbutDecompositionNode;

ABUT_API uint32_t abut_decomposition_node_count(const AbutDecomposition* decomposition);
ABUT_API uint32_t abut_decomposition_leaf_count(const AbutDecomposition* decomposition);

/// @param node under the node count
ABUT_API AbutDecompositionNode abut_decomposition_node(const AbutDecomposition* decomposition, uint32_t node);

/// The mesh with equal vertices joined, triangles in the order of the nodes, without collapsed ones.
ABUT_API const AbutMesh* abut_decomposition_mesh(const AbutDecomposition* decomposition);

/// A cut through the tree: nodes whose subtrees have all leaves, from the root downwards, always the node of
/// the largest concavity divided next, until all are at most `max_concavity` or there are `max_pieces` of
/// them (0: no limit). Fills up to `capacity` nodes, in ascending order.
/// @return count of nodes of the cut; may be larger than the capacity
ABUT_API uint32_t abut_decomposition_cut(const AbutDecomposition* decomposition, uint32_t max_pieces,
                                         float max_concavity, uint32_t* nodes, uint32_t capacity);

/// Error that pieces leave.
typedef struct AbutDecompositionError
{
    double solid_volume;
    double pieces_volume; ///< sum over the pieces; overlaps count twice
    /// Of points in a piece, not in the solid, and the reverse, from samples of the box of both: hulls of
    /// surface patches may leave the middle of a solid free.
    double outside_volume, uncovered_volume;
    double volume_step; ///< volume that one sample stands for
    /// Largest distance outside of the solid of a point of a piece's surface: one that was found, and a
    /// proved bound.
    double distance, distance_bound;
} AbutDecompositionError;

/// Measures the error of a set of nodes, for example of a cut.
/// @param sample_count of points for the volumes, 1 to 10,000,000
/// @return ABUT_INVALID_ARGUMENT for no nodes, a node or sample count out of range; ABUT_OUT_OF_MEMORY
ABUT_API AbutResult abut_decomposition_measure(const AbutDecomposition* decomposition, const uint32_t* nodes,
                                               uint32_t node_count, uint32_t sample_count,
                                               AbutDecompositionError* out);

// -----------------------------------------------------------------------------------------------------------
// SWIFT
// -----------------------------------------------------------------------------------------------------------

/// Closest features of pairs of hulls in the last query: where the walks of the next one start. For one pair
/// of bodies at a time, from one thread. Any content is valid: it changes the time of a query, and which of
/// several equally close points are reported.
typedef struct AbutSwiftTracker AbutSwiftTracker;

/// @return ABUT_OUT_OF_MEMORY
ABUT_API AbutResult abut_swift_tracker_create(const AbutHost* host, AbutSwiftTracker** out);

/// NULL is ignored.
ABUT_API void abut_swift_tracker_destroy(AbutSwiftTracker* tracker);

typedef enum AbutSwiftQuestion
{
    ABUT_SWIFT_YES_NO,   ///< whether the solids touch, or are within the tolerance
    ABUT_SWIFT_DISTANCE, ///< their distance within the tolerance: exact up to rounding with 0
} AbutSwiftQuestion;

typedef enum AbutSwiftState
{
    ABUT_SWIFT_SEPARATED, ///< proved: no point in both; yes/no: further apart than the tolerance
    ABUT_SWIFT_CONTACT,   ///< proved: a point in both
    ABUT_SWIFT_CLOSE, ///< neither is proved: closer than rounding, or than the tolerance of a yes/no question
    ABUT_SWIFT_INVALID, ///< a pose is invalid, a tolerance negative, or memory ran out: abut_last_error()
    ABUT_SWIFT_STATE_COUNT
} AbutSwiftState;

/// "separated", "contact", "close", "invalid"; never NULL.
ABUT_API const char* abut_swift_state_name(AbutSwiftState state);

typedef struct AbutSwiftInput
{
    const AbutDecomposition* a;
    const AbutDecomposition* b;
    AbutPose pose_a, pose_b;
    AbutSwiftQuestion question;
    double tolerance;          ///< ≥ 0, in the unit of A; default 0
    AbutSwiftTracker* tracker; ///< or NULL
} AbutSwiftInput;

/// Identity poses, ABUT_SWIFT_DISTANCE, no tracker.
ABUT_API AbutSwiftInput abut_swift_input(const AbutDecomposition* a, const AbutDecomposition* b);

typedef struct AbutSwiftOutput
{
    AbutSwiftState state;
    double low, high; ///< proved bounds of the distance; both 0 in contact, `high` infinite where unknown
    AbutPosition point_a,
        point_b; ///< of the surfaces, `high` apart, in the frame of A; where `high` is finite
    uint32_t triangle_a, triangle_b; ///< of abut_decomposition_mesh(): with these points, or in touch
    uint64_t hull_pairs, triangle_pairs, walk_steps;
} AbutSwiftOutput;

/// The method of SWIFT and SWIFT++ (S. Ehmann and M. Lin, 2000 and 2001) for two closed meshes: a traversal
/// of both trees, in which the distance of two hulls is found by a walk over their features (V-Clip) and
/// proved by a plane between them; then triangles of patches whose hulls are closer than the best pair so
/// far. A solid inside of the other is in contact. States are proved with the rounding of the poses; no state
/// depends on the tracker. Needs the scratch of its thread (AbutHost) and no memory else.
ABUT_API AbutSwiftOutput abut_swift_query(const AbutSwiftInput* input);

#ifdef __cplusplus
}
#endif

#endif
