// Triangles of Bullet's concave shapes as solids.
#ifndef ABUT_BULLET_TRIANGLES_HPP
#define ABUT_BULLET_TRIANGLES_HPP

#include <abut/bullet.hpp>
#include <vector>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// Triangles with shared corners, in the frame of a shape.
struct Triangles
{
    std::vector<AbutVec3> vertices;
    std::vector<uint32_t> indices; // three per triangle
};

/// All triangles of a shape, in its own order; equal corners are one vertex.
Triangles collect_triangles(const btConcaveShape& shape);

/// Hash of all triangles, to detect changes.
uint64_t hash_triangles(const btConcaveShape& shape);

/// The solid of the triangles. An open surface gets a thickness behind its faces, along `down` where that is
/// not zero (terrain), else against the normals of its vertices.
AbutResult create_solid(const Triangles& triangles, const btVector3& down, AbutShape** out);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
