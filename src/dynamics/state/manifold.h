/// @file manifold.h
/// Contact points, manifolds and their store. Snapshots hold the bytes of AbutManifold and AbutManifoldPoint:
/// the order of their members is part of the snapshot format.
#ifndef ABUT_DYNAMICS_STATE_MANIFOLD_H
#define ABUT_DYNAMICS_STATE_MANIFOLD_H

#include <abut/dynamics.h>

#include "math/dquat.h"

enum
{
    ABUT_MANIFOLD_POINTS = 64, ///< capacity of a manifold
    ABUT_CORE_CONTACTS = 4     ///< capacity for contacts of core points, within it
};

/// Gap of an inactive contact: one whose surfaces do not face each other (`faces` is false, see
/// contacts/update.c). Past every margin, so that no selection, solver or clamp sees it closing, and finite,
/// so that gap / time of the solver stays finite and snapshots stay valid. The state itself is `faces`; the
/// length is its form in `gap` and `separation`, which are hashed and published.
#define ABUT_CONTACT_INACTIVE_GAP 1e6

/// A contact point: an anchor on one body in the field of the other, or an anchor on each of two convex
/// solids, warm-started from step to step.
typedef struct AbutManifoldPoint
{
    uint64_t id;
    AbutDVec3 normal; // from B to A
    AbutDVec3 tangent[2];
    AbutDVec3 r_a, r_b;                       // from the centres of mass, in the world
    AbutDVec3 local_anchor_a, local_anchor_b; // the same, fixed to the bodies
    bool on_b;                                // anchor on B in the field of A; else on A in that of B
    bool is_plane;                            // no anchor: a common plane, fixed to B
    bool is_known;                            // the members that follow are valid
    bool is_convex;            // anchors on both bodies, normal fixed to A if `on_b`, else to B
    AbutDVec3 field_normal;    // of the solid of the field, fixed to that body
    AbutDVec3 faced_normal;    // field normal of the last facing test
    bool faces;                // whether the two surfaces face each other
    double height;             // what is added to the distance in the other's field: about 0 but at edges
    double erosion;            // distance of the anchor in its own field, less `height`
    AbutDVec3 own_normal;      // of the surface of the anchor, fixed to its body
    double curvature_radius;   // relative, of round surfaces: the anchor rolls on; 0: a fixed anchor
    double radius_a, radius_b; // convex: of the roundings around the anchors
    double gap;                // at the last update
    double separation;         // at the start of the step
    double normal_impulse;     // of the substep
    double tangent_impulse[2];
    double load;          // normal impulse, averaged over earlier substeps
    double total_impulse; // normal impulse of the step
} AbutManifoldPoint;

/// Two bodies in proximity, as indices with a < b, and their contact points. See contacts/recycle.h.
typedef struct AbutManifold
{
    uint32_t a, b;
    uint32_t generation_a, generation_b; // of the bodies at detection
    uint32_t first, count;               // of the points
    bool recycled;                       // valid for this pass without detection
    bool is_new;                         // detected in this pass, at the predicted poses
    uint64_t step;                       // of the detection
    bool is_rolling;                     // detected with rolling points (contacts/pair_contacts.c)
    bool is_convex;                      // two convex solids (contacts/convex_contacts.h)
    double margin;                       // of the detection
    bool clearance_measured;             // in this pass
    double clearance;                 // proved distance of the core points from the other solid; 0: unknown
    bool was_separated;               // at some time of the proximity: false for bodies created in overlap
    double toi;                       // common fraction of the motions that keeps the clearance; < 0: unknown
    double checked_fractions[2];      // fractions whose remainder, of one body alone, was tested and is free
    bool blocked;                     // by a core point
    AbutVec3 core_point, core_normal; // that point and the other's normal there, in the frame of its body
    uint32_t core_point_count;        // recorded core points, with contacts of their own
    AbutVec3 core_points[ABUT_CORE_CONTACTS];
    double allowed_motion;       // relative motion in this pass for which the contacts are complete
    AbutDVec3 relative_position; // pose of the smaller body relative to the other at detection
    AbutDQuat relative_rotation; // ...
    double friction, restitution;
    bool is_tight;   // opposing contacts: one body inside the other with little play
    bool is_jammed;  // tight and deep: solids created in overlap
    bool bears_load; // neither: its contacts have a load
    bool solved;     // not both asleep
    bool touching;   // penetration or an impulse
    bool touched;    // in earlier passes of the step
    double impulse;  // of earlier passes of the step
    double slide;    // of loaded contacts since the pair was apart; see impulse/energy.c
    double sink;     // mean depth of the loaded contacts, smoothed; see impulse/energy.c
} AbutManifold;

/// Manifolds sorted by (a, b), and their points in the same order.
typedef struct AbutContactStore
{
    AbutManifold* manifolds;
    size_t manifold_count, manifold_capacity;
    AbutManifoldPoint* points;
    size_t point_count, point_capacity;
} AbutContactStore;

/// The manifold of the last step, or NULL.
AbutManifold* abut_world_last_manifold(const AbutWorld* world, uint32_t a, uint32_t b);

/// Whether both bodies of a manifold are those of its detection.
bool abut_manifold_is_current(const AbutWorld* world, const AbutManifold* m);

/// Whether some point is deeper than `depth`.
bool abut_contacts_are_deep(const AbutManifoldPoint* points, uint32_t count, double depth);

#endif
