/// @file contact.h
/// Contacts of two solids, and their reduction.
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A contact of two bodies A and B, in the frame of A.
typedef struct AbutContact
{
    /// In both solids, or outside by no more than the tolerance and half of the margin.
    AbutVec3 position;
    /// Unit, outward of B: the gradient of B's distance, which is the normal of B's surface at the nearest
    /// point, in the cone of its normals at an edge. Between several nearest points (within about a cell of a
    /// field) the normal of one of them. docs/contacts.md has the rate of wrong normals of fields. Zero where
    /// B has no gradient.
    AbutVec3 normal;
    /// Inside of both, the smaller of the two distances. Across a gap, or outside of one of the two by the
    /// tolerance, the sum of both: a lower bound of the length of a segment from A to B through the contact.
    /// (Particles without a margin have the smaller distance there, too.) Of closed forms and convex shapes
    /// the distance of the two surfaces along the normal, so that it is minus the penetration depth.
    float separation;
    /// The penetration depth along the normal where the settings ask for it (`measure_depth`), else 0. The
    /// line through the contact along its normal has an interval in A and an interval in B around the
    /// contact, or around the nearest common point of the line where the contact is outside of one by the
    /// tolerance. A displacement of A by `depth` along the normal (or of B against it) separates these
    /// intervals. 0 across a gap.
    float depth;
    /// With `depth`: proved error bound of `depth` and `shared_length`. Infinite without a proof, where both
    /// come from samples alone: no point is proved to be in both (contacts shallower than the error of a
    /// field), the line does not leave a solid (`depth` is a lower bound), or it misses the common region by
    /// the tolerance (`depth` is that of a parallel line).
    float depth_error;
    float shared_length; ///< with `depth`: the common length of the two intervals; at most `depth`
    AbutVec3 anchor_a;   ///< nearest point of A's surface, in A's own frame
    AbutVec3 anchor_b;   ///< nearest point of B's surface, in B's own frame
    /// The cell of the contact grid, fixed to A, of the contact before refinement: at most one contact per
    /// cell. The deepest contacts are then refined to the deepest point, which may be in another cell, and
    /// keep their ids.
    uint64_t id;
} AbutContact;

/// The result of a reduction. Model: a force along the normal of each contact, proportional to its depth (all
/// equal where no contact is deep); the forces of the kept contacts are scaled to the same sum of magnitudes.
/// force_change is the change of the total force, divided by that sum; torque_change is the change of the
/// total torque about the middle of the set, divided by that sum times the radius of the set.
typedef struct AbutReduction
{
    uint32_t kept_count;
    uint32_t dropped_count;
    float force_change;  ///< from 0 to 2
    float torque_change; ///< from 0 to 2
} AbutReduction;

/// Chooses `keep` contacts that represent all `count` (under 2³¹): the deepest one, and the widest support
/// (docs/contacts.md, "Reduction"). Most solvers have manifolds of 4. The kept contacts come first, sorted by
/// id, then the others; the result depends on the set alone, not on its order. Contacts with numbers that are
/// not finite are dropped first. Needs no memory; time grows with count · keep.
ABUT_API AbutReduction abut_contacts_reduce(AbutContact* contacts, uint32_t count, uint32_t keep);

#ifdef __cplusplus
}
#endif

#endif
