// The motion of an object in a step that is over, and the solids of its shape.
#ifndef ABUT_BULLET_MOVED_HPP
#define ABUT_BULLET_MOVED_HPP

#include "contact/motion.hpp"

#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

struct Moved
{
    btCollisionObject* object;
    btTransform start;
    btVector3 displacement, rotation;
};

/// The motion by the present velocity, which ended at the present pose.
Moved moved_object(btCollisionObject* object, btScalar seconds);

/// The pose after a fraction of the motion.
btTransform pose_after(const Moved& moved, btScalar fraction);

/// One solid of an object at the start of the step; `local`: its frame in that of the object.
MovingSolid solid_at_start(const Solid& solid, const Moved& moved, const btTransform& local);

inline bool is_abut(const btCollisionShape* shape)
{
    return shape->getShapeType() == FAST_CONCAVE_MESH_PROXYTYPE;
}

/// Calls function(shape, local frame) for a shape, or for the children of a compound.
template <typename Function>
void for_each_child(const btCollisionShape* shape, const btTransform& local, const Function& function)
{
    if (!shape->isCompound())
    {
        function(shape, local);
        return;
    }
    const auto* compound = static_cast<const btCompoundShape*>(shape);
    for (int i = 0; i < compound->getNumChildShapes(); ++i)
    {
        for_each_child(compound->getChildShape(i), local * compound->getChildTransform(i), function);
    }
}

/// Calls function(shape, local frame, shape, local frame) for the children of two shapes of which one is a
/// Shape at least.
template <typename Function>
void for_each_pair(const btCollisionShape* a, const btCollisionShape* b, const Function& function)
{
    const btTransform& none = btTransform::getIdentity();
    for_each_child(a, none, [&](const btCollisionShape* shape_a, const btTransform& local_a) {
        for_each_child(b, none, [&](const btCollisionShape* shape_b, const btTransform& local_b) {
            if (is_abut(shape_a) || is_abut(shape_b))
            {
                function(shape_a, local_a, shape_b, local_b);
            }
        });
    });
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
