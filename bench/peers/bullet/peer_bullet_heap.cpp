// Bullet: boxes, capsules and convex hulls that fall on a plane.
#include "bullet_world.hpp"
#include "heap_cases.h"

#include <cmath>

namespace
{

struct Heap
{
    std::unique_ptr<btCollisionShape> shapes[HEAP_KIND_COUNT];
    BulletWorld bullet;
};

/// Bullet's lengths are tuned to bodies of about a metre (margins of 0.04, contacts that break at 0.02), so
/// that its manual asks for a larger unit where bodies are small: here a decimetre.
constexpr double UNIT = 10.0;

/// Of a step of 1/60 s: 240 per second, the default of PyBullet. With one, bodies that fall on each other end
/// up in the ground.
constexpr int SUBSTEPS = 4;

void make_shapes(const HeapForms* forms, Heap* heap)
{
    btVector3 extents(forms->box.x, forms->box.y, forms->box.z);
    heap->shapes[HEAP_BOX] = std::make_unique<btBoxShape>(extents * real(0.5 * UNIT));
    heap->shapes[HEAP_CAPSULE] =
        std::make_unique<btCapsuleShape>(real(UNIT) * forms->radius, real(UNIT) * forms->length);
    auto hull = std::make_unique<btConvexHullShape>();
    const btScalar margin = hull->getMargin(); // outside of the points, which are moved inwards by it
    for (const AbutVec3& p : forms->points)
    {
        btVector3 at = btVector3(p.x, p.y, p.z) * real(UNIT);
        hull->addPoint(at * (real(1) - margin / at.length()), false);
    }
    hull->recalcLocalAabb();
    heap->shapes[HEAP_HULL] = std::move(hull);
}

void* create(const HeapForms* forms, const AbutPose* poses, uint32_t count)
{
    auto heap = std::make_unique<Heap>();
    heap->bullet.world.setGravity(btVector3(0, real(-9.81 * UNIT), 0));
    make_shapes(forms, heap.get());
    for (uint32_t i = 0; i < count; ++i)
    {
        HeapKind kind = heap_kind_of(i);
        const AbutMassData& mass = forms->mass[kind];
        const double density = HEAP_DENSITY / (UNIT * UNIT * UNIT), fifth = std::pow(UNIT, 5.0);
        btVector3 inertia(real(density * fifth * mass.inertia[0][0]),
                          real(density * fifth * mass.inertia[1][1]),
                          real(density * fifth * mass.inertia[2][2]));
        btTransform at = transform_of(poses[i], UNIT);
        heap->bullet.add(real(HEAP_DENSITY * mass.volume), inertia, at, heap->shapes[kind].get(),
                         HEAP_FRICTION);
    }
    heap->bullet.add(0, btVector3(0, 0, 0), btTransform::getIdentity(), &heap->bullet.ground, HEAP_FRICTION);
    return heap.release();
}

void destroy(void* pointer)
{
    delete static_cast<Heap*>(pointer);
}

void step(void* pointer, double seconds)
{
    static_cast<Heap*>(pointer)->bullet.world.stepSimulation(real(seconds), SUBSTEPS,
                                                             real(seconds / SUBSTEPS));
}

void poses(void* pointer, AbutPose* out)
{
    static_cast<Heap*>(pointer)->bullet.write_poses(UNIT, out);
}

} // namespace

extern "C" const HeapPeer heap_bullet = { "Bullet", create, destroy, step, poses };
