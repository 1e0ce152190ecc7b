/// @file shape.h
/// Everything with a signed distance: exact primitives, terrain, combinations and user functions behind one
/// interface.
///
/// A shape is immutable, may be shared between threads, bodies and combinations, and is sampled at many
/// points per call (structure of arrays). Distances are negative inside. Shapes with an axis have it along y
/// and are centred on the origin. Sampling never allocates, and every point's sample depends on that point
/// alone: it has the same bits for any batch, any thread count and any instruction set. A point with a NaN
/// coordinate gets a NaN distance and gradient.
///
/// **Gradients** are those of the returned function: of unit length where an exact distance is
/// differentiable. Where it is not, the choice is fixed: a direction that vanishes (centre of a sphere, axis
/// of a capsule, cylinder, cone or ring) is replaced by +x; on the centre circle of a torus it leads away
/// from the axis; where several faces of a box, cylinder or cone are equally near from inside, the first in
/// the order x, y, z (side before caps) wins, and a coordinate of zero counts as positive; on an edge or
/// corner of the surface itself the gradient is that of one adjoining face. Between equal children of a
/// combination the first one wins. Lengths of shapes are from 1e-12 to 1e12.
#ifndef ABUT_SHAPE_H
#define ABUT_SHAPE_H

#include <abut/base.h>
#include <abut/hull.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutShape AbutShape;

typedef enum AbutShapeKind
{
    ABUT_SHAPE_SPHERE,
    ABUT_SHAPE_BOX,
    ABUT_SHAPE_ROUNDED_BOX,
    ABUT_SHAPE_CAPSULE,
    ABUT_SHAPE_CYLINDER,
    ABUT_SHAPE_CONE,
    ABUT_SHAPE_TORUS,
    ABUT_SHAPE_PLANE,
    ABUT_SHAPE_HEIGHTFIELD,
    ABUT_SHAPE_UNION,
    ABUT_SHAPE_INTERSECTION,
    ABUT_SHAPE_DIFFERENCE,
    ABUT_SHAPE_SMOOTH_UNION,
    ABUT_SHAPE_OFFSET,
    ABUT_SHAPE_SHELL,
    ABUT_SHAPE_TRANSFORMED,
    ABUT_SHAPE_CORRECTED,
    ABUT_SHAPE_CALLBACK,
    ABUT_SHAPE_FIELD,
    ABUT_SHAPE_CONVEX,
    ABUT_SHAPE_MESH,
    ABUT_SHAPE_KIND_COUNT
} AbutShapeKind;

/// "sphere", "smooth union", ...; never NULL.
ABUT_API const char* abut_shape_kind_name(AbutShapeKind kind);

/// Meaning of the returned number. Its sign is always right (up to `error`).
typedef enum AbutDistanceKind
{
    ABUT_DISTANCE_EXACT,         ///< the Euclidean distance, inside and outside
    ABUT_DISTANCE_EXACT_OUTSIDE, ///< exact outside; inside, its size is at most the distance (unions)
    ABUT_DISTANCE_EXACT_INSIDE,  ///< exact inside; outside, its size is at most the distance (intersections)
    ABUT_DISTANCE_BOUND, ///< divided by `lipschitz`, its size is at most the distance (blends, callbacks)
} AbutDistanceKind;

ABUT_API const char* abut_distance_kind_name(AbutDistanceKind kind);

/// Promises of a shape about its distances.
typedef struct AbutShapeInfo
{
    AbutShapeKind kind;
    AbutDistanceKind distance_kind;
    bool convex;     ///< known to be convex
    AbutBox bounds;  ///< contains the solid; sides may be infinite; empty where nothing is solid
    float lipschitz; ///< |f(x) − f(y)| ≤ lipschitz · |x − y| for all x, y
    /// Where distance_kind says exact: |f − distance| ≤ error, beyond the rounding of float (2e-6 of the
    /// size). Zero for formulas.
    float error;
    float band;   ///< exactness holds where |f| < band (heightfields); infinite for all others
    size_t bytes; ///< memory of the shape and all that it refers to, counted once per reference
} AbutShapeInfo;

ABUT_API AbutShapeInfo abut_shape_info(const AbutShape* shape);

/// One more owner. Returns `shape`.
ABUT_API AbutShape* abut_shape_retain(AbutShape* shape);

/// Gives up the caller's reference; the shape goes with its last owner. Combinations own their children, so
/// children may be destroyed right after the combination is created. NULL is ignored.
ABUT_API void abut_shape_destroy(AbutShape* shape);

// -----------------------------------------------------------------------------------------------------------
// Sampling
// -----------------------------------------------------------------------------------------------------------

/// Distance, and gradient where asked, at `count` points. `pose` is that of the shape in the frame of the
/// points (NULL: the same frame): f'(x) = a·f(Rᵀ(x−t)/a). Its translation stays double until it is added to
/// the translations inside of the shape, so a detail of a huge shape is as precise 10 km from the origin as
/// at it, when the frame of the points is near. Runs on the calling thread.
ABUT_API void abut_shape_sample(const AbutShape* shape, const AbutPose* pose, AbutPoints points, size_t count,
                                AbutSamples out);

/// The same on all workers of `host`. Same bytes as abut_shape_sample().
ABUT_API void abut_shape_sample_parallel(const AbutShape* shape, const AbutPose* pose, AbutPoints points,
                                         size_t count, AbutSamples out, const AbutHost* host);

/// One point of the shape's own frame. Convenient; batches are many times faster per point. `gradient` may be
/// NULL.
ABUT_API float abut_shape_distance(const AbutShape* shape, AbutVec3 point, AbutVec3* gradient);

/// One point of the world against a shape with a pose in the world. The difference is taken in double.
ABUT_API float abut_shape_distance_at(const AbutShape* shape, const AbutPose* pose, AbutPosition point,
                                      AbutVec3* gradient);

// -----------------------------------------------------------------------------------------------------------
// Primitives: exact inside and outside. Lengths are finite and > 0 unless said otherwise, else
// ABUT_INVALID_ARGUMENT.
// -----------------------------------------------------------------------------------------------------------

ABUT_API AbutResult abut_shape_create_sphere(float radius, const AbutHost* host, AbutShape** out);

/// Full extents.
ABUT_API AbutResult abut_shape_create_box(AbutVec3 extents, const AbutHost* host, AbutShape** out);

/// Full extents with the rounding included; 0 ≤ radius ≤ half the smallest extent.
ABUT_API AbutResult abut_shape_create_rounded_box(AbutVec3 extents, float radius, const AbutHost* host,
                                                  AbutShape** out);

/// `length` between the centres of the caps, ≥ 0.
ABUT_API AbutResult abut_shape_create_capsule(float radius, float length, const AbutHost* host,
                                              AbutShape** out);

ABUT_API AbutResult abut_shape_create_cylinder(float radius, float length, const AbutHost* host,
                                               AbutShape** out);

/// From a disc of `radius` at y = −length/2 to one of `top_radius` (≥ 0; 0 for a tip) at y = +length/2.
ABUT_API AbutResult abut_shape_create_cone(float radius, float top_radius, float length, const AbutHost* host,
                                           AbutShape** out);

/// A ring around y; minor_radius ≤ major_radius.
ABUT_API AbutResult abut_shape_create_torus(float major_radius, float minor_radius, const AbutHost* host,
                                            AbutShape** out);

/// The half-space normal·x ≤ offset is solid. The normal is normalised; the offset may be any finite number.
ABUT_API AbutResult abut_shape_create_plane(AbutVec3 normal, float offset, const AbutHost* host,
                                            AbutShape** out);

/// The convex hull of points (abut_hull_create(), with its limits and results). Hulls of dimension under 3
/// are shapes, too: the distance of a point, segment or flat polygon is never negative. Where several faces
/// are equally near from inside, the first one wins. A thick one is abut_shape_create_offset() of it.
ABUT_API AbutResult abut_shape_create_convex(const AbutVec3* points, size_t count, const AbutHost* host,
                                             AbutShape** out);

/// The hull of a shape of kind ABUT_SHAPE_CONVEX, which owns it; NULL for other kinds.
ABUT_API const AbutHull* abut_shape_hull(const AbutShape* shape);

/// Loads heights of a terrain on demand: out[k * x_count + i] of the sample (x + i, z + k). Always the same
/// heights, finite. Called from any thread, one call at a time, at creation and while the shape is sampled;
/// it must not sample the shape. False: they are not available.
typedef bool AbutHeightsFn(void* user, uint32_t x, uint32_t z, uint32_t x_count, uint32_t z_count,
                           float* out);

/// Terrain: heights over a rectangle of the xz plane, solid below, infinite downwards. Each cell is split
/// into two triangles by the diagonal from (x0, z0) to (x1, z1).
///
/// With `load` in the place of `heights`, tiles of 64 by 64 cells are loaded when a sample needs them, and at
/// most `cache_bytes` of them stay in memory; 24 bytes per tile beside that. Answers are those of all heights
/// in memory, for any cache and any number of threads. Creation loads every tile once, for its bounds.
/// Samples whose tile cannot be loaded later, or differs in its lowest or highest height, are NaN.
typedef struct AbutHeightfieldDef
{
    const float* heights; ///< finite; heights[z * x_count + x]; copied; or NULL with `load`
    uint32_t x_count;     ///< samples along x, at least 2
    uint32_t z_count;     ///< samples along z, at least 2
    AbutPosition origin;  ///< position of heights[0], y added to all heights; finite
    double spacing;       ///< between neighbouring samples, along x and z
    /// Answers with |f| < band are exact. Beyond, |f| is at least band and at most the distance, and the
    /// gradient is some unit direction away from the solid or out of it. 0 picks eight spacings.
    /// Wider costs more per far query.
    float band;
    const AbutHost* host;
    AbutHeightsFn* load; ///< instead of `heights`, or NULL
    void* user;          ///< of `load`; must outlive the shape
    size_t cache_bytes;  ///< of `load`: 0 is 64 MiB; at least 16 tiles, of 20 KB each, are kept
} AbutHeightfieldDef;

ABUT_API AbutHeightfieldDef abut_heightfield_def(void);
ABUT_API AbutResult abut_shape_create_heightfield(const AbutHeightfieldDef* def, AbutShape** out);

// -----------------------------------------------------------------------------------------------------------
// Combinations. Nesting deeper than 64 is ABUT_LIMIT_EXCEEDED.
// -----------------------------------------------------------------------------------------------------------

/// min of the children; at least one. Exact outside when all children are.
ABUT_API AbutResult abut_shape_create_union(AbutShape* const* children, uint32_t count, const AbutHost* host,
                                            AbutShape** out);

/// max of the children; at least one. Exact inside when all children are.
ABUT_API AbutResult abut_shape_create_intersection(AbutShape* const* children, uint32_t count,
                                                   const AbutHost* host, AbutShape** out);

/// a without b: max(a, −b).
ABUT_API AbutResult abut_shape_create_difference(AbutShape* a, AbutShape* b, const AbutHost* host,
                                                 AbutShape** out);

/// Polynomial blend of width `radius`: min(a, b) − h²·radius/4, h = max(radius − |a − b|, 0)/radius.
/// A bound; its gradient may be shorter than 1.
ABUT_API AbutResult abut_shape_create_smooth_union(AbutShape* a, AbutShape* b, float radius,
                                                   const AbutHost* host, AbutShape** out);

/// Grown by `distance` all around (shrunk when negative): f − distance.
ABUT_API AbutResult abut_shape_create_offset(AbutShape* child, float distance, const AbutHost* host,
                                             AbutShape** out);

/// A skin of `thickness` centred on the child's surface: |f| − thickness/2.
ABUT_API AbutResult abut_shape_create_shell(AbutShape* child, float thickness, const AbutHost* host,
                                            AbutShape** out);

/// The child moved, rotated and scaled, by a factor from 1e-12 to 1e12.
ABUT_API AbutResult abut_shape_create_transformed(AbutShape* child, const AbutPose* pose,
                                                  const AbutHost* host, AbutShape** out);

// -----------------------------------------------------------------------------------------------------------
// User functions
// -----------------------------------------------------------------------------------------------------------

/// Fills out.distance[0..count) for the points, in the shape's own frame, and the gradient where its arrays
/// are not NULL and the def says that it can. Called from any thread, at most 128 points at a time.
///
/// Distances are finite. A distance that is NaN or infinite becomes NaN, and a gradient that is not finite,
/// or longer than 1e15, becomes 0; surfaces alone accept infinite distances as signs. Nothing is proved where
/// a function is NaN: states of queries are close, budget or undecided there, surfaces and bakes refuse it
/// with the point, and a world stays finite. A function steeper than declared makes false proofs: a bake
/// compares neighbouring nodes and refuses such a function; single queries trust the declaration, and
/// abut_shape_measure_slope() measures it.
typedef void AbutDistanceFn(void* user, AbutPoints points, size_t count, AbutSamples out);

typedef struct AbutCallbackDef
{
    AbutDistanceFn* function;
    void* user;        ///< must outlive the shape
    bool has_gradient; ///< the function fills gradients; otherwise they are central differences
    /// Half-width of those differences; 0: 1e-3 of the largest finite extent, or 1e-3.
    float gradient_step;
    float lipschitz;                ///< declared slope bound, finite, > 0; default 1; every proof rests on it
    AbutBox bounds;                 ///< contains the solid; default infinite
    AbutDistanceKind distance_kind; ///< default ABUT_DISTANCE_BOUND
    const AbutHost* host;
} AbutCallbackDef;

ABUT_API AbutCallbackDef abut_callback_def(void);
ABUT_API AbutResult abut_shape_create_callback(const AbutCallbackDef* def, AbutShape** out);

/// Measured slope of a shape over a finite box: the largest |f(p) − f(q)| / |p − q| over all pairs of the
/// eight corners of each of divisions³ equal boxes (divisions in [1, 256]; 1 is the eight-point ratio of the
/// box itself). A measurement, not a proof: it never exceeds the true slope, and converges to it with the
/// size of the boxes.
/// @return ABUT_INVALID_ARGUMENT for a box that is infinite or empty and for divisions out of range,
/// ABUT_INVALID_DATA where f is NaN; then *slope is unchanged.
ABUT_API AbutResult abut_shape_measure_slope(const AbutShape* shape, AbutBox box, uint32_t divisions,
                                             float* slope);

/// f / factor with `lipschitz` 1: for formulas that are not distances (fractals, blends, stretched space),
/// with a factor from abut_shape_measure_slope() and, since that is a measurement, some margin. The factor is
/// > 0.
ABUT_API AbutResult abut_shape_create_corrected(AbutShape* child, float factor, const AbutHost* host,
                                                AbutShape** out);

#ifdef __cplusplus
}
#endif

#endif
