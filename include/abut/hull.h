/// @file hull.h
/// Convex hulls of points: exact, for any input from a single point to 65,536 of them.
///
/// All decisions are signs of exact determinants of the input's floats, so no point is outside of its hull,
/// whatever the input: duplicate, collinear, coplanar or nearly coplanar points. A hull is immutable, may be
/// read by any thread, and is one block without pointers inside. A convex shape (abut_shape_create_convex())
/// owns one.
#ifndef ABUT_HULL_H
#define ABUT_HULL_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutHull AbutHull;

typedef struct AbutHullInfo
{
    uint32_t dimension;    ///< 3 a solid, 2 a flat polygon, 1 a segment, 0 a point
    uint32_t vertex_count; ///< extreme points of the input, each once
    uint32_t face_count;   ///< polygons; coplanar triangles are one; 2 for a flat polygon, else 0 below 3
    uint32_t edge_count;   ///< 1 for a segment, 0 for a point
    AbutBox bounds;        ///< of the vertices
    size_t bytes;          ///< of the block
} AbutHullInfo;

/// The convex hull of `count` points, from 1 to 65,536. The hull has the same bytes on any machine.
/// @return ABUT_INVALID_ARGUMENT for no points; ABUT_LIMIT_EXCEEDED for too many; ABUT_INVALID_DATA for a
/// coordinate that is not finite or larger than 1e12, with its index; ABUT_OUT_OF_MEMORY. *out is NULL then.
ABUT_API AbutResult abut_hull_create(const AbutVec3* points, size_t count, const AbutHost* host,
                                     AbutHull** out);

/// With the host of its creation. NULL is ignored.
ABUT_API void abut_hull_destroy(AbutHull* hull, const AbutHost* host);

ABUT_API AbutHullInfo abut_hull_info(const AbutHull* hull);

/// The vertices, in the order of the input; they belong to the hull.
ABUT_API const AbutVec3* abut_hull_points(const AbutHull* hull);

/// The vertices of a face, counter-clockwise seen from outside. Fills up to `capacity` indices.
/// @param face under the face count
/// @return count of vertices of the face
ABUT_API uint32_t abut_hull_face_vertices(const AbutHull* hull, uint32_t face, uint32_t* vertices,
                                          uint32_t capacity);

/// The outward normal of a face.
ABUT_API AbutVec3 abut_hull_face_normal(const AbutHull* hull, uint32_t face);

/// A vertex that is farthest along a direction, in exact arithmetic. A direction with a NaN gets vertex 0.
ABUT_API uint32_t abut_hull_farthest(const AbutHull* hull, AbutVec3 direction);

#ifdef __cplusplus
}
#endif

#endif
