// Splits of the triangles of a node in two: along which axis, and where.
#include "bvh/lab/lab.h"

#include <float.h>

enum
{
    EVEN_PLANES = 15,
    RANDOM_CENTROIDS = 8,
    MOST_PLANES = EVEN_PLANES,
};

/// Keys are positions of centroids along a direction, times three.
static double key_of(const AbutBvhItem* item, AbutDVec3 direction)
{
    AbutDVec3 sum = abut_dvec3_from_vec3(item->corners[0]);
    sum = abut_dvec3_add(sum, abut_dvec3_from_vec3(item->corners[1]));
    sum = abut_dvec3_add(sum, abut_dvec3_from_vec3(item->corners[2]));
    return abut_dvec3_dot(direction, sum);
}

static void swap_items(AbutBvhItem* items, uint32_t i, uint32_t k)
{
    AbutBvhItem item = items[i];
    items[i] = items[k];
    items[k] = item;
}

// -----------------------------------------------------------------------------------------------------------
// Axes
// -----------------------------------------------------------------------------------------------------------

static AbutBox box_of(const AbutBvhItem* items, uint32_t count)
{
    AbutBox box = abut_box_empty();
    for (uint32_t i = 0; i < 3 * count; ++i)
    {
        box = abut_box_add_point(box, items[i / 3].corners[i % 3]);
    }
    return box;
}

static AbutDVec3 unit_axis(int axis)
{
    return abut_dvec3_with(abut_dvec3_zero(), axis, 1.0);
}

static int largest_axis(AbutDVec3 v)
{
    return v.x >= v.y && v.x >= v.z ? 0 : v.y >= v.z ? 1 : 2;
}

static AbutDVec3 longest_side(const AbutBvhDef* def, const AbutBvhItem* items, uint32_t count)
{
    if (def->volume == ABUT_BVH_ORIENTED_BOX)
    {
        AbutDMat3 axes = abut_bvh_principal_axes(items, count);
        return abut_dmat3_row(&axes, 0);
    }
    AbutBox box = box_of(items, count);
    AbutDVec3 size = abut_dvec3_sub(abut_dvec3_from_vec3(box.max), abut_dvec3_from_vec3(box.min));
    return unit_axis(largest_axis(size));
}

static AbutDVec3 axis_of_variance(const AbutBvhItem* items, uint32_t count)
{
    AbutDVec3 variance = abut_dvec3_zero();
    for (int axis = 0; axis < 3; ++axis)
    {
        AbutDVec3 direction = unit_axis(axis);
        double mean = 0.0, sum = 0.0;
        for (uint32_t i = 0; i < count; ++i)
        {
            mean += key_of(&items[i], direction);
        }
        mean /= count;
        for (uint32_t i = 0; i < count; ++i)
        {
            double d = key_of(&items[i], direction) - mean;
            sum += d * d;
        }
        variance = abut_dvec3_with(variance, axis, sum);
    }
    return unit_axis(largest_axis(variance));
}

static int directions_of(const AbutBvhDef* def, const AbutBvhItem* items, uint32_t count, AbutDVec3 out[3])
{
    switch (def->axis)
    {
    case ABUT_BVH_LONGEST_SIDE:
        out[0] = longest_side(def, items, count);
        return 1;
    case ABUT_BVH_LARGEST_VARIANCE:
        out[0] = axis_of_variance(items, count);
        return 1;
    default:
        out[0] = unit_axis(0);
        out[1] = unit_axis(1);
        out[2] = unit_axis(2);
        return 3;
    }
}

// -----------------------------------------------------------------------------------------------------------
// The median
// -----------------------------------------------------------------------------------------------------------

/// A total order: equal keys by the number of the triangle.
static bool is_before(const AbutBvhItem* a, const AbutBvhItem* b, AbutDVec3 direction)
{
    double x = key_of(a, direction), y = key_of(b, direction);
    return x < y || (x == y && a->triangle < b->triangle);
}

/// Moves the pivot, the middle one of three, to its position in the order and returns that.
static uint32_t partition(AbutBvhItem* items, uint32_t first, uint32_t end, AbutDVec3 direction)
{
    uint32_t last = end - 1, middle = first + (last - first) / 2;
    if (is_before(&items[middle], &items[first], direction))
    {
        swap_items(items, first, middle);
    }
    if (is_before(&items[last], &items[middle], direction))
    {
        swap_items(items, middle, last);
    }
    if (is_before(&items[middle], &items[first], direction))
    {
        swap_items(items, first, middle);
    }
    swap_items(items, middle, last);
    uint32_t at = first;
    for (uint32_t i = first; i < last; ++i)
    {
        if (is_before(&items[i], &items[last], direction))
        {
            swap_items(items, i, at++);
        }
    }
    swap_items(items, at, last);
    return at;
}

/// Halves of equal count, by quickselect.
static uint32_t split_median(AbutBvhItem* items, uint32_t count, AbutDVec3 direction)
{
    uint32_t wanted = count / 2, first = 0, end = count;
    while (end - first > 1)
    {
        uint32_t at = partition(items, first, end, direction);
        if (at == wanted)
        {
            break;
        }
        first = at < wanted ? at + 1 : first;
        end = at < wanted ? end : at;
    }
    return wanted;
}

// -----------------------------------------------------------------------------------------------------------
// Planes
// -----------------------------------------------------------------------------------------------------------

typedef struct Planes
{
    double at[MOST_PLANES]; // ascending
    int count;
} Planes;

typedef struct Interval
{
    double low, high, sum;
} Interval;

static Interval interval_of(const AbutBvhItem* items, uint32_t count, AbutDVec3 direction)
{
    Interval interval = { DBL_MAX, -DBL_MAX, 0.0 };
    for (uint32_t i = 0; i < count; ++i)
    {
        double key = key_of(&items[i], direction);
        interval.low = abut_smaller(interval.low, key);
        interval.high = abut_larger(interval.high, key);
        interval.sum += key;
    }
    return interval;
}

/// Middle of the triangles' corners along the direction, as a key.
static double spatial_median(const AbutBvhItem* items, uint32_t count, AbutDVec3 direction)
{
    double low = DBL_MAX, high = -DBL_MAX;
    for (uint32_t i = 0; i < 3 * count; ++i)
    {
        double along = abut_dvec3_dot(direction, abut_dvec3_from_vec3(items[i / 3].corners[i % 3]));
        low = abut_smaller(low, along);
        high = abut_larger(high, along);
    }
    return 1.5 * (low + high);
}

/// Multiplicative hashing: the same numbers in every run.
static uint32_t random_index(uint32_t seed, uint32_t i, uint32_t count)
{
    uint64_t x = ((uint64_t)seed << 32 | i) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)((x >> 32) % count);
}

static void add_plane(Planes* planes, double at)
{
    int i = planes->count++;
    for (; i > 0 && planes->at[i - 1] > at; --i)
    {
        planes->at[i] = planes->at[i - 1];
    }
    planes->at[i] = at;
}

static Planes planes_of(AbutBvhSplit split, const AbutBvhItem* items, uint32_t count, AbutDVec3 direction,
                        uint32_t seed)
{
    Planes planes = { .count = 0 };
    Interval interval = interval_of(items, count, direction);
    switch (split)
    {
    case ABUT_BVH_MEAN:
        add_plane(&planes, interval.sum / count);
        break;
    case ABUT_BVH_SPATIAL_MEDIAN:
        add_plane(&planes, spatial_median(items, count, direction));
        break;
    case ABUT_BVH_EVEN_PLANES:
        for (int i = 1; i <= EVEN_PLANES; ++i)
        {
            double fraction = (double)i / (EVEN_PLANES + 1);
            add_plane(&planes, interval.low + fraction * (interval.high - interval.low));
        }
        break;
    default:
        for (uint32_t i = 0; i < RANDOM_CENTROIDS; ++i)
        {
            add_plane(&planes, key_of(&items[random_index(seed, i, count)], direction));
        }
    }
    return planes;
}

// -----------------------------------------------------------------------------------------------------------
// Costs
// -----------------------------------------------------------------------------------------------------------

/// Triangles between two planes.
typedef struct Bin
{
    AbutBox box;
    uint32_t count;
} Bin;

static double half_area(AbutBox box)
{
    AbutDVec3 s = abut_dvec3_sub(abut_dvec3_from_vec3(box.max), abut_dvec3_from_vec3(box.min));
    return s.x * s.y + s.y * s.z + s.z * s.x;
}

static void fill_bins(const Planes* planes, const AbutBvhItem* items, uint32_t count, AbutDVec3 direction,
                      Bin bins[MOST_PLANES + 1])
{
    for (int i = 0; i <= planes->count; ++i)
    {
        bins[i] = (Bin){ abut_box_empty(), 0 };
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        double key = key_of(&items[i], direction);
        int bin = 0;
        while (bin < planes->count && key >= planes->at[bin])
        {
            bin += 1;
        }
        bins[bin].box = abut_box_union(bins[bin].box, box_of(&items[i], 1));
        bins[bin].count += 1;
    }
}

/// A plane and its cost in the surface area heuristic; DBL_MAX where it has all triangles on one side.
typedef struct Cut
{
    AbutDVec3 direction;
    double at, cost;
} Cut;

static Cut best_cut(const AbutBvhDef* def, const AbutBvhItem* items, uint32_t count, AbutDVec3 direction,
                    uint32_t seed)
{
    Planes planes = planes_of(def->split, items, count, direction, seed);
    Bin bins[MOST_PLANES + 1];
    fill_bins(&planes, items, count, direction, bins);
    double above[MOST_PLANES]; // costs of what is behind each plane
    Bin sum = { abut_box_empty(), 0 };
    for (int i = planes.count; i > 0; --i)
    {
        sum = (Bin){ abut_box_union(sum.box, bins[i].box), sum.count + bins[i].count };
        above[i - 1] = sum.count > 0 ? sum.count * half_area(sum.box) : DBL_MAX;
    }
    Cut best = { direction, 0.0, DBL_MAX };
    sum = (Bin){ abut_box_empty(), 0 };
    for (int i = 0; i < planes.count; ++i)
    {
        sum = (Bin){ abut_box_union(sum.box, bins[i].box), sum.count + bins[i].count };
        double cost =
            sum.count > 0 && above[i] < DBL_MAX ? sum.count * half_area(sum.box) + above[i] : DBL_MAX;
        best = cost < best.cost ? (Cut){ direction, planes.at[i], cost } : best;
    }
    return best;
}

static uint32_t split_plane(AbutBvhItem* items, uint32_t count, const Cut* cut)
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (key_of(&items[i], cut->direction) < cut->at)
        {
            swap_items(items, i, below++);
        }
    }
    return below;
}

static uint32_t split_best_median(AbutBvhItem* items, uint32_t count, const AbutDVec3* directions, int many)
{
    int best = 0;
    double best_cost = DBL_MAX;
    for (int i = 0; i < many && many > 1; ++i)
    {
        uint32_t half = split_median(items, count, directions[i]);
        double cost = half * half_area(box_of(items, half)) +
                      (count - half) * half_area(box_of(items + half, count - half));
        best = cost < best_cost ? i : best;
        best_cost = abut_smaller(cost, best_cost);
    }
    return split_median(items, count, directions[best]);
}

uint32_t abut_bvh_split(const AbutBvhDef* def, AbutBvhItem* items, uint32_t count, uint32_t seed)
{
    AbutDVec3 directions[3];
    int direction_count = directions_of(def, items, count, directions);
    if (def->split == ABUT_BVH_MEDIAN)
    {
        return split_best_median(items, count, directions, direction_count);
    }
    Cut best = { .cost = DBL_MAX };
    for (int i = 0; i < direction_count; ++i)
    {
        Cut cut = best_cut(def, items, count, directions[i], seed);
        best = cut.cost < best.cost ? cut : best;
    }
    uint32_t below = best.cost < DBL_MAX ? split_plane(items, count, &best) : 0;
    // Equal centroids have no plane between them.
    return below > 0 && below < count ? below : split_best_median(items, count, directions, direction_count);
}
