/// @file hull_peers.h
/// Libraries of others that collide two convex hulls, behind one interface.
#ifndef ABUT_BENCH_HULL_PEERS_H
#define ABUT_BENCH_HULL_PEERS_H

#include <abut/hull.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Hull A stands at the origin, B at a pose without scale. Questions that a peer has no answer for are NULL.
typedef struct BenchHullPeer
{
    const char* name;
    void* (*create)(const AbutHull* a, const AbutHull* b);
    void (*destroy)(void* peer);
    bool (*touches)(void* peer, const AbutPose* pose);
    double (*distance)(void* peer, const AbutPose* pose); ///< of separated hulls; 0 or less for others
    double (*depth)(void* peer, const AbutPose* pose);    ///< of hulls that touch
} BenchHullPeer;

/// Those that this program was built with, ended by NULL.
const BenchHullPeer* const* bench_hull_peers(void);

#ifdef __cplusplus
}
#endif

#endif
