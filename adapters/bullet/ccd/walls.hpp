// Thin walls in a step that is over: motions changed so that no core point (core_points.hpp) enters another
// solid.
#ifndef ABUT_BULLET_WALLS_HPP
#define ABUT_BULLET_WALLS_HPP

#include "ccd/moved.hpp"

#include <memory>
#include <vector>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// An object in a step: its motion may change, and ends at a fraction.
struct StepBody
{
    Moved moved;
    btScalar fraction;
    uint32_t version;       // of the motion
    bool moves;             // dynamic and awake
    bool changed;           // another motion than that of the solver
    bool is_frozen = false; // shortened: takes no impulses
    btVector3 linear_change = btVector3(0, 0, 0), angular_change = btVector3(0, 0, 0); // by impulses
};

/// A solid of a body.
struct WallSide
{
    size_t body;
    std::shared_ptr<const Solid> solid;
    btTransform local;
};

/// Two solids of which one has core points.
struct WallPair
{
    WallSide core, other;
    float gap;      // that core points keep
    float lost;     // of the first gap
    bool is_closer; // nearer at the start
    bool is_free;   // inside of each other before
    bool is_touching;
    uint32_t core_version, other_version;
};

inline bool is_thinner(const Solid& a, const Solid& b)
{
    return a.core_points().inscribed_radius() * a.scale() < b.core_points().inscribed_radius() * b.scale();
}

/// True when the core points of `a` block `b`: then B is thick enough not to pass between them.
bool blocks(const Solid& a, const Solid& b);

WallPair make_wall(const WallSide& core, const WallSide& other);

/// Changes motions: afterwards no core point enters another solid, at any fraction of the motions.
void keep_out_of_walls(std::vector<WallPair>* pairs, std::vector<StepBody>* bodies);

/// Lowers the fraction of a body that moves.
void clamp_to(StepBody* body, btScalar fraction);

/// Moves a body whose motion has changed.
void move_to_end(const StepBody& body, btScalar seconds);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
