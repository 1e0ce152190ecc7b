/// @file world.h
/// What a world is made of. Read step.c first; its phases are in
///   motion_bounds.c       boxes of where bodies may be during the step, and the pairs of them
///   dynamics/contacts/manifolds.c   contacts of all pairs, in order
///   dynamics/contacts/pair_contacts.c       contacts of one pair: what lasts of the last step, and what was found beside it
///   dynamics/contacts/anchors.c         contacts of the narrow phase as points of one body in the field of the other
///   dynamics/contacts/refine_deepest.c        points to where bodies will meet
///   dynamics/contacts/update.c         gaps and normals of points, wherever bodies go
///   dynamics/contacts/reselect.c          no contact is left out that closes
///   dynamics/impulse/graph_coloring.c        which contacts may be solved at once
///   dynamics/impulse/contact_constraint.c          contacts and bodies as compact tables, and back
///   dynamics/impulse/solver.c         impulses that keep contacts from closing and surfaces from sliding
///   dynamics/impulse/restitution.c        restitution
///   dynamics/impulse/rolling_resistance.c          rolling resistance
///   dynamics/impulse/energy.c      contacts of tight pairs that last do no work
///   integrate.c     velocities and positions of bodies that move freely
///   dynamics/ccd/clamp.c          nobody gets to where nobody has looked, and thin walls not through each other
///   islands.c       who sleeps
///   events.c        touches that began, went on and ended
/// and queries.c asks about bodies between steps.
#ifndef ABUT_DYNAMICS_STATE_WORLD_H
#define ABUT_DYNAMICS_STATE_WORLD_H

#include <abut/dynamics.h>

#include "dynamics/impulse/contact_constraint.h"
#include "math/transform.h"

#include <math.h>

/// A rigid body. Solving is in double: a pile is many small differences of large numbers.
typedef struct AbutBody
{
    uint32_t generation; // odd while it is alive
    uint32_t broad_id;
    AbutBodyKind kind;
    bool asleep, never_sleeps;
    uint32_t locked; // AbutMotionLock
    AbutShape* shape;
    AbutPointSet* points;      // of the penalty response; may be NULL
    AbutPointSet* core_points; // see dynamics/ccd/core_points.h; may be NULL
    double core_depth;         // under the surface, of the one that is least deep
    bool is_thin;              // nothing that is as thick gets between its guards
    AbutMaterial material;
    void* user;
    uint64_t identity; // of all that no step changes, see snapshot.h
    float scale;
    float radius;            // of all of it about the centre of mass; infinite for shapes without end
    double surface_error;    // of its distances, proved
    double inscribed_radius; // radius of the largest ball in it, about
    double center[3];        // of mass, in the shape's frame
    double inverse_mass;
    double axis_inverse_mass
        [3]; // what a push along each axis of the world moves: the inverse mass, or 0 where it is locked
    double inertia[3][3], inverse_inertia[3][3]; // about the centre, in the shape's axes

    double position[3]; // of the centre of mass, in the world
    double rotation[4]; // x, y, z, w
    double velocity[3], angular_velocity[3];
    double force[3], torque[3];         // for the next step
    double world_inverse_inertia[3][3]; // inverse inertia in the world's axes
    double matrix[3][3];                // the rotation
    double start[3], start_rotation[4]; // position and rotation at the beginning of the step
    double travel; // how far a point of it may get in the step as it moves now, but for what it falls
    double rotation_travel; // the part of it that is not the motion of the centre
    double predicted_position[3],
        predicted_rotation[4];           // position and rotation where contacts are looked for in this round
    double predicted_rotation_vector[3]; // rotation vector from the start to there
    double remaining_rotation_travel;    // how far a point may be from there by turns and forces
    double fraction;                     // of its way in the step that it went
    double rotation_vector[3];           // that way: a rotation vector, in the world
    bool stuck;                          // could not go it at all
    bool motion_projected;               // its way was turned aside
    bool core_hit;                       // by a guard, at the end of it
    bool contact_free;                   // touches nothing in this step: moves as its forces say, exactly
    double sleep_time;                   // seconds of being slow
    bool was_asleep;                     // at the beginning of the round
} AbutBody;

/// A contact that is solved. What lasts is kept from step to step in the same place.
typedef struct AbutManifoldPoint
{
    uint64_t id;
    double normal[3]; // from B to A
    double tangent[2][3];
    double r_a[3], r_b[3];                       // from the centres, in the world
    double local_anchor_a[3], local_anchor_b[3]; // the same fixed to the bodies
    bool on_b;              // it is a point of B in the field of A, or else one of A in that of B
    bool is_plane;          // it is none: where its bodies were, they had a plane in common
    bool is_known;          // what follows was read before
    double field_normal[3]; // of the solid whose field it is in, fixed to that body
    double faced_normal[3]; // the same when it was seen last whether the two surfaces face each other
    bool faces;
    double height;        // over the surface that it is a point of, about 0
    double own_normal[3]; // of the surface that it is on, fixed to its body
    double
        curvature_radius; // radius of the surfaces against each other, where they are round: the point rolls on. 0: it stays where it is on its body
    double gap;           // where it was read last
    double separation;    // at the beginning of the step
    double normal_impulse, tangent_impulse[2]; // of the substep
    double load;                               // the normal impulse, averaged over earlier substeps
    double total_impulse;                      // of the step
} AbutManifoldPoint;

/// A contact that may be chosen (dynamics/contacts/reselect.c): what a motion of its bodies does to it.
typedef struct AbutReselectConstraint
{
    double normal[3], r_cross_n_a[3], r_cross_n_b[3];
    double target_gap; // to close
    double effective_mass, impulse;
    bool is_new;
} AbutReselectConstraint;

enum
{
    ABUT_MANIFOLD_POINTS = 64, ///< contacts of a pair, at most
    ABUT_CORE_CONTACTS = 4     ///< of which are those of guards
};

/// Two bodies that are near each other, as indices, and their contacts. See dynamics/contacts/recycle.c.
typedef struct AbutManifold
{
    uint32_t a, b;
    uint32_t generation_a, generation_b; // whose it is, should others take their places
    uint32_t first, count;               // of the points
    bool recycled;                       // still does in this step
    bool is_new;                         // found in this round, where bodies were thought to be
    uint64_t step;                       // in which it was found
    bool is_rolling;                     // its bodies were then: see dynamics/contacts/pair_contacts.c
    double margin;                       // within which contacts were looked for
    bool clearance_measured;             // in this round
    double
        clearance; // guards are at least so far from the other solid, see dynamics/ccd/core_points.h; 0: not known
    bool was_separated; // since the pair is near: solids that were put into each other are not
    double
        toi; // part of their ways, gone at once, at which guards do not keep their distance any more; < 0: not known
    double checked_fractions[2];      // parts of both for which one went on alone, and was found to be free
    bool blocked;                     // by a guard
    AbutVec3 core_point, core_normal; // that one, and the normal of the other there, in the frame of its body
    uint32_t core_point_count; // guards that were in the way, in this round or earlier: they make contacts
    AbutVec3 core_points[ABUT_CORE_CONTACTS];
    double allowed_motion; // of it in this step: the way that the two may move against each other
    double relative_position[3],
        relative_rotation[4]; // of the smaller body seen from the other, where they were found
    double friction, restitution;
    bool is_tight;   // contacts push against each other: one body is held in the other, with little play
    bool is_jammed;  // and they do so because solids were put into each other
    bool bears_load; // neither: its contacts learn what they carry
    bool solved;     // not both asleep
    bool touching;   // an overlap or an impulse
    bool touched;    // in earlier rounds of the step
    double impulse;  // of those
} AbutManifold;

/// Where the contacts of a pair that was looked at go.
typedef struct AbutPairSlot
{
    const AbutManifold* before; // of the last step, or NULL
    uint32_t manifold, first;
} AbutPairSlot;

typedef struct AbutContactStore
{
    AbutManifold* manifolds;
    size_t manifold_count, manifold_capacity;
    AbutManifoldPoint* points;
    size_t point_count, point_capacity;
} AbutContactStore;

struct AbutPenalty;

struct AbutWorld
{
    AbutHost host;
    AbutWorldDef def;
    AbutBody* bodies;
    size_t body_capacity;
    uint32_t body_count; // slots in use or free; alive ones are fewer
    uint32_t* free_slots;
    size_t free_count, free_capacity;
    uint64_t step;
    double time;

    AbutBroad* broad;
    double coordinate_bound; // largest coordinate that a body's box ever had
    AbutShape* probe;        // a sphere of radius 1
    AbutShape* mass_shape;   // the shape that was weighed last
    double inscribed_radius; // of it: the radius of the largest ball in it, about
    AbutMassData mass_properties;
    uint32_t* body_of_box; // by the broad phase's id
    size_t box_capacity;
    AbutCollider* collider;

    struct AbutPenalty* penalty; // NULL where impulses answer

    AbutContactStore stores[2]; // take turns; the current one is that of the last step
    int current;

    // Scratch that grows
    AbutCollideBody* posed;
    size_t posed_capacity;
    AbutBodyPair* pairs;
    size_t pair_capacity, pair_count;
    size_t broad_pair_count;    // pairs whose boxes meet; those of `pairs` are looked at
    double fall_distance;       // how far bodies fall in the step from rest
    double seconds;             // of the round that is being made
    uint32_t substeps;          // of it
    double prediction_fraction; // part of the ways in it after which contacts are looked for: 0 or 0.5
    bool is_last_pass;          // of the step
    AbutBody* saved;            // bodies as they were before a step of several rounds
    size_t saved_capacity;
    AbutContactStore saved_store;
    uint32_t pass;              // of the step, from 0 on
    size_t contacts_per_worker; // contacts of a pair that each worker has room for
    AbutContact* contacts;      // of a pair, to be reduced
    size_t contact_capacity;
    AbutManifoldPoint* pair_points; // of a pair
    size_t pair_point_capacity;
    AbutReselectConstraint* reselect_constraints; // of the same
    size_t reselect_capacity;
    AbutPairSlot* pair_slots; // of pairs that were looked at
    size_t pair_slot_capacity;
    uint32_t* order; // manifolds that are solved, by color, those with most contacts first
    size_t order_capacity;
    uint32_t* by_count; // the same without colors
    size_t by_count_capacity;
    AbutConstraints constraints;
    uint8_t* colors; // of manifolds
    size_t color_capacity;
    uint64_t* taken; // by body: the colors of its manifolds
    size_t taken_capacity;
    uint32_t color_first[ABUT_COLOR_COUNT + 1]; // places in `order`
    uint32_t* parents;                          // of islands
    size_t parent_capacity;
    double* sleep_times;
    size_t sleep_time_capacity;
    AbutWorldContact* published;
    size_t published_capacity, published_count;
    AbutTouchEvent* events;
    size_t event_capacity, event_count;

    uint64_t sleeping_key; // hash of the pairs that sleep, see depth.c: 0 for none
    double sleeping_depth; // upper bound of their penetration depths
};

/// Whether no component is larger than `limit`, or no number.
static inline bool abut_vec3_within(AbutVec3 v, double limit)
{
    return fabs((double)v.x) <= limit && fabs((double)v.y) <= limit && fabs((double)v.z) <= limit;
}

static inline bool abut_body_is_alive(const AbutBody* body)
{
    return (body->generation & 1u) != 0;
}

static inline bool abut_body_moves(const AbutBody* body)
{
    return body->kind == ABUT_BODY_DYNAMIC && !body->asleep;
}

/// Whether both bodies of a manifold are those that it was made for.
static inline bool abut_manifold_is_current(const AbutWorld* world, const AbutManifold* m)
{
    return world->bodies[m->a].generation == m->generation_a &&
           world->bodies[m->b].generation == m->generation_b;
}

/// NULL for an id that is no body's.
AbutBody* abut_world_body(const AbutWorld* world, AbutBodyId id);

AbutBodyId abut_world_id(const AbutWorld* world, uint32_t index);

/// The pose of the shape's frame, and that with its centre elsewhere and turned otherwise.
AbutPose abut_body_pose(const AbutBody* body);
AbutPose abut_body_pose_at(const AbutBody* body, const double position[3], const double rotation[4]);

/// Rotation as a matrix, and the inverse inertia in the world's axes from it: what torques do, with axes that are locked in mind.
void abut_body_matrix(const double rotation[4], double matrix[3][3]);
/// Of a symmetric matrix.
void abut_matrix_invert(double m[3][3], double out[3][3]);
void abut_body_refresh(AbutBody* body);

/// Volume, centre and inertia of a shape. @return ABUT_INVALID_ARGUMENT for a shape without end or volume.
AbutResult abut_dynamics_mass(const AbutShape* shape, const AbutHost* host, AbutMassData* out);

/// Sees to it that the broad phase finds a body where it stands.
void abut_world_fit_box(AbutWorld* world, uint32_t index);

/// The same, remembered for the last shape: bodies often are made many alike.
AbutResult abut_world_mass(AbutWorld* world, AbutShape* shape, AbutMassData* out);

/// Seconds of the wall clock, for reports.
double abut_world_now(void);

// Phases of a step.
AbutResult abut_world_predict(AbutWorld* world, double seconds);
AbutResult abut_world_find_contacts(AbutWorld* world, AbutCollideResults* results);
AbutResult abut_world_reserve_manifolds(AbutWorld* world, const AbutCollideResults* results);
void abut_world_make_manifolds(AbutWorld* world, const AbutCollideResults* results);
AbutResult abut_world_reserve_colors(AbutWorld* world);
void abut_world_make_colors(AbutWorld* world);
void abut_world_solve(AbutWorld* world, double seconds);
void abut_world_put_to_sleep(AbutWorld* world, double seconds);
/// Where one of the bodies that touched in the last step is awake, all of them wake.
void abut_world_wake_islands(AbutWorld* world);
void abut_world_publish_events(AbutWorld* world);
/// Between two rounds of a step: what touched is remembered for abut_world_publish_events().
void abut_world_accumulate_touches(AbutWorld* world);

void abut_body_wake(AbutBody* body);

/// All that lie on a body, or beside it, before it goes away.
void abut_world_wake_touching(AbutWorld* world, uint32_t index);

// Motion of a body.
/// Speeds that are not numbers, or too large to go on with, become ones that are not, for a step of `seconds`.
void abut_body_limit_speed(AbutBody* body, double seconds);
/// A body whose position or rotation is not finite goes back to where it was at the start of the round, and rests; speeds keep to the
/// limits of the header.
void abut_body_keep_finite(AbutBody* body);
void abut_body_integrate_velocity(AbutBody* body, AbutVec3 gravity, double seconds);
void abut_body_integrate_position(AbutBody* body, AbutVec3 gravity, double seconds);
double abut_body_energy(const AbutBody* body);

#endif
