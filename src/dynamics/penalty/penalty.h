/// @file penalty.h
/// Springs that push points of one body out of the solid of another, integrated over the time that they are inside
/// (Xu & Barbič, section 4; docs/penalty.md has the derivations). In the order of a step:
///   penalty.c          the step: guess, find, solve, move
///   points.c   points of bodies that bring none
///   contact_law.c      stiffness and damping, and steps that are too large for them
///   candidates.c     points that are near enough to touch
///   contacts.c     contacts: pairs, points that may touch, what the last step knows of them
///   point_motion.c      what the spring of one point does on its way
///   impulses.c     what the springs of all points do over the step
///   islands.c  what is solved together
///   newton.c    forces and ways that fit each other
///   linear_solver.c   the linear problem of that
///   anchors.c     what is kept for the next step, and what is shown of this one
#ifndef ABUT_DYNAMICS_PENALTY_PENALTY_H
#define ABUT_DYNAMICS_PENALTY_PENALTY_H

#include "dynamics/state/world.h"

enum
{
    ABUT_PENALTY_MIDPOINTS = 64, // at most, per contact interval
    ABUT_PENALTY_WARNING = 256   // bytes
};

/// The points of a shape, for all bodies that have it.
typedef struct AbutPointCache
{
    AbutShape* shape;
    AbutPointSet* points;
    uint32_t users;
} AbutPointCache;

/// Where a body is at some time of the step: its centre of mass, and its axes.
typedef struct AbutPenaltyFrame
{
    double position[3];
    double matrix[3][3];
} AbutPenaltyFrame;

/// What belongs to a body beside AbutBody. Wrenches are force and torque about the centre of mass, or their impulses.
typedef struct AbutPenaltyBody
{
    double force[6];          // of contacts over the last step; kept
    double sleep_impulse[6];  // impulse of contacts that it slept on, in the step that wakes it
    bool woken;               // in this step
    double impulse[6];        // impulse of contacts over this step, as far as it is known
    double spring_impulse[6]; // impulse that the springs have on the way that the kick leads to
    AbutPenaltyFrame start, middle, end;
} AbutPenaltyBody;

/// The springs of a pair.
typedef struct AbutPenaltyLaw
{
    double stiffness, damping;                       // along the normal
    double tangential_stiffness, tangential_damping; // along the surface
    double friction;
    double target_stiffness;    // stiffness that the depth asks for
    double max_total_stiffness; // of all points of the contact
    double reduced_mass;        // of the two, reduced
} AbutPenaltyLaw;

typedef struct AbutPenaltyPair
{
    uint32_t a, b;
    size_t first, count;   // contacts
    size_t response_count; // contacts that touch: their pushes are those from `first` on
    AbutPenaltyLaw law;
    AbutPenaltyFrame start[2]; // by side: of the points' body in the axes of the solid's, about its centre
    AbutPenaltyFrame ends[2];  // of A and B when they were pushed last, with ...
    double damping, stiffness; // ... these
    bool is_evaluated;
    double sum[2][6]; // by side: impulse of all pushes, and its moment about the centre of the solid's body
    double origin[3]; // of twists and wrenches of the pair
    double matrix[6][6]; // impulse that the contacts lose when the relative twist grows
} AbutPenaltyPair;

/// What a shape says at a place in its frame.
typedef struct AbutPenaltySample
{
    float at[3], distance, gradient[3];
} AbutPenaltySample;

/// A point that may touch in the step.
typedef struct AbutPenaltyContact
{
    uint32_t side; // 0: point of A in the solid of B
    uint32_t point;
    bool is_old;                 // touched at the end of the last step
    double r[3];                 // from the centre of mass, in the axes of its body
    double tangential_spring[3]; // of friction's spring at the beginning, in the solid's axes
    AbutPenaltySample sample;    // the last one near the middle of its way
    bool is_sampled;             // there was one
} AbutPenaltyContact;

/// What the spring of a point that touches does over the step. World axes, unless said otherwise.
typedef struct AbutPenaltyResponse
{
    size_t contact;
    double impulse[3]; // on the point's body; the solid's gets the opposite
    double moment[3];  // of it, about the centre of the solid's body
    double position[3], normal[3];
    double normal_impulse;
    double impulse_derivative[2]; // impulse lost per speed gained: along the normal, along the surface
    double tangential_spring[3];  // of friction's spring at the end, in the solid's axes
    double max_depth;             // of the step
    double inside;                // time, as a part of the step
    double energy;                // of the spring at the end
    bool persists;                // is inside at the end
} AbutPenaltyResponse;

/// The points of a pair that may touch while none is further than `margin` from where it was seen.
typedef struct AbutPenaltyCandidates
{
    bool is_known;
    double margin;
    AbutPenaltyFrame reference[2]; // by side, as AbutPenaltyPair.start
    uint32_t* points;              // in order; those of B with ABUT_PENALTY_SIDE_B
    size_t count, capacity;        // found; room
} AbutPenaltyCandidates;

/// Bodies that may touch each other, and no others: rows are bodies that move, by their order.
typedef struct AbutPenaltyIsland
{
    uint32_t first_row, row_count;
    uint32_t first_pair, pair_count; // in island_pairs
    bool is_unconverged;             // the iteration ended before forces and ways fitted
} AbutPenaltyIsland;

#define ABUT_PENALTY_SIDE_B 0x80000000u

/// What lasts of a contact: the stretch of friction's spring.
typedef struct AbutPenaltyAnchor
{
    uint32_t a, b, side, point;
    double tangential_spring[3];
} AbutPenaltyAnchor;

/// A contact of the whole step, over all substeps.
typedef struct AbutPenaltyRecord
{
    uint32_t a, b, side, point;
    double position[3], normal[3];
    double max_depth, impulse;
} AbutPenaltyRecord;

#define ABUT_PENALTY_ARRAY(type, name)                                                                       \
    type* name;                                                                                              \
    size_t name##_count, name##_capacity

/// What a world keeps for this response.
typedef struct AbutPenalty
{
    ABUT_PENALTY_ARRAY(AbutPointCache, caches);
    ABUT_PENALTY_ARRAY(AbutPenaltyBody, bodies); // by the body's index
    ABUT_PENALTY_ARRAY(AbutPenaltyAnchor, anchors);

    // Scratch of a step
    ABUT_PENALTY_ARRAY(AbutBody, before); // bodies when it began, for going back
    ABUT_PENALTY_ARRAY(AbutPenaltyBody, bodies_before);
    ABUT_PENALTY_ARRAY(AbutPenaltyAnchor, anchors_before);
    ABUT_PENALTY_ARRAY(AbutPenaltyRecord, records);
    ABUT_PENALTY_ARRAY(AbutPenaltyRecord, next_records);
    // ... of a substep
    ABUT_PENALTY_ARRAY(AbutBody, ends); // bodies where their kicks lead
    ABUT_PENALTY_ARRAY(AbutPenaltyPair, pairs);
    ABUT_PENALTY_ARRAY(uint64_t, keys);
    ABUT_PENALTY_ARRAY(AbutPenaltyCandidates, candidates); // at least one per pair, in their order
    ABUT_PENALTY_ARRAY(AbutPenaltyContact, contacts);
    ABUT_PENALTY_ARRAY(AbutPenaltyResponse,
                       responses); // room for one per contact; AbutPenaltyPair says which are there
    ABUT_PENALTY_ARRAY(AbutPenaltyAnchor, next_anchors);
    ABUT_PENALTY_ARRAY(AbutPenaltyIsland, islands);
    ABUT_PENALTY_ARRAY(uint32_t, island_pairs);
    ABUT_PENALTY_ARRAY(uint32_t, row_bodies);
    ABUT_PENALTY_ARRAY(uint32_t, rows);  // of bodies, or none
    ABUT_PENALTY_ARRAY(uint32_t, marks); // while islands are found
    ABUT_PENALTY_ARRAY(double, vectors); // of the linear solver, by rows

    double seconds;      // of a substep that is not halved: what automatic stiffness is for
    bool is_unconverged; // some island is
    uint32_t stiff_count;
    double energy;
    char warning[ABUT_PENALTY_WARNING];
} AbutPenalty;

#define ABUT_PENALTY_NO_ROW UINT32_MAX

/// Grows an array of a world's penalty.
#define ABUT_PENALTY_GROW(world, name, needed)                                                               \
    abut_memory_grow(&(world)->host, (void**)&(world)->penalty->name, &(world)->penalty->name##_capacity,    \
                     (needed), sizeof(*(world)->penalty->name))

AbutPenaltySettings abut_penalty_settings(void);
AbutResult abut_penalty_check(const AbutPenaltySettings* settings);

AbutResult abut_penalty_create(AbutWorld* world);
void abut_penalty_destroy(AbutWorld* world);

/// Gives a new body its points, where the world answers with springs: those of its def, or of its shape.
AbutResult abut_penalty_attach_points(AbutWorld* world, const AbutBodyDef* def, AbutBody* body);
void abut_penalty_release_points(AbutWorld* world, AbutBody* body);

/// Forgets what lasted of a body's contacts: it is new, gone, or elsewhere.
void abut_penalty_reset_body(AbutWorld* world, uint32_t index);

/// Moves the bodies by a step, and makes its contacts ready for abut_penalty_store_manifolds(). Adds wall times of finding pairs,
/// finding contacts and solving. When it fails, abut_penalty_undo() makes the world as it was.
AbutResult abut_penalty_step(AbutWorld* world, double seconds, double spent[3]);
void abut_penalty_store_manifolds(AbutWorld* world);
void abut_penalty_undo(AbutWorld* world);

/// Bytes of what later steps depend on, for snapshots.
size_t abut_penalty_state_size(const AbutWorld* world);
void abut_penalty_save(const AbutWorld* world, void* data);
uint64_t abut_penalty_hash(const AbutWorld* world, uint64_t hash);
/// ABUT_INVALID_DATA for bytes that are none.
AbutResult abut_penalty_restore(AbutWorld* world, const void* data, size_t size);

// ---------------------------------------------------------------------------------------------------------------------
// Phases of a substep
// ---------------------------------------------------------------------------------------------------------------------

/// Damping ratio of a spring that gives back `restitution` of the speed when it may not pull; at most 1.
double abut_penalty_damping_ratio(double restitution);

/// Springs of a pair.
AbutPenaltyLaw abut_penalty_law(const AbutWorld* world, const AbutBody* a, const AbutBody* b, double seconds);

/// What falls to each of the points that share the contacts of a pair, as pushes tell: how many are inside at a time.
void abut_penalty_share(AbutWorld* world, size_t pair, double seconds);

/// Counts pairs that are too stiff for the step and words the warning.
void abut_penalty_check_stability(AbutWorld* world, double seconds);

/// Room for what belongs to each body. False without memory.
bool abut_penalty_reserve_bodies(AbutWorld* world);

/// Takes over the pairs of the broad phase that points can tell something about, in order.
AbutResult abut_penalty_make_pairs(AbutWorld* world);

/// An empty list of near points for each pair.
AbutResult abut_penalty_reserve_candidates(AbutWorld* world);

/// Collects the near points of pairs whose ways lead beyond what is known.
AbutResult abut_penalty_collect_candidates(AbutWorld* world);

/// Whether all points that touch on the ways of the bodies are collected.
bool abut_penalty_is_collected(const AbutWorld* world);

void abut_penalty_free_candidates(AbutWorld* world);

/// Makes contacts of all points that may touch on the ways of the bodies.
AbutResult abut_penalty_find_contacts(AbutWorld* world);

/// Wakes bodies that are met.
void abut_penalty_wake(AbutWorld* world, double seconds);

/// Where one body is in the axes of another, about the other's centre.
AbutPenaltyFrame abut_penalty_relative_frame(const AbutPenaltyFrame* body, const AbutPenaltyFrame* solid);

/// What the springs of a pair's contacts do on the bodies' ways; of all pairs.
void abut_penalty_integrate_pair(const AbutWorld* world, size_t pair, double seconds);
void abut_penalty_integrate(AbutWorld* world, double seconds);

/// Adds what the springs of a pair do to `spring_impulse` of its bodies that move.
void abut_penalty_gather(AbutWorld* world, const AbutPenaltyPair* pair);

AbutResult abut_penalty_find_islands(AbutWorld* world);

/// Finds kicks whose ways have the same kicks, by islands. Moves the bodies' ends along.
AbutResult abut_penalty_reserve_solver(AbutWorld* world);
void abut_penalty_solve(AbutWorld* world, double seconds);

/// Where the kicks lead a body: half of them before the way, half after it.
void abut_penalty_move_body(AbutWorld* world, uint32_t index, double seconds);

/// Room for, and then: anchors for the next step, and records of this one.
AbutResult abut_penalty_reserve_anchors(AbutWorld* world);
void abut_penalty_store_anchors(AbutWorld* world);

/// Room for what abut_penalty_store_manifolds() fills.
AbutResult abut_penalty_reserve_manifolds(AbutWorld* world);

#endif
