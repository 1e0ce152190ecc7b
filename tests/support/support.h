/// @file support.h
/// What every test uses: cmocka, seeded random numbers, a host that counts, fails and runs on a chosen number
/// of threads.
#ifndef ABUT_TEST_SUPPORT_H
#define ABUT_TEST_SUPPORT_H

// cmocka wants these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/sanitized.h"

#include <abut/abut.h>

/// Of random cases a tenth under sanitizers.
#define TEST_ROUNDS(count) (TEST_IS_SANITIZED ? (count) / 10 : (count))

/// The number in an environment variable, by which long runs ask for more cases; or `usual` without one.
int test_count(const char* variable, int usual);

/// Of cases that take seconds: all of them in `make soak` (ABUT_TEST_HEAVY), else a quarter, and a tenth
/// under sanitizers.
int test_heavy_count(int count);

/// Seeded random numbers, the same on every machine (splitmix64).
typedef struct TestRandom
{
    uint64_t state;
} TestRandom;

uint64_t test_random_bits(TestRandom* random);
double test_random_unit(TestRandom* random);                               ///< [0, 1)
double test_random_range(TestRandom* random, double low, double high);     ///< [low, high)
AbutVec3 test_random_point(TestRandom* random, double half_extent);        ///< in a cube about the origin
AbutPosition test_random_position(TestRandom* random, double half_extent); ///< the same in double
AbutVec3 test_random_direction(TestRandom* random);                        ///< unit length
AbutVec3 test_random_vector(TestRandom* random, double low,
                            double high); ///< any direction, length in [low, high)
AbutQuat test_random_rotation(TestRandom* random);

/// A host that counts live allocations and can fail the n-th. Not thread-safe: its loops run on the calling
/// thread.
typedef struct TestHost
{
    AbutHost host;
    uint64_t fail_at;    ///< the allocation that fails, counted from 1; 0 for none
    uint64_t byte_limit; ///< allocations that would take more than this together fail; 0 for none
    uint64_t allocation_count;
    uint64_t live_count;
    uint64_t live_bytes;
    uint64_t peak_bytes;
} TestHost;

void test_host_init(TestHost* test_host);

/// Calls create(context, host) with the 1st, 2nd, ... allocation failing until it succeeds. It must return
/// ABUT_OUT_OF_MEMORY with a message each time before, and when it returns (having destroyed what it made)
/// nothing may be alive. Returns the number of allocations of the successful run; fails the test when there
/// were none.
uint64_t test_fail_every_allocation(AbutResult (*create)(void* context, const AbutHost* host), void* context);

/// Fails with both values when |actual − expected| > tolerance or either is NaN.
#define test_assert_near(actual, expected, tolerance)                                                        \
    test_check_near((double)(actual), (double)(expected), (double)(tolerance), #actual, __FILE__, __LINE__)
void test_check_near(double actual, double expected, double tolerance, const char* what, const char* file,
                     int line);

#define test_assert_result(call, expected) test_check_result((call), (expected), #call, __FILE__, __LINE__)
void test_check_result(AbutResult actual, AbutResult expected, const char* what, const char* file, int line);

/// The members of both questions about a pair.
AbutSpeculativeSettings test_speculative_settings(const AbutCollideSettings* settings);
AbutSpeculativeInput test_speculative_input(const AbutCollideInput* input);

/// Path of a file among the shared meshes in a static buffer, or NULL when it is not there.
const char* test_shared_mesh(const char* name);

/// Hash of what is computed with the host.
typedef uint64_t TestHashFn(void* context, const AbutHost* host);

/// The hash is the same for 1, 2 and 7 workers, and for each instruction set of the machine.
void test_assert_same_bytes(TestHashFn* hash, void* context);

#endif
