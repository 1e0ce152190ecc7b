// FCL's trees of OBBRSS over triangles, compiled for this processor (fclnative_module.cpp). The traversals
// are called directly, which leaves out what fcl::collide() and fcl::distance() do around them.
#include "peers.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_distance_traversal_node.h>
#include <limits>
#include <memory>
#include <vector>

// Functions of the library that no header has; in sight of the compiler, so that it inlines them.
namespace fcl
{

Triangle::Triangle() = default;

Triangle::Triangle(std::size_t a, std::size_t b, std::size_t c)
{
    set(a, b, c);
}

void Triangle::set(std::size_t a, std::size_t b, std::size_t c)
{
    vids[0] = a;
    vids[1] = b;
    vids[2] = c;
}

std::size_t Triangle::operator[](int i) const
{
    return vids[i];
}

bool BVNodeBase::isLeaf() const
{
    return first_child < 0;
}

int BVNodeBase::primitiveId() const
{
    return -1 - first_child;
}

int BVNodeBase::leftChild() const
{
    return first_child;
}

int BVNodeBase::rightChild() const
{
    return first_child + 1;
}

namespace detail
{

/// No traversal here has a list.
void updateFrontList(BVHFrontList*, int, int)
{
}

} // namespace detail
} // namespace fcl

namespace
{

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;

struct Pair
{
    std::shared_ptr<Model> models[2];
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

void* create(const AbutMesh* a, const AbutMesh* b)
{
    Pair* pair = new Pair;
    pair->models[0] = make_model(a);
    pair->models[1] = a == b ? pair->models[0] : make_model(b);
    return pair;
}

void destroy(void* pointer)
{
    delete static_cast<Pair*>(pointer);
}

fcl::Transform3d transform_of(const AbutPose* pose)
{
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.linear() =
        fcl::Quaterniond(pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z)
            .toRotationMatrix();
    transform.translation() = fcl::Vector3d(pose->position.x, pose->position.y, pose->position.z);
    return transform;
}

int collide(Pair* pair, const AbutPose* pose, const fcl::CollisionRequestd& request)
{
    fcl::CollisionResultd result;
    fcl::detail::MeshCollisionTraversalNodeOBBRSSd node;
    if (!fcl::detail::initialize(node, *pair->models[0], fcl::Transform3d::Identity(), *pair->models[1],
                                 transform_of(pose), request, result))
    {
        return 0;
    }
    fcl::detail::collide(&node);
    return static_cast<int>(result.numContacts());
}

bool touches(void* pointer, const AbutPose* pose)
{
    return collide(static_cast<Pair*>(pointer), pose, fcl::CollisionRequestd()) > 0;
}

int contacts(void* pointer, const AbutPose* pose)
{
    fcl::CollisionRequestd request(std::numeric_limits<int>::max(), true);
    return collide(static_cast<Pair*>(pointer), pose, request);
}

double distance(void* pointer, const AbutPose* pose, double nearest[2][3])
{
    Pair* pair = static_cast<Pair*>(pointer);
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    fcl::detail::MeshDistanceTraversalNodeOBBRSSd node;
    if (!fcl::detail::initialize(node, *pair->models[0], fcl::Transform3d::Identity(), *pair->models[1],
                                 transform_of(pose), request, result))
    {
        return 0.0;
    }
    fcl::detail::distance(&node);
    for (int side = 0; side < 2; ++side)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            nearest[side][axis] = result.nearest_points[side][axis];
        }
    }
    return result.min_distance;
}

const BenchCollider collider = { "FCL native", create, destroy, touches, contacts, distance };

} // namespace

extern "C" __attribute__((visibility("default"))) const BenchCollider* bench_collider_fcl_module(void)
{
    return &collider;
}
