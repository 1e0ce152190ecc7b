// The table of cases, proved by trying everything: what a mesh made of its pieces promises (docs/surface.md)
// follows from these facts.
#include "support/support.h"

#include "surface/cases.h"

#include <stdlib.h>
#include <string.h>

typedef struct Table
{
    AbutSurfaceCase cases[ABUT_CASE_COUNT];
} Table;

static Table make_table(void)
{
    Table table;
    abut_surface_cases_make(table.cases);
    return table;
}

/// Twice the coordinates of a point of the cell: an end of an edge, a corner, the middle.
typedef struct Point
{
    int x[3];
} Point;

static Point edge_end(unsigned edge, int end)
{
    const unsigned corner = abut_surface_edge_corner(edge);
    Point p;
    for (unsigned i = 0; i < 3; ++i)
    {
        p.x[i] = 2 * (int)(corner >> i & 1u) + (edge / 4 == i ? 2 * end : 0);
    }
    return p;
}

/// True when the edge lies in the face at `side` (0 or 1) of `axis`.
static bool edge_in_face(unsigned edge, int axis, int side)
{
    return edge_end(edge, 0).x[axis] == 2 * side && edge_end(edge, 1).x[axis] == 2 * side;
}

static bool share_face(unsigned edge_a, unsigned edge_b)
{
    for (int face = 0; face < 6; ++face)
    {
        if (edge_in_face(edge_a, face / 2, face % 2) && edge_in_face(edge_b, face / 2, face % 2))
        {
            return true;
        }
    }
    return false;
}

/// How often the triangles of a case use each directed side.
typedef struct Sides
{
    int count[ABUT_CELL_EDGES][ABUT_CELL_EDGES];
} Sides;

static Sides count_sides(const AbutSurfaceCase* piece)
{
    Sides sides;
    memset(&sides, 0, sizeof(sides));
    for (int i = 0; i < piece->triangle_count; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            sides.count[piece->triangles[i][k]][piece->triangles[i][(k + 1) % 3]] += 1;
        }
    }
    return sides;
}

static bool is_border(const Sides* sides, unsigned a, unsigned b)
{
    return sides->count[a][b] > 0 && sides->count[b][a] == 0;
}

static void test_cases_cross_the_edges_with_ends_on_two_sides(void** state)
{
    (void)state;
    const Table table = make_table();
    for (unsigned signs = 0; signs < ABUT_CASE_COUNT; ++signs)
    {
        unsigned used = 0;
        for (int i = 0; i < table.cases[signs].triangle_count; ++i)
        {
            for (int k = 0; k < 3; ++k)
            {
                used |= 1u << table.cases[signs].triangles[i][k];
            }
        }
        for (unsigned edge = 0; edge < ABUT_CELL_EDGES; ++edge)
        {
            const unsigned corner = abut_surface_edge_corner(edge);
            const unsigned crossed = (signs >> corner ^ signs >> (corner | 1u << edge / 4)) & 1u;
            assert_int_equal(table.cases[signs].edges >> edge & 1u, crossed);
            assert_int_equal(used >> edge & 1u, crossed);
        }
    }
}

/// Two borders per crossed edge, one in and one out: with the sides in between used once in each direction,
/// the triangles at an edge are one fan from one border to the other, and each piece is a disc.
static void test_pieces_are_discs_with_borders_in_faces(void** state)
{
    (void)state;
    const Table table = make_table();
    for (unsigned signs = 0; signs < ABUT_CASE_COUNT; ++signs)
    {
        const AbutSurfaceCase* piece = &table.cases[signs];
        const Sides sides = count_sides(piece);
        int border_count = 0, inner_count = 0, loop_count = 0;
        for (unsigned a = 0; a < ABUT_CELL_EDGES; ++a)
        {
            int leaving = 0, entering = 0;
            for (unsigned b = 0; b < ABUT_CELL_EDGES; ++b)
            {
                assert_true(sides.count[a][b] <= 1);
                leaving += is_border(&sides, a, b);
                entering += is_border(&sides, b, a);
                inner_count += sides.count[a][b] > 0 && sides.count[b][a] > 0 && a < b;
                if (sides.count[a][b] > 0)
                {
                    assert_int_equal(share_face(a, b), is_border(&sides, a, b));
                }
            }
            assert_int_equal(leaving, piece->edges >> a & 1u);
            assert_int_equal(entering, piece->edges >> a & 1u);
            border_count += leaving;
        }
        // Loops, counted by following borders.
        unsigned seen = 0;
        for (unsigned a = 0; a < ABUT_CELL_EDGES; ++a)
        {
            loop_count += (piece->edges >> a & 1u) && !(seen >> a & 1u);
            for (unsigned at = a; (piece->edges >> at & 1u) && !(seen >> at & 1u);)
            {
                seen |= 1u << at;
                unsigned next = 0;
                while (!is_border(&sides, at, next))
                {
                    ++next;
                }
                at = next;
            }
        }
        // Vertices − sides + triangles is one per disc.
        assert_int_equal(border_count - (border_count + inner_count) + piece->triangle_count, loop_count);
    }
}

/// Node (x, y, z) of two cells side by side along `axis`: bit x + 2y + 4z of the first cell is bit `node`
/// here, the second cell's far side comes after.
static unsigned cell_signs(unsigned nodes, int axis, int which)
{
    unsigned signs = 0;
    for (unsigned corner = 0; corner < 8; ++corner)
    {
        const unsigned layer = (corner >> axis & 1u) + (unsigned)which;
        const unsigned u = corner >> (axis + 1) % 3 & 1u, v = corner >> (axis + 2) % 3 & 1u;
        signs |= (nodes >> (4 * layer + 2 * v + u) & 1u) << corner;
    }
    return signs;
}

/// The same place on the near face as on the far one.
static unsigned shift_edge(unsigned edge, int axis)
{
    for (unsigned other = 0; other < ABUT_CELL_EDGES; ++other)
    {
        Point a = edge_end(edge, 0), b = edge_end(other, 0);
        a.x[axis] -= 2;
        if (other / 4 == edge / 4 && memcmp(&a, &b, sizeof(a)) == 0)
        {
            return other;
        }
    }
    fail_msg("edge %u is not in the far face of axis %d", edge, axis);
    return 0;
}

static void check_pair(const Table* table, unsigned nodes, int axis)
{
    const Sides near = count_sides(&table->cases[cell_signs(nodes, axis, 0)]);
    const Sides far = count_sides(&table->cases[cell_signs(nodes, axis, 1)]);
    for (unsigned a = 0; a < ABUT_CELL_EDGES; ++a)
    {
        for (unsigned b = 0; b < ABUT_CELL_EDGES; ++b)
        {
            if (a != b && edge_in_face(a, axis, 1) && edge_in_face(b, axis, 1))
            {
                const unsigned far_a = shift_edge(a, axis), far_b = shift_edge(b, axis);
                assert_int_equal(near.count[a][b], far.count[far_b][far_a]);
            }
        }
    }
}

static void test_neighbours_draw_the_same_lines_on_their_face(void** state)
{
    (void)state;
    const Table table = make_table();
    for (int axis = 0; axis < 3; ++axis)
    {
        for (unsigned nodes = 0; nodes < 1u << 12; ++nodes)
        {
            check_pair(&table, nodes, axis);
        }
    }
}

static void test_triangles_face_away_from_the_solid(void** state)
{
    (void)state;
    const Table table = make_table();
    // One corner inside: seen from the opposite corner, the triangle runs counter-clockwise.
    for (unsigned corner = 0; corner < 8; ++corner)
    {
        const AbutSurfaceCase* piece = &table.cases[1u << corner];
        assert_int_equal(piece->triangle_count, 1);
        double p[3][3], normal_dot = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            const Point a = edge_end(piece->triangles[0][k], 0), b = edge_end(piece->triangles[0][k], 1);
            for (int i = 0; i < 3; ++i)
            {
                p[k][i] = 0.5 * (a.x[i] + b.x[i]);
            }
        }
        for (int i = 0; i < 3; ++i)
        {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            const double n =
                (p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) - (p[1][k] - p[0][k]) * (p[2][j] - p[0][j]);
            normal_dot += n * (corner >> i & 1u ? -1.0 : 1.0);
        }
        assert_true(normal_dot > 0.0);
    }
}

// -----------------------------------------------------------------------------------------------------------
// No crossings. Points are numbered: 0..11 anywhere on that edge, 12..19 the corners, 20 the middle.
// -----------------------------------------------------------------------------------------------------------

enum
{
    POINTS = 21,
    MIXED = 2
};

static int point_choices(int point)
{
    return point < ABUT_CELL_EDGES ? 2 : 1;
}

static Point point_at(int point, int choice)
{
    if (point < ABUT_CELL_EDGES)
    {
        return edge_end((unsigned)point, choice);
    }
    const int corner = point - ABUT_CELL_EDGES;
    return corner < 8 ? (Point){ { 2 * (corner & 1), 2 * (corner >> 1 & 1), 2 * (corner >> 2 & 1) } }
                      : (Point){ { 1, 1, 1 } };
}

static int determinant(Point a, Point b, Point c, Point d)
{
    int m[3][3];
    for (int i = 0; i < 3; ++i)
    {
        m[0][i] = b.x[i] - a.x[i];
        m[1][i] = c.x[i] - a.x[i];
        m[2][i] = d.x[i] - a.x[i];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// The side of the plane through three points on which a fourth one is, for all places of the points within
/// their edges: −1, 0, 1, or MIXED. The determinant is affine in the place of each point, so its extremes are
/// at ends of edges; where it is ≥ 0 there and not always 0, it is > 0 within.
static int side_of(const int plane[3], int point)
{
    int low = 0, high = 0;
    for (int i = 0; i < point_choices(plane[0]); ++i)
    {
        for (int j = 0; j < point_choices(plane[1]); ++j)
        {
            for (int k = 0; k < point_choices(plane[2]); ++k)
            {
                for (int l = 0; l < point_choices(point); ++l)
                {
                    const int d = determinant(point_at(plane[0], i), point_at(plane[1], j),
                                              point_at(plane[2], k), point_at(point, l));
                    low = d < low ? d : low;
                    high = d > high ? d : high;
                }
            }
        }
    }
    return low < 0 && high > 0 ? MIXED : low < 0 ? -1 : high > 0 ? 1 : 0;
}

/// side_of() for all planes and all points on edges; a point of the plane is in it. Few of them are needed
/// often.
typedef struct SideTable
{
    int8_t side[POINTS][POINTS][POINTS][ABUT_CELL_EDGES];
} SideTable;

static SideTable* make_sides(void)
{
    SideTable* table = calloc(1, sizeof(SideTable));
    assert_non_null(table);
    for (int n = 0; n < POINTS * POINTS * POINTS; ++n)
    {
        const int plane[3] = { n / POINTS / POINTS, n / POINTS % POINTS, n % POINTS };
        for (int point = 0; plane[0] < plane[1] && plane[1] < plane[2] && point < ABUT_CELL_EDGES; ++point)
        {
            const bool own = point == plane[0] || point == plane[1] || point == plane[2];
            table->side[plane[0]][plane[1]][plane[2]][point] = (int8_t)(own ? 0 : side_of(plane, point));
        }
    }
    return table;
}

/// The corners of a triangle that are in the plane, as bits; −1 when the triangle is not on the given side of
/// it.
static int touch_plane(const int8_t plane[ABUT_CELL_EDGES], const uint8_t triangle[3], int side)
{
    int bits = 0;
    for (int k = 0; k < 3; ++k)
    {
        const int s = plane[triangle[k]];
        if (s != 0 && s != side)
        {
            return -1;
        }
        bits |= s == 0 ? 1 << triangle[k] : 0;
    }
    return bits;
}

static int corner_bits(const uint8_t triangle[3])
{
    return 1 << triangle[0] | 1 << triangle[1] | 1 << triangle[2];
}

static int count_bits(int bits)
{
    int count = 0;
    for (; bits != 0; bits &= bits - 1)
    {
        ++count;
    }
    return count;
}

/// True when the plane proves that the triangles meet in nothing but shared corners and sides: they are on
/// different sides of it, and in the plane itself either one of them has only shared corners, or there are at
/// most three corners, which never stand in a line.
static bool separates(const int8_t plane[ABUT_CELL_EDGES], const uint8_t a[3], const uint8_t b[3], int side)
{
    const int in_a = touch_plane(plane, a, side), in_b = touch_plane(plane, b, -side);
    const int shared = corner_bits(a) & corner_bits(b);
    return in_a >= 0 && in_b >= 0 &&
           ((in_a & ~shared) == 0 || (in_b & ~shared) == 0 || count_bits(in_a | in_b) <= 3);
}

static bool proved_apart(const SideTable* table, const uint8_t a[3], const uint8_t b[3])
{
    for (int i = 0; i < POINTS; ++i)
    {
        for (int j = i + 1; j < POINTS; ++j)
        {
            for (int k = j + 1; k < POINTS; ++k)
            {
                const int8_t* plane = table->side[i][j][k];
                if (separates(plane, a, b, 1) || separates(plane, a, b, -1))
                {
                    return true;
                }
            }
        }
    }
    return false;
}

static void test_triangles_of_a_cell_never_cross(void** state)
{
    (void)state;
    const Table table = make_table();
    SideTable* sides = make_sides();
    for (unsigned signs = 0; signs < ABUT_CASE_COUNT; ++signs)
    {
        const AbutSurfaceCase* piece = &table.cases[signs];
        for (int a = 0; a < piece->triangle_count; ++a)
        {
            for (int b = a + 1; b < piece->triangle_count; ++b)
            {
                if (!proved_apart(sides, piece->triangles[a], piece->triangles[b]))
                {
                    fail_msg("case %02x: triangles %d and %d may cross", signs, a, b);
                }
            }
        }
    }
    free(sides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_cross_the_edges_with_ends_on_two_sides),
        cmocka_unit_test(test_pieces_are_discs_with_borders_in_faces),
        cmocka_unit_test(test_neighbours_draw_the_same_lines_on_their_face),
        cmocka_unit_test(test_triangles_face_away_from_the_solid),
        cmocka_unit_test(test_triangles_of_a_cell_never_cross),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
