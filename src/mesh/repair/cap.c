#include "mesh/repair/cap.h"

#include "base/memory.h"
#include "mesh/corners.h"
#include "mesh/edges.h"
#include "mesh/repair/cap_split.h"

#include <string.h>

#define NONE UINT32_MAX

/// With more border edges than this, loops are cut into shorter pieces: what planning takes per edge grows
/// with the square of the length.
static const uint32_t MANY_BORDER_EDGES = 1u << 16, SHORT_PLAN = 64;

/// Sides that chords are compared with, for one loop; about three seconds. Then chords are no longer checked.
static const uint64_t CHORD_WORK = (uint64_t)1 << 30;

/// Of the area that a circle of the loop's length has: with less a loop faces no direction, like the seam of
/// a tennis ball or the two sides of a crack.
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

/// A corner from which a triangle of the mesh runs along the edge, either way; NONE when none does.
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
static void find_middle(const AbutCaps* self, const uint32_t* piece, uint32_t count, double middle[3])
{
    double sum[3] = { 0.0 }, length = 0.0, a[3], b[3], along[3];
    abut_array3_from_vec3(abut_caps_vertex(self, piece[0]), middle);
    for (uint32_t i = 0; i < count; ++i)
    {
        abut_array3_from_vec3(abut_caps_vertex(self, piece[i]), a);
        abut_array3_from_vec3(abut_caps_vertex(self, piece[i + 1 < count ? i + 1 : 0]), b);
        abut_array3_sub(b, a, along);
        double weight = abut_array3_length(along);
        for (int k = 0; k < 3; ++k)
        {
            sum[k] += weight * (0.5 * (a[k] + b[k]) - middle[k]);
        }
        length += weight;
    }
    for (int k = 0; k < 3; ++k)
    {
        middle[k] += sum[k] / length;
    }
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

/// A place that no vertex has, or the surface would be joined to another there: the middle, or on the way
/// from it to a vertex of the piece.
static AbutVec3 middle_position(const AbutCaps* self, const uint32_t* piece, uint32_t count)
{
    double middle[3], first[3];
    find_middle(self, piece, count, middle);
    abut_array3_from_vec3(abut_caps_vertex(self, piece[0]), first);
    AbutVec3 position = abut_vec3((float)middle[0], (float)middle[1], (float)middle[2]);
    for (int i = 1; i < 16 && is_taken(self, position); ++i)
    {
        double t = i / 32.0;
        position = abut_vec3((float)(middle[0] + t * (first[0] - middle[0])),
                             (float)(middle[1] + t * (first[1] - middle[1])),
                             (float)(middle[2] + t * (first[2] - middle[2])));
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
static void load_neighbor(const AbutCaps* self, uint32_t from, uint32_t to, double normal[3])
{
    uint32_t corner = find_corner(self, from, to);
    normal[0] = normal[1] = normal[2] = 0.0;
    if (corner == NONE)
    {
        return;
    }
    double p[3][3], ab[3], ac[3];
    abut_load_triangle(self->mesh, corner / 3, p);
    abut_array3_sub(p[1], p[0], ab);
    abut_array3_sub(p[2], p[0], ac);
    abut_array3_cross(ab, ac, normal);
    double length = abut_array3_length(normal);
    for (int k = 0; k < 3; ++k)
    {
        normal[k] = length > 0.0 ? normal[k] / length : 0.0;
    }
}

static AbutResult set_up_plan(AbutCaps* self, const uint32_t* piece, uint32_t count)
{
    AbutCapPlan* plan = &self->plan;
    AbutResult result = abut_cap_plan_reserve(plan, count);
    double origin[3];
    abut_array3_from_vec3(abut_caps_vertex(self, piece[0]), origin);
    for (uint32_t i = 0; result == ABUT_OK && i < count; ++i)
    {
        abut_array3_from_vec3(abut_caps_vertex(self, piece[i]), plan->points[i]);
        abut_array3_sub(plan->points[i], origin, plan->points[i]);
        load_neighbor(self, piece[i], piece[i + 1 < count ? i + 1 : 0], plan->normals[i]);
        for (uint32_t j = i + 2; j < count; ++j)
        {
            plan->blocked[(size_t)i * plan->capacity + j] = abut_caps_have_edge(self, piece[i], piece[j]);
        }
    }
    return result;
}

/// Every side of a triangle that is not one of the piece.
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

static AbutResult fill_piece(AbutCaps* self, const uint32_t* piece, uint32_t count, const double direction[3])
{
    AbutPlanView view = { { direction[0], direction[1], direction[2] }, self->thin };
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
    uint32_t* piece = self->pieces + first;
    reverse(piece, chord.begin);
    reverse(piece + chord.begin, count - chord.begin);
    reverse(piece, count); // three reversals turn it so that the chord begins at its first vertex
    uint32_t cut = chord.end - chord.begin;
    memmove(piece + cut + 1, piece + cut, (count - cut) * sizeof(uint32_t));
    piece[count + 1] = piece[0];
    return abut_edge_set_add(&self->sides, piece[0], piece[cut]) && push_piece(self, first + cut + 1) &&
           push_piece(self, first + count + 2);
}

static AbutResult fill_last_piece(AbutCaps* self, const double direction[3])
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

/// The direction of the loop's area; zero when there is none to speak of.
static void find_direction(const AbutCaps* self, const uint32_t* loop, uint32_t count, double out[3])
{
    double origin[3], p[3], q[3], along[3], normal[3], sum[3] = { 0.0 }, length = 0.0;
    abut_array3_from_vec3(abut_caps_vertex(self, loop[0]), origin);
    for (uint32_t i = 0; i < count; ++i)
    {
        abut_array3_from_vec3(abut_caps_vertex(self, loop[i]), p);
        abut_array3_from_vec3(abut_caps_vertex(self, loop[i + 1 < count ? i + 1 : 0]), q);
        abut_array3_sub(p, origin, p);
        abut_array3_sub(q, origin, q);
        abut_array3_sub(q, p, along);
        abut_array3_cross(p, q, normal);
        length += abut_array3_length(along);
        for (int k = 0; k < 3; ++k)
        {
            sum[k] += 0.5 * normal[k];
        }
    }
    const double four_pi = 12.566370614359172;
    double area = abut_array3_length(sum);
    bool facing = area > MIN_FACING * length * length / four_pi;
    for (int k = 0; k < 3; ++k)
    {
        out[k] = facing ? sum[k] / area : 0.0;
    }
}

AbutResult abut_caps_add(AbutCaps* self, const uint32_t* loop, uint32_t count)
{
    double direction[3];
    find_direction(self, loop, count, direction);
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
