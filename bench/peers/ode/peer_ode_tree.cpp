// ODE: OPCODE's tree of boxes over the triangles of a mesh, built and refitted.
#include "peers.h"

#include <ode/ode.h>
#include <vector>

namespace
{

struct Mesh
{
    std::vector<dReal> vertices; // four each, as ODE wants them
    std::vector<dTriIndex> indices;
    dTriMeshDataID data = nullptr;
};

void* create(const AbutMesh* mesh)
{
    dInitODE2(0);
    auto* out = new Mesh;
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* corners = abut_mesh_indices(mesh);
    for (size_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        out->vertices.insert(out->vertices.end(), { v[i].x, v[i].y, v[i].z, 0.0 });
    }
    out->indices.assign(corners, corners + 3 * static_cast<size_t>(abut_mesh_triangle_count(mesh)));
    out->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(out->data, out->vertices.data(), static_cast<int>(out->vertices.size() / 4),
                                out->indices.data(), static_cast<int>(out->indices.size()));
    return out;
}

void refit(void* pointer)
{
    dGeomTriMeshDataUpdate(static_cast<Mesh*>(pointer)->data);
}

void destroy(void* pointer)
{
    Mesh* mesh = static_cast<Mesh*>(pointer);
    dGeomTriMeshDataDestroy(mesh->data);
    delete mesh;
    dCloseODE();
}

} // namespace

extern "C" const BenchMeshTree bench_mesh_tree_ode = { "ODE", create, refit, destroy };
