/// @file contact.h
/// Where two solids touch.
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include <abut/base.h>
#include <abut/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One touch of two bodies A and B, in the frame of A.
typedef struct AbutContact
{
    AbutVec3 position;
    AbutVec3 normal; ///< unit, outward of B
    float
        separation; ///< the smaller of the two distances: negative inside. Between solids apart: their gap there.
    float depth; ///< where asked for: how much of the line along the normal both solids share here; else 0
    AbutVec3 anchor_a; ///< nearest point of A's surface, in A's own frame
    AbutVec3 anchor_b; ///< nearest point of B's surface, in B's own frame
    uint64_t id;       ///< the cell of space, fixed to A, that it stands in: at most one contact each
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
