// Contacts of a pair in a persistent manifold of Bullet: four at once, matched by id.
#ifndef ABUT_BULLET_MANIFOLD_HPP
#define ABUT_BULLET_MANIFOLD_HPP

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <abut/bullet.hpp>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// A contact in the world.
struct Point
{
    uint64_t id;
    btVector3 on_a, on_b; // on_a − on_b = distance · normal
    btVector3 normal;     // outward of B
    btScalar distance;
    btScalar approach;    // decrease of the distance in the step to come, ≥ 0
    bool refined = false; // in an earlier step: near the deepest point already
    bool of_b = false;    // refined: along the surface of B
};

/// Ids of the points of a manifold, which are recognised by their positions: Bullet moves them between slots.
struct PointIds
{
    int count = 0;
    uint64_t ids[MANIFOLD_CACHE_SIZE];
    btVector3 on_a[MANIFOLD_CACHE_SIZE]; // in the frame of the manifold's first body

    /// The id of a point of the manifold; false for a point of somebody else.
    bool find(const btManifoldPoint& point, uint64_t* id) const;
};

/// The two objects of a call of the algorithm.
struct ObjectPair
{
    const btCollisionObjectWrapper *a, *b;
};

/// Replaces the points of the manifold. A point with the id of an old one keeps its impulses, its age and the
/// user's data; then points take over those of old ones nearer than `merge_distance`. Callbacks are called as
/// by Bullet: added, started, ended, destroyed, and processed by the refresh at the end.
void feed_manifold(const ObjectPair& objects, const Point* points, int count, btScalar merge_distance,
                   PointIds* ids, btManifoldResult* result);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
