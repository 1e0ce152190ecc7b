#version 450
// Samples of both fields at the middles of the leaves of octrees, and their projection
// (narrow/contacts/project_kernels.inl).
#extension GL_GOOGLE_include_directive : require
#ifdef GPU_ADDRESSES
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#include "gpu/shaders/lanes.glsl"

#include "gpu/shaders/field.glsl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 1) readonly buffer Pairs
{
    GpuOctreePair pairs[];
};

layout(std430, set = 0, binding = 4) readonly buffer Leaves
{
    GpuOctreeBox leaves[];
};

layout(std430, set = 0, binding = 5) readonly buffer State
{
    GpuOctreeState state;
};

layout(std430, set = 0, binding = 6) readonly buffer HitPasses
{
    uint hit_passes[];
};

layout(std430, set = 0, binding = 7) writeonly buffer Samples
{
    GpuHit samples[];
};

#include "gpu/shaders/side.glsl"

#include "search/approach_math.inl"

float middle_at(uint pair, uint axis, uint index)
{
    return uintBitsToFloat(
        load_middle_word(fields[pairs[pair].sides[0].field], pairs[pair].first_middle[axis] + index));
}

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= min(state.leaf_count, state.leaf_end))
    {
        return;
    }
    uint pair = leaves[i].pair, count = 0u;
    bool needed = pairs[pair].stops == 0u || hit_passes[pair] == GPU_NOT_RECORDED, moves = true;
    WideVec at = WideVec(middle_at(pair, 0u, leaves[i].index[0]), middle_at(pair, 1u, leaves[i].index[1]),
                         middle_at(pair, 2u, leaves[i].index[2]));
    WideVec next = at;
    WideSample a = WideSample(0.0f, at), b = a;
    GpuSide sides[2] = GpuSide[2](pairs[pair].sides[0], pairs[pair].sides[1]);
    GpuField views[2] = GpuField[2](fields[sides[0].field], fields[sides[1].field]);
    while (needed && moves)
    {
        at = next;
        if (!in_range(at))
        {
            count = 0u;
            break;
        }
        sample_sides(sides, views, at, a, b);
        WideApproach step = approach_step(at, a, b, pairs[pair].target);
        next = step.at;
        moves = step.moves && count < pairs[pair].steps;
        count += 1u;
    }
    samples[i].particle = count;
    samples[i].at[0] = at.x;
    samples[i].at[1] = at.y;
    samples[i].at[2] = at.z;
    samples[i].distance[0] = a.distance;
    samples[i].distance[1] = b.distance;
    samples[i].gradient[0][0] = a.gradient.x;
    samples[i].gradient[0][1] = a.gradient.y;
    samples[i].gradient[0][2] = a.gradient.z;
    samples[i].gradient[1][0] = b.gradient.x;
    samples[i].gradient[1][1] = b.gradient.y;
    samples[i].gradient[1][2] = b.gradient.z;
}
