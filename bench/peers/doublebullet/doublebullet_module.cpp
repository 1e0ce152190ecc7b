// Bullet in double, in a module of its own: its classes have the names of those in float.
#include "bullet/bullet_primitives.hpp"
#include "hull_peers.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace
{

struct Pair
{
    btConvexHullShape a, b;
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;
};

void fill(btConvexHullShape& shape, const AbutHull* hull)
{
    uint32_t count = abut_hull_info(hull).vertex_count;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 p = abut_hull_points(hull)[i];
        shape.addPoint(btVector3(p.x, p.y, p.z), false);
    }
    shape.recalcLocalAabb();
    shape.setMargin(0);
}

void* create(const AbutHull* a, const AbutHull* b)
{
    Pair* pair = new Pair;
    fill(pair->a, a);
    fill(pair->b, b);
    return pair;
}

void destroy(void* peer)
{
    delete static_cast<Pair*>(peer);
}

double solve(void* peer, const AbutPose* pose, bool depth)
{
    Pair& pair = *static_cast<Pair*>(peer);
    btGjkPairDetector detector(&pair.a, &pair.b, &pair.simplex, depth ? &pair.epa : nullptr);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA.setIdentity();
    input.m_transformB.setRotation(
        btQuaternion(pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w));
    input.m_transformB.setOrigin(btVector3(pose->position.x, pose->position.y, pose->position.z));
    btPointCollector result;
    detector.getClosestPoints(input, result, nullptr);
    return result.m_hasResult ? result.m_distance : 0.0;
}

double distance(void* peer, const AbutPose* pose)
{
    return solve(peer, pose, false);
}

double depth(void* peer, const AbutPose* pose)
{
    return -solve(peer, pose, true);
}

const BenchHullPeer table = { "Bullet in double", create, destroy, nullptr, distance, depth };

} // namespace

extern "C" __attribute__((visibility("default"))) const BenchHullPeer* bench_hull_bullet_module(void)
{
    return &table;
}

static const BenchPrimitivePeer primitives = { "Bullet in double", create_primitives, destroy_primitives,
                                               collide_primitives };

extern "C" __attribute__((visibility("default"))) const BenchPrimitivePeer*
bench_primitive_bullet_module(void)
{
    return &primitives;
}
