// Registration of the algorithm, and warnings where it is missing.
#ifndef ABUT_BULLET_REGISTRY_HPP
#define ABUT_BULLET_REGISTRY_HPP

#include <abut/bullet.hpp>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// Said once, if no dispatcher of the process has the algorithm.
void warn_unregistered();

/// Said once: Bullet's algorithm for concave shapes is about to collide with the triangles of a Shape.
void warn_unregistered_pair();

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
