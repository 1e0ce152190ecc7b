/// @file manifold.h
/// Manifolds of two cores in closed form.
#ifndef ABUT_NARROW_PRIMITIVE_MANIFOLD_H
#define ABUT_NARROW_PRIMITIVE_MANIFOLD_H

#include <abut/contact.h>

#include "narrow/primitive/core.h"

/// Squared sine of the angle of two edges of boxes under which their cross product is no axis: the faces are.
#define ABUT_BOX_PARALLEL 1e-12

/// Advantage of an axis of edges over one of faces, and of faces of B over those of A, as a fraction of the
/// smaller core: manifolds of faces have more points, and a choice that lasts keeps ids.
#define ABUT_BOX_FACE_ADVANTAGE 1e-3

/// Sine of the angle of two segments under which they count as parallel, with two contacts.
#define ABUT_PRIMITIVE_PARALLEL_SINE 0.05

enum
{
    ABUT_PRIMITIVE_POINTS = 10 // corners of a rectangle clipped by another, two edges, and the closest points
};

/// Two points of the surfaces, one beyond the other along the normal.
typedef struct AbutPrimitivePoint
{
    AbutDVec3 on_a, on_b;
    AbutDVec3 normal;  // unit, outward of B
    double separation; // of the two along the normal
    uint32_t id;       // of the features, unique in a manifold
} AbutPrimitivePoint;

typedef struct AbutPrimitiveManifold
{
    double low;    // proved lower bound of the distance of the solids, or under 0
    bool touching; // proved: they share a point
    bool close;    // neither can be proved, since the distance is within the uncertainty
    uint32_t count;
    AbutPrimitivePoint points[ABUT_PRIMITIVE_POINTS]; // in the order of their ids
} AbutPrimitiveManifold;

/// A pair that abut_core_pair_is_known(). Points are those within the margin; without `wants_points` there
/// may be none.
void abut_primitive_collide(const AbutCorePair* pair, double margin, bool wants_points,
                            AbutPrimitiveManifold* out);

// -----------------------------------------------------------------------------------------------------------
// Pairs of kinds of cores. The manifold comes empty, with a `low` of −∞.
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutPrimitiveQuery
{
    const AbutCorePair* pair;
    double margin;
    bool wants_points;
    AbutPrimitiveManifold* out;
} AbutPrimitiveQuery;

/// Points and segments.
void abut_primitive_round(const AbutPrimitiveQuery* query);

/// A point and a box, in either order.
void abut_primitive_point_box(const AbutPrimitiveQuery* query);

/// A half space and a finite core, in either order.
void abut_primitive_half_space(const AbutPrimitiveQuery* query);

/// Boxes, or a box and a segment.
void abut_primitive_boxes(const AbutPrimitiveQuery* query);

typedef enum AbutBoxAxisKind
{
    ABUT_BOX_NO_AXIS,
    ABUT_BOX_FACE_A,
    ABUT_BOX_FACE_B,
    ABUT_BOX_EDGES,
} AbutBoxAxisKind;

typedef struct AbutBoxAxis
{
    AbutBoxAxisKind kind;
    int i, j;          // axes of A and B
    double separation; // of the cores along it
} AbutBoxAxis;

/// Separating axes of two boxes, or of a box and a segment.
typedef struct AbutBoxAxes
{
    AbutBoxAxis face, best; // of faces alone; of all
    double toward[6];       // centre of B from that of A along the axes of A, then along those of B
    double size;            // of the smaller core
    double low;             // largest proved gap
    bool overlap;           // proved: the cores share a point
} AbutBoxAxes;

/// abut_primitive_boxes() with axes that are known.
void abut_primitive_boxes_along(const AbutPrimitiveQuery* query, const AbutBoxAxes* axes);

/// Across a gap the position is half way; in contact it is on B, as deep in A as the separation says.
static inline void abut_primitive_set_contact(const AbutPrimitivePoint* point, const AbutTransform* relative,
                                              AbutContact* out)
{
    bool gap = point->separation > 0.0;
    AbutDVec3 middle = abut_dvec3_scale(abut_dvec3_add(point->on_a, point->on_b), 0.5);
    out->position = abut_dvec3_to_vec3(gap ? middle : point->on_b);
    out->normal = abut_dvec3_to_vec3(point->normal);
    out->separation = (float)point->separation;
    out->depth = out->depth_error = out->shared_length = 0.0f;
    out->anchor_a = abut_dvec3_to_vec3(point->on_a);
    out->anchor_b = abut_dvec3_to_vec3(abut_transform_inverse_point(relative, point->on_b));
    out->id = point->id;
}

/// Adds a point if it is within the margin: core points `at_a` and `at_b`, whose separation along the unit
/// normal is `height`.
void abut_primitive_add(const AbutPrimitiveQuery* query, AbutDVec3 at_a, AbutDVec3 at_b, AbutDVec3 normal,
                        double height, uint32_t id);

/// Lower bound of the distance of two finite cores by their gap along a unit direction from B to A.
static inline double abut_primitive_gap_along(const AbutCorePair* pair, AbutDVec3 normal)
{
    AbutDVec3 between = abut_dvec3_sub(pair->a.center, pair->b.center);
    return abut_dvec3_dot(between, normal) - abut_core_width(&pair->a, normal) -
           abut_core_width(&pair->b, normal);
}

/// Closest points of two finite cores that do not share a point; else some points of both.
void abut_primitive_closest(const AbutCorePair* pair, AbutDVec3* on_a, AbutDVec3* on_b);

#endif
