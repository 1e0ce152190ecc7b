/// @file fields.h
/// Fields on a device, shared by all pairs: nodes and slots as they are in the block. The least recently used
/// ones make room for others.
#ifndef ABUT_GPU_FIELDS_H
#define ABUT_GPU_FIELDS_H

#include "field/bounds/surface_octree.h"
#include "field/field.h"
#include "gpu/device.h"
#include "gpu/records.h"

#define ABUT_GPU_NO_KIND UINT32_MAX

AbutResult abut_gpu_fields_create(AbutDevice* device);

void abut_gpu_fields_destroy(AbutDevice* device);

/// Fields used from now on stay until the next call.
void abut_gpu_fields_begin(AbutDevice* device);

/// The number of a field on the device, which it is copied to unless it is there.
/// @return ABUT_UNSUPPORTED for fields whose numbers the device might flush or overflow (as
/// abut_device_sample()), and ABUT_LIMIT_EXCEEDED where it does not fit beside those in use: then the
/// processor samples it. No message for a field that was refused before.
AbutResult abut_gpu_field(AbutDevice* device, const AbutShape* field, uint32_t* number);

/// The kind of all fields so far and those of the two sides: ABUT_GPU_ANY_KIND where they differ.
void abut_gpu_use_kinds(AbutDevice* device, const GpuSide sides[2], uint32_t* kind);

/// Fills in the buffers of fields, to be bound by abut_gpu_bind().
void abut_gpu_fields_bind(const AbutDevice* device, const AbutGpuBuffer* buffers[ABUT_GPU_BINDINGS]);

/// Of a field with a distance octree: the level of its root; boxes along an axis on a level; and the first of
/// their middles in GpuField.middles.
uint32_t abut_gpu_octree_top(const AbutField* field);
uint32_t abut_gpu_boxes_along(const AbutField* field, int axis, uint32_t level);
uint32_t abut_gpu_first_middle(const AbutField* field, int axis, uint32_t level);

#endif
