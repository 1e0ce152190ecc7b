#version 450
// Samples of one field at many points, in its own frame.
#extension GL_GOOGLE_include_directive : require
#ifdef GPU_ADDRESSES
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#include "gpu/shaders/lanes.glsl"

#include "gpu/shaders/field.glsl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 1) readonly buffer Points
{
    float points[]; // x, y, z of each
};

layout(std430, set = 0, binding = 2) writeonly buffer Samples
{
    float samples[]; // distance and gradient of each
};

layout(push_constant) uniform Launch
{
    uint point_count;
    uint view;
};

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= point_count)
    {
        return;
    }
    WideSample s = sample_any_field(fields[view], WideVec(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]));
    samples[4u * i] = s.distance;
    samples[4u * i + 1u] = s.gradient.x;
    samples[4u * i + 2u] = s.gradient.y;
    samples[4u * i + 3u] = s.gradient.z;
}
