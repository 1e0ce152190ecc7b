// Contacts of a pair in a persistent manifold of Bullet. btManifoldResult::addContactPoint() merges points
// that are nearer than the breaking threshold and drops those beyond it; here the points are complete and
// chosen, so they are written as they are, with everything else that it does.
#include "contact/manifold.hpp"

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Least cosine of two normals for the one contact to take over the impulses of the other.
constexpr double SAME_DIRECTION = 0.9;

constexpr int NONE = -1;

bool has_flag(const ObjectPair& objects, int flag)
{
    return ((objects.a->getCollisionObject()->getCollisionFlags() |
             objects.b->getCollisionObject()->getCollisionFlags()) &
            flag) != 0;
}

/// Bullet reduces the velocity of a bounce by the gap over the step: bodies that touch within the step would
/// lose it, and those that do not would bounce. The factor that gives them the velocity of the bodies' own.
btScalar restitution_of(const Point& p, btScalar restitution)
{
    if (!(p.distance > 0) || !(restitution > 0))
    {
        return restitution;
    }
    return p.distance < p.approach ? restitution + p.distance / p.approach : btScalar(0);
}

/// A point as btManifoldResult::addContactPoint() makes it.
btManifoldPoint make_point(const ObjectPair& objects, const Point& p)
{
    const btCollisionObject *a = objects.a->getCollisionObject(), *b = objects.b->getCollisionObject();
    btManifoldPoint point(a->getWorldTransform().invXform(p.on_a), b->getWorldTransform().invXform(p.on_b),
                          p.normal, p.distance);
    point.m_positionWorldOnA = p.on_a;
    point.m_positionWorldOnB = p.on_b;
    point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(a, b);
    point.m_combinedRestitution = restitution_of(p, btManifoldResult::calculateCombinedRestitution(a, b));
    point.m_combinedRollingFriction = btManifoldResult::calculateCombinedRollingFriction(a, b);
    point.m_combinedSpinningFriction = btManifoldResult::calculateCombinedSpinningFriction(a, b);
    if (has_flag(objects, btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING))
    {
        point.m_combinedContactDamping1 = btManifoldResult::calculateCombinedContactDamping(a, b);
        point.m_combinedContactStiffness1 = btManifoldResult::calculateCombinedContactStiffness(a, b);
        point.m_contactPointFlags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
    }
    if (has_flag(objects, btCollisionObject::CF_HAS_FRICTION_ANCHOR))
    {
        point.m_contactPointFlags |= BT_CONTACT_FLAG_FRICTION_ANCHOR;
    }
    btPlaneSpace1(point.m_normalWorldOnB, point.m_lateralFrictionDir1, point.m_lateralFrictionDir2);
    point.m_partId0 = objects.a->m_partId;
    point.m_index0 = objects.a->m_index;
    point.m_partId1 = objects.b->m_partId;
    point.m_index1 = objects.b->m_index;
    return point;
}

/// The slot of the manifold that each new point takes over, or NONE.
struct Matches
{
    int slots[MANIFOLD_CACHE_SIZE];
    bool taken[MANIFOLD_CACHE_SIZE] = {};
};

void match_ids(const btPersistentManifold& manifold, const PointIds& ids, const Point* points, int count,
               Matches* matches)
{
    for (int i = 0; i < count; ++i)
    {
        matches->slots[i] = NONE;
        for (int slot = 0; slot < manifold.getNumContacts() && matches->slots[i] == NONE; ++slot)
        {
            uint64_t id;
            if (!matches->taken[slot] && ids.find(manifold.getContactPoint(slot), &id) && id == points[i].id)
            {
                matches->slots[i] = slot;
                matches->taken[slot] = true;
            }
        }
    }
}

void match_nearest(const btPersistentManifold& manifold, const btTransform& frame_a, const Point* points,
                   int count, btScalar merge_distance, Matches* matches)
{
    for (int i = 0; i < count; ++i)
    {
        btScalar least = merge_distance * merge_distance;
        int nearest = NONE;
        for (int slot = 0; slot < manifold.getNumContacts() && matches->slots[i] == NONE; ++slot)
        {
            const btManifoldPoint& old = manifold.getContactPoint(slot);
            btScalar squared = (frame_a * old.m_localPointA - points[i].on_a).length2();
            if (!matches->taken[slot] && squared < least &&
                old.m_normalWorldOnB.dot(points[i].normal) > btScalar(SAME_DIRECTION))
            {
                least = squared;
                nearest = slot;
            }
        }
        if (nearest != NONE)
        {
            matches->slots[i] = nearest;
            matches->taken[nearest] = true;
        }
    }
}

/// Slots without a new point go; while there are new ones without a slot, they take these, emptied, so that a
/// contact of the bodies that goes on does not end and start again.
void free_slots(btPersistentManifold* manifold, int count, Matches* matches)
{
    for (int slot = manifold->getNumContacts() - 1; slot >= 0; --slot)
    {
        if (matches->taken[slot])
        {
            continue;
        }
        int waiting = 0;
        while (waiting < count && matches->slots[waiting] != NONE)
        {
            ++waiting;
        }
        if (waiting < count)
        {
            manifold->clearUserCache(manifold->getContactPoint(slot));
            manifold->getContactPoint(slot) = btManifoldPoint();
            matches->slots[waiting] = slot;
            matches->taken[slot] = true;
            continue;
        }
        int last = manifold->getNumContacts() - 1; // moves into the slot
        for (int i = 0; i < count; ++i)
        {
            matches->slots[i] = matches->slots[i] == last ? slot : matches->slots[i];
        }
        matches->taken[slot] = matches->taken[last];
        manifold->removeContactPoint(slot);
    }
}

void call_added(const ObjectPair& objects, btManifoldPoint& point)
{
    if (gContactAddedCallback != nullptr && has_flag(objects, btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK))
    {
        gContactAddedCallback(point, objects.a, point.m_partId0, point.m_index0, objects.b, point.m_partId1,
                              point.m_index1);
    }
}

void write_points(const ObjectPair& objects, const Point* points, int count, const Matches& matches,
                  PointIds* ids, btPersistentManifold* manifold)
{
    ids->count = count;
    for (int i = 0; i < count; ++i)
    {
        btManifoldPoint point = make_point(objects, points[i]);
        int slot = matches.slots[i];
        if (slot != NONE)
        {
            manifold->replaceContactPoint(point, slot);
        }
        else
        {
            slot = manifold->getNumContacts();
            manifold->setNumContacts(slot + 1);
            manifold->getContactPoint(slot) = point;
        }
        ids->ids[i] = points[i].id;
        ids->on_a[i] = manifold->getContactPoint(slot).m_localPointA;
        call_added(objects, manifold->getContactPoint(slot));
    }
}

} // namespace

bool PointIds::find(const btManifoldPoint& point, uint64_t* id) const
{
    for (int i = 0; i < count; ++i)
    {
        if (on_a[i] == point.m_localPointA)
        {
            *id = ids[i];
            return true;
        }
    }
    return false;
}

void feed_manifold(const ObjectPair& objects, const Point* points, int count, btScalar merge_distance,
                   PointIds* ids, btManifoldResult* result)
{
    btPersistentManifold* manifold = result->getPersistentManifold();
    bool was_empty = manifold->getNumContacts() == 0;
    Matches matches;
    match_ids(*manifold, *ids, points, count, &matches);
    match_nearest(*manifold, objects.a->getCollisionObject()->getWorldTransform(), points, count,
                  merge_distance, &matches);
    btScalar threshold = manifold->getContactBreakingThreshold(), farthest = threshold;
    for (int i = 0; i < count; ++i)
    {
        farthest = btMax(farthest, points[i].distance * btScalar(1.01)); // rounding of the refresh
    }
    manifold->setContactBreakingThreshold(farthest);
    free_slots(manifold, count, &matches);
    write_points(objects, points, count, matches, ids, manifold);
    if (was_empty && count > 0 && gContactStartedCallback != nullptr)
    {
        gContactStartedCallback(manifold);
    }
    result->refreshContactPoints();
    manifold->setContactBreakingThreshold(threshold);
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
