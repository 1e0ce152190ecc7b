/// @file throw_cases.h (internal to bench throw)
/// What is thrown and driven, and the truth about it.
#ifndef ABUT_BENCH_THROW_CASES_H
#define ABUT_BENCH_THROW_CASES_H

#include "pairs_cases.h"

#include <abut/toi.h>

enum
{
    THROW_MOST = 1000
};

/// A mesh of the folder in ABUT_SHARED_MESHES; NULL when it is not there.
AbutMesh* throw_load_shared(const char* file);

/// A body 1 long at a plate with its upper side at y = 0.
typedef struct ThrowModel
{
    PairModel body; ///< its mesh_a and field_a
    AbutMesh* plate_mesh;
    AbutShape* plate;
    AbutPointSet* points; ///< the vertices of the body
} ThrowModel;

/// The bunny, or a statue where there is none.
bool throw_model_create(ThrowModel* out);
void throw_model_destroy(ThrowModel* model);

typedef struct Throw
{
    AbutPose pose;
    AbutMotion motion;
    double
        /// at this time it has touched the plate for certain, and not by much; 2: it may not touch at all
        touch;
} Throw;

/// The body comes down by `lengths` body lengths in the step, from a height that it leaves in it; it turns by
/// up to half a turn when it spins.
void throw_model_make(const ThrowModel* model, double lengths, bool rotates, Throw* throws, int count);

/// The part of the benchmark that drives a nut along a bolt.
bool throw_thread_run(BenchReport* report, bool quick);

#endif
