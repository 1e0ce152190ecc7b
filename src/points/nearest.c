// Each point searches a nearer neighbour than the nearest pair so far, in the spheres that may hold one. The
// bound starts with neighbours in the order of the tree, so that few spheres are opened.
#include "points/nearest.h"

enum
{
    STACK = ABUT_POINT_MAX_DEPTH * ABUT_POINT_CHILDREN
};

static double squared_distance(const AbutPointSet* set, uint32_t i, uint32_t j)
{
    double x = (double)set->at[0][i] - (double)set->at[0][j],
           y = (double)set->at[1][i] - (double)set->at[1][j],
           z = (double)set->at[2][i] - (double)set->at[2][j];
    return x * x + y * y + z * z;
}

/// True when a node has points after `i` and its sphere is nearer to it than `best`.
static bool may_contain(const AbutPointSet* set, const AbutPointNode* node, uint32_t i, double best)
{
    if (node->first_point + node->point_count <= i + 1)
    {
        return false;
    }
    double x = (double)set->at[0][i] - (double)node->center.x,
           y = (double)set->at[1][i] - (double)node->center.y,
           z = (double)set->at[2][i] - (double)node->center.z;
    double radius_sum = (double)node->radius + sqrt(best);
    return x * x + y * y + z * z < radius_sum * radius_sum;
}

static double leaf_best(const AbutPointSet* set, const AbutPointNode* node, uint32_t i, double best)
{
    for (uint32_t j = node->first_point; j < node->first_point + node->point_count; ++j)
    {
        if (j > i)
        {
            best = fmin(best, squared_distance(set, i, j));
        }
    }
    return best;
}

static double point_best(const AbutPointSet* set, uint32_t i, double best)
{
    uint32_t stack[STACK], count = 1;
    stack[0] = 0;
    while (count > 0)
    {
        const AbutPointNode* node = &set->nodes[stack[--count]];
        if (!may_contain(set, node, i, best))
        {
            continue;
        }
        if (node->child_count == 0)
        {
            best = leaf_best(set, node, i, best);
        }
        for (uint32_t k = 0; k < node->child_count; ++k)
        {
            stack[count++] = node->first_child + k;
        }
    }
    return best;
}

float abut_points_min_distance(const AbutPointSet* points)
{
    if (points->count < 2)
    {
        return 0.0f;
    }
    double best = INFINITY;
    for (uint32_t i = 1; i < points->count; ++i)
    {
        best = fmin(best, squared_distance(points, i - 1, i));
    }
    for (uint32_t i = 0; i < points->count && best > 0.0; ++i)
    {
        best = point_best(points, i, best);
    }
    return (float)sqrt(best);
}
