/// @file kernels.h
/// Trajectories of many points through a field, from cell to cell: intervals on one side of the surface, and
/// the field along steps with a possible crossing.
///
/// Lengths are in cells, positions are relative to the first node, s runs over a span from 0 to 1. In a cell
/// the trajectory is replaced by its tangent, along which the field is a cubic; the deviation from the
/// tangent and rounding are a margin: a point with a value of at most the margin is inside.
#ifndef ABUT_TOI_POINTS_KERNELS_H
#define ABUT_TOI_POINTS_KERNELS_H

#include "field/kernels.h"
#include "math/daffine.h"

enum
{
    ABUT_TRACER_BATCH = 256,  // spans in progress
    ABUT_TRACER_PADDED = 264, // with padding for the lanes of a kernel
    ABUT_TRACER_STARTS = 8,   // points that start together, at most
    ABUT_TRACER_DEGREE = 5
};

/// A field of order 0.
typedef struct AbutTracerField
{
    AbutFieldView view;
    int format; // of nodes
    // A value f keeps its sign for a displacement of f · inverse_slope, or of (f − source_slack · cell side)
    // · inverse_source_slope: the field approximates a distance, or jumps by no more than that.
    float inverse_slope, inverse_source_slope;
    float source_slack;
    float per_curvature;   // deviation of a trajectory per change of the field by it
    float low[3], high[3]; // a box within the grid; points beyond it are outside, by more than any margin
} AbutTracerField;

/// Spans in progress, in no order.
typedef struct AbutTracerBatch
{
    float c[ABUT_TRACER_DEGREE + 1][3][ABUT_TRACER_PADDED]; // position at s: c[0] + c[1] s + ...
    float time[ABUT_TRACER_PADDED];                         // decided up to this s
    float end[ABUT_TRACER_PADDED];                          // the point is outside from this s on; or 1
    // Begin of the next step: at `time` or later, with an expected safe interval back to `time`.
    float ahead[ABUT_TRACER_PADDED];
    float longest[ABUT_TRACER_PADDED];       // step in s
    float nudge[ABUT_TRACER_PADDED];         // in s: from the border of a cell into the next
    float inverse_speed[ABUT_TRACER_PADDED]; // lower bound of s per cell of displacement
    float margin[ABUT_TRACER_PADDED];        // of rounding
    float curvature[ABUT_TRACER_PADDED];     // of curvature: times the square of the step
    float side[ABUT_TRACER_PADDED];          // up to `time`: 1 outside, −1 inside, 0 not known
    uint32_t id[ABUT_TRACER_PADDED];

    // The last step: begin and length, the field along it (Bernstein form), and the decided s when that has
    // one sign.
    float begin[ABUT_TRACER_PADDED], step[ABUT_TRACER_PADDED], next[ABUT_TRACER_PADDED];
    float b[4][ABUT_TRACER_PADDED];
    size_t count;
} AbutTracerBatch;

/// Points that start a span together.
typedef struct AbutTracerStart
{
    // From points to coefficients of their trajectories: two maps, or one more than the degree.
    const AbutDAffine* maps;
    AbutPoints points; // ABUT_TRACER_STARTS readable ones, of which the first `count` count
    size_t count;
    float side, nudge, inverse_speed, margin, curvature; // the same for all
    uint32_t id, id_step;                                // of the first point, and the difference to the next
} AbutTracerStart;

/// Verdicts of the kernel on a span; none: it has advanced.
enum
{
    ABUT_TRACER_DONE = 1,     // on its side to the end
    ABUT_TRACER_CROSSING = 2, // a possible crossing: decided up to the begin of its step only
    ABUT_TRACER_BEGIN = 4,    // its side was unknown before, and is known now
};

typedef uint8_t AbutTracerStates[ABUT_TRACER_PADDED];

typedef struct AbutTracerKernels
{
    /// Adds spans. Straight ones are clipped to the box: those without an intersection have an end of at most
    /// the time.
    void (*start)(const AbutTracerField* field, bool straight, const AbutTracerStart* start,
                  AbutTracerBatch* batch);

    /// One step of each span: through a cell, and as far beyond as its values permit. Straight ones: c[2] and
    /// on are not read.
    void (*step)(const AbutTracerField* field, bool straight, AbutTracerBatch* batch,
                 AbutTracerStates states);
} AbutTracerKernels;

ABUT_KERNELS(AbutTracerKernels, abut_tracer_kernels)

#endif
