/// @file fp_env.h
/// The floating-point environment that abut computes in: rounding to nearest, subnormal numbers as they are,
/// no traps. A host may have set another one, or others in some of its threads; results would differ, proofs
/// would not hold, and a trap would end the program.
///
/// So every public function that computes begins with ABUT_FP_CALL() or ABUT_FP_CALL_VOID()
/// (tools/check_fp_env sees to it), and every block of a parallel loop sets it (abut_parallel_for). In the
/// usual environment that costs one read of the control register and a branch. In any other the function sets
/// the usual one, calls itself, and restores the environment of the caller, flags included. The call goes
/// through a pointer that the compiler cannot see through: it does not know that arithmetic depends on the
/// register, and would move it.
///
/// x86-64 computes with SSE alone (MXCSR); the control word of the x87 is not used, and neither is long
/// double. 64-bit Arm: FPCR. Elsewhere the rounding mode alone is set.
#ifndef ABUT_BASE_FP_ENV_H
#define ABUT_BASE_FP_ENV_H

#include <abut/base.h>

#if defined(__x86_64__)

/// Masks of exceptions, rounding, flush-to-zero and denormals-are-zero; the rest are flags.
#define ABUT_FP_CONTROL 0xffc0u
#define ABUT_FP_DEFAULT 0x1f80u

static inline uint64_t abut_fp_read(void)
{
    uint32_t bits;
    __asm__ __volatile__("stmxcsr %0" : "=m"(bits));
    return bits;
}

static inline void abut_fp_write(uint64_t state)
{
    uint32_t bits = (uint32_t)state;
    __asm__ __volatile__("ldmxcsr %0" : : "m"(bits) : "memory");
}

#elif defined(__aarch64__)

/// Everything but the condition flags: traps, rounding, flush-to-zero, default NaN.
#define ABUT_FP_CONTROL UINT64_MAX
#define ABUT_FP_DEFAULT 0u

static inline uint64_t abut_fp_read(void)
{
    uint64_t bits;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(bits));
    return bits;
}

static inline void abut_fp_write(uint64_t state)
{
    __asm__ __volatile__("msr fpcr, %0" : : "r"(state) : "memory");
}

#else

#include <fenv.h>

#define ABUT_FP_CONTROL UINT64_MAX
#define ABUT_FP_DEFAULT ((uint64_t)FE_TONEAREST)

static inline uint64_t abut_fp_read(void)
{
    return (uint64_t)fegetround();
}

static inline void abut_fp_write(uint64_t state)
{
    fesetround((int)state);
}

#endif

static inline bool abut_fp_is_default(void)
{
    return (abut_fp_read() & ABUT_FP_CONTROL) == ABUT_FP_DEFAULT;
}

/// After a function of the host that may have left another environment behind.
static inline void abut_fp_reset(void)
{
    if (!abut_fp_is_default())
    {
        abut_fp_write(ABUT_FP_DEFAULT);
    }
}

#define ABUT_FP_HIDE(pointer) __asm__ __volatile__("" : "+r"(pointer))

/// First statement of a public function that returns a value: its own name and arguments.
#define ABUT_FP_CALL(name, ...)                                                                              \
    do                                                                                                       \
    {                                                                                                        \
        if (!abut_fp_is_default())                                                                           \
        {                                                                                                    \
            AbutFpState fp_host_ = abut_fp_enter();                                                          \
            __typeof__(&(name)) fp_self_ = &(name);                                                          \
            ABUT_FP_HIDE(fp_self_);                                                                          \
            __typeof__(fp_self_(__VA_ARGS__)) fp_result_ = fp_self_(__VA_ARGS__);                            \
            abut_fp_leave(fp_host_);                                                                         \
            return fp_result_;                                                                               \
        }                                                                                                    \
    } while (0)

/// The same for one that returns nothing.
#define ABUT_FP_CALL_VOID(name, ...)                                                                         \
    do                                                                                                       \
    {                                                                                                        \
        if (!abut_fp_is_default())                                                                           \
        {                                                                                                    \
            AbutFpState fp_host_ = abut_fp_enter();                                                          \
            __typeof__(&(name)) fp_self_ = &(name);                                                          \
            ABUT_FP_HIDE(fp_self_);                                                                          \
            fp_self_(__VA_ARGS__);                                                                           \
            abut_fp_leave(fp_host_);                                                                         \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

#endif
