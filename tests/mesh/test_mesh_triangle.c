// Orientation signs and the crossing of two triangles, against whole numbers of 128 bits.
//
// The oracle for crossings shares nothing with the code: two flat convex figures have inner points in
// common unless one of a finite list of directions separates them, where touching is separation (the
// normals of both, the products of their edges, and, in one plane, the normals of their edges).
#include "support/oracles/whole.h"

#include "mesh/triangle/orient.h"
#include "mesh/triangle/triangle.h"

#include <float.h>

/// Coordinates of at most 24 bits are exact as floats; scaling by a power of two keeps them so.
static AbutVec3 to_float(Whole p, double scale)
{
    return abut_vec3((float)((double)p.x * scale), (float)((double)p.y * scale),
                     (float)((double)p.z * scale));
}

// -----------------------------------------------------------------------------------------------------------
// Signs
// -----------------------------------------------------------------------------------------------------------

static void check_orient_3d(const Whole p[4], AbutVec3 scales)
{
    AbutVec3 v[4];
    for (int i = 0; i < 4; ++i)
    {
        v[i] = abut_vec3((float)p[i].x * scales.x, (float)p[i].y * scales.y, (float)p[i].z * scales.z);
    }
    int expected = whole_orient(p);
    assert_int_equal(abut_orient_3d(v[0], v[1], v[2], v[3]), expected);
    assert_int_equal(abut_orient_3d(v[1], v[2], v[0], v[3]), expected);
    assert_int_equal(abut_orient_3d(v[1], v[0], v[2], v[3]), -expected);
    assert_int_equal(abut_orient_3d(v[0], v[1], v[3], v[2]), -expected);
    assert_int_equal(abut_orient_3d(v[3], v[2], v[1], v[0]), expected);
}

/// A point of the plane of the other three, as far as whole numbers have one, then perhaps moved by one.
static Whole near_plane(TestRandom* random, const Whole p[3])
{
    int64_t s = (int64_t)(test_random_bits(random) % 5) - 2, t = (int64_t)(test_random_bits(random) % 5) - 2;
    Whole u = whole_sub(p[1], p[0]), v = whole_sub(p[2], p[0]);
    Whole q = { p[0].x + s * u.x + t * v.x, p[0].y + s * u.y + t * v.y, p[0].z + s * u.z + t * v.z };
    q.x += (int64_t)(test_random_bits(random) % 3) - 1;
    return q;
}

static void test_orientation_in_space_is_exact(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    int zero_count = 0;
    for (int repeat = 0; repeat < 60000; ++repeat)
    {
        int64_t half = (int64_t)1 << (1 + test_random_bits(&random) % 20);
        Whole p[4];
        for (int i = 0; i < 4; ++i)
        {
            p[i] = random_whole(&random, half);
        }
        p[3] = repeat % 2 ? near_plane(&random, p) : p[3];
        zero_count += whole_orient(p) == 0;
        // Scaling an axis by a power of two changes no sign; with very different ones differences round.
        AbutVec3 scales = abut_vec3(1.0f, 1.0f, 1.0f);
        if (repeat % 3 == 1)
        {
            scales = abut_vec3(0x1p-149f, 0x1p100f, 0x1p-40f);
        }
        check_orient_3d(p, scales);
    }
    assert_true(zero_count > 3000);
}

static void test_orientation_in_a_plane_is_exact(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (int repeat = 0; repeat < 40000; ++repeat)
    {
        int64_t half = (int64_t)1 << (1 + test_random_bits(&random) % 22);
        Whole a = random_whole(&random, half), b = random_whole(&random, half),
              c = random_whole(&random, half);
        if (repeat % 2)
        {
            c = (Whole){ 2 * b.x - a.x, 2 * b.y - a.y + (int64_t)(test_random_bits(&random) % 3) - 1,
                         2 * b.z - a.z };
        }
        Whole n = whole_cross(whole_sub(b, a), whole_sub(c, a));
        AbutVec3 va = to_float(a, 1.0), vb = to_float(b, 1.0), vc = to_float(c, 1.0);
        assert_int_equal(abut_orient_2d(va, vb, vc, 0), wide_sign(n.x));
        assert_int_equal(abut_orient_2d(va, vb, vc, 1), wide_sign(n.y));
        assert_int_equal(abut_orient_2d(va, vb, vc, 2), wide_sign(n.z));
        AbutTriangle triangle = { { va, vb, vc } };
        assert_int_equal(abut_triangle_is_degenerate(&triangle), whole_is_zero(n));
    }
}

static void test_points_of_very_different_size_keep_their_side(void** state)
{
    (void)state;
    // The plane through three huge points and one that is all but the origin: a denormal decides.
    AbutVec3 a = abut_vec3(FLT_MAX, 0, 0), b = abut_vec3(0, FLT_MAX, 0), c = abut_vec3(-FLT_MAX, -FLT_MAX, 0);
    assert_int_equal(abut_orient_3d(a, b, c, abut_vec3(1, 1, 0x1p-149f)), 1);
    assert_int_equal(abut_orient_3d(a, b, c, abut_vec3(1, 1, -0x1p-149f)), -1);
    assert_int_equal(abut_orient_3d(a, b, c, abut_vec3(1, 1, 0.0f)), 0);
    // Tilted through the origin: x + y + z = 0. Differences round here, and only the exact sum sees the
    // last bit.
    b = abut_vec3(0, FLT_MAX, -FLT_MAX);
    c = abut_vec3(-FLT_MAX, 0, FLT_MAX);
    a = abut_vec3(FLT_MAX, -FLT_MAX, 0);
    assert_int_equal(abut_orient_3d(a, b, c, abut_vec3(0, 0, 0)), 0);
    int up = abut_orient_3d(a, b, c, abut_vec3(0x1p-149f, 0, 0));
    int down = abut_orient_3d(a, b, c, abut_vec3(0, -0x1p-149f, 0));
    assert_int_equal(up, 1);
    assert_int_equal(down, -1);
}

// -----------------------------------------------------------------------------------------------------------
// Crossings
// -----------------------------------------------------------------------------------------------------------

static bool separates(Whole d, const Whole a[3], const Whole b[3])
{
    Wide a_min = 0, a_max = 0, b_min = 0, b_max = 0;
    for (int i = 0; i < 3; ++i)
    {
        Wide pa = whole_dot(d, a[i]), pb = whole_dot(d, b[i]);
        a_min = i == 0 || pa < a_min ? pa : a_min;
        a_max = i == 0 || pa > a_max ? pa : a_max;
        b_min = i == 0 || pb < b_min ? pb : b_min;
        b_max = i == 0 || pb > b_max ? pb : b_max;
    }
    bool flat = a_min == b_max && a_max == b_min; // both within one plane across d: says nothing
    return !flat && (a_max <= b_min || b_max <= a_min);
}

static bool oracle_cross(const Whole a[3], const Whole b[3])
{
    Whole ea[3], eb[3];
    for (int i = 0; i < 3; ++i)
    {
        ea[i] = whole_sub(a[(i + 1) % 3], a[i]);
        eb[i] = whole_sub(b[(i + 1) % 3], b[i]);
    }
    Whole na = whole_cross(ea[0], ea[1]), nb = whole_cross(eb[0], eb[1]);
    bool separated = separates(na, a, b) || separates(nb, a, b);
    for (int i = 0; i < 3 && !separated; ++i)
    {
        separated = separates(whole_cross(na, ea[i]), a, b) || separates(whole_cross(nb, eb[i]), a, b);
        for (int j = 0; j < 3 && !separated; ++j)
        {
            separated = separates(whole_cross(ea[i], eb[j]), a, b);
        }
    }
    return !separated;
}

static bool random_triangle(TestRandom* random, int64_t half, Whole t[3])
{
    for (int i = 0; i < 3; ++i)
    {
        t[i] = random_whole(random, half);
    }
    return !whole_is_zero(whole_cross(whole_sub(t[1], t[0]), whole_sub(t[2], t[0])));
}

static AbutTriangle to_triangle(const Whole t[3], int first, bool flipped, double scale)
{
    AbutTriangle triangle;
    for (int i = 0; i < 3; ++i)
    {
        triangle.corners[flipped ? 2 - i : i] = to_float(t[(first + i) % 3], scale);
    }
    return triangle;
}

/// All orders of corners and of the triangles must agree with the oracle.
static bool check_cross(const Whole a[3], const Whole b[3], double scale)
{
    bool expected = oracle_cross(a, b);
    for (int order = 0; order < 36; ++order)
    {
        AbutTriangle ta = to_triangle(a, order % 3, order & 1, scale);
        AbutTriangle tb = to_triangle(b, order / 3 % 3, order / 9 & 1, scale);
        if (abut_triangles_cross(&ta, &tb) != expected || abut_triangles_cross(&tb, &ta) != expected)
        {
            fail_msg(
                "order %d of (%g %g %g, %g %g %g, %g %g %g) and (%g %g %g, %g %g %g, %g %g %g): expected %d",
                order, (double)a[0].x, (double)a[0].y, (double)a[0].z, (double)a[1].x, (double)a[1].y,
                (double)a[1].z, (double)a[2].x, (double)a[2].y, (double)a[2].z, (double)b[0].x,
                (double)b[0].y, (double)b[0].z, (double)b[1].x, (double)b[1].y, (double)b[1].z,
                (double)b[2].x, (double)b[2].y, (double)b[2].z, expected);
        }
    }
    return expected;
}

static void test_crossing_is_exact_on_coarse_grids(void** state)
{
    (void)state;
    // Coarse grids make every special position: shared corners and edges, corners on edges and faces, one
    // plane.
    TestRandom random = { 3 };
    const double scales[] = { 1.0, 0x1p-149, 0x1p120, 0x1p-20 };
    int count = 0, crossing_count = 0;
    for (int repeat = 0; repeat < 20000; ++repeat)
    {
        Whole a[3], b[3];
        int64_t half = 1 + repeat % 4;
        if (random_triangle(&random, half, a) && random_triangle(&random, half, b))
        {
            count += 1;
            crossing_count += check_cross(a, b, scales[repeat % 4]);
        }
    }
    assert_true(crossing_count > count / 20 && crossing_count < count / 2);
}

static void test_crossing_in_one_plane_is_exact(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    int crossing_count = 0;
    for (int repeat = 0; repeat < 10000; ++repeat)
    {
        Whole t[6];
        for (int i = 0; i < 6; ++i)
        {
            t[i] = random_whole(&random, 3);
            t[i].z = repeat % 2 ? 5 : 2 * t[i].x - 3 * t[i].y + 1; // level, then tilted
        }
        if (!whole_is_zero(whole_cross(whole_sub(t[1], t[0]), whole_sub(t[2], t[0]))) &&
            !whole_is_zero(whole_cross(whole_sub(t[4], t[3]), whole_sub(t[5], t[3]))))
        {
            crossing_count += check_cross(t, t + 3, 1.0);
        }
    }
    assert_true(crossing_count > 300);
}

static void test_crossing_is_exact_one_step_off_the_grid(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (int repeat = 0; repeat < 15000; ++repeat)
    {
        Whole a[3], b[3];
        if (!random_triangle(&random, 3, a) || !random_triangle(&random, 3, b))
        {
            continue;
        }
        const int64_t unit = (int64_t)1
                             << 20; // with coordinates of 22 bits, one step is the last bit but one
        for (int i = 0; i < 3; ++i)
        {
            Whole nudge = random_whole(&random, 1);
            a[i] = (Whole){ a[i].x * unit, a[i].y * unit, a[i].z * unit };
            b[i] = (Whole){ b[i].x * unit + nudge.x, b[i].y * unit + nudge.y, b[i].z * unit + nudge.z };
        }
        check_cross(a, b, 1.0);
    }
}

static AbutTriangle triangle(double ax, double ay, double az, double bx, double by, double bz, double cx,
                             double cy, double cz)
{
    AbutTriangle t = { { abut_vec3((float)ax, (float)ay, (float)az),
                         abut_vec3((float)bx, (float)by, (float)bz),
                         abut_vec3((float)cx, (float)cy, (float)cz) } };
    return t;
}

static void assert_crossing(AbutTriangle a, AbutTriangle b, bool expected)
{
    assert_int_equal(abut_triangles_cross(&a, &b), expected);
    assert_int_equal(abut_triangles_cross(&b, &a), expected);
}

static void test_borders_that_touch_do_not_cross(void** state)
{
    (void)state;
    AbutTriangle floor = triangle(0, 0, 0, 4, 0, 0, 0, 4, 0);
    assert_crossing(floor, triangle(4, 0, 0, 0, 0, 0, 0, 0, 4), false);   // an edge in common
    assert_crossing(floor, triangle(4, 0, 0, 0, 0, 0, 0, -4, 0), false);  // and in one plane
    assert_crossing(floor, triangle(0, 0, 0, -1, 0, 2, 0, -1, 2), false); // a corner in common
    assert_crossing(floor, triangle(1, 0, 0, 2, 0, 0, 1, 0, 3), false);   // part of an edge: a T-junction
    assert_crossing(floor, triangle(2, 2, 0, 5, 5, 0, 5, 5, 1), false);   // a corner on an edge
    assert_crossing(floor, triangle(1, 1, 0, 1, 1, 3, 2, 1, 3), false);   // a corner that stands on the face
    assert_crossing(floor, triangle(1, 1, 0, 2, 1, 0, 1, 1, 3), false);   // an edge that stands on the face
    assert_crossing(floor, triangle(1, -1, 1, 1, 1, -1, 9, 0, 0), false); // edges that cross in a point
}

static void test_insides_that_meet_do_cross(void** state)
{
    (void)state;
    AbutTriangle floor = triangle(0, 0, 0, 4, 0, 0, 0, 4, 0);
    assert_crossing(floor, triangle(1, 1, -1, 1, 1, 1, 2, 1, 1), true);
    assert_crossing(floor, triangle(0, 0, 0, 1, 1, 1, 1, 1, -1), true); // sharing a corner
    assert_crossing(floor, triangle(0, 0, 0, 4, 0, 0, 1, 1, 0), true);  // sharing an edge, folded over
    assert_crossing(floor, floor, true);
    assert_crossing(floor, triangle(0, 0, 0, 0, 4, 0, 4, 0, 0), true);     // the other way round
    assert_crossing(floor, triangle(1, 1, 0, 1.5, 1, 0, 1, 1.5, 0), true); // contained
    assert_crossing(floor, triangle(1, 0, -1, 1, 0, 1, 1, 9, 0),
                    true); // an edge of each through the other's border
    assert_crossing(floor, triangle(0, 0, 0x1p-149, 4, 4, 0x1p-149, 1, 1, -0x1p-149), true);
    assert_crossing(floor, triangle(0, 0, 0x1p-149, 4, 4, 0x1p-149, 1, 1, 0), false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orientation_in_space_is_exact),
        cmocka_unit_test(test_orientation_in_a_plane_is_exact),
        cmocka_unit_test(test_points_of_very_different_size_keep_their_side),
        cmocka_unit_test(test_crossing_is_exact_on_coarse_grids),
        cmocka_unit_test(test_crossing_in_one_plane_is_exact),
        cmocka_unit_test(test_crossing_is_exact_one_step_off_the_grid),
        cmocka_unit_test(test_borders_that_touch_do_not_cross),
        cmocka_unit_test(test_insides_that_meet_do_cross),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
