// Rays and convex sweeps against a solid, for callbacks of Bullet.
#ifndef ABUT_BULLET_CASTS_HPP
#define ABUT_BULLET_CASTS_HPP

#include "solid/solid.hpp"

#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// Reports the first hit, if it is before that of the callback. A ray that starts inside hits nothing, as
/// with Bullet's convex shapes.
void cast_ray(const Solid& solid, btTriangleRaycastCallback* callback);

/// Reports the first touch of the convex shape, rotation included. Where they touch at the start: time 0 if
/// the shape moves on into the solid.
void cast_convex(const Solid& solid, btTriangleConvexcastCallback* callback);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
