// Thin walls stay on their sides of each other, whatever presses on them.
#include "support/shapes.h"
#include "support/support.h"

#include "scenes/mesh_gap.h"
#include "scenes/random.h"
#include "scenes/recall_truth.h"

#include <abut/abut.h>
#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

#define STEP (1.0f / 60.0f)
#define RADIUS 0.05
#define WALL 0.002

enum
{
    BOWLS = 9,
    STEPS = 50 // of a heap; ABUT_TEST_STEPS: more
};

static int step_count(void)
{
    return test_count("ABUT_TEST_STEPS", STEPS);
}

static AbutShape* make_bowl(void)
{
    AbutMesh* mesh = NULL;
    AbutShape* field = NULL;
    test_assert_result(abut_mesh_create_bowl((float)RADIUS, (float)WALL, 24, NULL, &mesh), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 96;
    def.format = ABUT_FIELD_FIRST_ORDER;
    def.sparse = true;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    abut_mesh_destroy(mesh);
    return field;
}

/// The sheet in the middle of its wall.
static SceneSurface* make_sheet(void)
{
    AbutMesh* mesh = NULL;
    test_assert_result(
        abut_mesh_create_bowl((float)(RADIUS - 0.45 * WALL), (float)(0.1 * WALL), 24, NULL, &mesh), ABUT_OK);
    SceneSurface* sheet = scene_surface_create(mesh);
    assert_non_null(sheet);
    abut_mesh_destroy(mesh);
    return sheet;
}

static void add_ground(AbutWorld* world)
{
    AbutBodyDef def = abut_body_def();
    AbutBodyId id;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &def.shape), ABUT_OK);
    def.kind = ABUT_BODY_STATIC;
    test_assert_result(abut_body_create(world, &def, &id), ABUT_OK);
    abut_shape_destroy(def.shape);
}

/// In one column, turned at random, so that each falls into or onto another.
static void add_bowls(AbutWorld* world, AbutShape* bowl, AbutBodyId ids[BOWLS])
{
    SceneRandom random = { 11 };
    for (int i = 0; i < BOWLS; ++i)
    {
        AbutBodyDef def = abut_body_def();
        def.shape = bowl;
        double x = scene_random_range(&random, -0.02, 0.02);
        def.pose = abut_pose_at(x, 0.06 + 0.11 * i, scene_random_range(&random, -0.02, 0.02));
        def.pose.rotation = scene_random_rotation(&random);
        test_assert_result(abut_body_create(world, &def, &ids[i]), ABUT_OK);
    }
}

/// Pairs whose walls have gone through each other: sheets in the middle of them cross, triangle by triangle.
static int count_crossings(const AbutWorld* world, const AbutBodyId ids[BOWLS], const SceneSurface* sheet)
{
    int crossings = 0;
    for (int i = 0; i < BOWLS; ++i)
    {
        for (int k = i + 1; k < BOWLS; ++k)
        {
            AbutPose a = abut_body_state(world, ids[i]).pose, b = abut_body_state(world, ids[k]).pose;
            SceneRigid there = recall_truth_relative(&a, &b);
            crossings += scene_surface_gap(sheet, sheet, &there, 1e-6) <= 0.0 ? 1 : 0;
        }
    }
    return crossings;
}

static void test_no_bowl_of_a_heap_passes_through_another(void** state)
{
    (void)state;
    AbutShape* bowl = make_bowl();
    SceneSurface* sheet = make_sheet();
    AbutWorld* world = NULL;
    AbutWorldDef def = abut_world_def();
    AbutBodyId ids[BOWLS];
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    add_ground(world);
    add_bowls(world, bowl, ids);
    for (int i = 0; i < step_count(); ++i)
    {
        test_assert_result(abut_world_step(world, STEP, NULL), ABUT_OK);
        assert_int_equal(count_crossings(world, ids, sheet), 0);
    }
    abut_world_destroy(world);
    scene_surface_destroy(sheet);
    abut_shape_destroy(bowl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_bowl_of_a_heap_passes_through_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
