// Mass properties, against closed forms.
#include "support/meshes/meshes.h"

#include <float.h>
#include <string.h>

static AbutMassData mass_of(TestSoup* soup)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    AbutMassData mass = abut_mesh_mass(mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(soup);
    return mass;
}

static void assert_mass_near(const AbutMassData* actual, const AbutMassData* expected, double size,
                             double relative)
{
    double volume = size * size * size;
    test_assert_near(actual->volume, expected->volume, relative * volume);
    for (int i = 0; i < 3; ++i)
    {
        test_assert_near(actual->center[i], expected->center[i], relative * size);
        for (int j = 0; j < 3; ++j)
        {
            test_assert_near(actual->inertia[i][j], expected->inertia[i][j], relative * volume * size * size);
        }
    }
}

static AbutMassData box_mass(AbutVec3 min, AbutVec3 max)
{
    double e[3] = { (double)max.x - min.x, (double)max.y - min.y, (double)max.z - min.z };
    AbutMassData mass = { .volume = e[0] * e[1] * e[2] };
    mass.center[0] = 0.5 * ((double)min.x + max.x);
    mass.center[1] = 0.5 * ((double)min.y + max.y);
    mass.center[2] = 0.5 * ((double)min.z + max.z);
    for (int i = 0; i < 3; ++i)
    {
        double a = e[(i + 1) % 3], b = e[(i + 2) % 3];
        mass.inertia[i][i] = mass.volume * (a * a + b * b) / 12.0;
    }
    return mass;
}

static void test_box_has_the_mass_of_the_formula(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    AbutVec3 min = abut_vec3(-1, 2, 5), max = abut_vec3(2, 4, 6);
    test_soup_box(&soup, min, max);
    AbutMassData mass = mass_of(&soup), expected = box_mass(min, max);
    assert_mass_near(&mass, &expected, 3.0, 1e-14);
}

static void test_box_ten_kilometres_away_loses_nothing(void** state)
{
    (void)state;
    // A millimetre box; 1/1024 is a coordinate that floats have out there.
    TestSoup soup = { 0 };
    AbutVec3 min = abut_vec3(10000.0f, -10000.0f, 10000.0f);
    AbutVec3 max = abut_vec3(10000.0f + 0x1p-10f, -10000.0f + 0x1p-9f, 10000.0f + 0x1p-10f);
    test_soup_box(&soup, min, max);
    AbutMassData mass = mass_of(&soup), expected = box_mass(min, max);
    test_assert_near(mass.center[0], expected.center[0], 1e-11);
    for (int i = 0; i < 3; ++i)
    {
        mass.center[i] -= expected.center[i];
        expected.center[i] = 0.0;
    }
    // The centre is rounded to a double of its own size; the rest is not.
    test_assert_near(mass.volume, expected.volume, 1e-14 * expected.volume);
    assert_mass_near(&mass, &expected, 0x1p-9, 2e-9);
    for (int i = 0; i < 3; ++i)
    {
        test_assert_near(mass.inertia[i][i], expected.inertia[i][i], 1e-13 * expected.inertia[i][i]);
    }
}

/// ∫ (x − c)(x − c)ᵀ over a tetrahedron is V / 20 · Σ (v − c)(v − c)ᵀ over its corners, c being their mean.
static AbutMassData tetrahedron_mass(const AbutVec3 v[4])
{
    double p[4][3], c[3] = { 0 };
    for (int i = 0; i < 4; ++i)
    {
        p[i][0] = v[i].x, p[i][1] = v[i].y, p[i][2] = v[i].z;
        for (int k = 0; k < 3; ++k)
        {
            c[k] += 0.25 * p[i][k];
        }
    }
    double e[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            e[i][k] = p[i + 1][k] - p[0][k];
        }
    }
    AbutMassData mass = { .center = { c[0], c[1], c[2] } };
    mass.volume = (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                   e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                   e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
                  6.0;
    for (int i = 0; i < 4; ++i)
    {
        double r[3] = { p[i][0] - c[0], p[i][1] - c[1], p[i][2] - c[2] };
        double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        for (int j = 0; j < 3; ++j)
        {
            for (int k = 0; k < 3; ++k)
            {
                mass.inertia[j][k] += mass.volume / 20.0 * ((j == k ? square : 0.0) - r[j] * r[k]);
            }
        }
    }
    return mass;
}

static void add_tetrahedron(TestSoup* soup, const AbutVec3 v[4])
{
    // Faces look outward when v[1], v[2], v[3] turn counter-clockwise seen from v[0]'s far side: when the
    // volume is positive.
    static const int faces[4][3] = { { 0, 2, 1 }, { 0, 3, 2 }, { 0, 1, 3 }, { 1, 2, 3 } };
    for (int f = 0; f < 4; ++f)
    {
        test_soup_loose(soup, v[faces[f][0]], v[faces[f][1]], v[faces[f][2]]);
    }
}

static void test_tetrahedra_have_the_mass_of_the_formula(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int repeat = 0; repeat < 1000; ++repeat)
    {
        AbutVec3 v[4];
        for (int i = 0; i < 4; ++i)
        {
            v[i] = test_random_point(&random, 1.0);
        }
        TestSoup soup = { 0 };
        add_tetrahedron(&soup, v);
        AbutMassData mass = mass_of(&soup), expected = tetrahedron_mass(v);
        if (fabs(expected.volume) >
            1e-3) // the centre of a flat one is ill-conditioned; signs of both kinds occur
        {
            assert_mass_near(&mass, &expected, 2.0, 1e-12);
        }
        test_assert_near(mass.volume, expected.volume, 1e-14);
    }
}

static double sphere_volume_error(uint32_t divisions, double* inertia_error)
{
    TestSoup soup = { 0 };
    test_soup_sphere(&soup, divisions);
    AbutMassData mass = mass_of(&soup);
    const double volume = 4.0 / 3.0 * 3.141592653589793;
    *inertia_error = 0.4 * volume - mass.inertia[1][1];
    test_assert_near(mass.center[0], 0.0, 1e-7);
    test_assert_near(mass.inertia[0][1], 0.0, 1e-6);
    return volume - mass.volume;
}

static void test_spheres_converge_with_the_square_of_the_edge(void** state)
{
    (void)state;
    double inertia_coarse, inertia_fine;
    double coarse = sphere_volume_error(32, &inertia_coarse);
    double fine = sphere_volume_error(64, &inertia_fine);
    assert_true(fine > 0.0 && fine < 5e-3); // inscribed
    test_assert_near(coarse / fine, 4.0, 0.02);
    test_assert_near(inertia_coarse / inertia_fine, 4.0, 0.02);
}

// -----------------------------------------------------------------------------------------------------------
// Properties
// -----------------------------------------------------------------------------------------------------------

static void test_flipping_the_faces_flips_every_sign_but_the_centre(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 2.0, 0.5, 24, 12);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    AbutMassData mass = abut_mesh_mass(mesh);
    abut_mesh_destroy(mesh);
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        uint32_t* c = soup.indices + 3 * (size_t)t;
        uint32_t swap = c[0];
        c[0] = c[1];
        c[1] = swap;
    }
    AbutMassData flipped = mass_of(&soup);
    AbutMassData expected = mass;
    expected.volume = -mass.volume;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            expected.inertia[i][j] = -mass.inertia[i][j];
        }
    }
    assert_true(mass.volume > 0.0);
    assert_mass_near(&flipped, &expected, 2.5, 1e-14);
}

static void test_rigid_motion_and_scale_carry_the_mass_along(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (int repeat = 0; repeat < 50; ++repeat)
    {
        TestSoup soup = { 0 };
        test_soup_torus(&soup, 2.0, 0.5, 20, 10);
        test_soup_box(&soup, abut_vec3(3, 0, 0), abut_vec3(4, 1, 2));
        AbutMesh* mesh = test_soup_mesh(&soup, NULL);
        AbutMassData mass = abut_mesh_mass(mesh);
        abut_mesh_destroy(mesh);

        AbutPose pose = abut_pose_identity();
        pose.rotation = test_random_rotation(&random);
        pose.scale = (float)test_random_range(&random, 0.1, 10.0);
        pose.position = (AbutPosition){ test_random_range(&random, -9.0, 9.0), 1.0, -2.0 };
        for (uint32_t i = 0; i < soup.vertex_count; ++i)
        {
            AbutPosition p = abut_pose_transform_point(&pose, soup.vertices[i]);
            soup.vertices[i] = abut_vec3((float)p.x, (float)p.y, (float)p.z);
        }
        AbutMassData moved = mass_of(&soup);

        double s = pose.scale, m[3][3];
        abut_quat_to_matrix(pose.rotation, m);
        AbutMassData expected = { .volume = s * s * s * mass.volume };
        for (int i = 0; i < 3; ++i)
        {
            const double position[3] = { pose.position.x, pose.position.y, pose.position.z };
            expected.center[i] = position[i];
            for (int k = 0; k < 3; ++k)
            {
                expected.center[i] += s * m[i][k] * mass.center[k];
            }
            for (int j = 0; j < 3; ++j)
            {
                for (int kl = 0; kl < 9; ++kl)
                {
                    int k = kl / 3, l = kl % 3;
                    expected.inertia[i][j] += pow(s, 5) * m[i][k] * mass.inertia[k][l] * m[j][l];
                }
            }
        }
        assert_mass_near(&moved, &expected, 4.0 * s + 10.0, 1e-6); // vertices are rounded to floats
    }
}

static void test_open_surface_is_integrated_about_the_origin(void** state)
{
    (void)state;
    // One triangle at z = 2 that looks up: the cone to the origin.
    TestSoup soup = { 0 };
    test_soup_loose(&soup, abut_vec3(1, 1, 2), abut_vec3(4, 1, 2), abut_vec3(1, 3, 2));
    AbutMassData mass = mass_of(&soup);
    test_assert_near(mass.volume, 3.0 * 2.0 / 3.0, 1e-14);
    test_assert_near(mass.center[0], 0.75 * 2.0, 1e-14); // three quarters of the way to the triangle's centre
    test_assert_near(mass.center[2], 0.75 * 2.0, 1e-14);
}

static void test_no_volume_gives_a_defined_answer(void** state)
{
    (void)state;
    TestSoup empty = { 0 };
    AbutMassData mass = mass_of(&empty), zero = { 0 };
    assert_mass_near(&mass, &zero, 1.0, 0.0);

    TestSoup sheet = { 0 }; // two-sided, in no special position
    AbutVec3 a = abut_vec3(0.1f, 0.7f, 0.3f), b = abut_vec3(1.3f, -0.2f, 0.9f),
             c = abut_vec3(0.6f, 0.8f, -0.7f);
    test_soup_loose(&sheet, a, b, c);
    test_soup_loose(&sheet, a, c, b);
    mass = mass_of(&sheet);
    test_assert_near(mass.volume, 0.0, 1e-15);
    test_assert_near(mass.center[0], 0.7, 1e-6); // of the bounds
    test_assert_near(mass.inertia[0][0], 0.0, 1e-15);

    TestSoup point = { 0 };
    test_soup_loose(&point, a, a, a);
    mass = mass_of(&point);
    test_assert_near(mass.volume, 0.0, 0.0);
    test_assert_near(mass.center[1], 0.7, 1e-6);
}

static void test_extremes_of_float_stay_finite_and_right(void** state)
{
    (void)state;
    const float sizes[] = { FLT_MAX, 1e30f, 1e-30f, FLT_MIN, 0x1p-149f };
    for (int i = 0; i < 5; ++i)
    {
        float s = sizes[i];
        TestSoup soup = { 0 };
        test_soup_box(&soup, abut_vec3(-s, -s, -s), abut_vec3(s, s, s));
        AbutMassData mass = mass_of(&soup), expected = box_mass(abut_vec3(-s, -s, -s), abut_vec3(s, s, s));
        assert_true(expected.volume > 0.0);
        assert_mass_near(&mass, &expected, 2.0 * (double)s, 1e-14);
    }
}

static void test_mass_has_the_same_bits_for_any_worker_count(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 2.0, 0.5, 300, 100);
    AbutMassData first = { 0 };
    const uint32_t counts[] = { 1, 2, 7 };
    for (int i = 0; i < 3; ++i)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(counts[i], NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        AbutMesh* mesh = test_soup_mesh(&soup, &host);
        AbutMassData mass = abut_mesh_mass(mesh);
        abut_mesh_destroy(mesh);
        abut_workers_destroy(workers);
        first = i == 0 ? mass : first;
        assert_memory_equal(&mass, &first, sizeof(mass)); // doubles only: no padding
    }
    test_soup_free(&soup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_has_the_mass_of_the_formula),
        cmocka_unit_test(test_box_ten_kilometres_away_loses_nothing),
        cmocka_unit_test(test_tetrahedra_have_the_mass_of_the_formula),
        cmocka_unit_test(test_spheres_converge_with_the_square_of_the_edge),
        cmocka_unit_test(test_flipping_the_faces_flips_every_sign_but_the_centre),
        cmocka_unit_test(test_rigid_motion_and_scale_carry_the_mass_along),
        cmocka_unit_test(test_open_surface_is_integrated_about_the_origin),
        cmocka_unit_test(test_no_volume_gives_a_defined_answer),
        cmocka_unit_test(test_extremes_of_float_stay_finite_and_right),
        cmocka_unit_test(test_mass_has_the_same_bits_for_any_worker_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
