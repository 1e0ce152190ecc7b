/// @file snapshot_check.h
/// Validation of snapshots.
#ifndef ABUT_DYNAMICS_SNAPSHOT_CHECK_H
#define ABUT_DYNAMICS_SNAPSHOT_CHECK_H

#include "dynamics/snapshot.h"
#include "dynamics/state/body.h"

/// Hash of the constants of a world, which a snapshot does not hold: its settings, and kinds, shapes, scales
/// and masses of its bodies.
uint64_t abut_snapshot_identity(const AbutWorld* world);

/// Hash of a new body: kind, bounds and sampled distances of its shape, and its mass.
uint64_t abut_body_identity(const AbutBody* body);

/// Reads the header. @return ABUT_INVALID_DATA for bytes that are no snapshot of this world, or with values
/// that no step leaves.
AbutResult abut_snapshot_check(const AbutWorld* world, const void* data, size_t size,
                               AbutSnapshotHeader* header);

#endif
