// The quad oracle itself: gaps are certified by a plane between the solids, and distances agree with those in
// double.
#include "support/oracles/near_touching.h"
#include "support/oracles/oracle.h"

#include <math.h>

enum
{
    CASES = 8
};

static void test_roots_and_angles_are_good_to_thirty_digits(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int i = 0; i < 200; ++i)
    {
        Exact x = (Exact)pow(10.0, test_random_range(&random, -30.0, 30.0));
        Exact root = exact_sqrt(x), sine, cosine;
        assert_true(fabs((double)((root * root - x) / x)) < 1e-32);
        double angle = test_random_range(&random, -100.0, 100.0);
        exact_sine_cosine((Exact)angle, &sine, &cosine);
        assert_true(fabs((double)(sine * sine + cosine * cosine - 1)) < 1e-30);
        test_assert_near((double)sine, sin(angle), 1e-15);
        test_assert_near((double)cosine, cos(angle), 1e-15);
    }
    Exact sine, cosine, third = (Exact)3 / 2;
    exact_sine_cosine(third, &sine, &cosine);
    Exact known = (Exact)0.9974949866040544 + (Exact)-1.4558643538840916e-17; // sin 1.5
    assert_true(fabs((double)(sine - known)) < 1e-31);
}

/// How far a core with a radius, a cylinder, a cone or a torus reaches along `direction`, by its extreme
/// points.
static Exact reach(const ExactShape* shape, const ExactFrame* frame, ExactVec direction)
{
    const float* p = shape->parameters;
    Exact own[3];
    for (int i = 0; i < 3; ++i)
    {
        ExactVec axis = exact_vec(frame->rotation[0][i], frame->rotation[1][i], frame->rotation[2][i]);
        own[i] = exact_dot(axis, direction);
        own[i] = own[i] < 0 ? -own[i] : own[i];
    }
    Exact out = 0;
    switch (shape->kind)
    {
    case ABUT_SHAPE_SPHERE:
        out = (Exact)p[0];
        break;
    case ABUT_SHAPE_CAPSULE:
        out = (Exact)p[0] + own[1] * (Exact)p[1] / 2;
        break;
    default:
        for (int i = 0; i < 3; ++i)
        {
            out += own[i] * ((Exact)p[i] / 2 - (shape->kind == ABUT_SHAPE_BOX ? 0 : (Exact)p[3]));
        }
        out += shape->kind == ABUT_SHAPE_BOX ? 0 : (Exact)p[3];
        break;
    }
    return out * frame->scale;
}

static void check_certificate(const NearPair* pair)
{
    ExactFrame frames[2] = { exact_frame(&pair->poses[0]), exact_frame(&pair->poses[1]) };
    ExactVec direction;
    Exact gap = exact_gap(&pair->shapes[0], &frames[0], &pair->shapes[1], &frames[1], &direction);
    double far = pair->size;
    for (int i = 0; i < 3; ++i)
    {
        far += fabs((double)frames[0].position.x[i]) + fabs((double)frames[1].position.x[i]);
    }
    far += exact_shape_size(&pair->shapes[0]) * (double)frames[0].scale;
    far += exact_shape_size(&pair->shapes[1]) * (double)frames[1].scale;
    // Between the two, along the direction: what the boxes of the two along it leave free.
    Exact free = exact_dot(direction, exact_subtract(frames[1].position, frames[0].position));
    free -= reach(&pair->shapes[0], &frames[0], direction) + reach(&pair->shapes[1], &frames[1], direction);
    // The direction of a short vector has fewer digits.
    double rounding = 1e-30 * far * (1.0 + far / fmax(fabs((double)gap), 1e-20 * far));
    if (!(fabs((double)(free - gap)) < rounding))
    {
        near_pair_print(pair);
    }
    test_assert_near(free - gap, 0.0, rounding);
    // A translation by the gap makes them touch.
    frames[1].position = exact_subtract(frames[1].position, exact_scale(direction, gap));
    Exact after = exact_gap(&pair->shapes[0], &frames[0], &pair->shapes[1], &frames[1], NULL);
    test_assert_near(after, 0.0, rounding);
}

static void test_gaps_are_certified_by_a_plane_between_the_solids(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (int a = ABUT_SHAPE_SPHERE; a <= ABUT_SHAPE_CAPSULE; ++a)
    {
        for (int b = ABUT_SHAPE_SPHERE; b <= ABUT_SHAPE_CAPSULE; ++b)
        {
            for (int i = 0; i < CASES * NEAR_STYLE_COUNT; ++i)
            {
                NearPair pair = near_pair_make(&random, (AbutShapeKind)a, (AbutShapeKind)b,
                                               (NearStyle)(i % NEAR_STYLE_COUNT));
                check_certificate(&pair);
            }
        }
    }
}

static void check_distances(const OraclePrimitive* primitive, TestRandom* random)
{
    enum
    {
        POINTS = 64
    };
    AbutShape* created = NULL;
    AbutPose identity = abut_pose_identity();
    ExactFrame frame = exact_frame(&identity);
    test_assert_result(primitive->create(primitive, NULL, &created), ABUT_OK);
    ExactShape shape = { .kind = abut_shape_info(created).kind };
    abut_shape_destroy(created);
    double size = primitive->size;
    for (int i = 0; i < 4; ++i)
    {
        shape.parameters[i] = (float)primitive->parameters[i];
        size = fmax(size, fabs(primitive->parameters[i]));
    }
    float x[POINTS], y[POINTS], z[POINTS];
    oracle_points(primitive, random, POINTS, x, y, z);
    for (int i = 0; i < POINTS; ++i)
    {
        const double p[3] = { x[i], y[i], z[i] };
        ExactVec point = exact_vec((Exact)x[i], (Exact)y[i], (Exact)z[i]);
        double rounding =
            3e-7 * (size + fabs(p[0]) + fabs(p[1]) + fabs(p[2])); // parameters are rounded to float
        test_assert_near(exact_distance(&shape, &frame, point), primitive->distance(primitive, p), rounding);
    }
}

static void test_distances_agree_with_those_in_double(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (const OraclePrimitive* primitive = oracle_primitives(); primitive->name != NULL; ++primitive)
    {
        check_distances(primitive, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots_and_angles_are_good_to_thirty_digits),
        cmocka_unit_test(test_gaps_are_certified_by_a_plane_between_the_solids),
        cmocka_unit_test(test_distances_agree_with_those_in_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
