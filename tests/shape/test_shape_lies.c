// Functions that are NaN, infinite or steeper than they declare: no question about them crashes, runs on or
// leaves a number that is not finite, and none is answered with a proof that samples do not give.
#include "support/shape_queries.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum LiePositions
{
    LIE_EVERYWHERE,
    LIE_HALF_SPACE,
    LIE_INSIDE,
    LIE_OUTSIDE,
    LIE_SLAB,
    LIE_SPECKS,
    LIE_WHERE_COUNT
} LiePositions;

/// What a function answers, and where: a ball of radius 0.4 elsewhere.
typedef struct Lie
{
    float answer;
    LiePositions where;
    bool gradients; ///< are what is answered, not distances
} Lie;

static bool lies_at(const Lie* lie, float x, float y, float z, float distance)
{
    switch (lie->where)
    {
    case LIE_EVERYWHERE:
        return true;
    case LIE_HALF_SPACE:
        return x + 0.5f * y > 0.03f;
    case LIE_INSIDE:
        return distance < -0.05f;
    case LIE_OUTSIDE:
        return distance > 0.02f;
    case LIE_SLAB:
        return fabsf(y - 0.1f) < 0.03f;
    default:
        return sinf(91.0f * x) * sinf(77.0f * y) * sinf(83.0f * z) > 0.3f;
    }
}

static void lie(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    const Lie* self = user;
    for (size_t i = 0; i < count; ++i)
    {
        float x = points.x[i], y = points.y[i], z = points.z[i];
        float length = sqrtf(x * x + y * y + z * z);
        bool false_here = lies_at(self, x, y, z, length - 0.4f);
        out.distance[i] = false_here && !self->gradients ? self->answer : length - 0.4f;
        if (out.gradient_x != NULL)
        {
            float scale = length > 0.0f ? 1.0f / length : 0.0f;
            out.gradient_x[i] = false_here && self->gradients ? self->answer : x * scale;
            out.gradient_y[i] = false_here && self->gradients ? self->answer : y * scale;
            out.gradient_z[i] = false_here && self->gradients ? self->answer : z * scale;
        }
    }
}

static const float answers[] = { NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e20f, -1e20f, 0.0f, 0.5f, -0.5f };

enum
{
    ANSWERS = sizeof(answers) / sizeof(answers[0])
};

static AbutShape* create(Lie* lie_of)
{
    AbutCallbackDef def = abut_callback_def();
    def.function = lie;
    def.user = lie_of;
    def.has_gradient = true;
    def.bounds = abut_box(abut_vec3(-0.5f, -0.5f, -0.5f), abut_vec3(0.5f, 0.5f, 0.5f));
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_callback(&def, &shape), ABUT_OK);
    return shape;
}

static int failures;

static void ask(Lie* lie_of, unsigned query, uint32_t seed)
{
    AbutHost host = abut_host_default();
    host.worker_count = 1;
    ShapeQueries queries = { .shape = create(lie_of), .host = &host, .seed = seed };
    test_assert_result(abut_shape_create_sphere(0.3f, NULL, &queries.other), ABUT_OK);
    shape_query_run(&queries, query);
    if (queries.fault != NULL)
    {
        ++failures;
        print_error("%s: question %u of a function that is %g at places %d%s, seed %u\n", queries.fault,
                    query, (double)lie_of->answer, (int)lie_of->where,
                    lie_of->gradients ? ", by gradients" : "", seed);
    }
    abut_shape_destroy(queries.shape);
    abut_shape_destroy(queries.other);
}

static void test_no_question_about_a_function_that_lies_crashes_or_leaves_what_is_not_finite(void** state)
{
    (void)state;
    uint32_t seed = 1;
    for (int a = 0; a < ANSWERS; ++a)
    {
        for (int where = 0; where < LIE_WHERE_COUNT; ++where)
        {
            for (unsigned query = 0; query < SHAPE_QUERY_COUNT; ++query)
            {
                Lie of_distance = { .answer = answers[a], .where = (LiePositions)where };
                Lie of_gradient = { .answer = answers[a], .where = (LiePositions)where, .gradients = true };
                bool often = query < SHAPE_QUERY_BAKE; // what follows takes longest
                if (often || (a + where) % 4 == 0)
                {
                    ask(&of_distance, query, seed++);
                    ask(&of_gradient, query, seed++);
                }
            }
        }
    }
    assert_int_equal(failures, 0);
}

/// A place of the bounds where the function is NaN, well within.
static AbutVec3 position_without_distance(const Lie* lie_of, TestRandom* random)
{
    for (;;)
    {
        float at[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis] = (float)test_random_range(random, -0.4, 0.4);
        }
        float length = sqrtf(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        if (lies_at(lie_of, at[0], at[1], at[2], length - 0.4f))
        {
            return abut_vec3(at[0], at[1], at[2]);
        }
    }
}

/// Where a function is NaN there may be something of the solid, or not: nobody can have proved either.
static void test_nothing_is_proved_where_a_function_is_nan(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    AbutShape* ball = NULL;
    test_assert_result(abut_shape_create_sphere(0.02f, NULL, &ball), ABUT_OK);
    for (int i = 0; i < 400; ++i)
    {
        Lie lie_of = { .answer = NAN,
                       .where = (LiePositions)(i % LIE_SPECKS) }; // between specks, answers prove
        AbutShape* shape = create(&lie_of);
        AbutVec3 p = position_without_distance(&lie_of, &random);
        AbutCollideInput collide = abut_collide_input(shape, ball);
        collide.pose_b = abut_pose_at((double)p.x, (double)p.y, (double)p.z);
        collide.settings.budget = 1 << 14;
        AbutCollideState answer = abut_collide(&collide, NULL, 0).state;
        bool inside = p.x * p.x + p.y * p.y + p.z * p.z < 0.45f * 0.45f; // next to what is solid
        if (answer == ABUT_COLLIDE_SEPARATED || (answer == ABUT_COLLIDE_CONTACT && !inside))
        {
            fail_msg("%s at (%g, %g, %g), places %d", abut_collide_state_name(answer), (double)p.x,
                     (double)p.y, (double)p.z, (int)lie_of.where);
        }
        AbutDistanceInput distance = abut_distance_input(shape, ball);
        distance.pose_b = collide.pose_b;
        distance.budget = 1 << 14;
        assert_true(abut_distance(&distance).low == 0.0f);
        AbutToiInput sweep = abut_toi_input(shape, ball);
        sweep.pose_b = abut_pose_at((double)p.x, (double)p.y + 3.0, (double)p.z);
        sweep.motion_b.linear = abut_vec3(0.0f, -6.0f, 0.0f);
        sweep.settings.budget = 1 << 14;
        AbutToiOutput swept = abut_time_of_impact(&sweep);
        if (swept.state == ABUT_TOI_MISS || swept.time > 0.5f + 0.02f)
        {
            fail_msg("sweep: %s at %g through (%g, %g, %g), places %d", abut_toi_state_name(swept.state),
                     (double)swept.time, (double)p.x, (double)p.y, (double)p.z, (int)lie_of.where);
        }
        abut_shape_destroy(shape);
    }
    abut_shape_destroy(ball);
}

// -----------------------------------------------------------------------------------------------------------
// Bakes
// -----------------------------------------------------------------------------------------------------------

/// The message of a bake that is refused; the same for any number of workers.
static void assert_not_baked(Lie* lie_of, AbutFieldFormat format, bool sparse, const char* text)
{
    char first[256] = "";
    AbutShape* shape = create(lie_of);
    for (uint32_t workers = 1; workers <= 3; workers += 2)
    {
        AbutHost host = abut_host_default();
        host.worker_count = workers;
        AbutBakeDef def = abut_bake_def();
        def.resolution = 40;
        def.format = format;
        def.sparse = sparse;
        def.host = &host;
        AbutShape* field = NULL;
        test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_INVALID_DATA);
        assert_null(field);
        if (strstr(abut_last_error(), text) == NULL)
        {
            fail_msg("the message is '%s', without '%s'", abut_last_error(), text);
        }
        if (workers == 1)
        {
            snprintf(first, sizeof(first), "%s", abut_last_error());
        }
        assert_string_equal(abut_last_error(), first);
    }
    abut_shape_destroy(shape);
}

static void test_functions_that_are_not_finite_are_not_baked(void** state)
{
    (void)state;
    for (int format = 0; format < ABUT_FIELD_FORMAT_COUNT; ++format)
    {
        for (int where = 0; where < LIE_SPECKS; ++where)
        {
            Lie nan = { .answer = NAN, .where = (LiePositions)where };
            Lie infinite = { .answer = INFINITY, .where = (LiePositions)where };
            assert_not_baked(&nan, (AbutFieldFormat)format, where % 2 == 0, "bake: the shape is nan at (");
            assert_not_baked(&infinite, (AbutFieldFormat)format, where % 2 == 1,
                             "bake: the shape is nan at (");
        }
    }
    Lie far = { .answer = 3e38f, .where = LIE_EVERYWHERE };
    assert_not_baked(&far, ABUT_FIELD_F32, false, "too many cells for a field");
    far.answer = 1e6f;
    assert_not_baked(&far, ABUT_FIELD_F16, false, "too many cells for f16");
}

static void test_functions_that_are_steeper_than_they_declare_are_not_baked(void** state)
{
    (void)state;
    for (int where = LIE_HALF_SPACE; where < LIE_WHERE_COUNT; ++where)
    {
        Lie jump = { .answer = 0.9f, .where = (LiePositions)where };
        assert_not_baked(&jump, ABUT_FIELD_F32, where % 2 == 0,
                         "steeper than the slope of 1 that it declares");
        assert_not_baked(&jump, ABUT_FIELD_FIRST_ORDER, where % 2 == 1, "steeper than the slope of 1");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_question_about_a_function_that_lies_crashes_or_leaves_what_is_not_finite),
        cmocka_unit_test(test_nothing_is_proved_where_a_function_is_nan),
        cmocka_unit_test(test_functions_that_are_not_finite_are_not_baked),
        cmocka_unit_test(test_functions_that_are_steeper_than_they_declare_are_not_baked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
