// The motion of an object in a step that is over, from the velocities that its integration used.
#include "ccd/moved.hpp"

#include <cmath>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

btTransform moved_by(const btTransform& from, const btVector3& displacement, const btVector3& rotation)
{
    btTransform at = from;
    btScalar angle = rotation.length();
    if (angle > 0)
    {
        at.setRotation((btQuaternion(rotation / angle, angle) * at.getRotation()).normalized());
    }
    at.setOrigin(at.getOrigin() + displacement);
    return at;
}

} // namespace

Moved moved_object(btCollisionObject* object, btScalar seconds)
{
    Moved moved = { object, object->getWorldTransform(), btVector3(0, 0, 0), btVector3(0, 0, 0) };
    const btRigidBody* body = btRigidBody::upcast(object);
    if (body != nullptr && !body->isStaticObject() && body->isActive())
    {
        moved.displacement = body->getLinearVelocity() * seconds;
        moved.rotation = rotation_of_step(body->getAngularVelocity(), seconds);
        moved.start = moved_by(object->getWorldTransform(), -moved.displacement, -moved.rotation);
    }
    return moved;
}

btTransform pose_after(const Moved& moved, btScalar fraction)
{
    return moved_by(moved.start, moved.displacement * fraction, moved.rotation * fraction);
}

MovingSolid solid_at_start(const Solid& solid, const Moved& moved, const btTransform& local)
{
    btTransform frame = moved.start * local;
    MovingSolid s = {
        &solid, pose_of(frame, solid.scale()), moved.start.getOrigin(), moved.displacement, moved.rotation,
        0.0f
    };
    AbutBox box = solid.bounds();
    if (abut_box_is_finite(box) && !abut_box_is_empty(box))
    {
        btVector3 middle = (to_bullet(box.min) + to_bullet(box.max)) * btScalar(0.5);
        s.radius = static_cast<float>((frame * middle - s.center).length()) + 0.5f * solid.size();
    }
    else
    {
        s.radius = INFINITY;
    }
    return s;
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
