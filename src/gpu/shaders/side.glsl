// Samples of the two fields of a pair. The includer defines SIDE(side), the GpuSide of number 2 · pair + side.
#ifndef ABUT_GPU_SIDE_GLSL
#define ABUT_GPU_SIDE_GLSL

#define FrameRef uint
#define FRAME(side) SIDE(side).frame

#include "shape/frame_math.inl"

WideSample sample_side(uint side, WideVec at)
{
    uint view = SIDE(side).field;
    bool has_frame = SIDE(side).has_frame != 0u;
    WideSample s = sample_any_field(view, has_frame ? into_frame(side, at) : at);
    if (has_frame)
    {
        s = out_of_frame(side, s);
    }
    s.distance = wide_sub(s.distance, SIDE(side).inflate);
    return s;
}

/// By bits, since a device may treat NaN in its own way.
bool in_range(WideVec at)
{
    uint limit = uint(127 + GPU_LARGEST_EXPONENT) << 23;
    return (floatBitsToUint(at.x) & 0x7FFFFFFFu) < limit && (floatBitsToUint(at.y) & 0x7FFFFFFFu) < limit &&
           (floatBitsToUint(at.z) & 0x7FFFFFFFu) < limit;
}

#endif
