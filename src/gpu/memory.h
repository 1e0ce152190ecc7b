/// @file memory.h
/// Buffers of a device, and copies from and to them.
#ifndef ABUT_GPU_MEMORY_H
#define ABUT_GPU_MEMORY_H

#include "gpu/device.h"

/// At least `size` bytes; the content is undefined. A larger buffer is kept.
AbutResult abut_gpu_reserve(AbutDevice* device, uint64_t size, AbutGpuBuffer* buffer);

/// An empty buffer is ignored.
void abut_gpu_free(AbutDevice* device, AbutGpuBuffer* buffer);

/// The address for shaders; only with AbutDevice.addresses.
uint64_t abut_gpu_address(const AbutDevice* device, const AbutGpuBuffer* buffer);

/// Copies to the buffer; the device does not use it.
AbutResult abut_gpu_write(AbutDevice* device, const AbutGpuBuffer* buffer, uint64_t offset, const void* data,
                          uint64_t size);

/// Copies from the buffer what launches have written.
AbutResult abut_gpu_read(AbutDevice* device, const AbutGpuBuffer* buffer, uint64_t offset, void* out,
                         uint64_t size);

#endif
