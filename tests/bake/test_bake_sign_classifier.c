// What a signer promises: the same answers for parts, certainty, winding numbers, and no leak without memory.
#include "support/meshes/meshes.h"
#include "support/meshes/sign_meshes.h"

#include "bake/distance/grid.h"
#include "bake/sign/classifier.h"

#include <math.h>
#include <stdlib.h>

static void test_bricks_have_the_signs_of_the_whole_grid(void** state)
{
    (void)state;
    for (int i = 0; i < (TEST_IS_SANITIZED ? 2 : 5); ++i)
    {
        AbutMesh* mesh = test_assorted_mesh(i);
        AbutNodeGrid grid = test_sign_grid(mesh, 41);
        TestSigns whole = test_signs(mesh, &grid, ABUT_SIGN_AUTO, NULL);
        AbutTriangleGroups* groups = NULL;
        AbutSignClassifier* classifier = NULL;
        AbutSignCounts counts = { 0 };
        uint64_t doubtful = 0;
        test_assert_result(abut_triangle_groups_create(mesh, NULL, &groups), ABUT_OK);
        test_assert_result(abut_sign_classifier_create(mesh, ABUT_SIGN_AUTO, NULL, &classifier), ABUT_OK);
        for (uint32_t b = 0; b < 125; ++b)
        {
            AbutNodeGrid brick = grid;
            float squared[729];
            uint32_t nearest[729];
            const uint32_t at[3] = { b % 5 * 8, b / 5 % 5 * 8, b / 25 * 8 };
            for (int axis = 0; axis < 3; ++axis)
            {
                brick.begin[axis] = at[axis];
                brick.node_count[axis] = 9;
            }
            test_assert_result(abut_distance_grid(groups, &brick, NULL, squared, nearest), ABUT_OK);
            AbutSignJob job = abut_sign_job(&brick, nearest, squared);
            uint8_t origins[729] = { 0 };
            job.origins = origins;
            abut_sign_nodes(classifier, &job, &counts);
            for (uint32_t k = 0; k < 729; ++k)
            {
                // Bricks share nodes; the one where a node is not the last counts it.
                const uint32_t own[3] = { k % 9, k / 9 % 9, k / 81 };
                bool counted = true;
                for (int axis = 0; axis < 3; ++axis)
                {
                    counted = counted && (own[axis] < 8 || at[axis] == 32);
                }
                doubtful += counted && (origins[k] & ABUT_SIGN_UNCERTAIN) != 0;
                size_t node = abut_node_index(&grid, at[0] + k % 9, at[1] + k / 9 % 9, at[2] + k / 81);
                assert_int_equal(signbit(squared[k]) != 0, test_sign_is_inside(&whole, node));
            }
        }
        test_assert_near(doubtful, whole.counts.uncertain_nodes, 0.01 * (double)whole.counts.uncertain_nodes);
        abut_sign_classifier_destroy(classifier);
        abut_triangle_groups_destroy(groups);
        test_signs_free(&whole);
        abut_mesh_destroy(mesh);
    }
}

/// The winding number of one more surface that closes the hole: a cone from the first border edge.
static double cone_winding(const AbutSignClassifier* classifier, const double p[3])
{
    const AbutHalfEdges* half_edges = &classifier->half_edges;
    AbutVec3 apex = half_edges->mesh->vertices[half_edges->border[0].from];
    TestSoup soup = { 0 };
    for (uint32_t i = 0; i < half_edges->border_count; ++i)
    {
        const AbutBorderEdge* edge = &half_edges->border[i];
        test_soup_loose(&soup, half_edges->mesh->vertices[edge->to], half_edges->mesh->vertices[edge->from],
                        apex);
    }
    AbutMesh* cone = test_soup_mesh_and_free(&soup);
    double number = test_winding(cone, p);
    abut_mesh_destroy(cone);
    return number;
}

static void test_certainty_is_kept(void** state)
{
    (void)state;
    TestRandom random = { 36 };
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = test_assorted_mesh(i);
        AbutSignClassifier* classifier = NULL;
        test_assert_result(abut_sign_classifier_create(mesh, ABUT_SIGN_AUTO, NULL, &classifier), ABUT_OK);
        int certain = 0;
        for (int k = 0; k < 3000; ++k)
        {
            AbutVec3 c = test_random_point(&random, 1.6), direction = test_random_direction(&random);
            const double center[3] = { c.x, c.y, c.z };
            double radius = pow(10.0, -test_random_range(&random, 0.3, 3.0)),
                   r = radius * test_random_unit(&random);
            if (abut_sign_classifier_is_certain(classifier, abut_dvec3_from_array(center), radius))
            {
                const double p[3] = { c.x + r * direction.x, c.y + r * direction.y, c.z + r * direction.z };
                double number = test_winding(mesh, p);
                certain += 1;
                if (fabs(number - floor(number + 0.5)) < 0.25 + 1e-5)
                {
                    continue;
                }
                // Far from a hole, whatever closes it: in or out is the same for another closure.
                assert_int_equal(i, 2);
                double closed = number + cone_winding(classifier, p);
                test_assert_near(closed, floor(closed + 0.5), 1e-5);
                AbutDVec3 at = abut_dvec3_from_array(p);
                double winding = abut_sign_classifier_winding(classifier, at);
                assert_int_equal(closed > 0.5,
                                 abut_sign_classifier_effective_winding(classifier, at, winding) > 0.5);
            }
        }
        assert_true(certain > 300);
        abut_sign_classifier_destroy(classifier);
        abut_mesh_destroy(mesh);
    }
}

static void test_winding_numbers_are_those_of_all_triangles(void** state)
{
    (void)state;
    TestRandom random = { 37 };
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = test_assorted_mesh(i);
        AbutSignClassifier* classifier = NULL;
        test_assert_result(abut_sign_classifier_create(mesh, ABUT_SIGN_WINDING, NULL, &classifier), ABUT_OK);
        bool inverted = abut_sign_classifier_info(classifier).inverted;
        for (int k = 0; k < 1000 && (!inverted || i != 1); ++k)
        {
            AbutVec3 c = test_random_point(&random, 1.6);
            const double p[3] = { c.x, c.y, c.z };
            double number = test_winding(mesh, p);
            test_assert_near(abut_sign_classifier_winding(classifier, abut_dvec3_from_array(p)),
                             inverted ? -number : number, i == 3 ? 0.02 : 0.002);
        }
        abut_sign_classifier_destroy(classifier);
        abut_mesh_destroy(mesh);
    }
}

static AbutResult create_signer(void* context, const AbutHost* host)
{
    AbutSignClassifier* classifier = NULL;
    AbutResult result = abut_sign_classifier_create(context, ABUT_SIGN_AUTO, host, &classifier);
    abut_sign_classifier_destroy(classifier);
    return result;
}

static void test_signers_survive_every_failing_allocation(void** state)
{
    (void)state;
    for (int i = 0; i < 5; ++i)
    {
        AbutMesh* mesh = test_assorted_mesh(i);
        test_fail_every_allocation(create_signer, mesh);
        abut_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bricks_have_the_signs_of_the_whole_grid),
        cmocka_unit_test(test_certainty_is_kept),
        cmocka_unit_test(test_winding_numbers_are_those_of_all_triangles),
        cmocka_unit_test(test_signers_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
