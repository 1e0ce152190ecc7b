/// @file bullet_primitives.hpp
/// Primitives by the algorithms that Bullet's dispatcher has for them, kept for a pair as in its worlds. For
/// Bullet in float and, in a module of its own, in double.
#ifndef ABUT_BENCH_BULLET_PRIMITIVES_HPP
#define ABUT_BENCH_BULLET_PRIMITIVES_HPP

#include "primitive_peers.h"

#include <btBulletCollisionCommon.h>
#include <memory>

namespace
{

std::unique_ptr<btConvexShape> make_shape(const BenchPrimitive& primitive)
{
    btScalar x = btScalar(primitive.size[0]), y = btScalar(primitive.size[1]),
             z = btScalar(primitive.size[2]);
    switch (primitive.kind)
    {
    case BENCH_SPHERE:
        return std::make_unique<btSphereShape>(x);
    case BENCH_CAPSULE:
        return std::make_unique<btCapsuleShape>(x, y);
    default:
        return std::make_unique<btBoxShape>(btVector3(x, y, z) * btScalar(0.5));
    }
}

struct PrimitivePair
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    std::unique_ptr<btConvexShape> shapes[2];
    btCollisionObject objects[2];
    btCollisionAlgorithm* algorithm = nullptr;

    PrimitivePair(const BenchPrimitive& a, const BenchPrimitive& b) : shapes{ make_shape(a), make_shape(b) }
    {
        for (int i = 0; i < 2; ++i)
        {
            objects[i].setCollisionShape(shapes[i].get());
            objects[i].setWorldTransform(btTransform::getIdentity());
        }
        btCollisionObjectWrapper first(nullptr, shapes[0].get(), &objects[0], objects[0].getWorldTransform(),
                                       -1, -1);
        btCollisionObjectWrapper second(nullptr, shapes[1].get(), &objects[1], objects[1].getWorldTransform(),
                                        -1, -1);
        algorithm = dispatcher.findAlgorithm(&first, &second, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    }

    ~PrimitivePair()
    {
        algorithm->~btCollisionAlgorithm();
        dispatcher.freeCollisionAlgorithm(algorithm);
    }

    int collide(const AbutPose* pose)
    {
        btTransform transform(
            btQuaternion(pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w),
            btVector3(btScalar(pose->position.x), btScalar(pose->position.y), btScalar(pose->position.z)));
        objects[1].setWorldTransform(transform);
        btCollisionObjectWrapper first(nullptr, shapes[0].get(), &objects[0], objects[0].getWorldTransform(),
                                       -1, -1);
        btCollisionObjectWrapper second(nullptr, shapes[1].get(), &objects[1], objects[1].getWorldTransform(),
                                        -1, -1);
        btManifoldResult result(&first, &second);
        result.m_closestPointDistanceThreshold = 0;
        algorithm->processCollision(&first, &second, btDispatcherInfo(), &result);
        btPersistentManifold* manifold = result.getPersistentManifold(); // of the algorithm
        int count = 0;
        for (int i = 0; i < manifold->getNumContacts(); ++i)
        {
            count += manifold->getContactPoint(i).getDistance() <= 0 ? 1 : 0;
        }
        manifold->clearManifold();
        return count;
    }
};

void* create_primitives(const BenchPrimitive* a, const BenchPrimitive* b)
{
    return new PrimitivePair(*a, *b);
}

void destroy_primitives(void* peer)
{
    delete static_cast<PrimitivePair*>(peer);
}

int collide_primitives(void* peer, const AbutPose* pose)
{
    return static_cast<PrimitivePair*>(peer)->collide(pose);
}

} // namespace

#endif
