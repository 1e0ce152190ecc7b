/// @file self_test.h
/// A device against the processor, operation by operation.
#ifndef ABUT_GPU_SELF_TEST_H
#define ABUT_GPU_SELF_TEST_H

#include "gpu/device.h"

/// Writes a verdict of one line. @return ABUT_UNSUPPORTED with a message where a bit differs
AbutResult abut_gpu_self_test(AbutDevice* device, char* verdict, size_t size);

#endif
