// A program of somebody else with abut's shapes in Bullet: a ball of abut lies on a box of Bullet.
#include <abut/bullet.hpp>
#include <btBulletDynamicsCommon.h>
#include <cstdio>

int main()
{
    AbutShape* sphere = nullptr;
    if (abut_shape_create_sphere(0.5f, nullptr, &sphere) != ABUT_OK)
    {
        return 1;
    }
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
    abut::bullet::register_algorithms(&dispatcher);
    abut::bullet::Shape ball(sphere);
    abut_shape_destroy(sphere);
    btBoxShape floor(btVector3(5, 1, 5));
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &floor));
    btVector3 inertia;
    ball.calculateLocalInertia(1, inertia);
    btRigidBody body(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &ball, inertia));
    body.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 2, 0)));
    world.addRigidBody(&ground);
    world.addRigidBody(&body);
    for (int i = 0; i < 120; ++i)
    {
        world.stepSimulation(btScalar(1.0 / 60.0), 0, btScalar(1.0 / 60.0));
    }
    double height = static_cast<double>(body.getWorldTransform().getOrigin().y());
    world.removeRigidBody(&body);
    world.removeRigidBody(&ground);
    std::printf("bullet: the ball lies at %.3f\n", height);
    return height > 1.49 && height < 1.51 ? 0 : 1;
}
