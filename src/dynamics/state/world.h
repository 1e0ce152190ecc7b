/// @file world.h
/// The world: bodies, manifolds, and the scratch of a step. The phases of a step, in the order of step.c:
///   motion bounds      state/motion_bounds.c        swept boxes, broad phase update, body pairs
///   passes             impulse/impulse.c            the phases below, once or several times
///   recycling          contacts/find_contacts.c     pairs whose manifolds are still valid (recycle.c)
///   narrow phase       contacts/find_contacts.c     contacts of all other pairs
///   manifolds          contacts/manifolds.c         manifolds of all pairs, in order
///                      contacts/pair_contacts.c     points of one pair: recycled and detected
///                      contacts/anchors.c           contacts of the narrow phase as anchors
///                      contacts/refine_deepest.c    anchors at the points that will be deepest
///                      contacts/update.c            gaps and normals of anchors at the present poses
///                      contacts/reselect.c          exchange of reduced contacts that would close
///   graph colouring    impulse/graph_coloring.c     constraints without a common body
///   solver             impulse/contact_constraint.c wide constraints of manifolds
///                      impulse/solver.c             substeps: warm start, solve, integrate, relax
///                      impulse/restitution.c        restitution
///                      impulse/rolling_resistance.c rolling resistance
///                      impulse/energy.c             energy of tight pairs
///                      state/integrate.c            velocities and positions
///   continuous collision  ccd/clamp.c               fractions of motions, core points
///   islands            state/islands.c              sleep
///   events             state/events.c               touch events and published contacts
/// Those from passes to continuous collision are the impulse response; the penalty response
/// (penalty/penalty.h) has phases of its own. state/response.h is the interface of both.
#ifndef ABUT_DYNAMICS_STATE_WORLD_H
#define ABUT_DYNAMICS_STATE_WORLD_H

#include <abut/dynamics.h>

#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"
#include "dynamics/state/response.h"

#include <math.h>

struct AbutPairSlot;
struct AbutReselectConstraint;

struct AbutWorld
{
    AbutHost host;
    AbutWorldDef def;
    AbutBody* bodies;
    size_t body_capacity;
    uint32_t body_count; // slots, in use or free
    uint32_t* free_slots;
    size_t free_count, free_capacity;
    uint64_t step;
    double time;

    AbutBroad* broad;
    double coordinate_bound; // largest coordinate of all boxes so far
    AbutShape* probe;        // a sphere of radius 1
    AbutShape* mass_shape;   // shape of the mass properties below: those of the last new body
    double inscribed_radius;
    AbutMassData mass_properties;
    uint32_t* body_of_box; // by the id of the broad phase
    size_t box_capacity;
    AbutCollider* collider;

    const AbutResponseTable* response;
    void* response_state; // AbutImpulse, AbutPenalty

    AbutContactStore stores[2]; // stores[current] has the last step; they alternate
    int current;

    // The pass
    uint32_t pass;              // of the step, from 0
    bool is_last_pass;          // of the step
    double seconds;             // of the pass
    uint32_t substeps;          // of the pass
    double prediction_fraction; // of the motion of the pass, at which contacts are detected: 0 or 0.5
    double fall_distance;       // free fall from rest in the pass

    // Scratch, grown on demand
    AbutCollideBody* posed;
    size_t posed_capacity;
    AbutBodyPair* pairs; // for the narrow phase
    size_t pair_capacity, pair_count;
    size_t broad_pair_count; // pairs of the broad phase, recycled ones included
    bool has_tight;          // some manifold of the last pass is tight
    AbutBody* saved;         // bodies before a step of several passes
    size_t saved_capacity;
    AbutContactStore saved_store;
    size_t contacts_per_worker; // capacity of the three arrays that follow, for each worker
    AbutContact* contacts;
    size_t contact_capacity;
    AbutManifoldPoint* pair_points;
    size_t pair_point_capacity;
    struct AbutReselectConstraint* reselect_constraints;
    size_t reselect_capacity;
    struct AbutPairSlot* pair_slots; // by pair of the narrow phase
    size_t pair_slot_capacity;
    uint32_t* parents; // union-find of islands
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

/// Whether all components are numbers of at most `limit`.
static inline bool abut_vec3_within(AbutVec3 v, double limit)
{
    return fabs((double)v.x) <= limit && fabs((double)v.y) <= limit && fabs((double)v.z) <= limit;
}

#endif
