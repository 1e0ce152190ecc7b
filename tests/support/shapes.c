#include "support/shapes.h"

#include <math.h>

AbutShape* test_make_sphere(float radius)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_sphere(radius, NULL, &shape), ABUT_OK);
    return shape;
}

AbutShape* test_make_torus(float major_radius, float minor_radius)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_torus(major_radius, minor_radius, NULL, &shape), ABUT_OK);
    return shape;
}

AbutShape* test_make_box(float x, float y, float z)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_box(abut_vec3(x, y, z), NULL, &shape), ABUT_OK);
    return shape;
}

AbutShape* test_transformed(AbutShape* child, const AbutPose* pose)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_transformed(child, pose, NULL, &shape), ABUT_OK);
    abut_shape_destroy(child);
    return shape;
}

AbutShape* test_make_random_solid(TestRandom* random)
{
    AbutShape* solids[12];
    for (int i = 0; i < 12; ++i)
    {
        const float size = (float)exp(test_random_range(random, log(0.005), log(0.6)));
        AbutShape* solid = i % 3 == 0 ? test_make_torus(size, 0.3f * size)
                                      : (i % 3 == 1 ? test_make_sphere(size)
                                                    : test_make_box(size, 2.0f * size, 0.1f * size));
        AbutPose pose = abut_pose_identity();
        const AbutVec3 p = test_random_point(random, 1.0);
        pose.position = (AbutPosition){ p.x, p.y, p.z };
        pose.rotation = test_random_rotation(random);
        solids[i] = test_transformed(solid, &pose);
    }
    AbutShape *solid = NULL, *holes = NULL, *both = NULL;
    test_assert_result(abut_shape_create_union(solids, 9, NULL, &solid), ABUT_OK);
    test_assert_result(abut_shape_create_union(solids + 9, 3, NULL, &holes), ABUT_OK);
    test_assert_result(abut_shape_create_difference(solid, holes, NULL, &both), ABUT_OK);
    for (int i = 0; i < 12; ++i)
    {
        abut_shape_destroy(solids[i]);
    }
    abut_shape_destroy(solid);
    abut_shape_destroy(holes);
    return both;
}
