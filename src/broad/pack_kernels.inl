// Packs of boxes against boxes and rays (broad/kernels.h).
#ifndef ABUT_BROAD_PACK_KERNELS_INL
#define ABUT_BROAD_PACK_KERNELS_INL

#include "broad/kernels.h"
#include "simd/lane_lists.h"
#include "simd/lanes.inl"

typedef struct WideBox
{
    Wide low[3], high[3]; // the same box in all lanes
} WideBox;

KERNEL_INLINE WideBox splat_box(const AbutBox* box)
{
    return (WideBox){ { wide_splat(box->min.x), wide_splat(box->min.y), wide_splat(box->min.z) },
                      { wide_splat(box->max.x), wide_splat(box->max.y), wide_splat(box->max.z) } };
}

KERNEL_INLINE WideBox splat_lane(const AbutBoxPack* pack, unsigned lane)
{
    return (WideBox){
        { wide_splat(pack->low[0][lane]), wide_splat(pack->low[1][lane]), wide_splat(pack->low[2][lane]) },
        { wide_splat(pack->high[0][lane]), wide_splat(pack->high[1][lane]), wide_splat(pack->high[2][lane]) }
    };
}

KERNEL_INLINE WideMask overlap_on_axis(const AbutBoxPack* pack, int axis, int i, const WideBox* box)
{
    return wide_and(wide_less_equal(wide_load(pack->low[axis] + i), box->high[axis]),
                    wide_less_equal(box->low[axis], wide_load(pack->high[axis] + i)));
}

KERNEL_INLINE unsigned overlap_bits(const AbutBoxPack* pack, const WideBox* box)
{
    unsigned bits = 0;
    for (int i = 0; i < ABUT_BOX_PACK_SIZE; i += WIDE_LANES)
    {
        WideMask both = wide_and(overlap_on_axis(pack, 0, i, box), overlap_on_axis(pack, 1, i, box));
        bits |= wide_bits(wide_and(both, overlap_on_axis(pack, 2, i, box))) << i;
    }
    return bits;
}

KERNEL_INLINE unsigned lowest_bit(unsigned bits)
{
    return (unsigned)__builtin_ctz(bits);
}

static unsigned overlaps_kernel(const AbutBoxPack* pack, const AbutBox* box)
{
    WideBox wide = splat_box(box);
    return overlap_bits(pack, &wide);
}

static uint32_t box_hits_kernel(const AbutBoxPack* packs, uint32_t count, const AbutBox* box, uint32_t* hits)
{
    WideBox wide = splat_box(box);
    uint32_t hit_count = 0;
    for (uint32_t p = 0; p < count; ++p)
    {
        for (unsigned bits = overlap_bits(&packs[p], &wide); bits != 0; bits &= bits - 1)
        {
            hits[hit_count++] = ABUT_BOX_PACK_SIZE * p + lowest_bit(bits);
        }
    }
    return hit_count;
}

/// Writes base + lane for each set bit; returns their count. Always stores eight, without branches.
KERNEL_INLINE uint32_t list_lanes(unsigned bits, uint32_t base, uint32_t* out)
{
    const uint8_t* lanes = abut_lane_lists.lanes[bits];
    for (int i = 0; i < ABUT_BOX_PACK_SIZE; i += WIDE_LANES)
    {
        wide_int_store(out + i, wide_int_add(wide_int_splat(base), wide_int_load_bytes(lanes + i)));
    }
    return abut_lane_lists.counts[bits];
}

/// Hits of a pack and those of a list. Most boxes miss the bounds of the pack, by one comparison for eight.
KERNEL_INLINE uint32_t list_hits(const AbutBoxPack* pack, const WideBox* bounds, const AbutBoxPack* packs,
                                 const uint32_t* list, uint32_t list_count, uint32_t* hits)
{
    uint32_t
        candidates[(ABUT_BOX_PACK_WALK_PACKS + ABUT_BOX_PACK_SIZE) * ABUT_BOX_PACK_SIZE + ABUT_BOX_PACK_SIZE];
    uint32_t candidate_count = 0, hit_count = 0;
    for (uint32_t i = 0; i < list_count; ++i)
    {
        unsigned bits = overlap_bits(&packs[list[i]], bounds);
        candidate_count += list_lanes(bits, ABUT_BOX_PACK_SIZE * list[i], candidates + candidate_count);
    }
    for (uint32_t i = 0; i < candidate_count; ++i)
    {
        WideBox box =
            splat_lane(&packs[candidates[i] / ABUT_BOX_PACK_SIZE], candidates[i] % ABUT_BOX_PACK_SIZE);
        hit_count +=
            list_lanes(overlap_bits(pack, &box), ABUT_BOX_PACK_SIZE * candidates[i], hits + hit_count);
    }
    return hit_count;
}

static uint32_t pack_hits_kernel(const AbutBoxPack* pack, const AbutBox* bounds, const AbutBoxPack* packs,
                                 uint32_t count, uint32_t* hits)
{
    WideBox wide = splat_box(bounds);
    uint32_t list[ABUT_BOX_PACK_WALK_PACKS];
    for (uint32_t i = 0; i < count; ++i)
    {
        list[i] = i;
    }
    return list_hits(pack, &wide, packs, list, count, hits);
}

static uint32_t own_hits_kernel(const AbutBoxPack* pack, uint32_t* hits)
{
    uint32_t hit_count = 0;
    for (unsigned lane = 1; lane < ABUT_BOX_PACK_SIZE; ++lane)
    {
        WideBox box = splat_lane(pack, lane);
        unsigned before = (1u << lane) - 1;
        hit_count +=
            list_lanes(overlap_bits(pack, &box) & before, ABUT_BOX_PACK_SIZE * lane, hits + hit_count);
    }
    return hit_count;
}

/// Mask of the lanes of a pack of `level` with packs at or behind `first` on level 0.
KERNEL_INLINE unsigned lanes_from(uint32_t first, uint32_t pack, uint32_t level)
{
    uint32_t lane = first >> (3 * (level - 1)), start = ABUT_BOX_PACK_SIZE * pack;
    return lane <= start ? 0xFFu
                         : (lane - start >= ABUT_BOX_PACK_SIZE ? 0u : 0xFFu << (lane - start) & 0xFFu);
}

static uint32_t walk_hits_kernel(AbutBoxPackWalk* walk, uint32_t* hits)
{
    const WideBox bounds = splat_box(&walk->bounds);
    uint32_t packs_found[ABUT_BOX_PACK_WALK_PACKS + 2 * ABUT_BOX_PACK_SIZE];
    uint32_t pack_count = 0, depth = walk->depth;
    while (depth > 0 && pack_count < ABUT_BOX_PACK_WALK_PACKS)
    {
        const uint32_t entry = walk->stack[--depth], level = entry >> 28, pack = entry & 0x0FFFFFFFu;
        if (level == 0)
        {
            packs_found[pack_count++] = pack; // of a tree of one pack
            continue;
        }
        unsigned bits =
            overlap_bits(&walk->levels[level][pack], &bounds) & lanes_from(walk->first, pack, level);
        uint32_t first_child = ABUT_BOX_PACK_SIZE * pack;
        if (level == 1)
        {
            pack_count += list_lanes(bits, first_child, packs_found + pack_count);
        }
        else
        {
            depth += list_lanes(bits, (level - 1) << 28 | first_child, walk->stack + depth);
        }
    }
    walk->depth = depth;
    return list_hits(walk->pack, &bounds, walk->levels[0], packs_found, pack_count, hits);
}

/// Clips [enter, leave] to the part of the ray between two planes. Divisions instead of products with a
/// reciprocal: they are monotonic in the plane, so a box is never missed when one inside of it is hit.
KERNEL_INLINE void clip_ray(const AbutBoxRay* ray, int axis, Wide low, Wide high, Wide* enter, Wide* leave)
{
    const float direction = ray->direction[axis];
    Wide origin = wide_splat(ray->origin[axis]);
    if (direction == 0.0f)
    {
        WideMask inside = wide_and(wide_less_equal(low, origin), wide_less_equal(origin, high));
        *leave = wide_select(inside, *leave, wide_splat(-1.0f));
        return;
    }
    Wide near = direction > 0.0f ? low : high, far = direction > 0.0f ? high : low;
    *enter = wide_max(*enter, wide_div(wide_sub(near, origin), wide_splat(direction)));
    *leave = wide_min(*leave, wide_div(wide_sub(far, origin), wide_splat(direction)));
}

static unsigned ray_enters_kernel(const AbutBoxPack* pack, const AbutBoxRay* ray,
                                  float enter[ABUT_BOX_PACK_SIZE])
{
    unsigned bits = 0;
    for (int i = 0; i < ABUT_BOX_PACK_SIZE; i += WIDE_LANES)
    {
        Wide from = wide_zero(), to = wide_splat(ray->limit), margin = wide_splat(ray->margin);
        for (int axis = 0; axis < 3; ++axis)
        {
            Wide low = wide_sub(wide_load(pack->low[axis] + i), margin);
            Wide high = wide_add(wide_load(pack->high[axis] + i), margin);
            clip_ray(ray, axis, low, high, &from, &to);
        }
        bits |= wide_bits(wide_less_equal(from, to)) << i; // false where the lane has no box: both are NaN
        wide_store(enter + i, from);
    }
    return bits;
}

#endif
