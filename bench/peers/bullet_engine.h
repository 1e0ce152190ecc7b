/// @file bullet_engine.h
/// Heaps in a world of Bullet, with its GImpact meshes or with abut's shapes (adapters/bullet); all else
/// alike.
#ifndef ABUT_BENCH_BULLET_ENGINE_H
#define ABUT_BENCH_BULLET_ENGINE_H

#include <abut/math.h>
#include <abut/mesh.h>
#include <abut/shape.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bodies of density 1000 over the plane y = 0.
typedef struct BenchEngineHeap
{
    const AbutMesh* mesh; ///< closed, with its centre of mass at the origin
    AbutShape* field;     ///< of the mesh, for abut's shapes; NULL for GImpact
    const AbutPose* poses;
    uint32_t count;
    double friction;
    bool continuous; ///< abut's shapes: motions clamped to the time of impact
} BenchEngineHeap;

/// A body thrown at a plate whose upper side is y = 0.
typedef struct BenchEngineThrow
{
    const AbutMesh* mesh;
    AbutShape* field; ///< of the mesh, for abut's shapes; NULL for GImpact
    AbutShape* plate; ///< for abut's shapes; else a box of Bullet
    double thickness; ///< of the plate
} BenchEngineThrow;

typedef struct BenchEngine
{
    void* (*create)(const BenchEngineHeap* heap); ///< never NULL
    void (*destroy)(void* world);
    void (*step)(void* world, double seconds);
    double (*narrow_seconds)(void* world); ///< processor time of the narrow phase since the creation
    void (*poses)(void* world, AbutPose* out);
    /// Whether a body goes through the plate, with its motion of the first step as velocity.
    bool (*passes)(const BenchEngineThrow* def, const AbutPose* pose, const AbutMotion* motion);
} BenchEngine;

/// NULL when this program was built without Bullet or without its adapter.
const BenchEngine* bench_bullet_engine(void);

#ifdef __cplusplus
}
#endif

#endif
