// Oriented boxes of the children of all nodes: the first axis is the mean normal of the triangles, the second
// leads to the point furthest from the first one. A patch of a surface is thin along its normal, so that
// these boxes are much tighter than those along the axes of the mesh.
#include "base/tasks.h"
#include "bvh/kernels.h"

enum
{
    NODE_BLOCK = 64,
};

typedef struct Orient
{
    AbutMeshTree* tree;
    const AbutTreeKernels* kernels;
    bool new_axes;
    uint32_t first, end; // nodes of the level
} Orient;

typedef struct Axes
{
    AbutDVec3 axis[3];
} Axes;

/// Axes along n and, in its plane, along `side`; the axes of the mesh where one of them vanishes.
static Axes make_axes(AbutDVec3 n, AbutDVec3 side)
{
    AbutDVec3 normal = abut_dvec3_normalize(n);
    AbutDVec3 second = abut_dvec3_normalize(abut_dvec3_mul_sub(side, abut_dvec3_dot(side, normal), normal));
    AbutDVec3 third = abut_dvec3_cross(normal, second);
    if (!(abut_dvec3_squared_length(third) > 0.999999))
    {
        return (Axes){ { abut_dvec3(1.0, 0.0, 0.0), abut_dvec3(0.0, 1.0, 0.0), abut_dvec3(0.0, 0.0, 1.0) } };
    }
    return (Axes){ { normal, second, third } };
}

static void set_axis(AbutOrientedNode* node, int i, uint32_t lane, AbutVec3 axis)
{
    node->axis[i][0][lane] = axis.x;
    node->axis[i][1][lane] = axis.y;
    node->axis[i][2][lane] = axis.z;
}

static AbutVec3 axis_of(const AbutOrientedNode* node, int i, uint32_t lane)
{
    return abut_vec3(node->axis[i][0][lane], node->axis[i][1][lane], node->axis[i][2][lane]);
}

static void write_axes(AbutOrientedNode* node, uint32_t lane, const Axes* axes)
{
    set_axis(node, 0, lane, abut_dvec3_to_vec3(axes->axis[0]));
    set_axis(node, 1, lane, abut_dvec3_to_vec3(axes->axis[1]));
    set_axis(node, 2, lane, abut_dvec3_to_vec3(axes->axis[2]));
}

// -----------------------------------------------------------------------------------------------------------
// Packs
// -----------------------------------------------------------------------------------------------------------

static AbutDVec3 pack_normal(const AbutTrianglePack* pack, uint32_t count)
{
    AbutDVec3 sum = abut_dvec3_zero();
    for (uint32_t lane = 0; lane < count; ++lane)
    {
        AbutDTriangle t = abut_pack_triangle(pack, lane);
        AbutDVec3 e = abut_dvec3_sub(t.corners[1], t.corners[0]),
                  f = abut_dvec3_sub(t.corners[2], t.corners[0]);
        sum = abut_dvec3_add(sum, abut_dvec3_cross(e, f));
    }
    return sum;
}

static AbutDVec3 pack_side(const AbutTrianglePack* pack, uint32_t count)
{
    AbutDVec3 origin = abut_dvec3(pack->corner[0][0][0], pack->corner[0][1][0], pack->corner[0][2][0]);
    AbutDVec3 furthest = abut_dvec3_zero();
    double largest = 0.0;
    for (uint32_t lane = 0; lane < count; ++lane)
    {
        AbutDTriangle t = abut_pack_triangle(pack, lane);
        for (int i = 0; i < 3; ++i)
        {
            AbutDVec3 d = abut_dvec3_sub(t.corners[i], origin);
            double squared = abut_dvec3_squared_length(d);
            furthest = squared > largest ? d : furthest;
            largest = abut_larger(squared, largest);
        }
    }
    return furthest;
}

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

static AbutDVec3 lane_center(const AbutOrientedNode* node, uint32_t lane)
{
    return abut_dvec3(node->center[0][lane], node->center[1][lane], node->center[2][lane]);
}

/// The vector between the centres of the two children that are furthest apart, as seen from the first.
static AbutDVec3 node_side(const AbutOrientedNode* node, uint32_t count)
{
    AbutDVec3 origin = lane_center(node, 0), furthest = abut_dvec3_zero();
    double largest = 0.0;
    for (uint32_t lane = 1; lane < count; ++lane)
    {
        AbutDVec3 d = abut_dvec3_sub(lane_center(node, lane), origin);
        double squared = abut_dvec3_squared_length(d);
        furthest = squared > largest ? d : furthest;
        largest = abut_larger(squared, largest);
    }
    return furthest;
}

/// Axes of a child; returns its normal.
static AbutDVec3 orient_lane(AbutMeshTree* tree, uint32_t n, uint32_t lane)
{
    uint32_t child = tree->nodes[n].child[lane];
    AbutDVec3 normal, side;
    if ((child & ABUT_TREE_PACK) != 0)
    {
        const AbutTrianglePack* pack = &tree->packs[child & ~ABUT_TREE_PACK];
        uint32_t count = tree->index[child & ~ABUT_TREE_PACK].count;
        normal = pack_normal(pack, count);
        side = pack_side(pack, count);
    }
    else
    {
        normal = abut_dvec3_from_vec3(tree->oriented[child].normal);
        side = node_side(&tree->oriented[child], tree->nodes[child].child_count);
    }
    Axes axes = make_axes(normal, side);
    write_axes(&tree->oriented[n], lane, &axes);
    return normal;
}

/// Centre and extents of a child along its axes.
static void fit_lane(AbutMeshTree* tree, const AbutTreeKernels* kernels, uint32_t n, uint32_t lane)
{
    AbutOrientedNode* node = &tree->oriented[n];
    uint32_t child = tree->nodes[n].child[lane];
    AbutSlabs slabs;
    if ((child & ABUT_TREE_PACK) != 0)
    {
        kernels->pack_slabs(&tree->packs[child & ~ABUT_TREE_PACK], tree->center, node, lane, &slabs);
    }
    else
    {
        kernels->node_slabs(&tree->oriented[child], node, lane, &slabs);
    }
    for (int k = 0; k < 3; ++k)
    {
        float center = 0.0f;
        for (int i = 0; i < 3; ++i)
        {
            center += 0.5f * (slabs.low[i] + slabs.high[i]) * node->axis[i][k][lane];
        }
        node->center[k][lane] = center;
        node->half[k][lane] = 0.5f * (slabs.high[k] - slabs.low[k]);
    }
}

/// Lanes without a child repeat the first: they change no interval.
static void fill_lanes(AbutOrientedNode* node, uint32_t count)
{
    for (uint32_t lane = count; lane < ABUT_TREE_WIDTH; ++lane)
    {
        for (int i = 0; i < 3; ++i)
        {
            node->center[i][lane] = node->center[i][0];
            node->half[i][lane] = node->half[i][0];
            set_axis(node, i, lane, axis_of(node, i, 0));
        }
    }
}

static void orient_node(const Orient* orient, uint32_t n)
{
    AbutMeshTree* tree = orient->tree;
    uint32_t count = tree->nodes[n].child_count;
    AbutDVec3 sum = abut_dvec3_zero();
    for (uint32_t lane = 0; lane < count; ++lane)
    {
        if (orient->new_axes)
        {
            AbutDVec3 normal = orient_lane(tree, n, lane);
            sum = abut_dvec3_add(sum, normal);
        }
        fit_lane(tree, orient->kernels, n, lane);
    }
    fill_lanes(&tree->oriented[n], count);
    tree->oriented[n].normal = orient->new_axes ? abut_dvec3_to_vec3(sum) : tree->oriented[n].normal;
}

static void orient_nodes(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Orient* orient = context;
    uint32_t end = orient->first + (block + 1) * NODE_BLOCK;
    for (uint32_t n = orient->first + block * NODE_BLOCK; n < end && n < orient->end; ++n)
    {
        orient_node(orient, n);
    }
}

void abut_tree_orient(AbutMeshTree* tree, bool new_axes)
{
    Orient orient = { .tree = tree, .kernels = abut_tree_kernels(), .new_axes = new_axes };
    for (uint32_t level = tree->level_count; level-- > 0;)
    {
        orient.first = tree->level_first[level];
        orient.end = tree->level_first[level + 1];
        abut_parallel_for(&tree->host, abut_block_count(orient.end - orient.first, NODE_BLOCK), orient_nodes,
                          &orient);
    }
}
