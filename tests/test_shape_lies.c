// Functions that are NaN, infinite or steeper than they declare: no question about them crashes, runs on or leaves a number that is not
// finite, and none is answered with a proof that samples do not give.
#include "support/shape_queries.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

typedef enum LiePlaces
{
    LIE_EVERYWHERE,
    LIE_HALF_SPACE,
    LIE_INSIDE,
    LIE_OUTSIDE,
    LIE_SLAB,
    LIE_SPECKS,
    LIE_WHERE_COUNT
} LiePlaces;

/// What a function answers, and where: a ball of radius 0.4 elsewhere.
typedef struct Lie
{
    float answer;
    LiePlaces where;
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
                Lie of_distance = { .answer = answers[a], .where = (LiePlaces)where };
                Lie of_gradient = { .answer = answers[a], .where = (LiePlaces)where, .gradients = true };
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
static AbutVec3 place_without_answer(const Lie* lie_of, TestRandom* random)
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
        Lie lie_of = { .answer = NAN, .where = (LiePlaces)(i % LIE_SPECKS) }; // between specks, answers prove
        AbutShape* shape = create(&lie_of);
        AbutVec3 p = place_without_answer(&lie_of, &random);
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
        AbutSweepInput sweep = abut_sweep_input(shape, ball);
        sweep.pose_b = abut_pose_at((double)p.x, (double)p.y + 3.0, (double)p.z);
        sweep.motion_b.linear = abut_vec3(0.0f, -6.0f, 0.0f);
        sweep.settings.budget = 1 << 14;
        AbutSweepOutput swept = abut_sweep(&sweep);
        if (swept.state == ABUT_SWEEP_MISS || swept.time > 0.5f + 0.02f)
        {
            fail_msg("sweep: %s at %g through (%g, %g, %g), places %d", abut_sweep_state_name(swept.state),
                     (double)swept.time, (double)p.x, (double)p.y, (double)p.z, (int)lie_of.where);
        }
        abut_shape_destroy(shape);
    }
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_question_about_a_function_that_lies_crashes_or_leaves_what_is_not_finite),
        cmocka_unit_test(test_nothing_is_proved_where_a_function_is_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
