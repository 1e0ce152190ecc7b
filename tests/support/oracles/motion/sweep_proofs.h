/// @file sweep_proofs.h
/// Answers of abut_time_of_impact() judged by the exact gap over time: what is called proved must be true.
#ifndef ABUT_TEST_SWEEP_PROOFS_H
#define ABUT_TEST_SWEEP_PROOFS_H

#include "support/oracles/motion/near_motion.h"

typedef struct SweepTally
{
    uint64_t count, states[ABUT_TOI_STATE_COUNT];
    uint64_t false_miss, late, false_gap, false_touch, proved;
    double worst;       ///< false answer, of the size of the pair
    double evaluations; ///< in sum
    uint64_t most_evaluations;
    int complaints;
} SweepTally;

/// Poses and motions of the input are set here; shapes, settings and points are the caller's.
void sweep_proof_judge(SweepTally* tally, const NearMotion* motion, AbutToiInput* input);

uint64_t sweep_proof_false_count(const SweepTally* tally);
void sweep_proof_print(const SweepTally* tally, const char* what);

#endif
