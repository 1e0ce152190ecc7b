/// @file bullet_world.hpp
/// A world of Bullet with its default parts, and a plane as ground. Shapes of bodies live longer: a user has
/// them in members before this one.
#ifndef ABUT_BENCH_BULLET_WORLD_HPP
#define ABUT_BENCH_BULLET_WORLD_HPP

#include <abut/math.h>

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

inline btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

inline btTransform transform_of(const AbutPose& pose, double unit)
{
    return btTransform(
        btQuaternion(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w),
        btVector3(real(unit * pose.position.x), real(unit * pose.position.y), real(unit * pose.position.z)));
}

struct BulletWorld
{
    btStaticPlaneShape ground{ btVector3(0, 1, 0), 0 };
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broad, &solver, &configuration };
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    void add(btScalar mass, const btVector3& inertia, const btTransform& at, btCollisionShape* shape,
             double friction)
    {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform = at;
        info.m_friction = real(friction);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get());
    }

    /// Poses of all bodies but the last, which is the ground; a length of abut is `unit` lengths here.
    void write_poses(double unit, AbutPose* out) const
    {
        for (size_t i = 0; i + 1 < bodies.size(); ++i)
        {
            const btTransform& at = bodies[i]->getWorldTransform();
            btQuaternion rotation = at.getRotation();
            btVector3 origin = at.getOrigin() / real(unit);
            out[i] = abut_pose_at(origin.x(), origin.y(), origin.z());
            AbutQuat q = { rotation.x(), rotation.y(), rotation.z(), rotation.w() };
            out[i].rotation = abut_quat_normalize(q);
        }
    }

    ~BulletWorld()
    {
        for (auto& body : bodies)
        {
            world.removeRigidBody(body.get());
        }
    }
};

#endif
