// The collision algorithm of pairs with a Shape: solids, contacts, manifold.
#include "algorithm.hpp"

#include "contact/cache.hpp"
#include "solid/convert.hpp"

#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <cmath>
#include <new>
#include <typeinfo>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

static_assert(sizeof(Algorithm) <= sizeof(btConvexConvexAlgorithm), "the smallest element of Bullet's pool");

namespace
{

/// Relative motions up to this fraction of the breaking threshold refresh the manifold as Bullet does,
/// without a search for contacts.
constexpr float REUSE = 0.1f;

/// Motions of a step over this fraction of the smaller solid have the contacts of the time of impact.
constexpr float FAST = 0.4f;

/// A search reaches further than its step needs by this fraction of the breaking threshold: its contacts
/// serve until the solids have moved so far. The time of a search grows with its margin.
constexpr float SLACK = 0.5f;

/// Contacts serve a pair whose own spacing is smaller by at most this factor.
constexpr float COARSER = 1.5f;

} // namespace

/// One of the two solids, with what it was made from.
struct Side
{
    Signature signature;
    std::shared_ptr<const Solid> solid;
};

/// What a pair keeps between steps.
struct PairState
{
    Side solids[2];
    uint64_t forgotten = 0;
    PointIds ids;
    bool has_query = false; // the rest is filled
    AbutPose searched;      // B in A at the last search
    float margin;           // of the last search
    float gap;              // proved by it; 0 where not separated
    bool has_contacts;      // of it, in the cache
    ContactCache cache;
    AbutPose fed;     // B in A at the last change of the manifold
    float fed_margin; // that it served
};

namespace
{

/// Converts the shape of a side where it is another one than in the last step. False: it has no solid.
bool update_side(const btCollisionShape& shape, bool forgotten, Side* side, bool* changed)
{
    if (shape.getShapeType() == FAST_CONCAVE_MESH_PROXYTYPE && side->signature.shape == &shape && !forgotten)
    {
        const std::shared_ptr<const Solid>& solid = static_cast<const Shape&>(shape).solid();
        *changed = *changed || side->solid != solid;
        side->solid = solid;
        return true;
    }
    Signature signature = signature_of(shape);
    if (forgotten || !(signature == side->signature))
    {
        side->signature = signature;
        side->solid = solid_of(shape);
        *changed = true;
    }
    return side->solid != nullptr;
}

bool update_solids(const ObjectPair& objects, PairState* state)
{
    uint64_t count = forget_count();
    bool forgotten = count != state->forgotten, changed = false;
    bool good = update_side(*objects.a->getCollisionShape(), forgotten, &state->solids[0], &changed);
    good = update_side(*objects.b->getCollisionShape(), forgotten, &state->solids[1], &changed) && good;
    state->forgotten = count;
    state->has_query = state->has_query && !changed;
    return good;
}

/// Upper bound of the displacement of a solid, seen from another one, between two relative poses.
float displacement(const AbutPose& then, const AbutPose& now, float scale, AbutBox box)
{
    AbutVec3 shift = abut_vec3(static_cast<float>(now.position.x - then.position.x),
                               static_cast<float>(now.position.y - then.position.y),
                               static_cast<float>(now.position.z - then.position.z));
    AbutQuat p = now.rotation, q = then.rotation;
    float sign = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0.0f ? -1.0f : 1.0f;
    float x = p.x - sign * q.x, y = p.y - sign * q.y, z = p.z - sign * q.z, w = p.w - sign * q.w;
    float chord = 2.0f * std::sqrt(x * x + y * y + z * z + w * w); // of a point at distance 1 from the axis
    AbutVec3 corner =
        abut_vec3_max(abut_vec3(std::fabs(box.min.x), std::fabs(box.min.y), std::fabs(box.min.z)),
                      abut_vec3(std::fabs(box.max.x), std::fabs(box.max.y), std::fabs(box.max.z)));
    return scale * abut_vec3_length(shift) + (chord > 0.0f ? chord * abut_vec3_length(corner) : 0.0f);
}

/// Upper bound of the displacement of the solids relative to each other between two relative poses, by the
/// finite one of the two.
float relative_displacement(const AbutPose& then, const AbutPose& now, const MovingSolid& a,
                            const MovingSolid& b)
{
    if (abut_box_is_finite(b.solid->bounds()))
    {
        return displacement(then, now, a.pose.scale, b.solid->bounds());
    }
    AbutPose a_then = abut_pose_inverse(&then), a_now = abut_pose_inverse(&now);
    return displacement(a_then, a_now, b.pose.scale, a.solid->bounds());
}

/// The closest points of separated solids, by a search for them. False where they touch.
bool find_closest(const MovingSolid& a, const MovingSolid& b, float max_displacement, Point* out)
{
    AbutDistanceInput input = abut_distance_input(a.solid->shape(), b.solid->shape());
    input.pose_a = a.pose;
    input.pose_b = b.pose;
    AbutDistanceOutput output = abut_distance(&input);
    if (output.state != ABUT_COLLIDE_SEPARATED)
    {
        return false;
    }
    *out = Point{};
    out->on_a = to_bullet(abut_pose_transform_point(&a.pose, output.point_a));
    out->on_b = to_bullet(abut_pose_transform_point(&a.pose, output.point_b));
    refine_point({ a.solid, a.pose }, { b.solid, b.pose }, real(max_displacement), out);
    return out->normal.length2() > 0;
}

void report_point(const Point& point, btManifoldResult* result)
{
    if (point.distance <= result->m_closestPointDistanceThreshold)
    {
        result->addContactPoint(point.normal, point.on_b, point.distance);
    }
}

/// Contacts for a derived class of btManifoldResult: contact tests and other closest points.
void report_contacts(const MovingSolid& a, const MovingSolid& b, const ObjectPair& objects,
                     btManifoldResult* result)
{
    // Results of contact tests compare their objects with those of the manifold.
    btPersistentManifold order(objects.a->getCollisionObject(), objects.b->getCollisionObject(), 0, 0, 0);
    btPersistentManifold* before = result->getPersistentManifold();
    static thread_local Contacts contacts;
    float margin = btMax(static_cast<float>(result->m_closestPointDistanceThreshold), 0.0f);
    find_contacts(a, b, margin, spacing_of(*a.solid, *b.solid, 0.0f), &contacts);
    result->setPersistentManifold(&order);
    Point closest;
    if (contacts.count > 0 && !contacts.exact && find_closest(a, b, contacts.spacing, &closest))
    {
        report_point(closest, result);
    }
    for (uint32_t i = 0; i < contacts.count; ++i)
    {
        report_point(present_point(a, b, contacts, i), result);
    }
    result->setPersistentManifold(before);
}

/// The points from the side of the manifold's first body.
void swap_points(Point* points, int count)
{
    for (int i = 0; i < count; ++i)
    {
        std::swap(points[i].on_a, points[i].on_b);
        points[i].normal = -points[i].normal;
    }
}

/// The step of a pair.
struct PairStep
{
    const MovingSolid &a, &b;
    AbutPose b_in_a;
    float threshold; // breaking threshold of the manifold
    float approach;
    float margin; // of the contacts that the step needs
};

PairStep make_step(const MovingSolid& a, const MovingSolid& b, const btPersistentManifold& manifold)
{
    float threshold = static_cast<float>(manifold.getContactBreakingThreshold()),
          approach = approach_of(a, b);
    return { a, b, abut_pose_relative(&a.pose, &b.pose), threshold, approach, threshold + approach };
}

/// True when the manifold needs no new points: the solids are proved to be further apart than the margin, or
/// have hardly moved.
bool is_covered(const PairState& state, const PairStep& step)
{
    if (!state.has_query)
    {
        return false;
    }
    float moved = relative_displacement(state.searched, step.b_in_a, step.a, step.b);
    bool apart = state.gap > 0.0f && state.gap - moved > step.margin;
    return apart ||
           (relative_displacement(state.fed, step.b_in_a, step.a, step.b) <= REUSE * step.threshold &&
            step.margin <= state.fed_margin);
}

/// True when the cache has all contacts of the step.
bool has_cached(const PairState& state, const PairStep& step, float spacing)
{
    return state.has_query && state.has_contacts && state.cache.spacing() <= COARSER * spacing &&
           relative_displacement(state.searched, step.b_in_a, step.a, step.b) + step.margin <= state.margin;
}

/// Contacts of the step: of its time of impact where it is fast, else from the cache, else by a search.
void update_contacts(const PairStep& step, PairState* state, Contacts* out)
{
    float spacing = spacing_of(*step.a.solid, *step.b.solid, step.margin), slack = SLACK * step.threshold;
    if (step.approach > FAST * std::fmin(step.a.solid->size(), step.b.solid->size()))
    {
        find_coming_contacts(step.a, step.b, step.margin, out);
        state->has_query = false;
        return;
    }
    if (has_cached(*state, step, spacing))
    {
        state->cache.restore(step.a, step.b, step.margin + slack, out);
        return;
    }
    float margin = step.margin + slack;
    find_contacts(step.a, step.b, margin, spacing, out);
    state->has_query = out->state != ABUT_COLLIDE_INVALID;
    state->searched = step.b_in_a;
    state->margin = margin;
    state->gap = out->gap;
    state->has_contacts = !out->exact;
    if (state->has_contacts)
    {
        state->cache.store(*out);
    }
}

/// Writes the contacts of the step to come into the manifold of the result.
void update_manifold(const MovingSolid& a, const MovingSolid& b, ObjectPair objects, PairState* state,
                     btManifoldResult* result)
{
    btPersistentManifold* manifold = result->getPersistentManifold();
    PairStep step = make_step(a, b, *manifold);
    if (is_covered(*state, step))
    {
        result->refreshContactPoints();
        return;
    }
    static thread_local Contacts contacts;
    update_contacts(step, state, &contacts);
    Point points[MANIFOLD_CACHE_SIZE];
    int count = select_points(a, b, state->ids, real(step.threshold), contacts, points);
    state->fed = step.b_in_a;
    state->fed_margin = step.margin + REUSE * step.threshold;
    if (state->has_query && state->has_contacts)
    {
        state->cache.keep_refined(a, b, points, count);
    }
    if (manifold->getBody0() != objects.a->getCollisionObject()) // a manifold of others
    {
        swap_points(points, count);
        std::swap(objects.a, objects.b);
    }
    else
    {
        count = keep_uncrossed(*manifold, objects, state->ids, contacts, points, count);
    }
    feed_manifold(objects, points, count, real(2.0f * contacts.spacing), &state->ids, result);
}

} // namespace

Algorithm::Algorithm(const btCollisionAlgorithmConstructionInfo& info)
    : btCollisionAlgorithm(info), state_(new PairState), manifold_(info.m_manifold), owns_manifold_(false)
{
}

Algorithm::~Algorithm()
{
    if (owns_manifold_)
    {
        m_dispatcher->releaseManifold(manifold_);
    }
    delete state_;
}

void Algorithm::processCollision(const btCollisionObjectWrapper* body_a,
                                 const btCollisionObjectWrapper* body_b, const btDispatcherInfo& info,
                                 btManifoldResult* result)
{
    ObjectPair objects = { body_a, body_b };
    if (!update_solids(objects, state_))
    {
        return;
    }
    bool keeps = typeid(*result) == typeid(btManifoldResult);
    btScalar seconds = keeps && info.m_useContinuous ? info.m_timeStep : btScalar(0);
    bool touches = manifold_ != nullptr && manifold_->getNumContacts() > 0;
    MovingSolid a = moving_solid(*state_->solids[0].solid, *body_a, seconds, !touches);
    MovingSolid b = moving_solid(*state_->solids[1].solid, *body_b, seconds, !touches);
    if (!keeps)
    {
        report_contacts(a, b, objects, result);
        return;
    }
    if (manifold_ == nullptr)
    {
        manifold_ = m_dispatcher->getNewManifold(body_a->getCollisionObject(), body_b->getCollisionObject());
        owns_manifold_ = true;
    }
    result->setPersistentManifold(manifold_);
    update_manifold(a, b, objects, state_, result);
}

btScalar Algorithm::calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                          btManifoldResult*)
{
    return 1;
}

void Algorithm::getAllContactManifolds(btManifoldArray& manifolds)
{
    if (owns_manifold_)
    {
        manifolds.push_back(manifold_);
    }
}

btCollisionAlgorithm* AlgorithmFactory::CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                                 const btCollisionObjectWrapper*,
                                                                 const btCollisionObjectWrapper*)
{
    void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(Algorithm));
    return new (memory) Algorithm(info);
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
