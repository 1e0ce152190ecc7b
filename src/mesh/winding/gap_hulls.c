#include "mesh/winding/gap_hulls.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/corners.h"

#include <string.h>

static const double A = 0.70710678118654752, B = 0.57735026918962576;

/// Of floats, in parts of the largest coordinate: the caps of regions.h have their middles rounded to them.
static const double ROUNDING = 1e-6;

typedef struct Hulling
{
    const AbutBorder* border;
    uint32_t* loops;   // by point: union-find forest of what edges connect
    uint32_t* numbers; // by root: of the hull
    AbutGapHulls* out;
    double (*middles)[3]; // by hull: a point of it
    AbutBox* boxes;
} Hulling;

static double along(const AbutGapHull* hull, int slab, const double p[3])
{
    switch (slab)
    {
    case 0:
        return p[0];
    case 1:
        return p[1];
    case 2:
        return p[2];
    case 3:
        return A * (p[0] + p[1]);
    case 4:
        return A * (p[0] - p[1]);
    case 5:
        return A * (p[1] + p[2]);
    case 6:
        return A * (p[1] - p[2]);
    case 7:
        return A * (p[2] + p[0]);
    case 8:
        return A * (p[2] - p[0]);
    case 9:
        return B * (p[0] + p[1] + p[2]);
    case 10:
        return B * (p[0] + p[1] - p[2]);
    case 11:
        return B * (p[0] - p[1] + p[2]);
    case 12:
        return B * (p[1] + p[2] - p[0]);
    default:
        return abut_array3_dot(hull->own[slab - ABUT_HULL_FIXED], p);
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

static void load_ends(const Hulling* self, uint32_t edge, double ends[2][3])
{
    abut_array3_from_vec3(self->border->points->vertices[self->border->edges[edge].from], ends[0]);
    abut_array3_from_vec3(self->border->points->vertices[self->border->edges[edge].to], ends[1]);
}

/// ½ ∮ x × dx, about a point of the loop: where the hole faces.
static void add_areas(Hulling* self)
{
    for (uint32_t i = self->border->edge_count; i-- > 0;)
    {
        double ends[2][3];
        load_ends(self, i, ends);
        memcpy(self->middles[hull_of(self, i)], ends[0], sizeof(ends[0]));
    }
    for (uint32_t i = 0; i < self->border->edge_count; ++i)
    {
        uint32_t number = hull_of(self, i);
        double ends[2][3], area[3], *sum = self->out->hulls[number].own[0];
        load_ends(self, i, ends);
        abut_array3_sub(ends[0], self->middles[number], ends[0]);
        abut_array3_sub(ends[1], self->middles[number], ends[1]);
        abut_array3_cross(ends[0], ends[1], area);
        for (int k = 0; k < 3; ++k)
        {
            sum[k] += area[k];
        }
    }
}

/// Three unit vectors at right angles, the first along `own[0]`, or the axes when that is nothing.
static void set_directions(AbutGapHull* hull)
{
    double* n = hull->own[0];
    double length = abut_array3_length(n);
    bool usable = length > 0.0 && isfinite(length);
    for (int i = 0; i < 3; ++i)
    {
        n[i] = usable ? n[i] / length : (i == 0 ? 1.0 : 0.0);
    }
    int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    least = fabs(n[2]) < fabs(n[least]) ? 2 : least;
    double axis[3] = { 0.0, 0.0, 0.0 };
    axis[least] = 1.0;
    abut_array3_cross(n, axis, hull->own[1]);
    length = abut_array3_length(hull->own[1]);
    for (int i = 0; i < 3; ++i)
    {
        hull->own[1][i] /= length;
    }
    abut_array3_cross(n, hull->own[1], hull->own[2]);
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
        double ends[2][3];
        load_ends(self, i / 2, ends);
        for (int slab = 0; slab < ABUT_HULL_SLABS; ++slab)
        {
            double at = along(hull, slab, ends[i % 2]);
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

/// True when every slab of the hull is met by the ball about a point; with `whole`, when every slab holds it.
static bool fits_slabs(const AbutGapHull* hull, const double center[3], double radius, bool whole)
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

static bool any_hull(const AbutGapHulls* self, const double center[3], double radius, bool whole)
{
    for (uint32_t i = 0; i < self->tree.node_count;)
    {
        const AbutBoxNode* node = &self->tree.nodes[i];
        const double low[3] = { node->min.x, node->min.y, node->min.z };
        const double high[3] = { node->max.x, node->max.y, node->max.z };
        bool apart = false;
        for (int axis = 0; axis < 3; ++axis)
        {
            apart = apart || center[axis] + radius < low[axis] || center[axis] - radius > high[axis];
        }
        if (apart)
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

bool abut_gap_hulls_overlap(const AbutGapHulls* self, const double center[3], double radius)
{
    return any_hull(self, center, radius, false);
}

bool abut_gap_hulls_contain(const AbutGapHulls* self, const double center[3], double radius)
{
    return any_hull(self, center, radius, true);
}
