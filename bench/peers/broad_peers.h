/// @file broad_peers.h
/// Broad phases of others behind one interface, on the calling thread. They are C++, each in a file of its
/// own that is compiled where the library is installed.
#ifndef ABUT_BENCH_BROAD_PEERS_H
#define ABUT_BENCH_BROAD_PEERS_H

#include <abut/broad.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchBroadPeer
{
    const char* name;
    uint32_t most_coherent, most_random; ///< boxes beyond which a step takes minutes

    /// NULL, with a message on stderr, when that fails.
    void* (*create)(const AbutBox* boxes, uint32_t count, AbutBox world);
    void (*destroy)(void* peer);

    /// Moves all boxes and finds all pairs.
    void (*step)(void* peer, const AbutBox* boxes);

    /// The pairs of the last step as the peer has them: in any order, perhaps twice, perhaps of boxes that
    /// are only near. Returns how many there are; copies as many as fit.
    size_t (*pairs)(const void* peer, AbutBodyPair* pairs, size_t capacity);
} BenchBroadPeer;

/// Those that this program was built with, ended by NULL.
const BenchBroadPeer* const* bench_broad_peers(void);

#ifdef __cplusplus
}
#endif

#endif
