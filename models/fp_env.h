/// @file fp_env.h
/// As base/fp_env.h of the core, for the libraries beside it: the first statement of each public function
/// that computes.
#ifndef ABUT_MODELS_FP_ENV_H
#define ABUT_MODELS_FP_ENV_H

#include <abut/base.h>

#define ABUT_FP_CALL(name, ...)                                                                              \
    do                                                                                                       \
    {                                                                                                        \
        AbutFpState fp_host_ = abut_fp_enter();                                                              \
        if (fp_host_.changed)                                                                                \
        {                                                                                                    \
            __typeof__(&(name)) fp_self_ = &(name);                                                          \
            __asm__ __volatile__("" : "+r"(fp_self_));                                                       \
            __typeof__(fp_self_(__VA_ARGS__)) fp_result_ = fp_self_(__VA_ARGS__);                            \
            abut_fp_leave(fp_host_);                                                                         \
            return fp_result_;                                                                               \
        }                                                                                                    \
    } while (0)

#endif
