/// @file walk.h
/// The walk of a pair's particles from the texts that shaders are made of, compiled twice: as it should be,
/// and as a compiler might that contracts products with sums and divides approximately.
#ifndef ABUT_TEST_HOSTILE_WALK_H
#define ABUT_TEST_HOSTILE_WALK_H

#include "field/kernels.h"
#include "gpu/records.h"

/// Two fields, as they are in memory.
typedef struct HostileFields
{
    const AbutFieldView* views[2];
} HostileFields;

/// Walks particle `number` of a pair; false where it does not arrive. The hit has no number.
typedef bool HostileWalkFn(const GpuPair* pair, const HostileFields* fields, uint32_t number, GpuHit* hit);

HostileWalkFn test_walk_exact, test_walk_hostile;

#endif
