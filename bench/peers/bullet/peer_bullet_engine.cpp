// Heaps in a world of Bullet, with its GImpact meshes or with abut's shapes.
#if defined(BENCH_HAS_ADAPTER)

#include "bench.h"
#include "bullet_engine.h"
#include "bullet_world.hpp"
#include "gimpact_mesh.hpp"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <abut/bullet.hpp>

namespace
{

/// Measures the narrow phase of all pairs.
class TimedDispatcher : public btCollisionDispatcher
{
  public:
    using btCollisionDispatcher::btCollisionDispatcher;
    double seconds = 0.0;

    void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                   btDispatcher* dispatcher) override
    {
        double start = bench_cpu_seconds();
        btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
        seconds += bench_cpu_seconds() - start;
    }
};

struct Heap
{
    GImpactMesh mesh;
    std::unique_ptr<abut::bullet::Shape> shape;
    btStaticPlaneShape ground{ btVector3(0, 1, 0), 0 };
    btDefaultCollisionConfiguration configuration;
    TimedDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broad, &solver, &configuration };
    std::vector<std::unique_ptr<btRigidBody>> bodies; // the first is the ground
    abut::bullet::Continuous continuous;

    void add(double mass, const btVector3& inertia, const btTransform& at, btCollisionShape* body_shape,
             double friction)
    {
        btRigidBody::btRigidBodyConstructionInfo info(real(mass), nullptr, body_shape, inertia);
        info.m_startWorldTransform = at;
        info.m_friction = real(friction);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get());
    }

    ~Heap()
    {
        for (auto& body : bodies)
        {
            world.removeRigidBody(body.get());
        }
    }
};

btCollisionShape* make_shape(const BenchEngineHeap& def, Heap* heap)
{
    if (def.field == nullptr)
    {
        btGImpactCollisionAlgorithm::registerAlgorithm(&heap->dispatcher);
        heap->mesh.load(def.mesh);
        return heap->mesh.shape.get();
    }
    abut::bullet::register_algorithms(&heap->dispatcher);
    heap->shape = std::make_unique<abut::bullet::Shape>(def.field);
    if (def.continuous)
    {
        heap->world.addAction(&heap->continuous);
    }
    return heap->shape.get();
}

void* create(const BenchEngineHeap* def)
{
    auto heap = std::make_unique<Heap>();
    heap->world.setGravity(btVector3(0, real(-9.81), 0));
    btCollisionShape* shape = make_shape(*def, heap.get());
    AbutMassData mass = abut_mesh_mass(def->mesh);
    btVector3 inertia(real(1000.0 * mass.inertia[0][0]), real(1000.0 * mass.inertia[1][1]),
                      real(1000.0 * mass.inertia[2][2]));
    heap->ground.setMargin(real(0.0005));
    heap->add(0, btVector3(0, 0, 0), btTransform::getIdentity(), &heap->ground, def->friction);
    for (uint32_t i = 0; i < def->count; ++i)
    {
        heap->add(1000.0 * mass.volume, inertia, transform_of(def->poses[i], 1.0), shape, def->friction);
    }
    return heap.release();
}

void destroy(void* pointer)
{
    delete static_cast<Heap*>(pointer);
}

void step(void* pointer, double seconds)
{
    static_cast<Heap*>(pointer)->world.stepSimulation(real(seconds), 0, real(seconds));
}

double narrow_seconds(void* pointer)
{
    return static_cast<Heap*>(pointer)->dispatcher.seconds;
}

void poses(void* pointer, AbutPose* out)
{
    const Heap* heap = static_cast<Heap*>(pointer);
    for (size_t i = 1; i < heap->bodies.size(); ++i)
    {
        const btTransform& at = heap->bodies[i]->getWorldTransform();
        btQuaternion q = at.getRotation();
        AbutQuat rotation = { q.x(), q.y(), q.z(), q.w() };
        out[i - 1] = abut_pose_at(at.getOrigin().x(), at.getOrigin().y(), at.getOrigin().z());
        out[i - 1].rotation = abut_quat_normalize(rotation);
    }
}

} // namespace

extern "C" bool bench_engine_bullet_passes(const BenchEngineThrow* def, const AbutPose* pose,
                                           const AbutMotion* motion);

extern "C" const BenchEngine bench_engine_bullet = { create,         destroy, step,
                                                     narrow_seconds, poses,   bench_engine_bullet_passes };

#endif
