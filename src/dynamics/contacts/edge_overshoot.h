/// @file edge_overshoot.h
/// Overshoot of fields of order 1 beside sharp convex edges.
#ifndef ABUT_DYNAMICS_CONTACTS_EDGE_OVERSHOOT_H
#define ABUT_DYNAMICS_CONTACTS_EDGE_OVERSHOOT_H

#include "dynamics/state/body.h"

/// Whether the shape of a body is a field with overshoot.
bool abut_overshoot_is_possible(const AbutBody* body);

/// Distance from the face of the solid beyond that of the field, at a point close to the surface in the frame
/// of the body (world units from the centre of mass), where the field has `distance` and the unit normal
/// `normal`. Replaces the normal by that of the face. 0, and the same normal, where there is no sharp convex
/// edge beside the point.
double abut_overshoot_at(const AbutBody* body, AbutDVec3 local, double distance, AbutDVec3* normal);

#endif
