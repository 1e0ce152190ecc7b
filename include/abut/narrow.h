/// @file narrow.h
/// Narrow phase: two shapes and their poses to a proved state and contacts. docs/contacts.md has more.
///
/// Three queries, each with its own settings. abut_collide() proves whether the solids touch, then finds
/// contacts. abut_speculative_contacts() finds the contacts within a margin for a solver, without the proof.
/// abut_distance() proves bounds of the distance.
///
/// The first two are a branch and bound over the intersection of the bounds of both shapes. A box of
/// half-diagonal r is separated when one of the two shapes is proved to be further than r from its middle:
/// |f| never exceeds the slope bound (a Lipschitz constant) times the distance, and a field has the proved
/// error of each of its cells. No region is missed between samples.
#ifndef ABUT_NARROW_H
#define ABUT_NARROW_H

#include <abut/base.h>
#include <abut/broad.h>
#include <abut/contact.h>
#include <abut/gpu.h>
#include <abut/math.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutCollideState
{
    ABUT_COLLIDE_SEPARATED,  ///< proved: no point is in both
    ABUT_COLLIDE_CONTACT,    ///< proved: a point is in both
    ABUT_COLLIDE_CLOSE,      ///< neither is proved: closer than tolerance and errors of fields
    ABUT_COLLIDE_BUDGET,     ///< the budget was spent without an answer
    ABUT_COLLIDE_INVALID,    ///< invalid input; abut_last_error() has the reason
    ABUT_COLLIDE_NONE_FOUND, ///< ABUT_COLLIDE_PARTICLES: no particle converged, which proves nothing;
                             ///< ABUT_COLLIDE_HULL: no ball touches a shape that breaks its promises
    ABUT_COLLIDE_UNDECIDED,  ///< abut_speculative_contacts(): not proved to be further apart than the margin
    ABUT_COLLIDE_STATE_COUNT
} AbutCollideState;

/// "separated", "contact", "close", "budget", "invalid", "none found", "undecided"; never NULL.
ABUT_API const char* abut_collide_state_name(AbutCollideState state);

/// Output of abut_collide() and abut_speculative_contacts().
typedef struct AbutCollideOutput
{
    AbutCollideState state;
    /// Separated: proved lower bound of the distance of the solids; else 0.
    float gap;
    /// Solids with an overlap or a distance under this may be ABUT_COLLIDE_CLOSE at any tolerance: the errors
    /// of fields and the rounding of poses, points and distances (docs/proofs.md). Infinite where signs of a
    /// field are uncertain.
    float uncertainty;
    uint32_t contact_count; ///< contacts in the caller's array
    uint32_t contact_total; ///< all contacts; the deepest ones up to the capacity are in the array
    float spacing;          ///< of contacts, as used
    uint64_t evaluations;   ///< samples of each shape
} AbutCollideOutput;

// -----------------------------------------------------------------------------------------------------------
// Proof and contacts
// -----------------------------------------------------------------------------------------------------------

/// Narrow-phase methods.
typedef enum AbutCollideMethod
{
    ABUT_COLLIDE_AUTOMATIC,  ///< the kinds of both shapes choose the method; the default
    ABUT_COLLIDE_ADAPTIVE,   ///< branch and bound: separated and contact are proved, no region is missed
    ABUT_COLLIDE_PARTICLES,  ///< a grid of particles projected onto the intersection (Krayer et al.)
    ABUT_COLLIDE_GJK,        ///< two convex shapes, or one and a plane: GJK and EPA, proved; few contacts
    ABUT_COLLIDE_BVH,        ///< two meshes: state by their triangles, contacts by their distances
    ABUT_COLLIDE_TERRAIN,    ///< closed forms of balls and capsules against heightfields
    ABUT_COLLIDE_V_CLIP,     ///< two convex hulls: a walk over features (Mirtich), proved; few contacts
    ABUT_COLLIDE_LIN_CANNY,  ///< two convex hulls: a walk over closest points (Lin and Canny), proved
    ABUT_COLLIDE_PRIMITIVES, ///< spheres, capsules, boxes, rounded boxes and planes in closed form
    ABUT_COLLIDE_MESH_FIELD, ///< a mesh and a field: state by triangles in the field's distance
    ABUT_COLLIDE_HULL,       ///< the point hull of one shape against the distance of the other
    ABUT_COLLIDE_SWIFT,      ///< two closed meshes: hulls of convex patches (abut_collide_prepare())
    ABUT_COLLIDE_CINDER,     ///< two closed meshes in image space, edges in parity (abut_collide_prepare())
    ABUT_COLLIDE_CULLIDE,    ///< two meshes in image space, visibility (abut_collide_prepare())
    ABUT_COLLIDE_METHOD_COUNT
} AbutCollideMethod;

/// "automatic", "adaptive", "particles", "gjk", "bvh", "terrain", "v-clip", "lin-canny",
/// "primitives", "mesh-field", "hull", "swift", "cinder", "cullide"; never NULL.
ABUT_API const char* abut_collide_method_name(AbutCollideMethod method);

/// True when the method has an answer for a pair of these shapes; for ABUT_COLLIDE_AUTOMATIC always. With a
/// method that does not serve a pair, queries of that pair are ABUT_COLLIDE_INVALID.
ABUT_API bool abut_collide_method_serves(AbutCollideMethod method, const AbutShape* shape_a,
                                         const AbutShape* shape_b);

/// Gives two shapes what a method needs beyond them: decompositions for ABUT_COLLIDE_SWIFT (0.1 to 0.5 ms per
/// triangle), chunks of triangles for ABUT_COLLIDE_CINDER and ABUT_COLLIDE_CULLIDE, point hulls of about 1024
/// balls for ABUT_COLLIDE_HULL where neither has one. It stays with the meshes or shapes, in whatever shapes
/// they are placed. Once is enough; nothing to do for other methods. Not while other
/// threads use the shapes.
/// @return ABUT_INVALID_ARGUMENT for shapes that the method never serves; ABUT_INVALID_DATA for open meshes,
/// but with ABUT_COLLIDE_CULLIDE; as abut_decompose().
ABUT_API AbutResult abut_collide_prepare(AbutCollideMethod method, AbutShape* shape_a, AbutShape* shape_b);

/// The method that ABUT_COLLIDE_AUTOMATIC is for these shapes; the same in either order. docs/methods.md has
/// the table. With `measure_depth` it is ABUT_COLLIDE_ADAPTIVE for pairs of which ABUT_COLLIDE_PRIMITIVES and
/// ABUT_COLLIDE_GJK have no depth in closed form (abut_collide_depth_method_of()).
ABUT_API AbutCollideMethod abut_collide_method_of(const AbutShape* shape_a, const AbutShape* shape_b);

/// The same where depths are asked for.
ABUT_API AbutCollideMethod abut_collide_depth_method_of(const AbutShape* shape_a, const AbutShape* shape_b);

/// Settings of ABUT_COLLIDE_PARTICLES, the method of Krayer et al. About N³ particles fill the intersection
/// of both bounds, with the counts per side of the paper's Algorithm 1. Each is projected by x ← x − max(fA,
/// fB)·∇(the larger of the two) until both distances are under ε (the tolerance plus half of the margin);
/// then it is a contact, at its position. Several contacts may have the same id unless `one_per_voxel` is
/// set.
///
/// States: ABUT_COLLIDE_CONTACT when a particle proves it, ABUT_COLLIDE_CLOSE when particles converged
/// without a proof, ABUT_COLLIDE_SEPARATED when the bounds are disjoint, else ABUT_COLLIDE_NONE_FOUND:
/// details smaller than the spacing of particles can be missed. Resolution and steps bound the work; the
/// budget is not used.
typedef struct AbutParticleSettings
{
    uint32_t resolution;   ///< N: particles along a side of a cube, 1 to 256; default 10
    uint32_t steps;        ///< maximum samples of a particle, 1 to 65536; default 8
    float relaxation;      ///< factor of a step, over 0 and under 2; default 1, as in the paper
    bool quasi_random;     ///< starts from a low-discrepancy sequence instead of a grid
    bool one_per_voxel;    ///< the deepest contact per cube of the spacing, doubled until 1024 cubes suffice
    uint32_t max_contacts; ///< keeps the deepest contacts up to this count; 0: all
    /// abut_collide(): further start positions, contacts of the last step; at most as many as the grid has
    /// particles.
    const AbutContact* starts;
    uint32_t start_count;
    bool reuse; ///< abut_collide_pairs(): start positions from the contacts of each pair in the last step
} AbutParticleSettings;

/// What a query by ABUT_COLLIDE_HULL did with the balls of a hull.
typedef struct AbutHullCounts
{
    uint32_t points;             ///< balls of the hull
    uint32_t removed_by_corners; ///< by the box of the other shape and the samples at eight corners
    uint32_t removed_by_tree;    ///< by samples at nodes of the sphere tree
    uint32_t sampled_nodes;      ///< samples at nodes
    uint32_t sampled;            ///< samples at centers of balls
    uint32_t touching;           ///< balls that may touch
    float slope;                 ///< measured between the corners; 0 of fields, and without samples there
} AbutHullCounts;

/// Settings of ABUT_COLLIDE_HULL (docs/point_hulls.md). The shape whose hull has the smaller error plays the
/// points: each of its balls against the distance of the other. One contact per ball that touches, with an id
/// made of the number of the ball and the shape that it is of.
///
/// States are proved. With the error e of the hull: ABUT_COLLIDE_SEPARATED when all balls are further than e
/// from the other solid, which is not inside either; ABUT_COLLIDE_CONTACT when a sample proves a common
/// point; ABUT_COLLIDE_CLOSE when solids are no further apart than AbutCollideOutput.uncertainty, 2 e and the
/// errors of samples. Every region of contact deeper than e has a ball.
typedef struct AbutHullSettings
{
    bool corners; ///< drops balls by eight samples of the other shape; default true
    bool tree;    ///< drops balls by samples at the nodes of their sphere tree; default true
    /// Where the eight samples differ by more than the slope that the shape promises, distances are divided
    /// by the slope between them, and nothing is proved but contacts; default true.
    bool correct;
    uint32_t keep; ///< contacts that stay, by abut_contacts_reduce(); 0, the default: all
    /// Displacement of B relative to A over the coming step, in the frame of A: a vector, and a rotation
    /// vector about the origin of B. Balls are larger by a bound of their own displacement, so that contacts
    /// are found before fast bodies pass each other; default zero. In worlds the margins of pairs do this.
    AbutVec3 linear, angular;
    AbutHullCounts* counts; ///< filled by abut_collide(); NULL, the default: not. The caller's
} AbutHullSettings;

/// Settings of abut_collide(); abut_collide_settings() has the defaults.
typedef struct AbutCollideSettings
{
    AbutCollideMethod method;
    float tolerance; ///< size of the smallest boxes before ABUT_COLLIDE_CLOSE; 0: 1e-3 of the smaller shape
    float margin;    ///< distance of separated solids up to which contacts are reported; default 0
    float spacing;   ///< at most one contact per cube of this size; 0: 1/24 of the smaller shape
    /// Maximum samples of each shape, ≥ 1; default 2²⁰. Contacts have a second budget of the same size, at
    /// least 4096: where it does not suffice, the spacing doubles.
    uint32_t budget;
    /// Computes AbutContact.depth: up to 2600 samples per contact, mostly 100 to 200, not counted in the
    /// budget.
    bool measure_depth;
    float reuse; ///< of abut_collide_pairs(): see there; default 0
    AbutParticleSettings particles;
    AbutHullSettings hull;
} AbutCollideSettings;

ABUT_API AbutCollideSettings abut_collide_settings(void);

/// Memory of a pair for methods that start from their last answer: features, simplices, directions. All zero:
/// none. Any content is valid: it changes the time of a query, and which of several equal contacts is
/// reported, never a state or a proof.
typedef struct AbutCollideCache
{
    uint32_t method; ///< that filled it
    uint32_t words[15];
} AbutCollideCache;

typedef struct AbutCollideInput
{
    const AbutShape* shape_a;
    const AbutShape* shape_b;
    AbutPose pose_a, pose_b;
    AbutCollideSettings settings;
    AbutCollideCache* cache; ///< read and written, or NULL; the caller keeps one per pair
} AbutCollideInput;

/// Identity poses, default settings.
ABUT_API AbutCollideInput abut_collide_input(const AbutShape* shape_a, const AbutShape* shape_b);

/// Proves whether two solids touch, then finds contacts. Contacts are in the frame of shape_a (lengths in its
/// units, before the scale of pose_a), at least one in every common region larger than the spacing, sorted by
/// id, with the same bits for any instruction set. Needs 80 KiB of stack and the scratch of its thread
/// (AbutHost). `contacts` may be NULL when the capacity is 0: then there is no search for contacts.
///
/// Infinite shapes are allowed where the intersection of both bounds is finite.
ABUT_API AbutCollideOutput abut_collide(const AbutCollideInput* input, AbutContact* contacts,
                                        uint32_t capacity);

// -----------------------------------------------------------------------------------------------------------
// Speculative contacts
// -----------------------------------------------------------------------------------------------------------

/// Margin of a pair beyond that of the settings, ≥ 0, in units of body a: for example a bound of their
/// approach in the step. Must return the same value for the same pair during a call.
typedef float AbutPairMarginFn(void* user, uint32_t a, uint32_t b);

/// Spacing of the contacts of a pair, in units of body a, or 0 for that of the settings. Must return the same
/// value for the same pair during a call.
typedef float AbutPairSpacingFn(void* user, uint32_t a, uint32_t b);

/// Settings of abut_speculative_contacts(); abut_speculative_settings() has the defaults.
typedef struct AbutSpeculativeSettings
{
    AbutCollideMethod method; ///< default ABUT_COLLIDE_AUTOMATIC
    float margin;             ///< distance of separated solids up to which contacts are reported; default 0
    float tolerance; ///< added to the margin for rounding and projection; 0: 1e-3 of the smaller shape
    /// At most one contact per cube of this size. 0: a 12th of the smaller shape, doubled until it is at
    /// least half of the margin.
    float spacing;
    /// Maximum samples of each shape, ≥ 1, at least 4096 are used; default 2²⁰. Where these do not suffice,
    /// the spacing doubles.
    uint32_t budget;
    bool measure_depth; ///< as AbutCollideSettings.measure_depth
    float reuse;        ///< of abut_speculative_pairs(): as AbutCollideSettings.reuse; default 0
    /// Of abut_speculative_pairs(): margin of each pair beyond `margin`, or NULL. Called from any worker.
    AbutPairMarginFn* pair_margin;
    void* pair_margin_user;
    /// Of abut_speculative_pairs(): spacing of each pair, or NULL. Called from any worker, once per pair.
    AbutPairSpacingFn* pair_spacing;
    void* pair_spacing_user;
} AbutSpeculativeSettings;

ABUT_API AbutSpeculativeSettings abut_speculative_settings(void);

typedef struct AbutSpeculativeInput
{
    const AbutShape* shape_a;
    const AbutShape* shape_b;
    AbutPose pose_a, pose_b;
    AbutSpeculativeSettings settings;
} AbutSpeculativeInput;

/// Identity poses, default settings.
ABUT_API AbutSpeculativeInput abut_speculative_input(const AbutShape* shape_a, const AbutShape* shape_b);

/// Contacts within the margin for a solver, several times faster than abut_collide(): no proof whether the
/// solids touch. ABUT_COLLIDE_SEPARATED is still proved, with a gap over the margin; all else is
/// ABUT_COLLIDE_UNDECIDED. The search divides boxes down to the spacing everywhere, so that no region is
/// missed. Frame, units, order, stack and infinite shapes as abut_collide().
ABUT_API AbutCollideOutput abut_speculative_contacts(const AbutSpeculativeInput* input, AbutContact* contacts,
                                                     uint32_t capacity);

// -----------------------------------------------------------------------------------------------------------
// Distance
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutDistanceInput
{
    const AbutShape* shape_a;
    const AbutShape* shape_b;
    AbutPose pose_a, pose_b;
    /// Largest high − low. 0: 2e-3 of the smaller shape plus the error bounds of fields
    /// (AbutFieldInfo.error_bound), the fastest. For fields high − low is at least about a fifth of a cell.
    float tolerance;
    uint32_t budget; ///< maximum samples of each shape per search, ≥ 1; default 2²⁰
} AbutDistanceInput;

/// Identity poses, automatic tolerance.
ABUT_API AbutDistanceInput abut_distance_input(const AbutShape* shape_a, const AbutShape* shape_b);

typedef struct AbutDistanceOutput
{
    AbutCollideState state; ///< as that of abut_collide()
    float low, high;        ///< separated: proved bounds of the distance; else low is 0, high 0 or a bound
    float uncertainty;      ///< as AbutCollideOutput.uncertainty
    /// Witness points: one of each surface, within the errors of fields, at most `high` apart; in contact: a
    /// common point.
    AbutVec3 point_a, point_b;
    uint64_t evaluations; ///< samples of each shape
} AbutDistanceOutput;

/// Distance of two shapes, in the frame and units of shape_a. The bounds are always valid. They differ by at
/// most the tolerance when both shapes are exact outside (AbutDistanceKind) or fields of such shapes, the
/// signs of fields are certain there and the budget suffices; docs/contacts.md has more. Needs 70 KiB of
/// stack and the scratch of its thread (AbutHost). One of the two may be infinite.
ABUT_API AbutDistanceOutput abut_distance(const AbutDistanceInput* input);

// -----------------------------------------------------------------------------------------------------------
// Convex shapes
// -----------------------------------------------------------------------------------------------------------

/// What abut_convex() computes; each includes those before it.
typedef enum AbutConvexWork
{
    ABUT_CONVEX_STATE,    ///< separated, contact or close; the fastest
    ABUT_CONVEX_DISTANCE, ///< distance and closest points of separated solids
    ABUT_CONVEX_DEPTH,    ///< penetration depth and witness points of others
} AbutConvexWork;

typedef struct AbutConvexInput
{
    const AbutShape* shape_a;
    const AbutShape* shape_b;
    AbutPose pose_a, pose_b;
    AbutConvexWork work;
    AbutCollideCache* cache; ///< as AbutCollideInput.cache
} AbutConvexInput;

/// Identity poses, ABUT_CONVEX_STATE, no cache.
ABUT_API AbutConvexInput abut_convex_input(const AbutShape* shape_a, const AbutShape* shape_b);

/// In the frame and units of shape_a.
typedef struct AbutConvexOutput
{
    AbutCollideState state; ///< separated, contact, close or invalid
    double gap;             ///< separated: proved lower bound of the distance; else 0
    /// Solids with a distance or depth under this may be ABUT_COLLIDE_CLOSE; next to slivers, very rarely,
    /// those under 1e-8 of the size.
    double uncertainty;
    bool has_points; ///< the rest is filled
    /// The distance, or minus the penetration depth: the length of the shortest translation that separates.
    /// Within 1e-9 of the size for hulls, boxes, capsules and spheres, 1e-6 for cylinders and cones.
    double separation;
    AbutVec3 normal;               ///< unit, from B to A
    AbutPosition point_a, point_b; ///< on both surfaces: point_a − point_b = separation · normal
} AbutConvexOutput;

/// Two convex shapes: hulls, boxes, rounded boxes, spheres, capsules, cylinders and cones; placed, scaled and
/// offset outwards. No samples and no contacts; states as those of abut_collide(), with the rounding of
/// double alone. Needs 50 KiB of stack.
/// @return ABUT_COLLIDE_INVALID with a message for other shapes and for poses that are not finite
ABUT_API AbutConvexOutput abut_convex(const AbutConvexInput* input);

// -----------------------------------------------------------------------------------------------------------
// All pairs of a step
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutCollideBody
{
    const AbutShape* shape;
    AbutPose pose;
} AbutCollideBody;

/// Narrow phase of many pairs, step after step, on all workers of its host. Keeps memory and the results of
/// the last step. One call at a time.
typedef struct AbutCollider AbutCollider;

/// Takes about 0.5 MiB per worker of the host. NULL is the default host, which creates its threads for each
/// loop; use AbutWorkers for simulations.
ABUT_API AbutResult abut_collider_create(const AbutHost* host, AbutCollider** out);

/// NULL is ignored.
ABUT_API void abut_collider_destroy(AbutCollider* collider);

/// Drops the results of the last step. Keeps all memory.
ABUT_API void abut_collider_reset(AbutCollider* collider);

/// From the next step on, until NULL, the device does its share of pairs of fields (docs/gpu.md): particles
/// of ABUT_COLLIDE_PARTICLES, octrees of ABUT_COLLIDE_ADAPTIVE and of speculative contacts; the same bytes.
/// What it cannot serve or has no memory for is done by the workers, and everything is when it is lost; the
/// host's log then has a warning. The device must outlive the collider or its replacement, and serves one
/// collider at a time.
ABUT_API void abut_collider_set_device(AbutCollider* collider, AbutDevice* device);

/// The bodies and pairs of a step.
typedef struct AbutPairsInput
{
    const AbutCollideBody* bodies;
    size_t body_count;
    const AbutBodyPair* pairs; ///< indices of bodies; any order
    size_t pair_count;         ///< under 2³² − 1
} AbutPairsInput;

typedef struct AbutPairResult
{
    uint32_t a, b;
    AbutCollideOutput output;
    size_t first_contact; ///< index of the first of its output.contact_count contacts
    bool reused;          ///< the output of an earlier step
    float moved;          ///< reused: upper bound of the displacement of B, seen from A, since that step
} AbutPairResult;

/// Belongs to the collider, until its next call.
typedef struct AbutCollideResults
{
    const AbutPairResult* pairs; ///< sorted by a, then b, each once
    size_t pair_count;
    const AbutContact* contacts; ///< in the order of the pairs; within a pair sorted by id
    size_t contact_count;
    size_t reused_count;  ///< pairs with the output of an earlier step
    size_t invalid_count; ///< pairs with ABUT_COLLIDE_INVALID; abut_last_error() has the reason of the first
    uint64_t evaluations; ///< samples of each shape, for all pairs
} AbutCollideResults;

/// abut_collide() for all pairs of a step. The first body of a pair is A: contacts are in its frame, with
/// normals outward of the second. (Pairs of a broad phase have a < b; here (a, b) and (b, a) are two pairs.)
/// The same bytes for any number of workers, any instruction set and any order of the pairs; a pair that is
/// given twice has one result. Buffers grow as needed, so contacts are dropped only by the settings; nothing
/// is allocated once they are large enough. An invalid pair (a NULL shape, a pose that is not finite, a body
/// with itself) is ABUT_COLLIDE_INVALID in its own output and does not affect the others.
///
/// ABUT_COLLIDE_PARTICLES is the paper's Algorithm 3: the particles of all pairs are one loop, so that a pair
/// with many of them keeps all workers busy; counts and their prefix sums give the positions of each pair's
/// contacts. Particles are projected once, not twice: contacts are stored in a common pool first.
///
/// **Reuse between steps.** The result of a pair with the same shapes and bitwise the same relative pose as
/// in the last step is reused, without a visible difference. With settings.reuse > 0 it is reused after small
/// motions, too, when a proof allows it. Let δ be the largest displacement of a corner of B's bounds, in the
/// frame of A, since the result was computed. Motions are affine and |T x − T₀ x| is convex in x, so no point
/// of B has a larger displacement than its corners. (Where B is infinite but A is not, δ is that of A's
/// corners, in the frame of B.)
///  - Separated by a proved gap g: still separated, by g − δ, when that is over the margin. Any δ.
///  - Contact: a point of one was proved to be d deep in the other; while δ < d it still is inside. So the
///    state is proved, and when also δ ≤ reuse, the contacts are those of the earlier step: separations are
///    off by at most δ times the slope of the shapes (1 for distances), and new overlaps are at most δ deep.
///  - Separated with contacts within the margin: as contacts, while δ ≤ reuse and δ < g.
///
/// All other pairs are computed again, and so are pairs of two primitives, and of a ball and any shape, in
/// closed form, which takes less time than the proof: they are never reused. AbutPairResult.moved is δ. The
/// collider keeps the shapes of its last step alive. Pairs left out of a step lose their results, and all
/// pairs do when the query or its settings change.
///
/// @return ABUT_INVALID_ARGUMENT for settings out of range and for a pair with an index out of range;
/// ABUT_LIMIT_EXCEEDED for 2³² − 1 pairs or particle tasks and more; ABUT_OUT_OF_MEMORY. After an error *out
/// is unchanged, the results of the last step are lost, and the collider is usable.
ABUT_API AbutResult abut_collide_pairs(AbutCollider* collider, const AbutPairsInput* input,
                                       const AbutCollideSettings* settings, AbutCollideResults* out);

/// abut_speculative_contacts() for all pairs of a step, with a margin and a spacing per pair; else as
/// abut_collide_pairs().
ABUT_API AbutResult abut_speculative_pairs(AbutCollider* collider, const AbutPairsInput* input,
                                           const AbutSpeculativeSettings* settings, AbutCollideResults* out);

#ifdef __cplusplus
}
#endif

#endif
