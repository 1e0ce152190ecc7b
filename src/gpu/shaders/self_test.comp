#version 450
// One operation per operand, for comparison with the bits that the CPU has.
#extension GL_GOOGLE_include_directive : require

#include "gpu/shaders/lanes.glsl"

#include "gpu/records.inl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 1) readonly buffer Operands
{
    uint operands[]; // a, b, c of each case
};

layout(std430, set = 0, binding = 2) writeonly buffer Results
{
    uint results[]; // GPU_TEST_RESULTS of each case
};

layout(push_constant) uniform Launch
{
    uint case_count;
};

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= case_count)
    {
        return;
    }
    float a = uintBitsToFloat(operands[3u * i]), b = uintBitsToFloat(operands[3u * i + 1u]);
    float c = uintBitsToFloat(operands[3u * i + 2u]);
    uint to = GPU_TEST_RESULTS * i;
    results[to] = floatBitsToUint(wide_add(a, b));
    results[to + 1u] = floatBitsToUint(wide_sub(a, b));
    results[to + 2u] = floatBitsToUint(wide_mul(a, b));
    results[to + 3u] = floatBitsToUint(wide_div(a, b));
    results[to + 4u] = floatBitsToUint(wide_sqrt(wide_abs(a)));
    results[to + 5u] = floatBitsToUint(wide_add(wide_mul(a, b), c));
    results[to + 6u] = floatBitsToUint(wide_sub(c, wide_mul(a, b)));
    results[to + 7u] = floatBitsToUint(wide_int_to_float(operands[3u * i]));
    results[to + 8u] = floatBitsToUint(half_to_float(operands[3u * i + 1u] & 0x7FFFu));
    results[to + 9u] = (a < b ? 1u : 0u) | (a <= b ? 2u : 0u) | (a == b ? 4u : 0u);
    results[to + 10u] = wide_int_from_float(wide_min(wide_abs(a), 16777216.0f));
    results[to + 11u] = floatBitsToUint(dot3(WideVec(a, b, c), WideVec(b, c, a)));
}
