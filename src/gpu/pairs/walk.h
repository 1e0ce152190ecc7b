/// @file walk.h
/// Particles of many pairs on a device: Algorithms 2 and 3 of Krayer et al. (narrow/particles/particles.h).
///
/// The particles of all pairs are one range, cut into chunks of bounded size. A chunk is
///   walk    one invocation per particle finds its pair by binary search, walks, and is stored beside the
///           others of its group when it arrives (the paper walks twice: AbutDeviceDef.two_passes)
///   scan    counts of the groups to offsets, by one group
///   gather  to one array without gaps
///   thin    where pairs ask for it, without those that the processor would not select
/// Positions come from counts and their sums, never from the order of atomics: hits are in the order of
/// particles. The size of the result is known before it is stored, so none is lost.
///
/// No header of Vulkan is needed here.
#ifndef ABUT_GPU_WALK_H
#define ABUT_GPU_WALK_H

#include <abut/gpu.h>

#include "gpu/records.h"
#include "shape/kernels.h"

/// Pairs with particles. Spans begin at multiples of `alignment` particles of a pair.
typedef struct AbutGpuWalk
{
    const GpuPair* pairs;
    const uint32_t* particle_counts; // of each pair
    size_t pair_count;
    const float* starts; // x, y, z of each, for GpuPair.first_start
    size_t start_count;
    uint32_t alignment; // of which the deepest particles so far are never left out
} AbutGpuWalk;

/// Adjacent particles of one pair.
typedef struct AbutGpuSpan
{
    size_t pair;
    uint32_t first_particle, particle_count; // in the pair
    uint32_t first_in_chunk;                 // number of the first one in the chunk, as in GpuHit
    uint32_t samples;                        // of each field
    uint32_t thinned;                        // hits that were left out (gpu/pairs/thin.h)
    bool open; // a particle left the range of the device: hits are incomplete, the processor takes the span
} AbutGpuSpan;

/// Results of a chunk; they stay until the receiver returns.
typedef struct AbutGpuChunk
{
    const AbutGpuSpan* spans;
    uint32_t span_count;
    const GpuHit* hits; // by particle
    uint32_t hit_count;
} AbutGpuChunk;

typedef AbutResult AbutGpuReceiveFn(void* context, const AbutGpuChunk* chunk);

/// Fields used from now on stay on the device until the next call.
void abut_gpu_walk_begin(AbutDevice* device);

/// The record of a side without its field; `transform` may be NULL. False where a number is out of the range
/// of devices (gpu/node_range.h).
bool abut_gpu_walk_side(const AbutKernelTransform* transform, float inflate, GpuSide* out);

/// The number of the field of a side, which is copied to the device unless it is there; errors as
/// abut_device_sample().
AbutResult abut_gpu_walk_field(AbutDevice* device, const AbutShape* field, uint32_t* number);

/// Walks all particles; chunks arrive in order.
AbutResult abut_gpu_walk(AbutDevice* device, const AbutGpuWalk* walk, AbutGpuReceiveFn* receive,
                         void* context);

#endif
