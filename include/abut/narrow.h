/// @file narrow.h
/// Two shapes and their poses to an answer with a proof: apart, touching, or too close to call. docs/contacts.md has more.
///
/// The search divides the space that both may occupy. A box of half-diagonal r is clear when one of the two is proved
/// to be further than r from its middle: |f| never exceeds the slope bound times the distance, and a field brings the proved
/// error of each of its cells. So what is clear is clear, whatever the shapes, and nothing falls between samples.
#ifndef ABUT_NARROW_H
#define ABUT_NARROW_H

#include <abut/base.h>
#include <abut/broad.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutCollideState
{
    ABUT_COLLIDE_SEPARATED,  ///< proved: no point is in both
    ABUT_COLLIDE_CONTACT,    ///< proved: a point is in both
    ABUT_COLLIDE_CLOSE,      ///< nearer to touching than the tolerance (and the error of fields) can tell
    ABUT_COLLIDE_BUDGET,     ///< the budget was spent before an answer was found
    ABUT_COLLIDE_INVALID,    ///< the input makes no sense; abut_last_error() says why
    ABUT_COLLIDE_NONE_FOUND, ///< no particle arrived, which proves nothing (ABUT_COLLIDE_PARTICLES)
    ABUT_COLLIDE_UNDECIDED, ///< not asked (AbutCollideSettings.contacts_only): within the margin, contacts say more
    ABUT_COLLIDE_STATE_COUNT
} AbutCollideState;

/// "separated", "contact", "close", "budget", "invalid", "none found", "undecided"; never NULL.
ABUT_API const char* abut_collide_state_name(AbutCollideState state);

/// How contacts are looked for.
typedef enum AbutCollideMethod
{
    ABUT_COLLIDE_ADAPTIVE,  ///< branch and bound: every answer is proved, no region is missed
    ABUT_COLLIDE_PARTICLES, ///< a grid of particles projected onto the intersection (Krayer et al.): no proof
    ABUT_COLLIDE_METHOD_COUNT
} AbutCollideMethod;

/// "adaptive", "particles"; never NULL.
ABUT_API const char* abut_collide_method_name(AbutCollideMethod method);

/// Of ABUT_COLLIDE_PARTICLES, the method of Krayer et al.: about N³ particles fill the box that both shapes may occupy, with
/// sides shared out by the paper's Algorithm 1. Each goes x ← x − max(fA, fB)·∇(the larger one) until both distances are
/// under ε (the tolerance, and half of the margin), and is a contact then. Contacts stand where particles arrived: several may
/// have the same id unless `one_per_voxel` is set. The state is ABUT_COLLIDE_CONTACT when one of them proves it,
/// ABUT_COLLIDE_CLOSE when some arrived and none does, and ABUT_COLLIDE_NONE_FOUND otherwise: what is smaller than the
/// distance of particles can be missed. The budget of the settings does not count for it: resolution and steps do.
typedef struct AbutParticleSettings
{
    uint32_t resolution; ///< N: particles along a side of an even box, 1 to 256; default 10
    uint32_t steps;      ///< samples of a particle, at most, 1 to 65536; default 8
    float relaxation;   ///< factor of a step, over 0 and under 2; default 1, as written; over 1: over-relaxed
    bool quasi_random;  ///< start from a low-discrepancy sequence instead of a grid
    bool one_per_voxel; ///< keep the deepest contact per cube of the spacing, doubled until 1024 cubes do
    uint32_t deepest;   ///< keep so many of the deepest; 0: all
    /// abut_collide(): places to start from, too: contacts of the last step. No more are used than the grid has.
    const AbutContact* starts;
    uint32_t start_count;
    bool reuse; ///< abut_collide_pairs(): the same, from the last step's contacts of each pair
} AbutParticleSettings;

/// Returns how much further than the margin of the settings to look for contacts of body a with body b, ≥ 0, in units of a: how far they may
/// move towards each other, for example. The same for the same pair all through a call of abut_collide_pairs().
typedef float AbutPairMarginFn(void* user, uint32_t a, uint32_t b);

/// Returns the spacing of contacts of body a with body b, in units of a, or 0 for that of the settings. The same for the same pair all through a
/// call of abut_collide_pairs().
typedef float AbutPairSpacingFn(void* user, uint32_t a, uint32_t b);

/// What a query may be told; abut_collide_settings() has the defaults.
typedef struct AbutCollideSettings
{
    AbutCollideMethod method;
    float tolerance; ///< how fine to look before "close" is the answer; 0: 1e-3 of the smaller shape
    float margin;    ///< report contacts of solids that are apart by up to this, too
    float spacing;   ///< of contacts, at most one per cube of this size; 0: 1/24 of the smaller shape
    uint32_t
        budget; ///< samples of each shape before giving up, ≥ 1; default 2²⁰. As many again, at least 4096, for
                ///< contacts: where these do not suffice, the spacing doubles.
    /// Measure AbutContact.depth, by up to 2600 samples per contact beside the budget; mostly 100 to 200.
    bool depth;
    float reuse; ///< of abut_collide_pairs(): see there; default 0
    /// ABUT_COLLIDE_ADAPTIVE: what simulations want, several times faster. Contacts within the margin, and no proof whether the solids
    /// touch: ABUT_COLLIDE_SEPARATED still is proved, with a gap over the margin; all else is ABUT_COLLIDE_UNDECIDED.
    /// Space is searched down to the spacing as ever, so that no region is passed over. The automatic spacing is a 12th of the smaller
    /// shape, doubled until it is at least half of the margin.
    bool contacts_only;
    /// Of abut_collide_pairs(): NULL, or what comes to the margin of each pair. Called from any worker.
    AbutPairMarginFn* pair_margin;
    void* pair_margin_user;
    /// Of abut_collide_pairs(): NULL, or what is the spacing of each pair. Called as pair_margin is, and once per pair.
    AbutPairSpacingFn* pair_spacing;
    void* pair_spacing_user;
    AbutParticleSettings particles;
} AbutCollideSettings;

ABUT_API AbutCollideSettings abut_collide_settings(void);

typedef struct AbutCollideInput
{
    const AbutShape* shape_a;
    const AbutShape* shape_b;
    AbutPose pose_a, pose_b;
    AbutCollideSettings settings;
} AbutCollideInput;

/// Poses are identities, settings the defaults.
ABUT_API AbutCollideInput abut_collide_input(const AbutShape* shape_a, const AbutShape* shape_b);

typedef struct AbutCollideOutput
{
    AbutCollideState state;
    float gap; ///< separated: proved, they are at least this far apart; else 0
    /// Solids that overlap or are apart by less than this may be ABUT_COLLIDE_CLOSE however fine the tolerance: the errors of
    /// fields and what poses, points and distances are rounded by (docs/proofs.md). Infinite where signs of a field are in doubt.
    float uncertainty;
    int contact_count;    ///< written to the caller's array
    int contact_total;    ///< found; when more than were written, the deepest were
    float spacing;        ///< of contacts, as used
    uint64_t evaluations; ///< samples of each shape
} AbutCollideOutput;

/// Answers in the frame of shape_a (lengths in its units: pose_a's scale is taken out). Contacts cover every region that the
/// two have in common, by at least one contact where it is larger than the spacing; they are sorted by id, and the same
/// for any instruction set. Needs 80 KiB of stack and the scratch of its thread (AbutHost). `contacts` may be NULL when capacity is 0: then the
/// search for contacts is left out.
///
/// Shapes without end are allowed as long as what both may occupy has an end.
ABUT_API AbutCollideOutput abut_collide(const AbutCollideInput* input, AbutContact* contacts, int capacity);

// ---------------------------------------------------------------------------------------------------------------------
// Distance
// ---------------------------------------------------------------------------------------------------------------------

typedef struct AbutDistanceInput
{
    const AbutShape* shape_a;
    const AbutShape* shape_b;
    AbutPose pose_a, pose_b;
    /// How far the bounds may be apart. 0: 2e-3 of the smaller shape, and what fields state as their errors
    /// (AbutFieldInfo.error_bound), which is quickest. Bounds of fields do not come much nearer than a fifth of a cell.
    float tolerance;
    uint32_t budget; ///< samples of each shape per search before giving up, ≥ 1; default 2²⁰
} AbutDistanceInput;

/// Poses are identities, the tolerance automatic.
ABUT_API AbutDistanceInput abut_distance_input(const AbutShape* shape_a, const AbutShape* shape_b);

typedef struct AbutDistanceOutput
{
    AbutCollideState state; ///< as abut_collide() would answer
    float low, high;   ///< separated: the distance is proved to be from low to high; else 0, or high alone
    float uncertainty; ///< as AbutCollideOutput.uncertainty
    AbutVec3 point_a,
        point_b; ///< a point of each surface, within the errors of fields, high apart at most; in
                 ///< contact: a common point
    uint64_t evaluations;
} AbutDistanceOutput;

/// How far two shapes are apart, in the frame and units of shape_a. The bounds always hold. They are as near each other as the tolerance
/// says when shapes are exact outside (AbutDistanceKind) or fields of such, the signs of fields are not in doubt there and the
/// budget suffices; docs/contacts.md has more. Needs 70 KiB of stack and the scratch of its thread (AbutHost). One of the two may have no end.
ABUT_API AbutDistanceOutput abut_distance(const AbutDistanceInput* input);

// ---------------------------------------------------------------------------------------------------------------------
// All pairs of a step
// ---------------------------------------------------------------------------------------------------------------------

typedef struct AbutCollideBody
{
    const AbutShape* shape;
    AbutPose pose;
} AbutCollideBody;

/// Answers pairs of bodies step after step, on all workers of its host. Keeps memory and the last step's results. One call at a
/// time.
typedef struct AbutCollider AbutCollider;

/// About 0.5 MiB per worker of the host; NULL means the default host, whose threads live for one loop (a simulation takes
/// AbutWorkers).
ABUT_API AbutResult abut_collider_create(const AbutHost* host, AbutCollider** out);

/// NULL is ignored.
ABUT_API void abut_collider_destroy(AbutCollider* collider);

/// Forgets the last step: the next one starts from nothing. Gives no memory back.
ABUT_API void abut_collider_reset(AbutCollider* collider);

typedef struct AbutPairResult
{
    uint32_t a, b;
    AbutCollideOutput output;
    size_t
        first_contact; ///< its contacts are contacts[first_contact .. first_contact + output.contact_count)
    bool reused;       ///< the last step's answer
    float moved; ///< reused: no point of B has moved further than this, seen from A, since it was computed
} AbutPairResult;

/// Belongs to the collider, until its next call.
typedef struct AbutCollideResults
{
    const AbutPairResult* pairs; ///< sorted by a, then b, each once
    size_t pair_count;
    const AbutContact* contacts; ///< in the order of the pairs; within a pair sorted by id
    size_t contact_count;
    size_t reused_count;  ///< pairs that were answered from the last step
    size_t invalid_count; ///< pairs with ABUT_COLLIDE_INVALID; abut_last_error() says why of the first
    uint64_t evaluations; ///< samples of each shape, for all pairs
} AbutCollideResults;

/// What abut_collide() answers, for all pairs of a step. Of each pair, the first body is A: contacts are in its frame, with
/// normals outward of the second. (Pairs of a broad phase have a < b; here any order is a pair of its own.) The same bytes for any number of workers, any instruction set and any
/// order of the pairs; a pair that is given twice is answered once. Buffers grow as it takes, so no contact is left out but by
/// what the settings say; once they are large enough nothing is allocated. A pair that makes no sense (a NULL shape, a pose that is
/// not finite, a body with itself) is ABUT_COLLIDE_INVALID in its own output and does not keep the others from their answers.
///
/// ABUT_COLLIDE_PARTICLES runs as in the paper's Algorithm 3: the particles of all pairs are one loop, so that a pair with
/// many of them keeps all workers busy; counts and their sums tell where each pair's contacts go. They are projected
/// once, not twice: what a worker finds waits in a common pool.
///
/// **Between steps.** The answer of a pair whose bodies have the same shapes, and stand to each other as in the last step to the bit,
/// is used again; nobody can tell. With settings.reuse > 0 it is used again after small motions, too, when that is proved
/// to be right. Let δ be the largest way that a corner of B's bounds has moved, seen from A, since the answer was
/// computed. Motions are affine and |T x − T₀ x| is convex in x, so no point of B has moved further than its corners.
/// (Where B has no end but A does, δ is the way of A's corners seen from B.)
///  - Separated by a proved gap g: they still are, by g − δ, when that is over the margin. δ may be anything.
///  - Contact: a point of one was proved to be d deep in the other; while δ < d it still is in there. So the state is proved,
///    and when also δ ≤ reuse, the contacts are those that were found: a separation is off by at most δ times the slope of the
///    shapes (1 for distances), and what has come to overlap since is at most δ deep.
///  - Separated with contacts within the margin: as contacts, while δ ≤ reuse and δ < g.
/// All else is computed again. AbutPairResult.moved is δ. The collider keeps the shapes of its last step alive. Pairs that are not asked
/// for in a step are forgotten, and so are all when settings change.
///
/// @return ABUT_INVALID_ARGUMENT for settings out of range and for a pair with an index that is no body's;
/// ABUT_LIMIT_EXCEEDED for more than 2³² − 1 pairs or runs of particles; ABUT_OUT_OF_MEMORY. After an error *out is as it was,
/// the last results are gone, and the collider can be used again.
ABUT_API AbutResult abut_collide_pairs(AbutCollider* collider, const AbutCollideBody* bodies,
                                       size_t body_count, const AbutBodyPair* pairs, size_t pair_count,
                                       const AbutCollideSettings* settings, AbutCollideResults* out);

#ifdef __cplusplus
}
#endif

#endif
