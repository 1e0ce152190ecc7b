// All generators at once, over the table of solids: what holds for each of them at every tessellation.
#include "support/meshes/generated_solids.h"
#include "support/meshes/mesh_check.h"

#include <math.h>
#include <string.h>

static AbutMesh* create(const GeneratedSolid* solid, uint32_t n)
{
    AbutMesh* mesh = NULL;
    if (solid->create(n, NULL, &mesh) != ABUT_OK)
    {
        fail_msg("%s at %u: %s", solid->name, n, abut_last_error());
    }
    return mesh;
}

static void test_every_solid_is_closed_oriented_and_manifold(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        const uint32_t tessellations[] = { solid->least, solid->least + 1, solid->odd, 32, solid->large };
        for (int i = 0; i < 5; ++i)
        {
            AbutMesh* mesh = create(solid, tessellations[i]);
            test_check_solid(mesh, solid->euler, solid->name);
            abut_mesh_destroy(mesh);
        }
    }
}

static void test_large_tessellations_are_large(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        AbutMesh* mesh = create(solid, solid->large);
        if (abut_mesh_triangle_count(mesh) < 20000 || abut_mesh_triangle_count(mesh) > 200000)
        {
            fail_msg("%s at %u: %u triangles", solid->name, solid->large, abut_mesh_triangle_count(mesh));
        }
        abut_mesh_destroy(mesh);
    }
}

static void test_no_two_triangles_cross(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        const uint32_t tessellations[] = { solid->least, solid->least + 1, solid->odd, 24 };
        for (int i = 0; i < 4; ++i)
        {
            AbutMesh* mesh = create(solid, tessellations[i]);
            uint64_t crossings = test_mesh_crossings(mesh);
            if (crossings != 0)
            {
                fail_msg("%s at %u: %llu crossings", solid->name, tessellations[i],
                         (unsigned long long)crossings);
            }
            abut_mesh_destroy(mesh);
        }
    }
}

/// Two tetrahedra, the second one moved along x.
static uint64_t crossings_of_tetrahedra(float offset)
{
    AbutVec3 vertices[8] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    uint32_t indices[24] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    for (int i = 0; i < 4; ++i)
    {
        vertices[4 + i] = abut_vec3_add(vertices[i], abut_vec3(offset, 0.1f, 0.15f));
    }
    for (int i = 0; i < 12; ++i)
    {
        indices[12 + i] = indices[i] + 4;
    }
    AbutMeshDef def = { vertices, 8, indices, 8, NULL };
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    uint64_t crossings = test_mesh_crossings(mesh);
    abut_mesh_destroy(mesh);
    return crossings;
}

static void test_the_search_for_crossings_finds_some(void** state)
{
    (void)state;
    assert_true(crossings_of_tetrahedra(0.2f) > 0);
    assert_int_equal(crossings_of_tetrahedra(0.9f), 0);
    assert_int_equal(crossings_of_tetrahedra(2.0f), 0);
}

static void test_flat_faces_are_covered_once(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        const uint32_t tessellations[] = { solid->least, solid->odd, 32 };
        for (int i = 0; i < 3; ++i)
        {
            AbutMesh* mesh = create(solid, tessellations[i]);
            test_check_flat_faces(mesh, solid->name);
            abut_mesh_destroy(mesh);
        }
    }
}

static void test_vertices_lie_on_the_ideal_surface(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        const uint32_t tessellations[] = { solid->least, solid->odd, 64 };
        for (int i = 0; i < 3 && solid->off_surface != NULL; ++i)
        {
            AbutMesh* mesh = create(solid, tessellations[i]);
            double tolerance = 1e-6 * test_mesh_size(mesh);
            for (uint32_t v = 0; v < abut_mesh_vertex_count(mesh); ++v)
            {
                AbutVec3 vertex = abut_mesh_vertices(mesh)[v];
                double p[3] = { vertex.x, vertex.y, vertex.z };
                double off = solid->off_surface(p);
                if (!(off <= tolerance))
                {
                    fail_msg("%s at %u: vertex %u (%.9g, %.9g, %.9g) is off by %g", solid->name,
                             tessellations[i], v, p[0], p[1], p[2], off);
                }
            }
            abut_mesh_destroy(mesh);
        }
    }
}

static void check_inspection(const GeneratedSolid* solid, uint32_t n)
{
    AbutMesh* mesh = create(solid, n);
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    AbutMeshReport report;
    test_assert_result(abut_mesh_inspect(&def, mesh, &report), ABUT_OK);
    bool clean = report.closed && report.oriented && report.component_count == 1 &&
                 report.degenerate_count == 0 && report.duplicate_count == 0 &&
                 report.t_junction_count == 0 && report.self_intersection_count == 0 &&
                 !report.self_intersection_sampled && report.welded_vertex_count == report.vertex_count;
    if (!clean)
    {
        fail_msg(
            "%s at %u: closed %d, oriented %d, %u components, %u degenerate, %u duplicate, %u T-junctions, "
            "%llu crossings, %u of %u vertices",
            solid->name, n, report.closed, report.oriented, report.component_count, report.degenerate_count,
            report.duplicate_count, report.t_junction_count,
            (unsigned long long)report.self_intersection_count, report.welded_vertex_count,
            report.vertex_count);
    }
    test_assert_near(report.mass.volume / test_mesh_volume(mesh), 1.0, 1e-6);
    abut_mesh_destroy(mesh);
}

static void test_inspection_finds_nothing_wrong(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        check_inspection(solid, solid->least);
        check_inspection(solid, solid->odd);
        check_inspection(solid, 32);
    }
}

static void test_inspection_finds_nothing_wrong_with_large_ones(void** state)
{
    (void)state;
    const char* names[] = { "twisted ring", "pipe", "terrain", "bolt" }; // the most crooked ones
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        for (int i = 0; i < 4; ++i)
        {
            if (strcmp(solid->name, names[i]) == 0)
            {
                check_inspection(solid, solid->large);
            }
        }
    }
}

static double volume_error(const GeneratedSolid* solid, uint32_t n)
{
    AbutMesh* mesh = create(solid, n);
    double error = fabs(test_mesh_volume(mesh) / solid->volume() - 1.0);
    abut_mesh_destroy(mesh);
    return error;
}

static void test_volume_converges_at_second_order(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        if (solid->volume == NULL)
        {
            continue;
        }
        double coarse = volume_error(solid, 32);
        double fine = volume_error(solid, 128);
        // Sixteen times less at a quarter of the edge length, down to the rounding of vertices.
        if (!(coarse < 0.08 && fine < coarse / 12.0 + 2e-6))
        {
            fail_msg("%s: volume off by %g at 32 and %g at 128", solid->name, coarse, fine);
        }
    }
}

typedef struct CreateContext
{
    const GeneratedSolid* solid;
} CreateContext;

static AbutResult create_and_destroy(void* context, const AbutHost* host)
{
    const GeneratedSolid* solid = ((CreateContext*)context)->solid;
    AbutMesh* mesh = (AbutMesh*)context; // anything but NULL
    AbutResult result = solid->create(solid->odd, host, &mesh);
    assert_true((result == ABUT_OK) == (mesh != NULL));
    abut_mesh_destroy(mesh);
    return result;
}

static void test_running_out_of_memory_leaks_nothing(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        CreateContext context = { solid };
        test_fail_every_allocation(create_and_destroy, &context);
    }
}

static void test_the_same_call_gives_the_same_bytes(void** state)
{
    (void)state;
    for (const GeneratedSolid* solid = generated_solids(); solid->name != NULL; ++solid)
    {
        uint64_t hashes[2];
        for (int i = 0; i < 2; ++i)
        {
            AbutMesh* mesh = create(solid, solid->odd);
            uint64_t seed =
                abut_hash(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh) * sizeof(AbutVec3), 0);
            hashes[i] = abut_hash(abut_mesh_indices(mesh),
                                  (size_t)abut_mesh_triangle_count(mesh) * 3 * sizeof(uint32_t), seed);
            abut_mesh_destroy(mesh);
        }
        assert_int_equal(hashes[0], hashes[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_solid_is_closed_oriented_and_manifold),
        cmocka_unit_test(test_large_tessellations_are_large),
        cmocka_unit_test(test_no_two_triangles_cross),
        cmocka_unit_test(test_the_search_for_crossings_finds_some),
        cmocka_unit_test(test_flat_faces_are_covered_once),
        cmocka_unit_test(test_vertices_lie_on_the_ideal_surface),
        cmocka_unit_test(test_inspection_finds_nothing_wrong),
        cmocka_unit_test(test_inspection_finds_nothing_wrong_with_large_ones),
        cmocka_unit_test(test_volume_converges_at_second_order),
        cmocka_unit_test(test_running_out_of_memory_leaks_nothing),
        cmocka_unit_test(test_the_same_call_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
