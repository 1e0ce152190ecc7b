// Samples of a field on a device.
#include "base/fp_env.h"
#include "base/memory.h"
#include "gpu/fields.h"
#include "gpu/launch.h"
#include "gpu/memory.h"
#include "gpu/node_range.h"
#include "gpu/records.h"

enum
{
    CHUNK = 1 << 18, // points of a launch
    POINT_WORDS = 3,
    SAMPLE_WORDS = 4
};

typedef struct SampleLaunch
{
    uint32_t point_count;
    uint32_t field;
} SampleLaunch;

static AbutResult launch(AbutDevice* device, uint32_t field, uint32_t count)
{
    const AbutGpuBuffer* buffers[ABUT_GPU_BINDINGS] = { NULL, &device->starts, &device->scratch };
    const SampleLaunch push = { count, field };
    abut_gpu_fields_bind(device, buffers);
    abut_gpu_bind(device, buffers);
    AbutResult result = abut_gpu_begin(device);
    result = result == ABUT_OK ? abut_gpu_dispatch(device, ABUT_GPU_SAMPLE, &push, sizeof(push),
                                                   (count + GPU_GROUP - 1) / GPU_GROUP)
                               : result;
    return result == ABUT_OK ? abut_gpu_submit(device, true) : result;
}

/// False where a point is out of range.
static bool pack_points(AbutPoints points, size_t first, uint32_t count, float* packed)
{
    bool good = true;
    for (uint32_t i = 0; i < count; ++i)
    {
        const float at[3] = { points.x[first + i], points.y[first + i], points.z[first + i] };
        for (int axis = 0; axis < 3; ++axis)
        {
            packed[POINT_WORDS * i + (uint32_t)axis] = at[axis];
            good = good && abut_gpu_in_range(at[axis], -127, GPU_LARGEST_EXPONENT);
        }
    }
    return good;
}

static void unpack_samples(const float* packed, size_t first, uint32_t count, AbutSamples out)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const float* s = packed + (size_t)SAMPLE_WORDS * i;
        out.distance[first + i] = s[0];
        if (out.gradient_x != NULL)
        {
            out.gradient_x[first + i] = s[1];
            out.gradient_y[first + i] = s[2];
            out.gradient_z[first + i] = s[3];
        }
    }
}

static AbutResult sample_chunk(AbutDevice* device, uint32_t field, AbutPoints points, size_t first,
                               uint32_t count, float* packed, AbutSamples out)
{
    if (!pack_points(points, first, count, packed))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "gpu: a point among %zu to %zu is not finite, or not within 2^60 of the origin",
                         first, first + count - 1);
    }
    AbutResult result =
        abut_gpu_write(device, &device->starts, 0, packed, (uint64_t)count * POINT_WORDS * sizeof(float));
    result = result == ABUT_OK ? launch(device, field, count) : result;
    result = result == ABUT_OK ? abut_gpu_read(device, &device->scratch, 0, packed,
                                               (uint64_t)count * SAMPLE_WORDS * sizeof(float))
                               : result;
    if (result == ABUT_OK)
    {
        unpack_samples(packed, first, count, out);
    }
    return result;
}

AbutResult abut_device_sample(AbutDevice* device, const AbutShape* field, AbutPoints points, size_t count,
                              AbutSamples out)
{
    ABUT_FP_CALL(abut_device_sample, device, field, points, count, out);
    uint32_t number;
    if (!abut_shape_is_field(field))
    {
        return abut_fail(ABUT_UNSUPPORTED, "gpu: devices sample fields alone; bake the shape first");
    }
    abut_gpu_fields_begin(device);
    AbutResult result = abut_gpu_field(device, field, &number);
    if (result != ABUT_OK)
    {
        return result == ABUT_UNSUPPORTED
                   ? abut_fail(result, "gpu: a field has numbers that a device might flush or overflow "
                                       "(docs/gpu.md)")
                   : result;
    }
    const size_t chunk = count < CHUNK ? count : CHUNK;
    float* packed = abut_memory_allocate(&device->host, chunk, SAMPLE_WORDS * sizeof(float));
    result = packed != NULL ? abut_gpu_reserve(device, chunk * POINT_WORDS * sizeof(float), &device->starts)
                            : ABUT_OUT_OF_MEMORY;
    result = result == ABUT_OK
                 ? abut_gpu_reserve(device, chunk * SAMPLE_WORDS * sizeof(float), &device->scratch)
                 : result;
    for (size_t first = 0; result == ABUT_OK && first < count; first += chunk)
    {
        size_t rest = count - first;
        result =
            sample_chunk(device, number, points, first, (uint32_t)(rest < chunk ? rest : chunk), packed, out);
    }
    abut_memory_free(&device->host, packed, chunk, SAMPLE_WORDS * sizeof(float));
    return result;
}
