// Distance and time of impact of core points against another solid.
#ifndef ABUT_BULLET_CORE_TOI_HPP
#define ABUT_BULLET_CORE_TOI_HPP

#include "ccd/core_points.hpp"
#include "contact/motion.hpp"

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// A core point at its time of impact.
struct CoreTouch
{
    float time;              // in [0, 1]; 1 for none
    btVector3 point, normal; // outward of the other solid
};

/// Least distance of the core points of `core` from the solid of `other` at the start, or `most` if that is
/// less. In the world.
float core_clearance(const MovingSolid& core, const MovingSolid& other, float most);

/// The first time at which a core point is nearer to the other solid than `gap`; none may be at the start.
CoreTouch core_time_of_impact(const MovingSolid& core, const MovingSolid& other, float gap);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
