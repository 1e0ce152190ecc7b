// Branch and bound over the surface octree of a field. With the unit vector u from the middle m of a box to
// the point p, and the support k of the surface in the box along u, no point of that surface is nearer to p
// than |p − m| − k: the loss is the curvature of the surface over the box, not the size of the box. Children
// are bounded in lanes by their half spaces, the smallest of them by nodes as well.
#include "narrow/primitive/ball_field.h"

#include "base/assert.h"
#include "field/field.h"
#include "math/rounding.h"
#include "narrow/primitive/kernels.h"

#include <math.h>
#include <string.h>

enum
{
    STACK = 8 * ABUT_OCTREE_SIDE_LEVELS,
    MOST_DIVIDED = 128,
    FINEST = 0 // boxes of one cell
};

/// Rounding of distances and supports in float, relative to the extent of the grid and the point, in cells:
/// lengths have less than 8 roundings, supports at most 12 of four times the size of the largest box.
static const double ROUNDING = 4e-6;

/// Lengths are in cells.
typedef struct PointSearch
{
    const AbutOctreeSide* side;
    AbutDVec3 point;
    float limit, rounding;
    float least[8]; // of the bounds of boxes that are not divided further
    bool failed;
    AbutDVec3 closest;
    AbutSurfaceBox stack[STACK];
    uint32_t count, divided;
} PointSearch;

static AbutDVec3 middle_of(const AbutOctreeBox* box)
{
    float middle[3];
    abut_surface_octree_middle(box, middle);
    return abut_dvec3(middle[0], middle[1], middle[2]);
}

/// Lower bound of the distance from the point to the surface in a small box, by nodes.
static float bound_by_nodes(const PointSearch* self, const AbutSurfaceBox* surface)
{
    AbutDVec3 away = abut_dvec3_sub(self->point, middle_of(&surface->box));
    double length = abut_dvec3_length(away);
    if (!(length > 0.0))
    {
        return 0.0f;
    }
    AbutVec3 u = abut_dvec3_to_vec3(abut_dvec3_div(away, length));
    const float direction[3] = { u.x, u.y, u.z };
    double support =
        (double)abut_octree_side_support(self->side, &surface->box, surface->half_space, direction);
    return abut_round_down(length - support - (double)self->rounding);
}

/// The child `corner`, unless its nodes prove that its surface is beyond the limit.
static bool make_child(PointSearch* self, const AbutSurfaceBox* parent,
                       const AbutChildHalfSpaces* half_spaces, uint32_t corner, AbutSurfaceBox* child,
                       float* low)
{
    child->box = abut_surface_octree_child(&parent->box, corner);
    memcpy(child->half_space, parent->half_space, sizeof(child->half_space));
    abut_octree_side_half_space(half_spaces, corner, child->half_space);
    if (child->box.level <= ABUT_SURFACE_OCTREE_FINEST)
    {
        float bound = bound_by_nodes(self, child);
        *low = bound > *low ? bound : *low;
    }
    return !(*low > self->limit); // NaN stays
}

/// Pushes the children that may be within the limit, the nearest on top.
static void divide(PointSearch* self, const AbutSurfaceBox* box)
{
    int16_t made[8];
    float low[8];
    AbutSurfaceBox children[8];
    int32_t level = box->box.level - 1;
    const int* limits = self->side->limits[level - ABUT_OCTREE_SIDE_FINEST];
    AbutSurfaceOctreeChildren stored =
        abut_surface_octree_children(&self->side->surface_octree, &box->box, made);
    float half = 0.5f * abut_surface_octree_size(level);
    const AbutChildHalfSpaces half_spaces = { .group = stored.half_spaces,
                                              .offset_unit =
                                                  abut_surface_octree_radius(level) * (1.0f / 127.0f),
                                              .step = half };
    AbutVec3 away = abut_dvec3_to_vec3(abut_dvec3_sub(self->point, middle_of(&box->box)));
    const AbutPointChildren query = {
        .numbers = stored.numbers,
        .limits = { (float)limits[0], (float)limits[1] },
        .half_spaces = half_spaces.group,
        .half_space_unit = half_spaces.offset_unit,
        .half_space = box->half_space,
        .to_point = { away.x, away.y, away.z },
        .half = half,
        .rounding = self->rounding,
        .limit = self->limit,
    };
    unsigned open = abut_round_kernels()->point_children(&query, low, self->least);
    self->divided += 1;
    for (unsigned rest = open; rest != 0; rest &= rest - 1)
    {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        if (!make_child(self, box, &half_spaces, i, &children[i], &low[i]))
        {
            self->least[0] = low[i] < self->least[0] ? low[i] : self->least[0];
            open &= ~(1u << i);
        }
    }
    uint32_t order[8], count = abut_octree_side_order(open, low, order);
    for (uint32_t i = 0; i < count; ++i)
    {
        ABUT_ASSERT(self->count < STACK);
        self->stack[self->count++] = children[order[i]];
    }
}

static void search(PointSearch* self)
{
    self->stack[0] = (AbutSurfaceBox){ .box.level = self->side->surface_octree.top };
    self->count = 1;
    while (self->count > 0 && !self->failed)
    {
        const AbutSurfaceBox box = self->stack[--self->count];
        if (box.box.level <= FINEST || self->divided > MOST_DIVIDED)
        {
            self->failed = true;
            self->closest = middle_of(&box.box);
            break;
        }
        divide(self, &box);
    }
}

double abut_ball_field_low(const AbutOctreeSide* side, AbutDVec3 point, double limit, AbutDVec3* closest)
{
    const AbutFieldHeader* h = side->surface_octree.block;
    AbutDVec3 origin = abut_dvec3_from_array(h->origin);
    PointSearch self;
    self.side = side;
    self.point = abut_dvec3_div(abut_dvec3_sub(point, origin), h->cell_size);
    self.limit = abut_round_up(limit / h->cell_size);
    self.failed = false;
    self.divided = 0;
    double extent = ABUT_BRICK_CELLS * ((double)h->brick_count[0] + h->brick_count[1] + h->brick_count[2]),
           low = INFINITY;
    self.rounding = abut_round_up(ROUNDING * (extent + abut_dvec3_taxicab(self.point)));
    for (int i = 0; i < 8; ++i)
    {
        self.least[i] = INFINITY;
    }
    search(&self);
    for (int i = 0; i < 8; ++i)
    {
        low = abut_smaller(low, (double)self.least[i]);
    }
    *closest = abut_dvec3_mul_add(origin, h->cell_size, self.closest);
    return self.failed ? -INFINITY : low * h->cell_size * (1.0 - 1e-14);
}
