/// @file deep_normals.h
/// Normals and anchors of contacts deep in a field, where its gradient is not that of a distance.
///
/// The gradient of a distance jumps at the medial axis, where two points of the surface are equally near. A
/// field blends the nodes on both sides of the jump: the gradient gets short, with the direction of neither.
/// One cell away from the contact gradients are long again and lead to the surface; of the feet found from
/// there the nearest one has the normal and is the anchor.
#ifndef ABUT_NARROW_CONTACTS_DEEP_NORMALS_H
#define ABUT_NARROW_CONTACTS_DEEP_NORMALS_H

#include <abut/contact.h>

#include "contact/contact_grid.h"

/// Contacts, and the candidates of the cells with their ids.
void abut_narrow_correct_normals(AbutPair* pair, const AbutContactGrid* contact_grid, AbutContact* contacts,
                                 uint32_t count);

#endif
