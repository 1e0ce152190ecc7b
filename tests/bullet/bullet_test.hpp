// A world of Bullet with the adapter, and shapes for its tests.
#ifndef ABUT_TEST_BULLET_TEST_HPP
#define ABUT_TEST_BULLET_TEST_HPP

extern "C" {
#include "support/support.h"
}

#include <abut/bullet.hpp>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <string>
#include <vector>

inline btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

/// A new owner of a shape, which destroys it.
using ShapePointer = std::unique_ptr<AbutShape, decltype(&abut_shape_destroy)>;

inline ShapePointer owned(AbutShape* shape)
{
    assert_non_null(shape);
    return ShapePointer(shape, abut_shape_destroy);
}

inline ShapePointer make_sphere(float radius)
{
    AbutShape* shape = nullptr;
    test_assert_result(abut_shape_create_sphere(radius, nullptr, &shape), ABUT_OK);
    return owned(shape);
}

inline ShapePointer make_box(AbutVec3 extents)
{
    AbutShape* shape = nullptr;
    test_assert_result(abut_shape_create_box(extents, nullptr, &shape), ABUT_OK);
    return owned(shape);
}

inline ShapePointer make_torus(float major, float minor)
{
    AbutShape* shape = nullptr;
    test_assert_result(abut_shape_create_torus(major, minor, nullptr, &shape), ABUT_OK);
    return owned(shape);
}

/// The field of a shape.
inline ShapePointer make_field(const AbutShape* source, uint32_t resolution)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    AbutShape* shape = nullptr;
    test_assert_result(abut_bake_shape(&def, source, &shape), ABUT_OK);
    return owned(shape);
}

inline btTransform random_frame(TestRandom* random, double half_extent)
{
    AbutQuat q = test_random_rotation(random);
    AbutPosition p = test_random_position(random, half_extent);
    return btTransform(btQuaternion(real(q.x), real(q.y), real(q.z), real(q.w)).normalized(),
                       btVector3(real(p.x), real(p.y), real(p.z)));
}

inline btTransform frame_at(double x, double y, double z)
{
    return btTransform(btQuaternion::getIdentity(), btVector3(real(x), real(y), real(z)));
}

struct BulletWorld
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broad, &solver, &configuration };
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    explicit BulletWorld(bool registers = true)
    {
        world.setGravity(btVector3(0, real(-9.81), 0));
        if (registers)
        {
            abut::bullet::register_algorithms(&dispatcher);
        }
    }

    ~BulletWorld()
    {
        for (auto& body : bodies)
        {
            world.removeRigidBody(body.get());
        }
    }

    btRigidBody* add(btCollisionShape* shape, double mass, const btTransform& at)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
        {
            shape->calculateLocalInertia(real(mass), inertia);
        }
        btRigidBody::btRigidBodyConstructionInfo info(real(mass), nullptr, shape, inertia);
        info.m_startWorldTransform = at;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }

    void step(int count, double seconds = 1.0 / 60.0)
    {
        for (int i = 0; i < count; ++i)
        {
            world.stepSimulation(real(seconds), 0, real(seconds));
        }
    }

    uint64_t hash() const
    {
        uint64_t hash = 0;
        for (const auto& body : bodies)
        {
            const btTransform& at = body->getWorldTransform();
            for (int row = 0; row < 3; ++row)
            {
                hash = abut_hash(at.getBasis()[row].m_floats, 3 * sizeof(btScalar), hash);
            }
            hash = abut_hash(at.getOrigin().m_floats, 3 * sizeof(btScalar), hash);
            hash = abut_hash(body->getLinearVelocity().m_floats, 3 * sizeof(btScalar), hash);
            hash = abut_hash(body->getAngularVelocity().m_floats, 3 * sizeof(btScalar), hash);
        }
        return hash;
    }
};

/// All points of a contact test.
struct TestPoints : public btCollisionWorld::ContactResultCallback
{
    struct TestPoint
    {
        btVector3 on_a, on_b, normal;
        double distance;
        const btCollisionObject* first;
    };
    std::vector<TestPoint> points;

    btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper* a, int, int,
                             const btCollisionObjectWrapper*, int, int) override
    {
        points.push_back({ point.m_positionWorldOnA, point.m_positionWorldOnB, point.m_normalWorldOnB,
                           static_cast<double>(point.getDistance()), a->getCollisionObject() });
        return 0;
    }

    const TestPoint* deepest() const
    {
        const TestPoint* best = nullptr;
        for (const TestPoint& p : points)
        {
            best = best == nullptr || p.distance < best->distance ? &p : best;
        }
        return best;
    }
};

/// Messages of the adapter, while it lives.
struct Messages
{
    std::string text;

    Messages()
    {
        abut::bullet::set_message_function(
            [](void* user, const char* line) { static_cast<Messages*>(user)->text += line; }, this);
    }
    ~Messages()
    {
        abut::bullet::set_message_function(nullptr, nullptr);
    }
};

#endif
