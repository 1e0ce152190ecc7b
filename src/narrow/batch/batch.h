/// @file batch.h
/// All pairs of a step. Read batch.c first; its steps are in
///   order.c   pairs sorted, each once, and matched with those of the last step
///   recycle.c   which answers of the last step still hold
///   run.c     the others, on all workers: pairs one by one, or particles of all pairs as one loop
///   join.c    contacts of the workers to one array in the order of the pairs
#ifndef ABUT_NARROW_BATCH_BATCH_H
#define ABUT_NARROW_BATCH_BATCH_H

#include <abut/narrow.h>

#include "narrow/collide.h"

#include <stdatomic.h>

#define ABUT_PAIR_JOB_NONE UINT32_MAX

/// A pair of a step, and what the next step needs of it.
typedef struct AbutPairJob
{
    uint32_t a, b;
    uint32_t last; // the same pair in the last step, or ABUT_PAIR_JOB_NONE
    bool reused;
    bool owns_shapes; // references to them are held
    float moved;      // since the answer was computed
    float margin;     // of the settings, and what the bodies add to it
    float spacing;    // of the settings, or the pair's own
    const AbutShape* shapes[2];
    AbutFrame relative; // B in the frame of A, where the answer was computed
    float gap;          // proved there
    float overlap;      // proved there; under 0 for none
    AbutCollideOutput output;
    size_t first_contact;
    uint32_t first_run, run_count; // of its particles; an adaptive search is one run
} AbutPairJob;

/// Particles of one pair that are projected together, or a search. What it found waits in the pool.
typedef struct AbutPairRun
{
    size_t pool_first;
    uint32_t found_count;
    bool waits; // to be made: it has not run, or there was no room in the pool
    float overlap;
    uint64_t evaluations;
} AbutPairRun;

/// Scratch of a worker. Too large for the stacks of some threads.
typedef struct AbutPairWorker
{
    AbutCollideScratch scratch;
    AbutContact contacts[ABUT_CONTACT_LIST_MOST];
} AbutPairWorker;

/// Jobs and contacts of a step. The collider has two, which take turns.
typedef struct AbutPairStep
{
    AbutPairJob* jobs;
    size_t job_count, job_capacity;
    AbutContact* contacts;
    size_t contact_count, contact_capacity;
} AbutPairStep;

struct AbutCollider
{
    AbutHost host;
    AbutPairWorker* workers;
    AbutPairStep steps[2];
    int current; // the step that is being made, or was made last
    AbutCollideSettings settings;
    bool has_last; // the other step is complete, with the same settings

    uint64_t* keys; // two halves: sorted pairs, and scratch
    size_t key_capacity;
    AbutPairRun* runs;
    size_t run_count, run_capacity;
    AbutContact* pool;
    size_t pool_capacity;
    atomic_size_t pool_count; // asked for, which may be more than there is
    atomic_bool pool_full;
    AbutPairResult* results;
    size_t result_capacity;

    const AbutCollideBody* bodies; // of the step that is being made
};

static inline AbutPairStep* abut_collider_step(AbutCollider* collider)
{
    return &collider->steps[collider->current];
}

static inline AbutPairStep* abut_collider_last(AbutCollider* collider)
{
    return &collider->steps[1 - collider->current];
}

AbutCollideInput abut_pairs_input(const AbutCollider* collider, const AbutPairJob* job);

/// Sorts the pairs into jobs and matches them with the last step's.
AbutResult abut_pairs_order(AbutCollider* collider, const AbutBodyPair* pairs, size_t pair_count,
                            size_t body_count);

/// Takes the last step's answer when it still holds for bodies that stand as `relative` says.
bool abut_pairs_reuse(const AbutCollideSettings* settings, const AbutPairJob* last, const AbutFrame* relative,
                      AbutPairJob* job);

/// Answers all jobs: outputs are complete but for contact counts of particles, contacts are in the pool.
AbutResult abut_pairs_run(AbutCollider* collider);

/// Moves contacts to their places, and completes the outputs.
AbutResult abut_pairs_join(AbutCollider* collider);

#endif
