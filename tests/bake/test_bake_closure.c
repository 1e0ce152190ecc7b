// What is baked of a mesh with gaps: a closed surface within a stated distance of it. Sheets have no inside,
// thin parts have the volume of their mesh, and holes leave nothing in doubt but their surroundings.
#include "support/meshes/mesh_variants.h"
#include "support/meshes/signs.h"
#include "support/oracles/mesh_distance.h"

#include "mesh/closure/closure.h"
#include "mesh/half_edges.h"

#include <abut/field.h>
#include <math.h>
#include <stdlib.h>

static AbutShape* bake(const AbutMesh* mesh, uint32_t resolution, AbutFieldFormat format)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = resolution;
    def.format = format;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    return field;
}

// -----------------------------------------------------------------------------------------------------------
// The closure
// -----------------------------------------------------------------------------------------------------------

static void random_on(const AbutMesh* mesh, TestRandom* random, double p[3])
{
    uint32_t triangle = (uint32_t)(test_random_bits(random) % abut_mesh_triangle_count(mesh));
    // Patches come last and are few: half of the points are on those.
    uint32_t last = abut_mesh_triangle_count(mesh) - 1;
    triangle = test_random_unit(random) < 0.5 ? last - triangle / 16 : triangle;
    const uint32_t* c = abut_mesh_indices(mesh) + 3 * (size_t)triangle;
    double u = test_random_unit(random), v = test_random_unit(random);
    u = u + v > 1.0 ? 1.0 - u : u;
    v = u + v > 1.0 ? 1.0 - v : v;
    const AbutVec3 *a = &abut_mesh_vertices(mesh)[c[0]], *b = &abut_mesh_vertices(mesh)[c[1]],
                   *d = &abut_mesh_vertices(mesh)[c[2]];
    p[0] = (1.0 - u - v) * (double)a->x + u * (double)b->x + v * (double)d->x;
    p[1] = (1.0 - u - v) * (double)a->y + u * (double)b->y + v * (double)d->y;
    p[2] = (1.0 - u - v) * (double)a->z + u * (double)b->z + v * (double)d->z;
}

static void check_within(const AbutMesh* of, const AbutMesh* mesh, double width, TestRandom* random)
{
    for (int i = 0; i < 40; ++i)
    {
        double p[3];
        random_on(of, random, p);
        double distance = test_mesh_distance(mesh, p);
        if (!(distance <= width))
        {
            fail_msg("a point is %g off the other surface, over %g", distance, width);
        }
    }
}

static void test_the_closure_is_closed_and_within_its_width(void** state)
{
    (void)state;
    TestRandom random = { 91 };
    AbutHost host = abut_host_default();
    for (uint32_t i = 0; i < (TEST_IS_SANITIZED ? 10u : 30u); ++i)
    {
        const double cell = 1.0 / 40.0;
        TestVariant variant = test_variant_create(1000 + i, 0.5 * cell);
        AbutClosure closure;
        test_assert_result(abut_closure_create(&host, variant.mesh, variant.size * cell, &closure), ABUT_OK);
        bool open = variant.defect == TEST_DEFECT_HOLE && closure.open_edge_count > 0;
        assert_true(closure.width <= 1.5 * variant.size * cell);
        assert_true(open || closure.open_edge_count == 0);
        if (closure.mesh != NULL)
        {
            AbutHalfEdges half_edges;
            double width = closure.width * (1.0 + 1e-9) + 1e-6 * variant.size;
            test_assert_result(abut_half_edges_create(&host, closure.mesh, &half_edges), ABUT_OK);
            assert_true(open || half_edges.border_count == 0);
            abut_half_edges_destroy(&host, &half_edges);
            check_within(closure.mesh, variant.mesh, width, &random);
            check_within(variant.mesh, closure.mesh, width, &random);
        }
        assert_true(variant.defect > TEST_DEFECT_NOISE || closure.mesh == NULL);
        abut_closure_destroy(&host, &closure);
        test_variant_destroy(&variant);
    }
}

/// Corners on whole numbers meet in every way: doubled, folded and crossing triangles, fins, fans, points.
static void test_the_closure_of_any_soup_is_within_its_width(void** state)
{
    (void)state;
    TestRandom random = { 94 };
    AbutHost host = abut_host_default();
    for (int i = 0; i < TEST_ROUNDS(200); ++i)
    {
        int count = 1 + (int)(test_random_bits(&random) % 60);
        double half = 1.0 + (double)(test_random_bits(&random) % 3);
        TestSoup soup = test_soup_on_grid(&random, count, half, i % 3 == 0 ? 0.0 : 0.1 * (i % 3));
        AbutMesh* mesh = test_soup_mesh(&soup, NULL);
        test_soup_free(&soup);
        double widest = 0.02 * pow(2.0, test_random_range(&random, 0.0, 8.0));
        AbutClosure closure;
        test_assert_result(abut_closure_create(&host, mesh, widest, &closure), ABUT_OK);
        assert_true(closure.width <= 1.5 * widest * (1.0 + 1e-6));
        if (closure.mesh != NULL)
        {
            check_within(closure.mesh, mesh, closure.width * (1.0 + 1e-9) + 1e-5, &random);
            check_within(mesh, closure.mesh, closure.width * (1.0 + 1e-9) + 1e-5, &random);
        }
        abut_closure_destroy(&host, &closure);
        abut_mesh_destroy(mesh);
    }
}

typedef struct Case
{
    const AbutMesh* mesh;
    double widest;
} Case;

static AbutResult create_closure(void* context, const AbutHost* host)
{
    const Case* one = context;
    AbutClosure closure;
    AbutResult result = abut_closure_create(host, one->mesh, one->widest, &closure);
    abut_closure_destroy(host, &closure);
    return result;
}

static void test_closures_survive_every_failing_allocation(void** state)
{
    (void)state;
    for (uint32_t i = 2; i < (TEST_IS_SANITIZED ? 5u : 8u); ++i)
    {
        TestVariant variant = test_variant_create(i, 0.01);
        Case one = { variant.mesh, 0.02 * variant.size };
        test_fail_every_allocation(create_closure, &one);
        test_variant_destroy(&variant);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Sheets
// -----------------------------------------------------------------------------------------------------------

/// A sheet over the unit square with bends of a height, rotated and scaled.
static AbutMesh* create_sheet(TestRandom* random, double height, double scale)
{
    enum
    {
        N = 12
    };
    TestSoup soup = { 0 };
    AbutQuat rotation = test_random_rotation(random);
    for (uint32_t i = 0; i < (N + 1) * (N + 1); ++i)
    {
        double u = (i % (N + 1)) / (double)N, v = (double)(i / (N + 1)) / N;
        AbutVec3 p = abut_vec3((float)u, (float)v, (float)(height * sin(3.0 * u) * cos(2.0 * v)));
        p = height == 0.0 && scale > 0.5 && scale < 2.0 ? p : abut_quat_rotate(rotation, p);
        test_soup_vertex(&soup, scale * (double)p.x, scale * (double)p.y, scale * (double)p.z);
    }
    for (uint32_t i = 0; i < N * N; ++i)
    {
        uint32_t a = i / N * (N + 1) + i % N;
        test_soup_triangle(&soup, a, a + 1, a + N + 2);
        test_soup_triangle(&soup, a, a + N + 2, a + N + 1);
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    test_soup_free(&soup);
    return mesh;
}

static void test_sheets_have_no_inside_in_either_order(void** state)
{
    (void)state;
    TestRandom random = { 92 };
    for (int i = 0; i < 12; ++i)
    {
        AbutMesh* mesh = create_sheet(&random, 0.03 * (i % 3), pow(10.0, i / 3 - 1));
        AbutShape* field =
            bake(mesh, 24 + 8 * (uint32_t)(i % 4), i % 2 == 0 ? ABUT_FIELD_FIRST_ORDER : ABUT_FIELD_F32);
        AbutFieldInfo info = abut_field_info(field);
        assert_true(info.sign.sheets && !info.sign.closed && isfinite(info.error_bound));
        assert_int_equal(info.sign.uncertain_nodes, 0);
        assert_true(info.mass.volume == 0.0 && info.mass_source == ABUT_MASS_FROM_CELLS);
        for (int k = 0; k < (TEST_IS_SANITIZED ? 100 : 600); ++k)
        {
            double p[3];
            random_on(mesh, &random, p);
            AbutVec3 at = abut_vec3((float)p[0], (float)p[1], (float)p[2]);
            double off = 1.5 * info.cell_size * test_random_unit(&random);
            at = abut_vec3_add(at, abut_vec3_scale(test_random_direction(&random), (float)off));
            const double moved[3] = { at.x, at.y, at.z };
            double sample = abut_shape_distance(field, at, NULL), truth = test_mesh_distance(mesh, moved);
            if (sample < -1e-6 * info.cell_size)
            {
                fail_msg("sheet %d is solid by %g cells", i, -sample / info.cell_size);
            }
            assert_true(fabs(sample - truth) <= (double)info.error_bound * (1.0 + 1e-6));
        }
        abut_shape_destroy(field);
        abut_mesh_destroy(mesh);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Volumes
// -----------------------------------------------------------------------------------------------------------

static AbutMesh* create_plate(double thickness, bool open, bool crossed)
{
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(0, 0, 0), abut_vec3(1.0f, 0.9f, (float)thickness));
    if (crossed)
    {
        test_soup_box(&soup, abut_vec3(0.5f, 0.3f, -0.4f), abut_vec3((float)(0.5 + thickness), 0.5f, 0.4f));
    }
    soup.triangle_count -= open ? 1 : 0;
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    test_soup_free(&soup);
    return mesh;
}

static void test_plates_thinner_than_a_cell_have_the_volume_of_the_mesh(void** state)
{
    (void)state;
    for (int i = 0; i < 8; ++i)
    {
        double thickness = pow(0.5, i + 3);
        AbutMesh* mesh = create_plate(thickness, false, false);
        AbutShape* field = bake(mesh, 32, i % 2 == 0 ? ABUT_FIELD_F32 : ABUT_FIELD_FIRST_ORDER);
        AbutFieldInfo info = abut_field_info(field);
        assert_int_equal(info.mass_source, ABUT_MASS_FROM_MESH);
        test_assert_near(info.mesh_mass.volume, 0.9 * thickness, 1e-6 * thickness);
        abut_shape_destroy(field);
        abut_mesh_destroy(mesh);
    }
}

static void test_volumes_that_cells_miss_are_not_known(void** state)
{
    (void)state;
    AbutMesh* mesh = create_plate(0.002, false, true); // two plates that cross
    AbutShape* field = bake(mesh, 32, ABUT_FIELD_F32);
    assert_int_equal(abut_field_info(field).mass_source, ABUT_MASS_UNKNOWN);
    abut_shape_destroy(field);
    abut_mesh_destroy(mesh);
    mesh = create_plate(0.2, false, true); // thick ones: cells know
    field = bake(mesh, 64, ABUT_FIELD_F32);
    AbutFieldInfo info = abut_field_info(field);
    assert_int_equal(info.mass_source, ABUT_MASS_FROM_CELLS);
    test_assert_near(info.mass.volume, 0.9 * 0.2 + 0.2 * 0.2 * 0.6, 0.01);
    abut_shape_destroy(field);
    abut_mesh_destroy(mesh);
}

// -----------------------------------------------------------------------------------------------------------
// Holes
// -----------------------------------------------------------------------------------------------------------

static void test_holes_leave_little_in_doubt(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        // A third of a ball is missing, or half, or more: what is left is closed by a flat lid.
        TestSoup ball = { 0 }, soup = { 0 };
        test_soup_sphere(&ball, 24);
        double top = 0.8 - 0.4 * i;
        for (uint32_t t = 0; t < ball.triangle_count; ++t)
        {
            const uint32_t* c = ball.indices + 3 * (size_t)t;
            AbutVec3 p[3] = { ball.vertices[c[0]], ball.vertices[c[1]], ball.vertices[c[2]] };
            if (fmaxf(p[0].z, fmaxf(p[1].z, p[2].z)) < (float)top)
            {
                test_soup_loose(&soup, p[0], p[1], p[2]);
            }
        }
        AbutMesh* mesh = test_soup_mesh(&soup, NULL);
        AbutShape* field = bake(mesh, 72, ABUT_FIELD_F16);
        AbutFieldInfo info = abut_field_info(field);
        double layer = 8.0 * pow(info.cell_size, 3.0) * info.cell_count[0] * info.cell_count[1];
        double layers = info.sign.uncertain_volume / layer;
        if (!(layers > 0.0 && layers < 2.01)) // of bricks, beside the lid
        {
            fail_msg("cut at %g: %g layers of bricks are in doubt", top, layers);
        }
        abut_shape_destroy(field);
        abut_mesh_destroy(mesh);
        test_soup_free(&ball);
        test_soup_free(&soup);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_closure_is_closed_and_within_its_width),
        cmocka_unit_test(test_the_closure_of_any_soup_is_within_its_width),
        cmocka_unit_test(test_closures_survive_every_failing_allocation),
        cmocka_unit_test(test_sheets_have_no_inside_in_either_order),
        cmocka_unit_test(test_plates_thinner_than_a_cell_have_the_volume_of_the_mesh),
        cmocka_unit_test(test_volumes_that_cells_miss_are_not_known),
        cmocka_unit_test(test_holes_leave_little_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
