#include "mesh/repair/boundary_loops.h"

#include "base/memory.h"
#include "mesh/edges.h"
#include "mesh/repair/position_order.h"

#include <string.h>

#define NONE UINT32_MAX

/// An edge with one triangle, in its direction.
typedef struct RimEdge
{
    uint32_t from, to;
    uint32_t corner;
    uint32_t next; // of the rim, or NONE
} RimEdge;

/// Flags of a vertex with other edges than those of one triangle or of two in opposite directions.
enum
{
    TANGLED = 1,
    INCONSISTENT = 2
};

typedef struct Tracing
{
    AbutHost host;
    const AbutHalfEdges* half_edges;
    const AbutVertexKeys* keys;
    uint32_t vertex_count, edge_count;
    RimEdge* edges;      // by the positions of their ends
    uint32_t* order;     // before sorting; then the edges of the current walk that are in no loop yet
    uint8_t* taken;      // by edge: some edge's next
    uint8_t* flags;      // by vertex, see above
    uint32_t* firsts;    // by vertex: the first edge from it; then the first that is not taken; NONE
    uint32_t* positions; // by vertex: the index of the edge from it in the current walk; NONE
    AbutBoundaryLoops* out;
} Tracing;

// -----------------------------------------------------------------------------------------------------------
// Edges of the rims
// -----------------------------------------------------------------------------------------------------------

static bool agrees(const AbutMesh* mesh, const AbutMeshEdge* edge)
{
    return mesh->indices[abut_edge_corner(edge->uses[0])] != mesh->indices[abut_edge_corner(edge->uses[1])];
}

/// Counts the edges with one triangle; stores them when the arrays are allocated.
static uint32_t visit_edges(Tracing* self)
{
    const AbutMesh* mesh = self->half_edges->mesh;
    uint32_t count = 0;
    for (uint32_t v = 0; v < self->keys->vertex_count; ++v)
    {
        uint32_t cursor = self->keys->offsets[v];
        AbutMeshEdge edge;
        while (abut_next_edge(self->keys, v, &cursor, &edge))
        {
            uint32_t corner = abut_edge_corner(edge.uses[0]);
            if (edge.use_count == 1 && self->edges != NULL)
            {
                self->edges[count] =
                    (RimEdge){ mesh->indices[corner], mesh->indices[abut_next_corner(corner)], corner, NONE };
            }
            count += edge.use_count == 1;
            uint8_t flag = edge.use_count > 2                            ? TANGLED
                           : edge.use_count == 2 && !agrees(mesh, &edge) ? INCONSISTENT
                                                                         : 0;
            if (flag != 0 && self->flags != NULL)
            {
                self->flags[edge.low] |= flag;
                self->flags[edge.high] |= flag;
            }
        }
    }
    return count;
}

static int compare_ends(const Tracing* self, uint32_t from_a, uint32_t to_a, const RimEdge* b)
{
    const AbutVec3* vertices = self->half_edges->mesh->vertices;
    int order = abut_compare_positions(vertices[from_a], vertices[b->from]);
    return order != 0 ? order : abut_compare_positions(vertices[to_a], vertices[b->to]);
}

static bool is_before(const void* context, uint32_t a, uint32_t b)
{
    const Tracing* self = context;
    return compare_ends(self, self->edges[a].from, self->edges[a].to, &self->edges[b]) < 0;
}

static bool sort_edges(Tracing* self)
{
    for (uint32_t i = 0; i < self->edge_count; ++i)
    {
        self->order[i] = i;
    }
    abut_sort_items(self->order, self->edge_count, is_before, self);
    RimEdge* sorted = abut_memory_allocate(&self->host, self->edge_count, sizeof(RimEdge));
    if (sorted == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < self->edge_count; ++i)
    {
        sorted[i] = self->edges[self->order[i]];
    }
    abut_memory_free(&self->host, self->edges, self->edge_count, sizeof(RimEdge));
    self->edges = sorted;
    for (uint32_t i = self->edge_count; i-- > 0;)
    {
        self->firsts[sorted[i].from] = i;
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// The next edge of a rim
// -----------------------------------------------------------------------------------------------------------

/// The edge between two vertices, in that direction: there is at most one.
static uint32_t find_edge(const Tracing* self, uint32_t from, uint32_t to)
{
    uint32_t low = 0, high = self->edge_count;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_ends(self, from, to, &self->edges[middle]);
        if (order == 0)
        {
            return middle;
        }
        low = order > 0 ? middle + 1 : low;
        high = order < 0 ? middle : high;
    }
    return NONE;
}

/// Rotates around the end of an edge, from triangle to triangle, up to the next edge of the rim. Each step is
/// reversible, and an edge of a rim has no step before it, so the rotation ends; no triangle is passed twice
/// at a corner.
static uint32_t rotate_to_next(const Tracing* self, const RimEdge* edge)
{
    const AbutHalfEdges* half_edges = self->half_edges;
    uint32_t corner = abut_next_corner(edge->corner);
    while (half_edges->twins[corner] != ABUT_NO_TWIN)
    {
        corner = abut_next_corner(half_edges->twins[corner]);
    }
    uint32_t next = find_edge(self, edge->to, half_edges->mesh->indices[abut_next_corner(corner)]);
    return next != NONE && self->edges[next].corner == corner ? next : NONE;
}

/// Where the rotation ends at an edge with three triangles or two of the same direction, any next edge will
/// do.
static uint32_t take_first_free(Tracing* self, uint32_t vertex)
{
    uint32_t* first = &self->firsts[vertex];
    while (*first != NONE && self->taken[*first] != 0)
    {
        uint32_t next = *first + 1;
        *first = next < self->edge_count && self->edges[next].from == vertex ? next : NONE;
    }
    return *first;
}

static void link_edges(Tracing* self)
{
    for (int pass = 0; pass < 2; ++pass)
    {
        for (uint32_t i = 0; i < self->edge_count; ++i)
        {
            RimEdge* edge = &self->edges[i];
            if (edge->next == NONE)
            {
                edge->next = pass == 0 ? rotate_to_next(self, edge) : take_first_free(self, edge->to);
            }
            if (edge->next != NONE)
            {
                self->taken[edge->next] = 1;
            }
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Walks, cut into loops
// -----------------------------------------------------------------------------------------------------------

static bool add_loop(Tracing* self, const uint32_t* edges, uint32_t count, AbutBoundaryLoopKind kind)
{
    AbutBoundaryLoops* out = self->out;
    if (!abut_memory_grow(&self->host, (void**)&out->loops, &out->loop_capacity, out->loop_count + 1,
                          sizeof(AbutBoundaryLoop)))
    {
        return false;
    }
    uint32_t first = out->edge_count;
    out->loops[out->loop_count++] = (AbutBoundaryLoop){ first, count, kind };
    for (uint32_t i = 0; i < count; ++i)
    {
        const RimEdge* at = &self->edges[edges[i == 0 ? 0 : count - i]];
        const RimEdge* against = &self->edges[edges[count - 1 - i]];
        out->vertices[first + i] = at->from;
        out->triangles[first + i] = against->corner / 3;
        self->positions[at->from] = NONE;
    }
    out->edge_count += count;
    return true;
}

/// Follows a rim from an edge to its end, or back to the edge.
static bool walk(Tracing* self, uint32_t start)
{
    uint32_t count = 0, end = start;
    for (uint32_t i = start; i != NONE && self->taken[i] != 2; i = self->edges[i].next)
    {
        const RimEdge* edge = &self->edges[i];
        self->taken[i] = 2;
        self->positions[edge->from] = count;
        self->order[count++] = i;
        end = i;
        uint32_t begin = self->positions[edge->to];
        if (begin != NONE)
        {
            if (!add_loop(self, self->order + begin, count - begin, ABUT_BOUNDARY_LOOP_CLOSED))
            {
                return false;
            }
            count = begin;
        }
    }
    if (count == 0)
    {
        return true;
    }
    bool tangled = (self->flags[self->edges[end].to] & TANGLED) != 0;
    return add_loop(self, self->order, count,
                    tangled ? ABUT_BOUNDARY_LOOP_TANGLED : ABUT_BOUNDARY_LOOP_INCONSISTENT);
}

static bool walk_all(Tracing* self)
{
    for (int pass = 0; pass < 2; ++pass) // chains with a beginning first, then closed loops
    {
        for (uint32_t i = 0; i < self->edge_count; ++i)
        {
            if (self->taken[i] == pass && !walk(self, i))
            {
                return false;
            }
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static bool open_tracing(Tracing* self)
{
    const AbutHost* host = &self->host;
    self->edges = abut_memory_allocate(host, self->edge_count, sizeof(RimEdge));
    self->order = abut_memory_allocate(host, self->edge_count, sizeof(uint32_t));
    self->taken = abut_memory_allocate_zero(host, self->edge_count, 1);
    self->flags = abut_memory_allocate_zero(host, self->vertex_count, 1);
    self->firsts = abut_memory_allocate(host, self->vertex_count, sizeof(uint32_t));
    self->positions = abut_memory_allocate(host, self->vertex_count, sizeof(uint32_t));
    self->out->vertices = abut_memory_allocate(host, self->edge_count, sizeof(uint32_t));
    self->out->triangles = abut_memory_allocate(host, self->edge_count, sizeof(uint32_t));
    if (self->edges == NULL || self->order == NULL || self->taken == NULL || self->flags == NULL ||
        self->firsts == NULL || self->positions == NULL || self->out->vertices == NULL ||
        self->out->triangles == NULL)
    {
        return false;
    }
    memset(self->firsts, 0xFF, self->vertex_count * sizeof(uint32_t));
    memset(self->positions, 0xFF, self->vertex_count * sizeof(uint32_t));
    return true;
}

static void close_tracing(Tracing* self)
{
    const AbutHost* host = &self->host;
    abut_memory_free(host, self->edges, self->edge_count, sizeof(RimEdge));
    abut_memory_free(host, self->order, self->edge_count, sizeof(uint32_t));
    abut_memory_free(host, self->taken, self->edge_count, 1);
    abut_memory_free(host, self->flags, self->vertex_count, 1);
    abut_memory_free(host, self->firsts, self->vertex_count, sizeof(uint32_t));
    abut_memory_free(host, self->positions, self->vertex_count, sizeof(uint32_t));
}

AbutResult abut_boundary_loops_create(const AbutHost* host, const AbutHalfEdges* half_edges,
                                      const AbutVertexKeys* keys, AbutBoundaryLoops* out)
{
    AbutBoundaryLoops loops = { 0 };
    Tracing self = { .host = *host, .half_edges = half_edges, .keys = keys, .out = &loops };
    memset(out, 0, sizeof(*out));
    self.vertex_count = keys->vertex_count;
    self.edge_count = visit_edges(&self);
    uint32_t edge_count = self.edge_count;
    bool done = open_tracing(&self);
    if (done)
    {
        visit_edges(&self);
        done = sort_edges(&self);
    }
    if (done)
    {
        link_edges(&self);
        done = walk_all(&self);
    }
    close_tracing(&self);
    loops.edge_count = edge_count;
    if (!done)
    {
        abut_boundary_loops_destroy(host, &loops);
        return ABUT_OUT_OF_MEMORY;
    }
    *out = loops;
    return ABUT_OK;
}

void abut_boundary_loops_destroy(const AbutHost* host, AbutBoundaryLoops* self)
{
    abut_memory_free(host, self->vertices, self->edge_count, sizeof(uint32_t));
    abut_memory_free(host, self->triangles, self->edge_count, sizeof(uint32_t));
    abut_memory_free(host, self->loops, self->loop_capacity, sizeof(AbutBoundaryLoop));
    memset(self, 0, sizeof(*self));
}
