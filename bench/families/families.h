/// @file families.h
/// Parts of `abut bench families`: a file of this folder each, with a row in bench_families.c.
#ifndef ABUT_BENCH_FAMILIES_H
#define ABUT_BENCH_FAMILIES_H

#include "bench.h"

typedef struct FamilyOptions
{
    bool quick; ///< fewer repetitions and smaller sets
} FamilyOptions;

/// Measures a family and reports rows. Returns false, after a message to stderr, when answers contradict each
/// other or the part cannot run.
typedef bool FamilyRun(BenchReport* report, const FamilyOptions* options);

FamilyRun family_deadline_run;
FamilyRun family_features_run;
FamilyRun family_image_run;
FamilyRun family_meshes_run;
FamilyRun family_primitives_run;
FamilyRun family_hulls_run;
FamilyRun family_survey_run;
FamilyRun family_swift_run;
FamilyRun family_terrain_run;

#endif
