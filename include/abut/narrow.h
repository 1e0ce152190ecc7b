/// @file narrow.h
/// Two shapes and their poses to an answer with a proof: apart, touching, or too close to call. docs/contacts.md has more.
///
/// The search divides the space that both may occupy. A box of half-diagonal r is clear when one of the two is proved
/// to be further than r from its middle: |f| never exceeds the slope bound times the distance, and a field brings the proved
/// error of each of its cells. So what is clear is clear, whatever the shapes, and nothing falls between samples.
#ifndef ABUT_NARROW_H
#define ABUT_NARROW_H

#include <abut/base.h>
#include <abut/contact.h>
#include <abut/shape.h>
#include <abut/vec.h>

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
    ABUT_COLLIDE_STATE_COUNT
} AbutCollideState;

/// "separated", "contact", "close", "budget", "invalid", "none found"; never NULL.
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
    float
        relaxation; ///< factor of a step, over 0 and under 2; 1, the default, as written, over 1 over-relaxed
    bool quasi_random; ///< starts from a low-discrepancy sequence instead of a grid
    bool
        one_per_voxel; ///< keep the deepest contact of each cube of the spacing, which doubles until 1024 are enough
    uint32_t deepest; ///< keep so many of the deepest; 0: all
    const AbutContact*
        starts; ///< places to start from, too: contacts of the last step. As many as the grid has, at most
    uint32_t start_count;
} AbutParticleSettings;

/// What a query may be told; abut_collide_settings() has the defaults.
typedef struct AbutCollideSettings
{
    AbutCollideMethod method;
    float tolerance; ///< how fine to look before "close" is the answer; 0: 1e-3 of the smaller shape
    float margin;    ///< report contacts of solids that are apart by up to this, too
    float spacing;   ///< of contacts, at most one per cube of this size; 0: 1/24 of the smaller shape
    uint32_t budget; ///< samples of each shape before giving up; default 2²⁰
    bool depth;      ///< measure AbutContact.depth
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
    float gap;            ///< separated: proved, they are at least this far apart; else 0
    int contact_count;    ///< written to the caller's array
    int contact_total;    ///< found; when more than were written, the deepest were
    float spacing;        ///< of contacts, as used
    uint64_t evaluations; ///< samples of each shape
} AbutCollideOutput;

/// Answers in the frame of shape_a (lengths in its units: pose_a's scale is taken out). Contacts cover every region that the
/// two have in common, by at least one contact where it is larger than the spacing; they are sorted by id, and the same
/// for any instruction set. Needs no memory but the stack (about 250 KiB). `contacts` may be NULL when capacity is 0: then the
/// search for contacts is left out.
///
/// Shapes without end are allowed as long as what both may occupy has an end.
ABUT_API AbutCollideOutput abut_collide(const AbutCollideInput* input, AbutContact* contacts, int capacity);

#ifdef __cplusplus
}
#endif

#endif
