/// @file cast.h
/// Rays and segments against shapes: the first crossing of an isosurface, and all intervals inside. docs/sweep.md has more.
#ifndef ABUT_CAST_H
#define ABUT_CAST_H

#include <abut/base.h>
#include <abut/math.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A part of the step.
typedef struct AbutTimeInterval
{
    float begin, end; ///< 0 ≤ begin ≤ end ≤ 1
} AbutTimeInterval;

/// How a segment goes through a field. All of them find the same crossings, to the bit.
typedef enum AbutCastMethod
{
    ABUT_CAST_SPHERE_TRACING, ///< the field itself says how far is safe; default, and the fastest
    ABUT_CAST_PYRAMID, ///< blocks of cells are left out by the smallest and largest value in them (the paper's octree)
    ABUT_CAST_CELLS, ///< cell by cell (the paper's baseline)
    ABUT_CAST_METHOD_COUNT
} AbutCastMethod;

/// "steps", "pyramid", "cells"; never NULL.
ABUT_API const char* abut_cast_method_name(AbutCastMethod method);

/// What is asked of segments; abut_cast_settings() has the defaults.
typedef struct AbutCastSettings
{
    AbutCastMethod method; ///< of fields; other shapes are stepped through by their slope bound
    float iso;             ///< σ: the segment is inside where f ≤ σ; any finite number
    float
        tolerance; ///< of shapes that are no field: nearer to σ than this counts as inside; at least 4e-6 of the
                   ///< coordinates and the shape, which rounding needs. Default 0.
    uint32_t budget;      ///< samples per segment of shapes that are no field, ≥ 1; default 4096
    const AbutHost* host; ///< workers of batches
} AbutCastSettings;

ABUT_API AbutCastSettings abut_cast_settings(void);

typedef enum AbutCastState
{
    ABUT_CAST_MISS,    ///< f > σ all along
    ABUT_CAST_HIT,     ///< `time` is the first with f ≤ σ
    ABUT_CAST_INSIDE,  ///< f ≤ σ at the start already; time is 0
    ABUT_CAST_BUDGET,  ///< the budget was spent: free until `time`, not known from there on
    ABUT_CAST_INVALID, ///< a coordinate that is not finite
    ABUT_CAST_STATE_COUNT
} AbutCastState;

/// "miss", "hit", "inside", "budget", "invalid"; never NULL.
ABUT_API const char* abut_cast_state_name(AbutCastState state);

/// Segments in the shape's own frame, as six arrays: x(t) = from + t·(to − from).
typedef struct AbutSegments
{
    AbutPoints from, to;
} AbutSegments;

/// Where the answers for n segments go.
typedef struct AbutCastHits
{
    float* time;    ///< of the first touch; 1 for a miss
    uint8_t* state; ///< AbutCastState
} AbutCastHits;

/// First touch of each segment, eight at once and on all workers of the settings' host. The same bytes for any of them. What is
/// crossed is what abut_shape_sample() answers, inside of a field's grid and outside. Crossings of a field are found to the
/// precision of float, dips into a cell that is entered and left outside too; a touch is never late, and early by what float rounds. At the
/// seams of a sparse field, where it jumps, either side counts.
/// @return ABUT_INVALID_ARGUMENT for settings that make no sense, ABUT_LIMIT_EXCEEDED for more than 2⁴⁴ segments.
ABUT_API AbutResult abut_cast_segments(const AbutShape* shape, const AbutCastSettings* settings,
                                       AbutSegments segments, size_t count, AbutCastHits out);

typedef struct AbutCastOutput
{
    AbutCastState state;
    float time;         ///< as AbutCastHits
    int interval_count; ///< written
    int interval_total; ///< found; when more than were written, the first were
    uint64_t steps;     ///< cells, blocks or samples that were looked at
} AbutCastOutput;

/// All parts of one segment with f ≤ σ, in order, none touching the next, as wide as they are or wider by what float rounds.
/// ABUT_CAST_BUDGET: the parts are those before `time`. ABUT_CAST_INVALID leaves a message. Never allocates.
ABUT_API AbutCastOutput abut_cast_intervals(const AbutShape* shape, const AbutCastSettings* settings,
                                            AbutVec3 from, AbutVec3 to, AbutTimeInterval* intervals,
                                            int capacity);

#ifdef __cplusplus
}
#endif

#endif
