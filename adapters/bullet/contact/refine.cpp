// Contacts refined to the deepest point of their region: the narrow phase finds a contact in every region,
// but no more than one per cell of its spacing, and a solver that pushes beside the deepest point turns the
// body.
#include "contact/refine.hpp"

#include <cmath>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

constexpr int TRIES = 8, TRIES_REFINED = 4;

/// First step, as a fraction of the largest displacement; the smaller one for points refined before.
constexpr btScalar FIRST_STEP = btScalar(0.25), STEP_REFINED = btScalar(0.02);

/// Steps of the walk across a gap, and the least width of one, as a fraction of the largest displacement.
constexpr int WALKS = 4;
constexpr btScalar WIDE = btScalar(0.01);

/// A point nearer to the own surface than this fraction of the largest displacement is on it after one
/// projection.
constexpr btScalar NEAR_SURFACE = btScalar(0.002);

/// Slope of the other surface along the own one without a direction.
constexpr double LEVEL = 1e-3;

/// Factor of the step after a try without gain, and the largest growth of a step.
constexpr double SHRINK = 0.4, GROWTH = 4.0;

struct Sample
{
    double distance;
    btVector3 normal; // unit; zero without a gradient
};

Sample sample(const PosedSolid& side, const btVector3& point)
{
    AbutPosition at = { static_cast<double>(point.x()), static_cast<double>(point.y()),
                        static_cast<double>(point.z()) };
    AbutVec3 gradient;
    float distance = abut_shape_distance_at(side.solid->shape(), &side.pose, at, &gradient);
    btVector3 normal = to_bullet(gradient);
    btScalar length = normal.length();
    return { static_cast<double>(distance), length > 0 ? normal / length : btVector3(0, 0, 0) };
}

bool is_in_bounds(const PosedSolid& side, const btVector3& point)
{
    AbutPosition at = { static_cast<double>(point.x()), static_cast<double>(point.y()),
                        static_cast<double>(point.z()) };
    AbutVec3 local = abut_pose_inverse_transform_point(&side.pose, at);
    AbutBox box = side.solid->shape_bounds();
    return local.x >= box.min.x && local.y >= box.min.y && local.z >= box.min.z && local.x <= box.max.x &&
           local.y <= box.max.y && local.z <= box.max.z;
}

/// Across a gap the distance of a field may be a lower bound, beyond its grid: that of the nearest point of
/// the surface instead, which is found by walking to it.
Sample sample_gap(const PosedSolid& side, const btVector3& point, btScalar max_displacement)
{
    Sample first = sample(side, point), next = first;
    if (is_in_bounds(side, point))
    {
        return first;
    }
    btVector3 foot = point;
    for (int i = 0; i < WALKS && next.distance > static_cast<double>(WIDE * max_displacement); ++i)
    {
        foot -= next.normal * real(next.distance);
        next = sample(side, foot);
    }
    foot -= next.normal * real(next.distance);
    btVector3 offset = point - foot;
    btScalar length = offset.length();
    bool is_wide =
        first.distance > static_cast<double>(WIDE * max_displacement) && offset.dot(first.normal) > 0;
    return is_wide ? Sample{ static_cast<double>(length), offset / length } : first;
}

/// A point on the own surface, and the other solid there.
struct Probe
{
    btVector3 at;
    btVector3 own_normal;
    Sample other;

    /// Steepest descent on the own surface; its length is the slope.
    btVector3 slope() const
    {
        return -(other.normal - own_normal * other.normal.dot(own_normal));
    }
};

Probe probe(const PosedSolid& own, const PosedSolid& other, btVector3 at, btScalar max_displacement)
{
    Sample first = sample(own, at);
    at -= first.normal * real(first.distance);
    btVector3 normal = first.normal;
    if (std::fabs(first.distance) > static_cast<double>(NEAR_SURFACE * max_displacement))
    {
        Sample second = sample(own, at); // near edges one projection does not arrive
        at -= second.normal * real(second.distance);
        normal = second.normal;
    }
    return { at, normal, sample_gap(other, at, max_displacement) };
}

Probe refine_anchor(const PosedSolid& own, const PosedSolid& other, const btVector3& start,
                    btScalar max_displacement, bool refined)
{
    Probe best = probe(own, other, start, max_displacement);
    btScalar step = max_displacement * (refined ? STEP_REFINED : FIRST_STEP);
    for (int i = 0; i < (refined ? TRIES_REFINED : TRIES); ++i)
    {
        btVector3 descent = best.slope();
        btScalar slope = descent.length();
        if (!(slope > btScalar(LEVEL)))
        {
            break;
        }
        Probe next = probe(own, other, best.at + descent * (step / slope), max_displacement);
        if (!(next.other.distance < best.other.distance) || (next.at - start).length() > max_displacement)
        {
            step *= btScalar(SHRINK);
            continue;
        }
        // The slope falls by step / radius: the bottom is where it is 0.
        btScalar left = next.slope().dot(descent) / slope;
        btScalar curved = slope - left > 0 ? step * left / (slope - left) : step * btScalar(GROWTH);
        step = btMin(btFabs(curved), step * btScalar(GROWTH));
        best = next;
    }
    return best;
}

/// Change of the outward normal of a solid between two points: small on faces, large around corners.
btScalar normal_change(const Sample& first, const Sample& second)
{
    return 1 - first.normal.dot(second.normal);
}

/// True where the contact is better refined along B: the point is that of the solid of the larger curvature.
bool is_more_curved_at_b(const PosedSolid& a, const PosedSolid& b, const Point& point)
{
    Sample a_at_a = sample(a, point.on_a), a_at_b = sample(a, point.on_b);
    Sample b_at_a = sample(b, point.on_a), b_at_b = sample(b, point.on_b);
    btScalar change_a = normal_change(a_at_a, a_at_b), change_b = normal_change(b_at_a, b_at_b);
    bool alike = btFabs(change_a - change_b) < btScalar(1e-3);
    return alike ? b.solid->size() < a.solid->size() : change_a < change_b;
}

} // namespace

void refine_point(const PosedSolid& a, const PosedSolid& b, btScalar max_displacement, Point* point)
{
    bool on_b = point->refined ? point->of_b : is_more_curved_at_b(a, b, *point);
    point->of_b = on_b;
    const PosedSolid &own = on_b ? b : a, &other = on_b ? a : b;
    Probe found =
        refine_anchor(own, other, on_b ? point->on_b : point->on_a, max_displacement, point->refined);
    if (!(found.other.normal.length2() > 0))
    {
        return;
    }
    point->normal = on_b ? -found.other.normal : found.other.normal;
    btScalar margins = real(a.solid->margin()) + real(b.solid->margin());
    point->distance = real(found.other.distance) - margins;
    if (on_b)
    {
        point->on_b = found.at + point->normal * real(b.solid->margin());
        point->on_a = point->on_b + point->normal * point->distance;
    }
    else
    {
        point->on_a = found.at - point->normal * real(a.solid->margin());
        point->on_b = point->on_a - point->normal * point->distance;
    }
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
