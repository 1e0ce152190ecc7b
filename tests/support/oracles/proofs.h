/// @file proofs.h
/// Answers of the narrow phase judged by the exact gap of a pair: what is called proved must be true.
#ifndef ABUT_TEST_PROOFS_H
#define ABUT_TEST_PROOFS_H

#include "support/oracles/near_touching.h"

#include <abut/dynamics.h>
#include <abut/narrow.h>

typedef struct ProofTally
{
    uint64_t count, states[ABUT_COLLIDE_STATE_COUNT];
    uint64_t false_separated, false_contact, false_gap, false_high;
    /// Of questions with a budget that suffices, with the automatic tolerance (0) and with one far under the
    /// rounding (1): asked, answered "close", and with a true gap or overlap of at most the uncertainty and
    /// the tolerance.
    uint64_t asked[2], close[2], within[2];
    double largest_uncertainty; ///< with the fine tolerance, of the size
    double worst;               ///< false answer, of the size of the pair
    double evaluations;         ///< in sum
    uint64_t most_evaluations;
    int complaints;
} ProofTally;

/// Cases of each kind: `usual`, a tenth of it under sanitizers, or what ABUT_TEST_PROOFS says (`make soak`).
uint64_t proof_case_count(uint64_t usual);

/// Random numbers that differ with `number`, and with ABUT_TEST_SEED where that is set.
TestRandom proof_random(uint64_t number);

/// Asks abut_collide() without contacts. `input` has the shapes, poses and settings of the pair.
void proof_judge_collide(ProofTally* tally, const NearPair* pair, const AbutCollideInput* input);

/// One answer about the pair, whoever gave it.
void proof_judge_output(ProofTally* tally, const NearPair* pair, float scale_a,
                        const AbutCollideOutput* output, const char* what);

void proof_judge_distance(ProofTally* tally, const NearPair* pair, const AbutDistanceInput* input);

/// Adds all of `more`.
void proof_add(ProofTally* tally, const ProofTally* more);

/// Fails when "close" is the answer in more than twice the cases within the uncertainty, or prints how many
/// there were.
void proof_check_close(const ProofTally* tally, const char* what);

uint64_t proof_false_count(const ProofTally* tally);
void proof_print(const ProofTally* tally, const char* what);

/// A world with the first shape of the pair, whose pose becomes that of the body: its rotation has been
/// normalised to float.
AbutWorld* proof_world(NearPair* pair, AbutShape* shape);

#endif
