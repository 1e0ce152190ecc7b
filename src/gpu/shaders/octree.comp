#version 450
// One pass of the dual octree traversals of many pairs: all boxes of a level are divided, with an invocation
// for each child. Open children are the boxes of the next pass or, of the last level, leaves.
//
// Where a child is stored depends on the order of invocations; which are stored, and what is said of each,
// does not, as long as there is room. The processor follows the numbers from record to record.
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

layout(std430, set = 0, binding = 2) buffer Boxes
{
    GpuOctreeBox boxes[];
};

layout(std430, set = 0, binding = 3) writeonly buffer Records
{
    GpuOctreeRecord records[];
};

layout(std430, set = 0, binding = 4) writeonly buffer Leaves
{
    GpuOctreeBox leaves[];
};

layout(std430, set = 0, binding = 5) buffer State
{
    GpuOctreeState state;
};

layout(std430, set = 0, binding = 6) buffer HitPasses
{
    uint hit_passes[]; // of each pair: the first pass with a hit
};

layout(push_constant) uniform Launch
{
    GpuOctreeLaunch launch;
};

#define BRICK_LEVEL 3u
#define LEAF_NUMBERS 72u
#define HALF_DIAGONAL 0.8660255f
#define NO_BOUND 3.0e38f

struct WideChild
{
    uint number;
    Wide off, outside;
};

#define OctreePairRef uint
#define OCTREE_PAIR(pair) pairs[pair]
#define OCTREE_IS_DENSE(pair) (fields[pairs[pair].sides[1].field].sparse == 0u)

uint load_octree_slot(uint pair, uint brick)
{
    return load_slot(fields[pairs[pair].sides[1].field], brick);
}

#include "search/dual_octree_math.inl"

int load_number(uint view, uint i)
{
    uint word = load_number_word(fields[view], i >> 1);
    return int(word << ((i & 1u) != 0u ? 0 : 16)) >> 16;
}

/// The first of the numbers of A's boxes of this level.
uint first_number(uint pair, uint level, out uvec3 groups)
{
    uint first = pairs[pair].a_first_brick;
    groups = (uvec3(pairs[pair].a_brick_count[0], pairs[pair].a_brick_count[1], pairs[pair].a_brick_count[2]) +
              1u) >> 1;
    for (uint above = BRICK_LEVEL + 1u; above < level; ++above)
    {
        first += 8u * groups.x * groups.y * groups.z;
        groups = (groups + 1u) >> 1;
    }
    return first;
}

/// A's number of a child (child_numbers() in search/dual_octree.c).
int number_of_child(uint pair, uvec3 index, uint level, uint child)
{
    uint view = pairs[pair].sides[0].field;
    uvec3 groups;
    if (level > BRICK_LEVEL)
    {
        uint first = first_number(pair, level, groups);
        return load_number(view, first + 8u * ((index.z * groups.y + index.y) * groups.x + index.x) + child);
    }
    uint down = BRICK_LEVEL - level; // 0: a brick, 1: an eighth of one
    uvec3 brick = index >> down;
    uint leaf = (brick.z * pairs[pair].a_brick_count[1] + brick.y) * pairs[pair].a_brick_count[0] + brick.x;
    leaf = fields[view].sparse != 0u ? load_slot(fields[view], leaf) : leaf;
    if (leaf != 0xFFFFFFFFu)
    {
        uint eighth = (index.z & 1u) * 4u + (index.y & 1u) * 2u + (index.x & 1u);
        return load_number(view, leaf * LEAF_NUMBERS + (down == 0u ? 0u : 8u + 8u * eighth) + child);
    }
    uint first = first_number(pair, BRICK_LEVEL + 1u, groups);
    uvec3 group = brick >> 1;
    uint in_group = (brick.z & 1u) * 4u + (brick.y & 1u) * 2u + (brick.x & 1u);
    int number =
        load_number(view, first + 8u * ((group.z * groups.y + group.y) * groups.x + group.x) + in_group);
    int size = max(abs(number) - int(pairs[pair].a_less[down]), 0);
    return number > 0 ? size : -size;
}

bool is_in_grid(uint pair, uvec3 index, uint level, uint child)
{
    if (level <= BRICK_LEVEL)
    {
        return true;
    }
    uint below = level - 1u - BRICK_LEVEL;
    uvec3 corner = (2u * index + uvec3(child & 1u, (child >> 1) & 1u, child >> 2)) << below;
    return corner.x < pairs[pair].a_brick_count[0] && corner.y < pairs[pair].a_brick_count[1] &&
           corner.z < pairs[pair].a_brick_count[2];
}

shared uint masks[GPU_BOXES_PER_GROUP];  // open, inside, hit
shared uint pushed[GPU_BOXES_PER_GROUP]; // children that are boxes or leaves
shared uint firsts[GPU_BOXES_PER_GROUP];
shared float values[GPU_GROUP], excesses[GPU_GROUP];

float child_middle(uint index, float size, uint upper)
{
    float middle = wide_mul(wide_add(wide_int_to_float(index), 0.5f), size), step = wide_mul(0.25f, size);
    return wide_add(middle, wide_mul(step, upper != 0u ? 1.0f : -1.0f));
}

/// Masks of one child, and its bounds in `values` and `excesses`.
uint classify(uint pair, uvec3 index, uint level, uint child, uint local)
{
    float size = exact_float(1 << int(level));
    float radius = wide_add(wide_mul(wide_mul(0.5f, size), HALF_DIAGONAL), pairs[pair].a_rounding);
    WideVec in_a = WideVec(child_middle(index.x, size, child & 1u),
                           child_middle(index.y, size, (child >> 1) & 1u),
                           child_middle(index.z, size, child >> 2));
    WideChild at = locate_child(pair, in_a);
    float a = wide_mul(exact_float(number_of_child(pair, index, level, child)), pairs[pair].a_step);
    float b = wide_mul(exact_float(load_number(pairs[pair].sides[1].field, at.number)), pairs[pair].b_step);
    float bound = wide_max(a, child_low(pair, b, at.off, at.outside));
    bool closed = wide_add(radius, pairs[pair].threshold) < bound;
    values[local] = NO_BOUND;
    excesses[local] = closed ? wide_sub(bound, radius) : NO_BOUND;
    if (closed)
    {
        return 0u;
    }
    float value = wide_max(a, child_distance(pair, b));
    float high = wide_max(a, child_distance(pair, wide_add(b, at.off)));
    values[local] = value;
    bool in_both = value < 0.0f && at.outside == 0.0f;
    bool hit = in_both && high < 0.0f, inside = in_both && high < wide_sub(0.0f, radius);
    return (1u | (inside ? 256u : 0u) | (hit ? 65536u : 0u)) << child;
}

/// Room for the pushed children of a box; their first number, or GPU_NOT_RECORDED.
uint reserve(uint count, bool are_leaves)
{
    uint first;
    if (are_leaves)
    {
        first = atomicAdd(state.leaf_count, count);
        if (first + count > launch.leaf_capacity)
        {
            atomicMin(state.leaf_end, first);
            return GPU_NOT_RECORDED;
        }
        return first;
    }
    first = atomicAdd(state.box_count, count);
    if (first + count > launch.box_capacity)
    {
        atomicMin(state.box_end, first);
        return GPU_NOT_RECORDED;
    }
    return first;
}

/// The record of a box from its eight children.
void store_record(uint i, uint pair, uint level, uint slot)
{
    uint best = 0u;
    float least = NO_BOUND, best_value = NO_BOUND;
    for (uint child = 0u; child < 8u; ++child)
    {
        uint from = 8u * slot + child;
        least = wide_min(least, excesses[from]);
        if (values[from] < best_value)
        {
            best_value = values[from];
            best = child;
        }
    }
    uint count = uint(bitCount(pushed[slot]));
    firsts[slot] = count > 0u ? reserve(count, level - 1u == pairs[pair].last_level) : GPU_NOT_RECORDED;
    records[i].masks = (masks[slot] & 0xFFFFFFu) | (best << 24) | GPU_RECORDED;
    records[i].first = firsts[slot];
    records[i].least = least < NO_BOUND ? floatBitsToUint(least) : 0x7F800000u;
    if ((masks[slot] >> 16 & 0xFFu) != 0u)
    {
        atomicMin(hit_passes[pair], launch.pass);
    }
}

void main()
{
    uint local = gl_LocalInvocationID.x, slot = local >> 3, child = local & 7u;
    uint i = state.level_begin + GPU_BOXES_PER_GROUP * gl_WorkGroupID.x + slot;
    bool exists = i < state.level_end;
    uint pair = exists ? boxes[i].pair : 0u;
    bool skipped = exists && pairs[pair].stops != 0u && hit_passes[pair] < launch.pass;
    uint level = pairs[pair].top - launch.pass;
    uvec3 index = exists ? uvec3(boxes[i].index[0], boxes[i].index[1], boxes[i].index[2]) : uvec3(0u);
    if (child == 0u)
    {
        masks[slot] = 0u;
        pushed[slot] = 0u;
        if (skipped)
        {
            records[i].masks = 0u;
        }
    }
    barrier();
    exists = exists && !skipped;
    if (exists)
    {
        uint bits = classify(pair, index, level, child, local);
        bool is_pushed = (bits & 0xFFu) != 0u && (bits & 0xFF00u) == 0u && is_in_grid(pair, index, level, child);
        atomicOr(masks[slot], bits);
        atomicOr(pushed[slot], is_pushed ? 1u << child : 0u);
    }
    barrier();
    if (exists && child == 0u)
    {
        store_record(i, pair, level, slot);
    }
    barrier();
    if (exists && (pushed[slot] >> child & 1u) != 0u && firsts[slot] != GPU_NOT_RECORDED)
    {
        uint to = firsts[slot] + uint(bitCount(pushed[slot] & ((1u << child) - 1u)));
        GpuOctreeBox box;
        box.pair = pair;
        box.index[0] = 2u * index.x + (child & 1u);
        box.index[1] = 2u * index.y + ((child >> 1) & 1u);
        box.index[2] = 2u * index.z + (child >> 2);
        if (level - 1u == pairs[pair].last_level)
        {
            leaves[to] = box;
        }
        else
        {
            boxes[to] = box;
        }
    }
}
