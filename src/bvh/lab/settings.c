// Kinds of the laboratory: defaults and names.
#include "bvh/lab/lab.h"

AbutBvhDef abut_bvh_def(void)
{
    return (AbutBvhDef){
        .volume = ABUT_BVH_BOX,
        .axis = ABUT_BVH_BEST_AXIS,
        .split = ABUT_BVH_EVEN_PLANES,
        .children = 4,
        .leaf_size = 4,
    };
}

AbutBvhTraversal abut_bvh_traversal(void)
{
    return (AbutBvhTraversal){ .rule = ABUT_BVH_OPEN_LARGER };
}

const AbutVolumeTable* abut_bvh_volume_table(AbutBvhVolume volume)
{
    static const AbutVolumeTable* const tables[ABUT_BVH_VOLUME_COUNT] = {
        [ABUT_BVH_BOX] = &abut_bvh_box,       [ABUT_BVH_ORIENTED_BOX] = &abut_bvh_oriented_box,
        [ABUT_BVH_SPHERE] = &abut_bvh_sphere, [ABUT_BVH_DOP_14] = &abut_bvh_dop_14,
        [ABUT_BVH_DOP_18] = &abut_bvh_dop_18, [ABUT_BVH_DOP_26] = &abut_bvh_dop_26,
    };
    return tables[volume];
}

static const char* name_of(const char* const* names, int count, int value)
{
    return value >= 0 && value < count ? names[value] : "unknown";
}

const char* abut_bvh_volume_name(AbutBvhVolume volume)
{
    bool known = (int)volume >= 0 && volume < ABUT_BVH_VOLUME_COUNT;
    return known ? abut_bvh_volume_table(volume)->name : "unknown";
}

const char* abut_bvh_axis_name(AbutBvhAxis axis)
{
    static const char* const names[ABUT_BVH_AXIS_COUNT] = {
        [ABUT_BVH_LONGEST_SIDE] = "longest side",
        [ABUT_BVH_LARGEST_VARIANCE] = "largest variance",
        [ABUT_BVH_BEST_AXIS] = "best of x, y, z",
    };
    return name_of(names, ABUT_BVH_AXIS_COUNT, (int)axis);
}

const char* abut_bvh_split_name(AbutBvhSplit split)
{
    static const char* const names[ABUT_BVH_SPLIT_COUNT] = {
        [ABUT_BVH_MEDIAN] = "median",
        [ABUT_BVH_MEAN] = "mean",
        [ABUT_BVH_SPATIAL_MEDIAN] = "spatial median",
        [ABUT_BVH_EVEN_PLANES] = "best of 15 planes",
        [ABUT_BVH_RANDOM_CENTROIDS] = "best of 8 centroids",
    };
    return name_of(names, ABUT_BVH_SPLIT_COUNT, (int)split);
}

const char* abut_bvh_refit_name(AbutBvhRefit refit)
{
    static const char* const names[ABUT_BVH_REFIT_COUNT] = {
        [ABUT_BVH_BOTTOM_UP] = "bottom-up",
        [ABUT_BVH_TOP_DOWN] = "top-down",
        [ABUT_BVH_HYBRID] = "hybrid",
    };
    return name_of(names, ABUT_BVH_REFIT_COUNT, (int)refit);
}

const char* abut_bvh_rule_name(AbutBvhRule rule)
{
    static const char* const names[ABUT_BVH_RULE_COUNT] = {
        [ABUT_BVH_OPEN_LARGER] = "larger",
        [ABUT_BVH_OPEN_BOTH] = "both",
        [ABUT_BVH_OPEN_ALTERNATE] = "in turn",
    };
    return name_of(names, ABUT_BVH_RULE_COUNT, (int)rule);
}

const char* abut_bvh_queue_name(AbutBvhQueue queue)
{
    static const char* const names[ABUT_BVH_QUEUE_COUNT] = {
        [ABUT_BVH_STACK] = "stack",
        [ABUT_BVH_FIFO] = "queue",
        [ABUT_BVH_PRIORITY] = "priority",
    };
    return name_of(names, ABUT_BVH_QUEUE_COUNT, (int)queue);
}

const char* abut_bvh_leaf_test_name(AbutBvhLeafTest leaf_test)
{
    static const char* const names[ABUT_BVH_LEAF_TEST_COUNT] = {
        [ABUT_BVH_TRIANGLES] = "triangle-triangle",
        [ABUT_BVH_TRIANGLE_VOLUME] = "triangle-volume",
    };
    return name_of(names, ABUT_BVH_LEAF_TEST_COUNT, (int)leaf_test);
}
