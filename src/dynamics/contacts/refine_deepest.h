/// @file refine_deepest.h
/// Refinement of anchors to the points that will be deepest.
#ifndef ABUT_DYNAMICS_CONTACTS_REFINE_DEEPEST_H
#define ABUT_DYNAMICS_CONTACTS_REFINE_DEEPEST_H

#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"

/// Moves anchors along their surfaces, by about `length` at most, to the points that will be deepest after
/// `seconds`. With `rolls`, by the curvature of the surfaces; anchors on round surfaces get a curvature
/// radius and roll on.
void abut_contacts_refine(const AbutBody* a, const AbutBody* b, double seconds, double length, bool rolls,
                          AbutManifoldPoint* points, uint32_t count);

#endif
