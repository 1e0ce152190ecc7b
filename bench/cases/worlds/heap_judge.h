/// @file heap_judge.h (internal to bench heap)
/// Penetration depths of a heap of simple bodies, whichever engine moved them.
#ifndef ABUT_BENCH_HEAP_JUDGE_H
#define ABUT_BENCH_HEAP_JUDGE_H

#include "heap_cases.h"

typedef struct HeapTruth
{
    double deepest, median; ///< of overlapping pairs, bodies in the ground included, in body sizes
    uint32_t overlapping;   ///< pairs
    uint32_t lost;          ///< bodies with their centre under the ground
} HeapTruth;

typedef struct HeapJudge HeapJudge;

/// NULL, with a message on stderr, when there is no memory.
HeapJudge* heap_judge_create(const HeapForms* forms, uint32_t count);
void heap_judge_destroy(HeapJudge* judge);
HeapTruth heap_judge_measure(HeapJudge* judge, const AbutPose* poses);

#endif
