/// @file batch.h
/// All pairs of a step. Read batch.c first; its stages are in
///   order.c    pairs sorted, each once; those of cheap methods apart, the others matched with the last step
///   recycle.c  results of the last step that still hold
///   cheap.c    pairs in closed form, a block at a time, without any record of them
///   on_device.c, octrees.c  particles and distance octrees of fields on the device of the collider, which
///              leaves the rest to
///   run.c      the others, on all workers: pairs one by one, or the tasks of all pairs as one loop
///   join.c     contacts of the workers to one array in the order of the pairs
#ifndef ABUT_NARROW_BATCH_BATCH_H
#define ABUT_NARROW_BATCH_BATCH_H

#include <abut/narrow.h>

#include "gpu/pairs/traverse.h"
#include "narrow/collide.h"

#include <stdatomic.h>

#define ABUT_BATCH_JOB_NONE UINT32_MAX

/// A pair of a step, and what the next step needs of it. Pairs of cheap methods have none.
typedef struct AbutBatchJob
{
    uint32_t a, b;
    uint32_t result; // index of its result
    uint32_t last;   // the same pair in the last step, or ABUT_BATCH_JOB_NONE
    bool reused;
    bool owns_shapes; // holds references to them
    float moved;      // since the result was computed
    float margin;     // of the settings and of the pair
    float spacing;    // of the settings, or of the pair
    const AbutShape* shapes[2];
    AbutTransform relative; // B in the frame of A, when the result was computed
    float gap;              // proved then
    float proved_depth;     // proved then; under 0 for none
    AbutCollideOutput output;
    size_t first_contact;
    uint32_t first_task, task_count; // of a method with tasks; else the pair is one task
    double seconds;                  // wall time of the query, where the collider measures it
} AbutBatchJob;

/// A share of a pair, all of it, or a block of cheap pairs; after these, one per undecided pair. Its contacts
/// wait in the pool.
typedef struct AbutBatchTask
{
    size_t pool_first;
    uint32_t arrived_count;
    uint32_t thinned; // contacts that a device has left out, of this task and others of the pair
    bool pending;     // has not run, or found the pool full
    float proved_depth;
    uint64_t evaluations;
} AbutBatchTask;

/// Scratch of a worker. Too large for the stacks of some threads.
typedef struct AbutBatchWorker
{
    AbutCollideScratch scratch;
    AbutContact contacts[ABUT_CONTACT_LIST_CAPACITY];
} AbutBatchWorker;

/// Pairs of a step on a device; see on_device.c.
typedef struct AbutBatchDevice
{
    GpuPair* pairs; // by job, then those of the device side by side
    size_t pair_capacity;
    uint32_t* particle_counts; // of each; 0 for none
    size_t particle_capacity;
    const AbutShape* (*fields)[2]; // of each job
    size_t field_capacity;
    uint32_t* jobs; // of each pair on the device
    size_t job_capacity;
    float (*starts)[3];
    size_t start_capacity;
    struct AbutBatchArrivals* arrivals; // tasks of a chunk
    size_t arrival_count, arrival_capacity;
    const GpuHit* hits;
    bool warned; // that the processor has taken over
} AbutBatchDevice;

/// Distance octrees of a step that the device has traversed; see octrees.c.
typedef struct AbutBatchOctrees
{
    GpuOctreePair* pairs; // ABUT_NARROW_OCTREES by job, then those of the device side by side
    size_t pair_capacity;
    AbutRecordedOctree* recorded; // ABUT_NARROW_OCTREES by job
    size_t recorded_capacity;
    uint32_t* counts; // of each job
    size_t count_capacity;
    uint32_t* numbers; // in `recorded`, of each traversal on the device
    size_t number_capacity;
    AbutGpuTraversal* traversals;
    size_t traversal_capacity;
    AbutGpuTraversed traversed;
    size_t job_count; // 0: the device has done nothing in this step
} AbutBatchOctrees;

/// Jobs and contacts of a step. The collider has two: the current one and the last one.
typedef struct AbutBatchStep
{
    AbutBatchJob* jobs;
    size_t job_count, job_capacity;
    AbutContact* contacts;
    size_t contact_count, contact_capacity;
} AbutBatchStep;

struct AbutCollider
{
    AbutHost host;
    AbutBatchWorker* workers;
    AbutBatchStep steps[2];
    int current; // index of the step in the making, or made last
    AbutNarrowSettings settings;
    bool has_last; // the other step is complete, with the same settings
    bool measures_time;

    uint64_t* keys; // two halves: sorted pairs, and scratch
    size_t key_capacity;
    AbutBatchTask* tasks;
    size_t task_count, task_capacity;
    AbutContact* pool;
    size_t pool_capacity;
    atomic_size_t pool_count; // asked for, which may be more than the capacity
    atomic_bool pool_full;
    AbutPairResult* results; // of all pairs, in order
    size_t result_count, result_capacity;
    uint32_t* cheap; // indices of results of pairs in closed form
    size_t cheap_count, cheap_capacity;

    AbutDevice* device;   // for the particles of fields, or NULL
    AbutBatchDevice walk; // of the device's stage
    AbutBatchOctrees octrees;
    uint32_t* undecided; // cheap pairs that are left to `adaptive`: indices of results, in order
    size_t undecided_count, undecided_capacity;

    const AbutCollideBody* bodies; // of the step in the making
};

static inline AbutBatchStep* abut_collider_step(AbutCollider* collider)
{
    return &collider->steps[collider->current];
}

static inline AbutBatchStep* abut_collider_last(AbutCollider* collider)
{
    return &collider->steps[1 - collider->current];
}

/// The pool becomes the contacts of a step, and these the pool.
static inline void abut_collider_exchange_pool(AbutCollider* collider, AbutBatchStep* step)
{
    AbutContact* contacts = step->contacts;
    size_t capacity = step->contact_capacity;
    step->contacts = collider->pool;
    step->contact_capacity = collider->pool_capacity;
    collider->pool = contacts;
    collider->pool_capacity = capacity;
}

/// The method of the settings; each pair has its own where that is ABUT_COLLIDE_AUTOMATIC, none with tasks.
static inline const AbutNarrowMethod* abut_batch_method(const AbutCollider* collider)
{
    return abut_narrow_method(collider->settings.collide.method);
}

/// From now on each query of a pair is timed.
static inline void abut_collider_measure_time(AbutCollider* collider)
{
    collider->measures_time = true;
}

/// Wall time of the query of a pair in the last call, by the index of its result; speculative queries only.
static inline double abut_collider_seconds(AbutCollider* collider, size_t result)
{
    return abut_collider_step(collider)->jobs[result].seconds;
}

/// Blocks of cheap pairs; each is a task behind those of the jobs.
size_t abut_batch_cheap_block_count(const AbutCollider* collider);

/// The task of the first undecided pair.
static inline size_t abut_batch_first_undecided(const AbutCollider* collider)
{
    return collider->steps[collider->current].job_count + abut_batch_cheap_block_count(collider);
}

/// True when pairs are divided into tasks that all workers share.
static inline bool abut_batch_has_tasks(const AbutCollider* collider)
{
    return !collider->settings.speculative && abut_batch_method(collider)->count_tasks != NULL;
}

#endif
