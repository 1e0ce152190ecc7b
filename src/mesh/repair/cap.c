#include "mesh/repair/cap.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/corners.h"
#include "mesh/edges.h"
#include "mesh/repair/cap_split.h"

#include <string.h>

#define NONE UINT32_MAX

/// With more border edges than this, loops are cut into shorter pieces: the cost of planning per edge grows
/// with the square of the length.
static const uint32_t MANY_BORDER_EDGES = 1u << 16, SHORT_PLAN = 64;

/// Sides that chords are compared with, for one loop; about three seconds. Then chords are no longer checked.
static const uint64_t CHORD_WORK = (uint64_t)1 << 30;

/// Relative to the area of a circle of the loop's length: with less area a loop faces no direction, like the
/// seam of a tennis ball or the two sides of a crack.
static const double MIN_FACING = 1e-3;

AbutCaps abut_caps_make(const AbutHost* host, const AbutMesh* mesh, const AbutVertexKeys* edges,
                        uint32_t border_count, double thin)
{
    return (AbutCaps){
        .host = *host,
        .mesh = mesh,
        .edges = edges,
        .sides = { .host = *host },
        .plan = { .host = *host },
        .plan_limit = border_count > MANY_BORDER_EDGES ? SHORT_PLAN : ABUT_CAP_PLAN_MAX_POINTS,
        .thin = thin,
    };
}

void abut_caps_destroy(AbutCaps* self)
{
    abut_edge_set_destroy(&self->sides);
    abut_cap_plan_destroy(&self->plan);
    abut_memory_free(&self->host, self->indices, self->index_capacity, sizeof(uint32_t));
    abut_memory_free(&self->host, self->centers, self->center_capacity, sizeof(AbutVec3));
    abut_memory_free(&self->host, self->pieces, self->piece_capacity, sizeof(uint32_t));
    abut_memory_free(&self->host, self->piece_ends, self->piece_end_capacity, sizeof(uint32_t));
    abut_memory_free(&self->host, self->outline, self->outline_capacity, sizeof(*self->outline));
}

/// A corner of a triangle of the mesh at the edge, in either direction; NONE without one.
static uint32_t find_corner(const AbutCaps* self, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    const AbutVertexKeys* edges = self->edges;
    uint32_t begin = edges->offsets[low], end = edges->offsets[low + 1];
    while (begin < end)
    {
        uint32_t middle = begin + (end - begin) / 2;
        uint32_t other = (uint32_t)(edges->keys[middle] >> 32);
        if (other == high)
        {
            return abut_edge_corner(edges->keys[middle]);
        }
        begin = other < high ? middle + 1 : begin;
        end = other < high ? end : middle;
    }
    return NONE;
}

bool abut_caps_have_edge(const AbutCaps* self, uint32_t a, uint32_t b)
{
    return find_corner(self, a, b) != NONE || abut_edge_set_has(&self->sides, a, b);
}

static bool add_triangle(AbutCaps* self, uint32_t a, uint32_t b, uint32_t c)
{
    if (!abut_memory_grow(&self->host, (void**)&self->indices, &self->index_capacity, self->index_count + 3,
                          sizeof(uint32_t)))
    {
        return false;
    }
    uint32_t* corners = self->indices + self->index_count;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    self->index_count += 3;
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Around a middle
// -----------------------------------------------------------------------------------------------------------

/// The mean of the sides' middles by their lengths, which does not change when sides are split.
static AbutDVec3 find_middle(const AbutCaps* self, const uint32_t* piece, uint32_t count)
{
    AbutDVec3 first = abut_caps_dvertex(self, piece[0]), sum = abut_dvec3_zero();
    double length = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDVec3 a = abut_caps_dvertex(self, piece[i]);
        AbutDVec3 b = abut_caps_dvertex(self, piece[i + 1 < count ? i + 1 : 0]);
        double weight = abut_dvec3_distance(b, a);
        AbutDVec3 middle = abut_dvec3_sub(abut_dvec3_scale(abut_dvec3_add(a, b), 0.5), first);
        sum = abut_dvec3_mul_add(sum, weight, middle);
        length += weight;
    }
    return abut_dvec3_add(first, abut_dvec3_div(sum, length));
}

static bool is_taken(const AbutCaps* self, AbutVec3 p)
{
    uint32_t count = self->mesh->vertex_count + (uint32_t)self->center_count;
    for (uint32_t v = 0; v < count; ++v)
    {
        AbutVec3 q = abut_caps_vertex(self, v);
        if (p.x == q.x && p.y == q.y && p.z == q.z)
        {
            return true;
        }
    }
    return false;
}

/// A position that no vertex has, or the surface would be joined to another there: the middle, or on the line
/// from it to a vertex of the piece.
static AbutVec3 middle_position(const AbutCaps* self, const uint32_t* piece, uint32_t count)
{
    AbutDVec3 middle = find_middle(self, piece, count), first = abut_caps_dvertex(self, piece[0]);
    AbutVec3 position = abut_dvec3_to_vec3(middle);
    for (int i = 1; i < 16 && is_taken(self, position); ++i)
    {
        position = abut_dvec3_to_vec3(abut_dvec3_lerp(middle, first, i / 32.0));
    }
    return position;
}

static bool add_around_middle(AbutCaps* self, const uint32_t* piece, uint32_t count)
{
    AbutVec3 position = middle_position(self, piece, count);
    if (!abut_memory_grow(&self->host, (void**)&self->centers, &self->center_capacity, self->center_count + 1,
                          sizeof(AbutVec3)))
    {
        return false;
    }
    uint32_t middle = self->mesh->vertex_count + (uint32_t)self->center_count;
    self->centers[self->center_count++] = position;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!add_triangle(self, piece[i], piece[i + 1 < count ? i + 1 : 0], middle))
        {
            return false;
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// By plan
// -----------------------------------------------------------------------------------------------------------

/// The unit normal of the triangle of the mesh at a side; zero at chords.
static AbutDVec3 neighbor_normal(const AbutCaps* self, uint32_t from, uint32_t to)
{
    uint32_t corner = find_corner(self, from, to);
    if (corner == NONE)
    {
        return abut_dvec3_zero();
    }
    AbutDVec3 p[3];
    abut_mesh_corners(self->mesh, corner / 3, p);
    return abut_dvec3_normalize(abut_corners_normal(p));
}

static AbutResult set_up_plan(AbutCaps* self, const uint32_t* piece, uint32_t count)
{
    AbutCapPlan* plan = &self->plan;
    AbutResult result = abut_cap_plan_reserve(plan, count);
    AbutDVec3 origin = abut_caps_dvertex(self, piece[0]);
    for (uint32_t i = 0; result == ABUT_OK && i < count; ++i)
    {
        plan->points[i] = abut_dvec3_sub(abut_caps_dvertex(self, piece[i]), origin);
        plan->normals[i] = neighbor_normal(self, piece[i], piece[i + 1 < count ? i + 1 : 0]);
        for (uint32_t j = i + 2; j < count; ++j)
        {
            plan->blocked[(size_t)i * plan->capacity + j] = abut_caps_have_edge(self, piece[i], piece[j]);
        }
    }
    return result;
}

/// Adds a planned triangle, and the sides of it that are not sides of the piece.
static bool add_planned(AbutCaps* self, const uint32_t* piece, uint32_t count, const uint16_t corners[3])
{
    for (int k = 0; k < 3; ++k)
    {
        uint32_t i = corners[k], j = corners[(k + 1) % 3];
        bool own = i + 1 == j || (i == count - 1 && j == 0);
        if (!own && !abut_edge_set_add(&self->sides, piece[i], piece[j]))
        {
            return false;
        }
    }
    return add_triangle(self, piece[corners[0]], piece[corners[1]], piece[corners[2]]);
}

static AbutResult fill_piece(AbutCaps* self, const uint32_t* piece, uint32_t count, AbutDVec3 direction)
{
    AbutPlanView view = { direction, self->thin };
    AbutResult result = set_up_plan(self, piece, count);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (!abut_cap_plan_solve(&self->plan, count, &view))
    {
        return add_around_middle(self, piece, count) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t t = 0; t + 2 < count; ++t)
    {
        if (!add_planned(self, piece, count, self->plan.triangles[t]))
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Pieces
// -----------------------------------------------------------------------------------------------------------

static bool push_piece(AbutCaps* self, uint32_t end)
{
    if (!abut_memory_grow(&self->host, (void**)&self->piece_ends, &self->piece_end_capacity,
                          self->piece_end_count + 1, sizeof(uint32_t)))
    {
        return false;
    }
    self->piece_ends[self->piece_end_count++] = end;
    return true;
}

static void reverse(uint32_t* items, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; ++i)
    {
        uint32_t item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
}

/// Replaces the last piece, which starts at `first`, by the two that a chord cuts it into: from its begin to
/// its end, and from there back to the begin.
static bool cut_piece(AbutCaps* self, uint32_t first, uint32_t count, AbutChord chord)
{
    if (!abut_memory_grow(&self->host, (void**)&self->pieces, &self->piece_capacity,
                          (size_t)first + count + 2, sizeof(uint32_t)))
    {
        return false;
    }
    ABUT_ASSERT(chord.begin < chord.end && chord.end < count);
    uint32_t* piece = self->pieces + first;
    reverse(piece, chord.begin);
    reverse(piece + chord.begin, count - chord.begin);
    reverse(piece, count); // three reversals rotate it so that the chord begins at its first vertex
    uint32_t cut = chord.end - chord.begin;
    memmove(piece + cut + 1, piece + cut, (count - cut) * sizeof(uint32_t));
    piece[count + 1] = piece[0];
    return abut_edge_set_add(&self->sides, piece[0], piece[cut]) && push_piece(self, first + cut + 1) &&
           push_piece(self, first + count + 2);
}

static AbutResult fill_last_piece(AbutCaps* self, AbutDVec3 direction)
{
    uint32_t end = self->piece_ends[--self->piece_end_count];
    uint32_t first = self->piece_end_count > 0 ? self->piece_ends[self->piece_end_count - 1] : 0;
    const uint32_t* piece = self->pieces + first;
    uint32_t count = end - first;
    if (count <= self->plan_limit)
    {
        return fill_piece(self, piece, count, direction);
    }
    AbutChord chord;
    AbutResult result = abut_caps_choose_chord(self, piece, count, direction, &chord);
    if (result == ABUT_OK)
    {
        bool done =
            chord.found ? cut_piece(self, first, count, chord) : add_around_middle(self, piece, count);
        result = done ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    }
    return result;
}

/// The direction of the loop's area; zero for a negligible area.
static AbutDVec3 find_direction(const AbutCaps* self, const uint32_t* loop, uint32_t count)
{
    AbutDVec3 origin = abut_caps_dvertex(self, loop[0]), sum = abut_dvec3_zero();
    double length = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDVec3 p = abut_dvec3_sub(abut_caps_dvertex(self, loop[i]), origin);
        AbutDVec3 q = abut_dvec3_sub(abut_caps_dvertex(self, loop[i + 1 < count ? i + 1 : 0]), origin);
        length += abut_dvec3_distance(q, p);
        sum = abut_dvec3_mul_add(sum, 0.5, abut_dvec3_cross(p, q));
    }
    const double four_pi = 12.566370614359172;
    double area = abut_dvec3_length(sum);
    bool facing = area > MIN_FACING * length * length / four_pi;
    return facing ? abut_dvec3_div(sum, area) : abut_dvec3_zero();
}

AbutResult abut_caps_add(AbutCaps* self, const uint32_t* loop, uint32_t count)
{
    ABUT_ASSERT(count >= 3);
    AbutDVec3 direction = find_direction(self, loop, count);
    self->piece_end_count = 0;
    self->chord_work = CHORD_WORK;
    if (!abut_memory_grow(&self->host, (void**)&self->pieces, &self->piece_capacity, count,
                          sizeof(uint32_t)) ||
        !push_piece(self, count))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(self->pieces, loop, count * sizeof(uint32_t));
    AbutResult result = ABUT_OK;
    while (result == ABUT_OK && self->piece_end_count > 0)
    {
        result = fill_last_piece(self, direction);
    }
    return result;
}
