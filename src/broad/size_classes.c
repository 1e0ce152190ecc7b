#include "broad/size_classes.h"

enum
{
    SAMPLE = 256,
    CLASSES = ABUT_SIZE_CLASSES_MAX,
    CLASSES_BELOW = 5,     // the class of most boxes
    REMEASURE_BUILDS = 16, // while the count of boxes is about the same
};

/// Boxes of a class per cell of the next, up to which the two are one level.
static const double few_per_cell = 2.0;

typedef struct Sample
{
    uint32_t count;
    float side[SAMPLE];
    float low[3][SAMPLE];
} Sample;

static void sort_floats(float* values, uint32_t count)
{
    static const uint32_t gaps[] = { 57, 23, 10, 4, 1 };
    for (unsigned g = 0; g < sizeof(gaps) / sizeof(gaps[0]); ++g)
    {
        for (uint32_t gap = gaps[g], i = gap; i < count; ++i)
        {
            float value = values[i];
            uint32_t k = i;
            for (; k >= gap && values[k - gap] > value; k -= gap)
            {
                values[k] = values[k - gap];
            }
            values[k] = value;
        }
    }
}

static void take_sample(const AbutBroadInput* input, Sample* sample)
{
    sample->count = input->count < SAMPLE ? input->count : SAMPLE;
    for (uint32_t i = 0; i < sample->count; ++i)
    {
        uint32_t id = input->ids[(uint64_t)i * input->count / sample->count];
        const AbutBox* box = &input->boxes[id];
        sample->side[i] = abut_box_side(box);
        sample->low[0][i] = box->min.x;
        sample->low[1][i] = box->min.y;
        sample->low[2][i] = box->min.z;
    }
}

/// The range from the 10th to the 90th percentile, and a quarter more on each side: most values, without
/// outliers.
static void middle_range(float* values, uint32_t count, float* low, float* side)
{
    sort_floats(values, count);
    float begin = values[count / 10], end = values[count - 1 - count / 10];
    *low = begin - 0.25f * (end - begin);
    *side = 1.5f * (end - begin);
}

static float median_side(const Sample* sample)
{
    float sides[SAMPLE];
    for (uint32_t i = 0; i < sample->count; ++i)
    {
        sides[i] = sample->side[i];
    }
    sort_floats(sides, sample->count);
    return sides[sample->count / 2];
}

/// Mean spacing of boxes with sides in (above, limit], for a sample of `box_count`.
static float spacing_of(const Sample* sample, float above, float limit, uint32_t box_count)
{
    uint32_t count = 0;
    float lows[3][SAMPLE];
    for (uint32_t i = 0; i < sample->count; ++i)
    {
        if (sample->side[i] > above && sample->side[i] <= limit)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                lows[axis][count] = sample->low[axis][i];
            }
            count += 1;
        }
    }
    if (count == 0)
    {
        return INFINITY;
    }
    double volume = 1.0,
           floor = (double)limit < (double)ABUT_BROAD_MAX_COORDINATE ? 0.25 * (double)limit : 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        float low, side;
        middle_range(lows[axis], count, &low, &side);
        volume *= (double)side > floor ? (double)side : floor; // a flat world is as thick as its boxes
    }
    double per_box = volume * sample->count / ((double)count * box_count);
    return (float)cbrt(per_box);
}

static void measure_levels(AbutSizeClasses* levels, const Sample* sample, uint32_t box_count)
{
    const float median = median_side(sample);
    const float base = 2.0f * (median > 0.0f ? median : spacing_of(sample, -1.0f, INFINITY, box_count));
    float above = -1.0f;
    levels->count = 0;
    for (int class = 0; class < CLASSES; ++class)
    {
        const bool last = class == CLASSES - 1;
        float limit = last ? INFINITY : ldexpf(base, 2 * (class - CLASSES_BELOW));
        float spacing = spacing_of(sample, above, limit, box_count);
        float next = 4.0f * limit / spacing;
        if (last || (double)(next * next * next) > few_per_cell)
        {
            levels->limit[levels->count] = limit;
            levels->spacing[levels->count] = spacing;
            levels->count += 1;
            above = limit;
        }
    }
}

/// Measured again when the count of boxes has changed much, and every now and then since boxes move. Levels
/// that do not fit are slow, not wrong.
static void update_levels(AbutSizeClasses* levels, const AbutBroadInput* input)
{
    const uint32_t before = levels->measured_count, slack = before / 8;
    levels->age += 1;
    if (levels->count > 0 && levels->age < REMEASURE_BUILDS && input->count <= before + slack &&
        input->count + slack >= before)
    {
        return;
    }
    Sample sample;
    take_sample(input, &sample);
    measure_levels(levels, &sample, input->count);
    middle_range(sample.low[0], sample.count, &levels->low[0], &levels->side[0]);
    middle_range(sample.low[1], sample.count, &levels->low[1], &levels->side[1]);
    middle_range(sample.low[2], sample.count, &levels->low[2], &levels->side[2]);
    levels->age = 0;
    levels->measured_count = input->count;
}

static uint32_t level_of(const AbutSizeClasses* levels, float side)
{
    uint32_t level = 0;
    while (level + 1 < levels->count && side > levels->limit[level])
    {
        level += 1;
    }
    return level;
}

/// Counts and longest sides of the boxes of each level.
static void count_levels(AbutSizeClasses* levels, const AbutBroadInput* input, uint32_t* counts)
{
    for (uint32_t level = 0; level < levels->count; ++level)
    {
        counts[level] = 0;
        levels->longest[level] = 0.0f;
    }
    for (uint32_t i = 0; i < input->count; ++i)
    {
        float side = abut_box_side(&input->boxes[input->ids[i]]);
        uint32_t level = level_of(levels, side);
        counts[level] += 1;
        levels->longest[level] = side > levels->longest[level] ? side : levels->longest[level];
    }
    for (uint32_t level = 0; level < levels->count; ++level)
    {
        levels->longest[level] *= 1.0f + 0x1p-20f; // a difference of floats may be rounded down
    }
}

bool abut_size_classes_divide(AbutSizeClasses* levels, const AbutBroadInput* input, const AbutHost* host,
                              AbutKeySort* order)
{
    if (!abut_key_sort_reserve(order, host, input->count))
    {
        return false;
    }
    if (input->count == 0)
    {
        levels->count = 0;
        return true;
    }
    update_levels(levels, input);
    uint32_t next[ABUT_SIZE_CLASSES_MAX];
    count_levels(levels, input, next);
    levels->first[0] = 0;
    for (uint32_t level = 0; level < levels->count; ++level)
    {
        levels->first[level + 1] = levels->first[level] + next[level];
        next[level] = levels->first[level];
    }
    for (uint32_t i = 0; i < input->count; ++i)
    {
        uint32_t level =
            levels->count > 1 ? level_of(levels, abut_box_side(&input->boxes[input->ids[i]])) : 0;
        order->items[next[level]++].id = input->ids[i];
    }
    return true;
}
