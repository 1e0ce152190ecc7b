// A def or settings that never saw its default function is refused with a message, and is not answered: the
// message names the member that is zero, or the function where every member may be zero for itself.
#include "support/support.h"

#include <abut/io.h>
#include <abut/models.h>
#include <stdio.h>
#include <string.h>

/// What the calls are about; the settings alone are zeros.
typedef struct Things
{
    AbutShape* ball;
    AbutShape* field;
    AbutMesh* mesh;
    AbutWorld* world;
    AbutPose pose;
} Things;

static Things make_things(void)
{
    Things things = { .pose = abut_pose_at(0.3, 0.1, 0.0) };
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 8;
    AbutWorldDef world = abut_world_def();
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &things.ball), ABUT_OK);
    test_assert_result(abut_bake_shape(&bake, things.ball, &things.field), ABUT_OK);
    test_assert_result(abut_mesh_create_sphere(0.5f, 8, NULL, &things.mesh), ABUT_OK);
    test_assert_result(abut_world_create(&world, &things.world), ABUT_OK);
    return things;
}

static void destroy_things(Things* things)
{
    abut_world_destroy(things->world);
    abut_mesh_destroy(things->mesh);
    abut_shape_destroy(things->field);
    abut_shape_destroy(things->ball);
}

/// `words` are some of the message.
static void check(AbutResult result, const char* words)
{
    if (result != ABUT_INVALID_ARGUMENT || strstr(abut_last_error(), words) == NULL)
    {
        fail_msg("result %d, \"%s\"; expected ABUT_INVALID_ARGUMENT and \"%s\"", (int)result,
                 abut_last_error(), words);
    }
    abut_fail(ABUT_OK, "nothing");
}

static void test_bakes_and_surfaces_refuse_a_def_of_zeros(void** state)
{
    (void)state;
    Things things = make_things();
    AbutShape* shape = NULL;
    AbutMesh* mesh = NULL;
    AbutBakeDef bake = { 0 };
    AbutBakeEstimate estimate;
    check(abut_bake_mesh(&bake, things.mesh, &shape), "the resolution is 0");
    check(abut_bake_shape(&bake, things.ball, &shape), "the resolution is 0");
    check(abut_bake_estimate_mesh(&bake, things.mesh, &estimate), "the resolution is 0");
    check(abut_bake_estimate(&bake, abut_box(abut_vec3(0, 0, 0), abut_vec3(1, 1, 1)), &estimate),
          "the resolution is 0");
    bake.resolution = 16; // what most people would set; the box is one point then, and no margin is there
    check(abut_bake_mesh(&bake, things.mesh, &shape), "a box of size 0");
    check(abut_bake_shape(&bake, things.ball, &shape), "a box of size 0");
    check(abut_bake_estimate_mesh(&bake, things.mesh, &estimate), "a box of size 0");
    const float values[8] = { 0 };
    AbutBakeValuesDef values_def = { .values = values, .node_count = { 2, 2, 2 } };
    check(abut_bake_values(&values_def, &shape), "cell size");
    float distances[8];
    AbutBakeDistancesDef distances_def = { .node_count = { 2, 2, 2 } };
    check(abut_bake_distances(&distances_def, things.mesh, distances), "2 x 2 x 2 nodes, 0 apart");
    AbutSurfaceDef surface = { 0 };
    check(abut_surface_create(&surface, things.ball, &mesh), "resolution is 0");
    surface.resolution = 16;
    check(abut_surface_create(&surface, things.ball, &mesh), "the box is flat");
    destroy_things(&things);
}

static void test_queries_refuse_settings_of_zeros(void** state)
{
    (void)state;
    Things things = make_things();
    AbutContact contacts[4];
    AbutCollideInput collide = abut_collide_input(things.ball, things.field);
    for (int method = 0; method < ABUT_COLLIDE_METHOD_COUNT; ++method)
    {
        memset(&collide.settings, 0, sizeof(collide.settings));
        collide.settings.method = (AbutCollideMethod)method;
        assert_int_equal(abut_collide(&collide, contacts, 4).state, ABUT_COLLIDE_INVALID);
        check(ABUT_INVALID_ARGUMENT, "abut_collide_settings()");
    }
    memset(&collide.pose_b, 0, sizeof(collide.pose_b));
    collide.settings = abut_collide_settings();
    assert_int_equal(abut_collide(&collide, contacts, 4).state, ABUT_COLLIDE_INVALID);
    AbutDistanceInput distance = { .shape_a = things.ball, .shape_b = things.field };
    assert_int_equal(abut_distance(&distance).state, ABUT_COLLIDE_INVALID);
    distance.pose_a = distance.pose_b = things.pose;
    assert_int_equal(abut_distance(&distance).state, ABUT_COLLIDE_INVALID);
    check(ABUT_INVALID_ARGUMENT, "abut_distance_input()");
    AbutToiInput sweep = abut_toi_input(things.ball, things.field);
    memset(&sweep.settings, 0, sizeof(sweep.settings));
    assert_int_equal(abut_time_of_impact(&sweep).state, ABUT_TOI_INVALID);
    check(ABUT_INVALID_ARGUMENT, "abut_toi_settings()");
    AbutCollider* collider = NULL;
    test_assert_result(abut_collider_create(NULL, &collider), ABUT_OK);
    const AbutCollideBody bodies[2] = { { .shape = things.ball, .pose = abut_pose_identity() },
                                        { .shape = things.field, .pose = things.pose } };
    const AbutCollideSettings zeros = { 0 };
    const AbutBodyPair pair = { 0, 1 };
    AbutCollideResults found;
    check(abut_collide_pairs(collider, &(AbutPairsInput){ bodies, 2, &pair, 1 }, &zeros, &found),
          "abut_collide_settings()");
    abut_collider_destroy(collider);
    destroy_things(&things);
}

static void test_segments_refuse_settings_of_zeros(void** state)
{
    (void)state;
    Things things = make_things();
    const AbutCastSettings zeros = { 0 };
    AbutTimeInterval intervals[2];
    AbutCastOutput output;
    const AbutVec3 from = { -1.0f, 0.0f, 0.0f }, to = { 1.0f, 0.0f, 0.0f };
    const AbutShape* const shapes[2] = { things.ball, things.field };
    for (int i = 0; i < 2; ++i)
    {
        output = abut_cast_intervals(shapes[i], &zeros, from, to, intervals, 2);
        assert_int_equal(output.state, ABUT_CAST_INVALID);
        check(ABUT_INVALID_ARGUMENT, "abut_cast_settings()");
    }
    float time;
    uint8_t hit;
    const AbutPoints start = { &from.x, &from.y, &from.z }, end = { &to.x, &to.y, &to.z };
    check(abut_cast_segments(things.field, &zeros, (AbutSegments){ start, end }, 1,
                             (AbutCastHits){ &time, &hit }),
          "abut_cast_settings()");
    destroy_things(&things);
}

static void test_worlds_refuse_defs_of_zeros(void** state)
{
    (void)state;
    Things things = make_things();
    AbutWorldDef zeros = { 0 };
    AbutWorld* world = NULL;
    check(abut_world_create(&zeros, &world), "0 substeps");
    AbutWorldDef def = abut_world_def();
    memset(&def.speculative, 0, sizeof(def.speculative));
    check(abut_world_create(&def, &world), "abut_speculative_settings()");
    def = abut_world_def();
    def.response = ABUT_RESPONSE_PENALTY;
    memset(&def.penalty, 0, sizeof(def.penalty));
    check(abut_world_create(&def, &world), "0 penalty midpoints");
    AbutBodyDef body = { .shape = things.ball };
    AbutBodyId id;
    check(abut_body_create(things.world, &body, &id), "pose");
    body.pose = things.pose;
    for (int kind = 0; kind < ABUT_BODY_KIND_COUNT; ++kind)
    {
        body.kind = (AbutBodyKind)kind;
        check(abut_body_create(things.world, &body, &id), "density 0");
    }
    AbutRayInput ray = { .direction = { 1.0f, 0.0f, 0.0f } };
    AbutRayOutput hit;
    check(abut_world_cast_ray(things.world, &ray, &hit), "abut_ray_input()");
    AbutOverlapInput overlap = { .shape = things.ball, .pose = things.pose };
    uint32_t count = 0;
    check(abut_world_overlap(things.world, &overlap, NULL, 0, &count), "abut_overlap_input()");
    AbutBroadDef broad_def = { 0 };
    AbutBroad* broad = NULL;
    check(abut_broad_create(&broad_def, &broad), "abut_broad_def()");
    destroy_things(&things);
}

static void test_shapes_meshes_and_points_refuse_defs_of_zeros(void** state)
{
    (void)state;
    Things things = make_things();
    AbutShape* shape = NULL;
    AbutMesh* mesh = NULL;
    AbutPointSet* points = NULL;
    const float heights[4] = { 0 };
    AbutHeightfieldDef terrain = { .heights = heights, .x_count = 2, .z_count = 2 };
    check(abut_shape_create_heightfield(&terrain, &shape), "the spacing is 0");
    AbutCallbackDef callback = { 0 };
    check(abut_shape_create_callback(&callback, &shape), "the function is NULL");
    AbutPointsDef points_def = { 0 };
    check(abut_points_create_from_mesh(&points_def, things.mesh, &points), "spacing and count are 0");
    points_def.count = 10;
    check(abut_points_create_from_shape(&points_def, things.ball, &points), "count_limit is 0");
    AbutTorusMeshDef torus = { 0 };
    check(abut_mesh_create_torus(&torus, &mesh), "major_radius is 0");
    AbutPipeMeshDef pipe = { 0 };
    check(abut_mesh_create_pipe(&pipe, &mesh), "inner_radius is 0");
    AbutTerrainDef hills = { 0 };
    check(abut_mesh_create_terrain(&hills, &mesh), "size is 0");
    AbutGearMeshDef gear = { 0 };
    check(abut_mesh_create_gear(&gear, &mesh), "teeth is 0");
    AbutThreadMeshDef thread = { 0 };
    check(abut_mesh_create_bolt(&thread, &mesh), "major_radius is 0");
    check(abut_mesh_create_nut(&thread, &mesh), "major_radius is 0");
    AbutMeshCloseDef close = { 0 };
    AbutMeshCloseReport report;
    check(abut_mesh_close(&close, things.mesh, &mesh, &report), "abut_mesh_close_def()");
    destroy_things(&things);
}

static void test_files_refuse_defs_of_zeros(void** state)
{
    (void)state;
    Things things = make_things();
    AbutShape* shape = NULL;
    AbutMesh* mesh = NULL;
    AbutMeshLoadDef load = { 0 };
    test_assert_result(abut_mesh_parse(&load, ABUT_MESH_FORMAT_OBJ, "v 0 0 0\n", 8, "any.obj", &mesh),
                       ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "more than the limit of 0"));
    AbutVolumeLoadDef volume = { 0 };
    test_assert_result(abut_volume_parse(&volume, "1 1 1", 5, "any.sdf", &shape), ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "more than the limit of 0"));
    AbutVolumeSaveDef save = { 0 };
    test_assert_result(abut_volume_save(&save, things.field, "any.vti"), ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "the limit is 0"));
    destroy_things(&things);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bakes_and_surfaces_refuse_a_def_of_zeros),
        cmocka_unit_test(test_queries_refuse_settings_of_zeros),
        cmocka_unit_test(test_segments_refuse_settings_of_zeros),
        cmocka_unit_test(test_worlds_refuse_defs_of_zeros),
        cmocka_unit_test(test_shapes_meshes_and_points_refuse_defs_of_zeros),
        cmocka_unit_test(test_files_refuse_defs_of_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
