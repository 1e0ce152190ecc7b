// Reduction of the contacts of a pair to a manifold, steady from step to step.
#include "contact/contacts.hpp"

#include <utility>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// An old point stays in the place of a chosen one that is at most this many spacings away, ...
constexpr float STAY_SPACINGS = 1.5f;
/// ... that has nearly its normal (cosine), ...
constexpr float STAY_DIRECTION = 0.95f;
/// ... and that is deeper by no more than this fraction of the breaking threshold.
constexpr float STAY_DEPTH = 0.1f;

/// Contacts within this many spacings of an old point, beyond its depth, are around it; normals with a cosine
/// beyond this are on the same side of a wall, or on opposite ones.
constexpr float MERGE_SPACINGS = 2.0f;
constexpr float SIDE = 0.3f;

/// The deepest point of a region may be deeper than its contacts by this many spacings.
constexpr float DEEPER = 0.2f;

/// Refined points nearer to each other than this fraction of the spacing are one, if their normals agree.
constexpr float SAME_SPACINGS = 0.1f;

btScalar approach_of(const MovingSolid& a, const MovingSolid& b, const Point& p)
{
    btVector3 relative = a.displacement_at(p.on_a) - b.displacement_at(p.on_b);
    return btMax(-p.normal.dot(relative), btScalar(0));
}

/// Distance of a contact at the end of the step, if less than now.
btScalar coming_distance(const MovingSolid& a, const MovingSolid& b, bool coming, const Point& p)
{
    return coming ? p.distance : p.distance - approach_of(a, b, p);
}

/// The contacts that may touch in the step, as the reduction takes them: the index as id, the distance at the
/// end of the step as separation. Others would only take the places of these. Returns their count.
uint32_t predict(const MovingSolid& a, const MovingSolid& b, btScalar threshold, const Contacts& contacts,
                 AbutContact* out)
{
    btScalar limit = threshold + (contacts.exact ? btScalar(0) : real(DEEPER * contacts.spacing));
    uint32_t count = 0;
    for (uint32_t i = 0; i < contacts.count; ++i)
    {
        const Point& p = contacts.points[i];
        btScalar distance = coming_distance(a, b, contacts.coming, p);
        if (distance > limit)
        {
            continue;
        }
        out[count] = AbutContact{};
        out[count].position = to_abut(p.on_b - a.center);
        out[count].normal = to_abut(p.normal);
        out[count].separation = static_cast<float>(distance);
        out[count].id = i;
        ++count;
    }
    return count;
}

bool is_old(const PointIds& ids, uint64_t id)
{
    for (int i = 0; i < ids.count; ++i)
    {
        if (ids.ids[i] == id)
        {
            return true;
        }
    }
    return false;
}

/// True when `old` may stay in the place of `chosen`.
bool is_as_good(const AbutContact& old, const AbutContact& chosen, float spacing, float threshold)
{
    return abut_vec3_length(abut_vec3_sub(old.position, chosen.position)) < STAY_SPACINGS * spacing &&
           abut_vec3_dot(old.normal, chosen.normal) > STAY_DIRECTION &&
           old.separation - chosen.separation < STAY_DEPTH * threshold;
}

/// Puts old points in the place of chosen ones that are hardly better: a selection that changed from step to
/// step would lose the impulses of a body at rest. The chosen ones are the first of `all`.
void keep_old(const PointIds& ids, float threshold, const Contacts& contacts, AbutContact* all,
              uint32_t chosen_count, uint32_t count)
{
    for (uint32_t i = 0; i < chosen_count; ++i)
    {
        bool done = is_old(ids, contacts.points[all[i].id].id);
        for (uint32_t k = chosen_count; k < count && !done; ++k)
        {
            if (is_old(ids, contacts.points[all[k].id].id) &&
                is_as_good(all[k], all[i], contacts.spacing, threshold))
            {
                std::swap(all[i], all[k]);
                done = true;
            }
        }
    }
}

bool is_duplicate(const Point* points, int count, const Point& point, float spacing)
{
    for (int i = 0; i < count; ++i)
    {
        if ((points[i].on_b - point.on_b).length() < real(SAME_SPACINGS * spacing) &&
            points[i].normal.dot(point.normal) > real(STAY_DIRECTION))
        {
            return true;
        }
    }
    return false;
}

/// An old point at the present poses.
Point point_of(const btManifoldPoint& old, uint64_t id, const ObjectPair& objects)
{
    Point p;
    p.id = id;
    p.on_a = objects.a->getCollisionObject()->getWorldTransform() * old.m_localPointA;
    p.on_b = objects.b->getCollisionObject()->getWorldTransform() * old.m_localPointB;
    p.normal = old.m_normalWorldOnB;
    p.distance = (p.on_a - p.on_b).dot(p.normal);
    p.approach = 0;
    return p;
}

/// True when the way out of a solid at a point is against its way out at the contact.
bool leaves_beyond(const PosedSolid& solid, const btVector3& point, const btVector3& normal)
{
    AbutPosition at = { static_cast<double>(point.x()), static_cast<double>(point.y()),
                        static_cast<double>(point.z()) };
    AbutVec3 gradient;
    abut_shape_distance_at(solid.solid->shape(), &solid.pose, at, &gradient);
    return to_bullet(gradient).dot(normal) < btScalar(-SIDE);
}

/// True when `old` has gone through a thin wall: the contacts around it have the normal of the other side,
/// and so has a wall at the point of the other body. (The contacts alone do not tell: they look the same deep
/// in concave solids.)
bool has_crossed(const Point& old, const Contacts& contacts)
{
    if (!leaves_beyond(contacts.b, old.on_a, old.normal) && !leaves_beyond(contacts.a, old.on_b, -old.normal))
    {
        return false;
    }
    btScalar radius = real(MERGE_SPACINGS * contacts.spacing) - old.distance;
    bool crossed = false;
    for (uint32_t i = 0; i < contacts.count && old.distance < 0; ++i)
    {
        const Point& p = contacts.points[i];
        btScalar same = p.normal.dot(old.normal);
        if ((p.on_b - old.on_b).length2() < radius * radius)
        {
            if (same > btScalar(SIDE))
            {
                return false;
            }
            crossed = crossed || same < btScalar(-SIDE);
        }
    }
    return crossed;
}

int drop_opposite(const Point& old, btScalar radius, Point* points, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        bool is_near = (points[i].on_b - old.on_b).length2() < radius * radius;
        if (!is_near || points[i].normal.dot(old.normal) > btScalar(-SIDE))
        {
            points[kept++] = points[i];
        }
    }
    return kept;
}

} // namespace

int keep_uncrossed(const btPersistentManifold& manifold, const ObjectPair& objects, const PointIds& ids,
                   const Contacts& contacts, Point points[MANIFOLD_CACHE_SIZE], int count)
{
    for (int slot = 0; slot < manifold.getNumContacts(); ++slot)
    {
        uint64_t id;
        if (!ids.find(manifold.getContactPoint(slot), &id))
        {
            continue;
        }
        Point old = point_of(manifold.getContactPoint(slot), id, objects);
        if (has_crossed(old, contacts))
        {
            count = drop_opposite(old, real(MERGE_SPACINGS * contacts.spacing) - old.distance, points, count);
            if (count < MANIFOLD_CACHE_SIZE)
            {
                points[count++] = old;
            }
        }
    }
    return count;
}

int select_points(const MovingSolid& a, const MovingSolid& b, const PointIds& ids, btScalar threshold,
                  const Contacts& contacts, Point out[MANIFOLD_CACHE_SIZE])
{
    static thread_local AbutContact all[MOST_CONTACTS];
    uint32_t count = predict(a, b, threshold, contacts, all), chosen = count;
    if (count > MANIFOLD_CACHE_SIZE)
    {
        chosen = abut_contacts_reduce(all, count, MANIFOLD_CACHE_SIZE).kept_count;
        keep_old(ids, static_cast<float>(threshold), contacts, all, chosen, count);
    }
    int kept = 0;
    for (uint32_t i = 0; i < chosen; ++i)
    {
        Point point = present_point(a, b, contacts, static_cast<uint32_t>(all[i].id));
        point.approach = approach_of(a, b, point);
        if (!is_duplicate(out, kept, point, contacts.spacing))
        {
            out[kept++] = point;
        }
    }
    return kept;
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
