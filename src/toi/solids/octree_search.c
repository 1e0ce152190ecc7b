// Strides in time, each a traversal of the octree of the moving field.
#include "toi/solids/octree_search.h"

#include "base/assert.h"
#include "field/field.h"
#include "narrow/distance/closest_pair.h"
#include "toi/solids/containment.h"
#include "toi/solids/octree_bounds.h"
#include "toi/solids/search.h"

#include <string.h>

enum
{
    CELL_LEVEL = 0,    // cubes of a cell are divided only when there is no progress without
    FINE_MAX = 1 << 15 // evaluations of smaller cubes in a stride
};

/// Longest stride of small cubes: as a multiple of the shortest one at first, and of the last one.
static const double FINE_FIRST = 8.0, FINE_GROWTH = 4.0;

/// Fraction of a stride that may be lost for less work.
static const double STRIDE_SHARE = 0.25;

/// Precision of distances from nodes and half spaces, as a fraction of a cell.
static const double PRECISION = 0.05;

// -----------------------------------------------------------------------------------------------------------
// Start
// -----------------------------------------------------------------------------------------------------------

bool abut_toi_octree_applies(const AbutToiSearch* toi)
{
    return toi->pair.sides[0].is_field && abut_closest_pair_applies(&toi->pair);
}

static void init(AbutToiOctreeSearch* self, AbutToiSearch* toi)
{
    const AbutPairSide* side = &toi->pair.sides[0];
    AbutBox box = toi->pair.sides[1].shape->info.bounds;
    const float sides[6] = { box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z };
    self->toi = toi;
    abut_octree_side_init(&self->side, side);
    self->side.unit = 1.0f;
    self->cell = toi->unit * (double)side->cell_size;
    self->fine_stride = 0.0;
    const AbutFieldHeader *h = self->side.surface_octree.block, *other = NULL;
    if (toi->pair.sides[1].is_field)
    {
        other = abut_field_of(toi->pair.sides[1].shape)->block;
        self->standing = abut_far_nodes_make(abut_field_of(toi->pair.sides[1].shape)->block);
    }
    for (int i = 0; i < 6; ++i)
    {
        self->solid[i / 3][i % 3] = (float)(((double)h->solid[i] - h->origin[i % 3]) / h->cell_size);
        self->far_solid[i] =
            other != NULL ? (double)other->solid[i] : (double)sides[i] - abut_dvec3_get(toi->origin, i % 3);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Strides
// -----------------------------------------------------------------------------------------------------------

/// Drops a cube. Its separation decreases at most linearly to 0 at the end of its free time: the bound is
/// concave in time.
static void drop(AbutToiOctreeSearch* self, const AbutToiOctant* octant)
{
    double left = octant->free < INFINITY ? octant->separation * (1.0 - self->limit / octant->free)
                                          : octant->separation;
    self->least = fmin(self->least, octant->free);
    self->left = fmin(self->left, fmax(0.0, left));
}

/// Sets the limit of the stride by a cube: nothing after its free time matters, and little before it.
static void take_limit(AbutToiOctreeSearch* self, const AbutToiOctant* octant)
{
    drop(self, octant);
    self->last = *octant;
    self->limit = fmax(0.0, fmin(self->limit, octant->free - fmax(self->slack, STRIDE_SHARE * octant->free)));
}

/// True for an empty cube: it is outside of its half space.
static bool is_beyond(const AbutToiOctant* octant)
{
    const float* half_space = octant->half_space;
    float half = 0.5f * abut_surface_octree_size(octant->box.level);
    return half_space[3] + half * (fabsf(half_space[0]) + fabsf(half_space[1]) + fabsf(half_space[2])) < 0.0f;
}

static void list_children(const AbutToiOctreeSearch* self, const AbutToiOctant* octant,
                          AbutToiOctants* children)
{
    AbutSurfaceBox box = { .box = octant->box }, boxes[8];
    memcpy(box.half_space, octant->half_space, sizeof(box.half_space));
    uint32_t count = abut_octree_side_children(&self->side, &box, boxes);
    children->in_standing.count = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutToiOctant* child = &children->octant[children->in_standing.count];
        *child = *octant;
        child->box = boxes[i].box;
        memcpy(child->half_space, boxes[i].half_space, sizeof(child->half_space));
        children->in_standing.count += is_beyond(child) ? 0 : 1;
    }
}

/// Pushes children with a free time below the limit, the shortest on top.
static void push_children(AbutToiOctreeSearch* self, const AbutToiOctants* children)
{
    uint32_t first = self->count;
    int32_t finest = self->fine_stride > 0.0 && self->fine < FINE_MAX ? ABUT_OCTREE_SIDE_FINEST : CELL_LEVEL;
    for (size_t i = 0; i < children->in_standing.count; ++i)
    {
        const AbutToiOctant* child = &children->octant[i];
        if (child->free >= self->limit)
        {
            drop(self, child);
        }
        else if (children->good[i] || child->box.level <= finest)
        {
            take_limit(self, child);
        }
        else
        {
            ABUT_ASSERT(self->count < ABUT_TOI_STACK);
            uint32_t to = self->count++;
            for (; to > first && self->stack[to - 1].free < child->free; --to)
            {
                self->stack[to] = self->stack[to - 1];
            }
            self->stack[to] = *child;
        }
    }
}

/// One stride from a time, of at most `most`. False when the budget was spent; else all is free for
/// self->least.
static bool make_stride(AbutToiOctreeSearch* self, double time, double most)
{
    AbutToiSearch* toi = self->toi;
    self->sample = abut_relative_motion_at(&toi->motion, time);
    self->bounds = abut_relative_motion_bounds(&toi->motion, time, 1.0);
    self->limit = most;
    self->least = self->left = INFINITY;
    self->fine = 0;
    self->stack[0] = (AbutToiOctant){ .box = { .level = self->side.surface_octree.top } };
    self->count = 1;
    while (self->count > 0)
    {
        AbutToiOctant octant = self->stack[--self->count];
        if (octant.free >= self->limit)
        {
            drop(self, &octant);
            continue;
        }
        if (toi->evaluations > toi->budget)
        {
            return false;
        }
        AbutToiOctants children;
        list_children(self, &octant, &children);
        if (children.in_standing.count > 0)
        {
            abut_toi_octree_bound(self, &children);
            self->fine += children.octant[0].box.level < CELL_LEVEL ? children.in_standing.count : 0;
            push_children(self, &children);
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Search
// -----------------------------------------------------------------------------------------------------------

static void set_close(AbutToiOctreeSearch* self, double time)
{
    const AbutFieldHeader* h = self->side.surface_octree.block;
    float middle[3];
    abut_surface_octree_middle(&self->last.box, middle);
    AbutDVec3 point = abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), h->cell_size,
                                         abut_dvec3(middle[0], middle[1], middle[2]));
    abut_toi_set_close(self->toi, time, abut_dvec3_to_vec3(point));
}

/// True for an overlap at the start of solids with separated surfaces.
static bool is_inside(AbutToiSearch* toi, AbutVec3* point)
{
    AbutTransform frame = abut_relative_motion_frame(&toi->motion, 0.0);
    AbutTransform standing = abut_transform_identity();
    standing.translation = abut_dvec3_neg(toi->origin);
    AbutBox moving_box = abut_transform_box(&frame, toi->pair.sides[0].shape->info.bounds);
    AbutBox standing_box = abut_transform_box(&standing, toi->pair.sides[1].shape->info.bounds);
    return abut_box_overlap(moving_box, standing_box) && abut_toi_containment(toi, point);
}

/// The shortest stride that counts as progress.
static double shortest_stride(const AbutToiOctreeSearch* self, double time)
{
    const AbutToiSearch* toi = self->toi;
    AbutMotionBounds bounds = abut_relative_motion_bounds(&toi->motion, time, 1.0);
    double speed = abut_motion_bounds_speed(&bounds, toi->max_radius);
    double min_step =
        fmax(toi->min_progress, PRECISION * (self->cell + (double)toi->pair.sides[1].cell_size));
    return speed > 0.0 ? min_step / speed : 1.0;
}

/// The next stride; false when the budget was spent. There is no progress with self->least under `shortest`.
static bool go_on(AbutToiOctreeSearch* self, double time, double shortest)
{
    double rest = 1.0 - time;
    self->slack = 0.5 * shortest;
    if (self->fine_stride == 0.0)
    {
        if (!make_stride(self, time, rest))
        {
            return false;
        }
        if (self->least >= shortest)
        {
            return true;
        }
        self->fine_stride = FINE_FIRST * shortest;
    }
    bool done = make_stride(self, time, fmin(rest, self->fine_stride));
    self->fine_stride =
        self->least < FINE_GROWTH * shortest ? FINE_FIRST * shortest : FINE_GROWTH * self->least;
    return done;
}

bool abut_toi_octree_search(AbutToiSearch* toi, double* until)
{
    AbutToiOctreeSearch self;
    init(&self, toi);
    toi->is_close = toi->touched = false;
    toi->gap = INFINITY;
    for (double time = 0.0; time < 1.0; time += self.least)
    {
        AbutVec3 point;
        double shortest = shortest_stride(&self, time);
        if (!go_on(&self, time, shortest))
        {
            *until = time;
            return false;
        }
        if (self.least < shortest && time + self.least < 1.0)
        {
            *until = time + self.least;
            set_close(&self, *until);
            return true;
        }
        if (time == 0.0 && is_inside(toi, &point))
        {
            *until = 0.0;
            abut_toi_set_close(toi, 0.0, point);
            return true;
        }
        // The cube that limited a stride may be in contact at its end.
        toi->gap = time == 0.0 && self.least >= 1.0 ? self.left : 0.0;
    }
    return true;
}
