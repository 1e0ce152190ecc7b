/// @file launch.h
/// Launches: bind buffers, dispatch, submit, wait.
#ifndef ABUT_GPU_LAUNCH_H
#define ABUT_GPU_LAUNCH_H

#include "gpu/device.h"

/// Layouts, pools and the command buffer of a new device.
AbutResult abut_gpu_create_queue(AbutDevice* device);

void abut_gpu_destroy_queue(AbutDevice* device);

/// Buffers of the next launches, by binding; bindings of NULL are not used by them.
void abut_gpu_bind(AbutDevice* device, const AbutGpuBuffer* const buffers[ABUT_GPU_BINDINGS]);

/// Starts recording.
AbutResult abut_gpu_begin(AbutDevice* device);

/// Records a launch, with the push constants of its shader.
AbutResult abut_gpu_dispatch(AbutDevice* device, AbutGpuShader shader, const void* push, uint32_t push_size,
                             uint32_t group_count);

/// The same with the counts of groups, a VkDispatchIndirectCommand, at an offset of a buffer.
AbutResult abut_gpu_dispatch_indirect(AbutDevice* device, AbutGpuShader shader, const void* push,
                                      uint32_t push_size, const AbutGpuBuffer* buffer, uint64_t offset);

/// Records zeros for a whole buffer.
void abut_gpu_fill_zero(AbutDevice* device, const AbutGpuBuffer* buffer);

/// Records that everything after reads what everything before has written, the processor included.
void abut_gpu_barrier(AbutDevice* device);

/// Runs what was recorded and waits for it. Launches count for AbutDeviceStats.device_seconds.
AbutResult abut_gpu_submit(AbutDevice* device, bool launches);

/// SPIR-V of a shader; `size` in bytes.
const uint32_t* abut_gpu_spirv(AbutGpuShader shader, bool addresses, size_t* size);

const char* abut_gpu_shader_name(AbutGpuShader shader);

#endif
