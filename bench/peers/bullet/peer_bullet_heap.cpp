// Bullet: boxes, capsules and convex hulls that fall on a plane.
#include "heap_cases.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace
{

btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

struct Heap
{
    std::unique_ptr<btCollisionShape> shapes[HEAP_KIND_COUNT];
    btStaticPlaneShape ground{ btVector3(0, 1, 0), 0 };
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broad, &solver, &configuration };
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    ~Heap()
    {
        for (auto& body : bodies)
        {
            world.removeRigidBody(body.get());
        }
    }
};

/// Bullet's lengths are tuned to bodies of about a metre (margins of 0.04, contacts that break at 0.02), so
/// that its manual asks for a larger unit where bodies are small: here a decimetre.
constexpr double UNIT = 10.0;

/// Of a step of 1/60 s: 240 per second, the default of PyBullet. With one, bodies that fall on each other end
/// up in the ground.
constexpr int SUBSTEPS = 4;

void make_shapes(const HeapForms* forms, Heap* heap)
{
    btVector3 extents(forms->box.x, forms->box.y, forms->box.z);
    heap->shapes[HEAP_BOX] = std::make_unique<btBoxShape>(extents * real(0.5 * UNIT));
    heap->shapes[HEAP_CAPSULE] =
        std::make_unique<btCapsuleShape>(real(UNIT) * forms->radius, real(UNIT) * forms->length);
    auto hull = std::make_unique<btConvexHullShape>();
    const btScalar margin = hull->getMargin(); // outside of the points, which are moved inwards by it
    for (const AbutVec3& p : forms->points)
    {
        btVector3 at = btVector3(p.x, p.y, p.z) * real(UNIT);
        hull->addPoint(at * (real(1) - margin / at.length()), false);
    }
    hull->recalcLocalAabb();
    heap->shapes[HEAP_HULL] = std::move(hull);
}

void add(Heap* heap, btScalar mass, const btVector3& inertia, const btTransform& at, btCollisionShape* shape)
{
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    info.m_friction = real(HEAP_FRICTION);
    heap->bodies.push_back(std::make_unique<btRigidBody>(info));
    heap->world.addRigidBody(heap->bodies.back().get());
}

void* create(const HeapForms* forms, const AbutPose* poses, uint32_t count)
{
    auto heap = std::make_unique<Heap>();
    heap->world.setGravity(btVector3(0, real(-9.81 * UNIT), 0));
    make_shapes(forms, heap.get());
    for (uint32_t i = 0; i < count; ++i)
    {
        HeapKind kind = heap_kind_of(i);
        const AbutMassData& mass = forms->mass[kind];
        const double density = HEAP_DENSITY / (UNIT * UNIT * UNIT), fifth = std::pow(UNIT, 5.0);
        btVector3 inertia(real(density * fifth * mass.inertia[0][0]),
                          real(density * fifth * mass.inertia[1][1]),
                          real(density * fifth * mass.inertia[2][2]));
        const AbutPose& pose = poses[i];
        btTransform at(btQuaternion(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w),
                       btVector3(real(UNIT * pose.position.x), real(UNIT * pose.position.y),
                                 real(UNIT * pose.position.z)));
        add(heap.get(), real(HEAP_DENSITY * mass.volume), inertia, at, heap->shapes[kind].get());
    }
    add(heap.get(), 0, btVector3(0, 0, 0), btTransform::getIdentity(), &heap->ground);
    return heap.release();
}

void destroy(void* pointer)
{
    delete static_cast<Heap*>(pointer);
}

void step(void* pointer, double seconds)
{
    static_cast<Heap*>(pointer)->world.stepSimulation(real(seconds), SUBSTEPS, real(seconds / SUBSTEPS));
}

void poses(void* pointer, AbutPose* out)
{
    Heap* heap = static_cast<Heap*>(pointer);
    for (size_t i = 0; i + 1 < heap->bodies.size(); ++i) // the last is the ground
    {
        const btTransform& at = heap->bodies[i]->getWorldTransform();
        btQuaternion rotation = at.getRotation();
        btVector3 origin = at.getOrigin() / real(UNIT);
        out[i] = abut_pose_at(origin.x(), origin.y(), origin.z());
        AbutQuat q = { rotation.x(), rotation.y(), rotation.z(), rotation.w() };
        out[i].rotation = abut_quat_normalize(q);
    }
}

} // namespace

extern "C" const HeapPeer heap_bullet = { "Bullet", create, destroy, step, poses };
