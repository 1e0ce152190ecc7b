// Any AbutShape as a shape of Bullet.
#include "casts.hpp"
#include "message.hpp"
#include "registry.hpp"
#include "solid/solid.hpp"
#include "solid/triangles.hpp"

#include <BulletCollision/CollisionDispatch/btConvexConcaveCollisionAlgorithm.h>
#include <LinearMath/btAabbUtil2.h>
#include <atomic>
#include <cmath>
#include <mutex>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Cells along the longest side of the surface for debug drawing.
constexpr uint32_t SURFACE_RESOLUTION = 48;

/// Boxes asked of a shape before the lack of a registration is said: worlds may be filled before it.
constexpr int BOXES_BEFORE_WARNING = 256;

bool is_unit(AbutBox box)
{
    return abut_box_is_finite(box) && !abut_box_is_empty(box);
}

} // namespace

struct Shape::Data
{
    AbutShape* shape;
    btVector3 scaling{ 1, 1, 1 };
    std::shared_ptr<const Solid> solid;
    std::once_flag surface_once;
    Triangles surface; // at scale 1
    std::once_flag mass_once;
    AbutResult mass_result = ABUT_OK;
    AbutMassData mass;
    std::atomic<int> boxes{ 0 };
};

Shape::Shape(AbutShape* shape) : data_(std::make_unique<Data>())
{
    // A number that Bullet has no code for, unlike CUSTOM_CONCAVE_SHAPE_TYPE, which is that of
    // btSdfCollisionShape: without registration Bullet would take this for one.
    m_shapeType = FAST_CONCAVE_MESH_PROXYTYPE;
    data_->shape = abut_shape_retain(shape);
    update_solid();
}

Shape::~Shape()
{
    abut_shape_destroy(data_->shape);
}

const AbutShape* Shape::abut_shape() const
{
    return data_->shape;
}

const std::shared_ptr<const Solid>& Shape::solid() const
{
    return data_->solid;
}

void Shape::update_solid()
{
    data_->solid =
        std::make_shared<const Solid>(abut_shape_retain(data_->shape), static_cast<float>(data_->scaling.x()),
                                      static_cast<float>(getMargin()));
}

void Shape::setLocalScaling(const btVector3& scaling)
{
    if (!(scaling.x() > 0) || scaling.y() != scaling.x() || scaling.z() != scaling.x() ||
        !std::isfinite(scaling.x()))
    {
        say("a scale of (%g, %g, %g) is refused: distances need one positive factor for all axes",
            static_cast<double>(scaling.x()), static_cast<double>(scaling.y()),
            static_cast<double>(scaling.z()));
        return;
    }
    data_->scaling = scaling;
    update_solid();
}

const btVector3& Shape::getLocalScaling() const
{
    return data_->scaling;
}

void Shape::setMargin(btScalar margin)
{
    if (!(margin >= 0) || !std::isfinite(margin))
    {
        say("a margin of %g is refused", static_cast<double>(margin));
        return;
    }
    btConcaveShape::setMargin(margin);
    update_solid();
}

void Shape::getAabb(const btTransform& t, btVector3& aabb_min, btVector3& aabb_max) const
{
    if (data_->boxes.fetch_add(1, std::memory_order_relaxed) == BOXES_BEFORE_WARNING)
    {
        warn_unregistered();
    }
    AbutBox box = data_->solid->bounds();
    if (abut_box_is_empty(box))
    {
        box = abut_box(abut_vec3(0, 0, 0), abut_vec3(0, 0, 0));
    }
    if (!abut_box_is_finite(box))
    {
        aabb_max.setValue(real(BT_LARGE_FLOAT), real(BT_LARGE_FLOAT), real(BT_LARGE_FLOAT));
        aabb_min = -aabb_max;
        return;
    }
    btTransformAabb(to_bullet(box.min), to_bullet(box.max), getMargin(), t, aabb_min, aabb_max);
}

// -----------------------------------------------------------------------------------------------------------
// Mass
// -----------------------------------------------------------------------------------------------------------

bool Shape::mass(AbutMassData* out) const
{
    std::call_once(data_->mass_once,
                   [this] { data_->mass_result = abut_shape_mass(data_->shape, nullptr, &data_->mass); });
    if (data_->mass_result != ABUT_OK)
    {
        abut_fail(data_->mass_result,
                  "a %s has no mass: it is infinite or has no volume; make its body static",
                  abut_shape_kind_name(abut_shape_info(data_->shape).kind));
        return false;
    }
    *out = data_->mass;
    return true;
}

bool Shape::principal_frame(btScalar mass, btTransform* frame, btVector3* moments) const
{
    AbutMassData data;
    if (!this->mass(&data))
    {
        return false;
    }
    double scale = static_cast<double>(data_->scaling.x());
    double factor = static_cast<double>(mass) / data.volume * scale * scale;
    btMatrix3x3 tensor;
    for (int row = 0; row < 3; ++row)
    {
        tensor[row].setValue(real(factor * data.inertia[row][0]), real(factor * data.inertia[row][1]),
                             real(factor * data.inertia[row][2]));
    }
    frame->setIdentity();
    tensor.diagonalize(frame->getBasis(), real(1e-7), 64);
    frame->setOrigin(
        btVector3(real(scale * data.center[0]), real(scale * data.center[1]), real(scale * data.center[2])));
    moments->setValue(tensor[0][0], tensor[1][1], tensor[2][2]);
    return true;
}

void Shape::calculateLocalInertia(btScalar mass, btVector3& inertia) const
{
    AbutMassData data;
    inertia.setValue(0, 0, 0);
    if (!this->mass(&data))
    {
        say("no inertia: %s", abut_last_error());
        return;
    }
    double scale = static_cast<double>(data_->scaling.x());
    double factor = static_cast<double>(mass) / data.volume * scale * scale;
    inertia.setValue(real(factor * data.inertia[0][0]), real(factor * data.inertia[1][1]),
                     real(factor * data.inertia[2][2]));
}

// -----------------------------------------------------------------------------------------------------------
// Rays, sweeps and triangles
// -----------------------------------------------------------------------------------------------------------

namespace
{

Triangles make_surface(const AbutShape* shape)
{
    Triangles surface;
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = SURFACE_RESOLUTION;
    AbutMesh* mesh = nullptr;
    if (!is_unit(abut_shape_info(shape).bounds) || abut_surface_create(&def, shape, &mesh) != ABUT_OK)
    {
        return surface;
    }
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    surface.vertices.assign(vertices, vertices + abut_mesh_vertex_count(mesh));
    surface.indices.assign(indices, indices + 3 * static_cast<size_t>(abut_mesh_triangle_count(mesh)));
    abut_mesh_destroy(mesh);
    return surface;
}

void process_surface(const Triangles& surface, btScalar scale, btTriangleCallback* callback,
                     const btVector3& low, const btVector3& high)
{
    for (size_t i = 0; i < surface.indices.size(); i += 3)
    {
        btVector3 corners[3];
        for (size_t corner = 0; corner < 3; ++corner)
        {
            corners[corner] = to_bullet(surface.vertices[surface.indices[i + corner]]) * scale;
        }
        if (TestTriangleAgainstAabb2(corners, low, high))
        {
            callback->processTriangle(corners, 0, static_cast<int>(i / 3));
        }
    }
}

} // namespace

void Shape::processAllTriangles(btTriangleCallback* callback, const btVector3& aabb_min,
                                const btVector3& aabb_max) const
{
    if (auto* ray = dynamic_cast<btTriangleRaycastCallback*>(callback))
    {
        cast_ray(*data_->solid, ray);
        return;
    }
    if (auto* sweep = dynamic_cast<btTriangleConvexcastCallback*>(callback))
    {
        cast_convex(*data_->solid, sweep);
        return;
    }
    if (dynamic_cast<btConvexTriangleCallback*>(callback) != nullptr)
    {
        warn_unregistered_pair();
    }
    std::call_once(data_->surface_once, [this] { data_->surface = make_surface(data_->shape); });
    process_surface(data_->surface, data_->scaling.x(), callback, aabb_min, aabb_max);
}

// -----------------------------------------------------------------------------------------------------------
// Names and files
// -----------------------------------------------------------------------------------------------------------

const char* Shape::getName() const
{
    return "AbutShape";
}

int Shape::calculateSerializeBufferSize() const
{
    return 0;
}

const char* Shape::serialize(void*, btSerializer*) const
{
    say("shapes of abut are not serialised by Bullet: save the field (abut_field_save()) and create it "
        "again");
    return nullptr;
}

void Shape::serializeSingleShape(btSerializer* serializer) const
{
    serialize(nullptr, serializer);
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
