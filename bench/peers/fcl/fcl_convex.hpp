/// @file fcl_convex.hpp
/// Primitives and hulls by FCL, from its library or from its headers.
#ifndef ABUT_BENCH_FCL_CONVEX_HPP
#define ABUT_BENCH_FCL_CONVEX_HPP

#include "hull_peers.h"
#include "primitive_peers.h"

#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace
{

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

fcl::Transform3d transform_of(const AbutPose* pose)
{
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.linear() =
        fcl::Quaterniond(pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z)
            .toRotationMatrix();
    transform.translation() = fcl::Vector3d(pose->position.x, pose->position.y, pose->position.z);
    return transform;
}

struct Shapes
{
    Geometry geometries[2];
    fcl::Transform3d frames[2] = { fcl::Transform3d::Identity(), fcl::Transform3d::Identity() };

    EIGEN_MAKE_ALIGNED_OPERATOR_NEW
};

// -----------------------------------------------------------------------------------------------------------
// Primitives
// -----------------------------------------------------------------------------------------------------------

Geometry make_primitive(const BenchPrimitive& primitive)
{
    const double* size = primitive.size;
    switch (primitive.kind)
    {
    case BENCH_SPHERE:
        return std::make_shared<fcl::Sphered>(size[0]);
    case BENCH_CAPSULE:
        return std::make_shared<fcl::Capsuled>(size[0], size[1]);
    default:
        return std::make_shared<fcl::Boxd>(size[0], size[1], size[2]);
    }
}

/// Capsules of FCL are along z: a quarter rotation about x first.
fcl::Transform3d upright(const BenchPrimitive& primitive)
{
    fcl::Transform3d frame = fcl::Transform3d::Identity();
    if (primitive.kind == BENCH_CAPSULE)
    {
        frame.linear() << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    }
    return frame;
}

void* create_primitives(const BenchPrimitive* a, const BenchPrimitive* b)
{
    Shapes* shapes = new Shapes;
    shapes->geometries[0] = make_primitive(*a);
    shapes->geometries[1] = make_primitive(*b);
    shapes->frames[0] = upright(*a);
    shapes->frames[1] = upright(*b);
    return shapes;
}

void destroy_shapes(void* peer)
{
    delete static_cast<Shapes*>(peer);
}

int collide_primitives(void* peer, const AbutPose* pose)
{
    const Shapes& shapes = *static_cast<Shapes*>(peer);
    fcl::CollisionRequestd request(8, true);
    fcl::CollisionResultd result;
    fcl::collide(shapes.geometries[0].get(), shapes.frames[0], shapes.geometries[1].get(),
                 transform_of(pose) * shapes.frames[1], request, result);
    return static_cast<int>(result.numContacts());
}

// -----------------------------------------------------------------------------------------------------------
// Hulls
// -----------------------------------------------------------------------------------------------------------

/// Faces are lists of a count and that many vertices.
Geometry make_hull(const AbutHull* hull)
{
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    AbutHullInfo info = abut_hull_info(hull);
    for (uint32_t i = 0; i < info.vertex_count; ++i)
    {
        AbutVec3 p = abut_hull_points(hull)[i];
        points->emplace_back(p.x, p.y, p.z);
    }
    for (uint32_t i = 0; i < info.face_count; ++i)
    {
        std::vector<uint32_t> corners(info.vertex_count);
        uint32_t count = abut_hull_face_vertices(hull, i, corners.data(), info.vertex_count);
        faces->push_back(static_cast<int>(count));
        faces->insert(faces->end(), corners.begin(), corners.begin() + count);
    }
    return std::make_shared<fcl::Convexd>(points, static_cast<int>(info.face_count), faces);
}

void* create_hulls(const AbutHull* a, const AbutHull* b)
{
    Shapes* shapes = new Shapes;
    shapes->geometries[0] = make_hull(a);
    shapes->geometries[1] = make_hull(b);
    return shapes;
}

bool touches_hulls(void* peer, const AbutPose* pose)
{
    const Shapes& shapes = *static_cast<Shapes*>(peer);
    fcl::CollisionRequestd request(1, false);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::CollisionResultd result;
    fcl::collide(shapes.geometries[0].get(), shapes.frames[0], shapes.geometries[1].get(), transform_of(pose),
                 request, result);
    return result.isCollision();
}

double distance_hulls(void* peer, const AbutPose* pose)
{
    const Shapes& shapes = *static_cast<Shapes*>(peer);
    fcl::DistanceRequestd request(true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::DistanceResultd result;
    return fcl::distance(shapes.geometries[0].get(), shapes.frames[0], shapes.geometries[1].get(),
                         transform_of(pose), request, result);
}

} // namespace

#endif
