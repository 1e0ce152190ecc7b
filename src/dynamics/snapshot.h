/// @file snapshot.h
/// The bytes of a snapshot: header, motions of all bodies, manifolds, manifold points, state of the
/// response.
#ifndef ABUT_DYNAMICS_SNAPSHOT_H
#define ABUT_DYNAMICS_SNAPSHOT_H

#include <abut/dynamics.h>

#include "math/dquat.h"

/// "abutsna5": the first eight bytes.
#define ABUT_SNAPSHOT_TAG 0x35616e7374756261ull

typedef struct AbutSnapshotHeader
{
    uint64_t tag;
    uint64_t hash;     // of all bytes from `identity` on
    uint64_t identity; // of the world: its settings and bodies
    uint64_t step;
    double time;
    uint64_t body_count, manifold_count, point_count;
    uint64_t response_size; // bytes of the response at the end
} AbutSnapshotHeader;

/// State of a body that steps change.
typedef struct AbutSnapshotMotion
{
    uint32_t generation;
    uint32_t asleep;
    AbutDVec3 position;
    AbutDQuat rotation;
    AbutDVec3 velocity, angular_velocity, force, torque;
    double sleep_time;
} AbutSnapshotMotion;

size_t abut_snapshot_size(const AbutSnapshotHeader* header);

#endif
