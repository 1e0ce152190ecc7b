/// @file survey.h (internal to bench families)
/// Poses of a mesh against itself, for `abut bench families survey`.
#ifndef ABUT_BENCH_SURVEY_H
#define ABUT_BENCH_SURVEY_H

#include "bench.h"

#include <abut/bvh.h>

enum
{
    SURVEY_MOST_POSES = 300
};

typedef struct SurveyCase
{
    const char* name;
    AbutMesh* mesh;
    AbutPose poses[SURVEY_MOST_POSES];
    int pose_count, repeats;
    size_t found; ///< poses that touch, and pairs of triangles that do
} SurveyCase;

/// How a twist degrades refitted trees, and when rebuilding pays.
bool survey_refit_run(BenchReport* report, const SurveyCase* set);

#endif
