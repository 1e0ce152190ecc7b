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
    AbutCenters old = abut_field_centers(reuse->block), new = abut_field_centers(build->block);
    for (uint32_t brick = 0; brick < brick_total(h); ++brick)
    {
        if (reuse->touched[brick] == 0 && new.slots[brick] == ABUT_FIELD_NO_SLOT)
        {
            uint32_t x = brick % h->brick_count[0], y = brick / h->brick_count[0] % h->brick_count[1],
                     z = brick / h->brick_count[0] / h->brick_count[1];
            size_t place = abut_center_of_brick(&new, x, y, z);
            ((int16_t*)new.levels[0])[place] = old.levels[0][place];
        }
    }
}

AbutResult abut_build_centers(AbutBuild* build)
{
    AbutResult result = abut_field_fill_centers(build->block, build->middles, &build->host);
    if (result == ABUT_OK && build->reuse != NULL && build->header.sparse != 0 &&
        build->header.has_centers != 0)
    {
        copy_kept(build);
    }
    if (result == ABUT_OK)
    {
        abut_field_fill_plates(build->block, &build->host);
        abut_field_fill_floors(build->block, &build->host);
    }
    return result;
}
