#version 450
// Algorithms 2 and 3 of Krayer et al.: particles of many pairs walk onto the intersections of their fields,
// and those that arrive are stored side by side, group by group.
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
    GpuPair pairs[];
};

layout(std430, set = 0, binding = 2) readonly buffer Spans
{
    GpuSpan spans[];
};

layout(std430, set = 0, binding = 3) readonly buffer Starts
{
    float starts[]; // x, y, z of each
};

layout(std430, set = 0, binding = 4) writeonly buffer Hits
{
    GpuHit hits[];
};

layout(std430, set = 0, binding = 5) buffer GroupCounts
{
    uint group_counts[]; // of hits; after the scan, the first hit of each group
};

layout(std430, set = 0, binding = 6) buffer SpanCounts
{
    GpuSpanCounts span_counts[];
};

layout(push_constant) uniform Launch
{
    GpuLaunch launch;
};

#include "narrow/particles/particle_math.inl"
#include "narrow/particles/start_math.inl"

#include "gpu/shaders/side.glsl"

#include "gpu/shaders/span.glsl"

#define PAIR pairs[pair]

WideVec start_of(uint pair, uint number)
{
    if (number >= PAIR.grid_count)
    {
        uint i = 3u * (PAIR.first_start + (number - PAIR.grid_count));
        return WideVec(starts[i], starts[i + 1u], starts[i + 2u]);
    }
    WideVec fraction;
    if (PAIR.quasi_random != 0u)
    {
        fraction = quasi_random_fractions(number);
    }
    else
    {
        uint x = PAIR.resolution[0], y = PAIR.resolution[1];
        fraction = WideVec(grid_fraction(number % x, PAIR.inverse[0]),
                           grid_fraction(number / x % y, PAIR.inverse[1]),
                           grid_fraction(number / x / y, PAIR.inverse[2]));
    }
    return WideVec(start_position(PAIR.low[0], PAIR.lengths[0], fraction.x),
                   start_position(PAIR.low[1], PAIR.lengths[1], fraction.y),
                   start_position(PAIR.low[2], PAIR.lengths[2], fraction.z));
}

shared uint arrived_bits[2];
shared uint step_sum;
shared uint first_span, last_span;

void store_hit(uint to, uint particle, WideVec at, WideSample a, WideSample b)
{
    hits[to].particle = particle;
    hits[to].at[0] = at.x;
    hits[to].at[1] = at.y;
    hits[to].at[2] = at.z;
    hits[to].distance[0] = a.distance;
    hits[to].distance[1] = b.distance;
    hits[to].gradient[0][0] = a.gradient.x;
    hits[to].gradient[0][1] = a.gradient.y;
    hits[to].gradient[0][2] = a.gradient.z;
    hits[to].gradient[1][0] = b.gradient.x;
    hits[to].gradient[1][1] = b.gradient.y;
    hits[to].gradient[1][2] = b.gradient.z;
}

void main()
{
    uint particle = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x, group = gl_WorkGroupID.x;
    bool exists = particle < launch.particle_count;
    if (local == 0u)
    {
        arrived_bits[0] = 0u;
        arrived_bits[1] = 0u;
        step_sum = 0u;
        first_span = find_span(particle);
        last_span = find_span(min(particle + (GPU_GROUP - 1u), launch.particle_count - 1u));
    }
    barrier();
    uint span = first_span;
    bool arrived = false, open = false;
    uint step_count = 0u;
    WideVec at = WideVec(0.0f, 0.0f, 0.0f);
    WideSample a = WideSample(0.0f, at), b = a;
    if (exists)
    {
        span = first_span == last_span ? first_span : find_span(particle);
        uint pair = spans[span].pair;
        uint limit = pairs[pair].steps;
        float epsilon = pairs[pair].epsilon, relaxation = pairs[pair].relaxation;
        GpuSide sides[2] = GpuSide[2](pairs[pair].sides[0], pairs[pair].sides[1]);
        GpuField views[2] = GpuField[2](fields[sides[0].field], fields[sides[1].field]);
        at = start_of(pair, spans[span].particle + (particle - spans[span].first));
        while (step_count < limit && !arrived)
        {
            if (!in_range(at))
            {
                open = true;
                break;
            }
            step_count += 1u;
            sample_sides(sides, views, at, a, b);
            WideParticle next = particle_step(at, a, b, epsilon, relaxation);
            at = next.at;
            arrived = next.arrived;
        }
    }
    if (launch.mode != GPU_PLACE && exists)
    {
        if (first_span == last_span)
        {
            atomicAdd(step_sum, step_count);
        }
        else
        {
            atomicAdd(span_counts[span].steps, step_count);
        }
        if (open)
        {
            atomicOr(span_counts[span].open, 1u);
        }
    }
    if (arrived)
    {
        atomicOr(arrived_bits[local >> 5], 1u << (local & 31u));
    }
    barrier();
    if (local == 0u && launch.mode != GPU_PLACE)
    {
        group_counts[group] = uint(bitCount(arrived_bits[0]) + bitCount(arrived_bits[1]));
        if (first_span == last_span)
        {
            atomicAdd(span_counts[first_span].steps, step_sum);
        }
    }
    if (arrived && launch.mode != GPU_COUNT)
    {
        uint before = arrived_bits[local >> 5] & ((1u << (local & 31u)) - 1u);
        uint rank = uint(bitCount(before)) + (local >= 32u ? uint(bitCount(arrived_bits[0])) : 0u);
        uint first = launch.mode == GPU_PLACE ? group_counts[group] : GPU_GROUP * group;
        store_hit(first + rank, particle, at, a, b);
    }
}
