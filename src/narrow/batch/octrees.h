/// @file octrees.h
/// Stage of a batch: dual octree traversals of fields on a device, before the workers need them.
#ifndef ABUT_NARROW_BATCH_OCTREES_H
#define ABUT_NARROW_BATCH_OCTREES_H

#include "narrow/batch/batch.h"

/// Traverses on the device what the jobs will ask for. Whatever it leaves out, the workers do.
void abut_batch_traverse_on_device(AbutCollider* collider);

/// Gives a query of a job that was begun what the device has recorded for it.
void abut_batch_attach_octrees(const AbutCollider* collider, const AbutBatchJob* job, AbutPair* pair);

void abut_batch_free_octrees(AbutCollider* collider);

#endif
