/// @file refine_deepest.h
/// Refinement of anchors to the points that will be deepest.
#ifndef ABUT_DYNAMICS_CONTACTS_REFINE_DEEPEST_H
#define ABUT_DYNAMICS_CONTACTS_REFINE_DEEPEST_H

#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"

typedef enum AbutRefinementKind
{
    ABUT_REFINE_FACES,  ///< surfaces of the fields as they are
    ABUT_REFINE_EDGES,  ///< convex edges and corners too, which fields erode
    ABUT_REFINE_ROLLING ///< anchors on round surfaces get a curvature radius and roll on
} AbutRefinementKind;

/// Moves anchors along their surfaces, by about `length` at most, to the points that will be deepest after
/// `seconds`.
void abut_contacts_refine(const AbutBody* a, const AbutBody* b, double seconds, double length,
                          AbutRefinementKind kind, AbutManifoldPoint* points, uint32_t count);

#endif
