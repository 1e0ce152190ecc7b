// Contacts of a pair that last while its bodies move little: a search takes some 100 µs, its update about 10.
#include "contact/cache.hpp"

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Frame of a solid without its scale.
btTransform frame_of(const AbutPose& pose)
{
    btQuaternion rotation(real(pose.rotation.x), real(pose.rotation.y), real(pose.rotation.z),
                          real(pose.rotation.w));
    return btTransform(rotation, to_bullet(pose.position));
}

} // namespace

void ContactCache::store(const Contacts& contacts)
{
    btTransform frame_a = frame_of(contacts.a.pose), frame_b = frame_of(contacts.b.pose);
    candidates_.resize(contacts.count);
    refined_count_ = 0;
    spacing_ = contacts.spacing;
    for (uint32_t i = 0; i < contacts.count; ++i)
    {
        const Point& p = contacts.points[i];
        candidates_[i] = { p.id,
                           frame_a.invXform(p.on_a),
                           frame_b.invXform(p.on_b),
                           frame_b.getBasis().transpose() * p.normal,
                           false,
                           false };
    }
}

void ContactCache::restore(const MovingSolid& a, const MovingSolid& b, float margin, Contacts* out) const
{
    btTransform frame_a = frame_of(a.pose), frame_b = frame_of(b.pose);
    out->a = { a.solid, a.pose };
    out->b = { b.solid, b.pose };
    out->coming = false;
    out->exact = false;
    out->state = ABUT_COLLIDE_UNDECIDED;
    out->gap = 0.0f;
    out->spacing = spacing_;
    out->count = 0;
    size_t count = candidates_.size() + static_cast<size_t>(refined_count_);
    for (size_t i = 0; i < count && out->count < MOST_CONTACTS; ++i)
    {
        const Candidate& c = i < candidates_.size() ? candidates_[i] : refined_[i - candidates_.size()];
        Point p;
        p.id = c.id;
        p.on_a = frame_a * c.on_a;
        p.on_b = frame_b * c.on_b;
        p.normal = frame_b.getBasis() * c.normal;
        p.distance = (p.on_a - p.on_b).dot(p.normal);
        p.approach = 0;
        p.refined = c.refined;
        p.of_b = c.of_b;
        if (p.distance <= real(margin))
        {
            out->points[out->count++] = p;
        }
    }
}

void ContactCache::keep_refined(const MovingSolid& a, const MovingSolid& b, const Point* points, int count)
{
    btTransform frame_a = frame_of(a.pose), frame_b = frame_of(b.pose);
    refined_count_ = count;
    for (int i = 0; i < count; ++i)
    {
        refined_[i] = { points[i].id,
                        frame_a.invXform(points[i].on_a),
                        frame_b.invXform(points[i].on_b),
                        frame_b.getBasis().transpose() * points[i].normal,
                        true,
                        points[i].of_b };
    }
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
