/// @file drop.h (internal to bench drop)
/// A body that falls on a fixed copy of itself, answered with springs.
#ifndef ABUT_BENCH_DROP_H
#define ABUT_BENCH_DROP_H

#include "bench.h"

#include <abut/abut.h>

typedef struct DropBody
{
    const char* name;
    AbutShape* field;
    AbutPointSet* points;  ///< all of them
    AbutPointSet* sampled; ///< few, for the simulation
    double size;           ///< longest side of its box
} DropBody;

typedef struct DropDef
{
    const DropBody* body;
    AbutPointSet* points;
    AbutPenaltyScheme scheme;
    float stiffness; ///< 0: automatic
    int start;       ///< which way up it falls
} DropDef;

/// A world of the fixed copy, the ground under it and the body over it. NULL with a message when it cannot be
/// made.
AbutWorld* drop_create(const DropDef* def, AbutBodyId* body);

/// Seconds in which a body falls by its own size.
double drop_time(const DropBody* body);

/// The second seed's fourth experiment: largest stable steps, and depths at the same step.
bool drop_compare(BenchReport* report, const DropBody* body, bool quick);

/// Closed forms: what elastic bounces gain in energy, how long they take, how deep a ball rests.
bool drop_bounce(BenchReport* report);

#endif
