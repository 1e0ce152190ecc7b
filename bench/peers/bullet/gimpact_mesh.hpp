/// @file gimpact_mesh.hpp
/// A mesh as a GImpact shape of Bullet.
#ifndef ABUT_BENCH_GIMPACT_MESH_HPP
#define ABUT_BENCH_GIMPACT_MESH_HPP

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <abut/mesh.h>
#include <memory>
#include <vector>

struct GImpactMesh
{
    std::vector<btScalar> vertices;
    std::vector<int> indices;
    btTriangleIndexVertexArray triangles;
    std::unique_ptr<btGImpactMeshShape> shape;

    void load(const AbutMesh* mesh)
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
        shape->setMargin(static_cast<btScalar>(0.0005)); // of bodies of 0.1; the default is 0.04
        shape->updateBound();
    }
};

#endif
