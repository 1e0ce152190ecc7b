/// @file join.h
/// Stage of a batch: contacts in the order of pairs.
#ifndef ABUT_NARROW_BATCH_JOIN_H
#define ABUT_NARROW_BATCH_JOIN_H

#include "narrow/batch/batch.h"

/// Contacts in the order of pairs, and complete outputs.
AbutResult abut_batch_join(AbutCollider* collider);

#endif
