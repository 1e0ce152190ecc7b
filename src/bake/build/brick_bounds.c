// Bounds per brick, errors of the cells near the surface, and the pyramid above. All but the certainty of
// signs is computed from the stored nodes.
#include "bake/build/brick_bounds.h"

#include "bake/build/cell_errors.h"
#include "bake/build/reuse.h"
#include "base/tasks.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>

/// Half of a side of a brick and a cell around it, in cells, and the number of halvings before its sign
/// counts as uncertain.
static const double BRICK_RADIUS = 5.0;
enum
{
    MAX_HALVINGS = 3
};

typedef struct LevelBuild
{
    AbutBuild* build;
    uint32_t level;
} LevelBuild;

static uint32_t brick_total(const AbutFieldHeader* h)
{
    return h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

/// True when the sign is certain all over a cube. The proof is for the ball around the cube, which is larger
/// and has the steepest slopes: where it fails, the proofs of the octants may not.
static bool is_certain_cube(const AbutNodeSource* source, AbutDVec3 center, double half, int halvings)
{
    if (source->is_certain(source->context, center, 1.7320508075688774 * half))
    {
        return true;
    }
    bool certain = halvings > 0;
    for (int corner = 0; corner < 8 && certain; ++corner)
    {
        AbutDVec3 sides = abut_dvec3((corner & 1) != 0 ? 0.5 : -0.5, (corner & 2) != 0 ? 0.5 : -0.5,
                                     (corner & 4) != 0 ? 0.5 : -0.5);
        AbutDVec3 octant_center = abut_dvec3_mul_add(center, half, sides);
        certain = is_certain_cube(source, octant_center, 0.5 * half, halvings - 1);
    }
    return certain;
}

/// True when the sign is certain all over the brick and a cell around it.
static bool is_certain(const AbutBuild* build, uint32_t brick)
{
    const AbutFieldHeader* h = &build->header;
    const AbutNodeSource* source = build->source;
    if (source->is_certain == NULL)
    {
        return true;
    }
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    AbutDVec3 middle = abut_dvec3(position[0] + 0.5, position[1] + 0.5, position[2] + 0.5);
    AbutDVec3 center =
        abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), h->cell_size * ABUT_BRICK_CELLS, middle);
    return is_certain_cube(source, center, BRICK_RADIUS * h->cell_size, MAX_HALVINGS);
}

static AbutFieldBounds bound_brick(const AbutBuild* build, uint32_t brick)
{
    AbutFieldBounds bounds = abut_field_bound_brick(build->block, brick);
    return is_certain(build, brick) ? bounds : abut_field_uncertain_bounds(bounds);
}

/// Bounds of a brick that keeps its own nodes.
static void bound_stored(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const AbutBuild* build = context;
    const AbutFieldHeader* h = &build->header;
    uint32_t slot = ((const uint32_t*)abut_field_section(build->block, ABUT_FIELD_SLOTS))[brick];
    uint32_t entry = h->sparse != 0 ? slot : brick;
    if (entry != ABUT_FIELD_NO_SLOT)
    {
        AbutPackedBounds* entries = abut_field_section(build->block, ABUT_FIELD_PYRAMID);
        entries[entry] = abut_reuse_is_unchanged(build, brick)
                             ? abut_reuse_bounds(build->reuse, brick)
                             : abut_field_pack_bounds(bound_brick(build, brick), h->cell_size);
    }
}

/// Bounds of one box of the level below: from its entry, or of a brick that the coarse level stands for.
static AbutFieldBounds bounds_below(const LevelBuild* self, const uint32_t count[3], uint32_t x, uint32_t y,
                                    uint32_t z)
{
    const AbutBuild* build = self->build;
    const AbutFieldHeader* h = &build->header;
    uint32_t below[3];
    const AbutPackedBounds* entries = abut_field_level(build->block, self->level - 1, below);
    uint32_t i = (z * count[1] + y) * count[0] + x;
    if (self->level > 1 || h->sparse == 0)
    {
        return abut_field_unpack_bounds(entries[i], h->cell_size);
    }
    uint32_t slot = ((const uint32_t*)abut_field_section(build->block, ABUT_FIELD_SLOTS))[i];
    return slot != ABUT_FIELD_NO_SLOT ? abut_field_unpack_bounds(entries[slot], h->cell_size)
                                      : bound_brick(build, i);
}

static void bound_box(void* context, uint32_t box, uint32_t worker)
{
    (void)worker;
    const LevelBuild* self = context;
    uint32_t below[3], count[3];
    abut_field_level(self->build->block, self->level - 1, below);
    AbutPackedBounds* entries = abut_field_level(self->build->block, self->level, count);
    uint32_t x = box % count[0], y = box / count[0] % count[1], z = box / count[0] / count[1];
    AbutFieldBounds bounds = bounds_below(self, below, 2 * x, 2 * y, 2 * z);
    for (uint32_t corner = 1; corner < 8; ++corner)
    {
        uint32_t cx = 2 * x + (corner & 1), cy = 2 * y + (corner >> 1 & 1), cz = 2 * z + (corner >> 2);
        if (cx < below[0] && cy < below[1] && cz < below[2])
        {
            bounds = abut_field_join_bounds(bounds, bounds_below(self, below, cx, cy, cz));
        }
    }
    entries[box] = abut_field_pack_bounds(bounds, self->build->header.cell_size);
}

static void build_pyramid(AbutBuild* build)
{
    AbutFieldHeader* h = &build->header;
    for (LevelBuild self = { build, 1 }; self.level < h->level_count; ++self.level)
    {
        uint32_t count[3];
        abut_field_level(build->block, self.level, count);
        abut_parallel_for(&build->host, count[0] * count[1] * count[2], bound_box, &self);
    }
    h->slope = abut_field_root_bounds(build->block).slope;
}

void abut_build_bounds(AbutBuild* build)
{
    abut_parallel_for(&build->host, brick_total(&build->header), bound_stored, build);
    build_pyramid(build);
    abut_build_cell_errors(build);
}

void abut_build_count_uncertain(AbutBuild* build)
{
    AbutFieldHeader* h = &build->header;
    const uint32_t* slots = abut_field_section(build->block, ABUT_FIELD_SLOTS);
    const uint64_t cells = (uint64_t)ABUT_BRICK_CELLS * ABUT_BRICK_CELLS * ABUT_BRICK_CELLS;
    uint64_t bricks = 0, nodes = 0;
    bool any = isinf(abut_field_root_bounds(build->block).error) != 0;
    for (uint32_t i = 0; any && i < brick_total(h); ++i)
    {
        if (isinf(abut_field_brick_bounds(build->block, i).error))
        {
            bricks += 1;
            nodes += h->sparse != 0 && slots[i] == ABUT_FIELD_NO_SLOT ? 1 : cells;
        }
    }
    h->uncertain_nodes = nodes;
    h->uncertain_volume = (double)(bricks * cells) * h->cell_size * h->cell_size * h->cell_size;
}
