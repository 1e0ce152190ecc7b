// Samples of the two fields of a pair.
#ifndef ABUT_GPU_SIDE_GLSL
#define ABUT_GPU_SIDE_GLSL

#define FrameRef GpuFrame
#define FRAME(frame) frame

#include "shape/frame_math.inl"

WideSample sample_side(GpuSide side, GpuField field, WideVec at)
{
    bool has_frame = side.has_frame != 0u;
    WideVec local = at;
    if (has_frame)
    {
        local = into_frame(side.frame, at);
    }
    WideSample s = sample_any_field(field, local);
    if (has_frame)
    {
        s = out_of_frame(side.frame, s);
    }
    s.distance = wide_sub(s.distance, side.inflate);
    return s;
}

/// One text of the sampler for both sides: drivers compile it once.
void sample_sides(const GpuSide sides[2], const GpuField views[2], WideVec at, out WideSample a,
                  out WideSample b)
{
    for (uint i = 0u; i < 2u; ++i)
    {
        GpuSide side = sides[0];
        GpuField view = views[0];
        if (i == 1u)
        {
            side = sides[1];
            view = views[1];
        }
        WideSample s = sample_side(side, view, at);
        if (i == 0u)
        {
            a = s;
        }
        else
        {
            b = s;
        }
    }
}

/// By bits, since a device may treat NaN in its own way.
bool in_range(WideVec at)
{
    uint limit = uint(127 + GPU_LARGEST_EXPONENT) << 23;
    return (floatBitsToUint(at.x) & 0x7FFFFFFFu) < limit && (floatBitsToUint(at.y) & 0x7FFFFFFFu) < limit &&
           (floatBitsToUint(at.z) & 0x7FFFFFFFu) < limit;
}

#endif
