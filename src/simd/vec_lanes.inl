// Vectors of lanes, and samples of distances: over one Wide, whatever it is. The includer has defined Wide,
// its operations and KERNEL_INLINE. These are the C side of the texts named *_math.inl, which compile as
// GLSL, too (src/gpu/shaders/lanes.glsl is the other side): values are made by constructors as GLSL has them.
#ifndef ABUT_SIMD_VEC_LANES_INL
#define ABUT_SIMD_VEC_LANES_INL

typedef struct WideVec
{
    Wide x, y, z;
} WideVec;

typedef struct WideSample
{
    Wide distance;
    WideVec gradient;
} WideSample;

#define WideVec(x, y, z) ((WideVec){ x, y, z })
#define WideSample(distance, gradient) ((WideSample){ distance, gradient })

/// Before the members of a struct that both languages have.
#define WIDE_STRUCT(name)                                                                                    \
    typedef struct name name;                                                                                \
    struct name

#include "simd/vec_math.inl"

#endif
