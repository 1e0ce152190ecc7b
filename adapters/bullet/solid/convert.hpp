// Bullet's shapes as solids of abut, converted once per shape.
#ifndef ABUT_BULLET_CONVERT_HPP
#define ABUT_BULLET_CONVERT_HPP

#include "solid/solid.hpp"

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// Numbers of a shape that its solid depends on, cheap enough to compare at every step. Vertices are hashed
/// apart (content_of).
struct Signature
{
    const btCollisionShape* shape = nullptr;
    int type = -1;
    btScalar numbers[8] = {};

    bool operator==(const Signature& other) const;
};

Signature signature_of(const btCollisionShape& shape);

/// Count of calls of forget().
uint64_t forget_count();

/// The solid of a shape of Bullet, or of a Shape. Empty, with a message once per kind of shape, where there
/// is none. Any thread.
std::shared_ptr<const Solid> solid_of(const btCollisionShape& shape);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
