// Rays, overlaps and nearest points of worlds against brute force over all bodies.
#include "support/worlds.h"

#include <math.h>

enum
{
    BODIES = 24,
    RAYS = 60,
    SAMPLES = 3000 // along a ray
};

typedef struct Scene
{
    AbutWorld* world;
    AbutBodyId bodies[BODIES];
    AbutShape* shapes[BODIES];
    AbutShape* exact[BODIES]; // of which some are fields
    TestRandom random;
} Scene;

static AbutShape* make_shape(int i)
{
    AbutShape *a, *b, *both = NULL;
    switch (i % 6)
    {
    case 0:
        return test_make_sphere(0.4f);
    case 1:
        return test_make_box(0.7f, 0.3f, 0.5f);
    case 2:
        return test_make_torus(0.4f, 0.12f);
    case 3:
        return test_bake(test_make_torus(0.4f, 0.12f), 24);
    case 4:
        return test_bake(test_make_box(0.6f, 0.5f, 0.4f), 16);
    default:
        a = test_make_box(0.6f, 0.6f, 0.6f);
        b = test_make_sphere(0.36f);
        test_assert_result(abut_shape_create_difference(a, b, NULL, &both), ABUT_OK);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
        return both;
    }
}

/// Bodies of all kinds far from the origin, some of them moved by hand since the last step, over a plane.
static void make_scene(Scene* scene, double far)
{
    *scene = (Scene){ .world = test_make_world(NULL), .random = { 7 } };
    AbutShape* plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), -2.0f, NULL, &plane), ABUT_OK);
    for (int i = 0; i < BODIES; ++i)
    {
        AbutBodyDef def = abut_body_def();
        scene->shapes[i] = i == 0 ? plane : make_shape(i);
        scene->exact[i] = i % 6 == 3   ? test_make_torus(0.4f, 0.12f)
                          : i % 6 == 4 ? test_make_box(0.6f, 0.5f, 0.4f)
                                       : abut_shape_retain(scene->shapes[i]);
        def.shape = abut_shape_retain(scene->shapes[i]);
        def.kind = i == 0 ? ABUT_BODY_STATIC : i % 2 == 0 ? ABUT_BODY_DYNAMIC : ABUT_BODY_KINEMATIC;
        AbutVec3 at = i == 0 ? abut_vec3(0.0f, 0.0f, 0.0f) : test_random_point(&scene->random, 1.5);
        def.pose = abut_pose_at(far + (double)at.x, (double)at.y, (double)at.z - far);
        def.pose.rotation = i == 0 ? abut_quat_identity() : test_random_rotation(&scene->random);
        def.pose.scale = i % 5 == 4 ? 1.5f : 1.0f;
        def.group = 1u << (i % 4);
        scene->bodies[i] = test_add_body_of(scene->world, &def);
    }
    test_steps(scene->world, 2);
    for (int i = 3; i < BODIES; i += 5)
    {
        AbutPose pose = abut_body_state(scene->world, scene->bodies[i]).pose;
        pose.position.x += 0.7;
        test_assert_result(abut_body_set_pose(scene->world, scene->bodies[i], &pose), ABUT_OK);
    }
}

static void destroy_scene(Scene* scene)
{
    abut_world_destroy(scene->world);
    for (int i = 0; i < BODIES; ++i)
    {
        abut_shape_destroy(scene->shapes[i]);
        abut_shape_destroy(scene->exact[i]);
    }
}

static bool is_masked(int body, uint32_t mask)
{
    return ((1u << (body % 4)) & mask) == 0;
}

/// The smallest distance of any body, and whose it is.
static double distance_of_all(const Scene* scene, AbutShape* const* shapes, AbutPosition at, uint32_t mask,
                              int* nearest)
{
    double least = INFINITY;
    for (int i = 0; i < BODIES; ++i)
    {
        AbutPose pose = abut_body_state(scene->world, scene->bodies[i]).pose;
        double d = is_masked(i, mask) ? INFINITY : (double)abut_shape_distance_at(shapes[i], &pose, at, NULL);
        *nearest = d < least ? i : *nearest;
        least = fmin(least, d);
    }
    return least;
}

static AbutPosition along(const AbutRayInput* ray, double t)
{
    return (AbutPosition){ ray->origin.x + t * (double)ray->direction.x,
                           ray->origin.y + t * (double)ray->direction.y,
                           ray->origin.z + t * (double)ray->direction.z };
}

static void check_ray(const Scene* scene, const AbutRayInput* ray, double longest, int counts[3])
{
    AbutRayOutput hit;
    int whose = 0;
    test_assert_result(abut_world_cast_ray(scene->world, ray, &hit), ABUT_OK);
    double end = fmin(longest, (double)ray->limit);
    double until = hit.state == ABUT_CAST_MISS ? end : hit.time - 1e-4;
    for (int i = 0; i < SAMPLES; ++i)
    {
        double t = end * i / SAMPLES;
        if (t <= until)
        {
            assert_true(distance_of_all(scene, scene->shapes, along(ray, t), ray->mask, &whose) > -1e-4);
        }
    }
    counts[hit.state == ABUT_CAST_MISS ? 0 : hit.state == ABUT_CAST_HIT ? 1 : 2] += 1;
    if (hit.state == ABUT_CAST_HIT)
    {
        assert_true(hit.time <= (double)ray->limit);
        test_assert_near(distance_of_all(scene, scene->shapes, hit.position, ray->mask, &whose), 0.0, 1e-4);
        assert_true(scene->bodies[whose].index == hit.body.index);
        test_assert_near(abut_vec3_length(hit.normal), 1.0, 1e-5);
        assert_true(test_position_distance(hit.position, along(ray, hit.time)) < 1e-9);
    }
    else if (hit.state == ABUT_CAST_INSIDE)
    {
        assert_true(hit.time == 0.0 &&
                    distance_of_all(scene, scene->shapes, ray->origin, ray->mask, &whose) < 1e-4);
    }
}

static void test_rays_meet_the_first_body_and_no_later_one(void** state)
{
    (void)state;
    const double offsets[2] = { 0.0, 5000.0 };
    int counts[3] = { 0 };
    for (int offset_index = 0; offset_index < 2; ++offset_index)
    {
        Scene scene;
        make_scene(&scene, offsets[offset_index]);
        for (int i = 0; i < RAYS; ++i)
        {
            AbutVec3 from = test_random_point(&scene.random, i % 3 == 0 ? 1.0 : 4.0);
            AbutPosition origin = { offsets[offset_index] + (double)from.x, (double)from.y,
                                    (double)from.z - offsets[offset_index] };
            AbutRayInput ray = abut_ray_input(origin, test_random_direction(&scene.random));
            if (i % 2 == 0 && i % 3 != 0)
            {
                ray.direction = abut_vec3_scale(from, -0.3f); // into the middle
            }
            ray.limit = i % 4 == 0 ? (float)test_random_range(&scene.random, 0.5, 3.0) : INFINITY;
            ray.mask = i % 5 == 0 ? 5u : UINT32_MAX;
            check_ray(&scene, &ray, 20.0, counts);
        }
        destroy_scene(&scene);
    }
    assert_true(counts[0] > 10 && counts[1] > 20 && counts[2] > 5);
}

/// Both the whole way down and far beyond any body's size.
static void test_a_ray_from_far_away_meets_the_plane_where_it_is(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyId ground = test_add_ground(world, 0.0, test_plain);
    for (int i = 0; i < 40; ++i)
    {
        double height = pow(4.0, (double)i - 10.0);
        AbutRayInput ray = abut_ray_input((AbutPosition){ 3.0, height, -2.0 }, abut_vec3(0.6f, -0.8f, 0.0f));
        AbutRayOutput hit;
        test_assert_result(abut_world_cast_ray(world, &ray, &hit), ABUT_OK);
        assert_int_equal(hit.state, ABUT_CAST_HIT);
        assert_int_equal(hit.body.index, ground.index);
        assert_true(hit.time <= height / (double)0.8f + 1e-12 &&
                    hit.time > (1.0 - 2e-4) * height / (double)0.8f - 1e-4);
        ray.direction.y = 0.8f;
        test_assert_result(abut_world_cast_ray(world, &ray, &hit), ABUT_OK);
        assert_int_equal(hit.state, ABUT_CAST_MISS);
    }
    abut_world_destroy(world);
}

/// 7000 km from the origin of a plane that is scaled and turned: the ray dips into it by less than double
/// rounds there.
static void test_a_ray_that_dips_into_a_plane_far_from_its_origin_is_no_miss(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyDef def = abut_body_def();
    AbutShape* plane = NULL;
    AbutBodyId id;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    def.shape = plane;
    def.kind = ABUT_BODY_STATIC;
    def.pose.position = (AbutPosition){ 0x1.efe29c55cefbep+2, 0x1.8a192aaa165ecp+5, 0x1.b9d23f03cd008p+5 };
    def.pose.rotation = (AbutQuat){ 0x1.a960c2p-3f, 0x1.b910dp-3f, -0x1.20001ep-5f, 0x1.e83696p-1f };
    def.pose.scale = 0x1.a032ep+7f;
    test_assert_result(abut_body_create(world, &def, &id), ABUT_OK);
    AbutRayInput ray =
        abut_ray_input((AbutPosition){ 0x1.adf19fdb3d67ep+22, 0x1.41bffb3564b7p+17, -0x1.91575bda2f71p+21 },
                       abut_vec3(0x1.4b1348p-17f, -0x1.b113ecp-18f, 0x1.7deeecp-17f));
    ray.limit = 0x1.bb2306p+0f;
    AbutRayOutput hit;
    test_assert_result(abut_world_cast_ray(world, &ray, &hit), ABUT_OK);
    assert_int_not_equal(hit.state, ABUT_CAST_MISS);
    abut_world_destroy(world);
    abut_shape_destroy(plane);
}

/// A ray along a ground without an end stays over it, however little that is.
static void test_a_ray_along_a_plane_misses_it(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    test_add_ground(world, 0.0, test_plain);
    AbutRayInput ray = abut_ray_input((AbutPosition){ 3.0, 1e-3, -2.0 }, abut_vec3(0.6f, 0.0f, 0.8f));
    AbutRayOutput hit;
    test_assert_result(abut_world_cast_ray(world, &ray, &hit), ABUT_OK);
    assert_int_equal(hit.state, ABUT_CAST_MISS);
    abut_world_destroy(world);
}

static void test_overlaps_are_those_of_each_body_alone(void** state)
{
    (void)state;
    Scene scene;
    make_scene(&scene, 100.0);
    uint32_t most = 0;
    for (int i = 0; i < 40; ++i)
    {
        AbutShape* shape = make_shape(i);
        AbutVec3 at = test_random_point(&scene.random, 2.0);
        AbutPose pose = abut_pose_at(100.0 + (double)at.x, (double)at.y, (double)at.z - 100.0);
        pose.rotation = test_random_rotation(&scene.random);
        AbutOverlapInput input = abut_overlap_input(shape, pose);
        input.mask = i % 3 == 0 ? 6u : UINT32_MAX;
        AbutOverlap all[BODIES], few[2];
        uint32_t count, again, next = 0;
        test_assert_result(abut_world_overlap(scene.world, &input, all, BODIES, &count), ABUT_OK);
        test_assert_result(abut_world_overlap(scene.world, &input, few, 2, &again), ABUT_OK);
        assert_int_equal(count, again);
        for (int k = 0; k < BODIES; ++k)
        {
            AbutCollideInput pair = abut_collide_input(shape, scene.shapes[k]);
            pair.pose_a = pose;
            pair.pose_b = abut_body_state(scene.world, scene.bodies[k]).pose;
            AbutCollideState expected =
                is_masked(k, input.mask) ? ABUT_COLLIDE_SEPARATED : abut_collide(&pair, NULL, 0).state;
            if (expected != ABUT_COLLIDE_SEPARATED)
            {
                assert_true(next < count);
                assert_int_equal(all[next].body.index, scene.bodies[k].index);
                assert_int_equal(all[next].state, expected);
                assert_true(next >= 2 || few[next].body.index == all[next].body.index);
                ++next;
            }
        }
        assert_int_equal(next, count);
        most = count > most ? count : most;
        abut_shape_destroy(shape);
    }
    assert_true(most >= 3);
    destroy_scene(&scene);
}

/// For a box less a ball, whose numbers are no distances outside: the nearest of many points of its surface.
static double sampled_distance(const AbutShape* shape, const AbutPose* pose, AbutPosition from)
{
    AbutPointsDef def = abut_points_def();
    def.count = 2000;
    AbutPointSet* points = NULL;
    test_assert_result(abut_points_create_from_shape(&def, shape, &points), ABUT_OK);
    AbutPointData data = abut_points_data(points);
    double least = INFINITY;
    for (uint32_t i = 0; i < data.count; ++i)
    {
        AbutVec3 at = abut_vec3(data.positions.x[i], data.positions.y[i], data.positions.z[i]);
        least = fmin(least, test_position_distance(abut_pose_transform_point(pose, at), from));
    }
    abut_points_destroy(points);
    return least;
}

static void test_the_nearest_point_is_as_near_as_the_nearest_body(void** state)
{
    (void)state;
    Scene scene;
    make_scene(&scene, 10.0);
    int inside = 0, holed = 0;
    for (int i = 0; i < 80; ++i)
    {
        AbutVec3 at = test_random_point(&scene.random, 1.7);
        AbutPosition from = { 10.0 + (double)at.x, (double)at.y, (double)at.z - 10.0 };
        from = i % 6 == 1 ? abut_body_state(scene.world, scene.bodies[1 + i % 7]).center : from;
        uint32_t mask = i % 4 == 0 ? 2u : UINT32_MAX; // bodies 1, 5, 9, ...
        AbutNearestOutput nearest;
        int whose = 0;
        test_assert_result(abut_world_nearest(scene.world, from, INFINITY, mask, &nearest), ABUT_OK);
        assert_true(nearest.found);
        double expected = distance_of_all(&scene, scene.exact, from, mask, &whose);
        double surface = 1.0;
        int owner = 0;
        for (int k = 0; k < BODIES; ++k)
        {
            owner = scene.bodies[k].index == nearest.body.index ? k : owner;
        }
        AbutPose pose = abut_body_state(scene.world, nearest.body).pose;
        surface = (double)abut_shape_distance_at(scene.shapes[owner], &pose, nearest.position, NULL);
        test_assert_near(surface, 0.0, 1e-4);
        test_assert_near(fabs(nearest.distance), test_position_distance(nearest.position, from), 1e-6);
        bool exact = whose == owner && owner % 6 != 5;
        if (exact)
        {
            test_assert_near(nearest.distance, expected, owner % 6 == 3 || owner % 6 == 4 ? 0.02 : 1e-4);
        }
        else if (nearest.distance > 0.0 && owner % 6 == 5)
        {
            double sampled = sampled_distance(scene.shapes[owner], &pose, from);
            assert_true(nearest.distance <= sampled + 1e-4 && nearest.distance > sampled - 0.03);
            ++holed;
        }
        inside += nearest.distance < 0.0 ? 1 : 0;
        AbutNearestOutput none;
        test_assert_result(
            abut_world_nearest(scene.world, from, (float)(0.99 * fmax(nearest.distance, 0.0)), mask, &none),
            ABUT_OK);
        assert_true(none.found == (nearest.distance <= 0.0));
    }
    if (inside <= 5 || holed <= 2)
    {
        fail_msg("%d places inside of bodies, %d beside one with a hole: too few", inside, holed);
    }
    destroy_scene(&scene);
}

static void test_queries_without_numbers_are_refused(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutPosition nowhere = { NAN, 0.0, 0.0 }, here = { 0.0, 0.0, 0.0 };
    AbutRayInput rays[4] = { abut_ray_input(nowhere, abut_vec3(1.0f, 0.0f, 0.0f)),
                             abut_ray_input(here, abut_vec3(0.0f, 0.0f, 0.0f)),
                             abut_ray_input(here, abut_vec3(INFINITY, 0.0f, 0.0f)),
                             abut_ray_input(here, abut_vec3(1.0f, 0.0f, 0.0f)) };
    rays[3].limit = -1.0f;
    AbutRayOutput hit;
    for (int i = 0; i < 4; ++i)
    {
        test_assert_result(abut_world_cast_ray(world, &rays[i], &hit), ABUT_INVALID_ARGUMENT);
    }
    uint32_t count;
    AbutOverlapInput input = abut_overlap_input(NULL, abut_pose_identity());
    test_assert_result(abut_world_overlap(world, &input, NULL, 0, &count), ABUT_INVALID_ARGUMENT);
    AbutNearestOutput nearest;
    test_assert_result(abut_world_nearest(world, nowhere, 1.0f, UINT32_MAX, &nearest), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_world_nearest(world, here, NAN, UINT32_MAX, &nearest), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_world_nearest(world, here, INFINITY, UINT32_MAX, &nearest), ABUT_OK);
    assert_false(nearest.found); // nobody is there
    abut_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_meet_the_first_body_and_no_later_one),
        cmocka_unit_test(test_a_ray_from_far_away_meets_the_plane_where_it_is),
        cmocka_unit_test(test_a_ray_that_dips_into_a_plane_far_from_its_origin_is_no_miss),
        cmocka_unit_test(test_a_ray_along_a_plane_misses_it),
        cmocka_unit_test(test_overlaps_are_those_of_each_body_alone),
        cmocka_unit_test(test_the_nearest_point_is_as_near_as_the_nearest_body),
        cmocka_unit_test(test_queries_without_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
