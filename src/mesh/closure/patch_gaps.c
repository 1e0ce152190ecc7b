// Patches for gaps up to one tolerance: points are joined, edges are split, and pairs of opposite edges are
// closed.
#include "mesh/closure/patch_gaps.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/closure/patch_distance.h"
#include "mesh/corners.h"
#include "mesh/t_junction.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct Level
{
    AbutPatching* patching;
    double tolerance;
    AbutMesh* welded;           // its vertices are the joined points
    uint32_t* joined;           // by point: its number among them, or NONE
    uint32_t* first;            // by number: the point that the others become
    AbutTJunctions t_junctions; // between joined points
    AbutEdgeChain pieces;       // of border edges, between points that others become
    uint32_t* piece_numbers;    // by edge, and one more: the number of its first piece
    uint8_t* matched;           // by point: a piece with an opposite piece ends there
    uint8_t* closes;            // by piece: it has an opposite piece
} Level;

static bool participates(const Level* self, const AbutChainEdge* edge)
{
    return !abut_patching_is_small(self->patching, edge->triangle, self->tolerance);
}

// -----------------------------------------------------------------------------------------------------------
// Joining points
// -----------------------------------------------------------------------------------------------------------

static uint32_t number_ends(Level* self)
{
    const AbutPatching* patching = self->patching;
    uint32_t count = 0;
    memset(self->joined, 0xFF, patching->point_count * sizeof(uint32_t));
    for (size_t i = 0; i < patching->border.count; ++i)
    {
        const AbutChainEdge* edge = &patching->border.edges[i];
        if (participates(self, edge))
        {
            self->joined[edge->from] = self->joined[edge->to] = 0;
        }
    }
    for (uint32_t p = 0; p < patching->point_count; ++p)
    {
        self->joined[p] = self->joined[p] != NONE ? count++ : NONE;
    }
    return count;
}

/// abut_mesh_weld() joins the corners of triangles, so each end becomes a triangle of no size. Welded ends
/// are numbered by their first, so that is the one whose number is new.
static AbutResult join_points(Level* self)
{
    const AbutPatching* patching = self->patching;
    uint32_t end_count = number_ends(self), known = 0;
    AbutMesh* ends = NULL; // none at all when all pieces are small
    AbutResult result = abut_mesh_create_uninitialized(end_count, end_count, &patching->host, &ends);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (uint32_t p = 0; p < patching->point_count; ++p)
    {
        uint32_t i = self->joined[p];
        if (i != NONE)
        {
            ends->vertices[i] = patching->points[p];
            uint32_t* corners = ends->indices + 3 * (size_t)i;
            corners[0] = corners[1] = corners[2] = i;
        }
    }
    result = abut_mesh_weld(ends, (float)self->tolerance, &patching->host, &self->welded);
    for (uint32_t p = 0; result == ABUT_OK && p < patching->point_count; ++p)
    {
        if (self->joined[p] != NONE)
        {
            self->joined[p] = self->welded->indices[3 * (size_t)self->joined[p]];
            if (self->joined[p] == known)
            {
                self->first[known++] = p;
            }
        }
    }
    abut_mesh_destroy(ends);
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Splitting edges
// -----------------------------------------------------------------------------------------------------------

static bool split_edge(Level* self, const AbutChainEdge* edge)
{
    uint32_t from = self->joined[edge->from], to = self->joined[edge->to];
    if (!abut_t_junctions_find(&self->t_junctions, from, to))
    {
        return false;
    }
    AbutChainEdge piece = *edge;
    piece.from = self->first[from];
    for (size_t i = 0; i < self->t_junctions.count; ++i)
    {
        piece.to = self->first[self->t_junctions.items[i].point];
        if (!abut_edge_chain_add(&self->pieces, piece))
        {
            return false;
        }
        piece.from = piece.to;
    }
    piece.to = self->first[to];
    return abut_edge_chain_add(&self->pieces, piece);
}

static AbutResult split_edges(Level* self)
{
    const AbutPatching* patching = self->patching;
    const AbutTJunctionPoints points = { self->welded->vertices, self->welded->vertex_count,
                                         self->tolerance };
    const AbutEdgeChain* border = &patching->border;
    AbutResult result =
        abut_t_junctions_create(&patching->host, points, (uint32_t)border->count, &self->t_junctions);
    for (size_t i = 0; result == ABUT_OK && i < border->count; ++i)
    {
        self->piece_numbers[i] = (uint32_t)self->pieces.count;
        if (participates(self, &border->edges[i]) && !split_edge(self, &border->edges[i]))
        {
            result = ABUT_OUT_OF_MEMORY;
        }
    }
    self->piece_numbers[border->count] = (uint32_t)self->pieces.count;
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Closing
// -----------------------------------------------------------------------------------------------------------

static void join_components(AbutPatching* patching, uint32_t a, uint32_t b)
{
    uint32_t* components = patching->half_edges.components;
    AbutBox box_a = patching->component_boxes[abut_union_find_root(components, a)],
            box_b = patching->component_boxes[abut_union_find_root(components, b)];
    abut_union_find_join(components, a, b);
    patching->component_boxes[abut_union_find_root(components, a)] = abut_box_union(box_a, box_b);
}

static AbutResult mark_closing(Level* self)
{
    AbutVertexKeys keys;
    AbutResult result = abut_edge_chain_file(&self->pieces, self->patching->point_count, &keys);
    AbutEdgeCursor cursor = { 0 };
    AbutEdgeGroup group;
    while (result == ABUT_OK && abut_edge_chain_next(&keys, &cursor, &group))
    {
        if (!abut_group_sum(&self->pieces, &group).both_directions)
        {
            continue;
        }
        self->matched[group.low] = self->matched[group.high] = 1;
        for (uint32_t i = 0; i < group.count; ++i)
        {
            self->closes[(uint32_t)group.keys[i]] = 1;
            join_components(self->patching, abut_group_edge(&self->pieces, &group, 0)->triangle,
                            abut_group_edge(&self->pieces, &group, i)->triangle);
        }
    }
    abut_vertex_keys_destroy(&self->patching->host, &keys);
    return result;
}

/// An edge is moved when a piece of it has an opposite piece, or when it vanishes between edges that do.
static bool moves(const Level* self, size_t number)
{
    const AbutChainEdge* edge = &self->patching->border.edges[number];
    uint32_t begin = self->piece_numbers[number], end = self->piece_numbers[number + 1];
    if (begin == end)
    {
        uint32_t from = self->joined[edge->from];
        return from != NONE && from == self->joined[edge->to] && self->matched[self->first[from]] != 0;
    }
    for (uint32_t i = begin; i < end; ++i)
    {
        if (self->closes[i] != 0)
        {
            return true;
        }
    }
    return false;
}

/// The triangles between an edge and its pieces, all around the end of the edge: the first is `step` 0.
static void move_corners(const Level* self, size_t number, uint32_t step, uint32_t corners[3])
{
    const AbutChainEdge* edge = &self->patching->border.edges[number];
    const AbutChainEdge* pieces = &self->pieces.edges[self->piece_numbers[number]];
    corners[0] = edge->to;
    corners[1] = step == 0 ? edge->from : pieces[step - 1].from;
    corners[2] = step == 0 ? self->first[self->joined[edge->from]] : pieces[step - 1].to;
}

static bool move_edge(Level* self, size_t number, AbutEdgeChain* chain)
{
    AbutPatching* patching = self->patching;
    const AbutChainEdge edge = patching->border.edges[number];
    uint32_t corners[3], count = 1 + self->piece_numbers[number + 1] - self->piece_numbers[number];
    for (uint32_t i = 0; i < count; ++i)
    {
        move_corners(self, number, i, corners);
        if (abut_patching_off(patching, &edge, corners) > patching->widest)
        {
            return true;
        }
    }
    bool added = true;
    for (uint32_t i = 0; added && i < count; ++i)
    {
        move_corners(self, number, i, corners);
        added = abut_patching_add(patching, &edge, corners, chain);
    }
    return added;
}

static AbutResult move_edges(Level* self)
{
    AbutPatching* patching = self->patching;
    AbutEdgeChain chain = { .host = patching->host };
    bool added = true;
    for (size_t i = 0; added && i < patching->border.count; ++i)
    {
        added = abut_edge_chain_add(&chain, patching->border.edges[i]) &&
                (!moves(self, i) || move_edge(self, i, &chain));
    }
    if (!added)
    {
        abut_edge_chain_destroy(&chain);
        return ABUT_OUT_OF_MEMORY;
    }
    return abut_patching_renew(patching, &chain);
}

static AbutResult close_gaps(Level* self)
{
    const AbutHost* host = &self->patching->host;
    AbutResult result = join_points(self);
    result = result == ABUT_OK ? split_edges(self) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    size_t count = self->pieces.count;
    self->closes = abut_memory_allocate_zero(host, count, sizeof(uint8_t));
    result = self->closes != NULL ? mark_closing(self) : ABUT_OUT_OF_MEMORY;
    result = result == ABUT_OK ? move_edges(self) : result;
    abut_memory_free(host, self->closes, count, sizeof(uint8_t));
    return result;
}

AbutResult abut_patching_level(AbutPatching* patching, double tolerance)
{
    const AbutHost* host = &patching->host;
    const size_t point_count = patching->point_count, edge_count = patching->border.count;
    Level self = { .patching = patching,
                   .tolerance = tolerance,
                   .t_junctions = { .host = *host },
                   .pieces = { .host = *host } };
    self.joined = abut_memory_allocate(host, point_count, sizeof(uint32_t));
    self.first = abut_memory_allocate(host, point_count, sizeof(uint32_t));
    self.matched = abut_memory_allocate_zero(host, point_count, sizeof(uint8_t));
    self.piece_numbers = abut_memory_allocate(host, edge_count + 1, sizeof(uint32_t));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (self.joined != NULL && self.first != NULL && self.matched != NULL && self.piece_numbers != NULL)
    {
        result = close_gaps(&self);
    }
    abut_memory_free(host, self.piece_numbers, edge_count + 1, sizeof(uint32_t));
    abut_memory_free(host, self.matched, point_count, sizeof(uint8_t));
    abut_memory_free(host, self.first, point_count, sizeof(uint32_t));
    abut_memory_free(host, self.joined, point_count, sizeof(uint32_t));
    abut_edge_chain_destroy(&self.pieces);
    abut_t_junctions_destroy(&self.t_junctions);
    abut_mesh_destroy(self.welded);
    return result;
}
