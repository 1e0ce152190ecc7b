// Embree's rays: the first triangle on a segment.
#include "peers.h"

#include <cstdio>
#include <cstring>
#include <embree3/rtcore.h>

namespace
{

struct Rays
{
    RTCDevice device;
    RTCScene scene;
};

void* create(const AbutMesh* mesh)
{
    RTCDevice device = rtcNewDevice("threads=1");
    if (device == nullptr)
    {
        std::fprintf(stderr, "abut: bench: Embree finds no device\n");
        return nullptr;
    }
    Rays* rays = new Rays{ device, rtcNewScene(device) };
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const size_t vertex_count = abut_mesh_vertex_count(mesh), triangle_count = abut_mesh_triangle_count(mesh);
    // Embree reads 16 bytes per vertex, so it gets copies of its own.
    void* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             3 * sizeof(float), vertex_count);
    void* indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            3 * sizeof(uint32_t), triangle_count);
    std::memcpy(vertices, abut_mesh_vertices(mesh), vertex_count * sizeof(AbutVec3));
    std::memcpy(indices, abut_mesh_indices(mesh), triangle_count * 3 * sizeof(uint32_t));
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_HIGH);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(rays->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcSetSceneBuildQuality(rays->scene, RTC_BUILD_QUALITY_HIGH);
    rtcCommitScene(rays->scene);
    return rays;
}

void destroy(void* pointer)
{
    Rays* rays = static_cast<Rays*>(pointer);
    rtcReleaseScene(rays->scene);
    rtcReleaseDevice(rays->device);
    delete rays;
}

void first(void* pointer, AbutPoints from, AbutPoints to, size_t count, float* times, unsigned char* hits)
{
    Rays* rays = static_cast<Rays*>(pointer);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (size_t i = 0; i < count; ++i)
    {
        RTCRayHit hit;
        hit.ray.org_x = from.x[i];
        hit.ray.org_y = from.y[i];
        hit.ray.org_z = from.z[i];
        hit.ray.tnear = 0.0f;
        hit.ray.dir_x = to.x[i] - from.x[i];
        hit.ray.dir_y = to.y[i] - from.y[i];
        hit.ray.dir_z = to.z[i] - from.z[i];
        hit.ray.time = 0.0f;
        hit.ray.tfar = 1.0f;
        hit.ray.mask = 0xFFFFFFFFu;
        hit.ray.id = 0;
        hit.ray.flags = 0;
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(rays->scene, &context, &hit);
        hits[i] = hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
        times[i] = hits[i] != 0 ? hit.ray.tfar : 1.0f;
    }
}

} // namespace

extern "C" const BenchRays bench_rays_embree = { "Embree", create, destroy, first };
