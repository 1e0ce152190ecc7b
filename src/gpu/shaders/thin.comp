#version 450
// Thinning: particles that arrived but are not the deepest of their cell, or of the deepest of their pair,
// stay on the device.
//
// The processor selects in the end, by numbers in double and by rules for equals. Here hits are left out that
// it would not select: a cell counts where no rounding changes it, and of equals all stay. Also those stay
// that are the deepest of their task so far, of which the processor proves depths, and those with unusual
// numbers, which are not compared. Which stay does not depend on the order of invocations.
#extension GL_GOOGLE_include_directive : require

#include "gpu/shaders/lanes.glsl"

#include "gpu/records.inl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) buffer Table
{
    uint table[]; // by slot: a hit of the cell plus 1, or 0, and the inverse of the least order; or bins
};

layout(std430, set = 0, binding = 1) readonly buffer Pairs
{
    GpuPair pairs[];
};

layout(std430, set = 0, binding = 2) readonly buffer Spans
{
    GpuSpan spans[];
};

layout(std430, set = 0, binding = 3) buffer Keys
{
    GpuThinKey keys[];
};

layout(std430, set = 0, binding = 4) readonly buffer Hits
{
    GpuHit hits[];
};

layout(std430, set = 0, binding = 5) buffer GroupCounts
{
    uint group_counts[]; // as in walk.comp
};

layout(std430, set = 0, binding = 6) buffer SpanCounts
{
    GpuSpanCounts span_counts[];
};

layout(std430, set = 0, binding = 7) writeonly buffer Kept
{
    GpuHit kept[];
};

layout(push_constant) uniform Launch
{
    GpuThinLaunch launch;
};

#include "gpu/shaders/span.glsl"

/// Of the coordinate of a cell, in cells: four times what the device and the processor are apart.
#define CELL_ROUNDING 4.76837158203125e-7f // 2⁻²¹
#define MOST_CELLS 1048576.0f

uint size_of(float a)
{
    return floatBitsToUint(a) & 0x7FFFFFFFu;
}

/// The size of 2 to a power.
uint size_of_power(int power)
{
    return uint(127 + power) << 23;
}

int floor_of(float a)
{
    int whole = int(a);
    return exact_float(whole) > a ? whole - 1 : whole;
}

/// False where rounding could change the cell.
bool cell_of(float at, float per_length, float shift, out uint cell)
{
    float u = wide_add(wide_mul(at, per_length), shift);
    float bound = wide_mul(wide_add(wide_abs(u), 1.0f), CELL_ROUNDING);
    cell = 0u;
    if (!(wide_abs(u) < MOST_CELLS))
    {
        return false;
    }
    int low = floor_of(wide_sub(u, bound)), high = floor_of(wide_add(u, bound));
    cell = uint(low);
    return low == high;
}

/// Of numbers that give a finite contact, and that no device flushes or overflows.
bool is_usual(uint i, float separation)
{
    bool usual = size_of(separation) >= size_of_power(-100);
    for (uint side = 0u; side < 2u; ++side)
    {
        uint gradient = max(max(size_of(hits[i].gradient[side][0]), size_of(hits[i].gradient[side][1])),
                            size_of(hits[i].gradient[side][2]));
        usual = usual && gradient >= size_of_power(-20) && gradient < size_of_power(20) &&
                size_of(hits[i].distance[side]) < size_of_power(30);
    }
    uint at = max(max(size_of(hits[i].at[0]), size_of(hits[i].at[1])), size_of(hits[i].at[2]));
    return usual && at < size_of_power(30);
}

float separation_of(uint pair, float a, float b)
{
    bool apart = pairs[pair].across_gaps != 0u && (a > 0.0f || b > 0.0f);
    return apart ? wide_add(a, b) : wide_min(a, b);
}

void make_key(uint i)
{
    uint pair = spans[find_span(hits[i].particle)].pair, bits;
    float separation = separation_of(pair, hits[i].distance[0], hits[i].distance[1]);
    bool compared = pairs[pair].thin != 0u && is_usual(i, separation);
    for (uint axis = 0u; axis < 3u; ++axis)
    {
        uint cell;
        float shift = pairs[pair].cell_shift[axis];
        bool sure = cell_of(hits[i].at[axis], pairs[pair].cells_per_length, shift, cell);
        compared = compared && (sure || pairs[pair].thin != GPU_THIN_CELLS);
        keys[i].cell[axis] = cell;
    }
    bits = floatBitsToUint(separation);
    keys[i].pair = pair;
    keys[i].order = (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
    keys[i].state = compared ? GPU_HIT_COMPARED : GPU_HIT_ASIDE;
}

bool is_same_cell(uint i, uint j)
{
    return keys[i].pair == keys[j].pair && keys[i].cell[0] == keys[j].cell[0] &&
           keys[i].cell[1] == keys[j].cell[1] && keys[i].cell[2] == keys[j].cell[2];
}

/// The table has a free slot for each hit and as many others.
void insert(uint i)
{
    uint hash = keys[i].pair * 2654435761u;
    for (uint axis = 0u; axis < 3u; ++axis)
    {
        hash = (hash ^ (hash >> 15)) * 2246822519u + keys[i].cell[axis] * 3266489917u;
    }
    uint slot = (hash ^ (hash >> 13)) & (launch.slot_count - 1u);
    for (;;)
    {
        uint owner = atomicCompSwap(table[2u * slot], 0u, i + 1u);
        if (owner == 0u || is_same_cell(owner - 1u, i))
        {
            break;
        }
        slot = (slot + 1u) & (launch.slot_count - 1u);
    }
    atomicMax(table[2u * slot + 1u], ~keys[i].order);
    keys[i].slot = slot;
}

/// Hits by the next digit of their order, of those that have the digits so far of the last one wanted.
void count_digit(uint i)
{
    uint bins = GPU_THIN_BINS * keys[i].pair, shift = 28u - 4u * launch.digit, order = keys[i].order;
    if (launch.digit == 0u || (order >> shift) >> 4 == table[bins + 16u])
    {
        atomicAdd(table[bins + ((order >> shift) & 15u)], 1u);
    }
}

/// One more digit of the order of the last one wanted; of fewer hits than that, the largest.
void pick_digit(uint pair)
{
    uint bins = GPU_THIN_BINS * pair, digit = 0u;
    uint rest = launch.digit == 0u ? pairs[pair].keep : table[bins + 17u];
    for (; digit < 15u && table[bins + digit] < rest; ++digit)
    {
        rest -= table[bins + digit];
    }
    table[bins + 16u] = (table[bins + 16u] << 4) | digit;
    table[bins + 17u] = rest;
    for (uint i = 0u; i < 16u; ++i)
    {
        table[bins + i] = 0u;
    }
}

/// abut_particles_store() proves depths of these.
float depth_of(uint i)
{
    float a = hits[i].distance[0], b = hits[i].distance[1];
    return wide_sub(wide_sub(0.0f, wide_min(a, b)), wide_max(wide_max(a, b), 0.0f));
}

bool is_deepest_so_far(uint i, uint span)
{
    uint first = spans[span].first;
    uint task = first + (hits[i].particle - first) / launch.task_particles * launch.task_particles;
    float depth = depth_of(i);
    bool flushed = size_of(depth) < size_of_power(-100);
    for (uint j = i; j > 0u && hits[j - 1u].particle >= task; --j)
    {
        float before = depth_of(j - 1u);
        if (before > depth || (before == depth && !flushed))
        {
            return false;
        }
    }
    return true;
}

bool is_selected(uint i)
{
    uint thin = pairs[keys[i].pair].thin;
    return keys[i].state == GPU_HIT_ASIDE ||
           (thin == GPU_THIN_CELLS ? keys[i].order == ~table[2u * keys[i].slot + 1u]
                                   : keys[i].order <= table[GPU_THIN_BINS * keys[i].pair + 16u]);
}

shared uint kept_bits[2];

/// The count of hits of the group that stay, and what a hit that is left out means to its span.
void mark(uint i, uint local, bool exists)
{
    bool stays = false;
    if (exists)
    {
        uint span = find_span(hits[i].particle);
        stays = is_selected(i) || is_deepest_so_far(i, span);
        keys[i].state = stays ? 1u : 0u;
        atomicAdd(span_counts[span].thinned, stays ? 0u : 1u);
    }
    if (stays)
    {
        atomicAdd(kept_bits[0], 1u);
    }
    barrier();
    if (local == 0u)
    {
        group_counts[gl_WorkGroupID.x] = kept_bits[0];
    }
}

void store(uint i, uint local, bool exists)
{
    bool stays = exists && keys[i].state != 0u;
    if (stays)
    {
        atomicOr(kept_bits[local >> 5], 1u << (local & 31u));
    }
    barrier();
    if (stays)
    {
        uint before = kept_bits[local >> 5] & ((1u << (local & 31u)) - 1u);
        uint rank = uint(bitCount(before)) + (local >= 32u ? uint(bitCount(kept_bits[0])) : 0u);
        kept[group_counts[gl_WorkGroupID.x] + rank] = hits[i];
    }
}

void main()
{
    uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;
    bool exists = i < launch.count;
    if (local < 2u)
    {
        kept_bits[local] = 0u;
    }
    barrier();
    if (launch.pass == GPU_THIN_MARK)
    {
        mark(i, local, exists);
    }
    else if (launch.pass == GPU_THIN_STORE)
    {
        store(i, local, exists);
    }
    else if (!exists)
    {
        return;
    }
    else if (launch.pass == GPU_THIN_KEYS)
    {
        make_key(i);
    }
    else if (launch.pass == GPU_THIN_PICK)
    {
        pick_digit(i);
    }
    else if (keys[i].state == GPU_HIT_COMPARED)
    {
        if (launch.pass == GPU_THIN_INSERT)
        {
            insert(i);
        }
        else
        {
            count_digit(i);
        }
    }
}
