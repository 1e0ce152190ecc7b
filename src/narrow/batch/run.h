/// @file run.h
/// Stage of a batch: tasks on all workers.
#ifndef ABUT_NARROW_BATCH_RUN_H
#define ABUT_NARROW_BATCH_RUN_H

#include "narrow/batch/batch.h"

AbutNarrowInput abut_batch_input(const AbutCollider* collider, const AbutBatchJob* job);

/// Results of all jobs, but for states and contact counts of methods with tasks; contacts are in the pool.
AbutResult abut_batch_run(AbutCollider* collider);

#endif
