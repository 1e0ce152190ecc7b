// Search of an octree for a point in both solids.
#include "toi/solids/containment.h"

#include "field/field.h"
#include "search/octree_side.h"
#include "shape/shape.h"

enum
{
    STACK = 8 * ABUT_OCTREE_SIDE_LEVELS
};

typedef struct SolidBox
{
    AbutOctreeBox box;
    float depth; // lower bound of the depth of its middle in the solid, in cells; negative outside
} SolidBox;

/// The octree of one field against the other shape, at the start.
typedef struct Walk
{
    AbutToiSearch* toi;
    int field, other; // sides of the pair
    AbutOctreeSide side;
    AbutTransform frame; // of the moving shape in the standing one's
    SolidBox stack[STACK];
    uint32_t count;
} Walk;

/// Children of a box with a possible part of the solid, and the distances of the other shape from their
/// middles.
typedef struct Children
{
    SolidBox box[8];
    AbutPairBatch in_other; // in the other shape's frame
} Children;

static AbutDVec3 middle_of(const Walk* self, const AbutOctreeBox* box)
{
    const AbutFieldHeader* h = self->side.surface_octree.block;
    float middle[3];
    abut_surface_octree_middle(box, middle);
    return abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), h->cell_size,
                              abut_dvec3(middle[0], middle[1], middle[2]));
}

/// From the field's frame to that of the other shape.
static AbutDVec3 to_other(const Walk* self, AbutDVec3 at)
{
    return self->field == 1 ? abut_transform_inverse_point(&self->frame, at)
                            : abut_transform_point(&self->frame, at);
}

static void list_children(Walk* self, const SolidBox* box, Children* children)
{
    int16_t made[8];
    AbutSurfaceOctreeChildren kept =
        abut_surface_octree_children(&self->side.surface_octree, &box->box, made);
    const int* limits = self->side.limits[box->box.level - 1 - ABUT_OCTREE_SIDE_FINEST];
    float step =
        0.5f * abut_surface_octree_radius(box->box.level); // from its middle to those of its children
    children->in_other.count = 0;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        if (kept.numbers[corner] > limits[1])
        {
            continue;
        }
        size_t i = children->in_other.count++;
        children->box[i].box = abut_surface_octree_child(&box->box, corner);
        children->box[i].depth =
            fmaxf(box->depth - step, -(float)kept.numbers[corner] * self->side.surface_octree.step);
        AbutDVec3 middle = to_other(self, middle_of(self, &children->box[i].box));
        abut_pair_batch_set(&children->in_other, i, abut_dvec3_to_vec3(middle));
    }
}

/// Lower bound of the distance from the octree of the other shape, when that is a field: far from the surface
/// of a sparse field it is sharper than a sample.
static double low_of_brick(const Walk* self, const AbutPairBatch* in_other, size_t i)
{
    const AbutPairSide* side = &self->toi->pair.sides[self->other];
    const AbutField* field = side->is_field ? abut_field_of(side->shape) : NULL;
    if (field == NULL || field->octree.leaves == NULL)
    {
        return -INFINITY;
    }
    const AbutFieldHeader* h = field->block;
    uint32_t brick[3];
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double at = ((double)in_other->at[axis][i] - h->origin[axis]) / (h->cell_size * ABUT_BRICK_CELLS);
        double last = h->brick_count[axis] - 1.0;
        brick[axis] = (uint32_t)(at > 0.0 ? (at < last ? at : last) : 0.0);
        double offset = (at - brick[axis] - 0.5) * ABUT_BRICK_CELLS;
        squared += offset * offset;
    }
    int number =
        field->octree
            .levels[0][abut_distance_octree_brick_index(&field->octree, brick[0], brick[1], brick[2])];
    double cells = number * (double)field->octree.step - sqrt(squared);
    return cells * h->cell_size - (double)side->rounding;
}

/// Tests the children of a box. True for one in both solids, or possibly so and too small for division:
/// *common.
static bool test_children(Walk* self, Children* children, SolidBox* common)
{
    const AbutPair* pair = &self->toi->pair;
    const AbutFieldHeader* h = self->side.surface_octree.block;
    AbutPairBatch* in_other = &children->in_other;
    // A cell of the field, in the other shape's units.
    double cell = h->cell_size * (self->field == 0 ? self->frame.scale : 1.0 / self->frame.scale);
    abut_pair_side_sample(&pair->sides[self->other],
                          (AbutPoints){ in_other->at[0], in_other->at[1], in_other->at[2] }, in_other->count,
                          (AbutSamples){ .distance = in_other->distance[self->other] });
    self->toi->evaluations += in_other->count;
    for (size_t i = 0; i < in_other->count; ++i)
    {
        const SolidBox* child = &children->box[i];
        float radius = abut_surface_octree_radius(child->box.level),
              limit = (float)(cell * (double)radius) * (1.0f + 1e-5f);
        float distance = in_other->distance[self->other][i];
        if (abut_pair_low(pair, self->other, in_other, i, limit) > limit ||
            low_of_brick(self, in_other, i) > (double)limit)
        {
            continue;
        }
        bool inside =
            child->depth > 0.0f && distance + abut_pair_error(pair, self->other, in_other, i, 0.0f) <= 0.0f;
        bool is_within_solid = child->depth > radius;
        if (inside || (is_within_solid && child->box.level <= ABUT_OCTREE_SIDE_FINEST))
        {
            *common = *child;
            return true;
        }
        if (is_within_solid || child->box.level > ABUT_SURFACE_OCTREE_FINEST)
        {
            self->stack[self->count++] = *child;
        }
    }
    return false;
}

static bool walk(AbutToiSearch* toi, int field, AbutVec3* point)
{
    Walk self = { .toi = toi, .field = field, .other = 1 - field };
    self.frame = abut_relative_motion_frame(&toi->motion, 0.0);
    abut_octree_side_init(&self.side, &toi->pair.sides[field]);
    self.stack[0] = (SolidBox){ { .level = self.side.surface_octree.top }, -INFINITY };
    self.count = 1;
    while (self.count > 0)
    {
        SolidBox box = self.stack[--self.count], common;
        Children children;
        list_children(&self, &box, &children);
        if (children.in_other.count > 0 && test_children(&self, &children, &common))
        {
            AbutDVec3 middle = middle_of(&self, &common.box);
            *point = abut_dvec3_to_vec3(field == 0 ? middle : to_other(&self, middle));
            return true;
        }
    }
    return false;
}

bool abut_toi_containment(AbutToiSearch* toi, AbutVec3* point)
{
    for (int side = 0; side < 2; ++side)
    {
        if (toi->pair.sides[side].is_field && walk(toi, side, point))
        {
            return true;
        }
    }
    return false;
}
