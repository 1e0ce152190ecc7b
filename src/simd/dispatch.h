/// @file dispatch.h
/// The instruction set in use, and the tables of kernels that each folder has for it.
///
/// A folder that calls kernels has a kernels.h, which defines its table and names the accessor with
/// ABUT_KERNELS, and a kernels.c, which is compiled once per instruction set. All tables switch together.
#ifndef ABUT_SIMD_DISPATCH_H
#define ABUT_SIMD_DISPATCH_H

#include <stdatomic.h>
#include <stdbool.h>

/// Every instruction set, the worst first. A new one is a word here, in src/CMakeLists.txt and in
/// simd/instantiate.h, a row in dispatch.c, and its wide_<set>.h.
#define ABUT_SIMD_SETS(SET, Type, name)                                                                      \
    SET(Type, name, scalar, SCALAR)                                                                          \
    SET(Type, name, sse2, SSE2)                                                                              \
    SET(Type, name, avx2, AVX2)                                                                              \
    SET(Type, name, neon, NEON)

#define ABUT_SIMD_ENUMERATOR(Type, name, set, SET) ABUT_SIMD_##SET,

typedef enum AbutSimdSet
{
    ABUT_SIMD_SETS(ABUT_SIMD_ENUMERATOR, , ) ABUT_SIMD_SET_COUNT
} AbutSimdSet;

/// An AbutSimdSet, or −1 before the first use.
extern atomic_int abut_simd_current;

/// Chooses the best set that was built and that the processor has, or the one that ABUT_SIMD names.
AbutSimdSet abut_simd_choose(void);

/// The set in use.
static inline AbutSimdSet abut_simd_set(void)
{
    int set = atomic_load_explicit(&abut_simd_current, memory_order_relaxed);
    return set >= 0 ? (AbutSimdSet)set : abut_simd_choose();
}

/// Built, and the processor has it.
bool abut_simd_runs(AbutSimdSet set);

#define ABUT_KERNELS_DECLARE(Type, name, set, SET) extern const Type* const name##_##set;
#define ABUT_KERNELS_CASE(Type, name, set, SET)                                                              \
    case ABUT_SIMD_##SET:                                                                                    \
        return name##_##set;

/// Declares the tables of a folder: `name`() is that of the set in use, `name`_of() that of any set, NULL
/// where it was not built.
#define ABUT_KERNELS(Type, name)                                                                             \
    ABUT_SIMD_SETS(ABUT_KERNELS_DECLARE, Type, name)                                                         \
    static inline const Type* name##_of(AbutSimdSet set)                                                     \
    {                                                                                                        \
        switch (set)                                                                                         \
        {                                                                                                    \
            ABUT_SIMD_SETS(ABUT_KERNELS_CASE, Type, name)                                                    \
        default:                                                                                             \
            return name##_scalar;                                                                            \
        }                                                                                                    \
    }                                                                                                        \
    static inline const Type* name(void)                                                                     \
    {                                                                                                        \
        return name##_of(abut_simd_set());                                                                   \
    }

/// The table of simd/kernels.c, whose presence tells that a set was built.
typedef struct AbutSimdBuild
{
    bool built;
} AbutSimdBuild;

ABUT_KERNELS(AbutSimdBuild, abut_simd_build)

#endif
