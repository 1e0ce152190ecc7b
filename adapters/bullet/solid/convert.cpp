// Bullet's shapes as solids of abut. Surfaces are those that Bullet's own algorithms see: margins of spheres,
// capsules, boxes and cylinders are within their dimensions, those of cones, hulls and triangles around them.
#include "solid/convert.hpp"

#include "message.hpp"
#include "solid/triangles.hpp"

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btUniformScalingShape.h>
#include <atomic>
#include <btBulletCollisionCommon.h>
#include <cmath>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Directions along each side of a cube whose support points stand for a convex shape of an unknown kind.
constexpr int SUPPORT_DIRECTIONS = 12;

/// Solids that nobody uses are dropped when there are more than this.
constexpr size_t CACHE_SIZE = 1024;

std::atomic<uint64_t> forgotten{ 0 };

float number(btScalar value)
{
    return static_cast<float>(value);
}

/// Bullet's shapes have their axis along any coordinate axis, abut's along y.
AbutShape* along(int axis, AbutShape* shape)
{
    if (shape == nullptr || axis == 1)
    {
        return shape;
    }
    const float half = 0.70710678f;
    AbutPose pose = abut_pose_identity(); // a rotation by 90° from y to the axis
    AbutQuat to_x = { 0.0f, 0.0f, -half, half }, to_z = { half, 0.0f, 0.0f, half };
    pose.rotation = axis == 0 ? to_x : to_z;
    AbutShape* placed = nullptr;
    abut_shape_create_transformed(shape, &pose, nullptr, &placed);
    abut_shape_destroy(shape);
    return placed;
}

AbutShape* create_hull(const std::vector<AbutVec3>& points)
{
    AbutShape* shape = nullptr;
    abut_shape_create_convex(points.data(), points.size(), nullptr, &shape);
    return shape;
}

AbutShape* create_polyhedron(const btPolyhedralConvexShape& shape)
{
    std::vector<AbutVec3> points;
    for (int i = 0; i < shape.getNumVertices(); ++i)
    {
        btVector3 vertex;
        shape.getVertex(i, vertex);
        points.push_back(to_abut(vertex));
    }
    return create_hull(points);
}

/// The hull of support points in directions over the sides of a cube: from within, with an error of about a
/// hundredth of the size.
AbutShape* create_by_support(const btConvexShape& shape)
{
    std::vector<AbutVec3> points;
    for (int side = 0; side < 6; ++side)
    {
        for (int i = 0; i <= SUPPORT_DIRECTIONS; ++i)
        {
            for (int k = 0; k <= SUPPORT_DIRECTIONS; ++k)
            {
                btVector3 d(0, 0, 0);
                d[side / 2] = real(side % 2 == 0 ? 1.0 : -1.0);
                d[(side / 2 + 1) % 3] = real(2.0 * i / SUPPORT_DIRECTIONS - 1.0);
                d[(side / 2 + 2) % 3] = real(2.0 * k / SUPPORT_DIRECTIONS - 1.0);
                points.push_back(to_abut(shape.localGetSupportingVertexWithoutMargin(d.normalized())));
            }
        }
    }
    return create_hull(points);
}

AbutShape* create_sphere(const btCollisionShape& shape)
{
    AbutShape* out = nullptr;
    abut_shape_create_sphere(number(static_cast<const btSphereShape&>(shape).getRadius()), nullptr, &out);
    return out;
}

AbutShape* create_box(const btCollisionShape& shape)
{
    AbutShape* out = nullptr;
    btVector3 half = static_cast<const btBoxShape&>(shape).getHalfExtentsWithMargin();
    abut_shape_create_box(to_abut(half * 2), nullptr, &out);
    return out;
}

AbutShape* create_capsule(const btCollisionShape& shape)
{
    const auto& capsule = static_cast<const btCapsuleShape&>(shape);
    AbutShape* out = nullptr;
    abut_shape_create_capsule(number(capsule.getRadius()), 2.0f * number(capsule.getHalfHeight()), nullptr,
                              &out);
    return along(capsule.getUpAxis(), out);
}

AbutShape* create_cylinder(const btCollisionShape& shape)
{
    const auto& cylinder = static_cast<const btCylinderShape&>(shape);
    btVector3 half = cylinder.getHalfExtentsWithMargin();
    int axis = cylinder.getUpAxis();
    AbutShape* out = nullptr;
    abut_shape_create_cylinder(number(half[axis == 0 ? 1 : 0]), 2.0f * number(half[axis]), nullptr, &out);
    return along(axis, out);
}

AbutShape* create_cone(const btCollisionShape& shape)
{
    const auto& cone = static_cast<const btConeShape&>(shape);
    AbutShape* out = nullptr;
    abut_shape_create_cone(number(cone.getRadius()), 0.0f, number(cone.getHeight()), nullptr, &out);
    return along(cone.getConeUpIndex(), out);
}

AbutShape* create_plane(const btCollisionShape& shape)
{
    const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
    AbutShape* out = nullptr;
    abut_shape_create_plane(to_abut(plane.getPlaneNormal()), number(plane.getPlaneConstant()), nullptr, &out);
    return out;
}

AbutShape* create_triangles(const btCollisionShape& shape)
{
    btVector3 down(0, 0, 0);
    if (shape.getShapeType() == TERRAIN_SHAPE_PROXYTYPE)
    {
        down[static_cast<const btHeightfieldTerrainShape&>(shape).getUpAxis()] = -1;
    }
    AbutShape* out = nullptr;
    create_solid(collect_triangles(static_cast<const btConcaveShape&>(shape)), down, &out);
    return out;
}

bool has_triangles(int type)
{
    return type == TRIANGLE_MESH_SHAPE_PROXYTYPE || type == SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE ||
           type == TERRAIN_SHAPE_PROXYTYPE || type == GIMPACT_SHAPE_PROXYTYPE ||
           type == MULTIMATERIAL_TRIANGLE_MESH_PROXYTYPE;
}

AbutShape* create(const btCollisionShape& shape)
{
    switch (shape.getShapeType())
    {
    case SPHERE_SHAPE_PROXYTYPE:
        return create_sphere(shape);
    case BOX_SHAPE_PROXYTYPE:
        return create_box(shape);
    case CAPSULE_SHAPE_PROXYTYPE:
        return create_capsule(shape);
    case CYLINDER_SHAPE_PROXYTYPE:
        return create_cylinder(shape);
    case CONE_SHAPE_PROXYTYPE:
        return create_cone(shape);
    case STATIC_PLANE_PROXYTYPE:
        return create_plane(shape);
    default:
        break;
    }
    if (shape.isPolyhedral())
    {
        return create_polyhedron(static_cast<const btPolyhedralConvexShape&>(shape));
    }
    if (shape.isConvex())
    {
        return create_by_support(static_cast<const btConvexShape&>(shape));
    }
    if (has_triangles(shape.getShapeType()))
    {
        return create_triangles(shape);
    }
    abut_fail(ABUT_UNSUPPORTED, "a shape of this kind has no solid");
    return nullptr;
}

/// The margin around the solid of create().
float margin_of(const btCollisionShape& shape)
{
    switch (shape.getShapeType())
    {
    case SPHERE_SHAPE_PROXYTYPE:
    case BOX_SHAPE_PROXYTYPE:
    case CAPSULE_SHAPE_PROXYTYPE:
    case CYLINDER_SHAPE_PROXYTYPE:
    case STATIC_PLANE_PROXYTYPE:
        return 0.0f;
    default:
        return std::fmax(number(shape.getMargin()), 0.0f);
    }
}

uint64_t hash_points(const btPolyhedralConvexShape& shape)
{
    uint64_t hash = 0;
    for (int i = 0; i < shape.getNumVertices(); ++i)
    {
        btVector3 vertex;
        shape.getVertex(i, vertex);
        hash = abut_hash(vertex.m_floats, 3 * sizeof(btScalar), hash);
    }
    return hash;
}

/// Hash of the arrays of a mesh.
uint64_t hash_arrays(const btStridingMeshInterface& mesh)
{
    uint64_t hash = 0;
    for (int i = 0; i < mesh.getNumSubParts(); ++i)
    {
        const unsigned char *vertices, *indices;
        int vertex_count, vertex_stride, index_stride, face_count;
        PHY_ScalarType vertex_type, index_type;
        mesh.getLockedReadOnlyVertexIndexBase(&vertices, vertex_count, vertex_type, vertex_stride, &indices,
                                              index_stride, face_count, index_type, i);
        size_t scalar = vertex_type == PHY_DOUBLE ? sizeof(double) : sizeof(float);
        for (int k = 0; k < vertex_count; ++k)
        {
            hash = abut_hash(vertices + static_cast<ptrdiff_t>(k) * vertex_stride, 3 * scalar, hash);
        }
        size_t index = index_type == PHY_SHORT ? 2 : index_type == PHY_UCHAR ? 1 : 4;
        for (int k = 0; k < face_count; ++k)
        {
            hash = abut_hash(indices + static_cast<ptrdiff_t>(k) * index_stride, 3 * index, hash);
        }
        mesh.unLockReadOnlyVertexBase(i);
    }
    return hash;
}

/// Hash of the vertices, which are too many for a comparison at every step: another shape may be at the
/// address of one that is gone.
uint64_t content_of(const btCollisionShape& shape)
{
    int type = shape.getShapeType();
    if (shape.isPolyhedral() && type != BOX_SHAPE_PROXYTYPE)
    {
        return hash_points(static_cast<const btPolyhedralConvexShape&>(shape));
    }
    if (type == TRIANGLE_MESH_SHAPE_PROXYTYPE)
    {
        return hash_arrays(*static_cast<const btTriangleMeshShape&>(shape).getMeshInterface());
    }
    return has_triangles(type) ? hash_triangles(static_cast<const btConcaveShape&>(shape)) : 0;
}

struct Entry
{
    Signature signature;
    uint64_t content = 0;
    std::shared_ptr<const Solid> solid;
};

struct Cache
{
    std::mutex mutex;
    std::unordered_map<const btCollisionShape*, Entry> entries;
    bool refused[MAX_BROADPHASE_COLLISION_TYPES] = {};
};

Cache& cache()
{
    static Cache instance;
    return instance;
}

void drop_unused(Cache* c)
{
    for (auto i = c->entries.begin(); c->entries.size() > CACHE_SIZE && i != c->entries.end();)
    {
        i = i->second.solid.use_count() <= 1 ? c->entries.erase(i) : std::next(i);
    }
}

std::shared_ptr<const Solid> convert(Cache* c, const btCollisionShape& shape)
{
    AbutShape* solid = create(shape);
    if (solid != nullptr)
    {
        return std::make_shared<const Solid>(solid, 1.0f, margin_of(shape));
    }
    bool& refused = c->refused[shape.getShapeType()];
    if (!refused)
    {
        say("a %s of Bullet does not collide with abut's shapes: %s", shape.getName(), abut_last_error());
    }
    refused = true;
    return nullptr;
}

} // namespace

bool Signature::operator==(const Signature& other) const
{
    return shape == other.shape && type == other.type &&
           std::memcmp(numbers, other.numbers, sizeof(numbers)) == 0;
}

Signature signature_of(const btCollisionShape& shape)
{
    Signature s;
    s.shape = &shape;
    s.type = shape.getShapeType();
    const btVector3& scaling = shape.getLocalScaling();
    s.numbers[0] = scaling[0];
    s.numbers[1] = scaling[1];
    s.numbers[2] = scaling[2];
    s.numbers[3] = shape.getMargin();
    if (s.type == STATIC_PLANE_PROXYTYPE)
    {
        const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
        s.numbers[4] = plane.getPlaneConstant();
        std::memcpy(s.numbers + 5, plane.getPlaneNormal().m_floats, 3 * sizeof(btScalar));
    }
    else if (s.type == CONE_SHAPE_PROXYTYPE)
    {
        s.numbers[4] = static_cast<const btConeShape&>(shape).getRadius();
        s.numbers[5] = static_cast<const btConeShape&>(shape).getHeight();
    }
    else if (s.type == BOX_SHAPE_PROXYTYPE || s.type == CYLINDER_SHAPE_PROXYTYPE ||
             s.type == CAPSULE_SHAPE_PROXYTYPE || s.type == SPHERE_SHAPE_PROXYTYPE)
    {
        const auto& convex = static_cast<const btConvexInternalShape&>(shape);
        std::memcpy(s.numbers + 4, convex.getImplicitShapeDimensions().m_floats, 3 * sizeof(btScalar));
    }
    return s;
}

uint64_t forget_count()
{
    return forgotten.load(std::memory_order_relaxed);
}

std::shared_ptr<const Solid> solid_of(const btCollisionShape& shape)
{
    if (const auto* own = dynamic_cast<const Shape*>(&shape))
    {
        return own->solid();
    }
    Signature signature = signature_of(shape);
    uint64_t content = content_of(shape);
    Cache& c = cache();
    std::lock_guard<std::mutex> lock(c.mutex);
    Entry& entry = c.entries[&shape];
    if (entry.solid == nullptr || !(entry.signature == signature) || entry.content != content)
    {
        entry.signature = signature;
        entry.content = content;
        entry.solid = convert(&c, shape);
    }
    std::shared_ptr<const Solid> solid = entry.solid;
    drop_unused(&c);
    return solid;
}

void forget(const btCollisionShape* shape)
{
    Cache& c = cache();
    std::lock_guard<std::mutex> lock(c.mutex);
    c.entries.erase(shape);
    forgotten.fetch_add(1, std::memory_order_relaxed);
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
