// Trees of the laboratory: ranges of triangles split in up to eight, level by level; then the volumes.
#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "bvh/lab/lab.h"
#include "mesh/mesh.h"

#include <string.h>

static const float LARGEST_COORDINATE = 1e12f;

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

typedef struct Ranges
{
    uint32_t first[ABUT_BVH_MAX_CHILDREN], count[ABUT_BVH_MAX_CHILDREN];
    uint32_t size;
} Ranges;

/// The range with the most triangles of those with more than a leaf may have; the size for none.
static uint32_t range_to_split(const AbutBvh* bvh, const Ranges* ranges)
{
    uint32_t best = ranges->size;
    for (uint32_t i = 0; i < ranges->size; ++i)
    {
        if (ranges->count[i] > bvh->def.leaf_size &&
            (best == ranges->size || ranges->count[i] > ranges->count[best]))
        {
            best = i;
        }
    }
    return best;
}

/// Ranges of the children, in the order of their triangles.
static Ranges ranges_of(AbutBvh* bvh, const AbutBvhNode* node)
{
    AbutBvhDef def = bvh->def;
    def.split = node->level < ABUT_BVH_FREE_LEVELS ? def.split : ABUT_BVH_MEDIAN;
    Ranges ranges = { .first = { node->first }, .count = { node->count }, .size = 1 };
    uint32_t i;
    while (ranges.size < def.children && (i = range_to_split(bvh, &ranges)) < ranges.size)
    {
        uint32_t first = ranges.first[i];
        uint32_t below = abut_bvh_split(&def, bvh->items + first, ranges.count[i], first);
        memmove(&ranges.first[i + 1], &ranges.first[i], (ranges.size - i) * sizeof(uint32_t));
        memmove(&ranges.count[i + 1], &ranges.count[i], (ranges.size - i) * sizeof(uint32_t));
        ranges.size += 1;
        ranges.count[i + 1] -= below;
        ranges.count[i] = below;
        ranges.first[i + 1] = first + below;
    }
    return ranges;
}

static void add_children(AbutBvh* bvh, AbutBvhNode* nodes, uint32_t n)
{
    Ranges ranges = ranges_of(bvh, &nodes[n]);
    if (ranges.size == 1)
    {
        return;
    }
    nodes[n].child = bvh->node_count;
    nodes[n].child_count = (uint16_t)ranges.size;
    for (uint32_t i = 0; i < ranges.size; ++i)
    {
        nodes[bvh->node_count++] = (AbutBvhNode){ .first = ranges.first[i],
                                                  .count = ranges.count[i],
                                                  .level = (uint16_t)(nodes[n].level + 1) };
    }
}

static void build_nodes(AbutBvh* bvh, AbutBvhNode* nodes)
{
    nodes[0] = (AbutBvhNode){ .count = bvh->item_count };
    bvh->node_count = 1;
    for (uint32_t n = 0; n < bvh->node_count;)
    {
        ABUT_ASSERT(bvh->level_count < ABUT_BVH_MAX_LEVELS);
        bvh->level_first[bvh->level_count++] = n;
        for (uint32_t end = bvh->node_count; n < end; ++n)
        {
            add_children(bvh, nodes, n);
        }
    }
    bvh->level_first[bvh->level_count] = bvh->node_count;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static void fill_items(AbutBvh* bvh, const AbutMesh* mesh)
{
    for (uint32_t i = 0; i < bvh->item_count; ++i)
    {
        bvh->items[i].triangle = i;
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            bvh->items[i].corners[corner] = mesh->vertices[mesh->indices[3 * (size_t)i + corner]];
        }
    }
}

static void fill_vertices(AbutBvh* bvh, const AbutMesh* mesh)
{
    for (uint32_t i = 0; i < bvh->item_count; ++i)
    {
        memcpy(&bvh->vertices[3 * (size_t)i], &mesh->indices[3 * (size_t)bvh->items[i].triangle],
               3 * sizeof(uint32_t));
    }
}

/// Inner nodes have two children at least, so that there are fewer of them than leaves.
static AbutResult build(AbutBvh* bvh, const AbutMesh* mesh)
{
    size_t capacity = 2 * (size_t)bvh->item_count;
    bvh->items = abut_memory_allocate(&bvh->host, bvh->item_count, sizeof(AbutBvhItem));
    bvh->vertices = abut_memory_allocate(&bvh->host, bvh->item_count, 3 * sizeof(uint32_t));
    AbutBvhNode* nodes = abut_memory_allocate(&bvh->host, capacity, sizeof(AbutBvhNode));
    bool complete = bvh->items != NULL && bvh->vertices != NULL && nodes != NULL;
    if (complete)
    {
        fill_items(bvh, mesh);
        build_nodes(bvh, nodes);
        fill_vertices(bvh, mesh);
        bvh->nodes = abut_memory_allocate(&bvh->host, bvh->node_count, sizeof(AbutBvhNode));
        bvh->volumes = abut_memory_allocate(&bvh->host, bvh->node_count, bvh->table->size * sizeof(double));
        bvh->areas = abut_memory_allocate(&bvh->host, bvh->node_count, sizeof(double));
        complete = bvh->nodes != NULL && bvh->volumes != NULL && bvh->areas != NULL;
    }
    if (complete)
    {
        memcpy(bvh->nodes, nodes, bvh->node_count * sizeof(AbutBvhNode));
        abut_bvh_fit(bvh, ABUT_BVH_TOP_DOWN);
        bvh->built_cost = bvh->cost;
    }
    abut_memory_free(&bvh->host, nodes, capacity, sizeof(AbutBvhNode));
    return complete ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static AbutResult check_def(const AbutBvhDef* def)
{
    bool kinds = (unsigned)def->volume < ABUT_BVH_VOLUME_COUNT && (unsigned)def->axis < ABUT_BVH_AXIS_COUNT &&
                 (unsigned)def->split < ABUT_BVH_SPLIT_COUNT;
    if (!kinds)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bvh: volume %d, axis %d or split %d is unknown",
                         (int)def->volume, (int)def->axis, (int)def->split);
    }
    if (def->children != 2 && def->children != 4 && def->children != 8)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bvh: %u children; 2, 4 and 8 are possible", def->children);
    }
    if (def->leaf_size < 1 || def->leaf_size > ABUT_BVH_MAX_LEAF_SIZE)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "bvh: leaves of %u triangles; 1 to 8 are possible",
                         def->leaf_size);
    }
    return ABUT_OK;
}

static AbutResult check_mesh(const AbutMesh* mesh)
{
    if (mesh->triangle_count == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "bvh: the mesh has no triangles");
    }
    AbutVec3 low = mesh->bounds.min, high = mesh->bounds.max;
    float lowest = fminf(low.x, fminf(low.y, low.z)), highest = fmaxf(high.x, fmaxf(high.y, high.z));
    if (lowest < -LARGEST_COORDINATE || highest > LARGEST_COORDINATE)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "bvh: a coordinate is %g; at most 1e12 is possible",
                         (double)fmaxf(-lowest, highest));
    }
    return ABUT_OK;
}

AbutResult abut_bvh_create(const AbutBvhDef* def, const AbutMesh* mesh, AbutBvh** out)
{
    ABUT_FP_CALL(abut_bvh_create, def, mesh, out);
    *out = NULL;
    AbutResult result = check_def(def);
    result = result == ABUT_OK ? check_mesh(mesh) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutHost host = abut_host_resolve(def->host);
    AbutBvh* bvh = abut_memory_allocate_zero(&host, 1, sizeof(*bvh));
    if (bvh == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    bvh->host = host;
    bvh->def = *def;
    bvh->def.host = NULL;
    bvh->table = abut_bvh_volume_table(def->volume);
    bvh->item_count = mesh->triangle_count;
    bvh->vertex_count = mesh->vertex_count;
    result = build(bvh, mesh);
    if (result != ABUT_OK)
    {
        abut_bvh_destroy(bvh);
        return result;
    }
    *out = bvh;
    return ABUT_OK;
}

void abut_bvh_destroy(AbutBvh* bvh)
{
    if (bvh == NULL)
    {
        return;
    }
    AbutHost host = bvh->host;
    abut_memory_free(&host, bvh->nodes, bvh->node_count, sizeof(AbutBvhNode));
    abut_memory_free(&host, bvh->volumes, bvh->node_count, bvh->table->size * sizeof(double));
    abut_memory_free(&host, bvh->areas, bvh->node_count, sizeof(double));
    abut_memory_free(&host, bvh->items, bvh->item_count, sizeof(AbutBvhItem));
    abut_memory_free(&host, bvh->vertices, bvh->item_count, 3 * sizeof(uint32_t));
    abut_memory_free(&host, bvh, 1, sizeof(*bvh));
}

uint32_t abut_bvh_node_count(const AbutBvh* bvh)
{
    return bvh->node_count;
}

uint32_t abut_bvh_level_count(const AbutBvh* bvh)
{
    return bvh->level_count;
}

size_t abut_bvh_size(const AbutBvh* bvh)
{
    return sizeof(*bvh) + bvh->node_count * (sizeof(AbutBvhNode) + (bvh->table->size + 1) * sizeof(double)) +
           bvh->item_count * (sizeof(AbutBvhItem) + 3 * sizeof(uint32_t));
}
