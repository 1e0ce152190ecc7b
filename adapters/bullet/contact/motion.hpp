// Motions of the objects of a pair in the step to come.
#ifndef ABUT_BULLET_MOTION_HPP
#define ABUT_BULLET_MOTION_HPP

#include "solid/solid.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// A solid with its pose and its motion during the step.
struct MovingSolid
{
    const Solid* solid;
    AbutPose pose;
    btVector3 center;       // of mass, in the world
    btVector3 displacement; // of the centre during the step
    btVector3 rotation;     // rotation vector of the step
    float radius;           // of the solid about the centre

    /// Displacement of a point of the object during the step, to first order.
    btVector3 displacement_at(const btVector3& point) const
    {
        return displacement + rotation.cross(point - center);
    }

    AbutMotion motion() const;
};

/// The rotation vector of a step of `seconds` as Bullet integrates it, which limits fast rotations.
btVector3 rotation_of_step(const btVector3& angular_velocity, btScalar seconds);

/// At rest for `seconds` of 0 and for objects that are no rigid bodies. `has_forces`: with the motion by
/// gravity and forces of the step, which contacts of a body at rest would balance.
MovingSolid moving_solid(const Solid& solid, const btCollisionObjectWrapper& wrap, btScalar seconds,
                         bool has_forces);

/// Upper bound of the decrease of the distance of two solids during the step.
float approach_of(const MovingSolid& a, const MovingSolid& b);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
