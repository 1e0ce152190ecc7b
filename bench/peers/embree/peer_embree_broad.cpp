// Embree: rtcCollide of a scene with itself. The scene is one geometry of user primitives, whose boxes it
// asks for, built anew at each step with the fast builder that it has for moving things.
#include "broad_peers.h"

#include <cstdio>
#include <embree3/rtcore.h>
#include <vector>

namespace
{

struct Peer
{
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    const AbutBox* boxes;
    std::vector<AbutBodyPair> found;
};

void bounds(const RTCBoundsFunctionArguments* arguments)
{
    const Peer* peer = static_cast<const Peer*>(arguments->geometryUserPtr);
    const AbutBox& box = peer->boxes[arguments->primID];
    RTCBounds* out = arguments->bounds_o;
    out->lower_x = box.min.x;
    out->lower_y = box.min.y;
    out->lower_z = box.min.z;
    out->upper_x = box.max.x;
    out->upper_y = box.max.y;
    out->upper_z = box.max.z;
}

void found(void* pointer, RTCCollision* collisions, unsigned count)
{
    Peer* peer = static_cast<Peer*>(pointer);
    for (unsigned i = 0; i < count; ++i)
    {
        peer->found.push_back({ collisions[i].primID0, collisions[i].primID1 });
    }
}

void* create(const AbutBox* boxes, uint32_t count, AbutBox)
{
    RTCDevice device = rtcNewDevice("threads=1");
    if (device == nullptr)
    {
        std::fprintf(stderr, "abut: bench: Embree finds no device\n");
        return nullptr;
    }
    Peer* peer =
        new Peer{ device, rtcNewScene(device), rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER), boxes, {} };
    rtcSetSceneFlags(peer->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(peer->scene, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryUserPrimitiveCount(peer->geometry, count);
    rtcSetGeometryUserData(peer->geometry, peer);
    rtcSetGeometryBoundsFunction(peer->geometry, bounds, nullptr);
    rtcCommitGeometry(peer->geometry);
    rtcAttachGeometry(peer->scene, peer->geometry);
    rtcCommitScene(peer->scene);
    return peer;
}

void destroy(void* pointer)
{
    Peer* peer = static_cast<Peer*>(pointer);
    rtcReleaseGeometry(peer->geometry);
    rtcReleaseScene(peer->scene);
    rtcReleaseDevice(peer->device);
    delete peer;
}

void step(void* pointer, const AbutBox* boxes)
{
    Peer* peer = static_cast<Peer*>(pointer);
    peer->boxes = boxes;
    rtcCommitGeometry(peer->geometry);
    rtcCommitScene(peer->scene);
    peer->found.clear();
    rtcCollide(peer->scene, peer->scene, found, peer);
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

extern "C" const BenchBroadPeer bench_broad_embree = { "Embree", UINT32_MAX, UINT32_MAX, create,
                                                       destroy,  step,       pairs };
