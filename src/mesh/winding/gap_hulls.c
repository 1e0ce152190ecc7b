#include "mesh/winding/gap_hulls.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/corners.h"

#include <string.h>

static const double A = 0.70710678118654752, B = 0.57735026918962576;

/// Rounding of floats, relative to the largest coordinate: the middles of the caps of regions.h are rounded
/// to floats.
static const double ROUNDING = 1e-6;

typedef struct Hulling
{
    const AbutBorder* border;
    uint32_t* loops;   // by point: union-find forest of the points that edges connect
    uint32_t* numbers; // by root: of the hull
    AbutGapHulls* out;
    AbutDVec3* middles; // by hull: a point of it
    AbutBox* boxes;
} Hulling;

static double along(const AbutGapHull* hull, int slab, AbutDVec3 p)
{
    switch (slab)
    {
    case 0:
        return p.x;
    case 1:
        return p.y;
    case 2:
        return p.z;
    case 3:
        return A * (p.x + p.y);
    case 4:
        return A * (p.x - p.y);
    case 5:
        return A * (p.y + p.z);
    case 6:
        return A * (p.y - p.z);
    case 7:
        return A * (p.z + p.x);
    case 8:
        return A * (p.z - p.x);
    case 9:
        return B * (p.x + p.y + p.z);
    case 10:
        return B * (p.x + p.y - p.z);
    case 11:
        return B * (p.x - p.y + p.z);
    case 12:
        return B * (p.y + p.z - p.x);
    default:
        return abut_dvec3_dot(hull->own[slab - ABUT_HULL_FIXED], p);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static uint32_t number_loops(Hulling* self)
{
    const AbutBorder* border = self->border;
    uint32_t count = 0;
    abut_union_find_init(self->loops, border->points->vertex_count);
    for (uint32_t v = 0; v < border->points->vertex_count; ++v)
    {
        self->numbers[v] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < border->edge_count; ++i)
    {
        abut_union_find_join(self->loops, border->edges[i].from, border->edges[i].to);
    }
    for (uint32_t i = 0; i < border->edge_count; ++i)
    {
        uint32_t* number = &self->numbers[abut_union_find_root(self->loops, border->edges[i].from)];
        *number = *number == UINT32_MAX ? count++ : *number;
    }
    return count;
}

static uint32_t hull_of(const Hulling* self, uint32_t edge)
{
    return self->numbers[abut_union_find_root(self->loops, self->border->edges[edge].from)];
}

static AbutDVec3 from_of(const Hulling* self, uint32_t edge)
{
    return abut_mesh_dvertex(self->border->points, self->border->edges[edge].from);
}

static AbutDVec3 to_of(const Hulling* self, uint32_t edge)
{
    return abut_mesh_dvertex(self->border->points, self->border->edges[edge].to);
}

/// ½ ∮ x × dx, about a point of the loop: the normal of the hole.
static void add_areas(Hulling* self)
{
    for (uint32_t i = self->border->edge_count; i-- > 0;)
    {
        self->middles[hull_of(self, i)] = from_of(self, i);
    }
    for (uint32_t i = 0; i < self->border->edge_count; ++i)
    {
        uint32_t number = hull_of(self, i);
        AbutDVec3* sum = &self->out->hulls[number].own[0];
        AbutDVec3 from = abut_dvec3_sub(from_of(self, i), self->middles[number]);
        AbutDVec3 to = abut_dvec3_sub(to_of(self, i), self->middles[number]);
        *sum = abut_dvec3_add(*sum, abut_dvec3_cross(from, to));
    }
}

/// The axis that n has the smallest component along.
static AbutDVec3 least_axis(AbutDVec3 n)
{
    AbutDVec3 a = abut_dvec3_abs(n);
    int least = a.x < a.y ? 0 : 1;
    least = a.z < abut_dvec3_get(a, least) ? 2 : least;
    return abut_dvec3_with(abut_dvec3_zero(), least, 1.0);
}

/// Three unit vectors at right angles, the first along `own[0]`, or along x when `own[0]` is zero.
static void set_directions(AbutGapHull* hull)
{
    double length = abut_dvec3_length(hull->own[0]);
    bool usable = length > 0.0 && isfinite(length);
    AbutDVec3 n = usable ? abut_dvec3_div(hull->own[0], length) : abut_dvec3(1.0, 0.0, 0.0);
    AbutDVec3 across = abut_dvec3_cross(n, least_axis(n));
    hull->own[0] = n;
    hull->own[1] = abut_dvec3_div(across, abut_dvec3_length(across));
    hull->own[2] = abut_dvec3_cross(n, hull->own[1]);
    for (int slab = 0; slab < ABUT_HULL_SLABS; ++slab)
    {
        hull->low[slab] = INFINITY;
        hull->high[slab] = -INFINITY;
    }
}

static void add_edges(Hulling* self)
{
    for (uint32_t i = 0; i < 2 * self->border->edge_count; ++i)
    {
        AbutGapHull* hull = &self->out->hulls[hull_of(self, i / 2)];
        AbutDVec3 end = i % 2 == 0 ? from_of(self, i / 2) : to_of(self, i / 2);
        for (int slab = 0; slab < ABUT_HULL_SLABS; ++slab)
        {
            double at = along(hull, slab, end);
            hull->low[slab] = abut_smaller(hull->low[slab], at);
            hull->high[slab] = abut_larger(hull->high[slab], at);
        }
    }
}

static void widen(Hulling* self)
{
    for (uint32_t i = 0; i < self->out->count; ++i)
    {
        AbutGapHull* hull = &self->out->hulls[i];
        double largest = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            largest = abut_larger(largest, abut_larger(fabs(hull->low[axis]), fabs(hull->high[axis])));
        }
        double margin = self->border->tolerance + ROUNDING * largest;
        for (int slab = 0; slab < ABUT_HULL_SLABS; ++slab)
        {
            hull->low[slab] -= margin;
            hull->high[slab] += margin;
        }
        AbutBox box = abut_box(abut_vec3((float)hull->low[0], (float)hull->low[1], (float)hull->low[2]),
                               abut_vec3((float)hull->high[0], (float)hull->high[1], (float)hull->high[2]));
        self->boxes[i] = abut_box_expand(box, (float)(ROUNDING * largest));
    }
}

static AbutBox hull_box(void* context, uint32_t hull)
{
    const Hulling* self = context;
    return self->boxes[hull];
}

static AbutResult make_hulls(const AbutHost* host, Hulling* self)
{
    AbutGapHulls* out = self->out;
    uint32_t count = number_loops(self);
    out->hulls = abut_memory_allocate_zero(host, count, sizeof(AbutGapHull));
    out->count = count;
    self->middles = abut_memory_allocate(host, count, sizeof(*self->middles));
    self->boxes = abut_memory_allocate(host, count, sizeof(AbutBox));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (out->hulls != NULL && self->middles != NULL && self->boxes != NULL)
    {
        add_areas(self);
        for (uint32_t i = 0; i < count; ++i)
        {
            set_directions(&out->hulls[i]);
        }
        add_edges(self);
        widen(self);
        result = abut_box_tree_create(host, count, hull_box, self, &out->tree);
    }
    abut_memory_free(host, self->middles, count, sizeof(*self->middles));
    abut_memory_free(host, self->boxes, count, sizeof(AbutBox));
    return result;
}

AbutResult abut_gap_hulls_create(const AbutHost* host, const AbutBorder* border, AbutGapHulls* out)
{
    *out = (AbutGapHulls){ 0 };
    uint32_t count = border->points->vertex_count;
    Hulling self = { .border = border, .out = out };
    self.loops = abut_memory_allocate(host, count, sizeof(uint32_t));
    self.numbers = abut_memory_allocate(host, count, sizeof(uint32_t));
    AbutResult result =
        self.loops != NULL && self.numbers != NULL ? make_hulls(host, &self) : ABUT_OUT_OF_MEMORY;
    abut_memory_free(host, self.numbers, count, sizeof(uint32_t));
    abut_memory_free(host, self.loops, count, sizeof(uint32_t));
    if (result != ABUT_OK)
    {
        abut_gap_hulls_destroy(host, out);
    }
    return result;
}

void abut_gap_hulls_destroy(const AbutHost* host, AbutGapHulls* self)
{
    abut_box_tree_destroy(host, &self->tree);
    abut_memory_free(host, self->hulls, self->count, sizeof(AbutGapHull));
    memset(self, 0, sizeof(*self));
}

// -----------------------------------------------------------------------------------------------------------
// Questions
// -----------------------------------------------------------------------------------------------------------

/// True when every slab of the hull overlaps the ball about a point; with `whole`, when every slab contains
/// it.
static bool fits_slabs(const AbutGapHull* hull, AbutDVec3 center, double radius, bool whole)
{
    double largest = whole ? -radius : radius;
    for (int slab = 0; slab < ABUT_HULL_SLABS; ++slab)
    {
        double at = along(hull, slab, center);
        if (at + largest < hull->low[slab] || at - largest > hull->high[slab])
        {
            return false;
        }
    }
    return true;
}

/// True when the cube around the ball does not overlap the box of a node.
static bool is_apart(const AbutBoxNode* node, AbutDVec3 center, double radius)
{
    return center.x + radius < node->min.x || center.x - radius > node->max.x ||
           center.y + radius < node->min.y || center.y - radius > node->max.y ||
           center.z + radius < node->min.z || center.z - radius > node->max.z;
}

static bool any_hull(const AbutGapHulls* self, AbutDVec3 center, double radius, bool whole)
{
    ABUT_ASSERT(radius >= 0.0);
    for (uint32_t i = 0; i < self->tree.node_count;)
    {
        const AbutBoxNode* node = &self->tree.nodes[i];
        if (is_apart(node, center, radius))
        {
            i += node->size;
            continue;
        }
        for (uint32_t slot = node[0].first; node->size == 1 && slot < node[1].first; ++slot)
        {
            if (fits_slabs(&self->hulls[self->tree.items[slot]], center, radius, whole))
            {
                return true;
            }
        }
        i += 1;
    }
    return false;
}

bool abut_gap_hulls_overlap(const AbutGapHulls* self, AbutDVec3 center, double radius)
{
    return any_hull(self, center, radius, false);
}

bool abut_gap_hulls_contain(const AbutGapHulls* self, AbutDVec3 center, double radius)
{
    return any_hull(self, center, radius, true);
}

/// The distance of a point from a hull is at least that from each slab.
static double slab_distance(const AbutGapHull* hull, AbutDVec3 point)
{
    double most = 0.0;
    for (int slab = 0; slab < ABUT_HULL_SLABS; ++slab)
    {
        double at = along(hull, slab, point);
        most = abut_larger(most, abut_larger(hull->low[slab] - at, at - hull->high[slab]));
    }
    return most;
}

double abut_gap_hulls_distance(const AbutGapHulls* self, AbutDVec3 point, double limit)
{
    double least = limit;
    for (uint32_t i = 0; i < self->tree.node_count;)
    {
        const AbutBoxNode* node = &self->tree.nodes[i];
        if (!(sqrt(abut_box_node_squared_distance(node, point)) < least))
        {
            i += node->size;
            continue;
        }
        for (uint32_t slot = node[0].first; node->size == 1 && slot < node[1].first; ++slot)
        {
            least = abut_smaller(least, slab_distance(&self->hulls[self->tree.items[slot]], point));
        }
        i += 1;
    }
    return least;
}

AbutGapHullBox abut_gap_hull_box(const AbutGapHull* hull)
{
    AbutGapHullBox box = { .volume = 1.0 };
    double squared = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double low = hull->low[ABUT_HULL_FIXED + i], high = hull->high[ABUT_HULL_FIXED + i];
        box.center = abut_dvec3_mul_add(box.center, 0.5 * (low + high), hull->own[i]);
        squared += (high - low) * (high - low);
        box.volume *= high - low;
    }
    box.radius = 0.5 * sqrt(squared) * (1.0 + 1e-12) + 1e-12 * abut_dvec3_length(box.center);
    return box;
}
