// Picks the instruction set once: the best that the processor runs, or the one that ABUT_SIMD names.
#include "simd/dispatch.h"

#include <abut/base.h>

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

/// AVX2 and F16C, and an operating system that saves the wide registers.
static bool has_avx2(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
    {
        return false;
    }
    const unsigned needed = (1u << 27) | (1u << 28) | (1u << 29); // OSXSAVE, AVX, F16C
    if ((c & needed) != needed)
    {
        return false;
    }
    unsigned saved_low, saved_high;
    __asm__ volatile("xgetbv" : "=a"(saved_low), "=d"(saved_high) : "c"(0));
    if ((saved_low & 6u) != 6u) // SSE and AVX state
    {
        return false;
    }
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 5)) != 0;
}
#else
static bool has_avx2(void)
{
    return false;
}
#endif

static bool always(void)
{
    return true;
}

typedef struct InstructionSet
{
    const char* name;
    bool (*is_supported)(void);
} InstructionSet;

static const InstructionSet sets[] = {
    [ABUT_SIMD_SCALAR] = { "scalar", always },
    [ABUT_SIMD_SSE2] = { "sse2", always },
    [ABUT_SIMD_AVX2] = { "avx2", has_avx2 },
    [ABUT_SIMD_NEON] = { "neon", always },
};
_Static_assert(sizeof(sets) / sizeof(sets[0]) == ABUT_SIMD_SET_COUNT, "a set has no row");

atomic_int abut_simd_current = -1;

bool abut_simd_runs(AbutSimdSet set)
{
    return set < ABUT_SIMD_SET_COUNT && abut_simd_build_of(set) != NULL && sets[set].is_supported();
}

AbutSimdSet abut_simd_choose(void)
{
    const char* wanted = getenv("ABUT_SIMD");
    int chosen = ABUT_SIMD_SCALAR;
    for (int set = 0; set < ABUT_SIMD_SET_COUNT; ++set)
    {
        if (!abut_simd_runs((AbutSimdSet)set))
        {
            continue;
        }
        chosen = set;
        if (wanted != NULL && strcmp(wanted, sets[set].name) == 0)
        {
            break;
        }
    }
    atomic_store_explicit(&abut_simd_current, chosen,
                          memory_order_relaxed); // the same for every thread
    return (AbutSimdSet)chosen;
}

const char* abut_simd_name(void)
{
    return sets[abut_simd_set()].name;
}

AbutResult abut_simd_force(const char* name)
{
    for (int set = 0; set < ABUT_SIMD_SET_COUNT; ++set)
    {
        if (strcmp(name, sets[set].name) != 0)
        {
            continue;
        }
        if (!abut_simd_runs((AbutSimdSet)set))
        {
            return abut_fail(ABUT_UNSUPPORTED, "the instruction set %s is not available here; %s is in use",
                             name, abut_simd_name());
        }
        atomic_store_explicit(&abut_simd_current, set, memory_order_relaxed);
        return ABUT_OK;
    }
    return abut_fail(ABUT_INVALID_ARGUMENT, "unknown instruction set '%s'; use scalar, sse2, avx2 or neon",
                     name);
}
