/// @file trace_kernels.h
/// Many points on their paths through a field, from cell to cell: where they stay on one side of the surface, and the field along the path
/// where they may not.
///
/// Lengths are in cells, places are counted from the first node, s runs over a piece of a path from 0 to 1. In a cell the path is taken as its
/// tangent, along which the field is a cubic; what the path bends away from that, and what rounds, is a margin: inside is what is at most
/// that much over the surface.
#ifndef ABUT_SIMD_TRACE_KERNELS_H
#define ABUT_SIMD_TRACE_KERNELS_H

#include "simd/field_kernels.h"

enum
{
    ABUT_TRACES = 256,        // on their way at once
    ABUT_TRACES_PADDED = 264, // room for the lanes of a kernel behind the last
    ABUT_TRACE_DEGREE = 5
};

/// What the kernel reads of a field of order 0.
typedef struct AbutTraceField
{
    AbutFieldView view;
    int format;      // of nodes
    float per_steep; // a sample keeps its sign for so many cells per cell that it is away from the surface
    float per_far;   // or for so many of what is left of it
    float far_taken; // by this, per cell of a side: it is near a distance, or jumps by no more
} AbutTraceField;

/// Pieces of paths, in the order of nothing.
typedef struct AbutTraces
{
    float c[ABUT_TRACE_DEGREE + 1][3][ABUT_TRACES_PADDED]; // the place at s: c[0] + c[1] s + ...
    float time[ABUT_TRACES_PADDED];                        // s up to which all is known
    float ahead
        [ABUT_TRACES_PADDED]; // where the next step begins: no earlier, and reaching back to it, as is to be expected
    float longest[ABUT_TRACES_PADDED]; // step in s
    float nudge[ABUT_TRACES_PADDED];   // in s: brings a place at the border of a cell into the next
    float per_way[ABUT_TRACES_PADDED]; // s that a cell of way takes at least
    float margin[ABUT_TRACES_PADDED];  // by rounding
    float bend[ABUT_TRACES_PADDED];    // by what bends: so much times the square of the step
    float side[ABUT_TRACES_PADDED];    // up to `time`: 1 outside, −1 inside, 0 not known
    uint32_t id[ABUT_TRACES_PADDED];

    // Of the step that was looked at last: where it begins and how long it is, the field along it (Bernstein form), and what s is
    // known up to when that has one sign.
    float begin[ABUT_TRACES_PADDED], step[ABUT_TRACES_PADDED], next[ABUT_TRACES_PADDED];
    float b[4][ABUT_TRACES_PADDED];
    size_t count;
} AbutTraces;

/// What the kernel says of a piece; none of these: it has gone on.
enum
{
    ABUT_TRACE_DONE = 1, // it keeps its side to its end
    ABUT_TRACE_TURN = 2, // it may not have: all is known up to the begin of its step, and no further
};

typedef uint8_t AbutTraceVerdicts[ABUT_TRACES_PADDED];

/// Each piece goes one step: through a cell, and as far beyond as its values allow. Straight ones: c[2] and on are not read.
typedef void AbutTraceKernel(const AbutTraceField* field, bool straight, AbutTraces* traces,
                             AbutTraceVerdicts verdicts);

#endif
