/// @file recycle.h
/// Stage of a batch: results of the last step that still hold.
#ifndef ABUT_NARROW_BATCH_RECYCLE_H
#define ABUT_NARROW_BATCH_RECYCLE_H

#include "narrow/batch/batch.h"

/// Recycles the result of the last step when it still holds for the relative pose of the bodies.
bool abut_batch_recycle(const AbutCollideSettings* settings, const AbutBatchJob* last,
                        const AbutTransform* relative, AbutBatchJob* job);

#endif
