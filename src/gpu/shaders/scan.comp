#version 450
// Counts of hits of all groups to the number of the first hit of each: a prefix sum by one workgroup.
#extension GL_GOOGLE_include_directive : require

#define uint32_t uint
#define GPU_RECORD(name) struct name

#include "gpu/records.inl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 5) buffer GroupCounts
{
    uint group_counts[]; // and behind them the total
};

layout(push_constant) uniform Launch
{
    uint group_count;
};

shared uint sums[GPU_SCAN_GROUP];

void main()
{
    uint local = gl_LocalInvocationID.x;
    uint share = (group_count + GPU_SCAN_GROUP - 1u) / GPU_SCAN_GROUP;
    uint begin = min(local * share, group_count), end = min(begin + share, group_count);
    uint sum = 0u;
    for (uint i = begin; i < end; ++i)
    {
        sum += group_counts[i];
    }
    sums[local] = sum;
    barrier();
    for (uint distance = 1u; distance < GPU_SCAN_GROUP; distance *= 2u)
    {
        uint before = local >= distance ? sums[local - distance] : 0u;
        barrier();
        sums[local] += before;
        barrier();
    }
    uint first = sums[local] - sum;
    for (uint i = begin; i < end; ++i)
    {
        uint count = group_counts[i];
        group_counts[i] = first;
        first += count;
    }
    if (local == GPU_SCAN_GROUP - 1u)
    {
        group_counts[group_count] = sums[local];
    }
}
