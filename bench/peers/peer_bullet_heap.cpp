// Bullet: boxes, capsules and convex hulls that fall on a plane.
#include "heap_cases.h"

#include <btBulletDynamicsCommon.h>
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

/// Margins are a hundredth of a body instead of the default of 0.04 m, as Bullet's manual asks for small
/// bodies. Boxes and capsules have theirs inside; the points of a hull are moved inwards by it first.
constexpr double MARGIN = 0.01 * HEAP_SIZE;

void make_shapes(const HeapForms* forms, Heap* heap)
{
    auto box = std::make_unique<btBoxShape>(btVector3(forms->box.x, forms->box.y, forms->box.z) * real(0.5));
    box->setMargin(real(MARGIN));
    heap->shapes[HEAP_BOX] = std::move(box);
    heap->shapes[HEAP_CAPSULE] = std::make_unique<btCapsuleShape>(forms->radius, forms->length);
    auto hull = std::make_unique<btConvexHullShape>();
    for (const AbutVec3& p : forms->points)
    {
        btVector3 at(p.x, p.y, p.z);
        hull->addPoint(at * (real(1) - real(MARGIN) / at.length()), false);
    }
    hull->setMargin(real(MARGIN));
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
    heap->world.setGravity(btVector3(0, real(-9.81), 0));
    make_shapes(forms, heap.get());
    for (uint32_t i = 0; i < count; ++i)
    {
        HeapKind kind = heap_kind_of(i);
        const AbutMassData& mass = forms->mass[kind];
        btVector3 inertia(real(HEAP_DENSITY * mass.inertia[0][0]), real(HEAP_DENSITY * mass.inertia[1][1]),
                          real(HEAP_DENSITY * mass.inertia[2][2]));
        const AbutPose& pose = poses[i];
        btTransform at(btQuaternion(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w),
                       btVector3(real(pose.position.x), real(pose.position.y), real(pose.position.z)));
        add(heap.get(), real(HEAP_DENSITY * mass.volume), inertia, at, heap->shapes[kind].get());
    }
    heap->ground.setMargin(real(MARGIN));
    add(heap.get(), 0, btVector3(0, 0, 0), btTransform::getIdentity(), &heap->ground);
    return heap.release();
}

void destroy(void* pointer)
{
    delete static_cast<Heap*>(pointer);
}

void step(void* pointer, double seconds)
{
    static_cast<Heap*>(pointer)->world.stepSimulation(real(seconds), 1, real(seconds));
}

void poses(void* pointer, AbutPose* out)
{
    Heap* heap = static_cast<Heap*>(pointer);
    for (size_t i = 0; i + 1 < heap->bodies.size(); ++i) // the last is the ground
    {
        const btTransform& at = heap->bodies[i]->getWorldTransform();
        btQuaternion rotation = at.getRotation();
        out[i] = abut_pose_at(at.getOrigin().x(), at.getOrigin().y(), at.getOrigin().z());
        AbutQuat q = { rotation.x(), rotation.y(), rotation.z(), rotation.w() };
        out[i].rotation = abut_quat_normalize(q);
    }
}

} // namespace

extern "C" const HeapPeer heap_bullet = { "Bullet", create, destroy, step, poses };
