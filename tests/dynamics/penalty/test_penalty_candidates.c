// Which points push, against looking at every point of both bodies many times on its way.
#include "support/scenes/spring_world.h"

#include "dynamics/penalty/penalty.h"

#include <math.h>

enum
{
    CASES = 24,
    TIMES = 400,
    POINTS = 300
};

/// What a point may be deeper between two of the times: half of what the fastest move from one to the next.
#define BETWEEN_TIMES 8e-4

static AbutShape* make_shape(TestRandom* random)
{
    switch (test_random_bits(random) % 4)
    {
    case 0:
        return test_make_torus(0.3f, 0.08f);
    case 1:
        return test_make_box(0.5f, 0.02f, 0.4f); // thin
    case 2:
        return test_spring_coarse(test_make_box(0.5f, 0.3f, 0.4f));
    default:
        return test_spring_coarse(test_make_sphere(0.3f));
    }
}

/// Two bodies somewhere near each other, and a ground that one may touch.
static AbutWorld* make_world(TestRandom* random, AbutPenaltyScheme scheme)
{
    AbutWorldDef def = test_spring_def(scheme);
    def.penalty.point_count = POINTS;
    AbutWorld* world = test_spring_world(&def);
    const AbutMaterial plain = { .friction = 0.5f, .restitution = 0.2f };
    test_spring_add_ground(world, 0.1, plain);
    for (int i = 0; i < 2; ++i)
    {
        AbutVec3 at = test_random_point(random, 0.25);
        AbutPose pose = abut_pose_at((double)at.x, 0.3 + (double)at.y, (double)at.z);
        pose.rotation = test_random_rotation(random);
        pose.scale = (float)test_random_range(random, 0.5, 1.5);
        AbutBodyId id = test_spring_add(world, make_shape(random), NULL, ABUT_BODY_DYNAMIC, pose, plain);
        AbutVec3 velocity = test_random_vector(random, 0.0, 20.0);
        abut_body_set_velocity(world, id, velocity, test_random_point(random, 10.0));
    }
    return world;
}

/// Where a point is in the shape of the other body, at the beginning or the end of the step.
static AbutDVec3 locate_point(const AbutWorld* world, const AbutPenaltyPair* pair, int side, uint32_t point,
                              bool end)
{
    uint32_t carrier = side == 0 ? pair->a : pair->b, solid = side == 0 ? pair->b : pair->a;
    const AbutPenaltyBody *a = &abut_penalty(world)->bodies[carrier],
                          *b = &abut_penalty(world)->bodies[solid];
    const AbutPenaltyFrame *from = end ? &a->end : &a->start, *to = end ? &b->end : &b->start;
    const AbutBody *body = &world->bodies[carrier], *other = &world->bodies[solid];
    AbutPoints at = abut_points_data(body->points).positions;
    AbutDVec3 p = abut_dvec3(at.x[point], at.y[point], at.z[point]);
    AbutDVec3 r = abut_dvec3_scale(abut_dvec3_sub(p, body->center), (double)body->scale);
    AbutDVec3 x =
        abut_dvec3_add(abut_dvec3_sub(from->position, to->position), abut_dmat3_transform(&from->matrix, r));
    AbutDVec3 y = abut_dmat3_transform_transposed(&to->matrix, x);
    return abut_dvec3_add(other->center, abut_dvec3_div(y, (double)other->scale));
}

/// The deepest of many places on a point's way, in the world's lengths.
static double max_depth_on_path(const AbutWorld* world, const AbutPenaltyPair* pair, int side, uint32_t point)
{
    const AbutBody* solid = &world->bodies[side == 0 ? pair->b : pair->a];
    double max_depth = -INFINITY;
    AbutDVec3 from =
        locate_point(world, pair, side, point, world->def.penalty.scheme == ABUT_PENALTY_SAMPLED);
    AbutDVec3 to = locate_point(world, pair, side, point, true);
    for (int i = 0; i <= TIMES; ++i)
    {
        double t = (double)i / TIMES;
        AbutVec3 at = abut_dvec3_to_vec3(abut_dvec3_lerp(from, to, t));
        max_depth =
            fmax(max_depth, -(double)abut_shape_distance(solid->shape, at, NULL) * (double)solid->scale);
    }
    return max_depth;
}

static const AbutPenaltyResponse* find_response(const AbutPenalty* penalty, const AbutPenaltyPair* pair,
                                                int side, uint32_t point)
{
    for (size_t i = 0; i < pair->response_count; ++i)
    {
        const AbutPenaltyResponse* response = &penalty->responses[pair->first + i];
        const AbutPenaltyContact* contact = &penalty->contacts[response->contact];
        if (contact->side == (uint32_t)side && contact->point == point)
        {
            return response;
        }
    }
    return NULL;
}

static void check_pair(const AbutWorld* world, const AbutPenaltyPair* pair, uint32_t* touching)
{
    for (int side = 0; side < 2; ++side)
    {
        const AbutPointSet* points = world->bodies[side == 0 ? pair->a : pair->b].points;
        uint32_t count = points != NULL ? abut_points_info(points).count : 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            double max_depth = max_depth_on_path(world, pair, side, i);
            const AbutPenaltyResponse* response = find_response(abut_penalty(world), pair, side, i);
            *touching += response != NULL ? 1 : 0;
            if (max_depth > 1e-4) // what may go unseen is 1e-4 of a radius, or less
            {
                assert_non_null(response);
                test_assert_near(response->max_depth, max_depth, 0.1 * max_depth + 5e-4);
            }
            assert_true(response == NULL || max_depth > -BETWEEN_TIMES);
        }
    }
}

static void test_all_points_that_touch_on_their_motions_respond_and_no_others(void** state)
{
    (void)state;
    TestRandom random = { 20 };
    uint32_t touching = 0, pairs = 0;
    for (int i = 0; i < TEST_ROUNDS(CASES); ++i)
    {
        AbutWorld* world = make_world(&random, (AbutPenaltyScheme)(i % ABUT_PENALTY_SCHEME_COUNT));
        test_assert_result(abut_world_step(world, (float)test_random_range(&random, 1e-3, 2e-2), NULL),
                           ABUT_OK);
        for (size_t k = 0; k < abut_penalty(world)->pairs_count; ++k)
        {
            check_pair(world, &abut_penalty(world)->pairs[k], &touching);
            pairs += 1;
        }
        abut_world_destroy(world);
    }
    print_message("%u points of %u pairs touch\n", touching, pairs);
    assert_true(touching > TEST_ROUNDS(CASES) * 10u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_points_that_touch_on_their_motions_respond_and_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
