// Pairs of triangles that cross, found through a box tree. Each pair is tested from its triangle with the
// lower slot.
#include "mesh/inspect/crossings.h"

#include "mesh/box_tree.h"
#include "mesh/inspect/sampled_loop.h"
#include "mesh/triangle/triangle.h"

/// Work before the count becomes an estimate: so much, and so much more for each triangle; tens of seconds
/// for crafted input. A triangle of a usual mesh takes about 60; long thin ones side by side take hundreds,
/// and in a soup each may overlap all others.
static const uint64_t WORK_LIMIT = (uint64_t)1 << 28;
static const uint64_t WORK_LIMIT_PER_TRIANGLE = 512;

/// Work of a pair whose boxes overlap; one whose boxes do not is 1.
static const uint64_t PAIR_WORK = 8;

typedef struct Search
{
    const AbutMesh* mesh;
    AbutBoxTree tree;
} Search;

static AbutTriangle triangle_at(const Search* search, uint32_t triangle)
{
    return abut_triangle_of(search->mesh->vertices, search->mesh->indices + 3 * (size_t)triangle);
}

/// Degenerate triangles have no inside, and are left out of the tree.
static AbutBox triangle_box(void* context, uint32_t triangle)
{
    AbutTriangle t = triangle_at(context, triangle);
    return abut_triangle_is_degenerate(&t) ? abut_box_empty() : abut_triangle_box(&t);
}

static void find_crossings(void* context, uint32_t slot, AbutLoopTally* tally)
{
    const Search* search = context;
    AbutTriangle triangle = triangle_at(search, search->tree.items[slot]);
    AbutBox box = abut_triangle_box(&triangle);
    AbutBoxLeaf leaf;
    uint32_t cursor = 0;
    while (abut_box_tree_next_overlap(&search->tree, &box, slot + 1, &cursor, &leaf))
    {
        for (uint32_t other = leaf.first > slot ? leaf.first : slot + 1; other < leaf.end; ++other)
        {
            AbutTriangle t = triangle_at(search, search->tree.items[other]);
            bool overlaps = abut_box_overlap(box, abut_triangle_box(&t));
            tally->work += overlaps ? PAIR_WORK : 1;
            tally->found += overlaps && abut_triangles_cross(&triangle, &t);
        }
    }
}

AbutResult abut_inspect_crossings(AbutInspection* inspection)
{
    const AbutHost* host = &inspection->host;
    uint32_t limit = inspection->def->self_intersection_limit;
    if (limit == 0)
    {
        inspection->report.self_intersection_sampled = inspection->mesh->triangle_count > 0;
        return ABUT_OK;
    }
    Search search = { .mesh = inspection->mesh };
    AbutResult result =
        abut_box_tree_create(host, inspection->mesh->triangle_count, triangle_box, &search, &search.tree);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutSampledLoopDef def = {
        .item_count = search.tree.item_count,
        .item_limit = limit,
        .work_limit = WORK_LIMIT + WORK_LIMIT_PER_TRIANGLE * search.tree.item_count,
        .visit = find_crossings,
        .context = &search,
        .progress = abut_inspect_progress,
        .progress_user = inspection,
    };
    AbutSampledLoop sample;
    result = abut_sampled_loop_visit(host, &def, &sample);
    inspection->report.self_intersection_count = abut_sampled_loop_estimate(&sample, def.item_count);
    inspection->report.self_intersection_sampled = sample.visited < def.item_count;
    abut_box_tree_destroy(host, &search.tree);
    return result;
}
