// FCL: DynamicAABBTreeCollisionManager, in double, brought up to date in place and, as another peer, filled
// anew at each step: its update keeps the shape of the tree, which is fast as long as boxes stay where they
// are.
#include "broad_peers.h"

#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace
{

struct Peer
{
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::vector<fcl::CollisionObjectd*> pointers;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    std::vector<AbutBodyPair> found;
};

fcl::Vector3d middle_of(const AbutBox& box)
{
    return { 0.5 * (double(box.min.x) + double(box.max.x)), 0.5 * (double(box.min.y) + double(box.max.y)),
             0.5 * (double(box.min.z) + double(box.max.z)) };
}

void* create(const AbutBox* boxes, uint32_t count, AbutBox)
{
    auto peer = std::make_unique<Peer>();
    for (size_t i = 0; i < count; ++i)
    {
        const AbutBox& box = boxes[i];
        auto shape = std::make_shared<fcl::Boxd>(double(box.max.x) - double(box.min.x),
                                                 double(box.max.y) - double(box.min.y),
                                                 double(box.max.z) - double(box.min.z));
        auto object =
            std::make_unique<fcl::CollisionObjectd>(shape, fcl::Matrix3d::Identity(), middle_of(box));
        object->setUserData(reinterpret_cast<void*>(i));
        peer->pointers.push_back(object.get());
        peer->objects.push_back(std::move(object));
    }
    peer->manager.registerObjects(peer->pointers);
    peer->manager.setup();
    return peer.release();
}

void destroy(void* peer)
{
    delete static_cast<Peer*>(peer);
}

bool found(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data)
{
    // Leaves come in pairs of nodes, whose boxes are theirs.
    static_cast<Peer*>(data)->found.push_back(
        { static_cast<uint32_t>(reinterpret_cast<uintptr_t>(a->getUserData())),
          static_cast<uint32_t>(reinterpret_cast<uintptr_t>(b->getUserData())) });
    return false;
}

void move(Peer* peer, const AbutBox* boxes)
{
    for (size_t i = 0; i < peer->pointers.size(); ++i)
    {
        const AbutBox& box = boxes[i];
        const fcl::Vector3d low(box.min.x, box.min.y, box.min.z), high(box.max.x, box.max.y, box.max.z);
        // The box itself instead of the transform and what follows from it: less work for the same tree.
        const_cast<fcl::AABBd&>(peer->pointers[i]->getAABB()) = fcl::AABBd(low, high);
    }
}

void step_updated(void* pointer, const AbutBox* boxes)
{
    Peer* peer = static_cast<Peer*>(pointer);
    move(peer, boxes);
    peer->manager.update();
    peer->found.clear();
    peer->manager.collide(peer, found);
}

void step_rebuilt(void* pointer, const AbutBox* boxes)
{
    Peer* peer = static_cast<Peer*>(pointer);
    move(peer, boxes);
    peer->manager.clear();
    peer->manager.registerObjects(peer->pointers);
    peer->manager.setup();
    peer->found.clear();
    peer->manager.collide(peer, found);
}

size_t pairs(const void* pointer, AbutBodyPair* out, size_t capacity)
{
    const Peer* peer = static_cast<const Peer*>(pointer);
    for (size_t i = 0; i < peer->found.size() && i < capacity; ++i)
    {
        out[i] = peer->found[i];
    }
    return peer->found.size();
}

} // namespace

extern "C" const BenchBroadPeer bench_broad_fcl_updated = {
    "FCL tree, updated", UINT32_MAX, 2000, create, destroy, step_updated, pairs
};
extern "C" const BenchBroadPeer bench_broad_fcl_rebuilt = {
    "FCL tree, rebuilt", UINT32_MAX, UINT32_MAX, create, destroy, step_rebuilt, pairs
};
