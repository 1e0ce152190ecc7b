/// @file order.h
/// Stage of a batch: sorted pairs, matched with the last step.
#ifndef ABUT_NARROW_BATCH_ORDER_H
#define ABUT_NARROW_BATCH_ORDER_H

#include "narrow/batch/batch.h"

/// Sorts the pairs into jobs and matches them with those of the last step.
AbutResult abut_batch_order(AbutCollider* collider, const AbutBodyPair* pairs, size_t pair_count,
                            size_t body_count);

#endif
