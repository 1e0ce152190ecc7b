// Core points: points in the middle of the walls of thin solids. Once a wall is deeper in another one than
// half of its thickness, the way out is on the far side, for every contact and every solver. So no step ends
// with, nor leads through, a pose with a core point of one solid inside of another one.
#ifndef ABUT_BULLET_CORE_POINTS_HPP
#define ABUT_BULLET_CORE_POINTS_HPP

#include <abut/bullet.hpp>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// Slope of distances as core points trust it: interpolated ones are slightly steeper than 1.
constexpr float CORE_STEEPEST = 1.1f;

/// Of a shape, in its units. Immutable.
class CorePoints
{
  public:
    explicit CorePoints(const AbutShape* shape);
    ~CorePoints();
    CorePoints(const CorePoints&) = delete;
    CorePoints& operator=(const CorePoints&) = delete;

    /// NULL for shapes that are not thin, and for those that would need too many points.
    const AbutPointSet* set() const
    {
        return set_;
    }

    /// Half of the thickness: the radius of the largest ball inside, approximate.
    float inscribed_radius() const
    {
        return inscribed_radius_;
    }

    /// Least depth of the points.
    float depth() const
    {
        return depth_;
    }

  private:
    AbutPointSet* set_ = nullptr;
    float inscribed_radius_ = 0.0f, depth_ = 0.0f;
};

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
