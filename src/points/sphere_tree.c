// A node is halved along the longest side of its box, and its halves again, until it has eight children or
// its parts are leaves. Halves have equal counts, so the tree is balanced for any points, and every level
// costs O(n). Spheres are made bottom up: a small one around points, or around the spheres of children, so
// that they are nested.
#include "points/sphere_tree.h"

#include "base/assert.h"
#include "base/sort.h"
#include "math/dvec3.h"
#include "math/rounding.h"

#include <string.h>

enum
{
    HALVINGS = 3,           // eight children
    SPHERE_ITERATIONS = 24, // of steps of a centre towards the furthest item
    MAX_ITERATIONS = 64,    // of selection; adversarial orders are sorted instead
    SHORT_RANGE = 16,
};

typedef struct Range
{
    uint32_t first, count;
} Range;

typedef struct Build
{
    const float* positions;
    uint64_t* keys;
    uint64_t* scratch;
    AbutPointTree* tree;
} Build;

static const float* position(const Build* build, uint32_t index)
{
    return build->positions + 3 * (size_t)build->tree->order[index];
}

static AbutBox range_box(const Build* build, Range range)
{
    AbutBox box = abut_box_empty();
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        const float* p = position(build, i);
        box = abut_box_add_point(box, abut_vec3(p[0], p[1], p[2]));
    }
    return box;
}

/// In double: the extent of a huge set overflows a float.
static int longest_side(AbutBox box)
{
    double x = (double)box.max.x - (double)box.min.x, y = (double)box.max.y - (double)box.min.y,
           z = (double)box.max.z - (double)box.min.z;
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/// The bits of a float as a number that has its order.
static uint32_t ordered_bits(float x)
{
    uint32_t bits;
    float value = x + 0.0f; // −0 is 0
    memcpy(&bits, &value, sizeof(bits));
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

static void insertion_sort(uint64_t* keys, size_t count)
{
    for (size_t i = 1; i < count; ++i)
    {
        uint64_t key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j)
        {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
    }
}

static uint64_t middle_of_three(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/// Keys differ, so each side of the pivot is smaller than the whole. Returns the final index of the pivot.
static size_t partition(uint64_t* keys, size_t count)
{
    uint64_t pivot = middle_of_three(keys[0], keys[count / 2], keys[count - 1]);
    size_t i = 0, j = count;
    for (;;)
    {
        while (keys[i] < pivot)
        {
            i += 1;
        }
        while (keys[j - 1] > pivot)
        {
            j -= 1;
        }
        if (i >= j - 1)
        {
            return i;
        }
        uint64_t t = keys[i];
        keys[i] = keys[j - 1];
        keys[j - 1] = t;
    }
}

/// Moves the `middle` smallest keys to the front.
static void select_front(uint64_t* keys, uint64_t* scratch, size_t count, size_t middle)
{
    for (int iteration = 0; count > SHORT_RANGE; ++iteration)
    {
        if (iteration == MAX_ITERATIONS)
        {
            abut_sort_keys(keys, scratch, count, 0);
            return;
        }
        size_t before = partition(keys, count); // keys[before] is final
        if (middle <= before)
        {
            count = before;
        }
        else
        {
            keys += before + 1;
            count -= before + 1;
            middle -= before + 1;
        }
    }
    insertion_sort(keys, count);
}

/// The first half of a range; the other half follows it. Ties of coordinates are broken by the index.
static Range take_half(Build* build, Range range)
{
    int axis = longest_side(range_box(build, range));
    uint32_t* order = build->tree->order + range.first;
    for (uint32_t i = 0; i < range.count; ++i)
    {
        float x = build->positions[3 * (size_t)order[i] + (size_t)axis];
        build->keys[i] = (uint64_t)ordered_bits(x) << 32 | order[i];
    }
    Range half = { range.first, range.count / 2 };
    select_front(build->keys, build->scratch, range.count, half.count);
    for (uint32_t i = 0; i < range.count; ++i)
    {
        order[i] = (uint32_t)build->keys[i];
    }
    return half;
}

/// Cuts a range into at most eight adjacent ones. Returns their count.
static uint32_t cut_range(Build* build, Range range, Range ranges[ABUT_POINT_CHILDREN])
{
    uint32_t count = 1;
    ranges[0] = range;
    for (int halving = 0; halving < HALVINGS; ++halving)
    {
        Range next[ABUT_POINT_CHILDREN];
        uint32_t next_count = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            if (ranges[i].count <= ABUT_POINT_LEAF)
            {
                next[next_count++] = ranges[i];
                continue;
            }
            Range half = take_half(build, ranges[i]);
            next[next_count++] = half;
            next[next_count++] = (Range){ half.first + half.count, ranges[i].count - half.count };
        }
        count = next_count;
        memcpy(ranges, next, count * sizeof(ranges[0]));
    }
    return count;
}

static void append_node(AbutPointTree* tree, Range range)
{
    AbutPointNode node = { .first_point = range.first, .point_count = range.count };
    tree->nodes[tree->node_count++] = node;
}

/// Level by level, so that children are neighbours and come after their parents.
static void split_nodes(Build* build, uint32_t count)
{
    AbutPointTree* tree = build->tree;
    append_node(tree, (Range){ 0, count });
    uint32_t level_end = 1;
    tree->depth = 1;
    for (uint32_t i = 0; i < tree->node_count; ++i)
    {
        if (i == level_end)
        {
            level_end = tree->node_count;
            tree->depth += 1;
        }
        AbutPointNode* node = &tree->nodes[i];
        if (node->point_count <= ABUT_POINT_LEAF)
        {
            continue;
        }
        Range ranges[ABUT_POINT_CHILDREN];
        uint32_t range_count = cut_range(build, (Range){ node->first_point, node->point_count }, ranges);
        node->first_child = tree->node_count;
        node->child_count = range_count;
        for (uint32_t k = 0; k < range_count; ++k)
        {
            append_node(tree, ranges[k]);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Spheres
// -----------------------------------------------------------------------------------------------------------

/// Spheres to cover: those of children, or points.
typedef struct Covered
{
    uint32_t count;
    AbutDVec3 at[ABUT_POINT_CHILDREN];
    double radius[ABUT_POINT_CHILDREN];
} Covered;

_Static_assert(ABUT_POINT_LEAF <= ABUT_POINT_CHILDREN, "the points of a leaf fit where children do");

static void gather_covered(const Build* build, const AbutPointNode* node, Covered* covered)
{
    covered->count = node->child_count > 0 ? node->child_count : node->point_count;
    for (uint32_t k = 0; k < covered->count; ++k)
    {
        const AbutPointNode* child = &build->tree->nodes[node->first_child + k];
        const float* p = node->child_count > 0 ? &child->center.x : position(build, node->first_point + k);
        covered->at[k] = abut_dvec3(p[0], p[1], p[2]);
        covered->radius[k] = node->child_count > 0 ? (double)child->radius : 0.0;
    }
}

/// Radius that covers all from a centre, and the item that needs it.
static double needed_radius(const Covered* covered, AbutDVec3 center, uint32_t* furthest)
{
    double radius = -1.0;
    for (uint32_t k = 0; k < covered->count; ++k)
    {
        double needed = abut_dvec3_distance(center, covered->at[k]) + covered->radius[k];
        if (needed > radius)
        {
            radius = needed;
            *furthest = k;
        }
    }
    return radius;
}

static AbutDVec3 middle_of_box(const Covered* covered)
{
    AbutDVec3 low = abut_dvec3(INFINITY, INFINITY, INFINITY), high = abut_dvec3_neg(low);
    for (uint32_t k = 0; k < covered->count; ++k)
    {
        AbutDVec3 at = covered->at[k];
        double radius = covered->radius[k];
        low = abut_dvec3(fmin(low.x, at.x - radius), fmin(low.y, at.y - radius), fmin(low.z, at.z - radius));
        high =
            abut_dvec3(fmax(high.x, at.x + radius), fmax(high.y, at.y + radius), fmax(high.z, at.z + radius));
    }
    return abut_dvec3_scale(abut_dvec3_add(low, high), 0.5);
}

/// A small sphere by steps towards the furthest item (Bădoiu & Clarkson), the best of all centres.
static void cover(const Covered* covered, AbutPointNode* node)
{
    AbutDVec3 center = middle_of_box(covered), best = abut_dvec3_zero();
    double best_radius = INFINITY;
    for (int iteration = 0; iteration < SPHERE_ITERATIONS; ++iteration)
    {
        uint32_t furthest = 0;
        double radius = needed_radius(covered, center, &furthest);
        if (radius < best_radius)
        {
            best_radius = radius;
            best = center;
        }
        double offset = abut_dvec3_distance(center, covered->at[furthest]);
        double step = offset > 0.0 ? radius / offset / (iteration + 2.0) : 0.0;
        center = abut_dvec3_lerp(center, covered->at[furthest], step);
    }
    node->center = abut_dvec3_to_vec3(best);
    AbutDVec3 rounded = abut_dvec3_from_vec3(node->center);
    uint32_t furthest;
    node->radius = abut_round_up(needed_radius(covered, rounded, &furthest) * (1.0 + 1e-12));
}

void abut_point_tree_build(const float* positions, uint32_t count, uint64_t* keys, uint64_t* scratch,
                           AbutPointTree* tree)
{
    ABUT_ASSERT(count <= ABUT_POINT_MAX_COUNT);
    Build build = { positions, keys, scratch, tree };
    tree->node_count = 0;
    tree->depth = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        tree->order[i] = i;
    }
    if (count == 0)
    {
        return;
    }
    split_nodes(&build, count);
    ABUT_ASSERT(tree->node_count <= abut_point_tree_capacity(count) && tree->depth <= ABUT_POINT_MAX_DEPTH);
    for (uint32_t i = tree->node_count; i-- > 0;) // children before parents
    {
        Covered covered;
        gather_covered(&build, &tree->nodes[i], &covered);
        cover(&covered, &tree->nodes[i]);
    }
}
