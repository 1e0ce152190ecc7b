// Thinning of hits on a device: keys, the table of cells or the bins of digits, marks, and the copy.
#include "gpu/pairs/thin.h"

#include "gpu/launch.h"
#include "gpu/memory.h"

static uint32_t groups_of(uint32_t count)
{
    return (count + GPU_GROUP - 1) / GPU_GROUP;
}

/// Of the table of cells: half of it stays free.
static uint32_t slot_count(uint32_t hit_count)
{
    uint32_t count = 64;
    while (count < 2 * hit_count)
    {
        count *= 2;
    }
    return count;
}

static AbutResult reserve(AbutDevice* device, const AbutGpuThinInput* input)
{
    uint64_t cells = input->by_cell ? 2 * (uint64_t)slot_count(input->hit_count) : 0;
    uint64_t bins = input->by_depth ? GPU_THIN_BINS * (uint64_t)input->pair_count : 0;
    uint64_t words = cells > bins ? cells : bins;
    AbutResult result =
        abut_gpu_reserve(device, (uint64_t)input->hit_count * sizeof(GpuThinKey), &device->keys);
    result = result == ABUT_OK ? abut_gpu_reserve(device, words * sizeof(uint32_t), &device->table) : result;
    return result == ABUT_OK
               ? abut_gpu_reserve(device, (uint64_t)input->hit_count * sizeof(GpuHit), &device->scratch)
               : result;
}

static AbutResult record(AbutDevice* device, const AbutGpuThinInput* input, uint32_t pass, uint32_t digit)
{
    const GpuThinLaunch push = {
        .pass = pass,
        .count = pass == GPU_THIN_PICK ? input->pair_count : input->hit_count,
        .span_count = input->span_count,
        .slot_count = slot_count(input->hit_count),
        .digit = digit,
        .task_particles = input->task_particles,
    };
    return abut_gpu_dispatch(device, ABUT_GPU_THIN, &push, sizeof(push), groups_of(push.count));
}

/// The least order of each cell, or the largest one wanted of each pair.
static AbutResult record_selection(AbutDevice* device, const AbutGpuThinInput* input)
{
    AbutResult result = ABUT_OK;
    if (input->by_cell)
    {
        return record(device, input, GPU_THIN_INSERT, 0);
    }
    for (uint32_t digit = 0; result == ABUT_OK && digit < GPU_THIN_DIGITS; ++digit)
    {
        result = record(device, input, GPU_THIN_COUNT, digit);
        result = result == ABUT_OK ? record(device, input, GPU_THIN_PICK, digit) : result;
    }
    return result;
}

static AbutResult launch(AbutDevice* device, const AbutGpuThinInput* input)
{
    const AbutGpuBuffer* buffers[ABUT_GPU_BINDINGS] = {
        &device->table, &device->pairs,        &device->spans,       &device->keys,
        &device->hits,  &device->group_counts, &device->span_counts, &device->scratch,
    };
    uint32_t groups = groups_of(input->hit_count);
    abut_gpu_bind(device, buffers);
    AbutResult result = abut_gpu_begin(device);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_gpu_fill_zero(device, &device->table);
    abut_gpu_fill_zero(device, &device->span_counts);
    result = record(device, input, GPU_THIN_KEYS, 0);
    result = result == ABUT_OK ? record_selection(device, input) : result;
    result = result == ABUT_OK ? record(device, input, GPU_THIN_MARK, 0) : result;
    result =
        result == ABUT_OK ? abut_gpu_dispatch(device, ABUT_GPU_SCAN, &groups, sizeof(groups), 1) : result;
    result = result == ABUT_OK ? record(device, input, GPU_THIN_STORE, 0) : result;
    return result == ABUT_OK ? abut_gpu_submit(device, true) : result;
}

AbutResult abut_gpu_thin(AbutDevice* device, const AbutGpuThinInput* input, uint32_t* kept,
                         GpuSpanCounts* counts)
{
    AbutResult result = reserve(device, input);
    result = result == ABUT_OK ? launch(device, input) : result;
    result = result == ABUT_OK ? abut_gpu_read(device, &device->group_counts,
                                               (uint64_t)groups_of(input->hit_count) * sizeof(uint32_t), kept,
                                               sizeof(*kept))
                               : result;
    return result == ABUT_OK ? abut_gpu_read(device, &device->span_counts, 0, counts,
                                             input->span_count * sizeof(GpuSpanCounts))
                             : result;
}
