// Both queries traverse the tree of spheres around the core points, a batch at a time, with distances no
// steeper than CORE_STEEPEST. The time of impact is a search over time intervals, each with a list of
// spheres, sampled at the middle of the interval. A sphere is free during the interval when its distance
// exceeds its radius and its displacement in half of it. Of the others, spheres that are large for their
// displacement are replaced by their children; the rest goes on to the first half and then to the second one.
// In the finest intervals core points that do not approach are free. A core point that is much too near at
// the middle limits the search to earlier times.
#include "ccd/core_toi.hpp"

#include <cmath>
#include <vector>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Radius over displacement in half of an interval from which a sphere is opened before time is halved.
constexpr float RADIUS_PER_TRAVEL = 1.5f;

/// Displacement in half of an interval, as a fraction of the gap, at which a core point that may be too near
/// counts as too near; between fractions of the inscribed radius.
constexpr float FINE_OF_GAP = 0.2f, FINEST = 0.002f, COARSEST = 0.02f;

/// Core points that slide may get nearer than the gap by this fraction of it.
constexpr float SLACK_OF_GAP = 0.5f;

/// Sine of the angle between velocity and surface below which a core point slides.
constexpr float SLIDING = 1e-3f;

constexpr int MAX_LEVEL = 20; // of halvings

constexpr uint32_t BATCH = 128;

/// A node of the tree by its index, or a core point by its index and this bit.
constexpr uint32_t IS_POINT = 0x80000000u;

using Refs = std::vector<uint32_t>;

/// Spheres in the frame and units of the core's solid, with the distances of the other one.
struct Spheres
{
    uint32_t refs[BATCH];
    float x[BATCH], y[BATCH], z[BATCH], radius[BATCH], distance[BATCH];
};

void load(const AbutPointSet* set, const AbutPointData& data, const uint32_t* refs, uint32_t count,
          Spheres* out)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t index = refs[i] & ~IS_POINT;
        out->refs[i] = refs[i];
        if ((refs[i] & IS_POINT) != 0)
        {
            out->x[i] = data.positions.x[index];
            out->y[i] = data.positions.y[index];
            out->z[i] = data.positions.z[index];
            out->radius[i] = 0.0f;
            continue;
        }
        AbutPointNode node = abut_points_node(set, index);
        out->x[i] = node.center.x;
        out->y[i] = node.center.y;
        out->z[i] = node.center.z;
        out->radius[i] = node.radius;
    }
}

void open(const AbutPointSet* set, uint32_t ref, Refs* out)
{
    AbutPointNode node = abut_points_node(set, ref);
    uint32_t count = node.child_count > 0 ? node.child_count : node.point_count;
    uint32_t first = node.child_count > 0 ? node.first_child : node.first_point | IS_POINT;
    for (uint32_t k = 0; k < count; ++k)
    {
        out->push_back(first + k);
    }
}

/// The pair of a query, and lists of spheres, one per level.
struct Search
{
    const MovingSolid &core, &other;
    const AbutPointSet* set;
    AbutPointData data;
    AbutMotion core_motion, other_motion;
    float gap, rotation, acceleration, fine;
    float slack;    // of points that slide
    float limit;    // a core point is too near at this time
    uint32_t found; // that one, or one that may be
    Refs* lists;
};

/// The relative velocity of the points of the core's solid at a time, in its frame and units: that of its
/// origin, and a rotation.
struct Velocity
{
    btVector3 origin, rotation;
};

Velocity velocity_at(const Search& s, const AbutPose& core_pose, float time)
{
    const MovingSolid &a = s.core, &b = s.other;
    btQuaternion to_local(-real(core_pose.rotation.x), -real(core_pose.rotation.y),
                          -real(core_pose.rotation.z), real(core_pose.rotation.w));
    btVector3 r_a = to_bullet(core_pose.position) - a.center - a.displacement * real(time),
              r_b = to_bullet(core_pose.position) - b.center - b.displacement * real(time);
    btVector3 origin = a.displacement + a.rotation.cross(r_a) - b.displacement - b.rotation.cross(r_b);
    return { quatRotate(to_local, origin),
             quatRotate(to_local, a.rotation - b.rotation) * real(core_pose.scale) };
}

/// Bound of the relative displacement of a sphere in half of an interval.
float travel_of(const Search& s, const Spheres& spheres, uint32_t i, const Velocity& v, float half)
{
    btVector3 at(real(spheres.x[i]), real(spheres.y[i]), real(spheres.z[i]));
    float speed = static_cast<float>((v.origin + v.rotation.cross(at)).length());
    return (speed + s.rotation * spheres.radius[i] * s.core.pose.scale + s.acceleration * half) * half;
}

/// Tests the spheres of a list at the middle of an interval: those that may touch in it stay in `out`.
/// Returns the largest displacement of these; infinite with nodes among them.
float test_spheres(Search* s, float from, float to, const Refs& list, Refs* out)
{
    static thread_local Refs pending;
    float half = 0.5f * (to - from), middle = from + half, most = 0.0f;
    AbutPose core = abut_motion_pose(&s->core.pose, &s->core_motion, middle),
             other = abut_motion_pose(&s->other.pose, &s->other_motion, middle);
    AbutPose relative = abut_pose_relative(&core, &other);
    Velocity velocity = velocity_at(*s, core, middle);
    float scale = core.scale;
    Spheres spheres;
    pending.assign(list.begin(), list.end());
    out->clear();
    while (!pending.empty())
    {
        uint32_t count = static_cast<uint32_t>(pending.size() < BATCH ? pending.size() : BATCH);
        load(s->set, s->data, pending.data() + pending.size() - count, count, &spheres);
        pending.resize(pending.size() - count);
        abut_shape_sample(s->other.solid->shape(), &relative, AbutPoints{ spheres.x, spheres.y, spheres.z },
                          count, AbutSamples{ spheres.distance, nullptr, nullptr, nullptr });
        for (uint32_t i = 0; i < count; ++i)
        {
            float distance = spheres.distance[i] * scale - s->gap, radius = spheres.radius[i] * scale;
            float travel = travel_of(*s, spheres, i, velocity, half);
            bool is_point = (spheres.refs[i] & IS_POINT) != 0;
            if (distance > CORE_STEEPEST * (radius + travel))
            {
                continue;
            }
            if (is_point && distance <= -s->slack)
            {
                s->limit = middle;
                s->found = spheres.refs[i];
            }
            if (!is_point && radius > RADIUS_PER_TRAVEL * travel)
            {
                open(s->set, spheres.refs[i], &pending);
            }
            else
            {
                out->push_back(spheres.refs[i]);
                most = std::fmax(most, is_point ? travel : INFINITY);
            }
        }
    }
    return most;
}

/// The core point that approaches the other solid fastest, of those in a list. False where none does: points
/// that slide along it or leave it do not touch.
bool find_approaching(Search* s, float time, const Refs& list)
{
    AbutPose core = abut_motion_pose(&s->core.pose, &s->core_motion, time),
             other = abut_motion_pose(&s->other.pose, &s->other_motion, time);
    AbutPose relative = abut_pose_relative(&core, &other);
    Velocity velocity = velocity_at(*s, core, time);
    Spheres spheres;
    float gx[BATCH], gy[BATCH], gz[BATCH], most = 0.0f;
    for (size_t first = 0; first < list.size(); first += BATCH)
    {
        uint32_t count = static_cast<uint32_t>(list.size() - first < BATCH ? list.size() - first : BATCH);
        load(s->set, s->data, list.data() + first, count, &spheres);
        abut_shape_sample(s->other.solid->shape(), &relative, AbutPoints{ spheres.x, spheres.y, spheres.z },
                          count, AbutSamples{ spheres.distance, gx, gy, gz });
        for (uint32_t i = 0; i < count; ++i)
        {
            btVector3 at(real(spheres.x[i]), real(spheres.y[i]), real(spheres.z[i])),
                gradient(real(gx[i]), real(gy[i]), real(gz[i]));
            btVector3 v = velocity.origin + velocity.rotation.cross(at);
            float approach = static_cast<float>(-v.dot(gradient));
            if (approach > most + SLIDING * static_cast<float>(v.length()))
            {
                most = approach;
                s->found = spheres.refs[i];
            }
        }
    }
    return most > 0.0f;
}

/// The first time in an interval at which a sphere of a list may be too near; 1 for none.
float search(Search* s, float from, float to, int level, const Refs& list)
{
    Refs& rest = s->lists[level];
    float most = test_spheres(s, from, to, list, &rest), middle = from + 0.5f * (to - from);
    if (rest.empty())
    {
        return 1.0f;
    }
    if (level == MAX_LEVEL || most < s->fine)
    {
        return find_approaching(s, middle, rest) ? from : 1.0f;
    }
    float time = search(s, from, middle, level + 1, rest);
    return time < 1.0f || s->limit <= middle ? std::fmin(time, middle)
                                             : search(s, middle, to, level + 1, rest);
}

Search make_search(const MovingSolid& core, const MovingSolid& other, float gap)
{
    static thread_local Refs lists[MAX_LEVEL + 2];
    const CorePoints& points = core.solid->core_points();
    float radius = points.inscribed_radius() * core.pose.scale;
    float angle = static_cast<float>(core.rotation.length()),
          other_angle = static_cast<float>(other.rotation.length());
    float speed = static_cast<float>(core.displacement.length() + other.displacement.length());
    float acceleration = angle > 0.0f ? angle * angle * core.radius : 0.0f;
    acceleration += other_angle > 0.0f ? other_angle * (speed + angle * core.radius) : 0.0f;
    return { core,
             other,
             points.set(),
             abut_points_data(points.set()),
             core.motion(),
             other.motion(),
             gap,
             static_cast<float>((core.rotation - other.rotation).length()),
             acceleration,
             std::fmax(std::fmin(COARSEST * radius, FINE_OF_GAP * gap), FINEST * radius),
             std::fmax(SLACK_OF_GAP * gap, COARSEST * radius),
             1.0f,
             0u,
             lists };
}

} // namespace

float core_clearance(const MovingSolid& core, const MovingSolid& other, float most)
{
    static thread_local Refs pending;
    const AbutPointSet* set = core.solid->core_points().set();
    AbutPointData data = abut_points_data(set);
    AbutPose relative = abut_pose_relative(&core.pose, &other.pose);
    float scale = core.pose.scale;
    Spheres spheres;
    pending.assign(1, 0u);
    while (!pending.empty())
    {
        uint32_t count = static_cast<uint32_t>(pending.size() < BATCH ? pending.size() : BATCH);
        load(set, data, pending.data() + pending.size() - count, count, &spheres);
        pending.resize(pending.size() - count);
        abut_shape_sample(other.solid->shape(), &relative, AbutPoints{ spheres.x, spheres.y, spheres.z },
                          count, AbutSamples{ spheres.distance, nullptr, nullptr, nullptr });
        for (uint32_t i = 0; i < count; ++i)
        {
            float distance = spheres.distance[i] * scale;
            if ((spheres.refs[i] & IS_POINT) != 0)
            {
                most = std::fmin(most, distance);
            }
            else if (distance - CORE_STEEPEST * spheres.radius[i] * scale < most)
            {
                open(set, spheres.refs[i], &pending);
            }
        }
    }
    return most;
}

CoreTouch core_time_of_impact(const MovingSolid& core, const MovingSolid& other, float gap)
{
    Search s = make_search(core, other, gap);
    s.lists[MAX_LEVEL + 1].assign(1, 0u);
    CoreTouch touch = { 1.0f, btVector3(0, 0, 0), btVector3(0, 0, 0) };
    touch.time = search(&s, 0.0f, 1.0f, 0, s.lists[MAX_LEVEL + 1]);
    if (touch.time < 1.0f)
    {
        Spheres one;
        load(s.set, s.data, &s.found, 1, &one);
        AbutPose pose = abut_motion_pose(&core.pose, &s.core_motion, touch.time),
                 other_pose = abut_motion_pose(&other.pose, &s.other_motion, touch.time);
        AbutPosition at = abut_pose_transform_point(&pose, abut_vec3(one.x[0], one.y[0], one.z[0]));
        AbutVec3 gradient;
        abut_shape_distance_at(other.solid->shape(), &other_pose, at, &gradient);
        touch.point = to_bullet(at);
        touch.normal = to_bullet(gradient);
        btScalar length = touch.normal.length();
        touch.normal = length > 0 ? touch.normal / length : btVector3(0, 0, 0);
    }
    return touch;
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
