// Shapes of open meshes: a box without two faces, against two solids that both close it within the hull of
// its hole, the box and the wedge that is left without the hull. No proof contradicts one of them, and pairs
// apart from the hull are proved.
#include "support/support.h"

#include <abut/bvh.h>
#include <abut/io.h>
#include <abut/models.h>

enum
{
    FORMULA, // the method `adaptive`
    MESH,    // `bvh`
    FIELD,   // `mesh-field`
    MOVED,   // `adaptive` through transformed shapes
    KINDS
};

typedef struct Bodies
{
    AbutMesh *open, *brick_mesh;
    AbutShape *shape, *moved;
    AbutShape *box, *wedge, *hull; // convex: of all, without the hull of the hole, and that hull
    AbutShape* brick;
    AbutShape* other[KINDS]; // the brick in all forms
    AbutMeshTree *tree, *brick_tree;
} Bodies;

static Bodies bodies;

static const AbutVec3 BRICK = { 0.2f, 0.15f, 0.25f };

/// The unit box without the faces z = ½ and x = ½.
static AbutMesh* create_open_box(uint32_t divisions)
{
    AbutMesh *whole = NULL, *open = NULL;
    test_assert_result(abut_mesh_create_box(abut_vec3(1.0f, 1.0f, 1.0f), divisions, NULL, &whole), ABUT_OK);
    const AbutVec3* vertices = abut_mesh_vertices(whole);
    const uint32_t* indices = abut_mesh_indices(whole);
    uint32_t kept[4096], count = 0;
    assert_true(3 * abut_mesh_triangle_count(whole) <= 4096);
    for (uint32_t i = 0; i < 3 * abut_mesh_triangle_count(whole); i += 3)
    {
        AbutVec3 a = vertices[indices[i]], b = vertices[indices[i + 1]], c = vertices[indices[i + 2]];
        bool top = a.z == 0.5f && b.z == 0.5f && c.z == 0.5f,
             side = a.x == 0.5f && b.x == 0.5f && c.x == 0.5f;
        for (uint32_t k = 0; k < 3 && !top && !side; ++k)
        {
            kept[count++] = indices[i + k];
        }
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = abut_mesh_vertex_count(whole);
    def.indices = kept;
    def.triangle_count = count / 3;
    test_assert_result(abut_mesh_create(&def, &open), ABUT_OK);
    abut_mesh_destroy(whole);
    return open;
}

static AbutShape* create_prism(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    AbutVec3 points[6];
    for (int i = 0; i < 2; ++i)
    {
        float y = i == 0 ? -0.5f : 0.5f;
        points[3 * i] = abut_vec3(a.x, y, a.z);
        points[3 * i + 1] = abut_vec3(b.x, y, b.z);
        points[3 * i + 2] = abut_vec3(c.x, y, c.z);
    }
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_convex(points, 6, NULL, &shape), ABUT_OK);
    return shape;
}

static int create_bodies(void** state)
{
    (void)state;
    bodies.open = create_open_box(4);
    test_assert_result(abut_shape_create_mesh(bodies.open, NULL, &bodies.shape), ABUT_OK);
    AbutPose identity = abut_pose_at(0.0, 0.0, 0.0);
    test_assert_result(abut_shape_create_transformed(bodies.shape, &identity, NULL, &bodies.moved), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(1.0f, 1.0f, 1.0f), NULL, &bodies.box), ABUT_OK);
    AbutVec3 low = { -0.5f, 0.0f, -0.5f }, top = { -0.5f, 0.0f, 0.5f }, end = { 0.5f, 0.0f, -0.5f },
             corner = { 0.5f, 0.0f, 0.5f };
    bodies.wedge = create_prism(low, top, end);
    bodies.hull = create_prism(corner, top, end);
    test_assert_result(abut_shape_create_box(BRICK, NULL, &bodies.brick), ABUT_OK);
    test_assert_result(abut_mesh_create_box(BRICK, 2, NULL, &bodies.brick_mesh), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 32;
    bodies.other[FORMULA] = abut_shape_retain(bodies.brick);
    test_assert_result(abut_shape_create_mesh(bodies.brick_mesh, NULL, &bodies.other[MESH]), ABUT_OK);
    test_assert_result(abut_bake_shape(&def, bodies.brick, &bodies.other[FIELD]), ABUT_OK);
    bodies.other[MOVED] = abut_shape_retain(bodies.brick);
    test_assert_result(abut_mesh_tree_create(bodies.open, NULL, &bodies.tree), ABUT_OK);
    test_assert_result(abut_mesh_tree_create(bodies.brick_mesh, NULL, &bodies.brick_tree), ABUT_OK);
    return 0;
}

static int destroy_bodies(void** state)
{
    (void)state;
    AbutShape* const shapes[] = { bodies.shape, bodies.moved, bodies.box,
                                  bodies.wedge, bodies.hull,  bodies.brick };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
    for (int i = 0; i < KINDS; ++i)
    {
        abut_shape_destroy(bodies.other[i]);
    }
    abut_mesh_tree_destroy(bodies.tree);
    abut_mesh_tree_destroy(bodies.brick_tree);
    abut_mesh_destroy(bodies.open);
    abut_mesh_destroy(bodies.brick_mesh);
    return 0;
}

/// Exact distance of the brick and a convex body; negative: the depth.
static double separation(const AbutShape* convex, const AbutPose* pose)
{
    AbutConvexInput input = abut_convex_input(convex, bodies.brick);
    input.pose_b = *pose;
    input.work = ABUT_CONVEX_DEPTH;
    AbutConvexOutput output = abut_convex(&input);
    assert_true(output.has_points);
    return output.separation;
}

static bool surfaces_touch(const AbutPose* pose)
{
    AbutMeshTreePair pair = { bodies.tree, bodies.brick_tree, abut_pose_at(0.0, 0.0, 0.0), *pose };
    return abut_mesh_tree_collide(&pair).state != ABUT_MESH_TREE_SEPARATED;
}

typedef struct Verdicts
{
    int expected[ABUT_COLLIDE_STATE_COUNT], given[ABUT_COLLIDE_STATE_COUNT];
    int misses; // `close` far from the hull of the hole
} Verdicts;

/// Distance from touching, and from the hull of the hole, at which a pair must be decided.
static const double MARGIN = 0.1;

static void check_pose(int kind, const AbutPose* pose, bool swapped, Verdicts* verdicts)
{
    AbutShape* open = kind == MOVED ? bodies.moved : bodies.shape;
    AbutPose identity = abut_pose_at(0.0, 0.0, 0.0);
    AbutCollideInput input =
        swapped ? abut_collide_input(bodies.other[kind], open) : abut_collide_input(open, bodies.other[kind]);
    input.pose_a = swapped ? *pose : identity;
    input.pose_b = swapped ? identity : *pose;
    AbutCollideOutput output = abut_collide(&input, NULL, 0);
    double of_box = separation(bodies.box, pose), of_wedge = separation(bodies.wedge, pose);
    bool touch = surfaces_touch(pose), near_hull = separation(bodies.hull, pose) < MARGIN;
    verdicts->given[output.state] += 1;
    if (output.state == ABUT_COLLIDE_SEPARATED)
    {
        assert_true(of_box > 0.0 && (double)output.gap <= of_box);
    }
    else if (output.state == ABUT_COLLIDE_CONTACT)
    {
        assert_true(of_box < 0.0 && (of_wedge < 1e-9 || touch));
    }
    if (of_box > MARGIN)
    {
        verdicts->expected[ABUT_COLLIDE_SEPARATED] += 1;
        verdicts->misses += output.state != ABUT_COLLIDE_SEPARATED;
    }
    else if (of_wedge < -MARGIN && !near_hull)
    {
        verdicts->expected[ABUT_COLLIDE_CONTACT] += 1;
        verdicts->misses += output.state != ABUT_COLLIDE_CONTACT;
    }
    else if (of_box < 0.0 && of_wedge > 0.0 && !touch)
    {
        verdicts->expected[ABUT_COLLIDE_CLOSE] += 1; // one solid touches the brick, the other does not
        assert_true(output.state != ABUT_COLLIDE_SEPARATED && output.state != ABUT_COLLIDE_CONTACT);
    }
}

static void test_states_hold_for_all_solids_that_close_the_mesh(void** state)
{
    (void)state;
    TestRandom random = { 71 };
    for (int kind = 0; kind < KINDS; ++kind)
    {
        Verdicts verdicts = { 0 };
        for (int repeat = 0; repeat < test_heavy_count(600); ++repeat)
        {
            AbutPose pose = abut_pose_at(0.0, 0.0, 0.0);
            pose.position = test_random_position(&random, 0.9);
            pose.rotation = test_random_rotation(&random);
            check_pose(kind, &pose, repeat % 2 == 1, &verdicts);
        }
        assert_true(verdicts.expected[ABUT_COLLIDE_SEPARATED] > 0);
        assert_true(verdicts.expected[ABUT_COLLIDE_CONTACT] > 0);
        assert_true(verdicts.expected[ABUT_COLLIDE_CLOSE] > 0);
        assert_int_equal(verdicts.misses, 0);
    }
}

static void test_report_has_the_hole(void** state)
{
    (void)state;
    AbutMeshShapeReport report = abut_mesh_shape_report(bodies.shape);
    assert_false(report.closed || report.certain);
    assert_int_equal(report.open_edge_count, 24);
    assert_int_equal(report.uncertain_region_count, 1);
    test_assert_near(report.uncertain_volume, 0.5, 0.51); // the prism, in a box of its own
    assert_true(report.uncertain_volume >= 0.5);
    assert_true(abut_shape_info(bodies.shape).error >= 1.0f);
    report = abut_mesh_shape_report(bodies.other[MESH]);
    assert_true(report.certain && report.open_edge_count == 0 && report.uncertain_volume == 0.0);
    assert_true(abut_shape_info(bodies.other[MESH]).error == 0.0f);
}

/// Distances of the surface are exact wherever the sign is.
static void test_sizes_of_distances_are_exact(void** state)
{
    (void)state;
    TestRandom random = { 72 };
    for (int repeat = 0; repeat < 500; ++repeat)
    {
        AbutVec3 p = test_random_point(&random, 1.0);
        AbutVec3 q = { fmaxf(fabsf(p.x) - 0.5f, 0.0f), fmaxf(fabsf(p.y) - 0.5f, 0.0f),
                       fmaxf(fabsf(p.z) - 0.5f, 0.0f) };
        double d = (double)abut_shape_distance(bodies.shape, p, NULL);
        assert_true(fabs(d) >= (double)abut_vec3_length(q) - 1e-6);
        bool in_box = abut_vec3_length(q) == 0.0f;
        assert_true(in_box || d > 0.0);
        if (in_box && p.x + p.z < -0.01f)
        {
            double expected = fmin(fmin(0.5 + (double)p.x, 0.5 + (double)p.z), 0.5 - fabs((double)p.y));
            test_assert_near(d, -expected, 1e-6);
        }
    }
}

static AbutToiOutput sweep_onto(const AbutShape* target, const AbutPose* from, AbutVec3 along)
{
    AbutToiInput input = abut_toi_input(target, bodies.brick);
    input.pose_b = *from;
    input.motion_b.linear = along;
    return abut_time_of_impact(&input);
}

/// A free motion is free of the box, too; a first touch is no later than that of the box.
static void test_motions_are_never_freer_than_those_to_the_box(void** state)
{
    (void)state;
    TestRandom random = { 73 };
    int free_count = 0;
    for (int repeat = 0; repeat < test_heavy_count(120); ++repeat)
    {
        AbutPose from = abut_pose_at(0.0, 0.0, 0.0);
        AbutVec3 direction = test_random_direction(&random);
        from.position =
            (AbutPosition){ 2.0 * (double)direction.x, 2.0 * (double)direction.y, 2.0 * (double)direction.z };
        from.rotation = test_random_rotation(&random);
        AbutVec3 aim = test_random_point(&random, 1.5), start = abut_vec3_scale(direction, 2.0f);
        AbutVec3 along = abut_vec3_scale(abut_vec3_sub(aim, start), 1.5f);
        AbutToiOutput open = sweep_onto(bodies.shape, &from, along),
                      box = sweep_onto(bodies.box, &from, along);
        assert_true(open.state != ABUT_TOI_INVALID);
        if (open.state == ABUT_TOI_MISS)
        {
            free_count += 1;
            assert_int_equal(box.state, ABUT_TOI_MISS);
        }
        else if (box.state == ABUT_TOI_HIT)
        {
            assert_true(open.time <= box.time + 1e-2f);
        }
    }
    assert_true(free_count > 0);
}

static void test_soup_and_sheets_have_shapes(void** state)
{
    (void)state;
    static const AbutVec3 vertices[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    static const uint32_t indices[3] = { 0, 1, 2 };
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.indices = indices;
    def.triangle_count = 1;
    AbutMesh* mesh = NULL;
    AbutShape* shape = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    test_assert_result(abut_shape_create_mesh(mesh, NULL, &shape), ABUT_OK);
    AbutCollideInput input = abut_collide_input(shape, bodies.brick);
    input.pose_b = abut_pose_at(0.2, 0.2, 0.2);
    AbutCollideOutput output = abut_collide(&input, NULL, 0);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    assert_true(output.gap > 0.07f && output.gap <= 0.075f);
    input.shape_b = bodies.other[MESH];
    input.pose_b.position.z = 0.1; // through the triangle
    assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_CONTACT);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
}

static void test_vertices_that_are_no_numbers_make_no_mesh(void** state)
{
    (void)state;
    AbutVec3 vertices[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, NAN, 0.0f } };
    const uint32_t indices[3] = { 0, 1, 2 };
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.indices = indices;
    def.triangle_count = 1;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_INVALID_DATA);
    assert_null(mesh);
    vertices[2].y = INFINITY;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_INVALID_DATA);
}

static AbutResult create(void* context, const AbutHost* host)
{
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_mesh(context, host, &shape);
    abut_shape_destroy(shape);
    return result;
}

static void test_nothing_leaks_when_memory_runs_out(void** state)
{
    (void)state;
    assert_true(test_fail_every_allocation(create, bodies.open) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_hold_for_all_solids_that_close_the_mesh),
        cmocka_unit_test(test_report_has_the_hole),
        cmocka_unit_test(test_sizes_of_distances_are_exact),
        cmocka_unit_test(test_motions_are_never_freer_than_those_to_the_box),
        cmocka_unit_test(test_soup_and_sheets_have_shapes),
        cmocka_unit_test(test_vertices_that_are_no_numbers_make_no_mesh),
        cmocka_unit_test(test_nothing_leaks_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, create_bodies, destroy_bodies);
}
