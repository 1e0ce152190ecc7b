/// @file cast.h
/// Rays and segments against shapes: the first crossing of an isosurface, and all intervals inside.
/// docs/sweep.md has more.
#ifndef ABUT_CAST_H
#define ABUT_CAST_H

#include <abut/base.h>
#include <abut/math.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An interval of the step, or of a segment.
typedef struct AbutTimeInterval
{
    float begin, end; ///< 0 ≤ begin ≤ end ≤ 1
} AbutTimeInterval;

/// Traversal of a field by a segment. All methods find the same crossings, to the bit.
typedef enum AbutCastMethod
{
    ABUT_CAST_SPHERE_TRACING, ///< safe steps by the distances of the field; default, and the fastest
    ABUT_CAST_PYRAMID,        ///< skips blocks of cells by their smallest and largest value (paper: octree)
    ABUT_CAST_CELLS,          ///< cell by cell (the paper's baseline)
    ABUT_CAST_METHOD_COUNT
} AbutCastMethod;

/// "sphere tracing", "pyramid", "cells"; never NULL.
ABUT_API const char* abut_cast_method_name(AbutCastMethod method);

/// Settings of rays and segments; abut_cast_settings() has the defaults.
typedef struct AbutCastSettings
{
    AbutCastMethod method; ///< of fields; other shapes are traced by their slope bound
    float iso;             ///< σ: a point is inside where f ≤ σ; any finite number; default 0
    /// Of shapes that are not fields: values nearer to σ than this count as inside. At least 4e-6 of the
    /// largest coordinate and of the size of the shape is used, for rounding. Default 0.
    float tolerance;
    uint32_t budget;      ///< samples per segment of shapes that are not fields, ≥ 1; default 4096
    const AbutHost* host; ///< workers of batches
} AbutCastSettings;

ABUT_API AbutCastSettings abut_cast_settings(void);

typedef enum AbutCastState
{
    ABUT_CAST_MISS,    ///< f > σ on the whole segment
    ABUT_CAST_HIT,     ///< the first point with f ≤ σ
    ABUT_CAST_INSIDE,  ///< f ≤ σ at the start; time and distance are 0
    ABUT_CAST_BUDGET,  ///< the budget was spent: free until the time or distance, unknown after it
    ABUT_CAST_INVALID, ///< a coordinate that is not finite
    ABUT_CAST_STATE_COUNT
} AbutCastState;

/// "miss", "hit", "inside", "budget", "invalid"; never NULL.
ABUT_API const char* abut_cast_state_name(AbutCastState state);

// -----------------------------------------------------------------------------------------------------------
// Rays
// -----------------------------------------------------------------------------------------------------------

/// A ray in the shape's own frame. abut_world_cast_ray() has rays in a world.
typedef struct AbutRay
{
    AbutVec3 origin;
    AbutVec3 direction; ///< of any length but 0
    float max_distance; ///< ≥ 0; may be infinite
} AbutRay;

typedef struct AbutRayHit
{
    AbutCastState state;
    float distance;    ///< from the origin to the hit, in units of the shape; max_distance for a miss
    AbutVec3 position; ///< of the hit; the end of the free part for ABUT_CAST_BUDGET; 0 for a miss
    AbutVec3 normal;   ///< outward normal of the isosurface there, of unit length; 0 for a miss
} AbutRayHit;

/// First hit of one ray. Precision as abut_cast_segments(): the distance is never too long, and too short by
/// the rounding of float only. Batches of segments are many times faster per ray. Never allocates.
/// @return ABUT_INVALID_ARGUMENT for invalid settings, numbers that are not finite, a direction of zero
/// length or a negative max_distance.
ABUT_API AbutResult abut_cast_ray(const AbutShape* shape, const AbutCastSettings* settings,
                                  const AbutRay* ray, AbutRayHit* out);

// -----------------------------------------------------------------------------------------------------------
// Segments
// -----------------------------------------------------------------------------------------------------------

/// Segments in the shape's own frame, as six arrays: x(t) = from + t·(to − from).
typedef struct AbutSegments
{
    AbutPoints from, to;
} AbutSegments;

/// Output arrays for n segments.
typedef struct AbutCastHits
{
    float* time;    ///< of the first hit; 1 for a miss
    uint8_t* state; ///< AbutCastState
} AbutCastHits;

/// First hit of each segment, eight at once in SIMD lanes and on all workers of the settings' host, with the
/// same bytes for any number of workers. f is the value of abut_shape_sample(), inside and outside of the
/// grid of a field. Crossings of a field are found to the precision of float, also two crossings within one
/// cell; a hit is never late, and early by the rounding of float. At the seams of a sparse field, where it
/// jumps, either value counts.
/// @return ABUT_INVALID_ARGUMENT for invalid settings, ABUT_LIMIT_EXCEEDED for more than 2⁴⁴ segments.
ABUT_API AbutResult abut_cast_segments(const AbutShape* shape, const AbutCastSettings* settings,
                                       AbutSegments segments, size_t count, AbutCastHits out);

typedef struct AbutCastOutput
{
    AbutCastState state;
    float time;              ///< as AbutCastHits
    uint32_t interval_count; ///< intervals in the caller's array
    uint32_t interval_total; ///< all intervals; the first ones up to the capacity are in the array
    uint64_t steps;          ///< cells, blocks or samples visited
} AbutCastOutput;

/// All intervals of one segment with f ≤ σ, in order, disjoint, rounded outward to float. ABUT_CAST_BUDGET:
/// the intervals before `time`. ABUT_CAST_INVALID leaves a message. Never allocates.
ABUT_API AbutCastOutput abut_cast_intervals(const AbutShape* shape, const AbutCastSettings* settings,
                                            AbutVec3 from, AbutVec3 to, AbutTimeInterval* intervals,
                                            uint32_t capacity);

#ifdef __cplusplus
}
#endif

#endif
