/// @file primitive_peers.h
/// Libraries of others that collide two primitives with contacts, behind one interface.
#ifndef ABUT_BENCH_PRIMITIVE_PEERS_H
#define ABUT_BENCH_PRIMITIVE_PEERS_H

#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum BenchPrimitiveKind
{
    BENCH_SPHERE,  ///< radius
    BENCH_CAPSULE, ///< radius, length between the centres of the caps; along y
    BENCH_BOX,     ///< extents
} BenchPrimitiveKind;

typedef struct BenchPrimitive
{
    BenchPrimitiveKind kind;
    double size[3];
} BenchPrimitive;

/// A stands at the origin, B at a pose without scale.
typedef struct BenchPrimitivePeer
{
    const char* name;
    void* (*create)(const BenchPrimitive* a, const BenchPrimitive* b);
    void (*destroy)(void* peer);
    int (*collide)(void* peer, const AbutPose* pose); ///< count of contacts; 0 of separated ones
} BenchPrimitivePeer;

/// Those that this program was built with, ended by NULL.
const BenchPrimitivePeer* const* bench_primitive_peers(void);

#ifdef __cplusplus
}
#endif

#endif
