#include "points/points.h"

#include "base/arena.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "points/nearest.h"
#include "points/sphere_tree.h"

#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Storage
// -----------------------------------------------------------------------------------------------------------

enum
{
    ARRAY_ALIGNMENT = 64
};

static size_t aligned(size_t bytes)
{
    return (bytes + ARRAY_ALIGNMENT - 1) / ARRAY_ALIGNMENT * ARRAY_ALIGNMENT;
}

/// A set with capacity for points and nodes, in one allocation.
static AbutPointSet* allocate_set(uint32_t count, uint32_t node_count, const AbutHost* host)
{
    size_t head = aligned(sizeof(AbutPointSet)), column = aligned((size_t)count * sizeof(float));
    size_t bytes = head + 7 * column + (size_t)node_count * sizeof(AbutPointNode);
    char* memory = abut_memory_allocate_zero(host, 1, bytes);
    if (memory == NULL)
    {
        return NULL;
    }
    AbutPointSet* set = (AbutPointSet*)memory;
    set->host = *host;
    set->bytes = bytes;
    set->count = count;
    set->node_count = node_count;
    for (int axis = 0; axis < 3; ++axis)
    {
        set->at[axis] = (float*)(memory + head + (size_t)axis * column);
        set->normal[axis] = (float*)(memory + head + (size_t)(3 + axis) * column);
    }
    set->source = (uint32_t*)(memory + head + 6 * column);
    set->nodes = (AbutPointNode*)(memory + head + 7 * column);
    atomic_init(&set->owners, 1);
    return set;
}

static void fill_points(const AbutPointInput* input, const uint32_t* order, AbutPointSet* set)
{
    set->bounds = abut_box_empty();
    for (uint32_t i = 0; i < set->count; ++i)
    {
        const float* p = input->positions + 3 * (size_t)order[i];
        set->bounds = abut_box_add_point(set->bounds, abut_vec3(p[0], p[1], p[2]));
        set->source[i] = input->sources != NULL ? input->sources[order[i]] : order[i];
        for (size_t axis = 0; axis < 3; ++axis)
        {
            set->at[axis][i] = p[axis];
            set->normal[axis][i] =
                input->normals != NULL ? input->normals[3 * (size_t)order[i] + axis] : 0.0f;
        }
    }
}

static AbutResult make_set(const AbutPointInput* input, AbutArena* scratch, AbutPointSet** out)
{
    uint32_t count = input->count;
    AbutPointTree tree = { 0 };
    tree.order = abut_arena_allocate(scratch, count, sizeof(uint32_t));
    tree.nodes = abut_arena_allocate(scratch, abut_point_tree_capacity(count), sizeof(AbutPointNode));
    uint64_t* keys = abut_arena_allocate(scratch, count, sizeof(uint64_t));
    uint64_t* spare = abut_arena_allocate(scratch, count, sizeof(uint64_t));
    if (tree.order == NULL || tree.nodes == NULL || keys == NULL || spare == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    abut_point_tree_build(input->positions, count, keys, spare, &tree);
    AbutPointSet* set = allocate_set(count, tree.node_count, &scratch->host);
    if (set == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    set->depth = tree.depth;
    set->spacing = input->spacing;
    fill_points(input, tree.order, set);
    memcpy(set->nodes, tree.nodes, tree.node_count * sizeof(AbutPointNode));
    set->min_distance = abut_points_min_distance(set);
    *out = set;
    return ABUT_OK;
}

AbutResult abut_points_make(const AbutPointInput* input, const AbutHost* host, AbutPointSet** out)
{
    *out = NULL;
    if (input->count > ABUT_POINT_MAX_COUNT)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "points: %u are too many; the most are %u", input->count,
                         ABUT_POINT_MAX_COUNT);
    }
    AbutHost resolved = abut_host_resolve(host);
    AbutArena scratch = abut_arena_make(&resolved);
    AbutResult result = make_set(input, &scratch, out);
    abut_arena_clear(&scratch);
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Any points
// -----------------------------------------------------------------------------------------------------------

static AbutResult check_finite(const float* numbers, uint32_t count, const char* what)
{
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
    {
        if (!isfinite(numbers[i]))
        {
            return abut_fail(ABUT_INVALID_DATA, "points: %s %zu has a number that is not finite", what,
                             i / 3);
        }
    }
    return ABUT_OK;
}

AbutResult abut_points_create(const float* positions, const float* normals, uint32_t count,
                              const AbutHost* host, AbutPointSet** out)
{
    ABUT_FP_CALL(abut_points_create, positions, normals, count, host, out);
    *out = NULL;
    if (positions == NULL && count > 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "points: positions are NULL, but there are to be %u", count);
    }
    AbutResult result = check_finite(positions, count, "position");
    if (result == ABUT_OK && normals != NULL)
    {
        result = check_finite(normals, count, "normal");
    }
    AbutPointInput input = { .positions = positions, .normals = normals, .count = count };
    return result == ABUT_OK ? abut_points_make(&input, host, out) : result;
}

AbutPointSet* abut_points_retain(AbutPointSet* points)
{
    atomic_fetch_add_explicit(&points->owners, 1, memory_order_relaxed);
    return points;
}

void abut_points_destroy(AbutPointSet* points)
{
    if (points == NULL || atomic_fetch_sub_explicit(&points->owners, 1, memory_order_acq_rel) != 1)
    {
        return;
    }
    AbutHost host = points->host;
    abut_memory_free(&host, points, 1, points->bytes);
}

// -----------------------------------------------------------------------------------------------------------
// Information
// -----------------------------------------------------------------------------------------------------------

AbutPointsInfo abut_points_info(const AbutPointSet* points)
{
    return (AbutPointsInfo){
        .count = points->count,
        .bounds = points->bounds,
        .spacing = points->spacing,
        .min_distance = points->min_distance,
        .node_count = points->node_count,
        .depth = points->depth,
        .bytes = points->bytes,
    };
}

AbutPointData abut_points_data(const AbutPointSet* points)
{
    return (AbutPointData){
        .count = points->count,
        .positions = { points->at[0], points->at[1], points->at[2] },
        .normals = { points->normal[0], points->normal[1], points->normal[2] },
        .source = points->source,
    };
}

AbutPointNode abut_points_node(const AbutPointSet* points, uint32_t index)
{
    return points->nodes[index];
}
