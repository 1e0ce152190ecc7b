/// @file on_device.h
/// Stage of a batch: particles of fields on a device.
#ifndef ABUT_NARROW_BATCH_ON_DEVICE_H
#define ABUT_NARROW_BATCH_ON_DEVICE_H

#include "narrow/batch/batch.h"

/// Does tasks of fields on the device; those that are pending afterwards are left to the workers.
void abut_batch_collide_on_device(AbutCollider* collider);

/// Logs what the processor takes over, and why, once for a device.
void abut_batch_warn(AbutCollider* collider, const char* what);

void abut_batch_free_device(AbutCollider* collider);

#endif
