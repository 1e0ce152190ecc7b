// Bullet: the tree that its worlds use by default, and sweep and prune on three axes. Both keep their pairs
// from step to step in a hash table, whose array is the list of pairs.
#include "broad_peers.h"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <memory>
#include <vector>

namespace
{

struct Peer
{
    std::unique_ptr<btBroadphaseInterface> broadphase;
    std::vector<btBroadphaseProxy*> proxies;
};

btVector3 vector_of(AbutVec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

void* fill(std::unique_ptr<btBroadphaseInterface> broadphase, const AbutBox* boxes, uint32_t count)
{
    auto peer = std::make_unique<Peer>();
    peer->broadphase = std::move(broadphase);
    for (size_t i = 0; i < count; ++i)
    {
        // The number goes where the body would: Bullet drops pairs of proxies with the same body.
        peer->proxies.push_back(peer->broadphase->createProxy(vector_of(boxes[i].min),
                                                              vector_of(boxes[i].max), 0,
                                                              reinterpret_cast<void*>(i + 1), 1, 1, nullptr));
    }
    return peer.release();
}

void* create_tree(const AbutBox* boxes, uint32_t count, AbutBox)
{
    return fill(std::make_unique<btDbvtBroadphase>(), boxes, count);
}

void* create_sweep(const AbutBox* boxes, uint32_t count, AbutBox world)
{
    return fill(std::make_unique<bt32BitAxisSweep3>(vector_of(world.min), vector_of(world.max), count + 1),
                boxes, count);
}

void destroy(void* pointer)
{
    Peer* peer = static_cast<Peer*>(pointer);
    btOverlappingPairCache* cache = peer->broadphase->getOverlappingPairCache();
    while (cache->getNumOverlappingPairs() > 0) // first, or each proxy looks through all pairs for its own
    {
        btBroadphasePair pair = cache->getOverlappingPairArray()[cache->getNumOverlappingPairs() - 1];
        cache->removeOverlappingPair(pair.m_pProxy0, pair.m_pProxy1, nullptr);
    }
    for (btBroadphaseProxy* proxy : peer->proxies)
    {
        peer->broadphase->destroyProxy(proxy, nullptr);
    }
    delete peer;
}

void step(void* pointer, const AbutBox* boxes)
{
    Peer* peer = static_cast<Peer*>(pointer);
    for (size_t i = 0; i < peer->proxies.size(); ++i)
    {
        peer->broadphase->setAabb(peer->proxies[i], vector_of(boxes[i].min), vector_of(boxes[i].max),
                                  nullptr);
    }
    peer->broadphase->calculateOverlappingPairs(nullptr);
}

uint32_t number_of(const btBroadphaseProxy* proxy)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(proxy->m_clientObject) - 1);
}

size_t pairs(const void* pointer, AbutBodyPair* out, size_t capacity)
{
    const Peer* peer = static_cast<const Peer*>(pointer);
    btBroadphasePairArray& array = peer->broadphase->getOverlappingPairCache()->getOverlappingPairArray();
    const size_t count = static_cast<size_t>(array.size());
    for (size_t i = 0; i < count && i < capacity; ++i)
    {
        const btBroadphasePair& pair = array[static_cast<int>(i)];
        out[i] = { number_of(pair.m_pProxy0), number_of(pair.m_pProxy1) };
    }
    return count;
}

} // namespace

extern "C" const BenchBroadPeer bench_broad_bullet_tree = { "Bullet tree", UINT32_MAX, UINT32_MAX,
                                                            create_tree,   destroy,    step,
                                                            pairs };
extern "C" const BenchBroadPeer bench_broad_bullet_sweep = { "Bullet sweep", 20000, 2000, create_sweep,
                                                             destroy,        step,  pairs };
