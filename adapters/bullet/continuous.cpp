// Motions of a finished step clamped to the time of impact. TODO(#19): in a heap of thin bowls rims go
// through walls all the same; core points in the middle of the walls stop them, but hold the heap in the air,
// too.
#include "contact/contacts.hpp"
#include "solid/convert.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <cmath>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Least relative motion of a step, as a fraction of the smaller solid, that is looked at.
constexpr float LEAST_MOTION = 0.05f;

/// Relative motion of a step, as a fraction of the smaller solid, of bodies that are thrown. Below it
/// contacts ahead stop a body, and clamps would leave it in its neighbours in a heap, whose motions go on.
constexpr float THROWN_MOTION = 0.3f;

/// Least motion into the other solid after the touch, as a fraction of the smaller one, that is clamped, of
/// bodies that are thrown and of others: contacts resolve less, and bodies that slide keep their time.
constexpr float LEAST_DEPTH_THROWN = 0.01f, LEAST_DEPTH = 0.25f;

/// Motion between two poses of the rest of a step, as a fraction of the smaller solid, at which contacts on
/// the other side of a wall are looked for, and the largest count of these poses.
constexpr float SAMPLE_MOTION = 0.1f;
constexpr float MOST_SAMPLES = 16.0f;

/// Least cosine of normals on the two sides of a wall, against each other.
constexpr float OTHER_SIDE = 0.3f;

/// The motion of an object in the step that is over.
struct Moved
{
    btCollisionObject* object;
    btTransform start;
    btVector3 displacement, rotation;
};

/// The present pose without the last fraction of the motion.
btTransform undo(const Moved& moved, btScalar fraction)
{
    btTransform at = moved.object->getWorldTransform();
    btScalar angle = moved.rotation.length();
    if (angle > 0)
    {
        at.setRotation(
            (btQuaternion(moved.rotation / angle, -angle * fraction) * at.getRotation()).normalized());
    }
    at.setOrigin(at.getOrigin() - moved.displacement * fraction);
    return at;
}

Moved moved_object(btCollisionObject* object, btScalar seconds)
{
    Moved moved = { object, object->getWorldTransform(), btVector3(0, 0, 0), btVector3(0, 0, 0) };
    const btRigidBody* body = btRigidBody::upcast(object);
    if (body != nullptr && !body->isStaticObject() && body->isActive())
    {
        moved.displacement = body->getLinearVelocity() * seconds;
        moved.rotation = rotation_of_step(body->getAngularVelocity(), seconds);
        moved.start = undo(moved, 1);
    }
    return moved;
}

/// One solid of an object at the start of the step.
MovingSolid solid_at_start(const Solid& solid, const Moved& moved, const btTransform& local)
{
    btTransform frame = moved.start * local;
    MovingSolid s = {
        &solid, pose_of(frame, solid.scale()), moved.start.getOrigin(), moved.displacement, moved.rotation,
        0.0f
    };
    AbutBox box = solid.bounds();
    if (abut_box_is_finite(box) && !abut_box_is_empty(box))
    {
        btVector3 middle = (to_bullet(box.min) + to_bullet(box.max)) * btScalar(0.5);
        s.radius = static_cast<float>((frame * middle - s.center).length()) + 0.5f * solid.size();
    }
    else
    {
        s.radius = INFINITY;
    }
    return s;
}

/// A pair at a fraction of its motions.
MovingSolid solid_at(const MovingSolid& solid, const AbutMotion& motion, float time)
{
    MovingSolid later = solid;
    later.pose = abut_motion_pose(&solid.pose, &motion, time);
    return later;
}

bool is_other_side(const Point& point, const btVector3& normal)
{
    return point.distance < 0 && point.normal.dot(normal) < btScalar(-OTHER_SIDE);
}

/// The normal of the deepest contact of solids that touch at the start. False where they touch on both
/// sides of a wall already.
bool side_at_start(const MovingSolid& a, const MovingSolid& b, btVector3* normal)
{
    static thread_local Contacts contacts;
    find_contacts(a, b, 0.0f, spacing_of(*a.solid, *b.solid, 0.0f), &contacts);
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < contacts.count; ++i)
    {
        deepest = contacts.points[i].distance < contacts.points[deepest].distance ? i : deepest;
    }
    for (uint32_t i = 0; i < contacts.count; ++i)
    {
        if (is_other_side(contacts.points[i], contacts.points[deepest].normal))
        {
            return false;
        }
    }
    *normal = contacts.count > 0 ? contacts.points[deepest].normal : btVector3(0, 0, 0);
    return contacts.count > 0;
}

/// True when the solids, which touch first with `normal` at `time`, are in contact on the other side of a
/// wall later in the step: a rotation took them through it.
bool crosses(const MovingSolid& a, const MovingSolid& b, const AbutToiInput& input, float time,
             const btVector3& normal, float size)
{
    float rest = (1.0f - time) * approach_of(a, b);
    int samples = static_cast<int>(std::fmin(std::ceil(rest / (SAMPLE_MOTION * size)), MOST_SAMPLES));
    for (int i = 1; i <= samples; ++i)
    {
        float at = time + (1.0f - time) * static_cast<float>(i) / static_cast<float>(samples);
        static thread_local Contacts contacts;
        find_contacts(solid_at(a, input.motion_a, at), solid_at(b, input.motion_b, at), 0.0f,
                      spacing_of(*a.solid, *b.solid, 0.0f), &contacts);
        for (uint32_t k = 0; k < contacts.count; ++k)
        {
            if (is_other_side(contacts.points[k], normal))
            {
                return true;
            }
        }
    }
    return false;
}

/// Motion of the solids into each other in the rest of the step after a touch, to first order.
btScalar depth_after(const MovingSolid& a, const MovingSolid& b, float time, const btVector3& point,
                     const btVector3& normal)
{
    btScalar t = real(time);
    btVector3 r_a = point - a.center - a.displacement * t, r_b = point - b.center - b.displacement * t;
    btVector3 relative = a.displacement + a.rotation.cross(r_a) - b.displacement - b.rotation.cross(r_b);
    return -normal.dot(relative) * (1 - t);
}

/// Fraction of the step until the motions of two solids have to stop; 1 for all of it.
float time_of(const MovingSolid& a, const MovingSolid& b)
{
    float size = std::fmin(a.solid->size(), b.solid->size());
    if (!(approach_of(a, b) > LEAST_MOTION * size))
    {
        return 1.0f;
    }
    AbutToiInput input = abut_toi_input(a.solid->grown(), b.solid->grown());
    input.pose_a = a.pose;
    input.pose_b = b.pose;
    input.motion_a = a.motion();
    input.motion_b = b.motion();
    AbutToiOutput output = abut_time_of_impact(&input);
    if (output.state == ABUT_TOI_OVERLAP)
    {
        btVector3 side;
        return side_at_start(a, b, &side) && crosses(a, b, input, 0.0f, side, size) ? 0.0f : 1.0f;
    }
    if (output.state != ABUT_TOI_HIT && output.state != ABUT_TOI_BUDGET)
    {
        return 1.0f;
    }
    AbutPose pose = abut_motion_pose(&input.pose_a, &input.motion_a, output.time);
    btVector3 point = to_bullet(abut_pose_transform_point(&pose, output.position));
    btVector3 normal = to_bullet(abut_quat_rotate(pose.rotation, output.normal));
    float least_depth = approach_of(a, b) > THROWN_MOTION * size ? LEAST_DEPTH_THROWN : LEAST_DEPTH;
    bool stops = output.state == ABUT_TOI_BUDGET ||
                 depth_after(a, b, output.time, point, normal) > real(least_depth * size) ||
                 crosses(a, b, input, output.time, normal, size);
    return stops ? output.time : 1.0f;
}

/// Calls function(shape, local frame) for a shape, or for the children of a compound.
template <typename Function>
void for_each_child(const btCollisionShape* shape, const btTransform& local, const Function& function)
{
    if (!shape->isCompound())
    {
        function(shape, local);
        return;
    }
    const auto* compound = static_cast<const btCompoundShape*>(shape);
    for (int i = 0; i < compound->getNumChildShapes(); ++i)
    {
        for_each_child(compound->getChildShape(i), local * compound->getChildTransform(i), function);
    }
}

bool is_abut(const btCollisionShape* shape)
{
    return shape->getShapeType() == FAST_CONCAVE_MESH_PROXYTYPE;
}

float time_of_pair(const Moved& a, const Moved& b)
{
    float time = 1.0f;
    const btTransform& none = btTransform::getIdentity();
    for_each_child(a.object->getCollisionShape(), none,
                   [&](const btCollisionShape* shape_a, const btTransform& local_a) {
                       for_each_child(b.object->getCollisionShape(), none,
                                      [&](const btCollisionShape* shape_b, const btTransform& local_b) {
                                          if (!is_abut(shape_a) && !is_abut(shape_b))
                                          {
                                              return;
                                          }
                                          auto solid_a = solid_of(*shape_a), solid_b = solid_of(*shape_b);
                                          if (solid_a != nullptr && solid_b != nullptr)
                                          {
                                              time = std::fmin(time,
                                                               time_of(solid_at_start(*solid_a, a, local_a),
                                                                       solid_at_start(*solid_b, b, local_b)));
                                          }
                                      });
                   });
    return time;
}

bool has_abut(const btCollisionShape* shape)
{
    bool found = false;
    for_each_child(
        shape, btTransform::getIdentity(),
        [&found](const btCollisionShape* child, const btTransform&) { found = found || is_abut(child); });
    return found;
}

/// Rough test before any conversion.
bool is_fast(const Moved& moved)
{
    btVector3 center;
    btScalar radius;
    moved.object->getCollisionShape()->getBoundingSphere(center, radius);
    return moved.displacement.length() + moved.rotation.length() * radius > btScalar(LEAST_MOTION) * radius;
}

} // namespace

void Continuous::add_clamp(btCollisionObject* object, float time)
{
    btRigidBody* body = btRigidBody::upcast(object);
    if (body == nullptr || body->isStaticOrKinematicObject() || !(time < 1.0f))
    {
        return;
    }
    for (int i = 0; i < clamps_.size(); ++i)
    {
        if (clamps_[i].body == body)
        {
            clamps_[i].time = btMin(clamps_[i].time, time);
            return;
        }
    }
    clamps_.push_back({ body, time });
}

void Continuous::updateAction(btCollisionWorld* world, btScalar seconds)
{
    clamps_.resize(0);
    const btBroadphasePairArray& pairs = world->getPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i)
    {
        auto* a = static_cast<btCollisionObject*>(pairs[i].m_pProxy0->m_clientObject);
        auto* b = static_cast<btCollisionObject*>(pairs[i].m_pProxy1->m_clientObject);
        bool responds = a->hasContactResponse() && b->hasContactResponse() &&
                        world->getDispatcher()->needsCollision(a, b);
        if (!responds || !(has_abut(a->getCollisionShape()) || has_abut(b->getCollisionShape())))
        {
            continue;
        }
        Moved moved_a = moved_object(a, seconds), moved_b = moved_object(b, seconds);
        if (is_fast(moved_a) || is_fast(moved_b))
        {
            float time = time_of_pair(moved_a, moved_b);
            add_clamp(a, time);
            add_clamp(b, time);
        }
    }
    for (int i = 0; i < clamps_.size(); ++i)
    {
        Moved moved = moved_object(clamps_[i].body, seconds);
        clamps_[i].body->proceedToTransform(undo(moved, real(1.0f - clamps_[i].time)));
    }
    clamped_count_ = clamps_.size();
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
