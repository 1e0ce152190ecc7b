#include "bake/distance/triangle_groups.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "math/dvec3.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

// fminf() and fmaxf() are calls into libm, which these are not; nothing here is NaN.
static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

// -----------------------------------------------------------------------------------------------------------
// Order: halves by the middle of the longest axis, cut where whole groups end
// -----------------------------------------------------------------------------------------------------------

enum
{
    MAX_RANGES = 256,   // a power of two
    SMALL_RANGE = 4096, // items that are not worth sharing out
    SAMPLE = 31         // items that a pivot is chosen from
};

typedef struct Item
{
    float center[3];
    uint32_t triangle;
} Item;

/// A total order. Without branches: which of two items comes first is not to be guessed.
static inline bool item_before(const Item* a, const Item* b, int axis)
{
    float x = a->center[axis], y = b->center[axis];
    return (bool)((x < y) | ((x == y) & (a->triangle < b->triangle)));
}

static inline void swap_items(Item* a, Item* b)
{
    Item c = *a;
    *a = *b;
    *b = c;
}

/// The item of a sample of [0, count) with an expected rank close to `left`.
static size_t choose_pivot(const Item* items, size_t count, size_t left, int axis)
{
    size_t sample[SAMPLE];
    size_t size = count < 64 ? 3 : (count < 1024 ? 9 : SAMPLE);
    for (size_t i = 0; i < size; ++i)
    {
        size_t candidate = (2 * i + 1) * count / (2 * size), k = i;
        for (; k > 0 && item_before(&items[candidate], &items[sample[k - 1]], axis); --k)
        {
            sample[k] = sample[k - 1];
        }
        sample[k] = candidate;
    }
    return sample[left * size / count < size ? left * size / count : size - 1];
}

/// Moves the items before the pivot to the front, the pivot behind them; returns its index.
static size_t partition_items(Item* items, size_t count, size_t pivot, int axis)
{
    size_t index = 0;
    swap_items(&items[pivot], &items[count - 1]);
    const Item last = items[count - 1];
    for (size_t i = 0; i + 1 < count; ++i)
    {
        bool before = item_before(&items[i], &last, axis);
        swap_items(&items[i], &items[index]);
        index += before;
    }
    swap_items(&items[index], &items[count - 1]);
    return index;
}

/// Moves the `left` first items in the order of `axis` to the front (quickselect; the pivot leaves the range
/// each time, so it ends).
static void select_items(Item* items, size_t count, size_t left, int axis)
{
    while (count > 1 && left > 0 && left < count)
    {
        size_t index = partition_items(items, count, choose_pivot(items, count, left, axis), axis);
        if (left <= index)
        {
            count = index;
        }
        else
        {
            items += index + 1;
            count -= index + 1;
            left -= index + 1;
        }
    }
}

static int longest_axis(const Item* items, size_t count)
{
    float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            low[axis] = smaller(low[axis], items[i].center[axis]);
            high[axis] = larger(high[axis], items[i].center[axis]);
        }
    }
    int longest = 0;
    for (int axis = 1; axis < 3; ++axis)
    {
        longest = high[axis] - low[axis] > high[longest] - low[longest] ? axis : longest;
    }
    return longest;
}

/// About half of `count`, in multiples of the largest 8 · 2^k that leaves two ranges.
static size_t left_count(size_t count)
{
    size_t unit = ABUT_GROUP_SIZE;
    while (unit * 4 <= count)
    {
        unit *= 2;
    }
    return (count / 2 + unit / 2) / unit * unit > 0 ? (count / 2 + unit / 2) / unit * unit : unit;
}

static void order_items(Item* items, size_t count)
{
    while (count > ABUT_GROUP_SIZE)
    {
        size_t left = left_count(count);
        select_items(items, count, left, longest_axis(items, count));
        order_items(items, left); // at most half: the depth is logarithmic
        items += left;
        count -= left;
    }
}

/// Parts of the items that are still to be put in order, each on its own.
typedef struct Ranges
{
    Item* items;
    size_t begin[MAX_RANGES + 1]; // of each range; the end of the last
    size_t left[MAX_RANGES];      // of each range, once it is halved
} Ranges;

static void halve_range(void* context, uint32_t i, uint32_t worker)
{
    (void)worker;
    Ranges* self = context;
    Item* items = self->items + self->begin[i];
    size_t count = self->begin[i + 1] - self->begin[i];
    self->left[i] = left_count(count);
    select_items(items, count, self->left[i], longest_axis(items, count));
}

static void order_range(void* context, uint32_t i, uint32_t worker)
{
    (void)worker;
    const Ranges* self = context;
    order_items(self->items + self->begin[i], self->begin[i + 1] - self->begin[i]);
}

/// The same order as order_items() gives, on all workers: all halves of a depth at once, and when there are
/// enough of them the rest of each.
static void order_all(Item* items, size_t count, const AbutHost* host)
{
    Ranges self = { .items = items, .begin = { 0, count } };
    uint32_t range_count = 1;
    while (range_count < MAX_RANGES && count / range_count > SMALL_RANGE)
    {
        abut_parallel_for(host, range_count, halve_range, &self);
        for (uint32_t i = range_count;
             i-- > 0;) // from the end, so that nothing is overwritten before it has moved
        {
            self.begin[2 * i + 2] = self.begin[i + 1];
            self.begin[2 * i + 1] = self.begin[i] + self.left[i];
        }
        range_count *= 2;
    }
    abut_parallel_for(host, range_count, order_range, &self);
}

static float middle_of(float a, float b, float c)
{
    float low = smaller(a, smaller(b, c)), high = larger(a, larger(b, c));
    return 0.5f * low + 0.5f * high;
}

static void fill_items(const AbutMesh* mesh, Item* items)
{
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        const uint32_t* index = mesh->indices + (size_t)t * 3;
        AbutVec3 a = mesh->vertices[index[0]], b = mesh->vertices[index[1]], c = mesh->vertices[index[2]];
        items[t] =
            (Item){ { middle_of(a.x, b.x, c.x), middle_of(a.y, b.y, c.y), middle_of(a.z, b.z, c.z) }, t };
    }
}

// -----------------------------------------------------------------------------------------------------------
// What the kernels read of one triangle
// -----------------------------------------------------------------------------------------------------------

/// Any unit vector at right angles to the unit vector u.
static AbutDVec3 perpendicular(AbutDVec3 u)
{
    AbutDVec3 a = abut_dvec3_abs(u);
    int smallest = a.x <= a.y && a.x <= a.z ? 0 : (a.y <= a.z ? 1 : 2);
    AbutDVec3 v = abut_dvec3_cross(u, abut_dvec3_with(abut_dvec3_zero(), smallest, 1.0));
    return abut_dvec3_div(v, abut_dvec3_length(v));
}

static void store(AbutDVec3 v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/// The edge from `a` to `b` of the flat triangle, which lies to its left.
static void fill_edge(struct AbutTriangleEdge* edge, const double a[2], const double b[2])
{
    double du = b[0] - a[0], dv = b[1] - a[1];
    double length = sqrt(du * du + dv * dv);
    // An edge without length, or a triangle without height, has a normal with an empty inside.
    double nu = length > 0.0 ? dv / length : 0.0, nv = length > 0.0 ? -du / length : 1.0;
    edge->normal[0] = (float)nu;
    edge->normal[1] = (float)nv;
    edge->offset = (float)(nu * a[0] + nv * a[1]);
    edge->middle = (float)(0.5 * (nu * (a[1] + b[1]) - nv * (a[0] + b[0])));
    edge->half_length = (float)(0.5 * length);
}

/// `corner[0]` to `corner[1]` is the longest edge.
static void fill_frame(AbutTriangleFrame* frame, const AbutDVec3 corner[3])
{
    AbutDVec3 edge = abut_dvec3_sub(corner[1], corner[0]);
    double length = abut_dvec3_length(edge);
    AbutDVec3 u = length > 0.0 ? abut_dvec3_div(edge, length) : abut_dvec3(1.0, 0.0, 0.0);
    store(abut_dvec3_scale(abut_dvec3_add(corner[0], corner[1]), 0.5), frame->origin);
    AbutDVec3 middle = abut_dvec3(frame->origin[0], frame->origin[1], frame->origin[2]);
    AbutDVec3 to_third = abut_dvec3_sub(corner[2], middle);
    double third_u = abut_dvec3_dot(to_third, u);
    AbutDVec3 v = abut_dvec3_mul_sub(to_third, third_u, u);
    double third_v = abut_dvec3_length(v);
    if (third_v > 1e-12 * length)
    {
        v = abut_dvec3_scale(v, 1.0 / third_v);
    }
    else
    {
        v = perpendicular(u);
        third_v = 0.0;
    }
    // The middle was rounded, so both ends are measured from it.
    const double ends[2][2] = { { abut_dvec3_dot(abut_dvec3_sub(corner[0], middle), u), 0.0 },
                                { abut_dvec3_dot(abut_dvec3_sub(corner[1], middle), u), 0.0 } };
    const double third[2] = { third_u, third_v };
    store(u, frame->u);
    store(v, frame->v);
    store(abut_dvec3_cross(u, v), frame->w);
    frame->half_length = (float)(0.5 * length);
    fill_edge(&frame->edges[0], ends[1], third);
    fill_edge(&frame->edges[1], third, ends[0]);
}

/// Squared radius of the smallest ball around a triangle with squared sides, the longest first; rounded up.
static float squared_ball(double longest, double b, double c)
{
    double radius = 0.25 * longest;
    if (longest < b + c) // acute: the circumscribed circle
    {
        double sixteen_area = 2.0 * (longest * b + b * c + c * longest) - longest * longest - b * b - c * c;
        radius = longest * b * c / sixteen_area;
    }
    return (float)(radius * (1.0 + 1e-6));
}

static void fill_triangle(AbutTriangleGroups* self, uint32_t index, const AbutVec3 vertices[3])
{
    const AbutDVec3 corners[3] = { abut_dvec3_from_vec3(vertices[0]), abut_dvec3_from_vec3(vertices[1]),
                                   abut_dvec3_from_vec3(vertices[2]) };
    const double side[] = { abut_dvec3_squared_length(abut_dvec3_sub(corners[0], corners[1])),
                            abut_dvec3_squared_length(abut_dvec3_sub(corners[1], corners[2])),
                            abut_dvec3_squared_length(abut_dvec3_sub(corners[2], corners[0])) };
    int first = side[0] >= side[1] && side[0] >= side[2] ? 0 : (side[1] >= side[2] ? 1 : 2);
    const AbutDVec3 rotated[3] = { corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3] };
    fill_frame(&self->frames[index], rotated);

    AbutCornerGroup* group = &self->corners[index / ABUT_GROUP_SIZE];
    AbutBoxGroup* box = &self->levels[0].groups[index / ABUT_GROUP_SIZE];
    uint32_t lane = index % ABUT_GROUP_SIZE;
    group->squared_ball[lane] = squared_ball(side[first], side[(first + 1) % 3], side[(first + 2) % 3]);
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            group->corner[corner][axis][lane] = (float)abut_dvec3_get(corners[corner], axis);
        }
        const float* a = group->corner[0][axis] + lane;
        const float *b = group->corner[1][axis] + lane, *c = group->corner[2][axis] + lane;
        box->low[axis][lane] = smaller(*a, smaller(*b, *c));
        box->high[axis][lane] = larger(*a, larger(*b, *c));
    }
}

/// A lane behind the last triangle: infinitely far from everything.
static void fill_padding(AbutTriangleGroups* self, uint32_t index)
{
    AbutCornerGroup* group = &self->corners[index / ABUT_GROUP_SIZE];
    AbutBoxGroup* box = &self->levels[0].groups[index / ABUT_GROUP_SIZE];
    uint32_t lane = index % ABUT_GROUP_SIZE;
    memset(&self->frames[index], 0, sizeof(AbutTriangleFrame));
    group->squared_ball[lane] = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            group->corner[corner][axis][lane] = INFINITY;
        }
        box->low[axis][lane] = INFINITY;
        box->high[axis][lane] = -INFINITY;
    }
}

enum
{
    FILLED_GROUPS = 512 // at a time
};

typedef struct Filling
{
    AbutTriangleGroups* groups;
    const AbutMesh* mesh;
} Filling;

static void fill_groups(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Filling* filling = context;
    AbutTriangleGroups* self = filling->groups;
    const AbutMesh* mesh = filling->mesh;
    uint32_t end = self->group_count - block * FILLED_GROUPS;
    end = block * FILLED_GROUPS + (end < FILLED_GROUPS ? end : FILLED_GROUPS);
    for (uint32_t i = block * FILLED_GROUPS * ABUT_GROUP_SIZE; i < end * ABUT_GROUP_SIZE; ++i)
    {
        if (i >= self->triangle_count)
        {
            fill_padding(self, i);
            continue;
        }
        const uint32_t* index = mesh->indices + (size_t)self->frames[i].number * 3;
        const AbutVec3 corners[3] = { mesh->vertices[index[0]], mesh->vertices[index[1]],
                                      mesh->vertices[index[2]] };
        fill_triangle(self, i, corners);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Levels
// -----------------------------------------------------------------------------------------------------------

/// Box `index` of a level: the union of group `index` of the level below.
static void fill_parent(const AbutGroupLevel* below, AbutGroupLevel* level, uint32_t index)
{
    AbutBoxGroup* box = &level->groups[index / ABUT_GROUP_SIZE];
    uint32_t lane = index % ABUT_GROUP_SIZE;
    for (int axis = 0; axis < 3; ++axis)
    {
        float low = INFINITY, high = -INFINITY;
        for (int k = 0; index < below->group_count && k < ABUT_GROUP_SIZE; ++k)
        {
            low = smaller(low, below->groups[index].low[axis][k]);
            high = larger(high, below->groups[index].high[axis][k]);
        }
        box->low[axis][lane] = low;
        box->high[axis][lane] = high;
    }
}

static bool allocate_level(AbutTriangleGroups* self, uint32_t group_count)
{
    AbutBoxGroup* groups = abut_memory_allocate(&self->host, group_count, sizeof(AbutBoxGroup));
    if (groups == NULL)
    {
        return false;
    }
    ABUT_ASSERT(self->level_count < ABUT_MAX_GROUP_LEVELS);
    self->levels[self->level_count++] = (AbutGroupLevel){ groups, group_count };
    return true;
}

static bool build_levels(AbutTriangleGroups* self)
{
    while (self->levels[self->level_count - 1].group_count > 1)
    {
        uint32_t below = self->levels[self->level_count - 1].group_count;
        if (!allocate_level(self, (below + ABUT_GROUP_SIZE - 1) / ABUT_GROUP_SIZE))
        {
            return false;
        }
        AbutGroupLevel* level = &self->levels[self->level_count - 1];
        for (uint32_t index = 0; index < level->group_count * ABUT_GROUP_SIZE; ++index)
        {
            fill_parent(level - 1, level, index);
        }
    }
    return true;
}

static bool allocate_groups(AbutTriangleGroups* self)
{
    size_t index_count = (size_t)self->group_count * ABUT_GROUP_SIZE;
    self->corners = abut_memory_allocate(&self->host, self->group_count, sizeof(AbutCornerGroup));
    self->frames = abut_memory_allocate(&self->host, index_count, sizeof(AbutTriangleFrame));
    return self->corners != NULL && self->frames != NULL && allocate_level(self, self->group_count);
}

static bool order_triangles(AbutTriangleGroups* self, const AbutMesh* mesh)
{
    Item* items = abut_memory_allocate(&self->host, mesh->triangle_count, sizeof(Item));
    if (items == NULL)
    {
        return false;
    }
    fill_items(mesh, items);
    order_all(items, mesh->triangle_count, &self->host);
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
    {
        self->frames[i].number = items[i].triangle;
    }
    abut_memory_free(&self->host, items, mesh->triangle_count, sizeof(Item));
    return true;
}

AbutResult abut_triangle_groups_create(const AbutMesh* mesh, const AbutHost* host, AbutTriangleGroups** out)
{
    ABUT_ASSERT(mesh->triangle_count > 0);
    *out = NULL;
    AbutHost resolved = abut_host_resolve(host);
    AbutTriangleGroups* self = abut_memory_allocate_zero(&resolved, 1, sizeof(AbutTriangleGroups));
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->host = resolved;
    self->triangle_count = mesh->triangle_count;
    self->group_count = (mesh->triangle_count + ABUT_GROUP_SIZE - 1) / ABUT_GROUP_SIZE;
    if (!allocate_groups(self) || !order_triangles(self, mesh))
    {
        abut_triangle_groups_destroy(self);
        return ABUT_OUT_OF_MEMORY;
    }
    Filling filling = { self, mesh };
    abut_parallel_for(&resolved, abut_block_count(self->group_count, FILLED_GROUPS), fill_groups, &filling);
    if (!build_levels(self))
    {
        abut_triangle_groups_destroy(self);
        return ABUT_OUT_OF_MEMORY;
    }
    *out = self;
    return ABUT_OK;
}

void abut_triangle_groups_destroy(AbutTriangleGroups* self)
{
    if (self == NULL)
    {
        return;
    }
    AbutHost host = self->host;
    size_t index_count = (size_t)self->group_count * ABUT_GROUP_SIZE;
    for (uint32_t i = 0; i < self->level_count; ++i)
    {
        abut_memory_free(&host, self->levels[i].groups, self->levels[i].group_count, sizeof(AbutBoxGroup));
    }
    abut_memory_free(&host, self->frames, index_count, sizeof(AbutTriangleFrame));
    abut_memory_free(&host, self->corners, self->group_count, sizeof(AbutCornerGroup));
    abut_memory_free(&host, self, 1, sizeof(AbutTriangleGroups));
}
