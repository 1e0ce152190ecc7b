/// @file devices.h
/// The devices of this machine, for tests that run on each of them: in the tests of this repository two
/// software devices, lavapipe and SwiftShader (tests/CMakeLists.txt).
#ifndef ABUT_TEST_DEVICES_H
#define ABUT_TEST_DEVICES_H

#include "support/support.h"

#include <abut/gpu.h>

enum
{
    TEST_DEVICES_MAX = 8
};

/// Indices of usable devices; skips the test when there is none. Fails when a device is refused.
uint32_t test_devices(uint32_t indices[TEST_DEVICES_MAX]);

/// The device of an index with a definition, whose name is replaced.
AbutDevice* test_device_open(uint32_t index, AbutDeviceDef def);

#endif
