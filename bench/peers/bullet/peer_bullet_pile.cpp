// Bullet: many GImpact meshes that fall on a plane.
#include "bullet_world.hpp"
#include "pile_peers.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

namespace
{

struct Pile
{
    std::vector<btScalar> vertices;
    std::vector<int> indices;
    btTriangleIndexVertexArray triangles;
    std::unique_ptr<btGImpactMeshShape> shape;
    BulletWorld bullet;
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

void* create(const AbutMesh* mesh, const AbutPose* poses, uint32_t count, double friction)
{
    auto pile = std::make_unique<Pile>();
    btGImpactCollisionAlgorithm::registerAlgorithm(&pile->bullet.dispatcher);
    pile->bullet.world.setGravity(btVector3(0, real(-9.81), 0));
    load(mesh, pile.get());
    AbutMassData mass = abut_mesh_mass(mesh);
    btVector3 inertia(real(1000.0 * mass.inertia[0][0]), real(1000.0 * mass.inertia[1][1]),
                      real(1000.0 * mass.inertia[2][2]));
    for (uint32_t i = 0; i < count; ++i)
    {
        btTransform at = transform_of(poses[i], 1.0);
        pile->bullet.add(real(1000.0 * mass.volume), inertia, at, pile->shape.get(), friction);
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
