// Embree's point queries: the nearest triangle through its tree, measured by the callback that the caller
// writes.
#include "peers.h"

#include <cmath>
#include <cstdio>
#include <embree3/rtcore.h>
#include <limits>

namespace
{

struct Tree
{
    RTCDevice device;
    RTCScene scene;
    const AbutVec3* vertices;
    const uint32_t* indices;
};

struct Vec
{
    float x, y, z;
};

Vec operator-(Vec a, Vec b)
{
    return { a.x - b.x, a.y - b.y, a.z - b.z };
}

float dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Squared length of ap less its part along ab, which is `t` of it.
float squared_beside(Vec ap, Vec ab, float t)
{
    Vec d = { ap.x - t * ab.x, ap.y - t * ab.y, ap.z - t * ab.z };
    return dot(d, d);
}

/// Squared distance to a triangle by regions (Ericson, Real-Time Collision Detection, 5.1.5).
float triangle_squared_distance(Vec p, Vec a, Vec b, Vec c)
{
    Vec ab = b - a, ac = c - a, ap = p - a;
    float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0.0f && d2 <= 0.0f)
    {
        return dot(ap, ap);
    }
    Vec bp = p - b;
    float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0.0f && d4 <= d3)
    {
        return dot(bp, bp);
    }
    float vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f)
    {
        return squared_beside(ap, ab, d1 / (d1 - d3));
    }
    Vec cp = p - c;
    float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0.0f && d5 <= d6)
    {
        return dot(cp, cp);
    }
    float vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f)
    {
        return squared_beside(ap, ac, d2 / (d2 - d6));
    }
    float va = d3 * d6 - d5 * d4;
    if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f)
    {
        return squared_beside(bp, c - b, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    float scale = 1.0f / (va + vb + vc), v = vb * scale, w = vc * scale;
    Vec d = { ap.x - v * ab.x - w * ac.x, ap.y - v * ab.y - w * ac.y, ap.z - v * ab.z - w * ac.z };
    return dot(d, d);
}

/// Shrinks the query's ball to the triangle; true tells Embree that it did.
bool visit(RTCPointQueryFunctionArguments* arguments)
{
    const Tree* tree = static_cast<const Tree*>(arguments->userPtr);
    const uint32_t* index = tree->indices + 3 * static_cast<size_t>(arguments->primID);
    const AbutVec3 a = tree->vertices[index[0]], b = tree->vertices[index[1]], c = tree->vertices[index[2]];
    RTCPointQuery* query = arguments->query;
    float squared = triangle_squared_distance({ query->x, query->y, query->z }, { a.x, a.y, a.z },
                                              { b.x, b.y, b.z }, { c.x, c.y, c.z });
    if (squared < query->radius * query->radius)
    {
        query->radius = std::sqrt(squared);
        return true;
    }
    return false;
}

void* create(const AbutMesh* mesh)
{
    RTCDevice device = rtcNewDevice("threads=1");
    if (device == nullptr)
    {
        std::fprintf(stderr, "abut: bench: Embree finds no device\n");
        return nullptr;
    }
    Tree* tree = new Tree{ device, rtcNewScene(device), abut_mesh_vertices(mesh), abut_mesh_indices(mesh) };
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const size_t vertex_count = abut_mesh_vertex_count(mesh), triangle_count = abut_mesh_triangle_count(mesh);
    // Embree reads 16 bytes per vertex, so it gets a copy of its own.
    float* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), vertex_count));
    for (size_t i = 0; i < vertex_count; ++i)
    {
        vertices[3 * i] = tree->vertices[i].x;
        vertices[3 * i + 1] = tree->vertices[i].y;
        vertices[3 * i + 2] = tree->vertices[i].z;
    }
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, tree->indices, 0,
                               3 * sizeof(uint32_t), triangle_count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(tree->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(tree->scene);
    return tree;
}

void destroy(void* pointer)
{
    Tree* tree = static_cast<Tree*>(pointer);
    rtcReleaseScene(tree->scene);
    rtcReleaseDevice(tree->device);
    delete tree;
}

void measure(void* pointer, const AbutVec3* points, size_t count, float* distances)
{
    Tree* tree = static_cast<Tree*>(pointer);
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    float bound = std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < count; ++i)
    {
        const AbutVec3 p = points[i];
        if (i > 0) // a distance changes by at most the way from point to point
        {
            Vec step = { p.x - points[i - 1].x, p.y - points[i - 1].y, p.z - points[i - 1].z };
            bound = (distances[i - 1] + std::sqrt(dot(step, step))) * 1.00001f;
        }
        RTCPointQuery query = {};
        query.x = p.x;
        query.y = p.y;
        query.z = p.z;
        query.radius = bound;
        rtcPointQuery(tree->scene, &query, &context, visit, tree);
        distances[i] = query.radius;
    }
}

} // namespace

extern "C" const BenchTree bench_tree_embree = { "Embree", create, destroy, measure };
