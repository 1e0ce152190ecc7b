// FCL: conservative advancement over trees of RSS over triangles, in double.
#include "peers.h"

#include <cstdio>
#include <exception>
#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace
{

using Model = fcl::BVHModel<fcl::OBBRSSd>;

struct Pair
{
    std::shared_ptr<Model> moving, resting;
};

std::shared_ptr<Model> make_model(const AbutMesh* mesh)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        points.emplace_back(vertices[i].x, vertices[i].y, vertices[i].z);
    }
    for (size_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        triangles.emplace_back(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
    }
    auto model = std::make_shared<Model>();
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

void* create(const AbutMesh* moving, const AbutMesh* resting)
{
    try
    {
        auto pair = std::make_unique<Pair>();
        pair->moving = make_model(moving);
        pair->resting = make_model(resting);
        return pair.release();
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "abut: bench: FCL: %s\n", error.what());
        return nullptr;
    }
}

void destroy(void* pointer)
{
    delete static_cast<Pair*>(pointer);
}

fcl::Transform3d transform(const AbutPose* pose)
{
    double m[3][3];
    abut_quat_to_matrix(pose->rotation, m);
    fcl::Transform3d out = fcl::Transform3d::Identity();
    out.linear() << m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2];
    out.translation() = fcl::Vector3d(pose->position.x, pose->position.y, pose->position.z);
    return out;
}

bool first_touch(void* pointer, const AbutPose* from, const AbutPose* to, bool turns, double* time)
{
    Pair* pair = static_cast<Pair*>(pointer);
    fcl::ContinuousCollisionRequestd request;
    fcl::ContinuousCollisionResultd result;
    request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    request.ccd_motion_type = turns ? fcl::CCDM_LINEAR : fcl::CCDM_TRANS;
    fcl::Transform3d rest = fcl::Transform3d::Identity();
    fcl::continuousCollide(static_cast<const fcl::CollisionGeometryd*>(pair->moving.get()), transform(from),
                           transform(to), static_cast<const fcl::CollisionGeometryd*>(pair->resting.get()),
                           rest, rest, request, result);
    *time = result.time_of_contact;
    return result.is_collide;
}

} // namespace

extern "C" const BenchThrower bench_thrower_fcl = { "FCL", create, destroy, first_touch };
