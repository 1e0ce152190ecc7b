// Vertices of boundary edges that lie inside other boundary edges: where a face was split and its neighbour
// was not.
#include "mesh/inspect/t_junctions.h"

#include "base/memory.h"
#include "math/dvec3.h"
#include "mesh/box_tree.h"
#include "mesh/inspect/sampled_loop.h"

#include <stdatomic.h>

/// How far from the edge a vertex may be, and how far from both its ends it must be, in lengths of the
/// edge. A vertex nearer to an end is that end not welded, not a T-junction.
static const double TOLERANCE = 1e-5;

/// Nodes of the tree visited before the count becomes an estimate: so many, and so many more for each edge.
/// An edge among its like needs about a hundred; one that spans a soup of millions, or lies on thousands of
/// others, needs more.
static const uint64_t WORK_LIMIT = (uint64_t)1 << 27;
static const uint64_t WORK_LIMIT_PER_EDGE = 256;

/// State of a vertex.
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
    AbutDVec3 from, along; // to − from
    double length_squared;
    AbutDVec3 center, half;
    double radius; // largest distance of a vertex on the edge, with a margin for rounding
} Segment;

static Segment make_segment(AbutVec3 a, AbutVec3 b)
{
    Segment s = { .from = abut_dvec3_from_vec3(a) };
    s.along = abut_dvec3_sub(abut_dvec3_from_vec3(b), s.from);
    s.half = abut_dvec3_scale(abut_dvec3_abs(s.along), 0.5);
    s.center = abut_dvec3_mul_add(s.from, 0.5, s.along);
    s.length_squared = abut_dvec3_squared_length(s.along);
    // Coordinates are floats, so an edge is no shorter than 1e-7 of them, and rounding in double is far
    // below 1 % of the radius.
    s.radius = 1.01 * TOLERANCE * sqrt(s.length_squared);
    return s;
}

/// True when the cross product of an axis with the segment separates the segment and a box: `offset` between
/// their centres, `half` sizes, both along the other two axes.
static bool separates(double offset_j, double offset_k, double along_j, double along_k, double half_j,
                      double half_k)
{
    double distance = 0.5 * fabs(offset_j * along_k - offset_k * along_j);
    return distance > half_j * (0.5 * fabs(along_k)) + half_k * (0.5 * fabs(along_j));
}

/// True unless one of the six axes that can separate a segment and a box does.
static bool may_touch_box(const Segment* s, const AbutBoxNode* node)
{
    AbutDVec3 low = abut_dvec3_from_vec3(node->min), high = abut_dvec3_from_vec3(node->max);
    AbutDVec3 o = abut_dvec3_sub(abut_dvec3_scale(abut_dvec3_add(low, high), 0.5), s->center);
    AbutDVec3 h = abut_dvec3_scale(abut_dvec3_sub(high, low), 0.5), a = s->along;
    h = abut_dvec3(h.x + s->radius, h.y + s->radius, h.z + s->radius);
    if (fabs(o.x) > h.x + s->half.x || fabs(o.y) > h.y + s->half.y || fabs(o.z) > h.z + s->half.z)
    {
        return false;
    }
    return !separates(o.y, o.z, a.y, a.z, h.y, h.z) && !separates(o.z, o.x, a.z, a.x, h.z, h.x) &&
           !separates(o.x, o.y, a.x, a.y, h.x, h.y);
}

static bool is_inside(const Segment* s, AbutVec3 p)
{
    AbutDVec3 u = abut_dvec3_sub(abut_dvec3_from_vec3(p), s->from);
    double dot = abut_dvec3_dot(u, s->along);
    if (!(dot > TOLERANCE * s->length_squared && dot < (1.0 - TOLERANCE) * s->length_squared))
    {
        return false;
    }
    double most = TOLERANCE * s->length_squared;
    return abut_dvec3_squared_length(abut_dvec3_cross(u, s->along)) <= most * most;
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
            // Counted by the first thread; the count does not depend on which thread that is.
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
