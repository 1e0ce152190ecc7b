/// @file method.h
/// Interface of narrow-phase methods.
///
/// A method is a file that defines an AbutNarrowMethod, a line below, a row of the table in method.c and a
/// constant of AbutCollideMethod. Names (abut_collide_method_name(), `abut collide --method`), checks of
/// settings, single queries, batches of pairs and worlds all read the table. A second table in method.c has
/// the method of each pair of kinds, for ABUT_COLLIDE_AUTOMATIC.
#ifndef ABUT_NARROW_METHOD_H
#define ABUT_NARROW_METHOD_H

#include <abut/narrow.h>

#include "contact/contact_list.h"
#include "gpu/records.h"
#include "narrow/particles/particles.h"
#include "narrow/point_hull/search.h"
#include "search/box_search.h"
#include "search/dual_octree.h"

enum
{
    ABUT_NARROW_CHEAP_CONTACTS = 16,
    ABUT_NARROW_GROUP = 16 // pairs of a call of collide_group()
};

/// Scratch of a query, too large for the stacks of some threads. A method with other needs adds members to
/// the unions.
typedef struct AbutCollideScratch
{
    union
    {
        AbutBoxSearch search;
        AbutParticleTask task;
        AbutBallSearch balls;
    };
    union
    {
        AbutContactGrid contact_grid;
        AbutContactList list;
    };
} AbutCollideScratch;

/// A pair of shapes that are not empty, in valid poses, which may be so far apart that squares of lengths are
/// infinite. Contacts are in the frame and unit of the shape of A; `anchor_b` is in those of B.
typedef struct AbutNarrowQuery
{
    const AbutCollideSettings* settings; // checked
    const AbutShape *shape_a, *shape_b;
    const AbutTransform* relative; // B in the frame of A, within ABUT_TRANSFORM_ROUNDING of `length`
    double length;                 // of the poses that `relative` was computed from
    AbutCollideCache* cache;       // of the caller, or NULL; states and proofs must not depend on it
    /// With `needs_pair`, else NULL. The boxes of both are no further apart than the margin.
    AbutPair* pair;
    AbutCollideScratch* scratch; // with `needs_scratch`, else NULL; NULL for count_tasks()
    AbutContact* contacts;
    uint32_t capacity;
    /// In: ABUT_COLLIDE_SEPARATED and no contacts. With `needs_pair` also the gap proved by the boxes alone
    /// (0: none), the spacing to use and the uncertainty. Out: state, gap, uncertainty, spacing, counts and
    /// evaluations (counted by the pair where there is one).
    AbutCollideOutput* output;
} AbutNarrowQuery;

enum
{
    ABUT_NARROW_OCTREES = 2 // traversals of a query at most
};

/// Results of one task; the contacts are in the scratch.
typedef struct AbutNarrowTask
{
    const AbutContact* contacts;
    uint32_t count;
    float proved_depth; // of a point of one solid in the other; under 0 for none
} AbutNarrowTask;

typedef struct AbutNarrowMethod
{
    const char* name;

    /// True for a pair of shapes that the method has an answer for; in both orders of the two. NULL: any.
    bool (*serves)(const AbutShape* a, const AbutShape* b);
    const char* needs; // of `serves`, for messages: "two convex shapes"

    /// Of a method whose data the shapes keep: gives both what it needs, for `serves`, which was given a pair
    /// that `could_serve` is true of. NULL: there is none.
    AbutResult (*prepare)(AbutShape* a, AbutShape* b);
    bool (*could_serve)(const AbutShape* a, const AbutShape* b);

    /// Speculative contacts of pairs that it does not serve are those of ABUT_COLLIDE_AUTOMATIC: in a world
    /// the method is that of all pairs.
    bool leaves_other_pairs;

    bool needs_pair;    // samples both shapes in the frame of a pair: AbutNarrowQuery.pair
    bool needs_scratch; // AbutNarrowQuery.scratch
    /// True for pairs that take less time than the proof that an old result is still true: batches compute
    /// them again each step. Of a method without `needs_pair`, `needs_scratch` and tasks; for such pairs it
    /// has at most ABUT_NARROW_CHEAP_CONTACTS contacts. NULL: no pair.
    bool (*is_cheap)(const AbutShape* a, const AbutShape* b);

    /// collide() of up to ABUT_NARROW_GROUP cheap pairs of the same two shapes, each with its own arrays: the
    /// same answers, sooner. Of pairs that `has_groups` is true for. NULL: none.
    bool (*has_groups)(const AbutShape* a, const AbutShape* b);
    void (*collide_group)(const AbutNarrowQuery* queries, size_t count);

    /// Depths of the contacts in the array where the settings ask for them (AbutContact.depth), of pairs that
    /// `measures_depth` is true for. NULL: the caller measures them by samples.
    bool (*measures_depth)(const AbutShape* a, const AbutShape* b);
    void (*measure_depth)(const AbutNarrowQuery* query);

    /// Settings of the method's own. NULL: it has none.
    AbutResult (*check)(const AbutCollideSettings* settings);
    bool (*settings_equal)(const AbutCollideSettings* a, const AbutCollideSettings* b);

    /// With `needs_pair`: how much further apart than the margin bodies have contacts, in the unit of A.
    /// NULL: by nothing.
    float (*margin_beyond)(const AbutCollideSettings* settings, const AbutTransform* relative,
                           const AbutShape* b);

    /// State and contacts of a pair. A gap over 0 of the boxes is a proof of ABUT_COLLIDE_SEPARATED; contacts
    /// within the margin are left to be found. Contacts are sorted by id; of more than the capacity, the
    /// deepest are in the array, and contact_total counts all. With a capacity of 0, which has no array, the
    /// search for contacts may be left out. In a batch the capacity is ABUT_CONTACT_LIST_CAPACITY.
    ///
    /// ABUT_COLLIDE_UNDECIDED leaves the pair to `adaptive`.
    ///
    /// The caller removes contacts that are not finite, and measures depths.
    void (*collide)(const AbutNarrowQuery* query);

    /// As abut_speculative_contacts(): contacts within the margin. ABUT_COLLIDE_SEPARATED with a proved gap
    /// over the margin, else ABUT_COLLIDE_UNDECIDED. Else as collide(). NULL: the method has none.
    void (*speculative)(const AbutNarrowQuery* query);

    /// True where these contacts are enough for worlds. ABUT_COLLIDE_AUTOMATIC leaves speculative contacts of
    /// other pairs to `adaptive`. NULL: all pairs.
    bool (*suits_worlds)(const AbutShape* a, const AbutShape* b);

    /// True where these contacts are the whole manifold of two convex solids: worlds keep them as anchors on
    /// both bodies with a fixed normal (dynamics/contacts/convex_contacts.h). NULL: no pair.
    bool (*has_convex_manifold)(const AbutShape* a, const AbutShape* b);

    /// For a method that divides a pair into tasks of similar size, shared by all workers of a batch. NULL:
    /// each pair of a batch is one task, done by collide().
    ///
    /// Count of tasks; 0 with the state in the output for a pair without any.
    uint32_t (*count_tasks)(const AbutNarrowQuery* query);
    AbutNarrowTask (*run_task)(const AbutNarrowQuery* query, uint32_t task);
    /// State and contacts of a pair from those of all its tasks, in their order; the contacts that stay come
    /// first. In: contact_total is the count of contacts that a device has left out, as they do not stay.
    void (*finish_tasks)(const AbutCollideSettings* settings, AbutContact* contacts, size_t count,
                         float proved_depth, AbutCollideOutput* output);

    /// For a method with tasks whose particles may walk on a device; else NULL. Particles of a task, of which
    /// the last one of a pair may have fewer; the record of a pair without the numbers of its fields and
    /// starts, and the fields, returning the count of its particles, 0 for a pair that no device can serve;
    /// and run_task() from the particles that arrived.
    uint32_t task_particles;
    uint32_t (*record_on_device)(const AbutNarrowQuery* query, GpuPair* out, const AbutShape* fields[2]);
    AbutNarrowTask (*finish_on_device)(const AbutNarrowQuery* query, const GpuHit* hits, uint32_t count);

    /// For a method of two fields that begins with dual octree traversals, which a device may do before
    /// (AbutPair.recorded); else NULL. The traversals of a query without the numbers of its fields, and what
    /// they will be found by; returns their count, at most ABUT_NARROW_OCTREES, 0 where no device can serve
    /// the pair.
    uint32_t (*record_octrees)(const AbutNarrowQuery* query, bool speculative, GpuOctreePair* out,
                               AbutRecordedOctree* recorded);
} AbutNarrowMethod;

extern const AbutNarrowMethod abut_narrow_adaptive;
extern const AbutNarrowMethod abut_narrow_particles;
extern const AbutNarrowMethod abut_narrow_gjk;
extern const AbutNarrowMethod abut_narrow_bvh;
extern const AbutNarrowMethod abut_narrow_terrain;
extern const AbutNarrowMethod abut_narrow_v_clip;
extern const AbutNarrowMethod abut_narrow_lin_canny;
extern const AbutNarrowMethod abut_narrow_primitives;
extern const AbutNarrowMethod abut_narrow_mesh_field;
extern const AbutNarrowMethod abut_narrow_hull;
extern const AbutNarrowMethod abut_narrow_swift;
extern const AbutNarrowMethod abut_narrow_cinder;
extern const AbutNarrowMethod abut_narrow_cullide;

/// The row of a method, or NULL for a number that is no method.
const AbutNarrowMethod* abut_narrow_method(AbutCollideMethod method);

/// The method of a pair: that of the settings or, for ABUT_COLLIDE_AUTOMATIC, that of the kinds of both
/// shapes, and `adaptive` where depths are asked for that it does not measure itself. NULL with a message for
/// a method that cannot serve the pair. Both shapes are given.
const AbutNarrowMethod* abut_narrow_choose(const AbutCollideSettings* settings, bool speculative,
                                           const AbutShape* a, const AbutShape* b);

/// Whether a method has depths of its own for a pair.
bool abut_narrow_measures_depth(const AbutNarrowMethod* method, const AbutShape* a, const AbutShape* b);

/// Whether the speculative contacts of a pair by the method of the settings are a convex manifold.
bool abut_narrow_has_convex_manifold(AbutCollideMethod method, const AbutShape* a, const AbutShape* b);

#endif
