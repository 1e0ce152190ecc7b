/// @file points.h
/// Points on a surface, with normals, in a nested sphere tree, for tests of moving bodies
/// against the field of another (Xu & Barbič, section 3.3). docs/sweep.md has more.
///
/// A point set is immutable and may be shared between threads and bodies. Points are in the order of the
/// tree, for locality of memory; AbutPointData.source has their original indices.
#ifndef ABUT_POINTS_H
#define ABUT_POINTS_H

#include <abut/base.h>
#include <abut/math.h>
#include <abut/mesh.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutPointSet AbutPointSet;

/// Sampling of a surface. abut_points_def() has the defaults.
typedef struct AbutPointsDef
{
    /// Largest distance of the surface from its nearest point: proved for meshes. 0: from `count`.
    float spacing;
    /// Approximate count of points, when spacing is 0; default 4096. AbutPointsInfo has the resulting
    /// spacing.
    uint32_t count;
    uint32_t relaxations;     ///< passes of repulsion on the surface; default 4, at most 64
    uint32_t count_limit;     ///< more points than this are ABUT_LIMIT_EXCEEDED; default 2²⁴
    uint64_t seed;            ///< of the random starts; the same seed gives the same points
    const AbutHost* host;     ///< memory and workers
    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
} AbutPointsDef;

ABUT_API AbutPointsDef abut_points_def(void);

/// Blue noise on the triangles of a mesh: points repel each other along the surface, and regions further away
/// than the spacing get further points. Points on opposite sides of a thin wall do not repel each other.
/// Normals are those of the faces. The same points for any number of workers. A mesh without triangles has no
/// points.
/// @return ABUT_INVALID_ARGUMENT for numbers out of range and spacings under 8e-6 of the largest coordinate,
/// ABUT_LIMIT_EXCEEDED, ABUT_CANCELLED, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_points_create_from_mesh(const AbutPointsDef* def, const AbutMesh* mesh,
                                                 AbutPointSet** out);

/// The same on the surface f = 0 of a shape with a finite box: its triangulation (abut_surface_create(),
/// cells of half the spacing) is sampled and points are projected onto the surface; normals are gradients.
/// The spacing is that of the triangulation and the longest projection; details smaller than its cells may be
/// missed. A shape without a solid has no points.
ABUT_API AbutResult abut_points_create_from_shape(const AbutPointsDef* def, const AbutShape* shape,
                                                  AbutPointSet** out);

/// The vertices of a mesh that a triangle uses, each position once; normals are weighted by angle.
ABUT_API AbutResult abut_points_create_from_vertices(const AbutMesh* mesh, const AbutHost* host,
                                                     AbutPointSet** out);

/// Any points: positions[3·i ..] finite, normals alike or NULL (zero then). An empty set is allowed, and
/// touches nothing.
ABUT_API AbutResult abut_points_create(const float* positions, const float* normals, uint32_t count,
                                       const AbutHost* host, AbutPointSet** out);

/// One more owner. Returns `points`.
ABUT_API AbutPointSet* abut_points_retain(AbutPointSet* points);

/// Gives up the caller's reference. NULL is ignored.
ABUT_API void abut_points_destroy(AbutPointSet* points);

typedef struct AbutPointsInfo
{
    uint32_t count;
    AbutBox bounds; ///< empty for no points
    float spacing;  ///< largest distance of the surface from its nearest point; 0 where unknown (vertices)
    float min_distance;  ///< distance of the two nearest points; 0 for fewer than two
    uint32_t node_count; ///< of the sphere tree
    uint32_t depth;      ///< levels of the sphere tree
    size_t bytes;
} AbutPointsInfo;

ABUT_API AbutPointsInfo abut_points_info(const AbutPointSet* points);

/// The points in the order of the tree. Valid as long as the set.
typedef struct AbutPointData
{
    uint32_t count;
    AbutPoints positions;
    AbutPoints normals;
    const uint32_t* source; ///< index of the vertex or of the given point; for samples, their own index
} AbutPointData;

ABUT_API AbutPointData abut_points_data(const AbutPointSet* points);

/// A sphere around all points of a node of the tree. Node 0 is the root. Spheres are nested: a child's lies
/// in its parent's.
typedef struct AbutPointNode
{
    AbutVec3 center;
    float radius;
    uint32_t first_point, point_count; ///< all points below
    uint32_t first_child, child_count; ///< children are neighbours; none for a leaf
} AbutPointNode;

/// `index` is under AbutPointsInfo.node_count.
ABUT_API AbutPointNode abut_points_node(const AbutPointSet* points, uint32_t index);

// -----------------------------------------------------------------------------------------------------------
// Point hulls
// -----------------------------------------------------------------------------------------------------------

/// Balls inside of a solid that cover its surface: every point of the surface is within `error` of their
/// union, and no ball sticks out of the solid by more than `error`. Both are proved from the promises of the
/// shape (AbutShapeInfo): no detail is missed between samples. docs/point_hulls.md has more. Immutable; may
/// be shared between threads and bodies.
typedef struct AbutPointHull AbutPointHull;

/// abut_point_hull_def() has the defaults.
typedef struct AbutPointHullDef
{
    float error;          ///< 0: from `count`
    uint32_t count;       ///< approximate count of balls when the error is 0; default 1024
    bool one_radius;      ///< all balls have one radius; default: each as large as the solid allows
    uint32_t count_limit; ///< more balls than this are ABUT_LIMIT_EXCEEDED; default 2²⁰
    const AbutHost* host; ///< memory; samples are taken by the workers of the shape's host
} AbutPointHullDef;

ABUT_API AbutPointHullDef abut_point_hull_def(void);

/// The point hull of a shape with finite bounds. Denser where the surface bends more: large balls under flat
/// regions, small ones at edges. The same bytes for any number of workers and instruction set. Where
/// distances are only bounds (AbutDistanceKind), cells of space may stay uncertain; AbutPointHullInfo.error
/// has the error that is proved then.
/// @return ABUT_INVALID_ARGUMENT for numbers out of range, infinite shapes and errors under twice that of the
/// shape; ABUT_INVALID_DATA for fields with uncertain signs; ABUT_LIMIT_EXCEEDED, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_point_hull_create(const AbutPointHullDef* def, const AbutShape* shape,
                                           AbutPointHull** out);

/// One more owner. Returns `hull`.
ABUT_API AbutPointHull* abut_point_hull_retain(AbutPointHull* hull);

/// Gives up the caller's reference. NULL is ignored.
ABUT_API void abut_point_hull_destroy(AbutPointHull* hull);

typedef struct AbutPointHullInfo
{
    uint32_t count;
    AbutBox bounds; ///< of the balls; empty for none
    float error;    ///< proved, in both directions
    float min_radius, max_radius;
    uint32_t node_count; ///< of the sphere tree over the centers
    size_t bytes;
} AbutPointHullInfo;

ABUT_API AbutPointHullInfo abut_point_hull_info(const AbutPointHull* hull);

/// The balls in the order of the tree. Valid as long as the hull.
typedef struct AbutPointHullData
{
    uint32_t count;
    AbutPoints centers;
    const float* radii;
} AbutPointHullData;

ABUT_API AbutPointHullData abut_point_hull_data(const AbutPointHull* hull);

/// Keeps a hull with its shape, for queries by ABUT_COLLIDE_HULL: the shape can play the points. Shapes that
/// are placed, or offset outwards, around this one have it, too. A shape without one never plays the points,
/// as terrain should. Once per shape; other threads may query it meanwhile. The shape becomes an owner of the
/// hull.
/// @return ABUT_INVALID_DATA for a hull with balls outside of the shape; ABUT_INVALID_ARGUMENT for a shape
/// that keeps a hull already.
ABUT_API AbutResult abut_point_hull_attach(AbutPointHull* hull, AbutShape* shape);

/// The hull that was attached to this shape itself, or NULL.
ABUT_API const AbutPointHull* abut_point_hull_of(const AbutShape* shape);

/// All of a hull as one block of bytes without pointers, for files (abut_point_hull_save()) and memory of
/// others: a tag, version, size, checksum and offsets, then the balls. Valid as long as the hull.
ABUT_API const void* abut_point_hull_block(const AbutPointHull* hull, size_t* size);

/// A hull from the bytes of such a block, which are copied. They are untrusted: every number is checked
/// before its use. A checksum detects damage, not forgery: a forged error makes false proofs. `name` stands
/// for the block in messages and may be NULL.
/// @return ABUT_INVALID_DATA with the byte and the reason, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_point_hull_create_from_block(const void* data, size_t size, const char* name,
                                                      const AbutHost* host, AbutPointHull** out);

#ifdef __cplusplus
}
#endif

#endif
