// What closing promises of itself: best plans against brute force, the same for any numbering, bad arguments,
// no memory.
#include "mesh/inspect/inspect.h"
#include "mesh/repair/cap.h"
#include "support/meshes/closing.h"

#include <abut/io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// test_close_with() has what must hold.
static void test_close_stands_soup(void** state)
{
    (void)state;
    TestRandom random = { 42 };
    AbutMeshCloseDef def = abut_mesh_close_def();
    for (int repeat = 0; repeat < 80; ++repeat)
    {
        TestSoup soup = test_soup_on_grid(&random, 20 + 10 * (repeat % 20), 1.0 + repeat % 7, 0.0);
        AbutMesh* mesh = test_soup_mesh(&soup, NULL);
        def.tolerance = repeat % 2 == 0 ? 0.0f : -1.0f;
        TestClosed closed = test_close_with(&def, mesh);
        abut_mesh_destroy(closed.mesh);
        abut_mesh_destroy(mesh);
        test_soup_free(&soup);
    }
}

static void test_close_refuses_bad_arguments(void** state)
{
    (void)state;
    TestSoup soup = test_box_without(1);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 3; ++i)
    {
        AbutMesh* out = mesh;
        AbutMeshCloseDef def = abut_mesh_close_def();
        def.tolerance = bad[i];
        test_assert_result(abut_mesh_close(&def, mesh, &out, NULL), ABUT_INVALID_ARGUMENT);
        assert_null(out);
        assert_non_null(strstr(abut_last_error(), "tolerance"));
        def = abut_mesh_close_def();
        def.max_hole_size = i == 1 ? -1.0f : bad[i];
        out = mesh;
        test_assert_result(abut_mesh_close(&def, mesh, &out, NULL), ABUT_INVALID_ARGUMENT);
        assert_null(out);
        assert_non_null(strstr(abut_last_error(), "widest"));
    }
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static void shuffle(TestRandom* random, TestSoup* soup)
{
    test_soup_split(soup); // other vertices altogether
    for (uint32_t i = soup->triangle_count; i-- > 1;)
    {
        uint32_t other = (uint32_t)(test_random_bits(random) % (i + 1));
        for (int k = 0; k < 3; ++k)
        {
            uint32_t *a = &soup->indices[3 * (size_t)i + (size_t)k],
                     *b = &soup->indices[3 * (size_t)other + (size_t)k];
            uint32_t index = *a;
            *a = *b;
            *b = index;
        }
        uint32_t* corners = soup->indices + 3 * (size_t)i;
        uint32_t first = (uint32_t)(test_random_bits(random) % 3);
        uint32_t rotated[3] = { corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3] };
        memcpy(corners, rotated, sizeof(rotated));
    }
}

/// The triangles that were added, in order, by their positions.
static uint64_t hash_caps(const TestClosed* closed)
{
    uint32_t count = abut_mesh_triangle_count(closed->mesh);
    uint64_t hash = 0;
    for (uint32_t t = count - closed->close.triangle_count; t < count; ++t)
    {
        for (int k = 0; k < 3; ++k)
        {
            AbutVec3 p =
                abut_mesh_vertices(closed->mesh)[abut_mesh_indices(closed->mesh)[3 * (size_t)t + (size_t)k]];
            float clean[3] = { p.x + 0.0f, p.y + 0.0f, p.z + 0.0f };
            hash = abut_hash(clean, sizeof(clean), hash);
        }
    }
    return hash;
}

static void check_shuffled(TestRandom* random, TestSoup* soup)
{
    TestClosed first = test_close_soup(soup);
    assert_true(first.close.triangle_count > 0);
    for (int repeat = 0; repeat < 2; ++repeat)
    {
        shuffle(random, soup);
        TestClosed other = test_close_soup(soup);
        assert_int_equal(other.close.triangle_count, first.close.triangle_count);
        assert_true(hash_caps(&other) == hash_caps(&first));
        abut_mesh_destroy(other.mesh);
    }
    abut_mesh_destroy(first.mesh);
    test_soup_free(soup);
}

static void test_close_gives_the_same_caps_for_any_numbering(void** state)
{
    (void)state;
    TestRandom random = { 51 };
    for (int repeat = 0; repeat < 10; ++repeat)
    {
        TestSoup soup = test_make_torn_sphere(&random, 8, 0.04 * (repeat + 1));
        check_shuffled(&random, &soup);
    }
    TestSoup tube = test_make_wavy_tube(330, 3, 0.5),
             seams = test_make_t_junctions(5, test_random_rotation(&random));
    check_shuffled(&random, &tube);
    check_shuffled(&random, &seams);
    TestSoup cracked = test_box_without(1);
    test_soup_split(&cracked);
    for (uint32_t i = 0; i < cracked.vertex_count; ++i)
    {
        cracked.vertices[i] = abut_vec3_add(cracked.vertices[i], test_random_point(&random, 5e-7));
    }
    check_shuffled(&random, &cracked);
}

typedef struct Search
{
    const AbutCapPlan* plan;
    uint32_t count;
    const AbutPlanView* view;
} Search;

static double brute_fold(const Search* self, uint32_t from, uint32_t to, AbutDVec3 normal)
{
    double square =
        abut_dvec3_squared_length(abut_dvec3_sub(self->plan->points[to], self->plan->points[from]));
    double cosine = abut_dvec3_dot(normal, self->plan->normals[from]) / abut_dvec3_length(normal);
    return (from + 1) % self->count == to && cosine < 0.0 ? 0.25 * cosine * cosine * square : 0.0;
}

static double brute_triangle(const Search* self, uint32_t i, uint32_t k, uint32_t j)
{
    const AbutDVec3* p = self->plan->points;
    AbutDVec3 n = abut_dvec3_cross(abut_dvec3_sub(p[k], p[i]), abut_dvec3_sub(p[j], p[i]));
    double seen = 0.5 * abut_dvec3_dot(n, self->view->direction), area = abut_dvec3_squared_length(n);
    double longest = 0.0, sum = 0.0;
    const uint32_t ends[3][2] = { { i, k }, { k, j }, { i, j } };
    for (int side = 0; side < 3; ++side)
    {
        double square = abut_dvec3_squared_length(abut_dvec3_sub(p[ends[side][0]], p[ends[side][1]]));
        sum += square;
        longest = sqrt(square) > longest ? sqrt(square) : longest;
    }
    double least = 0.5 * self->view->thin * longest;
    double fold = brute_fold(self, i, k, n) + brute_fold(self, k, j, n) + brute_fold(self, j, i, n);
    double fault =
        (0.5 * sqrt(area) < least ? least - 0.5 * sqrt(area) : 0.0) + (seen < -least ? -seen : 0.0);
    return 1e9 * fault + 0.5 * sqrt(area) + sum / 64.0 + fold;
}

/// All ways, without a table.
static double brute_force(const Search* self, uint32_t i, uint32_t j, bool whole)
{
    double best = INFINITY;
    if (j - i < 2)
    {
        return 0.0;
    }
    if (!whole && self->plan->blocked[(size_t)i * self->plan->capacity + j] != 0)
    {
        return best;
    }
    for (uint32_t k = i + 1; k < j; ++k)
    {
        double both = brute_force(self, i, k, false) + brute_force(self, k, j, false);
        best = fmin(best, both + brute_triangle(self, i, k, j));
    }
    return best;
}

static void test_plans_are_the_best_of_all(void** state)
{
    (void)state;
    TestRandom random = { 61 };
    AbutCapPlan plan = { .host = abut_host_default() };
    int impossible = 0;
    for (int repeat = 0; repeat < 300; ++repeat)
    {
        uint32_t count = 3 + (uint32_t)(repeat % 7);
        test_assert_result(abut_cap_plan_reserve(&plan, count), ABUT_OK);
        for (uint32_t i = 0; i < count; ++i)
        {
            plan.points[i] = abut_dvec3_from_vec3(test_random_point(&random, 1.0));
            plan.normals[i] = abut_dvec3_from_vec3(test_random_direction(&random));
            for (uint32_t j = i + 2; j < count; ++j)
            {
                plan.blocked[(size_t)i * plan.capacity + j] = test_random_unit(&random) < 0.15;
            }
        }
        AbutPlanView view = { { 0.6, 0.0, 0.8 }, 0.01 };
        const Search search = { &plan, count, &view };
        double best = brute_force(&search, 0, count - 1, true), sum = 0.0;
        bool possible = abut_cap_plan_solve(&plan, count, &view);
        assert_int_equal(possible, isfinite(best));
        impossible += !possible;
        for (uint32_t t = 0; possible && t + 2 < count; ++t)
        {
            const uint16_t* c = plan.triangles[t];
            sum += brute_triangle(&search, c[0], c[1], c[2]);
        }
        if (possible)
        {
            test_assert_near(sum, best, 1e-12 * best);
        }
    }
    assert_true(impossible > 0);
    abut_cap_plan_destroy(&plan);
}

static AbutResult close_and_destroy(void* context, const AbutHost* host)
{
    AbutMesh* closed = NULL;
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.host = host;
    AbutResult result = abut_mesh_close(&def, context, &closed, NULL);
    abut_mesh_destroy(closed);
    return result;
}

static void fail_allocations(TestSoup* soup)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    test_fail_every_allocation(close_and_destroy, mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(soup);
}

/// A cap over a rim that is cut into many pieces.
static AbutResult cap_in_pieces(void* context, const AbutHost* host)
{
    enum
    {
        COUNT = 120
    };
    const AbutMesh* mesh = context;
    AbutVertexKeys edges;
    AbutResult result = abut_vertex_keys_create(host, mesh, abut_file_edges, &edges);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t loop[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        loop[i] = 2 * i + 1;
    }
    AbutCaps caps = abut_caps_make(host, mesh, &edges, COUNT, 1e-6);
    caps.plan_limit = 64;
    result = abut_caps_add(&caps, loop, COUNT);
    assert_int_equal(caps.index_count, result == ABUT_OK ? 3 * (COUNT - 2) : caps.index_count);
    abut_caps_destroy(&caps);
    abut_vertex_keys_destroy(host, &edges);
    return result;
}

static void test_caps_in_pieces_survive_every_failing_allocation(void** state)
{
    (void)state;
    TestSoup tube = test_make_wavy_tube(120, 2, 0.5);
    AbutMesh* mesh = test_soup_mesh(&tube, NULL);
    test_fail_every_allocation(cap_in_pieces, mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(&tube);
}

static void test_close_survives_every_failing_allocation(void** state)
{
    (void)state;
    TestRandom random = { 71 };
    TestSoup torn = test_make_torn_sphere(&random, 3, 0.3);
    TestSoup seams = test_make_t_junctions(3, abut_quat_identity());
    seams.triangle_count -= 1; // a hole beside a seam
    seams.vertices[0].x += 1e-7f;
    fail_allocations(&torn);
    fail_allocations(&seams);
}

static void test_close_closes_the_bunny(void** state)
{
    (void)state;
    const char* path = test_shared_mesh("bunny69k.obj");
    if (path == NULL)
    {
        skip();
    }
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_load(path, &mesh), ABUT_OK);
    TestClosed closed = test_close_mesh(mesh);
    test_check_closed(&closed);
    assert_int_equal(closed.before.boundary_edge_count, 223);
    assert_int_equal(closed.close.loop_count, 5);
    assert_int_equal(closed.close.triangle_count, 223 - 2 * 5);
    assert_int_equal(closed.after.self_intersection_count, 0);
    test_assert_near(closed.after.mass.volume, 7.54e-4, 2e-6); // of a field by winding numbers: 7.54e-4
    abut_mesh_destroy(closed.mesh);
    abut_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_close_stands_soup),
        cmocka_unit_test(test_close_refuses_bad_arguments),
        cmocka_unit_test(test_close_gives_the_same_caps_for_any_numbering),
        cmocka_unit_test(test_plans_are_the_best_of_all),
        cmocka_unit_test(test_caps_in_pieces_survive_every_failing_allocation),
        cmocka_unit_test(test_close_survives_every_failing_allocation),
        cmocka_unit_test(test_close_closes_the_bunny),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
