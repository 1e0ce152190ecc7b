// Signs of points in double, and whether two triangles touch, against whole numbers of 128 bits.
//
// The oracle shares nothing with the code: two triangles, segments or points are apart exactly when one of a
// finite list of directions separates them strictly: that of their closest points, which are two corners, a
// corner and an edge, two edges, or a corner and a face.
#include "support/oracles/whole.h"

#include "mesh/triangle/dorient.h"
#include "mesh/triangle/touch.h"

static AbutDVec3 to_double(Whole p, AbutDVec3 scales)
{
    return abut_dvec3((double)p.x * scales.x, (double)p.y * scales.y, (double)p.z * scales.z);
}

// -----------------------------------------------------------------------------------------------------------
// Signs
// -----------------------------------------------------------------------------------------------------------

static const double SCALES[] = { 1.0, 0x1p-149, 0x1p120, 0x1p-20, 0x1p-250, 0x1p250 };

static void test_orientation_in_space_is_exact(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    int zero_count = 0;
    for (int repeat = 0; repeat < TEST_ROUNDS(60000); ++repeat)
    {
        int64_t half = (int64_t)1 << (1 + test_random_bits(&random) % 36);
        Whole p[4];
        for (int i = 0; i < 4; ++i)
        {
            p[i] = random_whole(&random, half);
        }
        if (repeat % 2)
        {
            int64_t s = random_whole_number(&random, 2), t = random_whole_number(&random, 2);
            Whole u = whole_sub(p[1], p[0]), v = whole_sub(p[2], p[0]);
            p[3] = (Whole){ p[0].x + s * u.x + t * v.x + random_whole_number(&random, 1),
                            p[0].y + s * u.y + t * v.y, p[0].z + s * u.z + t * v.z };
        }
        // Very different scales make differences that round.
        AbutDVec3 scales = abut_dvec3(SCALES[repeat % 6], SCALES[repeat / 6 % 4], SCALES[repeat / 24 % 4]);
        AbutDVec3 v[4];
        for (int i = 0; i < 4; ++i)
        {
            v[i] = to_double(p[i], scales);
        }
        int expected = whole_orient(p);
        zero_count += expected == 0;
        assert_int_equal(abut_dorient_3d(v[0], v[1], v[2], v[3]), expected);
        assert_int_equal(abut_dorient_3d(v[1], v[0], v[2], v[3]), -expected);
        assert_int_equal(abut_dorient_3d(v[3], v[2], v[1], v[0]), expected);
    }
    assert_true(zero_count > TEST_ROUNDS(3000));
}

static void test_orientation_of_far_points_is_exact(void** state)
{
    (void)state;
    // Differences round: points around 1 and around 2⁻⁵², 2⁻¹⁰⁴. The plane x + y = z, with a last bit.
    AbutDVec3 a = abut_dvec3(1.0, 1.0, 2.0), b = abut_dvec3(3.0, -1.0, 2.0), c = abut_dvec3(-5.0, 2.0, -3.0);
    assert_int_equal(abut_dorient_3d(a, b, c, abut_dvec3(0x1p-104, 0x1p-52, 0x1p-52)),
                     -abut_dorient_3d(a, b, c, abut_dvec3(-0x1p-104, 0x1p-52, 0x1p-52)));
    assert_int_not_equal(abut_dorient_3d(a, b, c, abut_dvec3(0x1p-104, 0x1p-52, 0x1p-52)), 0);
    assert_int_equal(abut_dorient_3d(a, b, c, abut_dvec3(0x1p-60, 0x1p-60, 0x1p-59)), 0);
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
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
    return a_max < b_min || b_max < a_min;
}

static bool corner_directions_separate(const Whole a[3], const Whole b[3], const Whole edges[6])
{
    for (int pair = 0; pair < 9; ++pair)
    {
        Whole d = whole_sub(b[pair % 3], a[pair / 3]);
        bool separated = separates(d, a, b);
        for (int i = 0; i < 6 && !separated; ++i)
        {
            separated = separates(whole_cross(edges[i], whole_cross(edges[i], d)), a, b);
        }
        if (separated)
        {
            return true;
        }
    }
    return false;
}

static bool oracle_touch(const Whole a[3], const Whole b[3])
{
    Whole edges[6];
    for (int i = 0; i < 3; ++i)
    {
        edges[i] = whole_sub(a[(i + 1) % 3], a[i]);
        edges[3 + i] = whole_sub(b[(i + 1) % 3], b[i]);
    }
    for (int i = 0; i < 6; ++i)
    {
        for (int k = 0; k < i; ++k)
        {
            if (separates(whole_cross(edges[i], edges[k]), a, b))
            {
                return false;
            }
        }
    }
    return !corner_directions_separate(a, b, edges);
}

static AbutDTriangle to_triangle(const Whole t[3], int first, bool reversed, double scale)
{
    AbutDTriangle triangle;
    for (int i = 0; i < 3; ++i)
    {
        triangle.corners[reversed ? 2 - i : i] =
            to_double(t[(first + i) % 3], abut_dvec3(scale, scale, scale));
    }
    return triangle;
}

/// All orders of corners and of the triangles must agree with the oracle.
static bool check_touch(const Whole a[3], const Whole b[3], double scale)
{
    bool expected = oracle_touch(a, b);
    for (int order = 0; order < 36; order += 5)
    {
        AbutDTriangle ta = to_triangle(a, order % 3, order & 1, scale);
        AbutDTriangle tb = to_triangle(b, order / 3 % 3, order / 9 & 1, scale);
        if (abut_triangles_touch(&ta, &tb) != expected || abut_triangles_touch(&tb, &ta) != expected)
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

static void random_triangle(TestRandom* random, int64_t half, Whole t[3])
{
    for (int i = 0; i < 3; ++i)
    {
        t[i] = random_whole(random, half);
    }
}

static void test_touching_is_exact_on_coarse_grids(void** state)
{
    (void)state;
    // Coarse grids make every special position: shared corners and edges, corners on edges and faces, one
    // plane, one line, points.
    TestRandom random = { 12 };
    int touching_count = 0, count = TEST_ROUNDS(60000);
    for (int repeat = 0; repeat < count; ++repeat)
    {
        Whole a[3], b[3];
        int64_t half = 1 + repeat % 4;
        random_triangle(&random, half, a);
        random_triangle(&random, half, b);
        touching_count += check_touch(a, b, SCALES[repeat % 4]);
    }
    assert_true(touching_count > count / 10 && touching_count < count / 2);
}

static void test_touching_is_exact_in_one_plane_and_line(void** state)
{
    (void)state;
    TestRandom random = { 13 };
    int touching_count = 0, count = TEST_ROUNDS(30000);
    for (int repeat = 0; repeat < count; ++repeat)
    {
        Whole t[6];
        for (int i = 0; i < 6; ++i)
        {
            t[i] = random_whole(&random, 4);
            t[i].y = repeat % 3 == 0 ? 2 * t[i].x + 1 : t[i].y;       // in line
            t[i].z = repeat % 2 ? 5 : 2 * t[i].x - 3 * t[i].y + 1;    // level, then tilted
            t[i] = i > 3 && repeat % 5 == 0 ? t[3] : t[i];            // a point
            t[i] = i == 5 && repeat % 7 == 0 ? t[4] : t[i];           // a segment
            t[i] = i == 3 && repeat % 11 == 0 ? t[repeat % 3] : t[i]; // a shared corner
        }
        touching_count += check_touch(t, t + 3, 1.0);
    }
    assert_true(touching_count > count / 4 && touching_count < count);
}

/// Multiplies coarse coordinates, then moves them by a last bit.
static void refine(TestRandom* random, int64_t unit, int64_t nudge, Whole t[3])
{
    for (int i = 0; i < 3; ++i)
    {
        Whole n = random_whole(random, nudge);
        t[i] = (Whole){ t[i].x * unit + n.x, t[i].y * unit + n.y, t[i].z * unit + n.z };
    }
}

static void test_touching_is_exact_one_step_off_the_grid(void** state)
{
    (void)state;
    TestRandom random = { 14 };
    for (int repeat = 0; repeat < TEST_ROUNDS(30000); ++repeat)
    {
        Whole a[3], b[3];
        random_triangle(&random, 3, a);
        random_triangle(&random, 3, b);
        refine(&random, (int64_t)1 << 20, 0, a);
        refine(&random, (int64_t)1 << 20, 1, b);
        check_touch(a, b, 1.0);
    }
}

static void test_states_within_a_radius_are_never_wrong(void** state)
{
    (void)state;
    TestRandom random = { 15 };
    int counts[3] = { 0, 0, 0 };
    for (int repeat = 0; repeat < TEST_ROUNDS(30000); ++repeat)
    {
        Whole a[3], b[3];
        int64_t radius = (int64_t)1 << (repeat % 12);
        random_triangle(&random, repeat % 2 ? 3 : 1000, a);
        random_triangle(&random, repeat % 2 ? 3 : 1000, b);
        int64_t unit = repeat % 2 ? (int64_t)1 << 20 : 1 << 12;
        refine(&random, unit, 2 * radius, a);
        refine(&random, unit, 2 * radius, b);
        AbutDTriangle ta = to_triangle(a, 0, false, 1.0), tb = to_triangle(b, 0, false, 1.0);
        AbutTrianglesState result = abut_triangles_touch_within(&ta, &tb, (double)radius);
        counts[result] += 1;
        for (int sample = 0; sample < 4 && result != ABUT_TRIANGLES_CLOSE; ++sample)
        {
            Whole pa[3] = { a[0], a[1], a[2] }, pb[3] = { b[0], b[1], b[2] };
            refine(&random, 1, sample == 0 ? 0 : radius, pa);
            refine(&random, 1, sample == 0 ? 0 : radius, pb);
            assert_int_equal(oracle_touch(pa, pb), result == ABUT_TRIANGLES_TOUCH);
        }
    }
    assert_true(counts[ABUT_TRIANGLES_APART] > 0 && counts[ABUT_TRIANGLES_TOUCH] > 0);
    assert_true(counts[ABUT_TRIANGLES_CLOSE] > 0);
}

static void test_few_random_triangles_are_close(void** state)
{
    (void)state;
    TestRandom random = { 16 };
    int close_count = 0;
    for (int repeat = 0; repeat < 20000; ++repeat)
    {
        AbutDTriangle t[2];
        for (int i = 0; i < 6; ++i)
        {
            t[i / 3].corners[i % 3] = abut_dvec3_from_vec3(test_random_point(&random, 1.0));
        }
        AbutTrianglesState result = abut_triangles_touch_within(&t[0], &t[1], 0x1p-46);
        close_count += result == ABUT_TRIANGLES_CLOSE;
        assert_true(result == ABUT_TRIANGLES_CLOSE ||
                    abut_triangles_touch(&t[0], &t[1]) == (result == ABUT_TRIANGLES_TOUCH));
    }
    assert_int_equal(close_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orientation_in_space_is_exact),
        cmocka_unit_test(test_orientation_of_far_points_is_exact),
        cmocka_unit_test(test_touching_is_exact_on_coarse_grids),
        cmocka_unit_test(test_touching_is_exact_in_one_plane_and_line),
        cmocka_unit_test(test_touching_is_exact_one_step_off_the_grid),
        cmocka_unit_test(test_states_within_a_radius_are_never_wrong),
        cmocka_unit_test(test_few_random_triangles_are_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
