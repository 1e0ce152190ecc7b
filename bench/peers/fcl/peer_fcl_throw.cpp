// FCL: conservative advancement over trees of RSS over triangles, in double.
#include "fcl_model.hpp"

#include <cstdio>
#include <exception>
#include <memory>

namespace
{

struct Pair
{
    std::shared_ptr<FclModel> moving, resting;
};

void* create(const AbutMesh* moving, const AbutMesh* resting)
{
    try
    {
        auto pair = std::make_unique<Pair>();
        pair->moving = make_fcl_model(moving);
        pair->resting = make_fcl_model(resting);
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

bool first_touch(void* pointer, const AbutPose* from, const AbutPose* to, bool rotates, double* time)
{
    Pair* pair = static_cast<Pair*>(pointer);
    fcl::ContinuousCollisionRequestd request;
    fcl::ContinuousCollisionResultd result;
    request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    request.ccd_motion_type = rotates ? fcl::CCDM_LINEAR : fcl::CCDM_TRANS;
    fcl::Transform3d rest = fcl::Transform3d::Identity();
    fcl::continuousCollide(static_cast<const fcl::CollisionGeometryd*>(pair->moving.get()), transform(from),
                           transform(to), static_cast<const fcl::CollisionGeometryd*>(pair->resting.get()),
                           rest, rest, request, result);
    *time = result.time_of_contact;
    return result.is_collide;
}

} // namespace

extern "C" const BenchThrower bench_thrower_fcl = { "FCL", create, destroy, first_touch };
