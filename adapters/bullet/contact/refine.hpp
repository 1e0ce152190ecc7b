// Contacts refined to the deepest point of their region.
#ifndef ABUT_BULLET_REFINE_HPP
#define ABUT_BULLET_REFINE_HPP

#include "contact/manifold.hpp"
#include "solid/solid.hpp"

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// A solid with its pose.
struct PosedSolid
{
    const Solid* solid;
    AbutPose pose;
};

/// Moves a contact of A and B, whose points are near their surfaces, along the surface of one of the two to
/// the point that is deepest in the other one, by at most `max_displacement`, and sets its distance and
/// normal there. Margins of the solids are counted. The point is that of the solid which bends more: a
/// corner in a face.
void refine_point(const PosedSolid& a, const PosedSolid& b, btScalar max_displacement, Point* point);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
