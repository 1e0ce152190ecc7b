// The method of particles: its Algorithm 1 against a transcription of the paper, its Algorithm 2 against the
// same steps in double, and its answers against closed forms.
#include "contact/contact_list.h"
#include "narrow/particles/particles.h"
#include "narrow/prove/overlap.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CAPACITY = 20000
};

static AbutContact contacts[CAPACITY];

static AbutCollideInput particles_input(const AbutShape* a, const AbutShape* b)
{
    AbutCollideInput input = abut_collide_input(a, b);
    input.settings.method = ABUT_COLLIDE_PARTICLES;
    return input;
}

// -----------------------------------------------------------------------------------------------------------
// Algorithm 1
// -----------------------------------------------------------------------------------------------------------

/// Half is up, also where the rounding of the lines before left it a little short.
static double round_up(double r)
{
    return fmax(round(r + 1e-9), 1.0);
}

/// The paper's lines, one by one.
static void algorithm_1(const double b[3], double n, double r[3])
{
    double a2 = b[1] / b[0];
    double a3 = b[2] / b[0];
    double r1 = n / cbrt(a2 * a3);
    double r2 = r1 * a2;
    double r3 = round_up(r1 * a3);
    double q = sqrt(r1 * r2 * r3 / (n * n * n));
    r1 = r1 / q;
    r2 = round_up(r2 / q);
    q = r1 * r2 * r3 / (n * n * n);
    r1 = round_up(r1 / q);
    r[0] = r1;
    r[1] = r2;
    r[2] = r3;
}

static void test_resolutions_are_those_of_the_paper(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int i = 0; i < 20000; ++i)
    {
        double b[3] = { 1.0, 0.0, 0.0 }, expected[3];
        b[1] = pow(10.0, test_random_range(&random, -4.0, 0.0));
        b[2] = b[1] * pow(10.0, test_random_range(&random, -4.0, 0.0));
        uint32_t n = 1 + (uint32_t)(test_random_bits(&random) % 32), actual[3];
        algorithm_1(b, n, expected);
        // Any order of the sides gives each side its own.
        int first = (int)(test_random_bits(&random) % 3), second = (first + 1 + (int)(i % 2)) % 3,
            third = 3 - first - second;
        double sides[3];
        sides[first] = b[0];
        sides[second] = b[1];
        sides[third] = b[2];
        abut_particle_resolution(abut_dvec3_from_array(sides), n, actual);
        if (actual[first] != (uint32_t)expected[0] || actual[second] != (uint32_t)expected[1] ||
            actual[third] != (uint32_t)expected[2])
        {
            fail_msg("N %u, sides %g %g %g: %u %u %u, the paper has %g %g %g", n, b[0], b[1], b[2],
                     actual[first], actual[second], actual[third], expected[0], expected[1], expected[2]);
        }
    }
}

static void test_resolutions_make_about_n_cubed_particles(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (int i = 0; i < 20000; ++i)
    {
        uint32_t n = 1 + (uint32_t)(test_random_bits(&random) % 256), r[3];
        double sides[3], most = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            sides[axis] = i % 7 == axis ? 0.0 : pow(10.0, test_random_range(&random, -30.0, 30.0));
            most = fmax(most, sides[axis]);
        }
        abut_particle_resolution(abut_dvec3_from_array(sides), n, r);
        double product = (double)r[0] * r[1] * r[2], cube = (double)n * n * n;
        double longest = fmax(r[0], fmax(r[1], r[2]));
        if (!(fabs(product - cube) <= 0.5 * product / longest)) // what rounding the longest side can do
        {
            fail_msg("N %u: %u x %u x %u", n, r[0], r[1], r[2]);
        }
    }
}

static void test_a_cube_a_sheet_a_line_and_a_point_have_resolutions(void** state)
{
    (void)state;
    static const struct
    {
        double sides[3];
        uint32_t n, expected[3];
    } cases[] = {
        { { 2.0, 2.0, 2.0 }, 10, { 10, 10, 10 } },      { { 0.5, 0.5, 0.5 }, 256, { 256, 256, 256 } },
        { { 1.0, 0.0, 1.0 }, 4, { 8, 1, 8 } },          { { 0.0, 4.0, 1.0 }, 4, { 1, 16, 4 } },
        { { 0.0, 0.0, 3.0 }, 5, { 1, 1, 125 } },        { { 0.0, 0.0, 0.0 }, 20, { 1, 1, 1 } },
        { { 1.0, 1e-30, 1e-30 }, 5, { 125, 1, 1 } },    { { 8.0, 1.0, 1.0 }, 4, { 16, 2, 2 } },
        { { 1e38, 1e-38, 1e-38 }, 10, { 1000, 1, 1 } }, { { 1.0, 2.0, 3.0 }, 1, { 1, 1, 1 } },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        uint32_t r[3];
        abut_particle_resolution(abut_dvec3_from_array(cases[i].sides), cases[i].n, r);
        if (memcmp(r, cases[i].expected, sizeof(r)) != 0)
        {
            fail_msg("case %zu: %u %u %u", i, r[0], r[1], r[2]);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Algorithm 2
// -----------------------------------------------------------------------------------------------------------

typedef struct Ball
{
    double center[3], radius;
} Ball;

static double ball_distance(const Ball* ball, const double p[3], double gradient[3])
{
    double d[3], length = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        d[axis] = p[axis] - ball->center[axis];
        length += d[axis] * d[axis];
    }
    length = sqrt(length);
    for (int axis = 0; axis < 3; ++axis)
    {
        gradient[axis] = d[axis] / length;
    }
    return length - ball->radius;
}

/// The paper's Algorithm 2; true when it hits, with *least the smallest of all max(da, db) − epsilon on the
/// way.
static bool algorithm_2(const Ball balls[2], double p[3], double epsilon, int steps, double relaxation,
                        double* closest)
{
    for (int i = 0; i < steps; ++i)
    {
        double g[2][3];
        double da = ball_distance(&balls[0], p, g[0]), db = ball_distance(&balls[1], p, g[1]);
        *closest = fmin(*closest, fabs(fmax(da, db) - epsilon));
        if (fmax(da, db) < epsilon)
        {
            return true;
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            p[axis] -= relaxation * fmax(da, db) * (da >= db ? g[0][axis] : g[1][axis]);
        }
    }
    return false;
}

/// All particles of the common box of two balls in double: how many hit, and the sum of their places.
static int count_hits(const Ball balls[2], uint32_t n, double epsilon, double relaxation, double sum[3],
                      int* doubtful)
{
    double low[3], sides[3];
    uint32_t r[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double high = INFINITY;
        low[axis] = -INFINITY;
        for (int k = 0; k < 2; ++k)
        {
            low[axis] = fmax(low[axis], balls[k].center[axis] - balls[k].radius);
            high = fmin(high, balls[k].center[axis] + balls[k].radius);
        }
        sides[axis] = high - low[axis];
    }
    abut_particle_resolution(abut_dvec3_from_array(sides), n, r);
    int hits = 0;
    for (uint32_t i = 0; i < r[0] * r[1] * r[2]; ++i)
    {
        const uint32_t cell[3] = { i % r[0], i / r[0] % r[1], i / r[0] / r[1] };
        double p[3], closest = INFINITY;
        for (int axis = 0; axis < 3; ++axis)
        {
            p[axis] = low[axis] + (cell[axis] + 0.5) / r[axis] * sides[axis];
        }
        bool hit = algorithm_2(balls, p, epsilon, 8, relaxation, &closest);
        *doubtful += closest < 1e-6 ? 1 : 0;
        for (int axis = 0; axis < 3 && hit; ++axis)
        {
            sum[axis] += p[axis];
        }
        hits += hit ? 1 : 0;
    }
    return hits;
}

static void test_particles_move_as_in_the_paper(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.3f);
    TestRandom random = { 3 };
    int total = 0;
    for (int i = 0; i < 300; ++i)
    {
        AbutVec3 u = test_random_direction(&random);
        double d = test_random_range(&random, 0.3, 0.82);
        AbutCollideInput input = particles_input(a, b);
        input.pose_b = abut_pose_at(d * (double)u.x, d * (double)u.y, d * (double)u.z);
        input.settings.tolerance = 1e-3f;
        input.settings.particles.relaxation = i % 2 == 0 ? 1.0f : 1.4f;
        input.settings.particles.resolution = 1 + (uint32_t)i % 12;
        Ball balls[2] = { { { 0.0, 0.0, 0.0 }, 0.5 }, { { 0.0, 0.0, 0.0 }, (double)0.3f } };
        AbutPosition p = input.pose_b.position;
        memcpy(balls[1].center, (double[3]){ p.x, p.y, p.z }, sizeof(balls[1].center));
        double sum[3] = { 0.0, 0.0, 0.0 }, actual[3] = { 0.0, 0.0, 0.0 };
        int doubtful = 0;
        int expected = count_hits(balls, input.settings.particles.resolution, (double)1e-3f,
                                  (double)input.settings.particles.relaxation, sum, &doubtful);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        for (uint32_t k = 0; k < output.contact_count; ++k)
        {
            actual[0] += (double)contacts[k].position.x;
            actual[1] += (double)contacts[k].position.y;
            actual[2] += (double)contacts[k].position.z;
        }
        total += (int)output.contact_count;
        assert_int_equal(output.contact_count, output.contact_total);
        if (abs((int)output.contact_count - expected) > doubtful)
        {
            fail_msg("pair %d: %d arrived, %d in double, %d doubtful", i, output.contact_count, expected,
                     doubtful);
        }
        for (int axis = 0; axis < 3 && (int)output.contact_count == expected; ++axis)
        {
            test_assert_near(actual[axis], sum[axis], 1e-5 * expected + 1e-3 * doubtful + 1e-9);
        }
    }
    assert_true(total > 10000);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_contacts_of_spheres_have_the_closed_form(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.25f);
    TestRandom random = { 4 };
    for (int i = 0; i < 200; ++i)
    {
        AbutCollideInput input = particles_input(a, b);
        AbutVec3 u = test_random_direction(&random);
        float scale = (float)test_random_range(&random, 0.5, 2.0);
        double d = test_random_range(&random, 0.2, 0.5 + 0.2 * (double)scale);
        input.pose_b = abut_pose_at(d * (double)u.x, d * (double)u.y, d * (double)u.z);
        input.pose_b.scale = scale;
        input.pose_b.rotation = test_random_rotation(&random);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
        assert_true(output.contact_count > 0);
        AbutVec3 center = abut_vec3_scale(u, (float)d);
        for (uint32_t k = 0; k < output.contact_count; ++k)
        {
            const AbutContact* c = &contacts[k];
            AbutVec3 from_b = abut_vec3_sub(c->position, center);
            float fa = abut_vec3_length(c->position) - 0.5f;
            float fb = abut_vec3_length(from_b) - 0.25f * scale;
            assert_true(fmaxf(fa, fb) < 1.01e-3f);
            test_assert_near(c->separation, fminf(fa, fb), 1e-5);
            if (abut_vec3_length(from_b) > 1e-3f)
            {
                test_assert_near(abut_vec3_dot(c->normal, from_b) / abut_vec3_length(from_b), 1.0, 1e-4);
            }
            assert_true(k == 0 || contacts[k - 1].id <= c->id);
        }
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_a_sphere_on_a_plane_has_the_plane_s_normal(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *plane = NULL;
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), ABUT_OK);
    AbutCollideInput input = particles_input(a, plane);
    input.pose_a = abut_pose_at(3.0, 0.45, -2.0);
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    float deepest = 0.0f;
    for (uint32_t k = 0; k < output.contact_count; ++k)
    {
        test_assert_near(contacts[k].normal.y, 1.0, 1e-5);
        test_assert_near(contacts[k].separation,
                         fminf(abut_vec3_length(contacts[k].position) - 0.5f, contacts[k].position.y + 0.45f),
                         1e-5);
        deepest = fminf(deepest, contacts[k].separation);
    }
    test_assert_near(deepest, -0.0375, 0.0126); // particles that start in both stay where they are
    abut_shape_destroy(a);
    abut_shape_destroy(plane);
}

static void test_boxes_that_share_a_face_an_edge_or_a_corner_touch(void** state)
{
    (void)state;
    AbutShape* cube = test_make_box(1.0f, 1.0f, 1.0f);
    static const AbutVec3 offsets[] = { { 1.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, -1.0f }, { -1.0f, 1.0f, 1.0f } };
    static const int starts[] = { 32 * 31, 1000, 1 };
    for (int i = 0; i < 3; ++i)
    {
        AbutCollideInput input = particles_input(cube, cube);
        input.pose_b = abut_pose_at((double)offsets[i].x, (double)offsets[i].y, (double)offsets[i].z);
        AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
        assert_int_equal(output.contact_count, starts[i]);
        assert_true(output.state == ABUT_COLLIDE_CLOSE || output.state == ABUT_COLLIDE_CONTACT);
    }
    abut_shape_destroy(cube);
}

static void test_apart_is_proved_by_boxes_alone(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.5f);
    AbutCollideInput input = particles_input(a, b);
    input.pose_b = abut_pose_at(1.5, 0.0, 0.0);
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    test_assert_near(output.gap, 0.5, 1e-4);
    input.pose_b = abut_pose_at(0.8, 0.8, 0.0); // the boxes overlap, the spheres do not
    output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_NONE_FOUND);
    assert_int_equal(output.contact_total, 0);
    assert_true(output.evaluations > 1000);
    assert_string_equal(abut_collide_state_name(output.state), "none found");
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_margin_reports_contacts_across_the_gap(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.5f);
    AbutCollideInput input = particles_input(a, b);
    input.pose_b = abut_pose_at(0.0, 1.04, 0.0);
    AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED);
    input.settings.margin = 0.1f;
    input.settings.particles.steps = 16;
    output = abut_collide(&input, contacts, CAPACITY);
    assert_int_equal(output.state, ABUT_COLLIDE_SEPARATED); // by the boxes, whatever converges
    test_assert_near(output.gap, 0.04, 1e-4);
    assert_true(output.contact_count > 0);
    float least = 1.0f;
    for (uint32_t k = 0; k < output.contact_count; ++k)
    {
        assert_true(contacts[k].separation >= 0.0399f && contacts[k].separation <= 0.103f);
        least = fminf(least, contacts[k].separation);
    }
    test_assert_near(least, 0.04, 0.005);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void test_overlap_never_exceeds_the_depth_of_spheres(void** state)
{
    (void)state;
    AbutShape *a = test_make_sphere(0.5f), *b = test_make_sphere(0.25f);
    TestRandom random = { 5 };
    int proved = 0;
    for (int i = 0; i < 2000; ++i)
    {
        AbutPairDef def = { a, b, abut_pose_identity(), abut_pose_identity(), 0.0f, 0.0f };
        AbutVec3 u = test_random_direction(&random);
        double d = test_random_range(&random, 0.0, 0.8);
        def.pose_b = abut_pose_at(d * (double)u.x, d * (double)u.y, d * (double)u.z);
        AbutPair pair;
        AbutPairBatch batch;
        float gap;
        test_assert_result(abut_pair_init(&def, &pair, &gap), ABUT_OK);
        batch.count = 32;
        for (size_t k = 0; k < batch.count; ++k)
        {
            AbutVec3 p = test_random_point(&random, 0.6);
            batch.at[0][k] = p.x;
            batch.at[1][k] = p.y;
            batch.at[2][k] = p.z;
        }
        abut_pair_sample(&pair, &batch, true);
        double in_b = 0.25 - fmax(0.0, d - 0.5), in_a = 0.5 - fmax(0.0, d - 0.25);
        for (size_t k = 0; k < batch.count; ++k)
        {
            float overlap = abut_prove_depth(&pair, &batch, k);
            proved += overlap >= 0.0f ? 1 : 0;
            assert_true(overlap < 0.0f || (double)overlap <= fmax(in_a, in_b));
        }
    }
    assert_true(proved > 1000);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resolutions_are_those_of_the_paper),
        cmocka_unit_test(test_resolutions_make_about_n_cubed_particles),
        cmocka_unit_test(test_a_cube_a_sheet_a_line_and_a_point_have_resolutions),
        cmocka_unit_test(test_particles_move_as_in_the_paper),
        cmocka_unit_test(test_contacts_of_spheres_have_the_closed_form),
        cmocka_unit_test(test_a_sphere_on_a_plane_has_the_plane_s_normal),
        cmocka_unit_test(test_boxes_that_share_a_face_an_edge_or_a_corner_touch),
        cmocka_unit_test(test_apart_is_proved_by_boxes_alone),
        cmocka_unit_test(test_margin_reports_contacts_across_the_gap),
        cmocka_unit_test(test_overlap_never_exceeds_the_depth_of_spheres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
