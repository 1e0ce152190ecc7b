// Closest pair of a field and a shape without an octree: the field's octree is divided, and the shape is
// sampled at the middles of boxes.
//
// A point q beyond a box, seen from the shape, bounds the distance of all x in the box from the shape by f(q)
// − |x − q|. With d from the middle of the box to x, the distance t from the middle to q, and the support k
// of the surface in the box towards the shape, |x − q|² ≤ t² + 2tk + |d|². For large t the root is t + k and
// little more.
#include "narrow/distance/closest_pair_shape.h"

#include "base/assert.h"
#include "narrow/distance/closest_pair_search.h"
#include "shape/shape.h"

#include <math.h>

enum
{
    STACK = 8 * ABUT_OCTREE_SIDE_LEVELS,
    MAX_ITERATIONS = 16
};

/// Distance of q, in half-diagonals of the box.
static const float BEYOND = 8.0f;

/// The last iteration of a witness is the first that gains less than this, in cells.
static const double GAIN = 0.01;

typedef struct ShapeBox
{
    AbutSurfaceBox surface;
    float low; // lower bound of the distance from the shape to the surface in the box, in cells
} ShapeBox;

/// The children of a box, with samples of the shape at their middles.
typedef struct Children
{
    AbutSurfaceBox surface[8];
    float at[3][8]; // middles, in the pair's frame
    float distance[8], gradient[3][8];
    float low[8];
    uint32_t count;
} Children;

typedef struct ShapeSearch
{
    AbutPair* pair;
    int field; // its side
    AbutOctreeSide side;
    const AbutClosestPairGoal* goal;
    float limit, low;
    AbutWitness best;
    ShapeBox stack[STACK];
    uint32_t count;
    uint64_t evaluations;
} ShapeSearch;

static const AbutPairSide* field_side(const ShapeSearch* self)
{
    return &self->pair->sides[self->field];
}

/// From cells to the pair's frame.
static AbutDVec3 to_pair(const ShapeSearch* self, AbutDVec3 cells)
{
    const AbutFieldHeader* h = self->side.surface_octree.block;
    const AbutTransform* frame = &field_side(self)->frame;
    AbutDVec3 own = abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), h->cell_size, cells);
    AbutDVec3 rotated = abut_transform_rotate(frame, abut_dvec3_scale(own, frame->scale));
    return abut_dvec3_add(rotated, frame->translation);
}

static void sample(ShapeSearch* self, float at[3][8], uint32_t count, float* distance, float gradient[3][8])
{
    const AbutPairSide* shape = &self->pair->sides[1 - self->field];
    AbutSamples out = { .distance = distance };
    if (gradient != NULL)
    {
        out = (AbutSamples){ distance, gradient[0], gradient[1], gradient[2] };
    }
    abut_pair_side_sample(shape, (AbutPoints){ at[0], at[1], at[2] }, count, out);
    self->evaluations += count;
}

/// Lower bound of the distance from a sample of the shape, in cells.
static float low_of_sample(const ShapeSearch* self, float distance)
{
    const AbutPairSide* shape = &self->pair->sides[1 - self->field];
    return ((distance - shape->error) / shape->growth - shape->rounding) / field_side(self)->cell_size;
}

// -----------------------------------------------------------------------------------------------------------
// Children
// -----------------------------------------------------------------------------------------------------------

/// The children of a box that the surface may pass through, with their middles.
static void list_children(const ShapeSearch* self, const ShapeBox* box, Children* children)
{
    children->count = abut_octree_side_children(&self->side, &box->surface, children->surface);
    for (uint32_t i = 0; i < children->count; ++i)
    {
        float middle[3];
        abut_surface_octree_middle(&children->surface[i].box, middle);
        AbutDVec3 at = to_pair(self, abut_dvec3(middle[0], middle[1], middle[2]));
        children->at[0][i] = (float)at.x;
        children->at[1][i] = (float)at.y;
        children->at[2][i] = (float)at.z;
    }
}

/// Unit vector towards the shape, in the frame of the field.
static void direction_of(const ShapeSearch* self, const Children* children, uint32_t i, float direction[3])
{
    const AbutTransform* frame = &field_side(self)->frame;
    float length = sqrtf(children->gradient[0][i] * children->gradient[0][i] +
                         children->gradient[1][i] * children->gradient[1][i] +
                         children->gradient[2][i] * children->gradient[2][i]);
    for (int axis = 0; axis < 3; ++axis)
    {
        double rotated = frame->rotation.m[0][axis] * (double)children->gradient[0][i] +
                         frame->rotation.m[1][axis] * (double)children->gradient[1][i] +
                         frame->rotation.m[2][axis] * (double)children->gradient[2][i];
        direction[axis] = length > 0.0f ? (float)-rotated / length : 0.0f;
    }
}

/// Bounds from samples at the middles, and at points beyond them.
static void bound_children(ShapeSearch* self, float least, Children* children)
{
    float radius = abut_surface_octree_radius(children->surface[0].box.level), offset = BEYOND * radius;
    float beyond[3][8], support[8], distance[8];
    sample(self, children->at, children->count, children->distance, children->gradient);
    for (uint32_t i = 0; i < children->count; ++i)
    {
        float direction[3], middle[3];
        direction_of(self, children, i, direction);
        support[i] = abut_octree_side_support(&self->side, &children->surface[i].box,
                                              children->surface[i].half_space, direction);
        abut_surface_octree_middle(&children->surface[i].box, middle);
        AbutVec3 there = abut_vec3(middle[0] - offset * direction[0], middle[1] - offset * direction[1],
                                   middle[2] - offset * direction[2]);
        AbutDVec3 at = to_pair(self, abut_dvec3_from_vec3(there));
        beyond[0][i] = (float)at.x;
        beyond[1][i] = (float)at.y;
        beyond[2][i] = (float)at.z;
    }
    sample(self, beyond, children->count, distance, NULL);
    for (uint32_t i = 0; i < children->count; ++i)
    {
        float squared = offset * offset + 2.0f * offset * support[i] + radius * radius;
        float far = squared > 0.0f ? low_of_sample(self, distance[i]) - sqrtf(squared) : INFINITY;
        children->low[i] = fmaxf(least, fmaxf(far, low_of_sample(self, children->distance[i]) - radius));
    }
}

// -----------------------------------------------------------------------------------------------------------
// Search
// -----------------------------------------------------------------------------------------------------------

static void discard(ShapeSearch* self, float low)
{
    self->low = low < self->low ? low : self->low;
}

static void find_witness(ShapeSearch* self, const Children* children, uint32_t i)
{
    AbutWitness witness;
    AbutDVec3 at = abut_dvec3(children->at[0][i], children->at[1][i], children->at[2][i]);
    AbutDVec3 gradient =
        abut_dvec3(children->gradient[0][i], children->gradient[1][i], children->gradient[2][i]);
    witness.at[self->field] = at;
    witness.at[1 - self->field] = abut_dvec3_mul_sub(at, (double)children->distance[i], gradient);
    double cell = (double)field_side(self)->cell_size;
    abut_witness_approach(self->pair, &witness, MAX_ITERATIONS, GAIN * cell);
    if (witness.distance < self->best.distance)
    {
        abut_witness_improve(self->pair, &self->best, &witness);
        self->limit = fminf(self->limit, abut_closest_pair_limit(self->goal, &self->best) / (float)cell);
    }
}

/// Pushes the children that may be nearer than the limit, the nearest on top.
static void push_children(ShapeSearch* self, const Children* children)
{
    uint32_t order[8];
    abut_octree_side_order((1u << children->count) - 1, children->low, order);
    for (uint32_t i = 0; i < children->count; ++i)
    {
        uint32_t next = order[i];
        if (children->low[next] >= self->limit ||
            children->surface[next].box.level <= ABUT_OCTREE_SIDE_FINEST)
        {
            discard(self, children->low[next]);
            self->limit = fminf(self->limit, self->low);
            continue;
        }
        ABUT_ASSERT(self->count < STACK);
        self->stack[self->count++] = (ShapeBox){ children->surface[next], children->low[next] };
    }
}

static void divide(ShapeSearch* self, const ShapeBox* box)
{
    Children children;
    list_children(self, box, &children);
    if (children.count == 0)
    {
        return;
    }
    bound_children(self, box->low, &children);
    uint32_t closest = 0;
    for (uint32_t i = 1; i < children.count; ++i)
    {
        closest = children.low[i] < children.low[closest] ? i : closest;
    }
    if (children.surface[0].box.level <= ABUT_SURFACE_OCTREE_FINEST && children.low[closest] < self->limit)
    {
        find_witness(self, &children, closest);
    }
    push_children(self, &children);
}

float abut_closest_pair_search_shape(AbutPair* pair, const AbutClosestPairGoal* goal, AbutWitness* witness)
{
    ShapeSearch self = { .pair = pair, .field = pair->sides[0].is_field ? 0 : 1 };
    float cell = pair->sides[self.field].cell_size;
    abut_octree_side_init(&self.side, &pair->sides[self.field]);
    self.side.unit = 1.0f;
    self.goal = goal;
    self.limit = self.low = INFINITY;
    self.best = (AbutWitness){ .distance = INFINITY, .high = INFINITY };
    self.stack[self.count++] = (ShapeBox){ .surface.box.level = self.side.surface_octree.top };
    while (self.count > 0 && self.evaluations < goal->budget)
    {
        ShapeBox box = self.stack[--self.count];
        if (box.low >= self.limit)
        {
            discard(&self, box.low);
            continue;
        }
        divide(&self, &box);
    }
    for (uint32_t i = 0; i < self.count; ++i)
    {
        discard(&self, self.stack[i].low);
    }
    pair->evaluations += self.evaluations;
    *witness = self.best;
    return fmaxf(0.0f, self.low) * cell * (1.0f - 1e-6f);
}
