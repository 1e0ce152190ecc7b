// libccd: MPR for yes and no, with a support function that climbs from the last vertex.
#include "hull_peers.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <ccd/vec3.h>
#include <vector>

namespace
{

struct Body
{
    std::vector<ccd_vec3_t> vertices;
    std::vector<std::vector<uint32_t>> neighbors;
    ccd_vec3_t center;
    ccd_vec3_t position;
    ccd_quat_t rotation;
    bool has_pose;
    uint32_t last;
};

struct Pair
{
    Body bodies[2];
    ccd_t ccd;
};

void fill(Body& body, const AbutHull* hull)
{
    AbutHullInfo info = abut_hull_info(hull);
    body.neighbors.resize(info.vertex_count);
    ccdVec3Set(&body.center, 0, 0, 0);
    for (uint32_t i = 0; i < info.vertex_count; ++i)
    {
        AbutVec3 p = abut_hull_points(hull)[i];
        ccd_vec3_t v;
        ccdVec3Set(&v, p.x, p.y, p.z);
        body.vertices.push_back(v);
        ccdVec3Add(&body.center, &v);
    }
    ccdVec3Scale(&body.center, 1.0 / info.vertex_count);
    std::vector<uint32_t> face(info.vertex_count);
    for (uint32_t f = 0; f < info.face_count; ++f)
    {
        uint32_t n = abut_hull_face_vertices(hull, f, face.data(), info.vertex_count);
        for (uint32_t i = 0; i < n; ++i)
        {
            body.neighbors[face[i]].push_back(face[(i + 1) % n]);
        }
    }
    body.has_pose = false;
    body.last = 0;
}

void to_outer(const Body& body, ccd_vec3_t* v)
{
    if (body.has_pose)
    {
        ccdQuatRotVec(v, &body.rotation);
        ccdVec3Add(v, &body.position);
    }
}

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out)
{
    Body& body = *static_cast<Body*>(const_cast<void*>(object));
    ccd_vec3_t d = *direction;
    if (body.has_pose)
    {
        ccd_quat_t inverse;
        ccdQuatInvert2(&inverse, &body.rotation);
        ccdQuatRotVec(&d, &inverse);
    }
    uint32_t vertex = body.last, before;
    double best = ccdVec3Dot(&d, &body.vertices[vertex]);
    do
    {
        before = vertex;
        for (uint32_t other : body.neighbors[before])
        {
            double value = ccdVec3Dot(&d, &body.vertices[other]);
            if (value > best)
            {
                best = value;
                vertex = other;
            }
        }
    } while (vertex != before);
    body.last = vertex;
    *out = body.vertices[vertex];
    to_outer(body, out);
}

void center(const void* object, ccd_vec3_t* out)
{
    const Body& body = *static_cast<const Body*>(object);
    *out = body.center;
    to_outer(body, out);
}

void* create(const AbutHull* a, const AbutHull* b)
{
    Pair* pair = new Pair;
    fill(pair->bodies[0], a);
    fill(pair->bodies[1], b);
    pair->bodies[1].has_pose = true;
    CCD_INIT(&pair->ccd);
    pair->ccd.support1 = support;
    pair->ccd.support2 = support;
    pair->ccd.center1 = center;
    pair->ccd.center2 = center;
    pair->ccd.max_iterations = 100;
    return pair;
}

void destroy(void* peer)
{
    delete static_cast<Pair*>(peer);
}

bool touches(void* peer, const AbutPose* pose)
{
    Pair& pair = *static_cast<Pair*>(peer);
    Body& body = pair.bodies[1];
    ccdVec3Set(&body.position, pose->position.x, pose->position.y, pose->position.z);
    ccdQuatSet(&body.rotation, pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w);
    return ccdMPRIntersect(&pair.bodies[0], &body, &pair.ccd) != 0;
}

} // namespace

extern "C" const BenchHullPeer bench_hull_ccd = { "libccd MPR", create, destroy, touches, nullptr, nullptr };
