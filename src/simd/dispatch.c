// Picks a kernel table once: the best that the processor runs, or the one that ABUT_SIMD names.
#include "simd/kernels.h"

#include <stdatomic.h>
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
    const AbutKernels* (*kernels)(void); // NULL where this build has none
    bool (*runs_here)(void);
} InstructionSet;

// Best first.
static const InstructionSet sets[] = {
    { "avx2", abut_kernels_avx2, has_avx2 },
    { "neon", abut_kernels_neon, always },
    { "sse2", abut_kernels_sse2, always },
    { "scalar", abut_kernels_scalar, always },
};

enum
{
    SET_COUNT = sizeof(sets) / sizeof(sets[0])
};

static const AbutKernels* table_of(const InstructionSet* set)
{
    const AbutKernels* table = set->kernels();
    return table != NULL && set->runs_here() ? table : NULL;
}

static const AbutKernels* choose(void)
{
    const char* wanted = getenv("ABUT_SIMD");
    const AbutKernels* best = NULL;
    for (int i = 0; i < SET_COUNT; ++i)
    {
        const AbutKernels* table = table_of(&sets[i]);
        if (table != NULL && wanted != NULL && strcmp(wanted, sets[i].name) == 0)
        {
            return table;
        }
        best = best == NULL ? table : best;
    }
    return best;
}

static _Atomic(const AbutKernels*) current;

const AbutKernels* abut_kernels(void)
{
    const AbutKernels* table = atomic_load_explicit(&current, memory_order_relaxed);
    if (table == NULL)
    {
        table = choose(); // the same for every thread that gets here
        atomic_store_explicit(&current, table, memory_order_relaxed);
    }
    return table;
}

const char* abut_simd_name(void)
{
    return abut_kernels()->name;
}

AbutResult abut_simd_force(const char* name)
{
    for (int i = 0; i < SET_COUNT; ++i)
    {
        if (strcmp(name, sets[i].name) != 0)
        {
            continue;
        }
        const AbutKernels* table = table_of(&sets[i]);
        if (table == NULL)
        {
            return abut_fail(ABUT_UNSUPPORTED, "the instruction set %s is not available here; %s is in use",
                             name, abut_simd_name());
        }
        atomic_store_explicit(&current, table, memory_order_relaxed);
        return ABUT_OK;
    }
    return abut_fail(ABUT_INVALID_ARGUMENT, "unknown instruction set '%s'; use scalar, sse2, avx2 or neon",
                     name);
}
