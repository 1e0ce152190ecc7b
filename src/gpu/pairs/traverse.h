/// @file traverse.h
/// Dual octree traversals of many pairs on a device (search/dual_octree.h), level by level.
///
/// The boxes of all pairs on a level are one launch, whose size the device knows from the launch before: the
/// processor reads nothing back between levels. Open boxes of the last level are then sampled and projected.
/// Room is bounded: it grows and the launches run again; what still has none is left to the processor, which
/// reads the records in its own order and divides boxes without a record itself.
///
/// No header of Vulkan is needed here.
#ifndef ABUT_GPU_PAIRS_TRAVERSE_H
#define ABUT_GPU_PAIRS_TRAVERSE_H

#include <abut/gpu.h>

#include "gpu/records.h"
#include "search/dual_octree.h"

/// Records and samples of many pairs.
typedef struct AbutGpuTraversed
{
    AbutOctreeRecord* records;
    size_t record_count, record_capacity;
    AbutRecordedSample* samples;
    size_t sample_count, sample_capacity;
} AbutGpuTraversed;

/// The records of a pair: numbers in them count from these.
typedef struct AbutGpuTraversal
{
    size_t first_record, first_sample;
    uint32_t root; // ABUT_OCTREE_NOT_RECORDED: the pair has none
} AbutGpuTraversal;

/// The record of a traversal of two fields without their numbers on the device. False where a number is out
/// of the range of devices (gpu/node_range.h), or there is nothing to divide.
bool abut_gpu_record_octree(const AbutDualOctree* octree, const AbutPair* pair, GpuOctreePair* out);

/// Traverses all pairs; `out` is appended to, `traversals` has one of each pair. When it fails, pairs that
/// were not reached have none.
AbutResult abut_gpu_traverse(AbutDevice* device, const GpuOctreePair* pairs, size_t pair_count,
                             AbutGpuTraversal* traversals, AbutGpuTraversed* out);

void abut_gpu_traversed_free(const AbutHost* host, AbutGpuTraversed* traversed);

#endif
