// The solver of a world works with four points per pair, on planes, from the poses at the start of a step:
// the rim of a bowl may turn through a wall in one step after the first impulse. Here the motions of a
// finished step are searched for core points that enter another solid. An inelastic impulse at such a point
// takes the approach that is too much from both velocities, so that the bodies go on with the rest of their
// motions, and their neighbours with them; each change is followed by new searches. What impulses do not
// solve is stopped at a fraction of its motion. Its velocity stays, or a heap would hang in the air: the
// solver has the contacts of the next step for it. The start of a step is free, so it ends.
#include "ccd/walls.hpp"

#include "ccd/core_toi.hpp"

#include <cmath>
#include <initializer_list>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Impulses at the touches of a pair, passes over all pairs, and rounds of passes, after each of which bodies
/// that still touch are stopped, at most.
constexpr int PAIR_IMPULSES = 4, IMPULSE_PASSES = 6, ROUNDS = 1;

/// Share of the free fraction that motions keep.
constexpr btScalar SAFETY = btScalar(0.9);

/// Clearance that core points keep, as a fraction of their depth. Once nearer they may lose a share of their
/// clearance per step, at least that of a small fraction of the first gap; impulses regain a share of what is
/// lost.
constexpr float GAP_OF_DEPTH = 0.25f, GAP_OF_CLEARANCE = 0.5f, LEAST_GAP = 0.02f, REGAIN = 0.2f;

/// In units of half of the thickness: core points deeper than this in another solid were so from the start,
/// not by rounding.
constexpr float ROUNDING = 0.1f;

/// Half of the thickness that the core points of another solid do not miss, in theirs.
constexpr float COVERS = 0.6063f;

MovingSolid moving_side(const StepBody& body, const WallSide& side)
{
    Moved part = body.moved;
    part.displacement *= body.fraction;
    part.rotation *= body.fraction;
    return solid_at_start(*side.solid, part, side.local);
}

float thickness_of(const Solid& solid)
{
    return solid.core_points().inscribed_radius() * solid.scale();
}

const CoreTouch NO_TOUCH = { 1.0f, btVector3(0, 0, 0), btVector3(0, 0, 0) };

/// The gap of a pair that is nearer than its first one at the start.
void measure_gap(const MovingSolid& core, const MovingSolid& other, WallPair* pair)
{
    float c = core_clearance(core, other, pair->gap), least = LEAST_GAP * pair->gap;
    pair->is_closer = true;
    pair->is_free = c < -ROUNDING * thickness_of(*core.solid);
    pair->lost = pair->gap - c;
    pair->gap = c > least ? GAP_OF_CLEARANCE * c : c - (1 - GAP_OF_CLEARANCE) * least;
}

/// The first touch of the present motions. A pair nearer than its gap at the start has a smaller one; core
/// points that are inside already go where they like.
CoreTouch find_touch(const std::vector<StepBody>& bodies, WallPair* pair)
{
    const StepBody &a = bodies[pair->core.body], &b = bodies[pair->other.body];
    MovingSolid core = moving_side(a, pair->core), other = moving_side(b, pair->other);
    pair->core_version = a.version;
    pair->other_version = b.version;
    if (pair->is_free)
    {
        return NO_TOUCH;
    }
    CoreTouch touch = core_time_of_impact(core, other, pair->gap);
    if (touch.time <= 0.0f && !pair->is_closer)
    {
        measure_gap(core, other, pair);
        touch = pair->is_free ? NO_TOUCH : core_time_of_impact(core, other, pair->gap);
    }
    return touch;
}

bool is_new(const std::vector<StepBody>& bodies, const WallPair& pair)
{
    return pair.core_version != bodies[pair.core.body].version ||
           pair.other_version != bodies[pair.other.body].version;
}

/// Displacement per impulse at a point along a direction.
btScalar inverse_mass(const StepBody& body, const btVector3& r, const btVector3& normal)
{
    if (!body.moves || body.is_frozen)
    {
        return 0;
    }
    const btRigidBody* rigid = btRigidBody::upcast(body.moved.object);
    btVector3 angular = (rigid->getInvInertiaTensorWorld() * r.cross(normal)) * rigid->getAngularFactor();
    return rigid->getInvMass() * (normal * normal).dot(rigid->getLinearFactor()) +
           angular.cross(r).dot(normal);
}

void apply_impulse(StepBody* body, const btVector3& r, const btVector3& impulse)
{
    if (!body->moves || body->is_frozen)
    {
        return;
    }
    const btRigidBody* rigid = btRigidBody::upcast(body->moved.object);
    btVector3 linear = impulse * rigid->getLinearFactor() * rigid->getInvMass(),
              angular = (rigid->getInvInertiaTensorWorld() * r.cross(impulse)) * rigid->getAngularFactor();
    body->moved.displacement += linear;
    body->moved.rotation += angular;
    body->linear_change += linear;
    body->angular_change += angular;
    body->changed = true;
    ++body->version;
}

/// Takes the approach at a touch that is too much from both motions. False where there is none.
bool stop_approach(std::vector<StepBody>* bodies, const WallPair& pair, const CoreTouch& touch)
{
    StepBody &a = (*bodies)[pair.core.body], &b = (*bodies)[pair.other.body];
    btScalar time = real(touch.time);
    const btVector3& n = touch.normal;
    btVector3 r_a = touch.point - a.moved.start.getOrigin() - a.moved.displacement * time,
              r_b = touch.point - b.moved.start.getOrigin() - b.moved.displacement * time;
    btScalar approach = -n.dot(a.moved.displacement + a.moved.rotation.cross(r_a) - b.moved.displacement -
                               b.moved.rotation.cross(r_b));
    btScalar mass = inverse_mass(a, r_a, n) + inverse_mass(b, r_b, n);
    if (!(approach > 0) || !(mass > 0))
    {
        return false;
    }
    btScalar allowed = time > 0 ? SAFETY * time * approach : btScalar(-REGAIN) * real(pair.lost);
    btVector3 impulse = n * ((approach - allowed) / mass);
    apply_impulse(&a, r_a, impulse);
    apply_impulse(&b, r_b, -impulse);
    return true;
}

/// Impulses at the touches of one pair, each followed by another search.
bool solve_pair(std::vector<StepBody>* bodies, WallPair* pair)
{
    bool any = false;
    for (int i = 0; i < PAIR_IMPULSES && is_new(*bodies, *pair); ++i)
    {
        CoreTouch touch = find_touch(*bodies, pair);
        any = (touch.time < 1.0f && stop_approach(bodies, *pair, touch)) || any;
        pair->is_touching = touch.time < 1.0f;
    }
    return any;
}

void solve_all(std::vector<WallPair>* pairs, std::vector<StepBody>* bodies)
{
    bool any = true;
    for (int i = 0; i < IMPULSE_PASSES && any; ++i)
    {
        any = false;
        for (WallPair& pair : *pairs)
        {
            any = solve_pair(bodies, &pair) || any;
        }
    }
}

/// False where the body has no motion.
bool shorten(StepBody* body, btScalar factor)
{
    Moved& moved = body->moved;
    if (!body->moves || (moved.displacement.isZero() && moved.rotation.isZero()))
    {
        return false;
    }
    moved.displacement *= factor;
    moved.rotation *= factor;
    body->is_frozen = body->changed = true;
    ++body->version;
    return true;
}

/// Shortens the motions of pairs that still touch: to a share of the free fraction, or to nothing.
bool shorten_all(std::vector<WallPair>* pairs, std::vector<StepBody>* bodies, btScalar share)
{
    bool any = false;
    for (WallPair& pair : *pairs)
    {
        if (!is_new(*bodies, pair) && !pair.is_touching)
        {
            continue;
        }
        CoreTouch touch = find_touch(*bodies, &pair);
        pair.is_touching = false; // once its bodies are shortened
        if (touch.time < 1.0f)
        {
            bool core = shorten(&(*bodies)[pair.core.body], share * real(touch.time));
            bool other = shorten(&(*bodies)[pair.other.body], share * real(touch.time));
            any = any || core || other;
        }
    }
    return any;
}

} // namespace

bool blocks(const Solid& a, const Solid& b)
{
    const CorePoints &core = a.core_points(), &other = b.core_points();
    return core.set() != nullptr &&
           COVERS * core.inscribed_radius() * a.scale() < other.inscribed_radius() * b.scale();
}

WallPair make_wall(const WallSide& core, const WallSide& other)
{
    float depth = core.solid->core_points().depth() * core.solid->scale();
    return { core, other, GAP_OF_DEPTH * depth, 0.0f, false, false, false, UINT32_MAX, UINT32_MAX };
}

void clamp_to(StepBody* body, btScalar fraction)
{
    if (body->moves && fraction < body->fraction)
    {
        body->fraction = fraction;
        body->changed = true;
        ++body->version;
    }
}

void keep_out_of_walls(std::vector<WallPair>* pairs, std::vector<StepBody>* bodies)
{
    bool any = true;
    for (int i = 0; i < ROUNDS && any; ++i)
    {
        solve_all(pairs, bodies);
        any = shorten_all(pairs, bodies, SAFETY);
    }
    while (any)
    {
        any = shorten_all(pairs, bodies, 0);
    }
}

void move_to_end(const StepBody& body, btScalar seconds)
{
    if (!body.changed)
    {
        return;
    }
    btRigidBody* rigid = btRigidBody::upcast(body.moved.object);
    rigid->setLinearVelocity(rigid->getLinearVelocity() + body.linear_change / seconds);
    rigid->setAngularVelocity(rigid->getAngularVelocity() + body.angular_change / seconds);
    rigid->proceedToTransform(pose_after(body.moved, body.fraction));
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
