// Embree: self-collision of a mesh by rtcCollide over one user primitive per triangle, and a test of the
// triangles of each pair in float. Triangles with a common vertex are left out, as in Embree's own example.
#include "peers.h"

#include <algorithm>
#include <cstdio>
#include <embree3/rtcore.h>

namespace
{

struct Vec
{
    float x, y, z;
};

Vec operator-(Vec a, Vec b)
{
    return { a.x - b.x, a.y - b.y, a.z - b.z };
}

Vec cross(Vec a, Vec b)
{
    return { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

float dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

float orient(Vec a, Vec b, Vec c, Vec d)
{
    return dot(cross(b - a, c - a), d - a);
}

struct Peer
{
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    const AbutVec3* vertices;
    const uint32_t* indices;
    size_t found;

    Vec corner(unsigned triangle, int i) const
    {
        const AbutVec3& v = vertices[indices[3 * triangle + i]];
        return { v.x, v.y, v.z };
    }
};

void bounds(const RTCBoundsFunctionArguments* arguments)
{
    const Peer* peer = static_cast<const Peer*>(arguments->geometryUserPtr);
    Vec a = peer->corner(arguments->primID, 0), b = peer->corner(arguments->primID, 1),
        c = peer->corner(arguments->primID, 2);
    RTCBounds* out = arguments->bounds_o;
    out->lower_x = std::min({ a.x, b.x, c.x });
    out->lower_y = std::min({ a.y, b.y, c.y });
    out->lower_z = std::min({ a.z, b.z, c.z });
    out->upper_x = std::max({ a.x, b.x, c.x });
    out->upper_y = std::max({ a.y, b.y, c.y });
    out->upper_z = std::max({ a.z, b.z, c.z });
}

bool share_vertex(const uint32_t* a, const uint32_t* b)
{
    for (int i = 0; i < 3; ++i)
    {
        if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2])
        {
            return true;
        }
    }
    return false;
}

/// A segment through the plane of a triangle, inside of its three edges.
bool segment_crosses(Vec p, Vec q, const Vec t[3], float side_p, float side_q)
{
    if ((side_p > 0.0f) == (side_q > 0.0f))
    {
        return false;
    }
    bool first = orient(p, q, t[0], t[1]) > 0.0f;
    return first == (orient(p, q, t[1], t[2]) > 0.0f) && first == (orient(p, q, t[2], t[0]) > 0.0f);
}

bool edges_cross(const Vec edges[3], const Vec t[3], const float sides[3])
{
    return segment_crosses(edges[0], edges[1], t, sides[0], sides[1]) ||
           segment_crosses(edges[1], edges[2], t, sides[1], sides[2]) ||
           segment_crosses(edges[2], edges[0], t, sides[2], sides[0]);
}

/// False when all corners of `of` are on one side of the plane.
bool sides_of(const Vec plane[3], const Vec of[3], float sides[3])
{
    Vec normal = cross(plane[1] - plane[0], plane[2] - plane[0]);
    for (int i = 0; i < 3; ++i)
    {
        sides[i] = dot(normal, of[i] - plane[0]);
    }
    bool above = sides[0] > 0.0f && sides[1] > 0.0f && sides[2] > 0.0f;
    bool below = sides[0] < 0.0f && sides[1] < 0.0f && sides[2] < 0.0f;
    return !above && !below;
}

bool triangles_cross(const Vec a[3], const Vec b[3])
{
    float edges_a[3], edges_b[3];
    return sides_of(b, a, edges_a) && sides_of(a, b, edges_b) &&
           (edges_cross(a, b, edges_a) || edges_cross(b, a, edges_b));
}

void found(void* pointer, RTCCollision* collisions, unsigned count)
{
    Peer* peer = static_cast<Peer*>(pointer);
    for (unsigned i = 0; i < count; ++i)
    {
        unsigned first = collisions[i].primID0, second = collisions[i].primID1;
        if (first >= second || share_vertex(peer->indices + 3 * first, peer->indices + 3 * second))
        {
            continue;
        }
        Vec a[3], b[3];
        for (int k = 0; k < 3; ++k)
        {
            a[k] = peer->corner(first, k);
            b[k] = peer->corner(second, k);
        }
        peer->found += triangles_cross(a, b) ? 1 : 0;
    }
}

void* create(const AbutMesh* mesh)
{
    RTCDevice device = rtcNewDevice("threads=1");
    if (device == nullptr)
    {
        std::fprintf(stderr, "abut: bench: Embree finds no device\n");
        return nullptr;
    }
    Peer* peer = new Peer{ device,
                           rtcNewScene(device),
                           rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER),
                           abut_mesh_vertices(mesh),
                           abut_mesh_indices(mesh),
                           0 };
    rtcSetGeometryUserPrimitiveCount(peer->geometry, abut_mesh_triangle_count(mesh));
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

size_t pairs(void* pointer)
{
    Peer* peer = static_cast<Peer*>(pointer);
    peer->found = 0;
    rtcCollide(peer->scene, peer->scene, found, peer);
    return peer->found;
}

} // namespace

extern "C" const BenchSelfCollider bench_self_embree = { "Embree", create, destroy, pairs };
