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

MovingSolid moving_solid(const Solid& solid, const btCollisionObjectWrapper& wrap, btScalar seconds)
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
        if (!body->isKinematicObject())
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

float approach_of(const MovingSolid& a, const MovingSolid& b)
{
    float approach = static_cast<float>((a.displacement - b.displacement).length());
    for (const MovingSolid* s : { &a, &b })
    {
        float angle = static_cast<float>(s->rotation.length());
        approach += angle > 0.0f ? angle * s->radius : 0.0f;
    }
    return approach;
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
