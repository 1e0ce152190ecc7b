#version 450
// Between two passes over octrees: the boxes of the next one, and its size.
#extension GL_GOOGLE_include_directive : require

#define uint32_t uint
#define GPU_RECORD(name) struct name

#include "gpu/records.inl"

layout(local_size_x = 1) in;

layout(std430, set = 0, binding = 5) buffer State
{
    GpuOctreeState state;
};

void main()
{
    state.level_begin = state.level_end;
    state.level_end = min(state.box_count, state.box_end);
    uint count = state.level_end - state.level_begin;
    state.box_groups[0] = (count + GPU_BOXES_PER_GROUP - 1u) / GPU_BOXES_PER_GROUP;
    state.leaf_groups[0] = (min(state.leaf_count, state.leaf_end) + GPU_GROUP - 1u) / GPU_GROUP;
}
