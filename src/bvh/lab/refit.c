// Volumes from new positions: of triangles, or of children, level by level from the last.
#include "base/fp_env.h"
#include "base/tasks.h"
#include "bvh/lab/lab.h"

enum
{
    NODE_BLOCK = 64,
    ITEM_BLOCK = 2048,
    HYBRID_COUNT = 64, // triangles of a node that hybrid refits fit anew
};

static const float LARGEST_COORDINATE = 1e12f;

typedef struct Fit
{
    AbutBvh* bvh;
    const AbutVec3* vertices;
    AbutBvhRefit refit;
    uint32_t first, end; // nodes of the level
} Fit;

static bool is_fitted_to_triangles(const Fit* fit, const AbutBvhNode* node)
{
    return node->child_count == 0 || fit->refit == ABUT_BVH_TOP_DOWN ||
           (fit->refit == ABUT_BVH_HYBRID && node->count <= HYBRID_COUNT);
}

static void fit_node(const Fit* fit, uint32_t n)
{
    AbutBvh* bvh = fit->bvh;
    const AbutBvhNode* node = &bvh->nodes[n];
    const AbutVolumeTable* table = bvh->table;
    double* volume = bvh->volumes + (size_t)n * table->size;
    if (is_fitted_to_triangles(fit, node))
    {
        table->fit(table->half, bvh->items + node->first, node->count, volume);
    }
    else
    {
        table->merge(table->half, abut_bvh_volume(bvh, node->child), node->child_count, volume);
    }
    bvh->areas[n] = table->area(table->half, volume);
}

static void fit_nodes(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Fit* fit = context;
    uint32_t end = fit->first + (block + 1) * NODE_BLOCK;
    for (uint32_t n = fit->first + block * NODE_BLOCK; n < end && n < fit->end; ++n)
    {
        fit_node(fit, n);
    }
}

static void measure(AbutBvh* bvh)
{
    bvh->bounds = abut_box_empty();
    for (uint32_t i = 0; i < 3 * bvh->item_count; ++i)
    {
        bvh->bounds = abut_box_add_point(bvh->bounds, bvh->items[i / 3].corners[i % 3]);
    }
    AbutDVec3 largest = abut_dvec3_max(abut_dvec3_abs(abut_dvec3_from_vec3(bvh->bounds.min)),
                                       abut_dvec3_abs(abut_dvec3_from_vec3(bvh->bounds.max)));
    bvh->largest = abut_larger(largest.x, abut_larger(largest.y, largest.z));
    double sum = 0.0;
    for (uint32_t n = 0; n < bvh->node_count; ++n)
    {
        sum += bvh->areas[n];
    }
    // Over the box of all triangles: the volume of the root may be loose itself.
    AbutDVec3 size =
        abut_dvec3_sub(abut_dvec3_from_vec3(bvh->bounds.max), abut_dvec3_from_vec3(bvh->bounds.min));
    double whole = size.x * size.y + size.y * size.z + size.z * size.x;
    bvh->cost = whole > 0.0 ? sum / whole : 1.0;
}

void abut_bvh_fit(AbutBvh* bvh, AbutBvhRefit refit)
{
    Fit fit = { .bvh = bvh, .refit = refit };
    for (uint32_t level = bvh->level_count; level-- > 0;)
    {
        fit.first = bvh->level_first[level];
        fit.end = bvh->level_first[level + 1];
        abut_parallel_for(&bvh->host, abut_block_count(fit.end - fit.first, NODE_BLOCK), fit_nodes, &fit);
    }
    measure(bvh);
}

static void move_items(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Fit* fit = context;
    AbutBvh* bvh = fit->bvh;
    uint32_t end = (block + 1) * ITEM_BLOCK;
    for (uint32_t i = block * ITEM_BLOCK; i < end && i < bvh->item_count; ++i)
    {
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            bvh->items[i].corners[corner] = fit->vertices[bvh->vertices[3 * (size_t)i + corner]];
        }
    }
}

static AbutResult check_vertices(const AbutVec3* vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 v = vertices[i];
        if (!abut_vec3_is_finite(v))
        {
            return abut_fail(ABUT_INVALID_DATA, "bvh: vertex %u is not finite", i);
        }
        if (fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z))) > LARGEST_COORDINATE)
        {
            return abut_fail(ABUT_LIMIT_EXCEEDED, "bvh: vertex %u has a coordinate over 1e12", i);
        }
    }
    return ABUT_OK;
}

AbutResult abut_bvh_refit(AbutBvh* bvh, const AbutVec3* vertices, uint32_t vertex_count, AbutBvhRefit refit)
{
    ABUT_FP_CALL(abut_bvh_refit, bvh, vertices, vertex_count, refit);
    if (vertex_count != bvh->vertex_count)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bvh: %u vertices for a tree of %u", vertex_count,
                         bvh->vertex_count);
    }
    if ((unsigned)refit >= ABUT_BVH_REFIT_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bvh: refit %d is unknown", (int)refit);
    }
    AbutResult result = check_vertices(vertices, vertex_count);
    if (result != ABUT_OK)
    {
        return result;
    }
    Fit fit = { .bvh = bvh, .vertices = vertices };
    abut_parallel_for(&bvh->host, abut_block_count(bvh->item_count, ITEM_BLOCK), move_items, &fit);
    abut_bvh_fit(bvh, refit);
    return ABUT_OK;
}

double abut_bvh_quality(const AbutBvh* bvh)
{
    ABUT_FP_CALL(abut_bvh_quality, bvh);
    return bvh->built_cost > 0.0 ? bvh->cost / bvh->built_cost : 1.0;
}
