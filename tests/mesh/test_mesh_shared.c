// Reports of real meshes, where they are installed (ABUT_SHARED_MESHES). The counts of crossings were
// confirmed with CGAL's exact constructions.
#include "support/support.h"

#include <abut/io.h>

#include <stdlib.h>

typedef struct Facts
{
    const char* name;
    uint32_t triangle_count, vertex_count, welded_vertex_count;
    uint32_t component_count, boundary_edge_count, nonmanifold_edge_count;
    uint32_t degenerate_count, duplicate_count;
    uint64_t self_intersection_count;
    double volume;
    double extents[3]; // 0 where not known
} Facts;

static const Facts facts[] = {
    { "bunny4k.obj", 3674, 1839, 1839, 1, 0, 0, 0, 0, 0, 194.288, { 9.907, 9.658, 7.541 } },
    { "bunny69k.obj", 69451, 34834, 34834, 1, 223, 0, 0, 0, 0, 7.7006e-4, { 0.1557, 0.1543, 0.1207 } },
    { "dragon48k.obj", 47794, 22982, 22982, 2, 0, 2094, 0, 1254, 1592, 59519, { 101.8, 71.9, 45.4 } },
    { "factory_bolt_m16_loose.obj", 25668, 22326, 12836, 1, 0, 0, 0, 0, 0, 1.13638e-5, { 0 } },
    { "factory_nut_m16_loose_subdiv_3x.obj", 15080, 13106, 7566, 2, 108, 0, 32, 0, 0, 4.12356e-6, { 0 } },
    { "factory_round_hole_8mm_subdiv_3x.obj", 900, 768, 464, 1, 36, 0, 0, 0, 0, 5.15679e-6, { 0 } },
    { "factory_round_peg_8mm_loose.obj", 1152, 1154, 578, 1, 0, 0, 0, 0, 0, 2.49768e-6, { 0 } },
    { "factory_gear_small_space_5e-4.obj", 20532, 21116, 10260, 1, 0, 0, 10, 0, 6, 3.47459e-6, { 0 } },
    { "factory_gear_medium_space_5e-4.obj", 35212, 36356, 17557, 1, 0, 0, 96, 0, 9, 1.78420e-5, { 0 } },
};

static AbutMeshReport report_of(const char* name)
{
    const char* path = test_shared_mesh(name);
    if (path == NULL)
    {
        skip();
    }
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    AbutMeshReport report;
    test_assert_result(abut_mesh_inspect(&def, mesh, &report), ABUT_OK);
    abut_mesh_destroy(mesh);
    return report;
}

static void test_shared_meshes_have_their_documented_facts(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); ++i)
    {
        const Facts* f = &facts[i];
        AbutMeshReport r = report_of(f->name);
        print_message("%s\n", f->name);
        assert_int_equal(r.triangle_count, f->triangle_count);
        assert_int_equal(r.vertex_count, f->vertex_count);
        assert_int_equal(r.welded_vertex_count, f->welded_vertex_count);
        assert_int_equal(r.component_count, f->component_count);
        assert_int_equal(r.boundary_edge_count, f->boundary_edge_count);
        assert_int_equal(r.nonmanifold_edge_count, f->nonmanifold_edge_count);
        assert_int_equal(r.degenerate_count, f->degenerate_count);
        assert_int_equal(r.duplicate_count, f->duplicate_count);
        assert_int_equal(r.inconsistent_edge_count, 0);
        assert_int_equal(r.self_intersection_count, f->self_intersection_count);
        test_assert_near(r.mass.volume, f->volume, 1e-3 * f->volume);
        AbutVec3 extents = abut_box_extents(r.bounds);
        const float actual[3] = { extents.x, extents.y, extents.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            test_assert_near(f->extents[axis] > 0.0 ? (double)actual[axis] : 0.0, f->extents[axis],
                             1e-3 * f->extents[axis]);
        }
    }
}

static void test_holes_of_shared_meshes_are_t_junctions(void** state)
{
    (void)state;
    // Solid though not closed: where one side of an edge is split and the other is not.
    assert_int_equal(report_of("factory_nut_m16_loose_subdiv_3x.obj").t_junction_count, 84);
    assert_int_equal(report_of("factory_round_hole_8mm_subdiv_3x.obj").t_junction_count, 28);
    assert_int_equal(report_of("bunny69k.obj").t_junction_count, 0); // true holes
}

static void test_small_gear_has_two_handles(void** state)
{
    (void)state;
    AbutMeshReport r = report_of("factory_gear_small_space_5e-4.obj");
    assert_true(r.closed);
    int face_count =
        (int)r.triangle_count - 8; // of the ten degenerate ones, eight have two equal corners: no edges
    assert_int_equal((int)r.welded_vertex_count - face_count * 3 / 2 + face_count, 2 - 2 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_meshes_have_their_documented_facts),
        cmocka_unit_test(test_holes_of_shared_meshes_are_t_junctions),
        cmocka_unit_test(test_small_gear_has_two_handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
