// Rays and convex sweeps against a solid. Bullet asks concave shapes for their triangles and tests each;
// these answer the question itself.
#include "casts.hpp"

#include "message.hpp"
#include "solid/convert.hpp"

#include <BulletCollision/CollisionShapes/btConvexShape.h>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

void cast_ray(const Solid& solid, btTriangleRaycastCallback* callback)
{
    btVector3 motion = callback->m_to - callback->m_from;
    btScalar length = motion.length();
    if (!(length > 0))
    {
        return;
    }
    btScalar scale = real(solid.scale());
    AbutRay ray = { to_abut(callback->m_from / scale), to_abut(motion / length),
                    static_cast<float>(length * callback->m_hitFraction / scale) };
    AbutCastSettings settings = abut_cast_settings();
    settings.iso = solid.margin() / solid.scale();
    AbutRayHit hit;
    if (abut_cast_ray(solid.shape(), &settings, &ray, &hit) != ABUT_OK)
    {
        return;
    }
    btScalar fraction = real(hit.distance) * scale / length;
    bool found = hit.state == ABUT_CAST_HIT || hit.state == ABUT_CAST_BUDGET; // it came no further
    if (found && fraction < callback->m_hitFraction)
    {
        callback->m_hitFraction = callback->reportHit(to_bullet(hit.normal), fraction, -1, -1);
    }
}

namespace
{

void report(const AbutToiInput& input, const AbutToiOutput& output, btTriangleConvexcastCallback* callback)
{
    AbutPose pose = abut_motion_pose(&input.pose_a, &input.motion_a, output.time);
    btVector3 point = to_bullet(abut_pose_transform_point(&pose, output.position));
    btVector3 normal = to_bullet(abut_quat_rotate(pose.rotation, output.normal));
    btVector3 motion = callback->m_convexShapeTo.getOrigin() - callback->m_convexShapeFrom.getOrigin();
    bool leaves = output.state == ABUT_TOI_OVERLAP && normal.dot(motion) >= 0;
    btScalar fraction = real(output.time);
    if (!leaves && fraction < callback->m_hitFraction && normal.length2() > 0)
    {
        // Both in the world, whatever the names of the parameters say.
        callback->m_hitFraction = callback->reportHit(normal.normalized(), point, fraction, -1, -1);
    }
}

} // namespace

void cast_convex(const Solid& solid, btTriangleConvexcastCallback* callback)
{
    std::shared_ptr<const Solid> moving = solid_of(*callback->m_convexShape);
    if (moving == nullptr)
    {
        return;
    }
    AbutToiInput input = abut_toi_input(moving->grown(), solid.grown());
    input.pose_a = pose_of(callback->m_convexShapeFrom, moving->scale());
    input.pose_b = pose_of(callback->m_triangleToWorld, solid.scale());
    AbutPose end = pose_of(callback->m_convexShapeTo, moving->scale());
    input.motion_a = abut_motion_between(&input.pose_a, &end);
    AbutToiOutput output = abut_time_of_impact(&input);
    if (output.state == ABUT_TOI_INVALID)
    {
        say("a convex sweep has no answer: %s", abut_last_error());
    }
    else if (output.state != ABUT_TOI_MISS)
    {
        report(input, output, callback);
    }
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
