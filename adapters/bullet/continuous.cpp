// Motions of a finished step changed by walls (ccd/walls.hpp) and clamped to the time of impact.
#include "ccd/walls.hpp"
#include "contact/contacts.hpp"
#include "solid/convert.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <cmath>
#include <utility>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Least relative motion of a step, as a fraction of the smaller solid, that is looked at.
constexpr float LEAST_MOTION = 0.05f;

/// Relative motion of a step, as a fraction of the smaller solid, of bodies that are thrown. Below it
/// contacts ahead stop a body, and clamps would leave it in its neighbours in a heap, whose motions go on.
constexpr float THROWN_MOTION = 0.3f;

/// Least motion into the other solid after the touch, as a fraction of the smaller one, that is clamped, of
/// bodies that are thrown and of others: contacts resolve less, and bodies that slide keep their time.
constexpr float LEAST_DEPTH_THROWN = 0.01f, LEAST_DEPTH = 0.25f;

/// Motion between two poses of the rest of a step, as a fraction of the smaller solid, at which contacts on
/// the other side of a wall are looked for, and the largest count of these poses.
constexpr float SAMPLE_MOTION = 0.1f;
constexpr float MOST_SAMPLES = 16.0f;

/// Least cosine of normals on the two sides of a wall, against each other.
constexpr float OTHER_SIDE = 0.3f;

constexpr int NO_BODY = -1;

/// A pair at a fraction of its motions.
MovingSolid solid_at(const MovingSolid& solid, const AbutMotion& motion, float time)
{
    MovingSolid later = solid;
    later.pose = abut_motion_pose(&solid.pose, &motion, time);
    return later;
}

bool is_other_side(const Point& point, const btVector3& normal)
{
    return point.distance < 0 && point.normal.dot(normal) < btScalar(-OTHER_SIDE);
}

/// The normal of the deepest contact of solids that touch at the start. False where they touch on both
/// sides of a wall already.
bool side_at_start(const MovingSolid& a, const MovingSolid& b, btVector3* normal)
{
    static thread_local Contacts contacts;
    find_contacts(a, b, 0.0f, spacing_of(*a.solid, *b.solid, 0.0f), &contacts);
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < contacts.count; ++i)
    {
        deepest = contacts.points[i].distance < contacts.points[deepest].distance ? i : deepest;
    }
    for (uint32_t i = 0; i < contacts.count; ++i)
    {
        if (is_other_side(contacts.points[i], contacts.points[deepest].normal))
        {
            return false;
        }
    }
    *normal = contacts.count > 0 ? contacts.points[deepest].normal : btVector3(0, 0, 0);
    return contacts.count > 0;
}

/// True when the solids, which touch first with `normal` at `time`, are in contact on the other side of a
/// wall later in the step: a rotation took them through it.
bool crosses(const MovingSolid& a, const MovingSolid& b, const AbutToiInput& input, float time,
             const btVector3& normal, float size)
{
    float rest = (1.0f - time) * approach_of(a, b);
    int samples = static_cast<int>(std::fmin(std::ceil(rest / (SAMPLE_MOTION * size)), MOST_SAMPLES));
    for (int i = 1; i <= samples; ++i)
    {
        float at = time + (1.0f - time) * static_cast<float>(i) / static_cast<float>(samples);
        static thread_local Contacts contacts;
        find_contacts(solid_at(a, input.motion_a, at), solid_at(b, input.motion_b, at), 0.0f,
                      spacing_of(*a.solid, *b.solid, 0.0f), &contacts);
        for (uint32_t k = 0; k < contacts.count; ++k)
        {
            if (is_other_side(contacts.points[k], normal))
            {
                return true;
            }
        }
    }
    return false;
}

/// Motion of the solids into each other in the rest of the step after a touch, to first order.
btScalar depth_after(const MovingSolid& a, const MovingSolid& b, float time, const btVector3& point,
                     const btVector3& normal)
{
    btScalar t = real(time);
    btVector3 r_a = point - a.center - a.displacement * t, r_b = point - b.center - b.displacement * t;
    btVector3 relative = a.displacement + a.rotation.cross(r_a) - b.displacement - b.rotation.cross(r_b);
    return -normal.dot(relative) * (1 - t);
}

/// Fraction of the step until the motions of two solids have to stop; 1 for all of it.
float time_of(const MovingSolid& a, const MovingSolid& b)
{
    float size = std::fmin(a.solid->size(), b.solid->size());
    if (!(approach_of(a, b) > LEAST_MOTION * size))
    {
        return 1.0f;
    }
    AbutToiInput input = abut_toi_input(a.solid->grown(), b.solid->grown());
    input.pose_a = a.pose;
    input.pose_b = b.pose;
    input.motion_a = a.motion();
    input.motion_b = b.motion();
    AbutToiOutput output = abut_time_of_impact(&input);
    if (output.state == ABUT_TOI_OVERLAP)
    {
        btVector3 side;
        return side_at_start(a, b, &side) && crosses(a, b, input, 0.0f, side, size) ? 0.0f : 1.0f;
    }
    if (output.state != ABUT_TOI_HIT && output.state != ABUT_TOI_BUDGET)
    {
        return 1.0f;
    }
    AbutPose pose = abut_motion_pose(&input.pose_a, &input.motion_a, output.time);
    btVector3 point = to_bullet(abut_pose_transform_point(&pose, output.position));
    btVector3 normal = to_bullet(abut_quat_rotate(pose.rotation, output.normal));
    float least_depth = approach_of(a, b) > THROWN_MOTION * size ? LEAST_DEPTH_THROWN : LEAST_DEPTH;
    bool stops = output.state == ABUT_TOI_BUDGET ||
                 depth_after(a, b, output.time, point, normal) > real(least_depth * size) ||
                 crosses(a, b, input, output.time, normal, size);
    return stops ? output.time : 1.0f;
}

/// The fraction of the step of two bodies without core points between them.
float time_of_pair(const Moved& a, const Moved& b)
{
    float time = 1.0f;
    for_each_pair(a.object->getCollisionShape(), b.object->getCollisionShape(),
                  [&](const btCollisionShape* shape_a, const btTransform& local_a,
                      const btCollisionShape* shape_b, const btTransform& local_b) {
                      auto solid_a = solid_of(*shape_a), solid_b = solid_of(*shape_b);
                      if (solid_a != nullptr && solid_b != nullptr && !blocks(*solid_a, *solid_b) &&
                          !blocks(*solid_b, *solid_a))
                      {
                          time = std::fmin(time, time_of(solid_at_start(*solid_a, a, local_a),
                                                         solid_at_start(*solid_b, b, local_b)));
                      }
                  });
    return time;
}

bool has_abut(const btCollisionShape* shape)
{
    bool found = false;
    for_each_child(
        shape, btTransform::getIdentity(),
        [&found](const btCollisionShape* child, const btTransform&) { found = found || is_abut(child); });
    return found;
}

/// Rough test before any conversion.
bool is_fast(const Moved& moved)
{
    btVector3 center;
    btScalar radius;
    moved.object->getCollisionShape()->getBoundingSphere(center, radius);
    return moved.displacement.length() + moved.rotation.length() * radius > btScalar(LEAST_MOTION) * radius;
}

} // namespace

/// Of the present step.
struct Continuous::Data
{
    std::vector<StepBody> bodies;
    std::vector<int> index; // into bodies, of the objects of the world; NO_BODY
    std::vector<std::pair<size_t, size_t>> pairs;
    std::vector<WallPair> walls;

    size_t add(btCollisionObject* object, btScalar seconds)
    {
        int& i = index[static_cast<size_t>(object->getWorldArrayIndex())];
        if (i == NO_BODY)
        {
            const btRigidBody* body = btRigidBody::upcast(object);
            i = static_cast<int>(bodies.size());
            bool moves = body != nullptr && !body->isStaticOrKinematicObject() && body->isActive();
            bodies.push_back({ moved_object(object, seconds), 1, 0, moves, false });
        }
        return static_cast<size_t>(i);
    }

    /// Solids of a pair of which one has core points: of two, the thinner one.
    void add_walls(size_t a, size_t b)
    {
        for_each_pair(bodies[a].moved.object->getCollisionShape(),
                      bodies[b].moved.object->getCollisionShape(),
                      [&](const btCollisionShape* shape_a, const btTransform& local_a,
                          const btCollisionShape* shape_b, const btTransform& local_b) {
                          WallSide side_a = { a, solid_of(*shape_a), local_a },
                                   side_b = { b, solid_of(*shape_b), local_b };
                          if (side_a.solid == nullptr || side_b.solid == nullptr)
                          {
                              return;
                          }
                          bool a_blocks = blocks(*side_a.solid, *side_b.solid),
                               b_blocks = blocks(*side_b.solid, *side_a.solid);
                          if (a_blocks && !(b_blocks && is_thinner(*side_b.solid, *side_a.solid)))
                          {
                              walls.push_back(make_wall(side_a, side_b));
                          }
                          else if (b_blocks)
                          {
                              walls.push_back(make_wall(side_b, side_a));
                          }
                      });
    }

    void collect(btCollisionWorld* world, btScalar seconds)
    {
        bodies.clear();
        pairs.clear();
        walls.clear();
        index.assign(static_cast<size_t>(world->getNumCollisionObjects()), NO_BODY);
        const btBroadphasePairArray& all = world->getPairCache()->getOverlappingPairArray();
        for (int i = 0; i < all.size(); ++i)
        {
            auto* a = static_cast<btCollisionObject*>(all[i].m_pProxy0->m_clientObject);
            auto* b = static_cast<btCollisionObject*>(all[i].m_pProxy1->m_clientObject);
            bool responds = a->hasContactResponse() && b->hasContactResponse() &&
                            world->getDispatcher()->needsCollision(a, b) && !a->isKinematicObject() &&
                            !b->isKinematicObject();
            if (responds && (has_abut(a->getCollisionShape()) || has_abut(b->getCollisionShape())))
            {
                size_t index_a = add(a, seconds), index_b = add(b, seconds);
                pairs.push_back({ index_a, index_b });
            }
        }
    }
};

Continuous::Continuous() : data_(new Data)
{
}

Continuous::~Continuous() = default;

void Continuous::updateAction(btCollisionWorld* world, btScalar seconds)
{
    Data& d = *data_;
    d.collect(world, seconds);
    for (const auto& pair : d.pairs)
    {
        if (d.bodies[pair.first].moves || d.bodies[pair.second].moves)
        {
            d.add_walls(pair.first, pair.second);
        }
    }
    for (const auto& pair : d.pairs)
    {
        StepBody &a = d.bodies[pair.first], &b = d.bodies[pair.second];
        if (is_fast(a.moved) || is_fast(b.moved))
        {
            float time = time_of_pair(a.moved, b.moved);
            clamp_to(&a, real(time));
            clamp_to(&b, real(time));
        }
    }
    keep_out_of_walls(&d.walls, &d.bodies);
    clamped_count_ = 0;
    for (StepBody& body : d.bodies)
    {
        clamped_count_ += body.fraction < 1 || body.is_frozen ? 1 : 0;
        move_to_end(body, seconds);
    }
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
