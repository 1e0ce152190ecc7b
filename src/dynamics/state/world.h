/// @file world.h
/// The world: bodies, manifolds, and what the last step has left for queries. The phases of a step, in the
/// order of step.c:
///   motion bounds      state/motion_bounds.c        swept boxes, broad phase update, body pairs
///   passes             step.c                       the phases below, once or several times
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

#include "base/arena.h"
#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"
#include "dynamics/state/response.h"

#include <math.h>

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
    void* response_state; // AbutPenalty

    AbutContactStore stores[3]; // stores[current] has the last step; the others are for the passes of a step
    int current;
    AbutArena arena; // of steps; empty between them

    // Of the last step
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
