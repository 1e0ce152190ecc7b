// FCL: trees of OBBRSS over triangles, in double.
#include "fcl_model.hpp"

#include <cstdio>
#include <exception>
#include <limits>
#include <memory>

namespace
{

struct Pair
{
    std::shared_ptr<FclModel> models[2];
    std::unique_ptr<fcl::CollisionObjectd> objects[2];
};

void* create(const AbutMesh* a, const AbutMesh* b)
{
    try
    {
        auto pair = std::make_unique<Pair>();
        pair->models[0] = make_fcl_model(a);
        pair->models[1] = a == b ? pair->models[0] : make_fcl_model(b);
        for (int side = 0; side < 2; ++side)
        {
            pair->objects[side] = std::make_unique<fcl::CollisionObjectd>(pair->models[side]);
        }
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

void set_poses(Pair* pair, const AbutPose* pose)
{
    double m[3][3];
    abut_quat_to_matrix(pose->rotation, m);
    fcl::Matrix3d rotation;
    rotation << m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2];
    pair->objects[1]->setTransform(rotation,
                                   fcl::Vector3d(pose->position.x, pose->position.y, pose->position.z));
}

bool touches(void* pointer, const AbutPose* pose)
{
    Pair* pair = static_cast<Pair*>(pointer);
    set_poses(pair, pose);
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(pair->objects[0].get(), pair->objects[1].get(), request, result) > 0;
}

int contacts(void* pointer, const AbutPose* pose)
{
    Pair* pair = static_cast<Pair*>(pointer);
    set_poses(pair, pose);
    fcl::CollisionRequestd request(std::numeric_limits<int>::max(), true);
    fcl::CollisionResultd result;
    return static_cast<int>(fcl::collide(pair->objects[0].get(), pair->objects[1].get(), request, result));
}

double distance(void* pointer, const AbutPose* pose, double nearest[2][3])
{
    Pair* pair = static_cast<Pair*>(pointer);
    set_poses(pair, pose);
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    double value = fcl::distance(pair->objects[0].get(), pair->objects[1].get(), request, result);
    for (int side = 0; side < 2; ++side)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            nearest[side][axis] = result.nearest_points[side][axis];
        }
    }
    return value;
}

} // namespace

extern "C" const BenchCollider bench_collider_fcl = { "FCL", create, destroy, touches, contacts, distance };
