// Bullet: many GImpact meshes that fall on a plane.
#include "pile_peers.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace
{

btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

struct Pile
{
    std::vector<btScalar> vertices;
    std::vector<int> indices;
    btTriangleIndexVertexArray triangles;
    std::unique_ptr<btGImpactMeshShape> shape;
    btStaticPlaneShape ground{ btVector3(0, 1, 0), 0 };
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broad, &solver, &configuration };
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    ~Pile()
    {
        for (auto& body : bodies)
        {
            world.removeRigidBody(body.get());
        }
    }
};

void load(const AbutMesh* mesh, Pile* pile)
{
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* corners = abut_mesh_indices(mesh);
    for (size_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        pile->vertices.insert(pile->vertices.end(), { v[i].x, v[i].y, v[i].z });
    }
    pile->indices.assign(corners, corners + 3 * static_cast<size_t>(abut_mesh_triangle_count(mesh)));
    btIndexedMesh part;
    part.m_numTriangles = static_cast<int>(pile->indices.size() / 3);
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(pile->indices.data());
    part.m_triangleIndexStride = 3 * sizeof(int);
    part.m_numVertices = static_cast<int>(pile->vertices.size() / 3);
    part.m_vertexBase = reinterpret_cast<const unsigned char*>(pile->vertices.data());
    part.m_vertexStride = 3 * sizeof(btScalar);
    pile->triangles.addIndexedMesh(part);
    pile->shape = std::make_unique<btGImpactMeshShape>(&pile->triangles);
    pile->shape->setMargin(real(0.0005)); // of bodies of 0.1; the default is 0.04
    pile->shape->updateBound();
}

void add(Pile* pile, btScalar mass, const btVector3& inertia, const btTransform& at, btCollisionShape* shape,
         double friction)
{
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    info.m_friction = real(friction);
    pile->bodies.push_back(std::make_unique<btRigidBody>(info));
    pile->world.addRigidBody(pile->bodies.back().get());
}

void* create(const AbutMesh* mesh, const AbutPose* poses, uint32_t count, double friction)
{
    auto pile = std::make_unique<Pile>();
    btGImpactCollisionAlgorithm::registerAlgorithm(&pile->dispatcher);
    pile->world.setGravity(btVector3(0, real(-9.81), 0));
    load(mesh, pile.get());
    AbutMassData mass = abut_mesh_mass(mesh);
    btVector3 inertia(real(1000.0 * mass.inertia[0][0]), real(1000.0 * mass.inertia[1][1]),
                      real(1000.0 * mass.inertia[2][2]));
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutPose& pose = poses[i];
        btTransform at(btQuaternion(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w),
                       btVector3(real(pose.position.x), real(pose.position.y), real(pose.position.z)));
        add(pile.get(), real(1000.0 * mass.volume), inertia, at, pile->shape.get(), friction);
    }
    btTransform rest = btTransform::getIdentity();
    pile->ground.setMargin(real(0.0005));
    add(pile.get(), 0, btVector3(0, 0, 0), rest, &pile->ground, friction);
    return pile.release();
}

void destroy(void* pointer)
{
    delete static_cast<Pile*>(pointer);
}

void step(void* pointer, double seconds)
{
    static_cast<Pile*>(pointer)->world.stepSimulation(real(seconds), 1, real(seconds));
}

void poses(void* pointer, AbutPose* out)
{
    Pile* pile = static_cast<Pile*>(pointer);
    for (size_t i = 0; i + 1 < pile->bodies.size(); ++i) // the last is the ground
    {
        const btTransform& at = pile->bodies[i]->getWorldTransform();
        btQuaternion rotation = at.getRotation();
        out[i] = abut_pose_at(at.getOrigin().x(), at.getOrigin().y(), at.getOrigin().z());
        AbutQuat q = { rotation.x(), rotation.y(), rotation.z(), rotation.w() };
        out[i].rotation = abut_quat_normalize(q);
    }
}

} // namespace

extern "C" const BenchPilePeer bench_pile_gimpact = { "GImpact", create, destroy, step, poses };
