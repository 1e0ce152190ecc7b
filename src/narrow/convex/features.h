/// @file features.h
/// Features of two convex polyhedra: vertices, edges and faces, their Voronoi regions, and the pair of hulls
/// that walks over features step on.
///
/// The Voronoi region of a feature is the set of outside points that are closer to it than to any other
/// feature of its hull. It is bounded by one plane per neighbour: a vertex and one of its edges share the
/// plane through the vertex across the edge, an edge and one of its faces share the plane through the edge
/// across the face. Only signs of the products below count, so that none is divided by a length.
#ifndef ABUT_NARROW_CONVEX_FEATURES_H
#define ABUT_NARROW_CONVEX_FEATURES_H

#include "hull/hull.h"
#include "math/daffine.h"
#include "math/transform.h"

typedef enum AbutFeatureKind
{
    ABUT_FEATURE_IS_VERTEX,
    ABUT_FEATURE_IS_EDGE,
    ABUT_FEATURE_IS_FACE,
} AbutFeatureKind;

/// A vertex, an edge (the smaller one of its half edges) or a face.
typedef struct AbutFeature
{
    AbutFeatureKind kind;
    uint32_t index;
} AbutFeature;

/// Outcome of a walk.
typedef enum AbutFeatureState
{
    ABUT_FEATURES_CLOSEST,     // each closest point is in the region of the feature of the other
    ABUT_FEATURES_PENETRATION, // a vertex inside, an edge through a face, or features with a common point
    ABUT_FEATURES_CYCLE,       // the walk came back to a pair of features: a tie that rounding decides, or
                               // a penetration (Lin-Canny)
} AbutFeatureState;

/// State and features prove nothing by themselves: signs near zero are rounded.
typedef struct AbutFeatureResult
{
    AbutFeatureState state;
    AbutFeature features[2];
    uint32_t step_count;
} AbutFeatureResult;

/// Two hulls, side 0 and 1, and the maps from the frame of each to that of the other: rotations with a
/// uniform scale.
typedef struct AbutHullPair
{
    const AbutHull* hulls[2];
    AbutDAffine maps[2]; // maps[i]: from the frame of hull i to that of the other
} AbutHullPair;

AbutHullPair abut_features_pair(const AbutHull* a, const AbutHull* b, const AbutTransform* b_in_a);

/// Distance of two features as closed sets, each a vertex, an edge or a face.
typedef struct AbutFeatureDistance
{
    AbutDVec3 points[2]; // of features 0 and 1, in the frame of hull 0
    double squared;
} AbutFeatureDistance;

AbutFeatureDistance abut_features_distance(const AbutHullPair* pair, const AbutFeature features[2]);

/// The fractions of two segments at their closest points; those of parallel ones from the begin of the first.
void abut_features_segments(const AbutDVec3 a[2], const AbutDVec3 b[2], double fractions[2]);

/// The edge or vertex of the border of a face that is closest to a segment, in the frame of the hull.
AbutFeature abut_features_closest_of_border(const AbutHull* hull, uint32_t face, const AbutDVec3 segment[2]);

/// The face with the greatest signed distance of its plane from a point. The hull has faces.
uint32_t abut_features_greatest_face(const AbutHull* hull, AbutDVec3 point);

/// True for features that the hull has.
bool abut_feature_is_valid(const AbutHull* hull, AbutFeature feature);

// -----------------------------------------------------------------------------------------------------------
// Access
// -----------------------------------------------------------------------------------------------------------

static inline bool abut_feature_equal(AbutFeature a, AbutFeature b)
{
    return a.kind == b.kind && a.index == b.index;
}

static inline AbutFeature abut_feature_vertex(uint32_t vertex)
{
    return (AbutFeature){ ABUT_FEATURE_IS_VERTEX, vertex };
}

static inline AbutFeature abut_feature_edge(const AbutHull* hull, uint32_t half_edge)
{
    uint32_t twin = abut_hull_half_edges(hull)[half_edge].twin;
    return (AbutFeature){ ABUT_FEATURE_IS_EDGE, half_edge < twin ? half_edge : twin };
}

static inline AbutFeature abut_feature_face(uint32_t face)
{
    return (AbutFeature){ ABUT_FEATURE_IS_FACE, face };
}

/// Tail and head of a half edge.
static inline void abut_features_ends(const AbutHull* hull, uint32_t half_edge, AbutDVec3 ends[2])
{
    ends[0] = abut_hull_position(hull, abut_hull_tail(hull, half_edge));
    ends[1] = abut_hull_position(hull, abut_hull_head(hull, half_edge));
}

static inline AbutDVec3 abut_features_direction(const AbutHull* hull, uint32_t half_edge)
{
    AbutDVec3 ends[2];
    abut_features_ends(hull, half_edge, ends);
    return abut_dvec3_sub(ends[1], ends[0]);
}

/// Signed distance of a point from the plane of a face, positive outside.
static inline double abut_features_height(const AbutHull* hull, uint32_t face, AbutDVec3 point)
{
    const AbutHullFace* plane = &abut_hull_faces(hull)[face];
    return abut_dvec3_dot(plane->normal, point) - plane->offset;
}

/// In the plane of the face of a half edge, across the edge and into the face.
static inline AbutDVec3 abut_features_inward(const AbutHull* hull, uint32_t half_edge)
{
    uint32_t face = abut_hull_half_edges(hull)[half_edge].face;
    return abut_dvec3_cross(abut_hull_faces(hull)[face].normal, abut_features_direction(hull, half_edge));
}

/// A vertex of hull `side` in the frame of the other hull.
static inline AbutDVec3 abut_pair_vertex(const AbutHullPair* pair, int side, uint32_t vertex)
{
    return abut_daffine_apply(&pair->maps[side], abut_hull_position(pair->hulls[side], vertex));
}

/// The ends of a half edge of hull `side` in the frame of the other hull.
static inline void abut_pair_ends(const AbutHullPair* pair, int side, uint32_t half_edge, AbutDVec3 ends[2])
{
    ends[0] = abut_pair_vertex(pair, side, abut_hull_tail(pair->hulls[side], half_edge));
    ends[1] = abut_pair_vertex(pair, side, abut_hull_head(pair->hulls[side], half_edge));
}

// -----------------------------------------------------------------------------------------------------------
// Half edges around a vertex: for (AbutVertexFan fan = ...; fan.left > 0; abut_vertex_fan_next(&fan))
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutVertexFan
{
    const AbutHull* hull;
    uint32_t half_edge; // leaves the vertex
    uint32_t left;
} AbutVertexFan;

static inline AbutVertexFan abut_vertex_fan(const AbutHull* hull, uint32_t vertex)
{
    const AbutHullVertex* start = &abut_hull_vertices(hull)[vertex];
    return (AbutVertexFan){ hull, start->half_edge, start->neighbor_count };
}

static inline void abut_vertex_fan_next(AbutVertexFan* fan)
{
    fan->half_edge = abut_hull_around(fan->hull, fan->half_edge);
    fan->left -= 1;
}

// -----------------------------------------------------------------------------------------------------------
// The Voronoi region of an edge: two planes across its ends, one across each face. Products are negative on
// the side of the neighbour.
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutEdgeRegion
{
    AbutDVec3 ends[2];
    AbutDVec3 along;
    AbutDVec3 inward[2];      // into each face
    AbutFeature neighbors[4]; // tail, head, then the faces
    uint32_t face_count;      // 0 for a segment
} AbutEdgeRegion;

static inline AbutEdgeRegion abut_edge_region(const AbutHull* hull, uint32_t half_edge)
{
    const AbutHullHalfEdge* edge = &abut_hull_half_edges(hull)[half_edge];
    AbutEdgeRegion region;
    abut_features_ends(hull, half_edge, region.ends);
    region.along = abut_dvec3_sub(region.ends[1], region.ends[0]);
    region.neighbors[0] = abut_feature_vertex(edge->tail);
    region.neighbors[1] = abut_feature_vertex(abut_hull_half_edges(hull)[edge->twin].tail);
    region.face_count = edge->face == ABUT_HULL_NO_FACE ? 0 : 2;
    if (region.face_count > 0)
    {
        region.inward[0] = abut_features_inward(hull, half_edge);
        region.inward[1] = abut_features_inward(hull, edge->twin);
        region.neighbors[2] = abut_feature_face(edge->face);
        region.neighbors[3] = abut_feature_face(abut_hull_half_edges(hull)[edge->twin].face);
    }
    return region;
}

static inline uint32_t abut_edge_region_plane_count(const AbutEdgeRegion* region)
{
    return 2 + region->face_count;
}

/// @param plane number of a neighbour
static inline double abut_edge_region_product(const AbutEdgeRegion* region, uint32_t plane, AbutDVec3 point)
{
    AbutDVec3 from = abut_dvec3_sub(point, region->ends[plane == 1]);
    switch (plane)
    {
    case 0:
        return abut_dvec3_dot(region->along, from);
    case 1:
        return -abut_dvec3_dot(region->along, from);
    default:
        return -abut_dvec3_dot(region->inward[plane - 2], from);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Cycles of a walk: a step depends on its pair of features alone, so a pair that comes back comes back for
// ever. One pair is remembered, and replaced after 1, 2, 4, ... steps (Brent's method).
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutCycleDetector
{
    AbutFeature features[2];
    uint32_t age, limit;
} AbutCycleDetector;

static inline AbutCycleDetector abut_cycle_detector(const AbutFeature features[2])
{
    return (AbutCycleDetector){ { features[0], features[1] }, 0, 1 };
}

/// True when the pair is the remembered one. Call after every step.
static inline bool abut_cycle_detector_step(AbutCycleDetector* detector, const AbutFeature features[2])
{
    if (abut_feature_equal(detector->features[0], features[0]) &&
        abut_feature_equal(detector->features[1], features[1]))
    {
        return true;
    }
    detector->age += 1;
    if (detector->age == detector->limit)
    {
        *detector = (AbutCycleDetector){ { features[0], features[1] }, 0, 2 * detector->limit };
    }
    return false;
}

#endif
