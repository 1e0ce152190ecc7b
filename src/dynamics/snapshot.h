/// @file snapshot.h
/// The bytes of a snapshot: a header, the motions of all bodies, manifolds, contacts, and the state of the penalty response.
#ifndef ABUT_DYNAMICS_SNAPSHOT_H
#define ABUT_DYNAMICS_SNAPSHOT_H

#include "dynamics/state/world.h"

/// "abutsna2": the first eight bytes.
#define ABUT_SNAPSHOT_TAG 0x32616e7374756261ull

typedef struct AbutSnapshotHeader
{
    uint64_t tag;
    uint64_t hash;     // of all that follows
    uint64_t identity; // of the world: its settings and bodies
    uint64_t step;
    double time;
    uint64_t body_count, manifold_count, point_count;
    uint64_t penalty_size; // bytes at the end
} AbutSnapshotHeader;

/// The part of a body that moves.
typedef struct AbutSnapshotMotion
{
    uint32_t generation;
    uint32_t asleep;
    double position[3], rotation[4], velocity[3], angular_velocity[3], force[3], torque[3], sleep_time;
} AbutSnapshotMotion;

/// Of what no step changes, and what a snapshot therefore does not have: settings of the world, and kinds, shapes, scales and masses
/// of its bodies.
uint64_t abut_snapshot_identity(const AbutWorld* world);

/// Of a new body: its shape by its kind, bounds and distances at points around it, and its mass.
uint64_t abut_body_identity(const AbutBody* body);

size_t abut_snapshot_size(const AbutSnapshotHeader* header);

/// Reads the header. @return ABUT_INVALID_DATA for bytes that are no snapshot of this world, or whose numbers no step would leave.
AbutResult abut_snapshot_check(const AbutWorld* world, const void* data, size_t size,
                               AbutSnapshotHeader* header);

#endif
