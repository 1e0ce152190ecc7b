#include "bake/build/octree.h"

#include "bake/build/reuse.h"
#include "base/memory.h"
#include "field/bounds/distance_octree.h"
#include "field/bounds/half_spaces.h"
#include "field/bounds/lower_planes.h"

static uint32_t brick_total(const AbutFieldHeader* h)
{
    return h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

/// Bricks of the coarse level that are as they were keep their numbers: no probe was taken there.
static void copy_kept(const AbutBuild* build)
{
    const AbutReuse* reuse = build->reuse;
    const AbutFieldHeader* h = &build->header;
    AbutDistanceOctree old = abut_distance_octree_make(reuse->block),
                       new = abut_distance_octree_make(build->block);
    for (uint32_t brick = 0; brick < brick_total(h); ++brick)
    {
        if (reuse->dirty[brick] == 0 && new.slots[brick] == ABUT_FIELD_NO_SLOT)
        {
            uint32_t at[3];
            abut_brick_position(h->brick_count, brick, at);
            size_t index = abut_distance_octree_brick_index(&new, at[0], at[1], at[2]);
            ((int16_t*)new.levels[0])[index] = old.levels[0][index];
        }
    }
}

AbutResult abut_build_octree(AbutBuild* build)
{
    AbutResult result = abut_distance_octree_build(build->block, build->middles, &build->host);
    if (result == ABUT_OK && build->reuse != NULL && build->header.sparse != 0 &&
        build->header.has_octree != 0)
    {
        copy_kept(build);
    }
    if (result == ABUT_OK)
    {
        abut_half_spaces_build(build->block, &build->host);
        abut_lower_planes_build(build->block, &build->host);
    }
    return result;
}
