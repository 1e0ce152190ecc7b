/// @file run.h
/// Stage of a batch: tasks on all workers.
#ifndef ABUT_NARROW_BATCH_RUN_H
#define ABUT_NARROW_BATCH_RUN_H

#include "narrow/batch/batch.h"

/// A pair of bodies with the settings of the batch.
AbutNarrowInput abut_batch_input_of(const AbutCollider* collider, uint32_t a, uint32_t b);

AbutNarrowInput abut_batch_input(const AbutCollider* collider, const AbutBatchJob* job);

/// Results of all jobs, but for states and contact counts of methods with tasks; contacts are in the pool.
AbutResult abut_batch_run(AbutCollider* collider);

/// Stores the contacts of a task, which runs again when the pool is full.
void abut_batch_store(AbutCollider* collider, const AbutContact* contacts, size_t count, AbutBatchTask* task);

/// Settings of a pair that is divided into tasks, with the contacts of the last step as starts of particles.
AbutCollideSettings abut_batch_task_settings(AbutCollider* collider, const AbutBatchJob* job);

/// Recycles the result of the last step where it holds: true, and the job has it.
bool abut_batch_reuse(AbutCollider* collider, const AbutNarrowInput* input, AbutBatchJob* job);

/// Space for `needed` contacts; those in the pool stay.
AbutResult abut_batch_grow_pool(AbutCollider* collider, size_t needed);

#endif
