/// @file convex.h
/// A pair of convex solids, each a core and a radius around it, and the answers about their Minkowski
/// difference.
///
/// Cores are points, segments, boxes, cylinders, cones and hulls. All work is in double, in the frame of the
/// core of A. The difference is C = { a − b }; the cores share a point exactly when the origin is in C, and
/// their distance is that of the origin from C. A point of C, as computed, is within `rounding` of a point of
/// C: the rounding of poses, supports and sums. From this follow the proofs.
///
///  - separated: a direction n of unit length with n·w ≥ gap for all w of C, by the support function alone:
///    the distance is at least gap − rounding − radius. Vertices of hulls that are climbed and not scanned
///    are proved to be the support by exact signs (hull/hull.h) before the plane counts.
///  - contact: a closed surface of triangles between points of C, each with the origin strictly on its inner
///    side and farther away than `rounding`. The surface of the same triangles between the exact points
///    encloses the origin as well, and C is convex. Or: a point that is deeper than `rounding` below all
///    planes of both cores; two points, one of each core, closer than the radius
///    by more than `rounding`; or an inscribed ball that contains the origin.
///
/// Neither is possible where the surfaces are within `rounding` of touching: then the state is close. No
/// answer depends on the convergence of an iteration.
#ifndef ABUT_NARROW_CONVEX_CONVEX_H
#define ABUT_NARROW_CONVEX_CONVEX_H

#include <abut/narrow.h>

#include "hull/hull.h"
#include "math/transform.h"

typedef enum AbutConvexKind
{
    ABUT_CONVEX_POINT,
    ABUT_CONVEX_SEGMENT,  // along y: half length
    ABUT_CONVEX_BOX,      // half extents
    ABUT_CONVEX_CYLINDER, // radius, half length
    ABUT_CONVEX_CONE,     // radius, top radius, half length
    ABUT_CONVEX_HULL,
} AbutConvexKind;

/// Vertices of cores that are round: no vertex has a number.
#define ABUT_CONVEX_ROUND UINT32_MAX

typedef struct AbutConvexCore
{
    AbutConvexKind kind;
    uint32_t count;     // of vertices of a hull
    const float* lanes; // of a hull that is scanned; NULL for one that is climbed
    uint32_t lane_count;
    const AbutHull* hull;
    AbutDVec3 size;   // see AbutConvexKind
    AbutDVec3 center; // of both balls
    double inscribed; // radius of a ball inside of the core
    double enclosing; // radius of a ball around it
    double extent;    // largest distance of a point from the origin of the frame
    double radius;    // the solid is the core enlarged by this
} AbutConvexCore;

typedef struct AbutConvexPair
{
    AbutConvexCore a, b;
    AbutDMat3 rotation; // of B in the frame of A
    AbutDVec3 translation;
    double scale;
    double radius;   // of both, in the unit of A
    double rounding; // see above
    double size;     // of the smaller solid
    double unit;     // of the frame of A, in that of the shape of A
    double margin;   // solids farther apart than this need no closest points; may be infinite
    bool exact;      // supports of climbed hulls by exact signs
} AbutConvexPair;

/// A point of C.
typedef struct AbutConvexVertex
{
    AbutDVec3 w;         // a − b
    AbutDVec3 a;         // in the frame of A
    uint32_t id_a, id_b; // vertices, or ABUT_CONVEX_ROUND
} AbutConvexVertex;

typedef enum AbutConvexQuestion
{
    ABUT_CONVEX_ASK_STATE,    // separated or contact: the first proof ends the iteration
    ABUT_CONVEX_ASK_DISTANCE, // closest points of the cores
} AbutConvexQuestion;

typedef enum AbutGjkState
{
    ABUT_GJK_SEPARATED, // proved by the plane
    ABUT_GJK_CONTACT,   // proved
    ABUT_GJK_INSIDE,    // the origin is in or on the simplex, without a proof
    ABUT_GJK_STALLED,   // no progress: the distance of the cores is between the bounds
} AbutGjkState;

typedef struct AbutGjkResult
{
    AbutGjkState state;
    uint32_t count; // of the simplex; 0 where balls alone had the answer
    uint32_t steps;
    AbutConvexVertex simplex[4];
    double weights[4];
    AbutDVec3 v;      // closest point of the simplex to the origin: a − b of the closest points
    double distance;  // |v|: upper bound of the distance of the cores, within rounding
    AbutDVec3 normal; // of unit length, from B to A: the plane of the best lower bound
    double low;       // n·w ≥ low for all w of C
} AbutGjkResult;

/// Start of an iteration, from the cache of a pair.
typedef struct AbutGjkStart
{
    bool has_direction;
    AbutDVec3 direction;
    uint32_t count; // of the simplex
    uint32_t ids[4][2];
} AbutGjkStart;

typedef enum AbutEpaState
{
    ABUT_EPA_CONTACT,   // the polytope encloses the origin by more than the rounding
    ABUT_EPA_SEPARATED, // a plane with the origin outside was found
    ABUT_EPA_CLOSE,     // the origin is on the surface of C, within rounding
} AbutEpaState;

typedef struct AbutEpaResult
{
    AbutEpaState state;
    double low, depth; // bounds of the penetration depth of the cores; `depth` is along the normal
    AbutDVec3 normal;  // of unit length, from B to A; a displacement of A by `depth` along it separates
    AbutDVec3 point_a, point_b; // witness points on the surfaces, point_a − point_b = −depth · normal
    uint32_t ids[3][2];
    double plane; // separated: n·w ≥ plane for all w
    uint32_t steps;
} AbutEpaResult;

/// States of solids with a distance or depth beyond this many roundings are proved.
#define ABUT_CONVEX_UNCERTAINTY 64.0

/// True for shapes that are a core and a radius: sphere, box, rounded box, capsule, cylinder, cone, convex,
/// placed, scaled and offset outwards.
bool abut_convex_has_core(const AbutShape* shape);

/// The pair of two shapes with cores; `relative` is B in the frame of A, computed from poses of `length`.
/// `frame` becomes the frame of the core of A in that of the shape of A.
void abut_convex_pair_init(const AbutShape* a, const AbutShape* b, const AbutTransform* relative,
                           double length, AbutConvexPair* pair, AbutTransform* frame);

/// How deep a point is in a core of dimension 3, by its planes: a lower bound within rounding; under 0 where
/// that is not known.
double abut_convex_depth_at(const AbutConvexCore* core, AbutDVec3 point);

/// True for solids that abut_convex_height_at() is known for.
bool abut_convex_has_heights(const AbutShape* shape);

/// A convex function of slope 1 that is at most 0 in the solid, core and radius, and over 0 outside.
double abut_convex_height_at(const AbutConvexCore* core, AbutDVec3 point);

/// The largest direction · x in a core, within the rounding of double whatever the hull: by exact signs.
double abut_convex_support_distance(const AbutConvexCore* core, AbutDVec3 direction);

#endif
