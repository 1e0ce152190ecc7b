// A program of Bullet that drops rings on a peg: the three lines that take abut's shapes in the place of
// btGImpactMeshShape are marked. docs/bullet.md has more.
#include <abut/bullet.hpp> // 1
#include <btBulletDynamicsCommon.h>
#include <cstdio>
#include <memory>
#include <vector>

namespace
{

btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

struct World
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broad, &solver, &configuration };
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    ~World()
    {
        for (auto& body : bodies)
        {
            world.removeRigidBody(body.get());
        }
    }

    void add(btCollisionShape* shape, double mass, const btVector3& at)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
        {
            shape->calculateLocalInertia(real(mass), inertia); // of the field
        }
        btRigidBody::btRigidBodyConstructionInfo info(real(mass), nullptr, shape, inertia);
        info.m_startWorldTransform.setOrigin(at);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get());
    }
};

/// The field of a ring; a mesh is baked by abut_bake_mesh() likewise.
AbutShape* bake_ring()
{
    AbutShape *torus = nullptr, *field = nullptr;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 48;
    if (abut_shape_create_torus(0.4f, 0.12f, nullptr, &torus) != ABUT_OK ||
        abut_bake_shape(&def, torus, &field) != ABUT_OK)
    {
        std::fprintf(stderr, "%s\n", abut_last_error());
    }
    abut_shape_destroy(torus);
    return field;
}

} // namespace

int main()
{
    AbutShape* field = bake_ring();
    if (field == nullptr)
    {
        return 1;
    }
    abut::bullet::Shape ring(field); // 2: instead of btGImpactMeshShape ring(&triangles); ring.updateBound();
    abut_shape_destroy(field);
    btCylinderShape peg(btVector3(real(0.2), real(1.5), real(0.2)));
    btStaticPlaneShape ground(btVector3(0, 1, 0), 0);

    World w;
    abut::bullet::register_algorithms(&w.dispatcher); // 3: instead of btGImpactCollisionAlgorithm's
    w.add(&ground, 0, btVector3(0, 0, 0));
    w.add(&peg, 0, btVector3(0, real(1.5), 0));
    for (int i = 0; i < 5; ++i)
    {
        w.add(&ring, 1, btVector3(real(0.02 * (i - 2)), real(3.2 + 0.5 * i), real(0.03 * (i % 3 - 1))));
    }
    for (int i = 0; i < 300; ++i)
    {
        w.world.stepSimulation(real(1.0 / 60.0), 0, real(1.0 / 60.0));
    }
    int threaded = 0;
    for (size_t i = 2; i < w.bodies.size(); ++i)
    {
        btVector3 at = w.bodies[i]->getWorldTransform().getOrigin();
        threaded += at.x() * at.x() + at.z() * at.z() < real(0.2 * 0.2) ? 1 : 0;
        std::printf("ring %zu at %.2f %.2f %.2f\n", i - 1, static_cast<double>(at.x()),
                    static_cast<double>(at.y()), static_cast<double>(at.z()));
    }
    std::printf("%d of 5 rings on the peg\n", threaded);
    return threaded == 5 ? 0 : 1;
}
