// ODE: triangle meshes against each other, all contacts.
#include "peers.h"

#include <cstdarg>
#include <memory>
#include <ode/ode.h>
#include <vector>

namespace
{

constexpr int MOST_CONTACTS = 0xffff; // what the flags of dCollide can say

struct Mesh
{
    std::vector<dReal> vertices; // four each, as ODE wants them
    std::vector<dTriIndex> indices;
    dTriMeshDataID data = nullptr;
    dGeomID geometry = nullptr;

    explicit Mesh(const AbutMesh* mesh)
    {
        const AbutVec3* v = abut_mesh_vertices(mesh);
        const uint32_t* corners = abut_mesh_indices(mesh);
        for (size_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
        {
            vertices.insert(vertices.end(), { v[i].x, v[i].y, v[i].z, 0.0 });
        }
        indices.assign(corners, corners + 3 * static_cast<size_t>(abut_mesh_triangle_count(mesh)));
        data = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildSimple(data, vertices.data(), static_cast<int>(vertices.size() / 4),
                                    indices.data(), static_cast<int>(indices.size()));
        geometry = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    }

    ~Mesh()
    {
        dGeomDestroy(geometry);
        dGeomTriMeshDataDestroy(data);
    }
};

/// ODE tells on stderr, for every pair, that it could not join contacts that are close together.
void ignore_message(int, const char*, va_list)
{
}

struct Pair
{
    std::unique_ptr<Mesh> meshes[2];
    std::vector<dContactGeom> contacts = std::vector<dContactGeom>(MOST_CONTACTS);

    Pair()
    {
        dInitODE2(0);
        dSetMessageHandler(ignore_message);
    }

    ~Pair()
    {
        meshes[0].reset();
        meshes[1].reset();
        dCloseODE();
    }
};

void* create(const AbutMesh* a, const AbutMesh* b)
{
    auto pair = std::make_unique<Pair>();
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
    const dMatrix3 rotation = { m[0][0], m[0][1], m[0][2], 0.0,     m[1][0], m[1][1],
                                m[1][2], 0.0,     m[2][0], m[2][1], m[2][2], 0.0 };
    dGeomSetPosition(pair->meshes[1]->geometry, pose->position.x, pose->position.y, pose->position.z);
    dGeomSetRotation(pair->meshes[1]->geometry, rotation);
    return dCollide(pair->meshes[0]->geometry, pair->meshes[1]->geometry, MOST_CONTACTS,
                    pair->contacts.data(), sizeof(dContactGeom));
}

} // namespace

extern "C" const BenchCollider bench_collider_ode = { "ODE", create, destroy, nullptr, contacts, nullptr };
