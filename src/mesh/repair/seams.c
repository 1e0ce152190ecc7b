#include "mesh/repair/seams.h"

#include "base/memory.h"
#include "mesh/edges.h"
#include "mesh/repair/cap.h"
#include "mesh/repair/position_order.h"
#include "mesh/t_junction.h"

#include <string.h>

#define NONE UINT32_MAX

/// An edge with one triangle, in its direction.
typedef struct SeamEdge
{
    uint32_t from, to;         // vertices
    size_t first, piece_count; // one piece: nothing lies on it
} SeamEdge;

/// A piece of an edge between neighbouring points on it.
typedef struct Piece
{
    uint32_t from, to; // vertices
    uint32_t edge;
    bool matches; // one other piece has the opposite direction
    bool clashes; // splitting would give an edge too many triangles
} Piece;

typedef struct Sewing
{
    AbutHost host;
    const AbutHalfEdges* half_edges;
    const AbutVertexKeys* keys;
    double tolerance;
    SeamEdge* edges;
    size_t edge_count, edge_capacity;
    uint32_t* order; // the edges by position; then the pieces by their ends
    size_t order_capacity;
    uint32_t* points;    // by vertex: its number among the ends of edges, or NONE
    uint32_t* ends;      // by point: the vertex
    AbutVec3* positions; // by point
    uint32_t point_count;
    Piece* pieces;
    size_t piece_count, piece_capacity;
    uint32_t* loop; // around the triangles to be added
    size_t loop_capacity;
} Sewing;

// -----------------------------------------------------------------------------------------------------------
// Pieces
// -----------------------------------------------------------------------------------------------------------

static bool collect_edges(Sewing* self)
{
    const AbutMesh* mesh = self->half_edges->mesh;
    for (uint32_t v = 0; v < self->keys->vertex_count; ++v)
    {
        uint32_t cursor = self->keys->offsets[v];
        AbutMeshEdge edge;
        while (abut_next_edge(self->keys, v, &cursor, &edge))
        {
            if (edge.use_count != 1)
            {
                continue;
            }
            if (!abut_memory_grow(&self->host, (void**)&self->edges, &self->edge_capacity,
                                  self->edge_count + 1, sizeof(SeamEdge)))
            {
                return false;
            }
            uint32_t corner = abut_edge_corner(edge.uses[0]);
            self->edges[self->edge_count++] =
                (SeamEdge){ .from = mesh->indices[corner], .to = mesh->indices[abut_next_corner(corner)] };
        }
    }
    return true;
}

static void number_point(Sewing* self, uint32_t vertex)
{
    if (self->points[vertex] == NONE)
    {
        self->points[vertex] = self->point_count;
        self->ends[self->point_count] = vertex;
        self->positions[self->point_count++] = self->half_edges->mesh->vertices[vertex];
    }
}

static void number_points(Sewing* self)
{
    memset(self->points, 0xFF, self->half_edges->mesh->vertex_count * sizeof(uint32_t));
    for (size_t i = 0; i < self->edge_count; ++i)
    {
        number_point(self, self->edges[i].from);
        number_point(self, self->edges[i].to);
    }
}

static bool add_piece(Sewing* self, Piece piece)
{
    if (self->piece_count >= NONE)
    {
        abut_fail(ABUT_OUT_OF_MEMORY, "out of memory: the seams of the mesh have more than %u pieces", NONE);
        return false;
    }
    if (!abut_memory_grow(&self->host, (void**)&self->pieces, &self->piece_capacity, self->piece_count + 1,
                          sizeof(Piece)))
    {
        return false;
    }
    self->pieces[self->piece_count++] = piece;
    return true;
}

static bool split_edge(Sewing* self, uint32_t number, AbutTJunctions* t_junctions)
{
    SeamEdge* edge = &self->edges[number];
    edge->first = self->piece_count;
    if (!abut_t_junctions_find(t_junctions, self->points[edge->from], self->points[edge->to]))
    {
        return false;
    }
    Piece piece = { .from = edge->from, .edge = number };
    for (size_t i = 0; i < t_junctions->count; ++i)
    {
        piece.to = self->ends[t_junctions->items[i].point];
        if (!add_piece(self, piece))
        {
            return false;
        }
        piece.from = piece.to;
    }
    piece.to = edge->to;
    edge->piece_count = t_junctions->count + 1;
    return add_piece(self, piece);
}

static AbutResult split_edges(Sewing* self)
{
    AbutTJunctions t_junctions;
    const AbutTJunctionPoints points = { self->positions, self->point_count, self->tolerance };
    AbutResult result =
        abut_t_junctions_create(&self->host, points, (uint32_t)self->edge_count, &t_junctions);
    for (size_t i = 0; result == ABUT_OK && i < self->edge_count; ++i)
    {
        result = split_edge(self, (uint32_t)i, &t_junctions) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    }
    abut_t_junctions_destroy(&t_junctions);
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Matching
// -----------------------------------------------------------------------------------------------------------

static uint64_t piece_ends(const Piece* piece)
{
    uint32_t low = piece->from < piece->to ? piece->from : piece->to;
    uint32_t high = piece->from < piece->to ? piece->to : piece->from;
    return (uint64_t)low << 32 | high;
}

static bool is_piece_before(const void* context, uint32_t a, uint32_t b)
{
    const Sewing* self = context;
    uint64_t ends_a = piece_ends(&self->pieces[a]), ends_b = piece_ends(&self->pieces[b]);
    return ends_a < ends_b || (ends_a == ends_b && a < b);
}

/// Matches the pieces between the same two vertices.
static void match_group(Sewing* self, const AbutCaps* caps, const uint32_t* group, size_t count)
{
    Piece* first = &self->pieces[group[0]];
    bool whole = false; // an edge that is not split is among them
    for (size_t i = 0; i < count; ++i)
    {
        whole = whole || self->edges[self->pieces[group[i]].edge].piece_count == 1;
    }
    bool opposite = count == 2 && first->from == self->pieces[group[1]].to;
    bool clashes = (count > 1 && !opposite) || (!whole && abut_caps_have_edge(caps, first->from, first->to));
    for (size_t i = 0; i < count; ++i)
    {
        self->pieces[group[i]].matches = opposite;
        self->pieces[group[i]].clashes = clashes;
    }
}

static bool match_pieces(Sewing* self, const AbutCaps* caps)
{
    if (!abut_memory_grow(&self->host, (void**)&self->order, &self->order_capacity, self->piece_count,
                          sizeof(uint32_t)))
    {
        return false;
    }
    for (size_t i = 0; i < self->piece_count; ++i)
    {
        self->order[i] = (uint32_t)i;
    }
    abut_sort_items(self->order, self->piece_count, is_piece_before, self);
    for (size_t begin = 0, end; begin < self->piece_count; begin = end)
    {
        uint64_t ends = piece_ends(&self->pieces[self->order[begin]]);
        end = begin + 1;
        while (end < self->piece_count && piece_ends(&self->pieces[self->order[end]]) == ends)
        {
            end += 1;
        }
        match_group(self, caps, self->order + begin, end - begin);
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

static bool is_split(const Sewing* self, const SeamEdge* edge)
{
    bool matches = false, clashes = false;
    for (size_t i = 0; i < edge->piece_count; ++i)
    {
        matches = matches || self->pieces[edge->first + i].matches;
        clashes = clashes || self->pieces[edge->first + i].clashes;
    }
    return edge->piece_count > 1 && matches && !clashes;
}

/// Back along the edge, then forth along its pieces.
static AbutResult add_triangles(Sewing* self, AbutCaps* caps, const SeamEdge* edge)
{
    if (!abut_memory_grow(&self->host, (void**)&self->loop, &self->loop_capacity, edge->piece_count + 1,
                          sizeof(uint32_t)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->loop[0] = edge->to;
    for (size_t i = 0; i < edge->piece_count; ++i)
    {
        const Piece* piece = &self->pieces[edge->first + i];
        self->loop[i + 1] = piece->from;
        if (!abut_edge_set_add(&caps->sides, piece->from, piece->to))
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    size_t index_count = caps->index_count, center_count = caps->center_count;
    AbutResult result = abut_caps_add(caps, self->loop, (uint32_t)(edge->piece_count + 1));
    if (caps->center_count > center_count) // not for a seam: let it be a hole
    {
        caps->index_count = index_count;
        caps->center_count = center_count;
    }
    return result;
}

static bool is_edge_before(const void* context, uint32_t a, uint32_t b)
{
    const Sewing* self = context;
    const AbutVec3* vertices = self->half_edges->mesh->vertices;
    const SeamEdge *edge_a = &self->edges[a], *edge_b = &self->edges[b];
    int order = abut_compare_positions(vertices[edge_a->from], vertices[edge_b->from]);
    return order != 0 ? order < 0 : abut_compare_positions(vertices[edge_a->to], vertices[edge_b->to]) < 0;
}

static AbutResult sew(Sewing* self, AbutCaps* caps, AbutSeams* out)
{
    if (!abut_memory_grow(&self->host, (void**)&self->order, &self->order_capacity, self->edge_count,
                          sizeof(uint32_t)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < self->edge_count; ++i)
    {
        self->order[i] = (uint32_t)i;
    }
    abut_sort_items(self->order, self->edge_count, is_edge_before, self);
    AbutResult result = ABUT_OK;
    for (size_t i = 0; result == ABUT_OK && i < self->edge_count; ++i)
    {
        const SeamEdge* edge = &self->edges[self->order[i]];
        if (is_split(self, edge))
        {
            size_t index_count = caps->index_count;
            result = add_triangles(self, caps, edge);
            out->edge_count += caps->index_count > index_count;
        }
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static AbutResult group(Sewing* self, AbutCaps* caps, AbutSeams* out)
{
    if (!collect_edges(self))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    number_points(self);
    AbutResult result = split_edges(self);
    if (result == ABUT_OK && self->piece_count > self->edge_count)
    {
        result = match_pieces(self, caps) ? sew(self, caps, out) : ABUT_OUT_OF_MEMORY;
    }
    return result;
}

AbutResult abut_seams_create(const AbutHost* host, const AbutHalfEdges* half_edges,
                             const AbutVertexKeys* edges, double tolerance, AbutSeams* out)
{
    *out = (AbutSeams){ 0 };
    uint32_t count = half_edges->mesh->vertex_count;
    Sewing self = { .host = *host, .half_edges = half_edges, .keys = edges, .tolerance = tolerance };
    self.points = abut_memory_allocate(host, count, sizeof(uint32_t));
    self.ends = abut_memory_allocate(host, count, sizeof(uint32_t));
    self.positions = abut_memory_allocate(host, count, sizeof(AbutVec3));
    AbutCaps caps = abut_caps_make(host, half_edges->mesh, edges, 0, tolerance);
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (self.points != NULL && self.ends != NULL && self.positions != NULL)
    {
        result = group(&self, &caps, out);
    }
    if (result == ABUT_OK)
    {
        out->indices = caps.indices;
        out->index_count = caps.index_count;
        out->index_capacity = caps.index_capacity;
        caps.indices = NULL;
        caps.index_capacity = 0;
    }
    abut_caps_destroy(&caps);
    abut_memory_free(host, self.points, count, sizeof(uint32_t));
    abut_memory_free(host, self.ends, count, sizeof(uint32_t));
    abut_memory_free(host, self.positions, count, sizeof(AbutVec3));
    abut_memory_free(host, self.edges, self.edge_capacity, sizeof(SeamEdge));
    abut_memory_free(host, self.order, self.order_capacity, sizeof(uint32_t));
    abut_memory_free(host, self.pieces, self.piece_capacity, sizeof(Piece));
    abut_memory_free(host, self.loop, self.loop_capacity, sizeof(uint32_t));
    return result;
}

void abut_seams_destroy(const AbutHost* host, AbutSeams* self)
{
    abut_memory_free(host, self->indices, self->index_capacity, sizeof(uint32_t));
    memset(self, 0, sizeof(*self));
}
