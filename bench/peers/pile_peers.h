/// @file pile_peers.h
/// Engines of others that drop many copies of a mesh on a plane, behind one interface, as they come: on the
/// calling thread, with their own sleep.
#ifndef ABUT_BENCH_PILE_PEERS_H
#define ABUT_BENCH_PILE_PEERS_H

#include <abut/math.h>
#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchPilePeer
{
    const char* name;

    /// Bodies of density 1000 over the plane y = 0. NULL, with a message on stderr, when that fails.
    void* (*create)(const AbutMesh* mesh, const AbutPose* poses, uint32_t count, double friction);
    void (*destroy)(void* peer);
    void (*step)(void* peer, double seconds);
    void (*poses)(void* peer, AbutPose* out);
} BenchPilePeer;

/// Those that this program was built with, ended by NULL.
const BenchPilePeer* const* bench_pile_peers(void);

#ifdef __cplusplus
}
#endif

#endif
