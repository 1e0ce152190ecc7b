// Bullet: many GImpact meshes that fall on a plane.
#include "bullet_world.hpp"
#include "gimpact_mesh.hpp"
#include "pile_peers.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>

namespace
{

struct Pile
{
    GImpactMesh mesh;
    BulletWorld bullet;
};

void* create(const AbutMesh* mesh, const AbutPose* poses, uint32_t count, double friction)
{
    auto pile = std::make_unique<Pile>();
    btGImpactCollisionAlgorithm::registerAlgorithm(&pile->bullet.dispatcher);
    pile->bullet.world.setGravity(btVector3(0, real(-9.81), 0));
    pile->mesh.load(mesh);
    AbutMassData mass = abut_mesh_mass(mesh);
    btVector3 inertia(real(1000.0 * mass.inertia[0][0]), real(1000.0 * mass.inertia[1][1]),
                      real(1000.0 * mass.inertia[2][2]));
    for (uint32_t i = 0; i < count; ++i)
    {
        btTransform at = transform_of(poses[i], 1.0);
        pile->bullet.add(real(1000.0 * mass.volume), inertia, at, pile->mesh.shape.get(), friction);
    }
    btTransform rest = btTransform::getIdentity();
    pile->bullet.ground.setMargin(real(0.0005));
    pile->bullet.add(0, btVector3(0, 0, 0), rest, &pile->bullet.ground, friction);
    return pile.release();
}

void destroy(void* pointer)
{
    delete static_cast<Pile*>(pointer);
}

void step(void* pointer, double seconds)
{
    static_cast<Pile*>(pointer)->bullet.world.stepSimulation(real(seconds), 1, real(seconds));
}

void poses(void* pointer, AbutPose* out)
{
    static_cast<Pile*>(pointer)->bullet.write_poses(1.0, out);
}

} // namespace

extern "C" const BenchPilePeer bench_pile_gimpact = { "GImpact", create, destroy, step, poses };
