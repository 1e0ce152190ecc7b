// The self-test of a device: sums, products, quotients, roots, conversions and comparisons of operands that
// show contraction, directed rounding and approximate division, bit by bit against the processor.
#include "gpu/self_test.h"

#include "base/memory.h"
#include "gpu/launch.h"
#include "gpu/memory.h"
#include "gpu/records.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ABUT_WIDE_SCALAR
#include "simd/lanes.inl"

enum
{
    CASES = 4096,
    RANDOM_FROM = 64, // cases of chosen operands before
    OPERANDS = 3
};

static const char* const names[GPU_TEST_RESULTS] = {
    "a sum",
    "a difference",
    "a product",
    "a quotient",
    "a root",
    "a contracted sum",
    "a contracted difference",
    "an integer as float",
    "a half as float",
    "a comparison",
    "a float as integer",
    "a dot product",
};

static uint32_t bits_of(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof(bits));
    return bits;
}

static uint32_t next_random(uint64_t* state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/// Chosen ones: ties of rounding, squares whose low half matters, ends of the exponents that are used.
static void make_operands(uint32_t operands[CASES][OPERANDS])
{
    static const float chosen[16] = { 1.0f,         -1.0f,      3.0f,    0x1.000002p0f,  0x1.fffffep0f,
                                      0x1p-24f,     0x1.8p-24f, 0x1p24f, 0x1.000002p24f, 0x1.fffffep23f,
                                      0x1p-60f,     0x1p59f,    0.1f,    0x1.555556p-2f, -0x1.000006p-1f,
                                      0x1.6a09e6p0f };
    uint64_t state = 1;
    for (uint32_t i = 0; i < CASES; ++i)
    {
        for (uint32_t k = 0; k < OPERANDS; ++k)
        {
            uint32_t random = next_random(&state);
            uint32_t exponent = 127u - 20u + (next_random(&state) >> 8) % 40u;
            operands[i][k] = (random & 0x807FFFFFu) | exponent << 23;
        }
        if (i < RANDOM_FROM)
        {
            operands[i][0] = bits_of(chosen[i % 16]);
            operands[i][1] = bits_of(chosen[(i + i / 16 * 5 + 3) % 16]);
        }
        if (i % 2 == 0) // c near −ab: a contracted sum keeps what rounding has dropped
        {
            float product = wide_mul(wide_from_bits(operands[i][0]), wide_from_bits(operands[i][1]));
            operands[i][2] = bits_of(-product);
        }
    }
}

static void expect(const uint32_t operands[OPERANDS], uint32_t results[GPU_TEST_RESULTS])
{
    float a = wide_from_bits(operands[0]), b = wide_from_bits(operands[1]), c = wide_from_bits(operands[2]);
    results[0] = bits_of(wide_add(a, b));
    results[1] = bits_of(wide_sub(a, b));
    results[2] = bits_of(wide_mul(a, b));
    results[3] = bits_of(wide_div(a, b));
    results[4] = bits_of(wide_sqrt(wide_abs(a)));
    results[5] = bits_of(wide_add(wide_mul(a, b), c));
    results[6] = bits_of(wide_sub(c, wide_mul(a, b)));
    results[7] = bits_of(wide_int_to_float(operands[0]));
    results[8] = bits_of(wide_half_to_float_1((uint16_t)(operands[1] & 0x7FFFu)));
    results[9] = (a < b ? 1u : 0u) | (a <= b ? 2u : 0u) | (a == b ? 4u : 0u);
    results[10] = wide_int_from_float(wide_min(wide_abs(a), 16777216.0f));
    results[11] = bits_of(dot3(WideVec(a, b, c), WideVec(b, c, a)));
}

static AbutResult compare(const AbutDevice* device, uint32_t operands[CASES][OPERANDS],
                          uint32_t results[CASES][GPU_TEST_RESULTS])
{
    for (uint32_t i = 0; i < CASES; ++i)
    {
        uint32_t expected[GPU_TEST_RESULTS];
        expect(operands[i], expected);
        for (uint32_t k = 0; k < GPU_TEST_RESULTS; ++k)
        {
            if (results[i][k] != expected[k])
            {
                return abut_fail(ABUT_UNSUPPORTED,
                                 "gpu: %s is refused: %s has other bits than the processor's (%08x, %08x, "
                                 "%08x gave %08x instead of %08x)",
                                 device->info.name, names[k], operands[i][0], operands[i][1], operands[i][2],
                                 results[i][k], expected[k]);
            }
        }
    }
    return ABUT_OK;
}

typedef struct TestMemory
{
    uint32_t operands[CASES][OPERANDS], results[CASES][GPU_TEST_RESULTS];
    AbutGpuBuffer buffers[2];
} TestMemory;

static AbutResult run(AbutDevice* device, TestMemory* test)
{
    const uint32_t count = CASES;
    const AbutGpuBuffer* bound[ABUT_GPU_BINDINGS] = { NULL, &test->buffers[0], &test->buffers[1] };
    make_operands(test->operands);
    AbutResult result = abut_gpu_reserve(device, sizeof(test->operands), &test->buffers[0]);
    result = result == ABUT_OK ? abut_gpu_reserve(device, sizeof(test->results), &test->buffers[1]) : result;
    result = result == ABUT_OK
                 ? abut_gpu_write(device, &test->buffers[0], 0, test->operands, sizeof(test->operands))
                 : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_gpu_bind(device, bound);
    result = abut_gpu_begin(device);
    result = result == ABUT_OK
                 ? abut_gpu_dispatch(device, ABUT_GPU_SELF_TEST, &count, sizeof(count), CASES / GPU_GROUP)
                 : result;
    result = result == ABUT_OK ? abut_gpu_submit(device, true) : result;
    result = result == ABUT_OK
                 ? abut_gpu_read(device, &test->buffers[1], 0, test->results, sizeof(test->results))
                 : result;
    return result == ABUT_OK ? compare(device, test->operands, test->results) : result;
}

AbutResult abut_gpu_self_test(AbutDevice* device, char* verdict, size_t size)
{
    TestMemory* test = abut_memory_allocate_zero(&device->host, 1, sizeof(TestMemory));
    if (test == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutResult result = run(device, test);
    abut_gpu_free(device, &test->buffers[0]);
    abut_gpu_free(device, &test->buffers[1]);
    abut_memory_free(&device->host, test, 1, sizeof(TestMemory));
    if (result == ABUT_OK)
    {
        snprintf(verdict, size, "passed: %d operations with the bits of the processor",
                 CASES * (int)GPU_TEST_RESULTS);
    }
    return result;
}
