/// @file penalty.h
/// The penalty response: continuous penalty forces, integrated over the time that points of one body are
/// inside the solid of another (Xu & Barbič, section 4; docs/penalty.md has the derivations). Phases of a
/// substep:
///   step.c           the step: prediction, contacts, solution, motion
///   points.c         surface points of shapes without points of their own
///   contact_law.c    stiffness and damping, and their stability
///   candidates.c     points near the other solid
///   contacts.c       pairs and contacts, with the tangential springs of the last substep
///   point_motion.c   the spring of one point over its motion
///   impulses.c       responses of all points
///   islands.c        groups of bodies with common contacts
///   newton.c         impulses and motions that are consistent
///   linear_solver.c  the linear system of Newton's method
///   anchors.c        state for the next substep, published contacts
#ifndef ABUT_DYNAMICS_PENALTY_PENALTY_H
#define ABUT_DYNAMICS_PENALTY_PENALTY_H

#include "dynamics/state/world.h"

enum
{
    ABUT_PENALTY_MIDPOINTS = 64, // at most, per contact interval
    ABUT_PENALTY_WARNING = 256   // bytes
};

/// Points of a shape, shared by its bodies.
typedef struct AbutPointCache
{
    AbutShape* shape;
    AbutPointSet* points;
    uint32_t users;
} AbutPointCache;

/// Pose of a body: centre of mass and rotation.
typedef struct AbutPenaltyFrame
{
    AbutDVec3 position;
    AbutDMat3 matrix;
} AbutPenaltyFrame;

/// State of a body beside AbutBody. Wrenches: force and torque about the centre of mass, or their impulses.
typedef struct AbutPenaltyBody
{
    double force[6];          // contact force of the last substep; persistent
    double sleep_impulse[6];  // impulse of the contacts it slept on, in the substep that wakes it
    bool woken;               // in this substep
    double impulse[6];        // contact impulse of this substep, the unknown of Newton's method
    double spring_impulse[6]; // impulse of the springs over the motion of `impulse`; equal at the solution
    AbutPenaltyFrame start, middle, end;
} AbutPenaltyBody;

/// Springs of a pair.
typedef struct AbutPenaltyLaw
{
    double stiffness, damping;                       // normal, per point
    double tangential_stiffness, tangential_damping; // per point
    double friction;
    double target_stiffness;    // total stiffness for AbutPenaltySettings.depth
    double max_total_stiffness; // of all points, for a stable step
    double reduced_mass;
} AbutPenaltyLaw;

typedef struct AbutPenaltyPair
{
    uint32_t a, b;
    size_t first, count;   // contacts
    size_t response_count; // contacts that touch; their responses start at `first`
    AbutPenaltyLaw law;
    AbutPenaltyFrame start[2]; // by side: carrier of the points relative to the solid, at the start
    AbutPenaltyFrame ends[2];  // of A and B at the last evaluation
    double damping, stiffness; // at the last evaluation
    bool is_evaluated;
    double sum[2][6];    // by side: sum of impulses, and moment about the centre of mass of the solid
    AbutDVec3 origin;    // of twists and wrenches of the pair
    double matrix[6][6]; // derivative of the impulse by the relative twist, negated
} AbutPenaltyPair;

/// Sample of a shape at a position in its frame.
typedef struct AbutPenaltySample
{
    float at[3], distance, gradient[3];
} AbutPenaltySample;

/// A candidate point of a substep.
typedef struct AbutPenaltyContact
{
    uint32_t side; // 0: point of A in the solid of B
    uint32_t point;
    bool is_old;                 // inside at the end of the last substep
    AbutDVec3 r;                 // from the centre of mass, in the axes of its body
    AbutDVec3 tangential_spring; // at the start, in the solid's axes
    AbutPenaltySample sample;    // the last one near the middle of its motion
    bool is_sampled;             // `sample` is valid
} AbutPenaltyContact;

/// Response of the spring of a point over a substep, in world axes unless said otherwise.
typedef struct AbutPenaltyResponse
{
    size_t contact;
    AbutDVec3 impulse; // on the carrier of the point; the solid gets the opposite
    AbutDVec3 moment;  // of the impulse, about the centre of mass of the solid
    AbutDVec3 position, normal;
    double normal_impulse;
    double impulse_derivative[2]; // by velocity, negated: normal, tangential
    AbutDVec3 tangential_spring;  // at the end, in the solid's axes
    double max_depth;             // of the substep
    double inside;                // time inside, as a fraction of the substep
    double energy;                // of the spring at the end
    bool persists;                // inside at the end
} AbutPenaltyResponse;

/// Candidate points of a pair, complete while no point is further than `margin` from its reference position.
typedef struct AbutPenaltyCandidates
{
    bool is_known;
    double margin;
    AbutPenaltyFrame reference[2]; // by side, as AbutPenaltyPair.start
    uint32_t* points;              // sorted; those of B with ABUT_PENALTY_SIDE_B
    size_t count, capacity;        // a count over the capacity: the list is incomplete
} AbutPenaltyCandidates;

/// Bodies that may touch each other. Rows of its linear system: its moving bodies, in order.
typedef struct AbutPenaltyIsland
{
    uint32_t first_row, row_count;
    uint32_t first_pair, pair_count; // in island_pairs
    bool is_unconverged;             // Newton's method ended without a solution
} AbutPenaltyIsland;

#define ABUT_PENALTY_SIDE_B 0x80000000u

/// Persistent state of a contact: its tangential spring.
typedef struct AbutPenaltyAnchor
{
    uint32_t a, b, side, point;
    AbutDVec3 tangential_spring;
} AbutPenaltyAnchor;

/// A contact over all substeps of a step.
typedef struct AbutPenaltyRecord
{
    uint32_t a, b, side, point;
    AbutDVec3 position, normal;
    double max_depth, impulse;
} AbutPenaltyRecord;

#define ABUT_PENALTY_ARRAY(type, name)                                                                       \
    type* name;                                                                                              \
    size_t name##_count, name##_capacity

/// State of the penalty response.
typedef struct AbutPenalty
{
    ABUT_PENALTY_ARRAY(AbutPointCache, caches);
    ABUT_PENALTY_ARRAY(AbutPenaltyBody, bodies); // by the body's index
    ABUT_PENALTY_ARRAY(AbutPenaltyAnchor, anchors);

    // Scratch of a step
    ABUT_PENALTY_ARRAY(AbutPenaltyRecord, records);
    ABUT_PENALTY_ARRAY(AbutPenaltyRecord, next_records);
    // Scratch of a substep
    ABUT_PENALTY_ARRAY(AbutBody, ends); // bodies at its end
    ABUT_PENALTY_ARRAY(AbutPenaltyPair, pairs);
    ABUT_PENALTY_ARRAY(uint64_t, keys);
    ABUT_PENALTY_ARRAY(AbutPenaltyCandidates, candidates); // by pair
    ABUT_PENALTY_ARRAY(AbutPenaltyContact, contacts);
    ABUT_PENALTY_ARRAY(AbutPenaltyResponse, responses); // by pair, in the capacity of its contacts
    ABUT_PENALTY_ARRAY(AbutPenaltyAnchor, next_anchors);
    ABUT_PENALTY_ARRAY(AbutPenaltyIsland, islands);
    ABUT_PENALTY_ARRAY(uint32_t, island_pairs);
    ABUT_PENALTY_ARRAY(uint32_t, row_bodies);
    ABUT_PENALTY_ARRAY(uint32_t, rows);  // by body, or ABUT_PENALTY_NO_ROW
    ABUT_PENALTY_ARRAY(uint32_t, marks); // by body: its island
    ABUT_PENALTY_ARRAY(double, vectors); // of the linear solver, by rows

    double seconds;      // of a substep that is not halved, for automatic stiffness
    bool is_unconverged; // some island is
    uint32_t stiff_count;
    double energy;
    char warning[ABUT_PENALTY_WARNING];
} AbutPenalty;

#define ABUT_PENALTY_NO_ROW UINT32_MAX

/// Of a world with the penalty response.
static inline AbutPenalty* abut_penalty(const AbutWorld* world)
{
    return world->response_state;
}

/// Grows an array of AbutPenalty.
#define ABUT_PENALTY_GROW(world, name, needed)                                                               \
    abut_memory_grow(&(world)->host, (void**)&abut_penalty(world)->name,                                     \
                     &abut_penalty(world)->name##_capacity, (needed), sizeof(*abut_penalty(world)->name))

/// Memory for AbutPenalty.bodies. False without memory.
bool abut_penalty_reserve_bodies(AbutWorld* world);

#endif
