// Bullet: GImpact's tree of boxes over the triangles of a mesh, built and refitted.
#include <btBulletCollisionCommon.h>

// GImpact's headers need those above.
#include "gimpact_mesh.hpp"
#include "peers.h"

namespace
{

/// The first update builds the trees; the later ones refit them.
void* create(const AbutMesh* mesh)
{
    auto* out = new GImpactMesh;
    out->load(mesh);
    return out;
}

void refit(void* pointer)
{
    GImpactMesh* mesh = static_cast<GImpactMesh*>(pointer);
    mesh->shape->postUpdate();
    mesh->shape->updateBound();
}

void destroy(void* pointer)
{
    delete static_cast<GImpactMesh*>(pointer);
}

} // namespace

extern "C" const BenchMeshTree bench_mesh_tree_gimpact = { "GImpact", create, refit, destroy };
