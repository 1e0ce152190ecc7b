#version 450
// Hits from the parts of their groups to one array without gaps, in the order of particles.
#extension GL_GOOGLE_include_directive : require

#define uint32_t uint
#define GPU_RECORD(name) struct name

#include "gpu/records.inl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 4) readonly buffer Scratch
{
    uint scratch[];
};

layout(std430, set = 0, binding = 5) readonly buffer GroupFirsts
{
    uint group_firsts[];
};

layout(std430, set = 0, binding = 7) writeonly buffer Gathered
{
    uint gathered[];
};

void main()
{
    uint group = gl_WorkGroupID.x, local = gl_LocalInvocationID.x;
    uint first = group_firsts[group], count = group_firsts[group + 1u] - first;
    uint from = GPU_HIT_WORDS * GPU_GROUP * group, to = GPU_HIT_WORDS * first;
    for (uint i = local; i < GPU_HIT_WORDS * count; i += GPU_GROUP)
    {
        gathered[to + i] = scratch[from + i];
    }
}
