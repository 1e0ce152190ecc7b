// Bullet: GImpact meshes against each other, all contacts.
#include "peers.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace
{

struct Mesh
{
    std::vector<btScalar> vertices;
    std::vector<int> indices;
    btTriangleIndexVertexArray triangles;
    std::unique_ptr<btGImpactMeshShape> shape;
    btCollisionObject object;

    explicit Mesh(const AbutMesh* mesh)
    {
        const AbutVec3* v = abut_mesh_vertices(mesh);
        const uint32_t* corners = abut_mesh_indices(mesh);
        for (size_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
        {
            vertices.insert(vertices.end(), { v[i].x, v[i].y, v[i].z });
        }
        indices.assign(corners, corners + 3 * static_cast<size_t>(abut_mesh_triangle_count(mesh)));
        btIndexedMesh part;
        part.m_numTriangles = static_cast<int>(indices.size() / 3);
        part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(indices.data());
        part.m_triangleIndexStride = 3 * sizeof(int);
        part.m_numVertices = static_cast<int>(vertices.size() / 3);
        part.m_vertexBase = reinterpret_cast<const unsigned char*>(vertices.data());
        part.m_vertexStride = 3 * sizeof(btScalar);
        triangles.addIndexedMesh(part);
        shape = std::make_unique<btGImpactMeshShape>(&triangles);
        shape->setMargin(0); // else it reports surfaces that only come near
        shape->updateBound();
        object.setCollisionShape(shape.get());
    }
};

/// Takes every contact; a manifold would keep four.
struct Counter : btManifoldResult
{
    int count = 0;

    using btManifoldResult::btManifoldResult;

    void addContactPoint(const btVector3&, const btVector3&, btScalar) override
    {
        ++count;
    }
};

struct Pair
{
    std::unique_ptr<Mesh> meshes[2];
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
};

void* create(const AbutMesh* a, const AbutMesh* b)
{
    auto pair = std::make_unique<Pair>();
    btGImpactCollisionAlgorithm::registerAlgorithm(&pair->dispatcher);
    pair->meshes[0] = std::make_unique<Mesh>(a);
    pair->meshes[1] = std::make_unique<Mesh>(b);
    return pair.release();
}

void destroy(void* pointer)
{
    delete static_cast<Pair*>(pointer);
}

int contacts(void* pointer, const AbutPose* pose)
{
    Pair* pair = static_cast<Pair*>(pointer);
    double m[3][3];
    abut_quat_to_matrix(pose->rotation, m);
    auto real = [](double value) { return static_cast<btScalar>(value); };
    btMatrix3x3 rotation(real(m[0][0]), real(m[0][1]), real(m[0][2]), real(m[1][0]), real(m[1][1]),
                         real(m[1][2]), real(m[2][0]), real(m[2][1]), real(m[2][2]));
    btVector3 position(real(pose->position.x), real(pose->position.y), real(pose->position.z));
    pair->meshes[1]->object.setWorldTransform(btTransform(rotation, position));
    btCollisionObject *a = &pair->meshes[0]->object, *b = &pair->meshes[1]->object;
    btCollisionObjectWrapper side_a(nullptr, a->getCollisionShape(), a, a->getWorldTransform(), -1, -1);
    btCollisionObjectWrapper side_b(nullptr, b->getCollisionShape(), b, b->getWorldTransform(), -1, -1);
    Counter counter(&side_a, &side_b);
    btCollisionAlgorithm* algorithm =
        pair->dispatcher.findAlgorithm(&side_a, &side_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    algorithm->processCollision(&side_a, &side_b, btDispatcherInfo(), &counter);
    algorithm->~btCollisionAlgorithm();
    pair->dispatcher.freeCollisionAlgorithm(algorithm);
    return counter.count;
}

} // namespace

extern "C" const BenchCollider bench_collider_gimpact = { "GImpact", create,   destroy,
                                                          nullptr,   contacts, nullptr };
