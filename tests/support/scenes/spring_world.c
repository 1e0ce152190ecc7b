#include "support/scenes/spring_world.h"

#include <math.h>

AbutWorldDef test_spring_def(AbutPenaltyScheme scheme)
{
    AbutWorldDef def = abut_world_def();
    def.response = ABUT_RESPONSE_PENALTY;
    def.penalty.scheme = scheme;
    def.substep_count = 1;
    def.sleep_speed = 0.0f;
    return def;
}

AbutWorld* test_spring_world(const AbutWorldDef* def)
{
    AbutWorld* world = NULL;
    test_assert_result(abut_world_create(def, &world), ABUT_OK);
    return world;
}

AbutBodyId test_spring_add(AbutWorld* world, AbutShape* shape, AbutPointSet* points, AbutBodyKind kind,
                           AbutPose pose, AbutMaterial material)
{
    AbutBodyDef def = abut_body_def();
    def.shape = shape;
    def.points = points;
    def.kind = kind;
    def.pose = pose;
    def.material = material;
    AbutBodyId body;
    test_assert_result(abut_body_create(world, &def, &body), ABUT_OK);
    abut_shape_destroy(shape);
    return body;
}

void test_spring_add_ground(AbutWorld* world, double slope, AbutMaterial material)
{
    AbutShape* plane = NULL;
    AbutVec3 normal = abut_vec3((float)sin(slope), (float)cos(slope), 0.0f);
    test_assert_result(abut_shape_create_plane(normal, 0.0f, NULL, &plane), ABUT_OK);
    test_spring_add(world, plane, NULL, ABUT_BODY_STATIC, abut_pose_identity(), material);
}

AbutShape* test_spring_coarse(AbutShape* shape)
{
    AbutShape* field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 8;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

AbutBodyId test_spring_add_ball(AbutWorld* world, double height, double speed, AbutMaterial material)
{
    const float lowest[3] = { 0.0f, -0.1f, 0.0f };
    AbutPointSet* points = NULL;
    test_assert_result(abut_points_create(lowest, NULL, 1, NULL, &points), ABUT_OK);
    AbutBodyDef def = abut_body_def();
    def.shape = test_spring_coarse(test_make_sphere(0.1f)); // its solid is not felt
    def.points = points;
    def.mass = 1.0f;
    def.pose = abut_pose_at(0.0, 0.1 + height, 0.0);
    def.linear_velocity = abut_vec3(0.0f, (float)-speed, 0.0f);
    def.material = material;
    def.locked = ABUT_LOCK_ANGULAR; // it stands on a point
    AbutBodyId body;
    test_assert_result(abut_body_create(world, &def, &body), ABUT_OK);
    abut_points_destroy(points);
    abut_shape_destroy(def.shape);
    return body;
}

AbutStepReport test_spring_run(AbutWorld* world, double step, int count)
{
    AbutStepReport report = { 0 };
    for (int i = 0; i < count; ++i)
    {
        test_assert_result(abut_world_step(world, (float)step, &report), ABUT_OK);
    }
    return report;
}
