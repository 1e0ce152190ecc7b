// A body thrown at a plate in a world of Bullet: GImpact, or abut's shapes with their continuous collision.
#if defined(BENCH_HAS_ADAPTER)

#include "bullet_engine.h"
#include "bullet_world.hpp"
#include "gimpact_mesh.hpp"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <abut/bullet.hpp>

namespace
{

constexpr int MOST_STEPS = 40;

/// Of the plate.
const btScalar HALF_WIDTH = real(2);

/// Height of the middle of a body, 1 long, that is beyond the plate.
constexpr double BEYOND = -0.1;

struct ThrowWorld
{
    GImpactMesh mesh;
    std::unique_ptr<abut::bullet::Shape> shape, plate;
    btBoxShape box;
    abut::bullet::Continuous continuous;
    BulletWorld bullet;

    explicit ThrowWorld(const BenchEngineThrow& def)
        : box(btVector3(HALF_WIDTH, real(0.5 * def.thickness), HALF_WIDTH))
    {
        box.setMargin(real(0.1 * def.thickness));
        bullet.world.setGravity(btVector3(0, 0, 0));
        if (def.field == nullptr)
        {
            btGImpactCollisionAlgorithm::registerAlgorithm(&bullet.dispatcher);
            mesh.load(def.mesh);
            return;
        }
        abut::bullet::register_algorithms(&bullet.dispatcher);
        shape = std::make_unique<abut::bullet::Shape>(def.field);
        plate = std::make_unique<abut::bullet::Shape>(def.plate);
        bullet.world.addAction(&continuous);
    }
};

/// True when the body ends beyond the plate.
bool passes(const BenchEngineThrow* def, const AbutPose* pose, const AbutMotion* motion)
{
    ThrowWorld w(*def);
    btCollisionShape* body =
        w.shape != nullptr ? static_cast<btCollisionShape*>(w.shape.get()) : w.mesh.shape.get();
    if (w.plate != nullptr)
    {
        w.bullet.add(0, btVector3(0, 0, 0), btTransform::getIdentity(), w.plate.get(), 0.5);
    }
    else
    {
        btTransform at = btTransform::getIdentity();
        at.setOrigin(btVector3(0, real(-0.5 * def->thickness), 0));
        w.bullet.add(0, btVector3(0, 0, 0), at, &w.box, 0.5);
    }
    AbutMassData mass = abut_mesh_mass(def->mesh);
    btVector3 inertia(real(mass.inertia[0][0]), real(mass.inertia[1][1]), real(mass.inertia[2][2]));
    w.bullet.add(real(mass.volume), inertia, transform_of(*pose, 1.0), body, 0.5);
    btRigidBody* thrown = w.bullet.bodies.back().get();
    thrown->setActivationState(DISABLE_DEACTIVATION);
    const btScalar rate = real(60);
    thrown->setLinearVelocity(btVector3(motion->linear.x, motion->linear.y, motion->linear.z) * rate);
    thrown->setAngularVelocity(btVector3(motion->angular.x, motion->angular.y, motion->angular.z) * rate);
    bool is_beyond = false;
    for (int i = 0; i < MOST_STEPS && !is_beyond; ++i)
    {
        w.bullet.world.stepSimulation(1 / rate, 0, 1 / rate);
        is_beyond = thrown->getWorldTransform().getOrigin().y() < real(BEYOND);
    }
    btVector3 end = thrown->getWorldTransform().getOrigin();
    bool is_beside = btFabs(end.x()) > HALF_WIDTH || btFabs(end.z()) > HALF_WIDTH; // it slid off the plate
    return is_beyond && !is_beside;
}

} // namespace

extern "C" bool bench_engine_bullet_passes(const BenchEngineThrow* def, const AbutPose* pose,
                                           const AbutMotion* motion)
{
    return passes(def, pose, motion);
}

#endif
