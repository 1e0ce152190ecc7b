/// @file kernels.h
/// Many points on their paths through a field, from cell to cell: where they stay on one side of the surface, and the field along the path
/// where they may not.
///
/// Lengths are in cells, places are counted from the first node, s runs over a piece of a path from 0 to 1. In a cell the path is taken as its
/// tangent, along which the field is a cubic; what the path bends away from that, and what rounds, is a margin: inside is what is at most
/// that much over the surface.
#ifndef ABUT_TOI_POINTS_KERNELS_H
#define ABUT_TOI_POINTS_KERNELS_H

#include "field/kernels.h"
#include "math/daffine.h"

enum
{
    ABUT_TRACER_BATCH = 256,  // on their way at once
    ABUT_TRACER_PADDED = 264, // room for the lanes of a kernel behind the last
    ABUT_TRACER_STARTS = 8,   // points that start together, at most
    ABUT_TRACER_DEGREE = 5
};

/// What the kernel reads of a field of order 0.
typedef struct AbutTracerField
{
    AbutFieldView view;
    int format; // of nodes
    float
        inverse_slope; // a sample keeps its sign for so many cells per cell that it is away from the surface
    float inverse_source_slope; // or for so many of what is left of it
    float source_slack;         // by this, per cell of a side: it is near a distance, or jumps by no more
    float per_curvature;        // a path bends by this times what the field changes by that, at most
    float low[3], high[3];      // of a box within the grid; all beyond it is outside, by more than any margin
} AbutTracerField;

/// Pieces of paths, in the order of nothing.
typedef struct AbutTracerBatch
{
    float c[ABUT_TRACER_DEGREE + 1][3][ABUT_TRACER_PADDED]; // the place at s: c[0] + c[1] s + ...
    float time[ABUT_TRACER_PADDED];                         // s up to which all is known
    float end[ABUT_TRACER_PADDED];                          // and from which on the point is outside; or 1
    float ahead
        [ABUT_TRACER_PADDED]; // where the next step begins: no earlier, and reaching back to it, as is to be expected
    float longest[ABUT_TRACER_PADDED];       // step in s
    float nudge[ABUT_TRACER_PADDED];         // in s: brings a place at the border of a cell into the next
    float inverse_speed[ABUT_TRACER_PADDED]; // s that a cell of way takes at least
    float margin[ABUT_TRACER_PADDED];        // by rounding
    float curvature[ABUT_TRACER_PADDED];     // by what bends: so much times the square of the step
    float side[ABUT_TRACER_PADDED];          // up to `time`: 1 outside, −1 inside, 0 not known
    uint32_t id[ABUT_TRACER_PADDED];

    // Of the step that was looked at last: where it begins and how long it is, the field along it (Bernstein form), and what s is
    // known up to when that has one sign.
    float begin[ABUT_TRACER_PADDED], step[ABUT_TRACER_PADDED], next[ABUT_TRACER_PADDED];
    float b[4][ABUT_TRACER_PADDED];
    size_t count;
} AbutTracerBatch;

/// Points that begin a span of their paths together.
typedef struct AbutTracerStart
{
    // From points to coefficients of their trajectories: two maps, or one more than the degree.
    const AbutDAffine* maps;
    AbutPoints points; // ABUT_TRACER_STARTS of them can be read, of which the first `count` matter
    size_t count;
    float side, nudge, inverse_speed, margin, curvature; // the same for all
    uint32_t id, id_step;                                // of the first, and from one to the next
} AbutTracerStart;

/// What the kernel says of a piece; none of these: it has gone on.
enum
{
    ABUT_TRACER_DONE = 1,     // it keeps its side to its end
    ABUT_TRACER_CROSSING = 2, // it may not have: all is known up to the begin of its step, and no further
    ABUT_TRACER_BEGIN = 4,    // its side was not known before, and now is
};

typedef uint8_t AbutTracerStates[ABUT_TRACER_PADDED];

typedef struct AbutTracerKernels
{
    /// Adds pieces. Straight ones are clipped to the box: of those that do not meet it the end is no later than the time.
    void (*start)(const AbutTracerField* field, bool straight, const AbutTracerStart* start,
                  AbutTracerBatch* batch);

    /// Each piece goes one step: through a cell, and as far beyond as its values allow. Straight ones: c[2] and on are not
    /// read.
    void (*step)(const AbutTracerField* field, bool straight, AbutTracerBatch* batch,
                 AbutTracerStates states);
} AbutTracerKernels;

ABUT_KERNELS(AbutTracerKernels, abut_tracer_kernels)

#endif
