/// @file instantiate.h
/// For the files kernels.c, which the build compiles once per instruction set with ABUT_WIDE_<SET> and
/// ABUT_SIMD_SET defined. Everything in them is static, or carries the name of the set.
#ifndef ABUT_SIMD_INSTANTIATE_H
#define ABUT_SIMD_INSTANTIATE_H

#include <stddef.h>

/// Whether the target processor of this compilation has the set.
#if defined(ABUT_WIDE_SCALAR) || (defined(ABUT_WIDE_SSE2) && defined(__SSE2__)) ||                           \
    (defined(ABUT_WIDE_AVX2) && defined(__AVX2__) && defined(__F16C__)) ||                                   \
    (defined(ABUT_WIDE_NEON) && defined(__aarch64__))
#define ABUT_SIMD_BUILT 1
#else
#define ABUT_SIMD_BUILT 0
#endif

#define ABUT_SIMD_PASTE(name, set) name##_##set
#define ABUT_SIMD_NAME(name, set) ABUT_SIMD_PASTE(name, set)

/// The table of this set, of the initialisers given.
#define ABUT_KERNEL_TABLE(Type, name, ...)                                                                   \
    static const Type kernel_table = { __VA_ARGS__ };                                                        \
    const Type* const ABUT_SIMD_NAME(name, ABUT_SIMD_SET) = &kernel_table;

#define ABUT_NO_KERNEL_TABLE(Type, name) const Type* const ABUT_SIMD_NAME(name, ABUT_SIMD_SET) = NULL;

#endif
