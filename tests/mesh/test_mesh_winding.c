// Winding numbers against closed forms, and against all solid angles added up.
#include "support/meshes/meshes.h"
#include "support/meshes/signs.h"
#include "support/support.h"

#include "mesh/winding/winding.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

typedef struct Wound
{
    AbutMesh* mesh;
    AbutBoxTree tree;
    AbutWinding winding;
} Wound;

static AbutBox triangle_box(void* context, uint32_t triangle)
{
    const AbutMesh* mesh = context;
    const uint32_t* index = abut_mesh_indices(mesh) + 3 * (size_t)triangle;
    const AbutVec3* v = abut_mesh_vertices(mesh);
    return abut_box_add_point(abut_box_add_point(abut_box(v[index[0]], v[index[0]]), v[index[1]]),
                              v[index[2]]);
}

/// Takes over the soup.
static void wind(TestSoup* soup, Wound* out)
{
    AbutHost host = abut_host_default();
    out->mesh = test_soup_mesh(soup, NULL);
    test_soup_free(soup);
    test_assert_result(
        abut_box_tree_create(&host, abut_mesh_triangle_count(out->mesh), triangle_box, out->mesh, &out->tree),
        ABUT_OK);
    test_assert_result(abut_winding_create(&host, out->mesh, &out->tree, NULL, &out->winding), ABUT_OK);
}

static void unwind(Wound* wound)
{
    AbutHost host = abut_host_default();
    abut_winding_destroy(&host, &wound->winding);
    abut_box_tree_destroy(&host, &wound->tree);
    abut_mesh_destroy(wound->mesh);
}

/// A disc of radius 1 in the plane y = 0, looking up, as a fan of rings.
static void add_disc(TestSoup* soup, uint32_t rings, uint32_t around)
{
    uint32_t first = test_soup_vertex(soup, 0.0, 0.0, 0.0);
    for (uint32_t r = 1; r <= rings; ++r)
    {
        for (uint32_t k = 0; k < around; ++k)
        {
            double angle = 2.0 * PI * k / around, radius = (double)r / rings;
            test_soup_vertex(soup, radius * cos(angle), 0.0, radius * sin(angle));
        }
    }
    for (uint32_t k = 0; k < around; ++k)
    {
        uint32_t next = (k + 1) % around;
        test_soup_triangle(soup, first, first + 1 + next, first + 1 + k);
        for (uint32_t r = 1; r < rings; ++r)
        {
            uint32_t a = first + 1 + (r - 1) * around, b = a + around;
            test_soup_triangle(soup, a + k, a + next, b + k);
            test_soup_triangle(soup, a + next, b + next, b + k);
        }
    }
}

/// Over the middle of a disc at height h it fills 2π (1 − h/√(1 + h²)) of the view: faces seen from the front
/// count negative.
static void test_a_disc_fills_the_view_as_the_formula_says(void** state)
{
    (void)state;
    Wound wound;
    TestSoup soup = { 0 };
    add_disc(&soup, 24, 512);
    wind(&soup, &wound);
    for (double h = 0.01; h < 50.0; h *= 1.3)
    {
        double expected = 0.5 * (1.0 - h / sqrt(1.0 + h * h));
        const double above[3] = { 0.0, h, 0.0 }, below[3] = { 0.0, -h, 0.0 };
        AbutWindingValue up = abut_winding_to(&wound.winding, abut_dvec3_from_array(above), 1e-4),
                         down = abut_winding_to(&wound.winding, abut_dvec3_from_array(below), 1e-4);
        // A polygon of 512 corners lacks 2.5e-5 of the disc.
        test_assert_near(up.number, -expected, up.error + 5e-5);
        test_assert_near(down.number, expected, down.error + 5e-5);
        assert_true(up.error <= 1e-4 && down.error <= 1e-4);
    }
    unwind(&wound);
}

/// A square of side 2 at height h over its middle: Ω = 4 asin(1 / (1 + h²)).
static void test_a_square_fills_the_view_as_the_formula_says(void** state)
{
    (void)state;
    Wound wound;
    TestSoup soup = { 0 };
    uint32_t v[4];
    v[0] = test_soup_vertex(&soup, -1, 0, -1);
    v[1] = test_soup_vertex(&soup, -1, 0, 1);
    v[2] = test_soup_vertex(&soup, 1, 0, 1);
    v[3] = test_soup_vertex(&soup, 1, 0, -1);
    test_soup_triangle(&soup, v[0], v[1], v[2]);
    test_soup_triangle(&soup, v[0], v[2], v[3]);
    wind(&soup, &wound);
    for (double h = 1e-6; h < 1e4; h *= 2.7)
    {
        // Just beside the diagonal, where the triangles meet.
        const double point[3] = { 1e-9, h, 0.0 };
        AbutWindingValue value = abut_winding_to(&wound.winding, abut_dvec3_from_array(point), 1e-6);
        test_assert_near(value.number, -asin(1.0 / (1.0 + h * h)) / PI, value.error + 1e-9);
    }
    unwind(&wound);
}

static void test_closed_surfaces_count_one_inside_and_none_outside(void** state)
{
    (void)state;
    TestRandom random = { 17 };
    Wound wound;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 1.0, 0.4, 48, 24);
    wind(&soup, &wound);
    for (int i = 0; i < 20000; ++i)
    {
        AbutVec3 p = test_random_point(&random, 1.6);
        const double point[3] = { p.x, p.y, p.z };
        double ring = hypot((double)p.x, (double)p.z) - 1.0, tube = hypot(ring, (double)p.y);
        if (fabs(tube - 0.4) > 0.01) // the mesh is within this of the ring
        {
            AbutWindingValue value =
                abut_winding_at(&wound.winding, abut_dvec3_from_array(point), 1.0, ABUT_WINDING_NO_SKIP);
            test_assert_near(value.number, tube < 0.4 ? 1.0 : 0.0, value.error + 1e-9);
        }
    }
    unwind(&wound);
}

/// Far away a surface with a hole is what its hole is, seen from behind: −A cos θ / 4π r².
static void test_from_afar_only_the_hole_counts(void** state)
{
    (void)state;
    Wound wound;
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(-0.5f, -0.5f, -0.5f), abut_vec3(0.5f, 0.5f, 0.5f));
    soup.triangle_count -= 2;
    wind(&soup, &wound);
    double normal[3] = { 0.0, 0.0, 0.0 }; // of the missing side, times its area
    for (uint32_t t = 0; t < abut_mesh_triangle_count(wound.mesh); ++t)
    {
        const uint32_t* index = abut_mesh_indices(wound.mesh) + 3 * (size_t)t;
        const AbutVec3* v = abut_mesh_vertices(wound.mesh);
        AbutVec3 n =
            abut_vec3_cross(abut_vec3_sub(v[index[1]], v[index[0]]), abut_vec3_sub(v[index[2]], v[index[0]]));
        normal[0] -= 0.5 * (double)n.x;
        normal[1] -= 0.5 * (double)n.y;
        normal[2] -= 0.5 * (double)n.z;
    }
    test_assert_near(sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]), 1.0, 1e-6);
    TestRandom random = { 6 };
    for (int i = 0; i < 200; ++i)
    {
        AbutVec3 d = test_random_direction(&random);
        double r = 1000.0;
        const double point[3] = { r * d.x, r * d.y, r * d.z };
        double cosine = normal[0] * d.x + normal[1] * d.y + normal[2] * d.z;
        AbutWindingValue value = abut_winding_to(&wound.winding, abut_dvec3_from_array(point), 1e-12);
        // The hole is half a unit nearer or further than the middle: the next term is 1/r of this one.
        test_assert_near(value.number, cosine / (4.0 * PI * r * r),
                         value.error + 3.0 / (4.0 * PI * r * r * r));
    }
    unwind(&wound);
}

static void test_the_error_is_what_it_says_on_soups(void** state)
{
    (void)state;
    TestRandom random = { 23 };
    Wound wound;
    TestSoup soup = test_soup_on_grid(&random, 3000, 40.0, 0.3);
    wind(&soup, &wound);
    for (int i = 0; i < 400; ++i)
    {
        AbutVec3 p = test_random_point(&random, i % 2 == 0 ? 45.0 : 400.0);
        const double point[3] = { p.x, p.y, p.z };
        double truth = test_winding(wound.mesh, point);
        for (double tightness = 1.0; tightness < 6.0; tightness *= 2.0)
        {
            AbutWindingValue value = abut_winding_at(&wound.winding, abut_dvec3_from_array(point), tightness,
                                                     ABUT_WINDING_NO_SKIP);
            test_assert_near(value.number, truth, value.error + 1e-7);
        }
        double bound = abut_winding_bound(&wound.winding, abut_dvec3_from_array(point), 0.5, INFINITY);
        assert_true(fabs(truth) <= bound + 1e-7);
    }
    unwind(&wound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_disc_fills_the_view_as_the_formula_says),
        cmocka_unit_test(test_a_square_fills_the_view_as_the_formula_says),
        cmocka_unit_test(test_closed_surfaces_count_one_inside_and_none_outside),
        cmocka_unit_test(test_from_afar_only_the_hole_counts),
        cmocka_unit_test(test_the_error_is_what_it_says_on_soups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
