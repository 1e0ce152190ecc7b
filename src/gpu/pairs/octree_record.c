// The record of a dual octree traversal for devices.
#include "gpu/pairs/traverse.h"

#include "field/field.h"
#include "gpu/fields.h"
#include "gpu/node_range.h"
#include "gpu/pairs/walk.h"
#include "search/field_pair.h"

#include <math.h>
#include <string.h>

enum
{
    // Exponents of numbers. Lengths are in cells; points beyond a grid are beyond it by 0 or over 2⁻⁶³.
    SMALLEST_ELEMENT = -40,
    SMALLEST_LENGTH = -30,
    LARGEST = 30,
    BRICK_LEVEL = ABUT_SURFACE_OCTREE_BRICK
};

static bool fits(const float* values, size_t count, int low)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i)
    {
        good = good && abut_gpu_in_range(values[i], low, LARGEST);
    }
    return good;
}

static void attach_a(const AbutField* a, uint32_t last_level, GpuOctreePair* out)
{
    const AbutDistanceOctree* octree = &a->octree;
    memcpy(out->a_brick_count, octree->brick_count, sizeof(out->a_brick_count));
    out->a_first_brick = (uint32_t)(octree->levels[0] - octree->leaves);
    for (uint32_t down = 0; down < 2; ++down)
    {
        out->a_less[down] = (uint32_t)abut_dual_octree_less(octree->step, down);
    }
    out->first_middle[0] = abut_gpu_first_middle(a, 0, last_level);
    out->first_middle[1] = abut_gpu_first_middle(a, 1, last_level);
    out->first_middle[2] = abut_gpu_first_middle(a, 2, last_level);
}

static void attach_b(const AbutDualOctreePair* pair, GpuOctreePair* out)
{
    memcpy(out->to_b, pair->to_b, sizeof(out->to_b));
    memcpy(out->cells, pair->cells, sizeof(out->cells));
    memcpy(out->last, pair->last, sizeof(out->last));
    out->a_step = pair->a_step;
    out->b_step = pair->b_step;
    out->ratio = pair->ratio;
    out->rounding = pair->rounding;
    out->inflate = pair->inflate;
    out->first_brick = pair->first_brick;
    out->brick_row = pair->brick_row;
    out->brick_slab = pair->brick_slab;
    out->group_row = pair->group_row;
    out->group_slab = pair->group_slab;
}

bool abut_gpu_record_octree(const AbutDualOctree* octree, const AbutPair* pair, GpuOctreePair* out)
{
    AbutFieldPair fields;
    uint32_t top = octree->octree->level_count + BRICK_LEVEL;
    memset(out, 0, sizeof(*out));
    if (octree->last_level >= (int32_t)top || !abut_field_pair_init(&fields, pair))
    {
        return false;
    }
    out->top = top;
    out->last_level = (uint32_t)octree->last_level;
    out->threshold = octree->threshold;
    out->a_rounding = octree->rounding;
    attach_a(abut_field_of(pair->sides[0].shape), out->last_level, out);
    attach_b(&octree->pair, out);
    const float lengths[7] = { out->a_step,  out->b_step,    out->ratio,     out->rounding,
                               out->inflate, out->threshold, out->a_rounding };
    bool good = fits(lengths, 7, SMALLEST_LENGTH) && fits(out->to_b[0], 12, SMALLEST_ELEMENT);
    for (int side = 0; side < 2; ++side)
    {
        good =
            abut_gpu_walk_side(fields.sides[side].transform, fields.sides[side].inflate, &out->sides[side]) &&
            good;
    }
    return good;
}
