/// @file thin.h
/// Thinning on a device: hits that are not the deepest of their cell, or of the deepest of their pair, are
/// left out before they are copied to the processor, which selects among the others (gpu/shaders/thin.comp).
#ifndef ABUT_GPU_PAIRS_THIN_H
#define ABUT_GPU_PAIRS_THIN_H

#include "gpu/device.h"
#include "gpu/records.h"

/// Hits of a chunk, side by side in AbutDevice.hits, with the pairs and spans of the chunk.
typedef struct AbutGpuThinInput
{
    uint32_t hit_count, pair_count, span_count;
    uint32_t task_particles; // of which the deepest so far stay
    bool by_cell, by_depth;  // which of the two any pair wants
} AbutGpuThinInput;

/// Hits that stay, in their order, in AbutDevice.scratch; `thinned` of `counts` is what each span has lost.
AbutResult abut_gpu_thin(AbutDevice* device, const AbutGpuThinInput* input, uint32_t* kept,
                         GpuSpanCounts* counts);

#endif
