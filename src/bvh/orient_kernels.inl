// Extents of oriented boxes (bvh/kernels.h).
#ifndef ABUT_BVH_ORIENT_KERNELS_INL
#define ABUT_BVH_ORIENT_KERNELS_INL

#include "bvh/pack_kernels.inl"

KERNEL_INLINE WideVec splat_axis(const AbutOrientedNode* node, int axis, uint32_t lane)
{
    return (WideVec){ wide_splat(node->axis[axis][0][lane]), wide_splat(node->axis[axis][1][lane]),
                      wide_splat(node->axis[axis][2][lane]) };
}

static void pack_slabs_kernel(const AbutTrianglePack* pack, AbutVec3 center, const AbutOrientedNode* of,
                              uint32_t lane, AbutSlabs* out)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        WideVec direction = splat_axis(of, axis, lane);
        Wide low = wide_splat(INFINITY), high = wide_splat(-INFINITY);
        for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
        {
            for (int k = 0; k < 3; ++k)
            {
                Wide at = dot3(direction, sub3(load_corner(pack->corner[k], i), splat_vec(center)));
                low = wide_min(at, low); // NaN lanes leave the second operand
                high = wide_max(at, high);
            }
        }
        out->low[axis] = wide_least(low);
        out->high[axis] = -wide_least(wide_negate(high));
    }
}

static void node_slabs_kernel(const AbutOrientedNode* node, const AbutOrientedNode* of, uint32_t lane,
                              AbutSlabs* out)
{
    for (int row = 0; row < 3; ++row)
    {
        WideVec direction = splat_axis(of, row, lane);
        Wide low = wide_splat(INFINITY), high = wide_splat(-INFINITY);
        for (int i = 0; i < ABUT_TREE_WIDTH; i += WIDE_LANES)
        {
            Wide center = dot3(direction, load_corner(node->center, i)), extent = wide_zero();
            for (int axis = 0; axis < 3; ++axis)
            {
                Wide along = wide_abs(dot3(direction, load_corner(node->axis[axis], i)));
                extent = wide_add(extent, wide_mul(along, wide_load(node->half[axis] + i)));
            }
            low = wide_min(wide_sub(center, extent), low);
            high = wide_max(wide_add(center, extent), high);
        }
        out->low[row] = wide_least(low);
        out->high[row] = -wide_least(wide_negate(high));
    }
}

#endif
