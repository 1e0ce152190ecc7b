// One ray against a shape: distance, position and normal of closed forms, never late.
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum
{
    RAYS = 2000
};

/// Grazing rays have no sharp distance: a hit may be early by the rounding over this cosine.
#define MIN_COSINE 0.1

typedef struct Truth
{
    bool hit;
    double distance;
    double normal[3];
    double cosine; // of ray and normal, ≥ 0; 0 near the border of hits and misses
} Truth;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit_direction(const AbutRay* ray, double out[3])
{
    const double d[3] = { ray->direction.x, ray->direction.y, ray->direction.z };
    double length = sqrt(dot(d, d));
    for (int i = 0; i < 3; ++i)
    {
        out[i] = d[i] / length;
    }
}

static Truth sphere_truth(const AbutRay* ray, double radius)
{
    const double o[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
    double d[3];
    unit_direction(ray, d);
    double b = dot(o, d), discriminant = b * b - dot(o, o) + radius * radius;
    Truth truth = { .hit = discriminant > 0.0 && b < 0.0 };
    truth.cosine = sqrt(fabs(discriminant)) / radius;
    truth.distance = -b - sqrt(fmax(discriminant, 0.0));
    for (int i = 0; i < 3; ++i)
    {
        truth.normal[i] = (o[i] + truth.distance * d[i]) / radius;
    }
    return truth;
}

static Truth plane_truth(const AbutRay* ray, const double normal[3], double offset)
{
    const double o[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
    double d[3];
    unit_direction(ray, d);
    double along = dot(d, normal);
    Truth truth = { .hit = along < 0.0,
                    .cosine = fabs(along),
                    .distance = (offset - dot(o, normal)) / along };
    memcpy(truth.normal, normal, sizeof(truth.normal));
    return truth;
}

static Truth box_truth(const AbutRay* ray, const double half[3])
{
    const double o[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
    double d[3], enter = -INFINITY, leave = INFINITY, second = -INFINITY;
    Truth truth = { .hit = false };
    unit_direction(ray, d);
    for (int i = 0; i < 3; ++i)
    {
        double near = (-copysign(half[i], d[i]) - o[i]) / d[i], far = (copysign(half[i], d[i]) - o[i]) / d[i];
        second = fmax(second, fmin(enter, near));
        if (near > enter)
        {
            enter = near;
            memset(truth.normal, 0, sizeof(truth.normal));
            truth.normal[i] = d[i] > 0.0 ? -1.0 : 1.0;
            truth.cosine = fabs(d[i]);
        }
        leave = fmin(leave, far);
    }
    truth.hit = enter < leave && enter > 0.0;
    truth.distance = enter;
    bool sharp = fabs(leave - enter) > 1e-3 && enter - second > 1e-3; // not across an edge
    truth.cosine = sharp ? truth.cosine : 0.0;
    return truth;
}

/// From outside of a ball of radius 2, roughly towards the origin, with a direction of any length.
static AbutRay random_ray(TestRandom* random)
{
    AbutVec3 direction = test_random_direction(random);
    AbutVec3 from = abut_vec3_scale(direction, (float)test_random_range(random, 2.0, 6.0));
    AbutVec3 to = test_random_point(random, 0.8);
    float length = (float)exp(test_random_range(random, -12.0, 12.0));
    AbutRay ray = { from, abut_vec3_scale(abut_vec3_sub(to, from), length), INFINITY };
    return ray;
}

static AbutRayHit cast(const AbutShape* shape, const AbutRay* ray)
{
    AbutCastSettings settings = abut_cast_settings();
    AbutRayHit hit;
    test_assert_result(abut_cast_ray(shape, &settings, ray, &hit), ABUT_OK);
    return hit;
}

/// `error` is that of the shape along its normal. Returns whether the ray was a sharp hit.
static bool check_hit(const AbutShape* shape, const AbutRay* ray, const Truth* truth, double error)
{
    if (truth->cosine < MIN_COSINE)
    {
        return false;
    }
    AbutRayHit hit = cast(shape, ray);
    assert_int_equal(hit.state, truth->hit ? ABUT_CAST_HIT : ABUT_CAST_MISS);
    if (!truth->hit)
    {
        assert_true(hit.distance == ray->max_distance && abut_vec3_length(hit.normal) == 0.0f);
        return false;
    }
    double early = (error + 6e-5) / truth->cosine, d[3];
    assert_true((double)hit.distance <= truth->distance + error / truth->cosine + 1e-6);
    assert_true((double)hit.distance >= truth->distance - early);
    unit_direction(ray, d);
    const double origin[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
    const float position[3] = { hit.position.x, hit.position.y, hit.position.z };
    const float normal[3] = { hit.normal.x, hit.normal.y, hit.normal.z };
    for (int i = 0; i < 3; ++i)
    {
        test_assert_near(position[i], origin[i] + (double)hit.distance * d[i], 2e-6);
        test_assert_near(normal[i], truth->normal[i], error > 0.0 ? 0.1 : 5e-3);
    }
    return true;
}

static void test_rays_hit_spheres_boxes_and_planes_at_closed_forms(void** state)
{
    (void)state;
    AbutShape *ball = test_make_sphere(0.7f), *box = test_make_box(0.8f, 1.0f, 0.6f), *plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(2.0f, 6.0f, 3.0f), 0.25f, NULL, &plane), ABUT_OK);
    const double half[3] = { 0.5 * (double)0.8f, 0.5, 0.5 * (double)0.6f };
    const double normal[3] = { 2.0 / 7.0, 6.0 / 7.0, 3.0 / 7.0 };
    TestRandom random = { 71 };
    int hits[3] = { 0 };
    for (int i = 0; i < TEST_ROUNDS(RAYS); ++i)
    {
        AbutRay ray = random_ray(&random);
        Truth truth = sphere_truth(&ray, (double)0.7f);
        hits[0] += check_hit(ball, &ray, &truth, 0.0) ? 1 : 0;
        truth = box_truth(&ray, half);
        hits[1] += check_hit(box, &ray, &truth, 0.0) ? 1 : 0;
        truth = plane_truth(&ray, normal, 0.25);
        const double o[3] = { ray.origin.x, ray.origin.y, ray.origin.z };
        if (dot(o, normal) > 0.25) // from above
        {
            hits[2] += check_hit(plane, &ray, &truth, 0.0) ? 1 : 0;
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        assert_true(hits[i] > TEST_ROUNDS(RAYS) / 5);
    }
    abut_shape_destroy(ball);
    abut_shape_destroy(box);
    abut_shape_destroy(plane);
}

static void test_rays_hit_fields_within_their_error(void** state)
{
    (void)state;
    AbutShape* ball = test_make_sphere(0.7f);
    TestRandom random = { 72 };
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutShape* field = NULL;
        AbutBakeDef def = abut_bake_def();
        def.resolution = 48;
        def.sparse = sparse == 1;
        test_assert_result(abut_bake_shape(&def, ball, &field), ABUT_OK);
        double error = (double)abut_field_info(field).error_bound;
        int hits = 0;
        for (int i = 0; i < TEST_ROUNDS(RAYS); ++i)
        {
            AbutRay ray = random_ray(&random);
            Truth truth = sphere_truth(&ray, (double)0.7f);
            hits += truth.cosine > 0.3 && check_hit(field, &ray, &truth, error) ? 1 : 0;
        }
        assert_true(hits > TEST_ROUNDS(RAYS) / 5);
        abut_shape_destroy(field);
    }
    abut_shape_destroy(ball);
}

static void test_rays_end_at_their_max_distance(void** state)
{
    (void)state;
    AbutShape* ball = test_make_sphere(1.0f);
    AbutRay ray = { abut_vec3(-4.0f, 0.0f, 0.0f), abut_vec3(5.0f, 0.0f, 0.0f), 2.99f };
    AbutRayHit hit = cast(ball, &ray);
    assert_int_equal(hit.state, ABUT_CAST_MISS);
    assert_true(hit.distance == 2.99f);
    ray.max_distance = 3.01f;
    hit = cast(ball, &ray);
    assert_int_equal(hit.state, ABUT_CAST_HIT);
    test_assert_near(hit.distance, 3.0, 1e-4);
    ray.max_distance = 0.0f;
    assert_int_equal(cast(ball, &ray).state, ABUT_CAST_MISS);
    ray.origin.x = 0.25f;
    hit = cast(ball, &ray);
    assert_int_equal(hit.state, ABUT_CAST_INSIDE);
    assert_true(hit.distance == 0.0f && hit.position.x == 0.25f);
    test_assert_near(hit.normal.x, 1.0, 1e-6);
    abut_shape_destroy(ball);
}

static void test_rays_meet_other_levels_and_far_planes(void** state)
{
    (void)state;
    AbutShape *ball = test_make_sphere(0.5f), *plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    AbutCastSettings settings = abut_cast_settings();
    AbutRay ray = { abut_vec3(0.0f, 0.0f, 3.0f), abut_vec3(0.0f, 0.0f, -1.0f), INFINITY };
    AbutRayHit hit;
    settings.iso = 0.25f;
    test_assert_result(abut_cast_ray(ball, &settings, &ray, &hit), ABUT_OK);
    assert_int_equal(hit.state, ABUT_CAST_HIT);
    test_assert_near(hit.distance, 2.25, 1e-4);
    settings.iso = -0.25f;
    test_assert_result(abut_cast_ray(ball, &settings, &ray, &hit), ABUT_OK);
    test_assert_near(hit.distance, 2.75, 1e-4);
    // 1000 lengths away at 1 in 1000: the relative precision stays.
    ray = (AbutRay){ abut_vec3(0.0f, 1.0f, 0.0f), abut_vec3(1000.0f, -1.0f, 0.0f), 1e30f };
    hit = cast(plane, &ray);
    assert_int_equal(hit.state, ABUT_CAST_HIT);
    assert_true(hit.distance <= 1000.001f && hit.distance > 990.0f);
    ray.direction.y = 0.0f;
    assert_int_equal(cast(plane, &ray).state, ABUT_CAST_MISS);
    ray.direction.y = 1e-3f;
    ray.max_distance = INFINITY;
    assert_int_equal(cast(plane, &ray).state, ABUT_CAST_MISS);
    abut_shape_destroy(ball);
    abut_shape_destroy(plane);
}

static void expect_refused(const AbutShape* shape, const AbutCastSettings* settings, AbutRay ray)
{
    AbutRayHit hit = { .distance = 7.0f };
    test_assert_result(abut_cast_ray(shape, settings, &ray, &hit), ABUT_INVALID_ARGUMENT);
    assert_true(hit.distance == 7.0f);
}

static void test_invalid_rays_are_refused(void** state)
{
    (void)state;
    AbutShape* ball = test_make_sphere(0.5f);
    AbutCastSettings settings = abut_cast_settings();
    const AbutVec3 zero = { 0.0f, 0.0f, 0.0f }, x = { 1.0f, 0.0f, 0.0f };
    expect_refused(ball, &settings, (AbutRay){ zero, zero, 1.0f });
    expect_refused(ball, &settings, (AbutRay){ zero, abut_vec3(NAN, 1.0f, 0.0f), 1.0f });
    expect_refused(ball, &settings, (AbutRay){ zero, abut_vec3(INFINITY, 1.0f, 0.0f), 1.0f });
    expect_refused(ball, &settings, (AbutRay){ abut_vec3(0.0f, INFINITY, 0.0f), x, 1.0f });
    expect_refused(ball, &settings, (AbutRay){ zero, x, -1.0f });
    expect_refused(ball, &settings, (AbutRay){ zero, x, NAN });
    settings.iso = NAN;
    expect_refused(ball, &settings, (AbutRay){ abut_vec3(9.0f, 9.0f, 9.0f), x, 1.0f });
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_hit_spheres_boxes_and_planes_at_closed_forms),
        cmocka_unit_test(test_rays_hit_fields_within_their_error),
        cmocka_unit_test(test_rays_end_at_their_max_distance),
        cmocka_unit_test(test_rays_meet_other_levels_and_far_planes),
        cmocka_unit_test(test_invalid_rays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
