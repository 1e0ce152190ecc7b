#include "peers.h"

#if defined(BENCH_HAS_EMBREE)
extern const BenchTree bench_tree_embree;
extern const BenchRays bench_rays_embree;
extern const BenchSelfCollider bench_self_embree;
#endif
#if defined(BENCH_HAS_CGAL)
extern const BenchTree bench_tree_cgal;
#endif
#if defined(BENCH_HAS_FCL)
extern const BenchCollider bench_collider_fcl;
extern const BenchThrower bench_thrower_fcl;
#endif
#if defined(BENCH_HAS_FCLNATIVE)
extern const BenchCollider bench_collider_fclnative;
#endif
#if defined(BENCH_HAS_ODE)
extern const BenchCollider bench_collider_ode;
extern const BenchMeshTree bench_mesh_tree_ode;
#endif
#if defined(BENCH_HAS_BULLET)
extern const BenchCollider bench_collider_gimpact;
extern const BenchMeshTree bench_mesh_tree_gimpact;
#endif

const BenchTree* const* bench_trees(void)
{
    static const BenchTree* const trees[] = {
#if defined(BENCH_HAS_EMBREE)
        &bench_tree_embree,
#endif
#if defined(BENCH_HAS_CGAL)
        &bench_tree_cgal,
#endif
        NULL,
    };
    return trees;
}

const BenchRays* bench_rays(void)
{
#if defined(BENCH_HAS_EMBREE)
    return &bench_rays_embree;
#else
    return NULL;
#endif
}

const BenchSelfCollider* bench_self_collider(void)
{
#if defined(BENCH_HAS_EMBREE)
    return &bench_self_embree;
#else
    return NULL;
#endif
}

const BenchCollider* const* bench_colliders(void)
{
    static const BenchCollider* const colliders[] = {
#if defined(BENCH_HAS_FCL)
        &bench_collider_fcl,
#endif
#if defined(BENCH_HAS_FCLNATIVE)
        &bench_collider_fclnative,
#endif
#if defined(BENCH_HAS_ODE)
        &bench_collider_ode,
#endif
#if defined(BENCH_HAS_BULLET)
        &bench_collider_gimpact,
#endif
        NULL,
    };
    return colliders;
}

const BenchMeshTree* const* bench_mesh_trees(void)
{
    static const BenchMeshTree* const trees[] = {
#if defined(BENCH_HAS_BULLET)
        &bench_mesh_tree_gimpact,
#endif
#if defined(BENCH_HAS_ODE)
        &bench_mesh_tree_ode,
#endif
        NULL,
    };
    return trees;
}

const BenchThrower* bench_thrower(void)
{
#if defined(BENCH_HAS_FCL)
    return &bench_thrower_fcl;
#else
    return NULL;
#endif
}

bool bench_band_exists(void)
{
#if defined(BENCH_HAS_OPENVDB)
    return true;
#else
    return false;
#endif
}

#if !defined(BENCH_HAS_OPENVDB)

bool bench_band_create(const AbutMesh* mesh, double cell_size, uint32_t worker_count, BenchBand* out)
{
    (void)mesh;
    (void)cell_size;
    (void)worker_count;
    (void)out;
    return false;
}

void bench_band_destroy(BenchBand* band)
{
    (void)band;
}

void bench_band_sample(const BenchBand* band, const AbutVec3* points, size_t count, float* distances)
{
    (void)band;
    (void)points;
    (void)count;
    (void)distances;
}

#endif
