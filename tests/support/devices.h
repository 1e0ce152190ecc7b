/// @file devices.h
/// The devices of this machine, for tests that run on each of them: in the tests of this repository two
/// software devices, lavapipe and SwiftShader (tests/CMakeLists.txt).
#ifndef ABUT_TEST_DEVICES_H
#define ABUT_TEST_DEVICES_H

#include "support/support.h"

#include <abut/gpu.h>

/// ThreadSanitizer does not see the threads of drivers and the code that they compile. AddressSanitizer and
/// UndefinedBehaviorSanitizer watch our side; drivers leak, so leaks are counted by hosts of tests instead.
#define TEST_SKIPS_DEVICES 0
#ifdef __SANITIZE_THREAD__
#undef TEST_SKIPS_DEVICES
#define TEST_SKIPS_DEVICES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef TEST_SKIPS_DEVICES
#define TEST_SKIPS_DEVICES 1
#endif
#endif

enum
{
    TEST_DEVICES_MAX = 8
};

/// Indices of usable devices; skips the test when there is none. Fails when a device is refused.
uint32_t test_devices(uint32_t indices[TEST_DEVICES_MAX]);

/// The device of an index with a definition, whose name is replaced.
AbutDevice* test_device_open(uint32_t index, AbutDeviceDef def);

#endif
