// The collision algorithm of pairs with a Shape: solids, contacts, manifold.
#include "algorithm.hpp"

#include "contact/contacts.hpp"
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
    AbutPose b_in_a;        // at the last search
    float margin;           // of the last search
    float gap;              // proved by it; 0 where not separated
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

/// Upper bound of the displacement of the solids relative to each other since the last search, by the finite
/// one of the two.
float moved_since(const PairState& state, const MovingSolid& a, const MovingSolid& b, const AbutPose& b_in_a)
{
    if (abut_box_is_finite(b.solid->bounds()))
    {
        return displacement(state.b_in_a, b_in_a, a.pose.scale, b.solid->bounds());
    }
    AbutPose then = abut_pose_inverse(&state.b_in_a), now = abut_pose_inverse(&b_in_a);
    return displacement(then, now, b.pose.scale, a.solid->bounds());
}

/// True when the last search covers the present poses: either they are proved to be further apart than the
/// margin, or they have hardly moved.
bool is_covered(const PairState& state, const MovingSolid& a, const MovingSolid& b, const AbutPose& b_in_a,
                float margin, float reuse)
{
    if (!state.has_query)
    {
        return false;
    }
    float moved = moved_since(state, a, b, b_in_a);
    bool apart = state.gap > 0.0f && state.gap - moved > margin;
    return apart || (moved <= reuse && margin <= state.margin);
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
    find_contacts(a, b, btMax(static_cast<float>(result->m_closestPointDistanceThreshold), 0.0f), &contacts);
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

/// Searches for the contacts of the step to come and writes them into the manifold of the result.
void update_manifold(const MovingSolid& a, const MovingSolid& b, ObjectPair objects, PairState* state,
                     btManifoldResult* result)
{
    btPersistentManifold* manifold = result->getPersistentManifold();
    btScalar threshold = manifold->getContactBreakingThreshold();
    float approach = approach_of(a, b), reuse = REUSE * static_cast<float>(threshold);
    float margin = static_cast<float>(threshold) + approach;
    AbutPose b_in_a = abut_pose_relative(&a.pose, &b.pose);
    if (is_covered(*state, a, b, b_in_a, margin, reuse))
    {
        result->refreshContactPoints();
        return;
    }
    static thread_local Contacts contacts;
    bool fast = approach > FAST * std::fmin(a.solid->size(), b.solid->size());
    if (fast)
    {
        find_coming_contacts(a, b, margin, &contacts);
    }
    else
    {
        find_contacts(a, b, margin + 2.0f * reuse, &contacts);
    }
    state->has_query = !fast && contacts.state != ABUT_COLLIDE_INVALID;
    state->b_in_a = b_in_a;
    state->margin = margin + reuse; // as far as the reuse allows
    state->gap = contacts.gap;
    Point points[MANIFOLD_CACHE_SIZE];
    int count = select_points(a, b, state->ids, threshold, contacts, points);
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
    MovingSolid a = moving_solid(*state_->solids[0].solid, *body_a, seconds);
    MovingSolid b = moving_solid(*state_->solids[1].solid, *body_b, seconds);
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
