// Motions of the objects of a pair in the step to come, from the velocities and forces of Bullet's bodies.
#include "contact/motion.hpp"

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btTransformUtil.h>
#include <cmath>
#include <initializer_list>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

AbutMotion MovingSolid::motion() const
{
    AbutMotion motion = abut_motion_none();
    AbutPosition at = { static_cast<double>(center.x()), static_cast<double>(center.y()),
                        static_cast<double>(center.z()) };
    motion.center = abut_pose_inverse_transform_point(&pose, at);
    motion.linear = to_abut(displacement);
    motion.angular = to_abut(rotation);
    return motion;
}

btVector3 rotation_of_step(const btVector3& angular_velocity, btScalar seconds)
{
    if (!(angular_velocity.length() * seconds > btScalar(0.25) * SIMD_HALF_PI))
    {
        return angular_velocity * seconds;
    }
    btTransform end;
    btTransformUtil::integrateTransform(btTransform::getIdentity(), btVector3(0, 0, 0), angular_velocity,
                                        seconds, end);
    btQuaternion rotation = end.getRotation();
    return rotation.getAxis() * rotation.getAngle();
}

MovingSolid moving_solid(const Solid& solid, const btCollisionObjectWrapper& wrap, btScalar seconds,
                         bool has_forces)
{
    MovingSolid moving = { &solid,
                           pose_of(wrap.getWorldTransform(), solid.scale()),
                           wrap.getCollisionObject()->getWorldTransform().getOrigin(),
                           btVector3(0, 0, 0),
                           btVector3(0, 0, 0),
                           0.0f };
    const btRigidBody* body = btRigidBody::upcast(wrap.getCollisionObject());
    if (body != nullptr && !body->isStaticObject() && seconds > 0)
    {
        btVector3 velocity = body->getLinearVelocity();
        if (has_forces && !body->isKinematicObject())
        {
            velocity += body->getTotalForce() * (body->getInvMass() * seconds); // gravity included
        }
        moving.displacement = velocity * seconds;
        moving.rotation = rotation_of_step(body->getAngularVelocity(), seconds);
    }
    AbutBox box = solid.bounds();
    if (abut_box_is_finite(box) && !abut_box_is_empty(box))
    {
        btVector3 middle = (to_bullet(box.min) + to_bullet(box.max)) * btScalar(0.5);
        btVector3 offset = wrap.getWorldTransform() * middle - moving.center;
        moving.radius = static_cast<float>(offset.length()) + 0.5f * solid.size();
    }
    else
    {
        moving.radius = INFINITY;
    }
    return moving;
}

namespace
{

/// Bound of the change of the velocity of a point of the solid during the step, in displacements.
float velocity_change(const MovingSolid& s)
{
    float angle = static_cast<float>(s.rotation.length());
    return angle > 0.0f ? 0.5f * angle * angle * s.radius : 0.0f;
}

AbutBox box_of(const MovingSolid& s)
{
    return abut_pose_transform_box(&s.pose, s.solid->shape_bounds());
}

/// The largest relative displacement at a point of a box. It is convex there: that of a corner.
float displacement_in(const MovingSolid& a, const MovingSolid& b, AbutBox box)
{
    btScalar most = 0;
    for (int corner = 0; corner < 8; ++corner)
    {
        btVector3 at(real(corner & 1 ? box.max.x : box.min.x), real(corner & 2 ? box.max.y : box.min.y),
                     real(corner & 4 ? box.max.z : box.min.z));
        most = btMax(most, (a.displacement_at(at) - b.displacement_at(at)).length());
    }
    return static_cast<float>(most);
}

} // namespace

float approach_of(const MovingSolid& a, const MovingSolid& b)
{
    float approach = static_cast<float>((a.displacement - b.displacement).length());
    float angles[2];
    for (int side = 0; side < 2; ++side)
    {
        const MovingSolid& s = side == 0 ? a : b;
        angles[side] = static_cast<float>(s.rotation.length());
        approach += angles[side] > 0.0f ? angles[side] * s.radius : 0.0f;
    }
    // Points that touch in the step are in the box of either solid, grown by that.
    float margin = approach + a.solid->margin() + b.solid->margin();
    AbutBox common =
        abut_box_intersection(abut_box_expand(box_of(a), margin), abut_box_expand(box_of(b), margin));
    if (!std::isfinite(margin) || abut_box_is_empty(common) || !abut_box_is_finite(common))
    {
        return approach;
    }
    float within = displacement_in(a, b, common) + (angles[1] > 0.0f ? angles[1] * margin : 0.0f);
    within += (angles[0] > 0.0f ? velocity_change(a) : 0.0f) + (angles[1] > 0.0f ? velocity_change(b) : 0.0f);
    return std::fmin(approach, within);
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
