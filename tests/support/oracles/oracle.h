/// @file oracle.h
/// Primitives in double, written from their definitions and not from the kernels: what the library is
/// measured against.
#ifndef ABUT_TEST_ORACLE_H
#define ABUT_TEST_ORACLE_H

#include "support/support.h"

/// A primitive with its parameters, the shape that the library makes of it, and the distance in double.
typedef struct OraclePrimitive
{
    const char* name;
    double parameters[4];
    double size; ///< largest extent of the solid
    AbutResult (*create)(const struct OraclePrimitive* self, const AbutHost* host, AbutShape** out);
    double (*distance)(const struct OraclePrimitive* self, const double p[3]);
} OraclePrimitive;

/// Every kind in ordinary, thin, flat, tiny and huge sizes; ended by one without a name.
const OraclePrimitive* oracle_primitives(void);

/// Points for `primitive`: spread around it, near its surface, and on a coarse grid (so that planes, axes and
/// corners are hit), some of those nudged by a few ulps. Fills count floats each.
void oracle_points(const OraclePrimitive* primitive, TestRandom* random, size_t count, float* x, float* y,
                   float* z);

#endif
