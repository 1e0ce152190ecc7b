// FCL with its templates compiled for this processor, in a module of its own: the names are those of its
// library. The headers are those of the package without their declarations of templates that the library has
// (bench/CMakeLists.txt). Its solver is called directly, which leaves out what fcl::collide() does around it.
#include "hull_peers.h"
#include "primitive_peers.h"

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>
#include <memory>
#include <vector>

namespace
{

using Solver = fcl::detail::GJKSolver_libccd<double>;

fcl::Transform3d transform_of(const AbutPose* pose)
{
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.linear() =
        fcl::Quaterniond(pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z)
            .toRotationMatrix();
    transform.translation() = fcl::Vector3d(pose->position.x, pose->position.y, pose->position.z);
    return transform;
}

// -----------------------------------------------------------------------------------------------------------
// Hulls
// -----------------------------------------------------------------------------------------------------------

struct Hulls
{
    std::unique_ptr<fcl::Convexd> a, b;
    Solver solver;
};

/// Faces are lists of a count and that many vertices.
std::unique_ptr<fcl::Convexd> make_hull(const AbutHull* hull)
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
    return std::make_unique<fcl::Convexd>(points, static_cast<int>(info.face_count), faces);
}

void* create_hulls(const AbutHull* a, const AbutHull* b)
{
    Hulls* hulls = new Hulls;
    hulls->a = make_hull(a);
    hulls->b = make_hull(b);
    return hulls;
}

void destroy_hulls(void* peer)
{
    delete static_cast<Hulls*>(peer);
}

bool touches(void* peer, const AbutPose* pose)
{
    const Hulls& hulls = *static_cast<Hulls*>(peer);
    return hulls.solver.shapeIntersect(*hulls.a, fcl::Transform3d::Identity(), *hulls.b, transform_of(pose),
                                       nullptr);
}

double distance(void* peer, const AbutPose* pose)
{
    const Hulls& hulls = *static_cast<Hulls*>(peer);
    double result = 0.0;
    fcl::Vector3d on_a, on_b;
    bool apart = hulls.solver.shapeDistance(*hulls.a, fcl::Transform3d::Identity(), *hulls.b,
                                            transform_of(pose), &result, &on_a, &on_b);
    return apart ? result : 0.0;
}

// -----------------------------------------------------------------------------------------------------------
// Primitives
// -----------------------------------------------------------------------------------------------------------

struct Primitives
{
    BenchPrimitiveKind kind;
    fcl::Sphered spheres[2];
    fcl::Capsuled capsules[2];
    fcl::Boxd boxes[2];
    Solver solver;
    std::vector<fcl::ContactPointd> contacts;
};

/// Both of one kind.
void* create_primitives(const BenchPrimitive* a, const BenchPrimitive* b)
{
    const double *p = a->size, *q = b->size;
    return new Primitives{ a->kind,
                           { fcl::Sphered(p[0]), fcl::Sphered(q[0]) },
                           { fcl::Capsuled(p[0], p[1]), fcl::Capsuled(q[0], q[1]) },
                           { fcl::Boxd(p[0], p[1], p[2]), fcl::Boxd(q[0], q[1], q[2]) },
                           Solver(),
                           {} };
}

void destroy_primitives(void* peer)
{
    delete static_cast<Primitives*>(peer);
}

template <typename Shape>
int collide(Primitives* self, const Shape* shapes, const fcl::Transform3d& frame, const AbutPose* pose)
{
    self->contacts.clear();
    bool touches =
        self->solver.shapeIntersect(shapes[0], frame, shapes[1], transform_of(pose) * frame, &self->contacts);
    return touches ? static_cast<int>(self->contacts.size()) : 0;
}

int collide_primitives(void* peer, const AbutPose* pose)
{
    Primitives* self = static_cast<Primitives*>(peer);
    fcl::Transform3d frame = fcl::Transform3d::Identity();
    switch (self->kind)
    {
    case BENCH_SPHERE:
        return collide(self, self->spheres, frame, pose);
    case BENCH_CAPSULE:
        frame.linear() << 1, 0, 0, 0, 0, 1, 0, -1, 0; // capsules of FCL are along z
        return collide(self, self->capsules, frame, pose);
    default:
        return collide(self, self->boxes, frame, pose);
    }
}

const BenchHullPeer hulls = { "FCL native", create_hulls, destroy_hulls, touches, distance, nullptr };
const BenchPrimitivePeer primitives = { "FCL native", create_primitives, destroy_primitives,
                                        collide_primitives };

} // namespace

extern "C" __attribute__((visibility("default"))) const BenchHullPeer* bench_hull_fcl_module(void)
{
    return &hulls;
}

extern "C" __attribute__((visibility("default"))) const BenchPrimitivePeer* bench_primitive_fcl_module(void)
{
    return &primitives;
}
