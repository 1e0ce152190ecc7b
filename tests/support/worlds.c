#include "support/worlds.h"

#include <math.h>

const AbutMaterial test_plain = { .friction = 0.6f };

AbutWorld* test_make_world_of(const AbutWorldDef* def)
{
    AbutWorld* world = NULL;
    test_assert_result(abut_world_create(def, &world), ABUT_OK);
    return world;
}

AbutWorld* test_make_world(const AbutHost* host)
{
    AbutWorldDef def = abut_world_def();
    def.host = host;
    return test_make_world_of(&def);
}

AbutBodyId test_add_body_of(AbutWorld* world, const AbutBodyDef* def)
{
    AbutBodyId body;
    test_assert_result(abut_body_create(world, def, &body), ABUT_OK);
    abut_shape_destroy(def->shape);
    return body;
}

AbutBodyId test_add_body(AbutWorld* world, AbutShape* shape, AbutBodyKind kind, AbutPose pose,
                         AbutMaterial material)
{
    AbutBodyDef def = abut_body_def();
    def.shape = shape;
    def.kind = kind;
    def.pose = pose;
    def.material = material;
    return test_add_body_of(world, &def);
}

AbutBodyId test_add_ground(AbutWorld* world, double slope, AbutMaterial material)
{
    AbutShape* plane = NULL;
    AbutVec3 normal = abut_vec3((float)sin(slope), (float)cos(slope), 0.0f);
    test_assert_result(abut_shape_create_plane(normal, 0.0f, NULL, &plane), ABUT_OK);
    return test_add_body(world, plane, ABUT_BODY_STATIC, abut_pose_identity(), material);
}

AbutStepReport test_steps(AbutWorld* world, int steps)
{
    AbutStepReport report = { 0 };
    for (int i = 0; i < steps; ++i)
    {
        test_assert_result(abut_world_step(world, TEST_STEP, &report), ABUT_OK);
    }
    return report;
}

AbutShape* test_bake(AbutShape* shape, uint32_t resolution)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

AbutWorld* test_make_pile(const AbutHost* host)
{
    AbutWorld* world = test_make_world(host);
    test_add_ground(world, 0.0, test_plain);
    for (int i = 0; i < 9; ++i)
    {
        AbutPose pose = abut_pose_at(0.07 * (i % 3), 0.2 + 0.3 * i, 0.05 * (i % 2));
        pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.3f, (float)(i % 4)), (float)i);
        AbutShape* shape = i % 3 == 0   ? test_make_torus(0.15f, 0.05f)
                           : i % 3 == 1 ? test_make_box(0.3f, 0.2f, 0.1f)
                                        : test_make_sphere(0.12f);
        test_add_body(world, shape, ABUT_BODY_DYNAMIC, pose, test_plain);
    }
    return world;
}

double test_position_distance(AbutPosition a, AbutPosition b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}
