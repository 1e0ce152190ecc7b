/// @file knots.h
/// Paths of points in pieces: cubics between places and velocities that are known at equal times.
///
/// The deviation of a cubic from the true path is at most h⁴/384 times the fourth derivative, and turning by a rate w makes that w⁴ times
/// the distance. There are so many knots that it is under 1e-7 of the distances: less than the rounding of places to float.
/// Straight paths are what they are.
#ifndef ABUT_SWEEP_KNOTS_H
#define ABUT_SWEEP_KNOTS_H

#include "sweep/path.h"

enum
{
    ABUT_KNOT_SLOTS = 32, // parts of the time that points are looked for in
    ABUT_KNOT_TABLE = 256
};

typedef struct AbutKnots
{
    const AbutPath* path;
    uint32_t piece_count;          // a multiple of ABUT_KNOT_SLOTS
    uint32_t stride;               // pieces from one knot of the table to the next
    uint32_t table_count;          // knots of the table, less one
    bool has[ABUT_KNOT_TABLE + 1]; // filled when they are asked for
    AbutPathAt table[ABUT_KNOT_TABLE + 1];
} AbutKnots;

void abut_knots_init(AbutKnots* knots, const AbutPath* path);

/// Knot `index` of [0, count], where `count` is ABUT_KNOT_SLOTS times a power of 2 up to twice that.
AbutPathAt* abut_knots_at(AbutKnots* knots, uint32_t index, uint32_t count);

/// The path of a point over a piece: c[axis][0] + c[axis][1] s + ..., s from 0 to 1.
typedef struct AbutPiece
{
    double c[3][4];
    double way; // |change with s| is at most this
} AbutPiece;

void abut_knots_piece(AbutKnots* knots, const double point[3], uint32_t index, AbutPiece* out);

static inline void abut_piece_at(const AbutPiece* piece, double s, float at[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        const double* c = piece->c[axis];
        at[axis] = (float)(c[0] + s * (c[1] + s * (c[2] + s * c[3])));
    }
}

#endif
