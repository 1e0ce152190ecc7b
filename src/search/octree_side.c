// Boxes of a surface octree as searches divide them, and supports of the surface in them.
#include "search/octree_side.h"

#include "base/assert.h"
#include "field/bounds/kernels.h"
#include "field/field.h"

#include <math.h>
#include <string.h>

enum
{
    TRIES = 3
};

/// Distances of far nodes, in cells: the further, the flatter the ball around one; but it has to be empty.
static const float FAR[TRIES] = { 12.0f, 4.0f, 1.5f };

void abut_octree_side_init(AbutOctreeSide* self, const AbutPairSide* side)
{
    const AbutField* field = abut_field_of(side->shape);
    self->surface_octree = abut_surface_octree_make(field->block, &field->octree, &field->half_spaces);
    self->nodes = abut_far_nodes_make(self->surface_octree.block);
    ABUT_ASSERT(self->surface_octree.top - ABUT_OCTREE_SIDE_FINEST < ABUT_OCTREE_SIDE_LEVELS);
    for (int32_t level = ABUT_OCTREE_SIDE_FINEST; level <= self->surface_octree.top; ++level)
    {
        abut_surface_octree_limits(&self->surface_octree, level,
                                   self->limits[level - ABUT_OCTREE_SIDE_FINEST]);
    }
}

uint32_t abut_octree_side_children(const AbutOctreeSide* side, const AbutSurfaceBox* box,
                                   AbutSurfaceBox children[8])
{
    int32_t level = box->box.level - 1;
    ABUT_ASSERT(level >= ABUT_OCTREE_SIDE_FINEST);
    const int* limits = side->limits[level - ABUT_OCTREE_SIDE_FINEST];
    int16_t made[8];
    AbutSurfaceOctreeChildren stored = abut_surface_octree_children(&side->surface_octree, &box->box, made);
    const AbutChildHalfSpaces half_spaces = { .group = stored.half_spaces,
                                              .offset_unit =
                                                  abut_surface_octree_radius(level) * (1.0f / 127.0f),
                                              .step = 0.25f * abut_surface_octree_size(box->box.level) };
    uint32_t count = 0;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        if (stored.numbers[corner] >= limits[0] && stored.numbers[corner] <= limits[1])
        {
            AbutSurfaceBox* child = &children[count++];
            child->box = abut_surface_octree_child(&box->box, corner);
            memcpy(child->half_space, box->half_space, sizeof(box->half_space));
            abut_octree_side_half_space(&half_spaces, corner, child->half_space);
        }
    }
    return count;
}

// -----------------------------------------------------------------------------------------------------------
// Support
// -----------------------------------------------------------------------------------------------------------

/// True when the nodes prove that the surface does not pass through a box smaller than those of the octree.
static bool is_empty(const AbutOctreeSide* side, const AbutOctreeBox* box, const float middle[3])
{
    return box->level < ABUT_SURFACE_OCTREE_FINEST &&
           abut_far_node_kernels()->distance_bound(&side->nodes, middle) >
               abut_surface_octree_radius(box->level);
}

/// Support of the part of a box in its half space: for one box what closest_pair_kernels.inl computes for
/// eight.
static float support_of_half_space(const float half_space[4], float half, const float direction[3])
{
    float best = half * (fabsf(direction[0]) + fabsf(direction[1]) + fabsf(direction[2]));
    for (int i = 0; i < 3; ++i)
    {
        float scale = direction[i] / half_space[i];
        if (scale > 0.0f && scale < 16.0f)
        {
            float rest = fabsf(direction[0] - scale * half_space[0]) +
                         fabsf(direction[1] - scale * half_space[1]) +
                         fabsf(direction[2] - scale * half_space[2]);
            float support = scale * half_space[3] + half * rest;
            best = support < best ? support : best;
        }
    }
    return best;
}

/// Support from the empty balls around far nodes in the direction.
static float support_of_nodes(const AbutOctreeSide* side, const AbutOctreeBox* box, const float middle[3],
                              const float direction[3])
{
    float most = FAR[0], radius = abut_surface_octree_radius(box->level), best = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        float size = fabsf(direction[axis]);
        float end = direction[axis] > 0.0f ? side->nodes.cells[axis] - middle[axis] : middle[axis];
        most = 0.9999f * end < most * size ? 0.9999f * end / size : most;
    }
    for (int i = 0; i < TRIES; ++i)
    {
        float far = FAR[i] < most ? FAR[i] : most;
        if (far > 0.25f && (i == 0 || most > FAR[i]))
        {
            float support = abut_far_node_kernels()->support(&side->nodes, middle, direction, far, radius);
            best = support < best ? support : best;
        }
    }
    return best * side->unit;
}

float abut_octree_side_support(const AbutOctreeSide* side, const AbutOctreeBox* box,
                               const float half_space[4], const float direction[3])
{
    float half = 0.5f * abut_surface_octree_size(box->level) * side->unit, middle[3];
    float support = support_of_half_space(half_space, half, direction);
    if (box->level > ABUT_SURFACE_OCTREE_FINEST ||
        !abut_surface_octree_is_certain(&side->surface_octree, box))
    {
        return support;
    }
    abut_surface_octree_middle(box, middle);
    support = fminf(support, support_of_nodes(side, box, middle, direction));
    float box_support = half * (fabsf(direction[0]) + fabsf(direction[1]) + fabsf(direction[2]));
    return support < -box_support || is_empty(side, box, middle) ? -INFINITY : support;
}
