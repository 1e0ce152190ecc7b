// A shape as abut sees it.
#include "solid/solid.hpp"

#include "message.hpp"

#include <cmath>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

AbutPose pose_of(const btTransform& transform, float scale)
{
    const btVector3& at = transform.getOrigin();
    AbutPose pose =
        abut_pose_at(static_cast<double>(at.x()), static_cast<double>(at.y()), static_cast<double>(at.z()));
    btQuaternion q = transform.getRotation();
    AbutQuat rotation = { static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z()),
                          static_cast<float>(q.w()) };
    pose.rotation = abut_quat_normalize(rotation);
    pose.scale = scale;
    return pose;
}

float size_of(AbutBox bounds)
{
    return abut_box_is_finite(bounds) && !abut_box_is_empty(bounds)
               ? abut_vec3_length(abut_box_extents(bounds))
               : INFINITY;
}

Solid::Solid(AbutShape* shape, float scale, float margin)
    : shape_(shape), grown_(nullptr), scale_(scale), margin_(margin)
{
    AbutPose pose = abut_pose_identity();
    pose.scale = scale;
    shape_bounds_ = abut_shape_info(shape).bounds;
    bounds_ = abut_pose_transform_box(&pose, shape_bounds_);
    size_ = size_of(bounds_);
    if (!(margin > 0.0f) || abut_shape_create_offset(shape, margin / scale, nullptr, &grown_) != ABUT_OK)
    {
        grown_ = abut_shape_retain(shape);
        if (margin > 0.0f)
        {
            say("sweeps go without the margin of a shape: %s", abut_last_error());
        }
    }
}

Solid::~Solid()
{
    abut_shape_destroy(grown_);
    abut_shape_destroy(shape_);
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
