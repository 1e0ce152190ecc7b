// Branch and bound over the surface octree of a field. With the unit vector u from the middle m of a box to
// the point p, and the support k of the surface in the box along u, no point of that surface is nearer to p
// than
// |p − m| − k: the loss is the curvature of the surface over the box, not the size of the box.
#include "narrow/primitive/ball_field.h"

#include "base/assert.h"
#include "field/field.h"
#include "search/octree_side.h"

#include <math.h>

enum
{
    STACK = 8 * ABUT_OCTREE_SIDE_LEVELS,
    MOST_BOXES = 512,
    FINEST = 0 // boxes of one cell
};

/// Rounding of distances and supports in float, relative to the extent of the grid and the point, in cells.
static const double ROUNDING = 4e-6;

typedef struct PointBox
{
    AbutSurfaceBox surface;
    float low;
} PointBox;

/// Lengths are in cells.
typedef struct PointSearch
{
    AbutOctreeSide side;
    AbutDVec3 point;
    double limit, rounding, expected;
    double low; // least bound of boxes that are not divided further
    bool failed;
    AbutDVec3 closest;
    PointBox stack[STACK];
    uint32_t count, boxes;
} PointSearch;

static AbutDVec3 middle_of(const AbutOctreeBox* box)
{
    float middle[3];
    abut_surface_octree_middle(box, middle);
    return abut_dvec3(middle[0], middle[1], middle[2]);
}

/// Distance of the point from a box.
static double distance_of(const PointSearch* self, const AbutOctreeBox* box)
{
    AbutDVec3 away = abut_dvec3_abs(abut_dvec3_sub(self->point, middle_of(box)));
    double half = 0.5 * (double)abut_surface_octree_size(box->level);
    AbutDVec3 outside = abut_dvec3_max(abut_dvec3_sub(away, abut_dvec3(half, half, half)), abut_dvec3_zero());
    return abut_dvec3_length(outside);
}

/// Lower bound of the distance from the point to the surface in a box.
static double bound_of(const PointSearch* self, const AbutSurfaceBox* surface)
{
    AbutDVec3 away = abut_dvec3_sub(self->point, middle_of(&surface->box));
    double length = abut_dvec3_length(away);
    if (!(length > 0.0))
    {
        return 0.0;
    }
    AbutVec3 u = abut_dvec3_to_vec3(abut_dvec3_div(away, length));
    const float direction[3] = { u.x, u.y, u.z };
    return length -
           (double)abut_octree_side_support(&self->side, &surface->box, surface->half_space, direction) -
           self->rounding;
}

/// Pushes the children that may be within the limit, the nearest on top.
static void divide(PointSearch* self, const PointBox* box)
{
    AbutSurfaceBox children[8];
    float low[8];
    unsigned open = 0;
    uint32_t order[8], count = abut_octree_side_children(&self->side, &box->surface, children);
    for (uint32_t i = 0; i < count; ++i)
    {
        double bound = distance_of(self, &children[i].box) - self->rounding;
        bound = bound > self->expected ? bound : bound_of(self, &children[i]);
        low[i] = (float)bound;
        if (bound > self->limit)
        {
            self->low = abut_smaller(self->low, bound);
            continue;
        }
        open |= 1u << i;
    }
    self->boxes += count;
    count = abut_octree_side_order(open, low, order);
    for (uint32_t i = 0; i < count; ++i)
    {
        ABUT_ASSERT(self->count < STACK);
        self->stack[self->count++] = (PointBox){ children[order[i]], low[order[i]] };
    }
}

static void search(PointSearch* self)
{
    self->stack[0] = (PointBox){ .surface.box.level = self->side.surface_octree.top };
    self->count = 1;
    while (self->count > 0 && !self->failed)
    {
        PointBox box = self->stack[--self->count];
        if (box.surface.box.level <= FINEST || self->boxes > MOST_BOXES)
        {
            self->failed = true;
            self->closest = middle_of(&box.surface.box);
            break;
        }
        divide(self, &box);
    }
}

double abut_ball_field_low(const AbutPairSide* side, AbutDVec3 point, double limit, double expected,
                           AbutDVec3* closest)
{
    const AbutFieldHeader* h = abut_field_of(side->shape)->block;
    AbutDVec3 origin = abut_dvec3_from_array(h->origin);
    PointSearch self;
    abut_octree_side_init(&self.side, side);
    self.side.unit = 1.0f;
    self.point = abut_dvec3_div(abut_dvec3_sub(point, origin), h->cell_size);
    self.limit = limit / h->cell_size;
    self.expected = abut_larger(expected, limit) / h->cell_size;
    self.low = INFINITY;
    self.failed = false;
    self.boxes = 0;
    double extent = ABUT_BRICK_CELLS * ((double)h->brick_count[0] + h->brick_count[1] + h->brick_count[2]);
    self.rounding = ROUNDING * (extent + abut_dvec3_taxicab(self.point));
    search(&self);
    *closest = abut_dvec3_mul_add(origin, h->cell_size, self.closest);
    return self.failed ? -INFINITY : self.low * h->cell_size * (1.0 - 1e-14);
}
