// The walks of V-Clip and Lin-Canny against brute force in double: all features of both hulls, all separating
// axes.
#include "support/support.h"

#include "hull/hull.h"
#include "narrow/convex/feature_proof.h"
#include "narrow/convex/lin_canny.h"
#include "narrow/convex/v_clip.h"

#include <stdlib.h>

enum
{
    MOST_POINTS = 24
};

static AbutHull* create(const AbutVec3* points, uint32_t count)
{
    AbutHull* hull = NULL;
    test_assert_result(abut_hull_create(points, count, NULL, &hull), ABUT_OK);
    return hull;
}

static AbutHull* random_hull(TestRandom* random, uint32_t family, double size)
{
    AbutVec3 points[MOST_POINTS];
    uint32_t count = 1 + (uint32_t)(test_random_bits(random) % MOST_POINTS);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 p = test_random_point(random, 1.0);
        switch (family % 5)
        {
        case 0:
            break;
        case 1:
            p = abut_vec3(roundf(2.0f * p.x), roundf(2.0f * p.y), roundf(2.0f * p.z));
            break;
        case 2:
            p = test_random_direction(random);
            break;
        case 3:
            p = abut_vec3(roundf(2.0f * p.x), roundf(2.0f * p.y), 0.0f);
            break;
        default:
            p = abut_vec3(10.0f * p.x, p.y, 0.1f * p.z);
            break;
        }
        points[i] = abut_vec3_scale(p, (float)size);
    }
    return create(points, count);
}

// -----------------------------------------------------------------------------------------------------------
// Brute force
// -----------------------------------------------------------------------------------------------------------

static double signed_gap(const AbutHullPair* pair, AbutDVec3 axis)
{
    double low_a = INFINITY, high_a = -INFINITY, low_b = INFINITY, high_b = -INFINITY;
    for (uint32_t v = 0; v < pair->hulls[0]->vertex_count; ++v)
    {
        double x = abut_dvec3_dot(axis, abut_hull_position(pair->hulls[0], v));
        low_a = fmin(low_a, x);
        high_a = fmax(high_a, x);
    }
    for (uint32_t v = 0; v < pair->hulls[1]->vertex_count; ++v)
    {
        double x = abut_dvec3_dot(axis, abut_pair_vertex(pair, 1, v));
        low_b = fmin(low_b, x);
        high_b = fmax(high_b, x);
    }
    return fmax(low_a - high_b, low_b - high_a);
}

static AbutDVec3 edge_in_a(const AbutHullPair* pair, int side, uint32_t edge)
{
    AbutDVec3 ends[2];
    abut_features_ends(pair->hulls[side], edge, ends);
    if (side == 1)
    {
        abut_pair_ends(pair, 1, edge, ends);
    }
    return abut_dvec3_sub(ends[1], ends[0]);
}

/// The greatest gap over the axes of solids: face normals and products of edges. For solids alone.
static double greatest_gap(const AbutHullPair* pair)
{
    double gap = -INFINITY;
    for (int side = 0; side < 2; ++side)
    {
        const AbutHull* hull = pair->hulls[side];
        for (uint32_t f = 0; f < hull->face_count; ++f)
        {
            uint32_t edge = abut_hull_faces(hull)[f].first;
            AbutDVec3 normal = abut_dvec3_cross(edge_in_a(pair, side, edge), edge_in_a(pair, side, edge + 1));
            gap = fmax(gap, signed_gap(pair, abut_dvec3_normalize(normal)));
        }
    }
    for (uint32_t i = 0; i < pair->hulls[0]->half_edge_count; ++i)
    {
        for (uint32_t j = 0; j < pair->hulls[1]->half_edge_count; ++j)
        {
            AbutDVec3 u = abut_dvec3_normalize(edge_in_a(pair, 0, i));
            AbutDVec3 v = abut_dvec3_normalize(edge_in_a(pair, 1, j));
            AbutDVec3 axis = abut_dvec3_cross(u, v);
            if (abut_dvec3_length(axis) > 1e-7)
            {
                gap = fmax(gap, signed_gap(pair, abut_dvec3_normalize(axis)));
            }
        }
    }
    return gap;
}

/// Squared distance of a vertex of one side from a face of the other, where it is over or under it.
static double vertex_face(const AbutHullPair* pair, int vertex_side, uint32_t vertex, uint32_t face)
{
    const AbutHull* hull = pair->hulls[!vertex_side];
    const AbutHullFace* polygon = &abut_hull_faces(hull)[face];
    AbutDVec3 at = abut_pair_vertex(pair, vertex_side, vertex);
    for (uint32_t e = polygon->first; e < polygon->first + polygon->count; ++e)
    {
        AbutDVec3 tail = abut_hull_position(hull, abut_hull_tail(hull, e));
        if (abut_dvec3_dot(abut_features_inward(hull, e), abut_dvec3_sub(at, tail)) < 0.0)
        {
            return INFINITY;
        }
    }
    double height = abut_features_height(hull, face, at);
    AbutDVec3 unit = abut_daffine_column(&pair->maps[1], 0); // of the scale of side 1
    double scale = vertex_side == 0 ? abut_dvec3_length(unit) : 1.0;
    return height * height * scale * scale;
}

/// Distance over all pairs of features, of hulls that do not overlap.
static double brute_distance(const AbutHullPair* pair)
{
    double squared = INFINITY;
    for (uint32_t i = 0; i < pair->hulls[0]->vertex_count; ++i)
    {
        for (uint32_t j = 0; j < pair->hulls[1]->vertex_count; ++j)
        {
            AbutFeature features[2] = { abut_feature_vertex(i), abut_feature_vertex(j) };
            squared = fmin(squared, abut_features_distance(pair, features).squared);
        }
    }
    for (int side = 0; side < 2; ++side)
    {
        for (uint32_t v = 0; v < pair->hulls[side]->vertex_count; ++v)
        {
            for (uint32_t e = 0; e < pair->hulls[!side]->half_edge_count; ++e)
            {
                AbutFeature features[2];
                features[side] = abut_feature_vertex(v);
                features[!side] = abut_feature_edge(pair->hulls[!side], e);
                squared = fmin(squared, abut_features_distance(pair, features).squared);
            }
            for (uint32_t f = 0; f < pair->hulls[!side]->face_count; ++f)
            {
                squared = fmin(squared, vertex_face(pair, side, v, f));
            }
        }
    }
    for (uint32_t i = 0; i < pair->hulls[0]->half_edge_count; ++i)
    {
        for (uint32_t j = 0; j < pair->hulls[1]->half_edge_count; ++j)
        {
            AbutFeature features[2] = { abut_feature_edge(pair->hulls[0], i),
                                        abut_feature_edge(pair->hulls[1], j) };
            squared = fmin(squared, abut_features_distance(pair, features).squared);
        }
    }
    return sqrt(squared);
}

// -----------------------------------------------------------------------------------------------------------
// Claims
// -----------------------------------------------------------------------------------------------------------

static AbutFeature random_feature(TestRandom* random, const AbutHull* hull)
{
    uint32_t kind = (uint32_t)(test_random_bits(random) % 3);
    uint32_t bits = (uint32_t)(test_random_bits(random) >> 32);
    if (kind == 2 && hull->face_count > 0)
    {
        return abut_feature_face(bits % hull->face_count);
    }
    if (kind == 1 && hull->half_edge_count > 0)
    {
        return abut_feature_edge(hull, bits % hull->half_edge_count);
    }
    return abut_feature_vertex(bits % hull->vertex_count);
}

typedef struct Statistics
{
    uint64_t separated, penetrating, cycles, lost, wrong, steps, most_steps, walks;
} Statistics;

static void count_walk(Statistics* statistics, const AbutFeatureResult* result)
{
    statistics->walks += 1;
    statistics->steps += result->step_count;
    statistics->most_steps =
        result->step_count > statistics->most_steps ? result->step_count : statistics->most_steps;
    statistics->cycles += result->state == ABUT_FEATURES_CYCLE;
}

static AbutTransform random_pose(TestRandom* random, double size, double spread)
{
    bool is_grid = test_random_bits(random) % 3 == 0;
    AbutPosition p = test_random_position(random, spread);
    AbutPose pose = { .position = p, .rotation = test_random_rotation(random), .scale = 1.0f };
    if (is_grid)
    {
        pose.position = (AbutPosition){ round(2.0 * p.x), round(2.0 * p.y), round(2.0 * p.z) };
        pose.rotation = (AbutQuat){ 0.0f, 0.0f, 0.0f, 1.0f };
    }
    pose.position.x *= size;
    pose.position.y *= size;
    pose.position.z *= size;
    return abut_transform_from_pose(&pose);
}

typedef AbutFeatureResult WalkFn(const AbutHullPair* pair, const AbutFeature start[2]);

/// The closest features of solids that overlap, where a walk ends there, prove no separation; a separated
/// pair has the distance of brute force, by whatever walk, unless the walk says that it does not know.
static void check_pair(TestRandom* random, const AbutHullPair* pair, double size, WalkFn* walk,
                       Statistics* statistics)
{
    AbutFeature start[2];
    start[0] = random_feature(random, pair->hulls[0]);
    start[1] = random_feature(random, pair->hulls[1]);
    AbutFeatureResult result = walk(pair, start);
    count_walk(statistics, &result);
    bool are_solids = pair->hulls[0]->dimension == 3 && pair->hulls[1]->dimension == 3;
    double gap = are_solids ? greatest_gap(pair) : 1.0;
    double tolerance = 1e-9 * size;
    if (gap < -tolerance)
    {
        statistics->penetrating += 1;
        if (result.state == ABUT_FEATURES_CLOSEST) // edges that cross within rounding
        {
            AbutSeparatingPlane plane = abut_features_plane(pair, result.features, 1e-12 * size);
            assert_true(plane.side_a - plane.side_b <= 0.0); // no proof of a separation
            statistics->wrong += 1;
        }
        return;
    }
    double expected = brute_distance(pair);
    if (expected > 1e-6 * size)
    {
        statistics->separated += 1;
        statistics->lost += result.state == ABUT_FEATURES_CYCLE && are_solids;
        if (result.state == ABUT_FEATURES_PENETRATION && are_solids)
        {
            fail_msg("penetration of hulls %g apart (gap %g)", expected, gap);
        }
    }
    if (result.state == ABUT_FEATURES_CLOSEST)
    {
        double found = sqrt(abut_features_distance(pair, result.features).squared);
        test_assert_near(found, expected, 1e-7 * size);
    }
}

static int round_count(int heavy, int usual)
{
    return getenv("ABUT_TEST_HEAVY") != NULL ? heavy : TEST_ROUNDS(usual);
}

/// @param most_lost walks of separated solids that end in a cycle, for a thousand of them
static void check_walk(WalkFn* walk, const char* name, uint64_t seed, uint64_t most_lost)
{
    TestRandom random = { seed };
    Statistics statistics = { 0 };
    const double sizes[] = { 1.0, 1e-6, 1e6 };
    for (int round = 0; round < round_count(50000, 600); ++round)
    {
        double size = sizes[round % 3];
        uint32_t families = (uint32_t)(test_random_bits(&random) >> 32);
        AbutHull* a = random_hull(&random, families, size);
        AbutHull* b = random_hull(&random, families / 5, size);
        for (int pose = 0; pose < 4; ++pose)
        {
            AbutTransform b_in_a = random_pose(&random, size, pose < 2 ? 1.5 : 4.0);
            AbutHullPair pair = abut_features_pair(a, b, &b_in_a);
            check_pair(&random, &pair, size, walk, &statistics);
        }
        abut_hull_destroy(a, NULL);
        abut_hull_destroy(b, NULL);
    }
    print_message("%s: %llu separated, %llu penetrating (%llu with closest features), %llu cycles (%llu of "
                  "separated solids), %.1f steps (most %llu)\n",
                  name, (unsigned long long)statistics.separated, (unsigned long long)statistics.penetrating,
                  (unsigned long long)statistics.wrong, (unsigned long long)statistics.cycles,
                  (unsigned long long)statistics.lost, (double)statistics.steps / (double)statistics.walks,
                  (unsigned long long)statistics.most_steps);
    assert_true(statistics.separated > 0 && statistics.penetrating > 0);
    assert_true(1000 * statistics.lost <= most_lost * statistics.separated);
    assert_true(1000 * statistics.wrong <= statistics.penetrating);
}

static void test_v_clip_agrees_with_brute_force(void** state)
{
    (void)state;
    check_walk(abut_v_clip, "v-clip", 1, 0);
}

static void test_lin_canny_agrees_with_brute_force(void** state)
{
    (void)state;
    check_walk(abut_lin_canny, "lin-canny", 2, 5); // ties that rounding decides
}

static AbutHull* box_hull(AbutVec3 half)
{
    AbutVec3 points[8];
    for (uint32_t i = 0; i < 8; ++i)
    {
        points[i] = abut_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    return create(points, 8);
}

/// The face of a box whose normal is the given one.
static AbutFeature face_of(const AbutHull* hull, AbutDVec3 normal)
{
    for (uint32_t f = 0; f < hull->face_count; ++f)
    {
        if (abut_dvec3_dot(abut_hull_faces(hull)[f].normal, normal) > 0.9)
        {
            return abut_feature_face(f);
        }
    }
    fail();
    return abut_feature_face(0);
}

/// The trap of the survey: a vertex under the plane of a face on the far side, inside of all planes of its
/// region. The polyhedra are separated, and the walk must not call it a penetration, nor end there.
static void test_a_vertex_under_a_far_face_is_no_trap(void** state)
{
    (void)state;
    AbutHull *plate = box_hull(abut_vec3(2.0f, 0.1f, 2.0f)), *cube = box_hull(abut_vec3(0.2f, 0.2f, 0.2f));
    WalkFn* const walks[] = { abut_v_clip, abut_lin_canny };
    for (int i = 0; i < 2; ++i)
    {
        for (int height = 0; height < 2; ++height)
        {
            AbutPose pose = abut_pose_at(0.3, height == 0 ? 1.0 : 0.25, -0.2);
            AbutTransform b_in_a = abut_transform_from_pose(&pose);
            AbutHullPair pair = abut_features_pair(plate, cube, &b_in_a);
            const AbutFeature start[2] = { face_of(plate, abut_dvec3(0, -1, 0)), abut_feature_vertex(0) };
            AbutFeatureResult result = walks[i](&pair, start);
            if (height == 0)
            {
                assert_int_equal(result.state, ABUT_FEATURES_CLOSEST);
                test_assert_near(sqrt(abut_features_distance(&pair, result.features).squared), 0.7, 1e-7);
            }
            else // the lower vertices are inside: V-Clip knows, Lin-Canny walks in a circle
            {
                assert_int_equal(result.state, i == 0 ? ABUT_FEATURES_PENETRATION : ABUT_FEATURES_CYCLE);
            }
        }
    }
    abut_hull_destroy(plate, NULL);
    abut_hull_destroy(cube, NULL);
}

/// From every pair of features the walk comes to the same distance.
static void test_every_start_leads_to_the_same_distance(void** state)
{
    (void)state;
    AbutHull *a = box_hull(abut_vec3(1.0f, 0.5f, 0.25f)), *b = box_hull(abut_vec3(0.3f, 0.7f, 0.2f));
    AbutPose pose = { { 1.2, 0.9, 0.8 }, { 0.1f, 0.2f, 0.3f, 0.9273618f }, 1.0f };
    AbutTransform b_in_a = abut_transform_from_pose(&pose);
    AbutHullPair pair = abut_features_pair(a, b, &b_in_a);
    double expected = brute_distance(&pair);
    TestRandom random = { 3 };
    for (int i = 0; i < 400; ++i)
    {
        AbutFeature start[2];
        start[0] = random_feature(&random, a);
        start[1] = random_feature(&random, b);
        WalkFn* walk = i % 2 == 0 ? abut_v_clip : abut_lin_canny;
        AbutFeatureResult result = walk(&pair, start);
        assert_int_equal(result.state, ABUT_FEATURES_CLOSEST);
        test_assert_near(sqrt(abut_features_distance(&pair, result.features).squared), expected, 1e-12);
    }
    abut_hull_destroy(a, NULL);
    abut_hull_destroy(b, NULL);
}

/// Points, segments and polygons against each other at known distances.
static void test_flat_hulls_have_the_distances_of_closed_forms(void** state)
{
    (void)state;
    const AbutVec3 square[] = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } };
    const AbutVec3 segment[] = { { -1, 0, 0 }, { 1, 0, 0 } };
    AbutHull* hulls[] = { create(square, 1), create(segment, 2), create(square, 4) };
    // By pair of hulls: the second one at (0, 0, 3), where (-1, -1, 0) is the only point of the first hull.
    const double distances[3][3] = { { 3.0, sqrt(10.0), 3.0 }, { sqrt(10.0), 3.0, 3.0 }, { 3.0, 3.0, 3.0 } };
    AbutPose pose = abut_pose_at(0.0, 0.0, 3.0);
    AbutTransform b_in_a = abut_transform_from_pose(&pose);
    for (int i = 0; i < 9; ++i)
    {
        AbutHullPair pair = abut_features_pair(hulls[i / 3], hulls[i % 3], &b_in_a);
        const AbutFeature start[2] = { abut_feature_vertex(0), abut_feature_vertex(0) };
        AbutFeatureResult clip = abut_v_clip(&pair, start), canny = abut_lin_canny(&pair, start);
        assert_int_equal(clip.state, ABUT_FEATURES_CLOSEST);
        assert_int_equal(canny.state, ABUT_FEATURES_CLOSEST);
        test_assert_near(sqrt(abut_features_distance(&pair, clip.features).squared), distances[i / 3][i % 3],
                         1e-12);
        test_assert_near(sqrt(abut_features_distance(&pair, canny.features).squared), distances[i / 3][i % 3],
                         1e-12);
    }
    for (int i = 0; i < 3; ++i)
    {
        abut_hull_destroy(hulls[i], NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_v_clip_agrees_with_brute_force),
        cmocka_unit_test(test_lin_canny_agrees_with_brute_force),
        cmocka_unit_test(test_a_vertex_under_a_far_face_is_no_trap),
        cmocka_unit_test(test_every_start_leads_to_the_same_distance),
        cmocka_unit_test(test_flat_hulls_have_the_distances_of_closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
