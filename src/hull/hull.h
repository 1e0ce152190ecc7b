/// @file hull.h (internal)
/// Convex polyhedra: one relocatable block with vertices, faces, half edges and neighbours.
///
/// A hull has a dimension: 3 for a solid, 2 for a flat polygon (two faces, back to back), 1 for a segment
/// (two half edges, no face), 0 for a point. Vertices are input points, bit for bit (−0 becomes +0), in the
/// order of the input, and all of them are extreme: none is inside of the hull, of a face or of an edge.
/// Faces are the faces of the exact hull: triangles that are exactly coplanar are merged, others are not.
/// Every face is a strictly convex polygon, counter-clockwise seen from outside.
///
/// Planes. The normal of a face is of unit length within 2⁻⁵⁰, and within 2⁻⁵⁰ of the exact direction. The
/// offset is rounded outwards: normal · v ≤ offset for all vertices of the hull in exact arithmetic, and
/// normal · v ≥ offset − plane_error for the vertices of the face.
///
/// The Voronoi planes of features (Mirtich, "V-Clip", 1998) follow from the half edges on demand: see the end
/// of this file.
#ifndef ABUT_HULL_HULL_H
#define ABUT_HULL_HULL_H

#include <abut/hull.h>

#include "base/assert.h"
#include "math/dvec3.h"

#define ABUT_HULL_TAG 0x4c485441u // "ATHL"
#define ABUT_HULL_VERSION 1u

/// Most points of the input, hence most vertices: indices of vertices fit in 16 bits.
#define ABUT_HULL_MAX_POINTS 65536u

/// The face of the half edges of a segment.
#define ABUT_HULL_NO_FACE UINT32_MAX

/// Vertices in lanes are filled up to a multiple of this with copies of the last one.
#define ABUT_HULL_LANES 8u

/// The same of planes, with copies of the first one.
#define ABUT_HULL_PLANE_LANES 4u

typedef struct AbutHullFace
{
    AbutDVec3 normal; // outward
    double offset;    // normal · x ≤ offset in the hull
    uint32_t first;   // its half edges are first, first + 1, ...
    uint32_t count;   // ... counter-clockwise, at least 3
} AbutHullFace;

/// From `tail` to the tail of the next half edge of its face.
typedef struct AbutHullHalfEdge
{
    uint32_t tail; // vertex
    uint32_t twin; // half edge of the neighbour face, in the other direction
    uint32_t face; // or ABUT_HULL_NO_FACE
    uint32_t next; // half edge of the same face; of a segment: the twin
} AbutHullHalfEdge;

/// Start of the neighbours of a vertex.
typedef struct AbutHullVertex
{
    uint32_t half_edge;      // one that leaves the vertex; 0 and meaningless for a point
    uint32_t first_neighbor; // index into the neighbours
    uint32_t neighbor_count; // in clockwise order seen from outside; 0 for a point
} AbutHullVertex;

/// Header of the block; all offsets are in bytes from its begin.
struct AbutHull
{
    uint32_t tag, version;
    uint64_t size; // of the block
    uint32_t dimension;
    uint32_t vertex_count, face_count, half_edge_count;
    uint32_t lane_count;       // vertices in lanes, a multiple of ABUT_HULL_LANES
    uint32_t plane_lane_count; // planes in lanes, a multiple of ABUT_HULL_PLANE_LANES
    uint32_t start_resolution; // cells per side of a face of the cube of start vertices
    AbutBox bounds;            // of the vertices: exact
    double radius;             // of the vertices about the origin, rounded up
    double plane_error;        // see above
    double diameter;           // of the bounds, rounded up
    AbutDVec3 interior;        // mean of the vertices
    AbutDVec3 center;          // of a ball inside and one around; near the center of the largest ball inside
    double inner_radius;       // rounded down; 0 below dimension 3
    double outer_radius;       // rounded up
    uint64_t positions_at, lanes_at, vertices_at, neighbors_at, half_edges_at, faces_at, planes_at, starts_at;
};

// -----------------------------------------------------------------------------------------------------------
// Access
// -----------------------------------------------------------------------------------------------------------

static inline const void* abut_hull_at(const AbutHull* hull, uint64_t offset)
{
    return (const char*)hull + offset;
}

static inline const AbutVec3* abut_hull_positions(const AbutHull* hull)
{
    return abut_hull_at(hull, hull->positions_at);
}

static inline const AbutHullVertex* abut_hull_vertices(const AbutHull* hull)
{
    return abut_hull_at(hull, hull->vertices_at);
}

static inline const AbutHullHalfEdge* abut_hull_half_edges(const AbutHull* hull)
{
    return abut_hull_at(hull, hull->half_edges_at);
}

static inline const AbutHullFace* abut_hull_faces(const AbutHull* hull)
{
    return abut_hull_at(hull, hull->faces_at);
}

/// Neighbours of all vertices, ordered by vertex.
static inline const uint16_t* abut_hull_neighbors(const AbutHull* hull)
{
    return abut_hull_at(hull, hull->neighbors_at);
}

/// Coordinate `axis` of all vertices, lane_count floats, aligned to 32 bytes.
static inline const float* abut_hull_lanes(const AbutHull* hull, uint32_t axis)
{
    return (const float*)abut_hull_at(hull, hull->lanes_at) + (size_t)axis * hull->lane_count;
}

/// Components x, y, z of the normals of all faces, then their offsets, plane_lane_count doubles each.
static inline const double* abut_hull_plane_lanes(const AbutHull* hull)
{
    return abut_hull_at(hull, hull->planes_at);
}

static inline AbutDVec3 abut_hull_position(const AbutHull* hull, uint32_t vertex)
{
    ABUT_ASSERT(vertex < hull->vertex_count);
    return abut_dvec3_from_vec3(abut_hull_positions(hull)[vertex]);
}

static inline uint32_t abut_hull_tail(const AbutHull* hull, uint32_t half_edge)
{
    return abut_hull_half_edges(hull)[half_edge].tail;
}

static inline uint32_t abut_hull_head(const AbutHull* hull, uint32_t half_edge)
{
    const AbutHullHalfEdge* edges = abut_hull_half_edges(hull);
    return edges[edges[half_edge].twin].tail;
}

/// The next half edge that leaves the same vertex, clockwise seen from outside.
static inline uint32_t abut_hull_around(const AbutHull* hull, uint32_t half_edge)
{
    const AbutHullHalfEdge* edges = abut_hull_half_edges(hull);
    return edges[edges[half_edge].twin].next;
}

// -----------------------------------------------------------------------------------------------------------
// Support
// -----------------------------------------------------------------------------------------------------------

/// A vertex with the largest direction · v within the rounding of double: hill climbing from `start` (any
/// vertex; the answer of the last call is a good one), or a scan of the lanes for small hulls.
uint32_t abut_hull_support(const AbutHull* hull, AbutDVec3 direction, uint32_t start);

/// A vertex near the support of a direction, from the table of start vertices.
uint32_t abut_hull_start(const AbutHull* hull, AbutDVec3 direction);

/// The exact support: direction · v ≥ direction · u for all vertices u in exact arithmetic, whatever `start`.
uint32_t abut_hull_exact_support(const AbutHull* hull, AbutDVec3 direction, uint32_t start);

// -----------------------------------------------------------------------------------------------------------
// Voronoi planes: normal · x ≥ offset is the side that the name says. Normals are not of unit length.
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutHullPlane
{
    AbutDVec3 normal;
    double offset;
} AbutHullPlane;

static inline AbutHullPlane abut_hull_plane(AbutDVec3 normal, AbutDVec3 through)
{
    return (AbutHullPlane){ normal, abut_dvec3_dot(normal, through) };
}

static inline double abut_hull_plane_distance(const AbutHullPlane* plane, AbutDVec3 point)
{
    return abut_dvec3_dot(plane->normal, point) - plane->offset;
}

/// Between the tail of a half edge and its edge: ≥ 0 on the side of the edge, ≤ 0 on that of the vertex.
static inline AbutHullPlane abut_hull_vertex_edge_plane(const AbutHull* hull, uint32_t half_edge)
{
    uint32_t tail = abut_hull_tail(hull, half_edge), head = abut_hull_head(hull, half_edge);
    AbutDVec3 from = abut_hull_position(hull, tail);
    return abut_hull_plane(abut_dvec3_sub(abut_hull_position(hull, head), from), from);
}

/// Between a half edge and its face: ≥ 0 on the side of the face, ≤ 0 on that of the edge. Not for segments.
static inline AbutHullPlane abut_hull_edge_face_plane(const AbutHull* hull, uint32_t half_edge)
{
    uint32_t face = abut_hull_half_edges(hull)[half_edge].face;
    ABUT_ASSERT(face < hull->face_count);
    uint32_t tail = abut_hull_tail(hull, half_edge), head = abut_hull_head(hull, half_edge);
    AbutDVec3 from = abut_hull_position(hull, tail);
    AbutDVec3 along = abut_dvec3_sub(abut_hull_position(hull, head), from);
    return abut_hull_plane(abut_dvec3_cross(abut_hull_faces(hull)[face].normal, along), from);
}

#endif
