// The inspection report, against searches through everything.
#include "support/meshes/meshes.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A text that differs whenever a number of the report does.
static void print_report(const AbutMeshReport* r, char* text, size_t size)
{
    int length = snprintf(
        text, size, "%u %u %u | %u %u %u | %u %d | %u %u %u | %llu %d | %d %d | %a %a %a %a %a %a | %a | %a",
        r->triangle_count, r->vertex_count, r->welded_vertex_count, r->component_count,
        r->boundary_edge_count, r->nonmanifold_edge_count, r->t_junction_count, r->t_junction_sampled,
        r->degenerate_count, r->duplicate_count, r->inconsistent_edge_count,
        (unsigned long long)r->self_intersection_count, r->self_intersection_sampled, r->closed, r->oriented,
        (double)r->bounds.min.x, (double)r->bounds.min.y, (double)r->bounds.min.z, (double)r->bounds.max.x,
        (double)r->bounds.max.y, (double)r->bounds.max.z, r->area, r->mass.volume);
    for (int i = 0; i < 12; ++i)
    {
        double value = i < 3 ? r->mass.center[i] : r->mass.inertia[i / 3 - 1][i % 3];
        length += snprintf(text + length, size - (size_t)length, " %a", value);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Sound meshes
// -----------------------------------------------------------------------------------------------------------

static void check_sound(const AbutMeshReport* r, uint32_t component_count, int euler_characteristic)
{
    assert_true(r->closed);
    assert_true(r->oriented);
    assert_int_equal(r->component_count, component_count);
    assert_int_equal(r->boundary_edge_count, 0);
    assert_int_equal(r->nonmanifold_edge_count, 0);
    assert_int_equal(r->t_junction_count, 0);
    assert_int_equal(r->degenerate_count, 0);
    assert_int_equal(r->duplicate_count, 0);
    assert_int_equal(r->inconsistent_edge_count, 0);
    assert_int_equal(r->self_intersection_count, 0);
    assert_false(r->self_intersection_sampled);
    assert_false(r->t_junction_sampled);
    // Each triangle of a closed mesh has three halves of an edge.
    int edge_count = (int)r->triangle_count * 3 / 2;
    assert_int_equal((int)r->welded_vertex_count - edge_count + (int)r->triangle_count, euler_characteristic);
}

static void test_sound_meshes_are_reported_sound(void** state)
{
    (void)state;
    for (int split = 0; split < 2; ++split) // with and without shared vertices
    {
        TestSoup box = { 0 }, torus = { 0 }, sphere = { 0 }, both = { 0 };
        test_soup_box(&box, abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1));
        test_soup_torus(&torus, 2.0, 0.5, 60, 30);
        test_soup_sphere(&sphere, 20);
        test_soup_torus(&both, 2.0, 0.5, 60, 30);
        test_soup_sphere(&both, 20); // in the hole of the ring
        TestSoup* soups[] = { &box, &torus, &sphere, &both };
        const uint32_t components[] = { 1, 1, 1, 2 };
        const int characteristics[] = { 2, 0, 2, 2 };
        for (int i = 0; i < 4; ++i)
        {
            if (split)
            {
                test_soup_split(soups[i]);
            }
            AbutMeshReport report = test_soup_report_and_free(soups[i]);
            check_sound(&report, components[i], characteristics[i]);
            assert_true(report.mass.volume > 0.0);
        }
    }
}

static void test_area_and_bounds_are_those_of_the_shape(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(1, 2, 3), abut_vec3(2, 4, 6));
    test_soup_vertex(&soup, 100, 100, 100); // not used
    AbutMeshReport report = test_soup_report_and_free(&soup);
    test_assert_near(report.area, 2.0 * (2.0 + 6.0 + 3.0), 1e-13);
    test_assert_near(report.mass.volume, 6.0, 1e-13);
    test_assert_near(report.bounds.max.z, 6.0, 0.0);
    assert_int_equal(report.vertex_count, 9);
    assert_int_equal(report.welded_vertex_count, 8);

    TestSoup torus = { 0 };
    test_soup_torus(&torus, 2.0, 0.5, 100, 50);
    report = test_soup_report_and_free(&torus);
    test_assert_near(report.area, 4.0 * 3.14159265 * 3.14159265, 0.05);
}

// -----------------------------------------------------------------------------------------------------------
// Edges, components, duplicates: against searches through everything
// -----------------------------------------------------------------------------------------------------------

typedef struct Oracle
{
    uint32_t components, boundary, nonmanifold, inconsistent, duplicates;
} Oracle;

static void count_edge(const TestSoup* soup, uint32_t a, uint32_t b, uint32_t* labels, Oracle* oracle)
{
    int uses = 0, direction_sum = 0;
    uint32_t label = UINT32_MAX;
    for (uint32_t t = 0; t < soup->triangle_count; ++t)
    {
        const uint32_t* c = soup->indices + 3 * (size_t)t;
        int direction = test_has_equal_corners(c) ? 0 : test_edge_direction(c, a, b);
        if (direction == 0)
        {
            continue;
        }
        uses += 1;
        direction_sum += direction;
        if (label == UINT32_MAX)
        {
            label = labels[t];
        }
        uint32_t old = labels[t];
        for (uint32_t u = 0; u < soup->triangle_count; ++u)
        {
            labels[u] = labels[u] == old ? label : labels[u];
        }
    }
    oracle->boundary += uses == 1;
    oracle->nonmanifold += uses > 2;
    oracle->inconsistent += uses == 2 && direction_sum != 0;
}

static bool same_corners(const uint32_t* c, const uint32_t* d)
{
    int equal = 0;
    for (int i = 0; i < 9; ++i)
    {
        equal += c[i / 3] == d[i % 3];
    }
    return equal == 3 && !test_has_equal_corners(c) && !test_has_equal_corners(d);
}

static Oracle search_everything(const TestSoup* soup)
{
    Oracle oracle = { 0 };
    uint32_t n = soup->triangle_count;
    uint32_t* labels = malloc((n + 1) * sizeof(uint32_t));
    for (uint32_t t = 0; t < n; ++t)
    {
        labels[t] = t;
        bool earlier = false;
        for (uint32_t u = 0; u < t; ++u)
        {
            earlier = earlier || same_corners(soup->indices + 3 * (size_t)t, soup->indices + 3 * (size_t)u);
        }
        oracle.duplicates += earlier;
    }
    for (uint32_t a = 0; a < soup->vertex_count; ++a)
    {
        for (uint32_t b = a + 1; b < soup->vertex_count; ++b)
        {
            count_edge(soup, a, b, labels, &oracle);
        }
    }
    for (uint32_t t = 0; t < n; ++t)
    {
        // A component is counted at its first triangle.
        bool first = !test_has_equal_corners(soup->indices + 3 * (size_t)t);
        for (uint32_t u = 0; u < t; ++u)
        {
            first = first && labels[u] != labels[t];
        }
        oracle.components += first;
    }
    free(labels);
    return oracle;
}

static void test_edges_and_components_match_a_search_through_everything(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int repeat = 0; repeat < 300; ++repeat)
    {
        TestSoup soup = { 0 };
        uint32_t vertex_count = 3 + (uint32_t)(test_random_bits(&random) % 25);
        uint32_t triangle_count = (uint32_t)(test_random_bits(&random) % 60);
        for (uint32_t i = 0; i < vertex_count; ++i)
        {
            AbutVec3 p = test_random_point(&random, 1.0);
            test_soup_vertex(&soup, p.x, p.y, p.z);
        }
        for (uint32_t t = 0; t < triangle_count; ++t)
        {
            uint32_t v[3];
            for (int k = 0; k < 3; ++k)
            {
                v[k] = (uint32_t)(test_random_bits(&random) % vertex_count);
            }
            test_soup_triangle(&soup, v[0], v[1], v[2]);
        }
        Oracle oracle = search_everything(&soup);
        if (repeat % 2)
        {
            test_soup_split(&soup);
        }
        AbutMeshReport report = test_soup_report_and_free(&soup);
        assert_int_equal(report.boundary_edge_count, oracle.boundary);
        assert_int_equal(report.nonmanifold_edge_count, oracle.nonmanifold);
        assert_int_equal(report.inconsistent_edge_count, oracle.inconsistent);
        assert_int_equal(report.component_count, oracle.components);
        assert_int_equal(report.duplicate_count, oracle.duplicates);
        assert_int_equal(report.closed, oracle.boundary == 0 && oracle.nonmanifold == 0);
        assert_int_equal(report.oriented, oracle.inconsistent == 0);
    }
}

static void test_collapsed_triangles_do_not_spoil_the_edges_they_lie_in(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    test_soup_triangle(&soup, 0, 1, 1);
    test_soup_triangle(&soup, 2, 2, 2);
    AbutMeshReport report = test_soup_report_and_free(&soup);
    assert_int_equal(report.degenerate_count, 2);
    assert_int_equal(report.nonmanifold_edge_count, 0);
    assert_int_equal(report.component_count, 1);
    assert_int_equal(report.self_intersection_count, 0);
    assert_true(report.closed);
}

static void test_triangles_without_area_still_close_a_surface(void** state)
{
    (void)state;
    // A square whose bottom edge is split on one side only, and closed by a triangle in line.
    TestSoup soup = { 0 };
    uint32_t a = test_soup_vertex(&soup, 0, 0, 0), b = test_soup_vertex(&soup, 2, 0, 0);
    uint32_t m = test_soup_vertex(&soup, 1, 0, 0), up = test_soup_vertex(&soup, 1, 1, 0);
    uint32_t down = test_soup_vertex(&soup, 1, -1, 0);
    test_soup_triangle(&soup, a, b, up);
    test_soup_triangle(&soup, a, down, m);
    test_soup_triangle(&soup, m, down, b);
    AbutMeshReport open = test_soup_report(&soup);
    test_soup_triangle(&soup, a, m, b);
    AbutMeshReport shut = test_soup_report_and_free(&soup);
    assert_int_equal(open.boundary_edge_count, 7);
    assert_int_equal(open.t_junction_count, 1);
    assert_int_equal(open.component_count, 2);
    assert_int_equal(shut.degenerate_count, 1);
    assert_int_equal(shut.boundary_edge_count, 4);
    assert_int_equal(shut.t_junction_count, 0);
    assert_int_equal(shut.component_count, 1);
    assert_true(shut.oriented);
    assert_int_equal(shut.self_intersection_count, 0);
}

static void test_flipped_face_makes_its_edges_inconsistent(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 2.0, 0.5, 12, 8);
    uint32_t swap = soup.indices[30];
    soup.indices[30] = soup.indices[31];
    soup.indices[31] = swap;
    AbutMeshReport report = test_soup_report_and_free(&soup);
    assert_int_equal(report.inconsistent_edge_count, 3);
    assert_false(report.oriented);
    assert_true(report.closed);
}

static void test_hub_of_many_triangles_is_no_burden(void** state)
{
    (void)state;
    // A closed double cone: two vertices with 60,000 triangles each.
    enum
    {
        N = 60000
    };
    TestSoup soup = { 0 };
    uint32_t top = test_soup_vertex(&soup, 0, 0, 1), bottom = test_soup_vertex(&soup, 0, 0, -1);
    for (uint32_t i = 0; i < N; ++i)
    {
        double angle = 6.283185307179586 * i / N;
        test_soup_vertex(&soup, cos(angle), sin(angle), 0);
    }
    for (uint32_t i = 0; i < N; ++i)
    {
        test_soup_triangle(&soup, top, 2 + i, 2 + (i + 1) % N);
        test_soup_triangle(&soup, bottom, 2 + (i + 1) % N, 2 + i);
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    def.skip_self_intersections = true; // all slivers meet at the hubs: this is about edges
    AbutMeshReport report;
    test_assert_result(abut_mesh_inspect(&def, mesh, &report), ABUT_OK);
    assert_true(report.closed && report.oriented);
    assert_int_equal(report.component_count, 1);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

// -----------------------------------------------------------------------------------------------------------
// Properties
// -----------------------------------------------------------------------------------------------------------

/// Open, with T-junctions, crossings, duplicates, degenerate and flipped triangles.
static TestSoup broken_mesh(uint32_t size)
{
    TestRandom random = { 5 };
    TestSoup soup = test_soup_on_grid(&random, (int)size, 8.0, 0.0);
    test_soup_torus(&soup, 6.0, 2.0, size / 50 + 3, size / 100 + 3);
    soup.triangle_count -= 7;
    return soup;
}

static void test_report_has_the_same_bits_for_any_worker_count(void** state)
{
    (void)state;
    TestSoup soup = broken_mesh(3000);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    const uint32_t counts[] = { 1, 2, 7 };
    char texts[3][1024];
    for (int i = 0; i < 3; ++i)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(counts[i], NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        AbutMeshInspectDef def = abut_mesh_inspect_def();
        def.host = &host;
        def.self_intersection_limit = 100000;
        AbutMeshReport report;
        test_assert_result(abut_mesh_inspect(&def, mesh, &report), ABUT_OK);
        print_report(&report, texts[i], sizeof(texts[i]));
        assert_string_equal(texts[i], texts[0]);
        assert_true(report.t_junction_count > 0 && report.self_intersection_count > 0 &&
                    report.degenerate_count > 0);
        abut_workers_destroy(workers);
    }
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static void test_order_of_the_triangles_changes_no_count(void** state)
{
    (void)state;
    TestSoup soup = broken_mesh(800);
    AbutMeshReport before = test_soup_report(&soup);
    TestRandom random = { 6 };
    for (uint32_t t = soup.triangle_count - 1; t > 0; --t)
    {
        uint32_t u = (uint32_t)(test_random_bits(&random) % (t + 1));
        uint32_t first = (uint32_t)(test_random_bits(&random) % 3);
        for (uint32_t k = 0; k < 3; ++k) // swap, and turn the corners of the one that came from u
        {
            uint32_t corner = soup.indices[3 * (size_t)t + k];
            soup.indices[3 * (size_t)t + k] = soup.indices[3 * (size_t)u + k];
            soup.indices[3 * (size_t)u + k] = corner;
        }
        uint32_t* c = soup.indices + 3 * (size_t)t;
        uint32_t rotated[3] = { c[first], c[(first + 1) % 3], c[(first + 2) % 3] };
        memcpy(c, rotated, sizeof(rotated));
    }
    AbutMeshReport after = test_soup_report_and_free(&soup);
    test_assert_near(after.area, before.area, 1e-9 * before.area);
    after.area = before.area;
    after.mass = before.mass;
    char texts[2][1024];
    print_report(&before, texts[0], sizeof(texts[0]));
    print_report(&after, texts[1], sizeof(texts[1]));
    assert_string_equal(texts[0], texts[1]);
}

static void test_scaling_by_powers_of_two_changes_no_count(void** state)
{
    (void)state;
    TestSoup soup = broken_mesh(300);
    AbutMeshReport before = test_soup_report(&soup);
    const float scales[] = { 0x1p100f, 0x1p-60f };
    for (int i = 0; i < 2; ++i)
    {
        TestSoup scaled = broken_mesh(300);
        for (uint32_t v = 0; v < scaled.vertex_count; ++v)
        {
            scaled.vertices[v] = abut_vec3_scale(scaled.vertices[v], scales[i]);
        }
        AbutMeshReport after = test_soup_report_and_free(&scaled);
        assert_int_equal(after.t_junction_count, before.t_junction_count);
        assert_int_equal(after.self_intersection_count, before.self_intersection_count);
        assert_int_equal(after.degenerate_count, before.degenerate_count);
        assert_int_equal(after.welded_vertex_count, before.welded_vertex_count);
        test_assert_near(after.area / ((double)scales[i] * scales[i]), before.area, 1e-12 * before.area);
    }
    test_soup_free(&soup);
}

static void assert_finite(const AbutMeshReport* r)
{
    assert_true(isfinite(r->area) && isfinite(r->mass.volume));
    for (int i = 0; i < 3; ++i)
    {
        assert_true(isfinite(r->mass.center[i]) && isfinite(r->mass.inertia[i][0]) &&
                    isfinite(r->mass.inertia[i][1]) && isfinite(r->mass.inertia[i][2]));
    }
}

static void test_extremes_of_float_are_inspected_like_any_mesh(void** state)
{
    (void)state;
    const float sizes[] = { FLT_MAX, 1e30f, 1e-30f, FLT_MIN, 0x1p-149f };
    for (int i = 0; i < 5; ++i)
    {
        float s = sizes[i];
        TestSoup soup = { 0 };
        test_soup_box(&soup, abut_vec3(-s, -s, -s), abut_vec3(s, s, s));
        AbutMeshReport report = test_soup_report(&soup);
        check_sound(&report, 1, 2);
        assert_finite(&report);
        test_assert_near(report.area / ((double)s * s), 24.0, 1e-12);
        soup.triangle_count -= 1; // open
        test_soup_loose(&soup, abut_vec3(-s, 0, 0), abut_vec3(s, 0, 0),
                        abut_vec3(0, s, 0)); // inside, touching
        test_soup_loose(&soup, abut_vec3(-s, -s, 0), abut_vec3(s, s, s), abut_vec3(0, s, -s)); // through it
        report = test_soup_report_and_free(&soup);
        assert_finite(&report);
        assert_int_equal(report.boundary_edge_count, 9);
        assert_true(report.self_intersection_count >= 1);
    }
}

static void test_next_to_nothing_has_a_defined_report(void** state)
{
    (void)state;
    TestSoup empty = { 0 };
    AbutMeshReport report = test_soup_report(&empty);
    check_sound(&report, 0, 0);
    assert_finite(&report);
    assert_true(abut_box_is_empty(report.bounds));
    test_assert_near(report.area, 0.0, 0.0);

    TestSoup one = { 0 };
    test_soup_loose(&one, abut_vec3(0, 0, 0), abut_vec3(1, 0, 0), abut_vec3(0, 1, 0));
    report = test_soup_report_and_free(&one);
    assert_int_equal(report.boundary_edge_count, 3);
    assert_int_equal(report.component_count, 1);
    assert_false(report.closed);
    assert_finite(&report);

    TestSoup degenerate = { 0 };
    for (int i = 0; i < 100; ++i)
    {
        AbutVec3 p = abut_vec3((float)(i / 2), 1, 2);
        test_soup_loose(&degenerate, p, i % 2 ? p : abut_vec3(7, 1, 2), abut_vec3(200, 1, 2));
    }
    report = test_soup_report_and_free(&degenerate);
    assert_int_equal(report.degenerate_count, 100);
    assert_int_equal(report.self_intersection_count, 0);
    assert_finite(&report);
    test_assert_near(report.area, 0.0, 0.0);
}

// -----------------------------------------------------------------------------------------------------------
// Progress, memory
// -----------------------------------------------------------------------------------------------------------

typedef struct Progress
{
    int calls, cancel_at;
    float last;
} Progress;

static bool note_progress(void* user, float done)
{
    Progress* progress = user;
    assert_true(done >= progress->last && done <= 1.0f);
    progress->last = done;
    return ++progress->calls != progress->cancel_at;
}

static void test_progress_rises_to_one_and_every_call_can_cancel(void** state)
{
    (void)state;
    TestSoup soup = broken_mesh(400);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    Progress progress = { 0 };
    for (int cancel_at = 1;; ++cancel_at)
    {
        TestHost host;
        test_host_init(&host);
        progress = (Progress){ .cancel_at = cancel_at };
        AbutMeshInspectDef def = abut_mesh_inspect_def();
        def.progress = note_progress;
        def.progress_user = &progress;
        def.host = &host.host;
        AbutMeshReport report, untouched;
        memset(&report, 0x5A, sizeof(report));
        untouched = report;
        AbutResult result = abut_mesh_inspect(&def, mesh, &report);
        assert_int_equal(host.live_count, 0);
        if (progress.calls < cancel_at)
        {
            test_assert_result(result, ABUT_OK);
            break;
        }
        test_assert_result(result, ABUT_CANCELLED);
        assert_memory_equal(&report, &untouched, sizeof(report));
        assert_int_equal(progress.calls, cancel_at);
    }
    assert_true(progress.calls > 10);
    test_assert_near(progress.last, 1.0, 0.0);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static AbutResult inspect_on(void* context, const AbutHost* host)
{
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    def.host = host;
    AbutMeshReport report;
    return abut_mesh_inspect(&def, context, &report);
}

static void test_inspection_survives_every_failing_allocation(void** state)
{
    (void)state;
    TestSoup soup = broken_mesh(200);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    assert_true(test_fail_every_allocation(inspect_on, mesh) > 15);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

static void test_memory_stays_in_proportion_to_the_mesh(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_torus(&soup, 2.0, 0.5, 200, 100);
    test_soup_split(&soup);
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    TestHost host;
    test_host_init(&host);
    test_assert_result(inspect_on(mesh, &host.host), ABUT_OK);
    assert_true(host.peak_bytes < 100 * (uint64_t)soup.triangle_count);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_meshes_are_reported_sound),
        cmocka_unit_test(test_area_and_bounds_are_those_of_the_shape),
        cmocka_unit_test(test_edges_and_components_match_a_search_through_everything),
        cmocka_unit_test(test_collapsed_triangles_do_not_spoil_the_edges_they_lie_in),
        cmocka_unit_test(test_triangles_without_area_still_close_a_surface),
        cmocka_unit_test(test_flipped_face_makes_its_edges_inconsistent),
        cmocka_unit_test(test_hub_of_many_triangles_is_no_burden),
        cmocka_unit_test(test_report_has_the_same_bits_for_any_worker_count),
        cmocka_unit_test(test_order_of_the_triangles_changes_no_count),
        cmocka_unit_test(test_scaling_by_powers_of_two_changes_no_count),
        cmocka_unit_test(test_extremes_of_float_are_inspected_like_any_mesh),
        cmocka_unit_test(test_next_to_nothing_has_a_defined_report),
        cmocka_unit_test(test_progress_rises_to_one_and_every_call_can_cancel),
        cmocka_unit_test(test_inspection_survives_every_failing_allocation),
        cmocka_unit_test(test_memory_stays_in_proportion_to_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
