/// @file contact.h
/// Where two solids touch.
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One touch of two bodies A and B, in the frame of A.
typedef struct AbutContact
{
    /// In both solids, or outside by no more than the tolerance and half of the margin.
    AbutVec3 position;
    /// Unit, outward of B: the gradient of B's distance, which is the normal of B's surface at the nearest
    /// point, in the cone of its normals at an edge. Where parts of the surface are equally near (within
    /// about a cell of a field) it is that of one of them. docs/contacts.md says how often a field gets it
    /// wrong. Zero where B has no gradient.
    AbutVec3 normal;
    /// Inside of both, the smaller of the two distances. Across a gap, or outside of one of the two by the
    /// tolerance, the sum of both: no segment from A to B through the contact is shorter. (Particles that
    /// were sent without a margin have the smaller one there, too.)
    float separation;
    /// Where asked for (AbutCollideSettings.depth), else 0: the penetration depth along the normal. Of the
    /// line through the contact along its normal, take the part in A and the part in B that hold the contact,
    /// or the nearest point of both on the line where it stands outside of one by the tolerance: when A moves
    /// by `depth` along the normal (or B against it), these parts come apart. 0 across a gap.
    float depth;
    /// With `depth`, proved: there are such parts, and `depth` and `shared` are off by no more than this.
    /// Infinite where nothing is proved, and they are what samples tell: no point is proved to be in both
    /// (contacts shallower than the error of a field), the line does not leave a solid (`depth` is a lower
    /// bound then), or it misses what both share by the tolerance (`depth` is of a line beside it then).
    float depth_error;
    float shared;      ///< with `depth`: the length that the two parts have in common; at most `depth`
    AbutVec3 anchor_a; ///< nearest point of A's surface, in A's own frame
    AbutVec3 anchor_b; ///< nearest point of B's surface, in B's own frame
    /// The cube of space, fixed to A, that it was found in: at most one contact each. The deepest of each
    /// surroundings then slide to the deepest point, which may be in another cube, and keep their ids.
    uint64_t id;
} AbutContact;

/// What became of a set of contacts that was reduced. Let a force act along the normal of each contact, as large as
/// the contact is deep (all alike where none is deep), and let those of the kept ones grow until the sum of the sizes is
/// what it was. The changes are what this does to the total force, as a part of the sum of sizes, and to the total torque about
/// the middle of the set, as a part of the sum of sizes times the radius of the set.
typedef struct AbutReduction
{
    int kept;
    int left_out;
    float force_change;  ///< from 0 to 2
    float torque_change; ///< from 0 to 2
} AbutReduction;

/// Chooses `keep` contacts that can stand for all of them: the deepest one, and those that hold the bodies against the most
/// pushes and turns (docs/contacts.md, "Fewer contacts"). 4 fit the manifolds of most solvers. The kept ones come first,
/// sorted by id, and the others after them; all of it depends on the set alone, not on the order that it came in. Contacts with
/// numbers that are not finite are left out first. Any `count`; needs no memory; time grows with count · keep.
ABUT_API AbutReduction abut_contacts_reduce(AbutContact* contacts, int count, int keep);

#ifdef __cplusplus
}
#endif

#endif
