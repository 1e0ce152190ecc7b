// Vertices of boundary edges that lie inside other boundary edges: where a face was split and its neighbour
// was not.
#include "mesh/inspect/t_junctions.h"

#include "base/memory.h"
#include "mesh/box_tree.h"
#include "mesh/inspect/sampled_loop.h"

#include <stdatomic.h>

/// How far from the edge a vertex may be, and how far from both its ends it must be, in lengths of the
/// edge. A vertex nearer to an end is that end not welded, not a T-junction.
static const double TOLERANCE = 1e-5;

/// Nodes of the tree looked at before the count becomes an estimate: so many, and so many more for each
/// edge. An edge among its like needs about a hundred; one that spans a soup of millions, or lies on
/// thousands of others, needs more.
static const uint64_t WORK_LIMIT = (uint64_t)1 << 27;
static const uint64_t WORK_LIMIT_PER_EDGE = 256;

/// What is known of a vertex.
enum
{
    VERTEX_INSIDE,     // no boundary edge ends here
    VERTEX_ON_BORDER,  // one does
    VERTEX_ON_AN_EDGE, // and it lies inside another: a T-junction
};

typedef struct BorderEdge
{
    uint32_t low, high;
} BorderEdge;

typedef struct Search
{
    const AbutMesh* mesh;
    BorderEdge* edges;
    uint32_t edge_count;
    atomic_uchar* states; // by vertex
    AbutBoxTree tree;     // of the vertices on the border
} Search;

// -----------------------------------------------------------------------------------------------------------
// Segments
// -----------------------------------------------------------------------------------------------------------

typedef struct Segment
{
    double from[3], along[3]; // to − from
    double length_squared;
    double center[3], half[3];
    double radius; // how far a vertex may be, with room for rounding
} Segment;

static Segment make_segment(AbutVec3 a, AbutVec3 b)
{
    Segment s = {
        .from = { a.x, a.y, a.z },
        .along = { (double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z },
    };
    for (int i = 0; i < 3; ++i)
    {
        s.half[i] = 0.5 * fabs(s.along[i]);
        s.center[i] = s.from[i] + 0.5 * s.along[i];
        s.length_squared += s.along[i] * s.along[i];
    }
    // Coordinates are floats, so an edge is no shorter than 1e-7 of them, and rounding in double is far
    // below 1 % of the reach.
    s.radius = 1.01 * TOLERANCE * sqrt(s.length_squared);
    return s;
}

/// True unless one of the six axes that can separate a segment and a box does.
static bool may_touch_box(const Segment* s, const AbutBoxNode* node)
{
    const double low[3] = { node->min.x, node->min.y, node->min.z };
    const double high[3] = { node->max.x, node->max.y, node->max.z };
    double offset[3], half[3];
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = 0.5 * (low[i] + high[i]) - s->center[i];
        half[i] = 0.5 * (high[i] - low[i]) + s->radius;
        if (fabs(offset[i]) > half[i] + s->half[i])
        {
            return false;
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double distance = 0.5 * fabs(offset[j] * s->along[k] - offset[k] * s->along[j]);
        if (distance > half[j] * s->half[k] + half[k] * s->half[j])
        {
            return false;
        }
    }
    return true;
}

static bool is_inside(const Segment* s, AbutVec3 p)
{
    double u[3] = { p.x - s->from[0], p.y - s->from[1], p.z - s->from[2] };
    double dot = u[0] * s->along[0] + u[1] * s->along[1] + u[2] * s->along[2];
    if (!(dot > TOLERANCE * s->length_squared && dot < (1.0 - TOLERANCE) * s->length_squared))
    {
        return false;
    }
    double x = u[1] * s->along[2] - u[2] * s->along[1];
    double y = u[2] * s->along[0] - u[0] * s->along[2];
    double z = u[0] * s->along[1] - u[1] * s->along[0];
    double most = TOLERANCE * s->length_squared;
    return x * x + y * y + z * z <= most * most;
}

// -----------------------------------------------------------------------------------------------------------
// Search
// -----------------------------------------------------------------------------------------------------------

static void mark_leaf(Search* search, const Segment* segment, uint32_t first, uint32_t end,
                      AbutLoopTally* tally)
{
    for (uint32_t slot = first; slot < end; ++slot)
    {
        uint32_t vertex = search->tree.items[slot];
        if (is_inside(segment, search->mesh->vertices[vertex]))
        {
            // Counted by whoever comes first; how many there are does not depend on who that is.
            unsigned char before =
                atomic_exchange_explicit(&search->states[vertex], VERTEX_ON_AN_EDGE, memory_order_relaxed);
            tally->found += before != VERTEX_ON_AN_EDGE;
        }
    }
}

static void search_edge(void* context, uint32_t item, AbutLoopTally* tally)
{
    Search* search = context;
    const AbutVec3* vertices = search->mesh->vertices;
    Segment segment = make_segment(vertices[search->edges[item].low], vertices[search->edges[item].high]);
    for (uint32_t i = 0; i < search->tree.node_count;)
    {
        const AbutBoxNode* node = &search->tree.nodes[i];
        tally->work += 1;
        if (!may_touch_box(&segment, node))
        {
            i += node->size;
            continue;
        }
        if (node->size == 1)
        {
            mark_leaf(search, &segment, node[0].first, node[1].first, tally);
        }
        i += 1;
    }
}

static AbutBox border_vertex_box(void* context, uint32_t vertex)
{
    const Search* search = context;
    AbutVec3 p = search->mesh->vertices[vertex];
    bool on_border = atomic_load_explicit(&search->states[vertex], memory_order_relaxed) != VERTEX_INSIDE;
    return on_border ? abut_box(p, p) : abut_box_empty();
}

static void collect_border(const AbutVertexKeys* edges, Search* search)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < edges->vertex_count; ++v)
    {
        uint32_t cursor = edges->offsets[v];
        AbutMeshEdge edge;
        while (abut_next_edge(edges, v, &cursor, &edge))
        {
            if (edge.use_count == 1)
            {
                search->edges[count++] = (BorderEdge){ edge.low, edge.high };
                atomic_store_explicit(&search->states[edge.low], VERTEX_ON_BORDER, memory_order_relaxed);
                atomic_store_explicit(&search->states[edge.high], VERTEX_ON_BORDER, memory_order_relaxed);
            }
        }
    }
}

static AbutResult run_search(AbutInspection* inspection, Search* search)
{
    const AbutHost* host = &inspection->host;
    uint32_t vertex_count = inspection->mesh->vertex_count;
    collect_border(&inspection->edges, search);
    AbutResult result = abut_box_tree_create(host, vertex_count, border_vertex_box, search, &search->tree);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutSampledLoopDef def = {
        .item_count = search->edge_count,
        .item_limit = search->edge_count,
        .work_limit = WORK_LIMIT + WORK_LIMIT_PER_EDGE * search->edge_count,
        .visit = search_edge,
        .context = search,
        .progress = abut_inspect_progress,
        .progress_user = inspection,
    };
    AbutSampledLoop sample;
    result = abut_sampled_loop_visit(host, &def, &sample);
    uint64_t estimate = abut_sampled_loop_estimate(&sample, search->edge_count);
    uint32_t most = search->tree.item_count;
    inspection->report.t_junction_count = estimate < most ? (uint32_t)estimate : most;
    inspection->report.t_junction_sampled = sample.visited < search->edge_count;
    abut_box_tree_destroy(host, &search->tree);
    return result;
}

AbutResult abut_inspect_t_junctions(AbutInspection* inspection)
{
    const AbutHost* host = &inspection->host;
    uint32_t vertex_count = inspection->mesh->vertex_count;
    Search search = { .mesh = inspection->mesh, .edge_count = inspection->report.boundary_edge_count };
    if (search.edge_count == 0)
    {
        return ABUT_OK;
    }
    search.edges = abut_memory_allocate(host, search.edge_count, sizeof(BorderEdge));
    search.states = abut_memory_allocate_zero(host, vertex_count, sizeof(atomic_uchar));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (search.edges != NULL && search.states != NULL)
    {
        result = run_search(inspection, &search);
    }
    abut_memory_free(host, search.edges, search.edge_count, sizeof(BorderEdge));
    abut_memory_free(host, search.states, vertex_count, sizeof(atomic_uchar));
    return result;
}
