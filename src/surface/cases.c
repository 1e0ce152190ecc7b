// The polygons of a case: each face of the cell joins its crossed edges in pairs, the pairs close to loops
// around the cell, and each loop is cut into triangles.
#include "surface/cases.h"

#include <string.h>

enum
{
    MAX_LOOP = 7, // of all cases
    NO_EDGE = 0xFF,
    FORBIDDEN = 1 << 20, // cost of a forbidden diagonal; more than all others together
};

/// The four corners of a face, counter-clockwise seen from outside of the cell.
static void face_corners(unsigned axis, unsigned side, unsigned corners[4])
{
    const unsigned u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
    const unsigned around[4] = { 0, u, u | v, v };
    for (unsigned i = 0; i < 4; ++i)
    {
        corners[i] = around[side == 1 ? i : 3 - i] | side << axis;
    }
}

static unsigned edge_between(unsigned corner_a, unsigned corner_b)
{
    const unsigned low = corner_a & corner_b;
    const unsigned axis = (corner_a ^ corner_b) >> 1; // 1, 2, 4 to 0, 1, 2
    return 4 * axis + (low >> (axis + 1) % 3 & 1u) + 2 * (low >> (axis + 2) % 3 & 1u);
}

/// Joins each edge where a walk around the face leaves the solid with the edge where it entered: the line
/// cuts off the inside corners between the two. Where two opposite corners are inside, each is cut off alone,
/// so the solid does not pass through the face from one to the other. The neighbouring cell walks the other
/// way round and draws the same lines in the other direction.
static void join_face(unsigned signs, const unsigned corners[4], uint8_t next[ABUT_CELL_EDGES])
{
    for (unsigned i = 0; i < 4; ++i)
    {
        if ((signs >> corners[i] & 1u) == 0 || (signs >> corners[(i + 1) % 4] & 1u) == 1)
        {
            continue;
        }
        unsigned first = i; // inside corner after the entry
        while (signs >> corners[(first + 3) % 4] & 1u)
        {
            first = (first + 3) % 4;
        }
        const unsigned leave = edge_between(corners[i], corners[(i + 1) % 4]);
        const unsigned enter = edge_between(corners[(first + 3) % 4], corners[first]);
        next[enter] = (uint8_t)leave;
    }
}

/// Twice the middle of an edge.
static void edge_middle(unsigned edge, int middle[3])
{
    const unsigned corner = abut_surface_edge_corner(edge);
    middle[0] = (int)(2 * (corner & 1u));
    middle[1] = (int)(2 * (corner >> 1 & 1u));
    middle[2] = (int)(2 * (corner >> 2 & 1u));
    middle[edge / 4] += 1;
}

/// The squared length of a diagonal between the middles of its edges; FORBIDDEN when both edges are in one
/// face, where the neighbouring cell might draw the same diagonal.
static int diagonal_cost(unsigned edge_a, unsigned edge_b)
{
    int a[3], b[3], sum = 0;
    edge_middle(edge_a, a);
    edge_middle(edge_b, b);
    for (int i = 0; i < 3; ++i)
    {
        if (a[i] == b[i] && a[i] != 1)
        {
            return FORBIDDEN;
        }
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
}

typedef struct Loop
{
    uint8_t edges[MAX_LOOP];
    int count;
    int split[MAX_LOOP][MAX_LOOP]; // third corner of the triangle on the diagonal or side from i to j
} Loop;

static void emit_triangles(const Loop* loop, int i, int j, AbutSurfaceCase* out)
{
    if (j - i < 2)
    {
        return;
    }
    const int k = loop->split[i][j];
    emit_triangles(loop, i, k, out);
    uint8_t* triangle = out->triangles[out->triangle_count++];
    triangle[0] = loop->edges[i];
    triangle[1] = loop->edges[k];
    triangle[2] = loop->edges[j];
    emit_triangles(loop, k, j, out);
}

/// Cuts the loop into the triangles with the least sum of squared diagonals (dynamic programming over its
/// intervals). Short diagonals keep the triangles of the longest loops from crossing: 4 of the 16
/// triangulations of those do cross for some positions of the corners, and none of the 4 is shortest.
static void cut_loop(Loop* loop, AbutSurfaceCase* out)
{
    int cost[MAX_LOOP][MAX_LOOP] = { { 0 } };
    for (int span = 2; span < loop->count; ++span)
    {
        for (int i = 0; i + span < loop->count; ++i)
        {
            const int j = i + span;
            int best = 3 * FORBIDDEN;
            for (int k = i + 1; k < j; ++k)
            {
                if (cost[i][k] + cost[k][j] < best)
                {
                    best = cost[i][k] + cost[k][j];
                    loop->split[i][j] = k;
                }
            }
            const int own = span + 1 == loop->count ? 0 : diagonal_cost(loop->edges[i], loop->edges[j]);
            cost[i][j] = best + own < FORBIDDEN ? best + own : FORBIDDEN;
        }
    }
    emit_triangles(loop, 0, loop->count - 1, out);
}

static void make_case(unsigned signs, AbutSurfaceCase* out)
{
    uint8_t next[ABUT_CELL_EDGES];
    memset(next, NO_EDGE, sizeof(next));
    for (unsigned face = 0; face < 6; ++face)
    {
        unsigned corners[4];
        face_corners(face / 2, face % 2, corners);
        join_face(signs, corners, next);
    }
    memset(out, 0, sizeof(*out));
    for (unsigned start = 0; start < ABUT_CELL_EDGES; ++start)
    {
        Loop loop = { .count = 0 };
        for (unsigned edge = start; next[edge] != NO_EDGE;)
        {
            const unsigned following = next[edge];
            next[edge] = NO_EDGE;
            out->edges = (uint16_t)(out->edges | 1u << edge);
            loop.edges[loop.count++] = (uint8_t)edge;
            edge = following;
        }
        if (loop.count > 0)
        {
            cut_loop(&loop, out);
        }
    }
}

void abut_surface_cases_make(AbutSurfaceCase cases[ABUT_CASE_COUNT])
{
    for (unsigned signs = 0; signs < ABUT_CASE_COUNT; ++signs)
    {
        make_case(signs, &cases[signs]);
    }
}
