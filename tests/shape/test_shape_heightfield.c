// Terrain against every triangle and wall in double: exact within the band, a bound beyond it, the same
// everywhere.
#include "support/oracles/oracle_terrain.h"

#include <abut/models.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Terrains
// -----------------------------------------------------------------------------------------------------------

static double flat(TestRandom* random, uint32_t x, uint32_t z)
{
    (void)random;
    (void)x;
    (void)z;
    return 0.25;
}

static double hills(TestRandom* random, uint32_t x, uint32_t z)
{
    return 1.5 * sin(0.7 * x) * cos(0.5 * z) + test_random_range(random, -0.2, 0.2);
}

static double ramp(TestRandom* random, uint32_t x, uint32_t z)
{
    (void)random;
    return 2.0 * x - 0.5 * z;
}

static double cliffs(TestRandom* random, uint32_t x, uint32_t z)
{
    (void)random;
    return (x / 3 + z / 4) % 2 == 0 ? -20.0 : 20.0;
}

static double spikes(TestRandom* random, uint32_t x, uint32_t z)
{
    (void)x;
    (void)z;
    return test_random_bits(random) % 7 == 0 ? 1000.0 : test_random_range(random, -0.1, 0.1);
}

static double noise(TestRandom* random, uint32_t x, uint32_t z)
{
    (void)x;
    (void)z;
    return test_random_range(random, -2.0, 2.0);
}

static double steps(TestRandom* random, uint32_t x, uint32_t z)
{
    return (double)(test_random_bits(random) % 4) + 0.0 * (x + z);
}

typedef struct TerrainCase
{
    const char* name;
    uint32_t x_count, z_count;
    double spacing;
    OracleHeightFn* height;
    float band; // 0 for the default
} TerrainCase;

static const TerrainCase CASES[] = {
    { "flat", 12, 9, 1.0, flat, 0.0f },
    { "hills", 17, 17, 1.0, hills, 0.0f },
    { "hills, narrow band", 23, 14, 1.0, hills, 0.5f },
    { "hills, all-embracing band", 14, 19, 1.0, hills, 1000.0f },
    { "ramp", 10, 10, 1.0, ramp, 3.0f },
    { "cliffs", 15, 13, 1.0, cliffs, 4.0f },
    { "spikes", 11, 12, 1.0, spikes, 6.0f },
    { "one cell", 2, 2, 1.0, noise, 0.0f },
    { "a strip", 2, 200, 1.0, noise, 3.0f },
    { "a strip the other way", 150, 2, 0.5, noise, 3.0f },
    { "steps on a fine grid", 20, 21, 0.01, steps, 0.05f },
    { "noise on a coarse grid", 9, 31, 37.5, noise, 0.0f },
};

enum
{
    CASE_COUNT = sizeof(CASES) / sizeof(CASES[0])
};

typedef void TerrainFn(const TerrainCase* which, const OracleTerrain* terrain, AbutShape* shape,
                       TestRandom* random);

static void for_all_terrains(uint64_t seed, TerrainFn* check)
{
    for (int i = 0; i < CASE_COUNT; ++i)
    {
        const TerrainCase* c = &CASES[i];
        TestRandom random = { seed };
        OracleTerrain terrain = oracle_terrain_make(c->x_count, c->z_count, c->spacing, c->height, 99);
        AbutShape* shape = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, c->band);
        check(c, &terrain, shape, &random);
        abut_shape_destroy(shape);
        oracle_terrain_free(&terrain);
    }
}

/// Near the surface, near the walls above and below their top, beyond the band, and on the lines of the grid.
static AbutVec3 random_point(const OracleTerrain* t, double band, TestRandom* random)
{
    double width = (t->x_count - 1) * t->spacing, depth = (t->z_count - 1) * t->spacing;
    double reach = fmin(band, 20.0 * t->spacing), margin = 1.5 * reach;
    double x = test_random_range(random, -margin, width + margin);
    double z = test_random_range(random, -margin, depth + margin);
    uint64_t bits = test_random_bits(random);
    if (bits % 4 != 0)
    {
        x = fmin(fmax(x, 0.0), width);
        z = fmin(fmax(z, 0.0), depth);
    }
    if (bits % 5 == 0)
    {
        x = round(x / t->spacing) * t->spacing;
        z = bits % 2 == 0 ? round(z / t->spacing) * t->spacing : z;
    }
    double y = oracle_terrain_height(t, fmin(fmax(x, 0.0), width), fmin(fmax(z, 0.0), depth));
    double above =
        bits % 3 == 0 ? test_random_range(random, -4.0, 4.0) : test_random_range(random, -1.0, 1.0);
    y += reach * above * (bits % 3 == 0 ? 1.0 : test_random_unit(random));
    return abut_vec3((float)x, (float)y, (float)z);
}

// -----------------------------------------------------------------------------------------------------------
// Distances
// -----------------------------------------------------------------------------------------------------------

static void check_distances(const TerrainCase* which, const OracleTerrain* terrain, AbutShape* shape,
                            TestRandom* random)
{
    AbutShapeInfo info = abut_shape_info(shape);
    double band = info.band, worst = 0.0;
    assert_true(band == (which->band > 0.0f ? (double)which->band : 8.0 * which->spacing));
    int near_count = 0, far_count = 0;
    for (int i = 0; i < 4000; ++i)
    {
        AbutVec3 point = random_point(terrain, band, random);
        double exact = oracle_terrain_distance(terrain, (const double[3]){ point.x, point.y, point.z });
        double d = abut_shape_distance(shape, point, NULL);
        // Distances are computed in double; what is left is the rounding of the answer.
        double rounding = 1e-7 * fabs(exact) + 1e-12 * (fabs((double)point.y) + which->spacing);
        bool sign_right = fabs(exact) <= rounding || (exact < 0.0) == (d < 0.0);
        bool size_right = fabs(exact) < band
                              ? fabs(d - exact) <= rounding
                              : fabs(d) >= band - rounding && fabs(d) <= fabs(exact) + rounding;
        if (!sign_right || !size_right)
        {
            fail_msg("%s at %.9g %.9g %.9g: %.9g, expected %.9g with a band of %g", which->name,
                     (double)point.x, (double)point.y, (double)point.z, d, exact, band);
        }
        worst = fabs(exact) < band ? fmax(worst, fabs(d - exact) / which->spacing) : worst;
        *(fabs(exact) < band ? &near_count : &far_count) += 1;
    }
    print_message("%-28s %d near, %d far, worst %.2g spacings\n", which->name, near_count, far_count, worst);
    assert_true(near_count > 500);
    assert_true(far_count > 100 || band > 100.0);
}

static void test_distances_are_exact_within_the_band_and_bounds_beyond(void** state)
{
    (void)state;
    for_all_terrains(1, check_distances);
}

static void check_slope(const TerrainCase* which, const OracleTerrain* terrain, AbutShape* shape,
                        TestRandom* random)
{
    assert_true(abut_shape_info(shape).lipschitz == 1.0f);
    double band = abut_shape_info(shape).band;
    for (int i = 0; i < TEST_ROUNDS(40000); ++i)
    {
        AbutVec3 a = random_point(terrain, band, random);
        double step = which->spacing * pow(10.0, test_random_range(random, -3.0, 1.0));
        AbutVec3 b = abut_vec3_add(a, abut_vec3_scale(test_random_direction(random), (float)step));
        float fa = abut_shape_distance(shape, a, NULL), fb = abut_shape_distance(shape, b, NULL);
        double rise = fabs((double)fa - (double)fb);
        double dx = (double)a.x - b.x, dy = (double)a.y - b.y, dz = (double)a.z - b.z;
        double run = sqrt(dx * dx + dy * dy + dz * dz);
        double rounding =
            1e-7 * (fabs((double)fa) + fabs((double)fb)) + 1e-12 * (fabs((double)a.y) + which->spacing);
        if (!(rise <= run + rounding))
        {
            fail_msg("%s: rises by %.9g over %.9g from %.9g %.9g %.9g to %.9g %.9g %.9g", which->name, rise,
                     run, (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z);
        }
    }
}

static void test_slopes_stay_under_one_across_edges_of_band_and_rectangle(void** state)
{
    (void)state;
    for_all_terrains(2, check_slope);
}

static bool oracle_gradient(const OracleTerrain* t, const double p[3], double g[3])
{
    double step = 1e-5 * t->spacing, middle = oracle_terrain_distance(t, p);
    for (int i = 0; i < 3; ++i)
    {
        double a[3] = { p[0], p[1], p[2] }, b[3] = { p[0], p[1], p[2] };
        a[i] += step;
        b[i] -= step;
        double ahead = (oracle_terrain_distance(t, a) - middle) / step;
        double behind = (middle - oracle_terrain_distance(t, b)) / step;
        if (fabs(ahead - behind) > 2e-4)
        {
            return false; // a crease
        }
        g[i] = 0.5 * (ahead + behind);
    }
    return true;
}

static void check_gradients(const TerrainCase* which, const OracleTerrain* terrain, AbutShape* shape,
                            TestRandom* random)
{
    double band = abut_shape_info(shape).band;
    int checked = 0;
    for (int i = 0; i < 500; ++i)
    {
        AbutVec3 point = random_point(terrain, band, random), got;
        double p[3] = { point.x, point.y, point.z }, g[3];
        double d = abut_shape_distance(shape, point, &got);
        test_assert_near(abut_vec3_length(got), 1.0, 1e-6);
        if (fabs(d) < 0.999 * band && oracle_gradient(terrain, p, g))
        {
            checked += 1;
            double dx = g[0] - (double)got.x, dy = g[1] - (double)got.y, dz = g[2] - (double)got.z;
            if (!(sqrt(dx * dx + dy * dy + dz * dz) <= 1e-3))
            {
                fail_msg("%s at %.9g %.9g %.9g: gradient %g %g %g, expected %g %g %g", which->name, p[0],
                         p[1], p[2], (double)got.x, (double)got.y, (double)got.z, g[0], g[1], g[2]);
            }
        }
    }
    assert_true(checked > 50);
}

static void test_gradients_match_finite_differences_within_the_band(void** state)
{
    (void)state;
    for_all_terrains(3, check_gradients);
}

/// On the surface itself, where the way to the nearest point has no length.
static void test_gradients_on_the_surface_are_its_normals(void** state)
{
    (void)state;
    const float heights[4] = { 0.0f, 0.5f, 0.25f, 0.75f }; // one plane: y = x/2 + z/4
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = heights;
    def.x_count = def.z_count = 2;
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_OK);
    double length = sqrt(0.25 + 1.0 + 0.0625);
    for (int i = 0; i < 3; ++i)
    {
        AbutVec3 g, p = abut_vec3(0.5f, 0.375f, 0.5f);
        p.y = i == 0 ? p.y : nextafterf(p.y, i == 1 ? 1.0f : 0.0f);
        test_assert_near(abut_shape_distance(shape, p, &g), 0.0, 1e-7);
        test_assert_near(g.x, -0.5 / length, 1e-6);
        test_assert_near(g.y, 1.0 / length, 1e-6);
        test_assert_near(g.z, -0.25 / length, 1e-6);
    }
    AbutVec3 g;
    test_assert_near(abut_shape_distance(shape, abut_vec3(0.0f, -3.0f, 0.5f), &g), 0.0, 0.0);
    assert_true(g.x == -1.0f && g.y == 0.0f && g.z == 0.0f); // a wall
    abut_shape_destroy(shape);
}

static void check_bounds(const TerrainCase* which, const OracleTerrain* terrain, AbutShape* shape,
                         TestRandom* random)
{
    (void)random;
    AbutBox b = abut_shape_info(shape).bounds;
    double highest = -INFINITY;
    for (size_t i = 0; i < (size_t)terrain->x_count * terrain->z_count; ++i)
    {
        highest = fmax(highest, terrain->heights[i]);
    }
    double width = (terrain->x_count - 1) * terrain->spacing,
           depth = (terrain->z_count - 1) * terrain->spacing;
    assert_true(b.min.x <= 0.0f && b.min.z <= 0.0f && b.min.y == -INFINITY);
    assert_true(b.max.x >= width && b.max.z >= depth && b.max.y >= highest);
    assert_true(b.max.x <= width * 1.000001 && b.max.z <= depth * 1.000001 && b.max.y <= highest + 1e-5);
    AbutShapeInfo info = abut_shape_info(shape);
    assert_int_equal(info.distance_kind, ABUT_DISTANCE_EXACT);
    assert_true(info.error == 0.0f && !info.convex);
    assert_true(info.bytes > (size_t)which->x_count * which->z_count * sizeof(float));
}

static void test_bounds_end_at_the_walls_and_the_highest_peak(void** state)
{
    (void)state;
    for_all_terrains(4, check_bounds);
}

/// Offsets and shells of a terrain stay exact as far as what is left of the band.
static void test_offsets_and_shells_keep_what_is_left_of_the_band(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(17, 17, 1.0, hills, 99);
    AbutShape* ground = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 4.0f);
    AbutShape *grown = NULL, *skin = NULL;
    test_assert_result(abut_shape_create_offset(ground, 1.0f, NULL, &grown), ABUT_OK);
    test_assert_result(abut_shape_create_shell(ground, 2.0f, NULL, &skin), ABUT_OK);
    assert_true(abut_shape_info(grown).band == 3.0f && abut_shape_info(skin).band == 3.0f);
    TestRandom random = { 5 };
    for (int i = 0; i < 3000; ++i)
    {
        AbutVec3 p = random_point(&terrain, 4.0, &random);
        double exact = oracle_terrain_distance(&terrain, (const double[3]){ p.x, p.y, p.z });
        double d = abut_shape_distance(grown, p, NULL), s = abut_shape_distance(skin, p, NULL);
        if (d > 0.0 && d < 3.0)
        {
            test_assert_near(d, exact - 1.0, 1e-6);
        }
        if (s > 0.0 && s < 3.0)
        {
            test_assert_near(s, fabs(exact) - 1.0, 1e-6);
        }
        assert_true(d <= fmax(exact - 1.0, -4.0) + 1e-6 || d <= 3.0 + 1e-6);
    }
    abut_shape_destroy(grown);
    abut_shape_destroy(skin);
    abut_shape_destroy(ground);
    oracle_terrain_free(&terrain);
}

// -----------------------------------------------------------------------------------------------------------
// Far and posed
// -----------------------------------------------------------------------------------------------------------

enum
{
    PATCH = 33, // samples of the patch at the far corner of the large terrain
    LARGE = 10001
};

/// Ten kilometres of terrain at a metre, and its last 32 metres alone: the same bits, with points a fraction
/// of a millimetre apart.
static void test_ten_kilometres_of_terrain_keep_millimetres(void** state)
{
    (void)state;
    enum
    {
        ROWS = 40
    };
    OracleTerrain large = oracle_terrain_make(LARGE, ROWS, 1.0, hills, 7);
    OracleTerrain patch = oracle_terrain_make(PATCH, ROWS, 1.0, flat, 0);
    for (uint32_t z = 0; z < ROWS; ++z)
    {
        memcpy(&patch.heights[z * PATCH], &large.heights[(size_t)z * LARGE + LARGE - PATCH],
               PATCH * sizeof(float));
    }
    AbutShape* far_shape = oracle_terrain_shape(&large, (AbutPosition){ 0, 0, 0 }, 4.0f);
    AbutShape* near_shape = oracle_terrain_shape(&patch, (AbutPosition){ 0, 0, 0 }, 4.0f);
    AbutShape* moved = oracle_terrain_shape(&patch, (AbutPosition){ LARGE - PATCH, 0, 0 }, 4.0f);
    AbutPose identity = abut_pose_identity(), rotated = abut_pose_identity();
    rotated.rotation = (AbutQuat){ 0.0f, 0.6f, 0.0f, 0.8f };
    rotated.scale = 0.5f;
    TestRandom random = { 6 };
    for (int i = 0; i < 4000; ++i)
    {
        // On a grid of 2⁻¹² m, away from the cut, where the patch has a wall and the terrain goes on.
        double x = floor(test_random_range(&random, 8.0, 36.0) * 4096.0) / 4096.0;
        double z = floor(test_random_range(&random, -4.0, 42.0) * 4096.0) / 4096.0;
        double y = floor(test_random_range(&random, -3.0, 3.0) * 4096.0) / 4096.0;
        const double shift = LARGE - PATCH;
        AbutVec3 g[3];
        float d[3] = { abut_shape_distance_at(near_shape, &identity, (AbutPosition){ x, y, z }, &g[0]),
                       abut_shape_distance_at(far_shape, &identity, (AbutPosition){ x + shift, y, z }, &g[1]),
                       abut_shape_distance_at(moved, &identity, (AbutPosition){ x + shift, y, z }, &g[2]) };
        for (int k = 1; k < 3; ++k)
        {
            if (fabsf(d[0]) < 4.0f)
            {
                test_assert_near(d[k], d[0], 2e-7 * fabs((double)d[0]) + 1e-11);
                test_assert_near(g[k].x, g[0].x, 1e-5);
                test_assert_near(g[k].y, g[0].y, 1e-5);
                test_assert_near(g[k].z, g[0].z, 1e-5);
            }
        }
        // The same in a world where the terrain stands turned, half as large and far from the origin.
        rotated.position = (AbutPosition){ 1e4, -5e3, 2e4 };
        double m[3][3];
        abut_quat_to_matrix(rotated.rotation, m);
        const double p[3] = { x + shift, y, z };
        AbutPosition world = {
            rotated.position.x + 0.5 * (m[0][0] * p[0] + m[0][1] * p[1] + m[0][2] * p[2]),
            rotated.position.y + 0.5 * (m[1][0] * p[0] + m[1][1] * p[1] + m[1][2] * p[2]),
            rotated.position.z + 0.5 * (m[2][0] * p[0] + m[2][1] * p[1] + m[2][2] * p[2]),
        };
        float posed = abut_shape_distance_at(far_shape, &rotated, world, NULL);
        if (fabsf(d[0]) < 4.0f)
        {
            test_assert_near(posed, 0.5 * (double)d[0], 1e-7 * fabs((double)d[0]) + 1e-10);
        }
    }
    abut_shape_destroy(far_shape);
    abut_shape_destroy(near_shape);
    abut_shape_destroy(moved);
    oracle_terrain_free(&large);
    oracle_terrain_free(&patch);
}

static void test_poses_move_rotate_and_scale_terrains(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(17, 17, 1.0, hills, 99);
    AbutPosition origin = { -8.0, 0.5, -8.0 };
    AbutShape* shape = oracle_terrain_shape(&terrain, origin, 3.0f);
    TestRandom random = { 8 };
    for (int i = 0; i < 3000; ++i)
    {
        AbutPose pose;
        pose.position = test_random_position(&random, 9.0);
        pose.rotation = test_random_rotation(&random);
        pose.scale = (float)test_random_range(&random, 0.25, 4.0);
        AbutVec3 local = random_point(&terrain, 3.0, &random), g, g_posed;
        AbutVec3 inner =
            abut_vec3(local.x + (float)origin.x, local.y + (float)origin.y, local.z + (float)origin.z);
        AbutPosition outer = abut_pose_transform_point(&pose, inner);
        AbutVec3 p = abut_vec3((float)outer.x, (float)outer.y, (float)outer.z);
        float d = abut_shape_distance(shape, inner, &g), posed;
        abut_shape_sample(shape, &pose, (AbutPoints){ &p.x, &p.y, &p.z }, 1,
                          (AbutSamples){ &posed, &g_posed.x, &g_posed.y, &g_posed.z });
        // Rounding the point moves it by up to 6e-8 of where it is.
        double tolerance = 1e-5 * (double)pose.scale + 1e-5;
        test_assert_near(posed, (double)(d * pose.scale), tolerance);
        test_assert_near(abut_shape_distance_at(shape, &pose, outer, NULL), (double)(d * pose.scale),
                         tolerance);
        test_assert_near(abut_vec3_length(g_posed), 1.0, 1e-6);
    }
    abut_shape_destroy(shape);
    oracle_terrain_free(&terrain);
}

// -----------------------------------------------------------------------------------------------------------
// Batches, hostile points, memory
// -----------------------------------------------------------------------------------------------------------

static void test_batches_of_every_size_have_the_bits_of_single_points(void** state)
{
    (void)state;
    enum
    {
        COUNT = 300
    };
    static float c[3][COUNT], one[4][COUNT], many[4][COUNT];
    OracleTerrain terrain = oracle_terrain_make(23, 14, 1.0, hills, 99);
    AbutShape* shape = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 2.0f);
    TestRandom random = { 9 };
    AbutPose pose = { { 1.0, 0.5, 0.25 }, test_random_rotation(&random), 1.5f };
    for (int with_pose = 0; with_pose < 2; ++with_pose)
    {
        const AbutPose* used = with_pose ? &pose : NULL;
        for (int i = 0; i < COUNT; ++i)
        {
            AbutVec3 p = random_point(&terrain, 2.0, &random);
            c[0][i] = p.x;
            c[1][i] = p.y;
            c[2][i] = i % 50 == 7 ? NAN : p.z;
            abut_shape_sample(shape, used, (AbutPoints){ &c[0][i], &c[1][i], &c[2][i] }, 1,
                              (AbutSamples){ &one[0][i], &one[1][i], &one[2][i], &one[3][i] });
            assert_true(isnan(one[0][i]) == (i % 50 == 7) && isnan(one[2][i]) == (i % 50 == 7));
        }
        for (size_t count = 0; count <= COUNT; ++count)
        {
            abut_shape_sample(shape, used, (AbutPoints){ c[0], c[1], c[2] }, count,
                              (AbutSamples){ many[0], many[1], many[2], many[3] });
            for (int k = 0; k < 4; ++k)
            {
                assert_memory_equal(many[k], one[k], count * sizeof(float));
            }
        }
    }
    abut_shape_destroy(shape);
    oracle_terrain_free(&terrain);
}

static void test_huge_and_infinite_points_do_no_harm(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(5, 5, 1.0, hills, 99);
    AbutShape* shape = oracle_terrain_shape(&terrain, (AbutPosition){ 1e11, -1e11, 1e300 }, 2.0f);
    const float extremes[] = { 0.0f, 1e20f, -1e20f, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY };
    AbutPose pose = { { 1e200, 0, 0 }, { 0.6f, 0.0f, 0.0f, 0.8f }, 1e-12f };
    for (int i = 0; i < 7 * 7 * 7; ++i)
    {
        AbutVec3 p = abut_vec3(extremes[i % 7], extremes[i / 7 % 7], extremes[i / 49]), g;
        abut_shape_distance(shape, p, &g);
        float d;
        abut_shape_sample(shape, &pose, (AbutPoints){ &p.x, &p.y, &p.z }, 1,
                          (AbutSamples){ &d, &g.x, &g.y, &g.z });
    }
    abut_shape_destroy(shape);
    shape = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 2.0f);
    for (int i = 1; i < 5; ++i)
    {
        AbutVec3 g;
        float up = abut_shape_distance(shape, abut_vec3(2.0f, fabsf(extremes[i]), 2.0f), &g);
        assert_true(up > 1e19f && g.y == 1.0f);
        float down = abut_shape_distance(shape, abut_vec3(2.0f, -fabsf(extremes[i]), 2.0f), NULL);
        assert_true(down == -2.0f); // two metres from the walls
    }
    abut_shape_destroy(shape);
    oracle_terrain_free(&terrain);
}

static AbutResult create_and_destroy(void* context, const AbutHost* host)
{
    AbutHeightfieldDef def = *(const AbutHeightfieldDef*)context;
    def.host = host;
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_heightfield(&def, &shape);
    assert_true((result == ABUT_OK) == (shape != NULL));
    abut_shape_destroy(shape);
    return result;
}

static void test_every_failing_allocation_leaves_nothing_behind(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(300, 40, 1.0, hills, 99);
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = terrain.heights;
    def.x_count = 300;
    def.z_count = 40;
    assert_true(test_fail_every_allocation(create_and_destroy, &def) >= 5);
    oracle_terrain_free(&terrain);
}

/// Heights are copied: what the caller does with them later does not matter.
static void test_heights_are_copied(void** state)
{
    (void)state;
    OracleTerrain terrain = oracle_terrain_make(9, 9, 1.0, hills, 99);
    AbutShape* shape = oracle_terrain_shape(&terrain, (AbutPosition){ 0, 0, 0 }, 0.0f);
    float before = abut_shape_distance(shape, abut_vec3(4.25f, 1.0f, 3.5f), NULL);
    memset(terrain.heights, 0xFF, 81 * sizeof(float));
    float after = abut_shape_distance(shape, abut_vec3(4.25f, 1.0f, 3.5f), NULL);
    assert_memory_equal(&before, &after, sizeof(before));
    abut_shape_destroy(shape);
    oracle_terrain_free(&terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_are_exact_within_the_band_and_bounds_beyond),
        cmocka_unit_test(test_slopes_stay_under_one_across_edges_of_band_and_rectangle),
        cmocka_unit_test(test_gradients_match_finite_differences_within_the_band),
        cmocka_unit_test(test_gradients_on_the_surface_are_its_normals),
        cmocka_unit_test(test_bounds_end_at_the_walls_and_the_highest_peak),
        cmocka_unit_test(test_offsets_and_shells_keep_what_is_left_of_the_band),
        cmocka_unit_test(test_ten_kilometres_of_terrain_keep_millimetres),
        cmocka_unit_test(test_poses_move_rotate_and_scale_terrains),
        cmocka_unit_test(test_batches_of_every_size_have_the_bits_of_single_points),
        cmocka_unit_test(test_huge_and_infinite_points_do_no_harm),
        cmocka_unit_test(test_every_failing_allocation_leaves_nothing_behind),
        cmocka_unit_test(test_heights_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
