#include "mesh/border.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/corners.h"
#include "mesh/t_junction.h"
#include "mesh/vertex_keys.h"

#include <string.h>

/// Width of cracks, relative to the size of the mesh and to its largest coordinate.
static const double CRACK_OF_SIZE = 0x1p-18, CRACK_OF_COORDINATE = 0x1p-22;

/// So that both ends of each have a number.
#define MAX_EDGES (1u << 30)

typedef struct Closing
{
    AbutHost host;
    AbutHalfEdges* half_edges;
    AbutBorder* border;
    double tolerance;
    AbutMesh* points; // the ends of the border edges, joined: "triangle" i has end i in its corners
    AbutTJunctions t_junctions;
    AbutBorderEdge* pieces; // of border edges, between joined points
    size_t piece_count, piece_capacity;
} Closing;

// -----------------------------------------------------------------------------------------------------------
// Joining ends
// -----------------------------------------------------------------------------------------------------------

/// abut_mesh_weld() joins the corners of triangles, so each end becomes a triangle of no size.
static AbutResult join_points(Closing* self)
{
    const AbutHalfEdges* half_edges = self->half_edges;
    AbutMesh* ends = NULL;
    uint32_t end_count = 2 * half_edges->border_count;
    AbutResult result = abut_mesh_create_uninitialized(end_count, end_count, &self->host, &ends);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (uint32_t i = 0; i < end_count; ++i)
    {
        const AbutBorderEdge* edge = &half_edges->border[i / 2];
        ends->vertices[i] = half_edges->mesh->vertices[i % 2 == 0 ? edge->from : edge->to];
        ends->indices[3 * (size_t)i] = ends->indices[3 * (size_t)i + 1] = ends->indices[3 * (size_t)i + 2] =
            i;
    }
    result = abut_mesh_weld(ends, (float)self->tolerance, &self->host, &self->points);
    abut_mesh_destroy(ends);
    return result;
}

static uint32_t joined_end(const Closing* self, uint32_t end)
{
    return self->points->indices[3 * (size_t)end];
}

// -----------------------------------------------------------------------------------------------------------
// Splitting edges
// -----------------------------------------------------------------------------------------------------------

static bool add_piece(Closing* self, AbutBorderEdge piece)
{
    if (piece.from == piece.to)
    {
        return true;
    }
    if (self->piece_count >= ABUT_VERTEX_KEYS_MAX_TRIANGLES)
    {
        abut_fail(ABUT_OUT_OF_MEMORY, "out of memory: the border of the mesh has more than %u pieces",
                  ABUT_VERTEX_KEYS_MAX_TRIANGLES);
        return false;
    }
    if (!abut_memory_grow(&self->host, (void**)&self->pieces, &self->piece_capacity, self->piece_count + 1,
                          sizeof(AbutBorderEdge)))
    {
        return false;
    }
    self->pieces[self->piece_count++] = piece;
    return true;
}

static bool split_edge(Closing* self, const AbutBorderEdge* border, uint32_t number)
{
    AbutBorderEdge edge = { joined_end(self, 2 * number), joined_end(self, 2 * number + 1), border->count,
                            border->triangle };
    if (!abut_t_junctions_find(&self->t_junctions, edge.from, edge.to))
    {
        return false;
    }
    AbutBorderEdge piece = edge;
    for (size_t i = 0; i < self->t_junctions.count; ++i)
    {
        piece.to = self->t_junctions.items[i].point;
        if (!add_piece(self, piece))
        {
            return false;
        }
        piece.from = piece.to;
    }
    piece.to = edge.to;
    return add_piece(self, piece);
}

static AbutResult split_edges(Closing* self)
{
    const AbutTJunctionPoints points = { self->points->vertices, self->points->vertex_count,
                                         self->tolerance };
    AbutResult result =
        abut_t_junctions_create(&self->host, points, self->half_edges->border_count, &self->t_junctions);
    for (uint32_t i = 0; result == ABUT_OK && i < self->half_edges->border_count; ++i)
    {
        if (!split_edge(self, &self->half_edges->border[i], i))
        {
            result = ABUT_OUT_OF_MEMORY;
        }
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Cancellation of opposite edges
// -----------------------------------------------------------------------------------------------------------

/// Files a piece, given as a "triangle" of from, to, to, under its lower point.
static uint32_t file_piece(const uint32_t corners[3], uint32_t piece, AbutVertexKey keys[3])
{
    uint32_t low = corners[0] < corners[1] ? corners[0] : corners[1];
    uint32_t high = corners[0] < corners[1] ? corners[1] : corners[0];
    keys[0] = (AbutVertexKey){ low, (uint64_t)high << 32 | piece };
    return 1;
}

static bool add_remaining(const Closing* self, AbutBorderEdge edge)
{
    AbutBorder* border = self->border;
    if (!abut_memory_grow(&self->host, (void**)&border->edges, &border->edge_capacity,
                          (size_t)border->edge_count + 1, sizeof(AbutBorderEdge)))
    {
        return false;
    }
    border->edges[border->edge_count++] = edge;
    return true;
}

/// Pieces with the same two ends, in order of keys.
typedef struct EdgeGroup
{
    uint32_t low, high;
    const uint64_t* keys;
    uint32_t count;
} EdgeGroup;

static const AbutBorderEdge* piece_of(const Closing* self, const EdgeGroup* group, uint32_t i)
{
    return &self->pieces[(uint32_t)group->keys[i]];
}

static bool cancel_group(const Closing* self, const EdgeGroup* group)
{
    int64_t net = 0;
    for (uint32_t i = 0; i < group->count; ++i)
    {
        const AbutBorderEdge* piece = piece_of(self, group, i);
        net += piece->from == group->low ? (int64_t)piece->count : -(int64_t)piece->count;
        abut_union_find_join(self->half_edges->components, piece_of(self, group, 0)->triangle,
                             piece->triangle);
    }
    AbutBorderEdge edge = { group->low, group->high, (uint32_t)(net > 0 ? net : -net),
                            piece_of(self, group, 0)->triangle };
    if (net < 0)
    {
        edge.from = group->high;
        edge.to = group->low;
    }
    return net == 0 || add_remaining(self, edge);
}

static bool cancel_groups(const Closing* self, const AbutVertexKeys* keys)
{
    for (uint32_t v = 0; v < keys->vertex_count; ++v)
    {
        for (uint32_t begin = keys->offsets[v], end; begin < keys->offsets[v + 1]; begin = end)
        {
            uint64_t high = keys->keys[begin] >> 32;
            end = begin + 1;
            while (end < keys->offsets[v + 1] && keys->keys[end] >> 32 == high)
            {
                end += 1;
            }
            EdgeGroup group = { v, (uint32_t)high, keys->keys + begin, end - begin };
            if (!cancel_group(self, &group))
            {
                return false;
            }
        }
    }
    return true;
}

static AbutResult cancel_pieces(Closing* self)
{
    AbutMesh* pieces = NULL;
    AbutVertexKeys keys = { 0 };
    AbutResult result = abut_mesh_create_uninitialized(self->points->vertex_count,
                                                       (uint32_t)self->piece_count, &self->host, &pieces);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (size_t i = 0; i < self->piece_count; ++i)
    {
        pieces->indices[3 * i] = self->pieces[i].from;
        pieces->indices[3 * i + 1] = pieces->indices[3 * i + 2] = self->pieces[i].to;
    }
    result = abut_vertex_keys_create(&self->host, pieces, file_piece, &keys);
    if (result == ABUT_OK && !cancel_groups(self, &keys))
    {
        result = ABUT_OUT_OF_MEMORY;
    }
    abut_vertex_keys_destroy(&self->host, &keys);
    abut_mesh_destroy(pieces);
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

double abut_border_crack(AbutBox bounds)
{
    AbutDVec3 low = abut_dvec3_from_vec3(bounds.min), high = abut_dvec3_from_vec3(bounds.max);
    AbutDVec3 sides = abut_dvec3_sub(high, low);
    AbutDVec3 magnitudes = abut_dvec3_max(abut_dvec3_abs(low), abut_dvec3_abs(high));
    double size = abut_larger(abut_larger(abut_larger(0.0, sides.x), sides.y), sides.z);
    double largest = abut_larger(abut_larger(magnitudes.x, magnitudes.y), magnitudes.z);
    return abut_larger(CRACK_OF_SIZE * size, CRACK_OF_COORDINATE * largest);
}

static AbutResult close_cracks(Closing* self)
{
    AbutResult result = join_points(self);
    if (result == ABUT_OK)
    {
        result = split_edges(self);
    }
    if (result == ABUT_OK)
    {
        result = cancel_pieces(self);
    }
    abut_t_junctions_destroy(&self->t_junctions);
    abut_memory_free(&self->host, self->pieces, self->piece_capacity, sizeof(AbutBorderEdge));
    self->border->points = self->points;
    return result;
}

AbutResult abut_border_create(const AbutHost* host, AbutHalfEdges* half_edges, double tolerance,
                              AbutBorder* out)
{
    ABUT_ASSERT(tolerance >= 0.0);
    memset(out, 0, sizeof(*out));
    if (half_edges->border_count > MAX_EDGES)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "mesh: %u edges without a second triangle; at most %u can be handled",
                         half_edges->border_count, MAX_EDGES);
    }
    AbutBorder border = { .tolerance = tolerance };
    Closing closing = { .host = *host,
                        .t_junctions = { .host = *host },
                        .half_edges = half_edges,
                        .border = &border,
                        .tolerance = tolerance };
    AbutResult result = half_edges->border_count > 0 ? close_cracks(&closing) : ABUT_OK;
    if (result != ABUT_OK)
    {
        abut_border_destroy(host, &border);
        return result;
    }
    *out = border;
    return ABUT_OK;
}

void abut_border_destroy(const AbutHost* host, AbutBorder* self)
{
    abut_memory_free(host, self->edges, self->edge_capacity, sizeof(AbutBorderEdge));
    abut_mesh_destroy(self->points);
    memset(self, 0, sizeof(*self));
}
