#include "toi/solids/octree_search.h"

#include "field/field.h"
#include "narrow/distance/closest_pair.h"
#include "toi/solids/containment.h"

#include <string.h>

enum
{
    CELL_LEVEL = 0,    // cubes of a cell are divided further only when nothing is gained without
    FINE_MAX = 1 << 15 // evaluations of a stride that smaller ones may take
};

/// Strides of small cubes are at most so many times the shortest one long at first, and so many times the last one.
static const double FINE_FIRST = 8.0, FINE_GROWTH = 4.0;

/// The part of a stride that may be lost for having it sooner.
static const double STRIDE_SHARE = 0.25;

/// Of a cell: nodes and plates tell distances hardly better than this.
static const double PRECISION = 0.05;

// ---------------------------------------------------------------------------------------------------------------------
// Start
// ---------------------------------------------------------------------------------------------------------------------

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
        self->far_solid[i] = other != NULL ? (double)other->solid[i] : (double)sides[i] - toi->origin[i % 3];
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Strides
// ---------------------------------------------------------------------------------------------------------------------

/// A cube is done with. What it is apart by falls no faster than to 0 at the end of what it is free for, at an even pace: the bound that
/// tells so is concave in time.
static void drop(AbutToiOctreeSearch* self, const AbutToiOctant* octant)
{
    double left = octant->free < INFINITY ? octant->separation * (1.0 - self->limit / octant->free)
                                          : octant->separation;
    self->least = fmin(self->least, octant->free);
    self->left = fmin(self->left, fmax(0.0, left));
}

/// Nothing after this cube matters, and little before it.
static void take_limit(AbutToiOctreeSearch* self, const AbutToiOctant* octant)
{
    drop(self, octant);
    self->last = *octant;
    self->limit = fmax(0.0, fmin(self->limit, octant->free - fmax(self->slack, STRIDE_SHARE * octant->free)));
}

/// True when nothing is in a cube: it is beyond its plate.
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

/// Puts parts that are not done with on the stack, the one that is free for the shortest time on top.
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
            uint32_t to = self->count++;
            for (; to > first && self->stack[to - 1].free < child->free; --to)
            {
                self->stack[to] = self->stack[to - 1];
            }
            self->stack[to] = *child;
        }
    }
}

/// Looks at everything at a time, for a stride of no more than `most`. False when the budget was spent; else self->least is for how long all is free.
static bool make_stride(AbutToiOctreeSearch* self, double time, double most)
{
    AbutToiSearch* toi = self->toi;
    self->moment = abut_relative_motion_at(&toi->motion, time);
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

// ---------------------------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------------------------

static void set_close(AbutToiOctreeSearch* self, double time)
{
    const AbutFieldHeader* h = self->side.surface_octree.block;
    float middle[3];
    abut_surface_octree_middle(&self->last.box, middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        middle[axis] = (float)(h->origin[axis] + h->cell_size * (double)middle[axis]);
    }
    abut_toi_set_close(self->toi, time, middle);
}

/// Solids that overlap at the start although their surfaces are apart.
static bool is_inside(AbutToiSearch* toi, float point[3])
{
    AbutTransform frame = abut_relative_motion_frame(&toi->motion, 0.0);
    AbutTransform standing = abut_transform_identity();
    for (int axis = 0; axis < 3; ++axis)
    {
        standing.translation[axis] = -toi->origin[axis];
    }
    AbutBox moving_box = abut_transform_box(&frame, toi->pair.sides[0].shape->info.bounds);
    AbutBox standing_box = abut_transform_box(&standing, toi->pair.sides[1].shape->info.bounds);
    return abut_box_overlap(moving_box, standing_box) && abut_toi_containment(toi, point);
}

/// The shortest stride that is worth it.
static double shortest_stride(const AbutToiOctreeSearch* self, double time)
{
    const AbutToiSearch* toi = self->toi;
    AbutMotionBounds bounds = abut_relative_motion_bounds(&toi->motion, time, 1.0);
    double speed = bounds.linear_speed + bounds.angular_speed * toi->max_radius;
    double min_step =
        fmax(toi->min_progress, PRECISION * (self->cell + (double)toi->pair.sides[1].cell_size));
    return speed > 0.0 ? min_step / speed : 1.0;
}

/// Goes on from a time for as long as can be told; false when the budget was spent. With self->least under `shortest` nothing is gained any more.
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
        float point[3];
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
        if (time == 0.0 && is_inside(toi, point))
        {
            *until = 0.0;
            abut_toi_set_close(toi, 0.0, point);
            return true;
        }
        // What has set the length of a stride may have come as near as can be at its end.
        toi->gap = time == 0.0 && self.least >= 1.0 ? self.left : 0.0;
    }
    return true;
}
