// A shape as abut sees it, and conversions between the numbers of abut and Bullet.
#ifndef ABUT_BULLET_SOLID_HPP
#define ABUT_BULLET_SOLID_HPP

#include "ccd/core_points.hpp"

#include <abut/bullet.hpp>
#include <mutex>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

inline btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

inline AbutVec3 to_abut(const btVector3& v)
{
    return abut_vec3(static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z()));
}

inline btVector3 to_bullet(AbutVec3 v)
{
    return btVector3(real(v.x), real(v.y), real(v.z));
}

inline btVector3 to_bullet(AbutPosition p)
{
    return btVector3(real(p.x), real(p.y), real(p.z));
}

/// A frame of Bullet with the scale of a solid.
AbutPose pose_of(const btTransform& transform, float scale);

/// The length of the diagonal of finite bounds, infinite for others.
float size_of(AbutBox bounds);

/// An AbutShape with a scale and a margin, both in the frame of a shape of Bullet. Immutable.
class Solid
{
  public:
    /// Takes over the caller's reference of `shape`.
    Solid(AbutShape* shape, float scale, float margin);
    ~Solid();
    Solid(const Solid&) = delete;
    Solid& operator=(const Solid&) = delete;

    const AbutShape* shape() const
    {
        return shape_;
    }

    /// With the margin; the shape itself without one.
    const AbutShape* grown() const
    {
        return grown_;
    }

    float scale() const
    {
        return scale_;
    }

    /// In units of Bullet.
    float margin() const
    {
        return margin_;
    }

    /// Of the scaled shape, without the margin.
    AbutBox bounds() const
    {
        return bounds_;
    }

    /// Of the shape itself, without scale and margin.
    AbutBox shape_bounds() const
    {
        return shape_bounds_;
    }

    float size() const
    {
        return size_;
    }

    /// Made at the first call; any thread.
    const CorePoints& core_points() const
    {
        std::call_once(core_once_, [this] { core_ = std::make_unique<CorePoints>(shape_); });
        return *core_;
    }

  private:
    AbutShape* shape_;
    AbutShape* grown_;
    float scale_, margin_;
    AbutBox bounds_, shape_bounds_;
    float size_;
    mutable std::once_flag core_once_;
    mutable std::unique_ptr<CorePoints> core_;
};

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
