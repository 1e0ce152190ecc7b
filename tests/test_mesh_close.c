// Closing of holes: the report of abut_mesh_inspect() on the result is the judge, and volumes in closed form.
#include "mesh/cap.h"
#include "mesh/inspect.h"
#include "support/meshes.h"

#include <abut/io.h>

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Closing and judging
// ---------------------------------------------------------------------------------------------------------------------

typedef struct Closed
{
    AbutMesh* mesh;
    AbutMeshCloseReport close;
    AbutMeshReport before, after;
} Closed;

static AbutMeshReport inspect(const AbutMesh* mesh)
{
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    AbutMeshReport report;
    test_assert_result(abut_mesh_inspect(&def, mesh, &report), ABUT_OK);
    return report;
}

static void check_originals(const AbutMesh* mesh, const Closed* closed)
{
    uint32_t vertex_count = abut_mesh_vertex_count(mesh), triangle_count = abut_mesh_triangle_count(mesh);
    assert_int_equal(abut_mesh_vertex_count(closed->mesh), vertex_count + closed->close.vertex_count);
    assert_int_equal(abut_mesh_triangle_count(closed->mesh), triangle_count + closed->close.triangle_count);
    assert_memory_equal(abut_mesh_vertices(closed->mesh), abut_mesh_vertices(mesh),
                        vertex_count * sizeof(AbutVec3));
    if (closed->close.joined_count == 0)
    {
        assert_memory_equal(abut_mesh_indices(closed->mesh), abut_mesh_indices(mesh),
                            3 * (size_t)triangle_count * sizeof(uint32_t));
    }
}

/// What must hold of any mesh.
static Closed close_with(const AbutMeshCloseDef* def, const AbutMesh* mesh)
{
    Closed closed = { 0 };
    test_assert_result(abut_mesh_close(def, mesh, &closed.mesh, &closed.close), ABUT_OK);
    check_originals(mesh, &closed);
    closed.before = inspect(mesh);
    closed.after = inspect(closed.mesh);
    assert_int_equal(closed.close.closed, closed.after.closed && closed.after.oriented);
    assert_true(closed.after.boundary_edge_count <= closed.close.open_edge_count);
    if (closed.close.joined_count == 0)
    {
        assert_int_equal(closed.after.nonmanifold_edge_count, closed.before.nonmanifold_edge_count);
        assert_int_equal(closed.after.inconsistent_edge_count, closed.before.inconsistent_edge_count);
        assert_true(closed.after.boundary_edge_count <= closed.before.boundary_edge_count);
    }
    return closed;
}

static Closed close_mesh(const AbutMesh* mesh)
{
    AbutMeshCloseDef def = abut_mesh_close_def();
    return close_with(&def, mesh);
}

static Closed close_soup(const TestSoup* soup)
{
    AbutMesh* mesh = test_soup_mesh(soup, NULL);
    Closed closed = close_mesh(mesh);
    abut_mesh_destroy(mesh);
    return closed;
}

static Closed close_and_free(TestSoup* soup)
{
    Closed closed = close_soup(soup);
    test_soup_free(soup);
    return closed;
}

static void check_closed(const Closed* closed)
{
    if (!closed->close.closed)
    {
        print_message("%u loops closed, %u flat, %u wide, %u tangled, %u inconsistent, %u edges open\n",
                      closed->close.loop_count, closed->close.flat_count, closed->close.wide_count,
                      closed->close.tangled_count, closed->close.inconsistent_count,
                      closed->close.open_edge_count);
    }
    assert_true(closed->close.closed);
    assert_int_equal(closed->after.boundary_edge_count, 0);
    assert_int_equal(closed->after.nonmanifold_edge_count, 0);
    assert_int_equal(closed->after.inconsistent_edge_count, 0);
    assert_int_equal(closed->close.open_edge_count, 0);
    assert_int_equal(closed->close.flat_count + closed->close.wide_count + closed->close.tangled_count +
                         closed->close.inconsistent_count,
                     0);
}

/// A unit box without the faces whose bits are set; faces as in test_soup_box().
static TestSoup box_without(unsigned faces)
{
    TestSoup soup = { 0 };
    test_soup_box(&soup, abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    uint32_t kept = 0;
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        if ((faces >> (t / 2) & 1u) == 0)
        {
            memmove(soup.indices + 3 * (size_t)kept++, soup.indices + 3 * (size_t)t, 3 * sizeof(uint32_t));
        }
    }
    soup.triangle_count = kept;
    return soup;
}

// ---------------------------------------------------------------------------------------------------------------------
// Boxes
// ---------------------------------------------------------------------------------------------------------------------

static void test_close_puts_a_face_back(void** state)
{
    (void)state;
    for (int face = 0; face < 6; ++face)
    {
        TestSoup soup = box_without(1u << face);
        Closed closed = close_and_free(&soup);
        check_closed(&closed);
        test_assert_near(closed.after.mass.volume, 1.0, 1e-12);
        test_assert_near(closed.after.area, 6.0, 1e-12);
        test_assert_near(closed.close.area, 1.0, 1e-12);
        test_assert_near(closed.close.largest_size, sqrt(2.0), 1e-12);
        assert_int_equal(closed.close.loop_count, 1);
        assert_int_equal(closed.close.largest_edge_count, 4);
        assert_int_equal(closed.close.triangle_count, 2);
        assert_int_equal(closed.after.self_intersection_count, 0);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_handles_every_set_of_missing_faces(void** state)
{
    (void)state;
    for (unsigned faces = 0; faces < 63; ++faces)
    {
        unsigned left = 63u & ~faces;
        bool single = (left & (left - 1)) == 0;
        bool opposite = left == 3 || left == 12 || left == 48; // two faces that do not touch
        TestSoup soup = box_without(faces);
        Closed closed = close_and_free(&soup);
        if (single || opposite)
        {
            assert_int_equal(closed.close.flat_count, single ? 1 : 2);
            assert_int_equal(closed.close.triangle_count, 0);
        }
        else
        {
            check_closed(&closed);
            assert_true(closed.after.mass.volume > 0.1);
            assert_int_equal(closed.after.self_intersection_count, 0);
        }
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_leaves_a_closed_mesh_as_it_is(void** state)
{
    (void)state;
    TestSoup soup = box_without(0);
    test_soup_vertex(&soup, 5, 5, 5); // that no triangle uses
    Closed closed = close_and_free(&soup);
    check_closed(&closed);
    assert_int_equal(closed.close.loop_count + closed.close.triangle_count + closed.close.vertex_count, 0);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_of_nothing_is_nothing(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    test_soup_vertex(&soup, 1, 2, 3);
    Closed closed = close_and_free(&soup);
    assert_int_equal(abut_mesh_triangle_count(closed.mesh), 0);
    assert_int_equal(abut_mesh_vertex_count(closed.mesh), 1);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_turns_caps_as_the_mesh_is(void** state)
{
    (void)state;
    TestSoup soup = box_without(2);
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        uint32_t* corners = soup.indices + 3 * (size_t)t;
        uint32_t corner = corners[1];
        corners[1] = corners[2];
        corners[2] = corner;
    }
    Closed closed = close_and_free(&soup);
    check_closed(&closed);
    test_assert_near(closed.after.mass.volume, -1.0, 1e-12);
    abut_mesh_destroy(closed.mesh);
}

// ---------------------------------------------------------------------------------------------------------------------
// Prisms: the volume is area times height
// ---------------------------------------------------------------------------------------------------------------------

typedef struct Outline
{
    double (*points)[2]; // counter-clockwise
    uint32_t count;
} Outline;

static double outline_area(const Outline* outline)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < outline->count; ++i)
    {
        const double *p = outline->points[i], *q = outline->points[(i + 1) % outline->count];
        sum += p[0] * q[1] - p[1] * q[0];
    }
    return 0.5 * sum;
}

/// The wall over an outline, open at both ends; its ends lean by `lean` per unit of x.
static TestSoup make_wall(const Outline* outline, double height, double lean)
{
    TestSoup soup = { 0 };
    for (uint32_t i = 0; i < outline->count; ++i)
    {
        const double* p = outline->points[i];
        test_soup_vertex(&soup, p[0], p[1], lean * p[0]);
        test_soup_vertex(&soup, p[0], p[1], lean * p[0] + height);
    }
    for (uint32_t i = 0; i < outline->count; ++i)
    {
        uint32_t j = (i + 1) % outline->count;
        test_soup_triangle(&soup, 2 * i, 2 * j, 2 * j + 1);
        test_soup_triangle(&soup, 2 * i, 2 * j + 1, 2 * i + 1);
    }
    return soup;
}

static void turn_soup(TestSoup* soup, AbutQuat rotation)
{
    for (uint32_t i = 0; i < soup->vertex_count; ++i)
    {
        soup->vertices[i] = abut_quat_rotate(rotation, soup->vertices[i]);
    }
}

/// A strip wound up `turns` times: as far from star-shaped as can be.
static Outline make_spiral(uint32_t half_count, double turns)
{
    Outline outline = { malloc(2 * half_count * sizeof(double[2])), 2 * half_count };
    for (uint32_t i = 0; i < half_count; ++i)
    {
        double angle = 6.283185307179586 * turns * i / (half_count - 1);
        double inner = 0.5 + angle / 6.283185307179586, outer = inner + 0.5;
        outline.points[2 * half_count - 1 - i][0] = inner * cos(angle);
        outline.points[2 * half_count - 1 - i][1] = inner * sin(angle);
        outline.points[i][0] = outer * cos(angle);
        outline.points[i][1] = outer * sin(angle);
    }
    return outline;
}

/// Random distances from the middle: simple, and mostly not convex.
static Outline make_star(TestRandom* random, uint32_t count, double least)
{
    Outline outline = { malloc(count * sizeof(double[2])), count };
    for (uint32_t i = 0; i < count; ++i)
    {
        double angle = 6.283185307179586 * i / count, radius = test_random_range(random, least, 1.0);
        outline.points[i][0] = radius * cos(angle);
        outline.points[i][1] = radius * sin(angle);
    }
    return outline;
}

/// Teeth with straight flanks, points along them in line.
static Outline make_comb(uint32_t teeth, uint32_t steps)
{
    Outline outline = { malloc((4 * teeth * steps + 2) * sizeof(double[2])), 0 };
    double width = 2.0 * teeth;
    outline.points[outline.count][0] = 0.0;
    outline.points[outline.count++][1] = -1.0;
    outline.points[outline.count][0] = width;
    outline.points[outline.count++][1] = -1.0;
    for (uint32_t tooth = 0; tooth < teeth; ++tooth)
    {
        double right = width - 2.0 * tooth;
        const double corners[5][2] = {
            { right, 0.0 }, { right, 4.0 }, { right - 1.0, 4.0 }, { right - 1.0, 0.0 }, { right - 2.0, 0.0 }
        };
        for (int side = 0; side < 4; ++side)
        {
            for (uint32_t i = 0; i < steps; ++i)
            {
                double t = (double)i / steps;
                double* p = outline.points[outline.count++];
                p[0] = corners[side][0] + t * (corners[side + 1][0] - corners[side][0]);
                p[1] = corners[side][1] + t * (corners[side + 1][1] - corners[side][1]);
            }
        }
    }
    return outline;
}

static void check_prism(Outline* outline, double lean, AbutQuat rotation)
{
    const double height = 0.75;
    double area = outline_area(outline);
    assert_true(area > 0.0);
    TestSoup soup = make_wall(outline, height, lean);
    turn_soup(&soup, rotation);
    Closed closed = close_and_free(&soup);
    check_closed(&closed);
    assert_int_equal(closed.close.loop_count, 2);
    assert_int_equal(closed.close.triangle_count, 2 * (outline->count - 2));
    assert_int_equal(closed.close.vertex_count, 0);
    test_assert_near(closed.after.mass.volume, area * height, 1e-5 * area);
    test_assert_near(closed.close.area, 2.0 * area * sqrt(1.0 + lean * lean), 1e-4 * area);
    assert_int_equal(closed.after.self_intersection_count, 0);
    assert_int_equal(closed.after.degenerate_count, 0);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_fills_flat_outlines_of_any_form(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    for (int repeat = 0; repeat < 40; ++repeat)
    {
        Outline outline = make_star(&random, 3 + (uint32_t)(test_random_bits(&random) % 60), 0.1);
        check_prism(&outline, test_random_range(&random, -1.0, 1.0),
                    repeat == 0 ? abut_quat_identity() : test_random_rotation(&random));
        free(outline.points);
    }
    for (uint32_t half_count = 20; half_count <= 80; half_count *= 2)
    {
        Outline outline = make_spiral(half_count, 3.0);
        check_prism(&outline, 0.25, test_random_rotation(&random));
        free(outline.points);
    }
    for (uint32_t steps = 1; steps <= 8; steps *= 2)
    {
        Outline outline = make_comb(5, steps);
        check_prism(&outline, 0.0, abut_quat_identity());
        check_prism(&outline, -0.5, test_random_rotation(&random));
        free(outline.points);
    }
}

static void test_close_cuts_long_outlines_into_short_ones(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    Outline spiral = make_spiral(200, 4.0), comb = make_comb(12, 10), star = make_star(&random, 330, 0.9);
    check_prism(&spiral, 0.0, test_random_rotation(&random));
    check_prism(&comb, 0.3, test_random_rotation(&random));
    check_prism(&star, 0.3, test_random_rotation(&random));
    free(spiral.points);
    free(comb.points);
    free(star.points);
}

/// A tube whose upper rim goes up and down `waves` times.
static TestSoup make_wavy_tube(uint32_t count, int waves, double height)
{
    Outline circle = { malloc(count * sizeof(double[2])), count };
    for (uint32_t i = 0; i < count; ++i)
    {
        double angle = 6.283185307179586 * i / count;
        circle.points[i][0] = cos(angle);
        circle.points[i][1] = sin(angle);
    }
    TestSoup soup = make_wall(&circle, 2.0, 0.0);
    for (uint32_t i = 0; i < count; ++i)
    {
        soup.vertices[2 * i + 1].z += (float)(height * cos(6.283185307179586 * waves * i / count));
    }
    free(circle.points);
    return soup;
}

static void test_close_fills_rims_that_are_not_flat(void** state)
{
    (void)state;
    for (int waves = 1; waves <= 5; waves += 2)
    {
        for (uint32_t count = 10; count <= 330; count = 3 * count + 30)
        {
            TestSoup soup = make_wavy_tube(count, waves, 0.8);
            Closed closed = close_and_free(&soup);
            check_closed(&closed);
            assert_int_equal(closed.after.self_intersection_count, 0);
            assert_int_equal(closed.after.degenerate_count, 0);
            // Between all troughs and all crests.
            double base = 0.5 * count * sin(6.283185307179586 / count);
            assert_true(closed.after.mass.volume > 1.2 * base && closed.after.mass.volume < 2.8 * base);
            abut_mesh_destroy(closed.mesh);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Spheres with holes
// ---------------------------------------------------------------------------------------------------------------------

static TestSoup make_torn_sphere(TestRandom* random, uint32_t divisions, double part)
{
    TestSoup soup = { 0 };
    test_soup_sphere(&soup, divisions);
    uint32_t kept = 0;
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        if (test_random_unit(random) >= part)
        {
            memmove(soup.indices + 3 * (size_t)kept++, soup.indices + 3 * (size_t)t, 3 * sizeof(uint32_t));
        }
    }
    soup.triangle_count = kept;
    return soup;
}

static void test_close_mends_torn_spheres(void** state)
{
    (void)state;
    TestRandom random = { 21 };
    for (int repeat = 0; repeat < 30; ++repeat)
    {
        TestSoup soup = make_torn_sphere(&random, 4 + (uint32_t)(repeat % 9), 0.05);
        Closed closed = close_and_free(&soup);
        if (closed.close.flat_count == 0) // no triangle has come off
        {
            check_closed(&closed);
        }
        assert_int_equal(closed.after.self_intersection_count, 0);
        assert_true(closed.after.mass.volume > 2.0 && closed.after.mass.volume < 4.1887902);
        abut_mesh_destroy(closed.mesh);
    }
}

/// So torn that holes meet in vertices, and triangles hang on by a corner or come off.
static void test_close_leaves_only_loose_triangles_of_tatters(void** state)
{
    (void)state;
    TestRandom random = { 22 };
    for (int repeat = 0; repeat < 30; ++repeat)
    {
        TestSoup soup = make_torn_sphere(&random, 6, 0.1 + 0.026 * repeat);
        Closed closed = close_and_free(&soup);
        assert_int_equal(closed.after.nonmanifold_edge_count, 0);
        assert_int_equal(closed.after.inconsistent_edge_count, 0);
        assert_int_equal(closed.close.tangled_count + closed.close.inconsistent_count, 0);
        // Two triangles in the same plane do not occur, so nothing but a single one is flat.
        assert_int_equal(closed.after.boundary_edge_count, 3 * closed.close.flat_count);
        assert_int_equal(closed.close.open_edge_count, 3 * closed.close.flat_count);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_splits_holes_that_meet_in_a_vertex(void** state)
{
    (void)state;
    // Two unit boxes that touch in a corner, each without the three faces there.
    TestSoup soup = box_without(2 | 8 | 32);
    uint32_t first = soup.vertex_count, triangles = soup.triangle_count;
    test_soup_box(&soup, abut_vec3(1, 1, 1), abut_vec3(2, 2, 2));
    uint32_t kept = triangles;
    for (uint32_t t = triangles; t < soup.triangle_count; ++t)
    {
        const uint32_t* c = soup.indices + 3 * (size_t)t;
        unsigned all = (c[0] - first) & (c[1] - first) & (c[2] - first);
        if (all != 0) // a face at a maximum
        {
            memmove(soup.indices + 3 * (size_t)kept++, c, 3 * sizeof(uint32_t));
        }
    }
    soup.triangle_count = kept;
    Closed closed = close_and_free(&soup);
    check_closed(&closed);
    assert_int_equal(closed.close.loop_count, 2);
    assert_int_equal(closed.after.component_count, 2);
    abut_mesh_destroy(closed.mesh);
}

static void append_soup(TestSoup* soup, const TestSoup* other)
{
    uint32_t first = soup->vertex_count;
    for (uint32_t i = 0; i < other->vertex_count; ++i)
    {
        AbutVec3 p = other->vertices[i];
        test_soup_vertex(soup, p.x, p.y, p.z);
    }
    for (uint32_t t = 0; t < other->triangle_count; ++t)
    {
        const uint32_t* c = other->indices + 3 * (size_t)t;
        test_soup_triangle(soup, first + c[0], first + c[1], first + c[2]);
    }
}

static void test_close_keeps_bodies_apart_whose_rims_meet_twice(void** state)
{
    (void)state;
    double square[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    double dented[5][2] = { { 1, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1.5, 0.5 } };
    Outline outlines[2] = { { square, 4 }, { dented, 5 } };
    for (int turn = 0; turn < 8; ++turn) // any of the edges may come first
    {
        TestSoup soup = make_wall(&outlines[0], 1.0, 0.0), other = make_wall(&outlines[1], 1.0, 0.0);
        for (uint32_t i = 0; i < other.vertex_count; i += 2)
        {
            other.vertices[i].z = 0.25f; // so that only the upper rims have vertices in common
        }
        append_soup(&soup, &other);
        test_soup_free(&other);
        turn_soup(&soup, abut_quat_from_axis_angle(abut_vec3(0, 0, 1), 0.1f + 0.785398f * (float)turn));
        Closed closed = close_and_free(&soup);
        check_closed(&closed);
        assert_int_equal(closed.close.loop_count, 4);
        assert_int_equal(closed.after.component_count, 2);
        test_assert_near(closed.after.mass.volume, 1.0 + 0.75 * 0.75, 1e-6);
        abut_mesh_destroy(closed.mesh);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Seams
// ---------------------------------------------------------------------------------------------------------------------

static void test_close_joins_cracks_no_wider_than_the_tolerance(void** state)
{
    (void)state;
    TestRandom random = { 31 };
    for (int repeat = 0; repeat < 20; ++repeat)
    {
        TestSoup soup = box_without(1);
        test_soup_split(&soup);
        for (uint32_t i = 0; i < soup.vertex_count; ++i)
        {
            soup.vertices[i] = abut_vec3_add(soup.vertices[i], test_random_point(&random, 5e-7));
        }
        Closed closed = close_and_free(&soup);
        check_closed(&closed);
        assert_true(closed.close.joined_count >= 10);
        assert_int_equal(closed.close.loop_count, 1);
        test_assert_near(closed.after.mass.volume, 1.0, 1e-5);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_keeps_what_is_further_apart_than_the_tolerance(void** state)
{
    (void)state;
    TestSoup soup = box_without(0);
    test_soup_split(&soup);
    for (uint32_t i = 0; i < soup.vertex_count; ++i)
    {
        float shift = 0.001f * (float)(i / 3);
        soup.vertices[i] = abut_vec3_add(soup.vertices[i], abut_vec3(shift, 0.7f * shift, 0.4f * shift));
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.tolerance = 0.0f;
    Closed closed = close_with(&def, mesh);
    assert_int_equal(closed.close.flat_count, 12);
    assert_int_equal(closed.close.triangle_count + closed.close.joined_count, 0);
    abut_mesh_destroy(closed.mesh);
    def.tolerance = 0.05f;
    closed = close_with(&def, mesh);
    check_closed(&closed);
    test_assert_near(closed.after.mass.volume, 1.0, 0.05);
    abut_mesh_destroy(closed.mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

/// A box whose face at z = 1 has `steps`² squares while the others have none, so that its rim stands on their edges.
static TestSoup make_t_junctions(uint32_t steps, AbutQuat rotation)
{
    TestSoup soup = box_without(2);
    uint32_t first = soup.vertex_count, n = steps + 1;
    for (uint32_t i = 0; i < n * n; ++i)
    {
        test_soup_vertex(&soup, (double)(i % n) / steps, (double)(i / n) / steps, 1.0);
    }
    for (uint32_t y = 0; y < steps; ++y)
    {
        for (uint32_t x = 0; x < steps; ++x)
        {
            uint32_t p = first + y * n + x;
            test_soup_triangle(&soup, p, p + 1, p + n + 1);
            test_soup_triangle(&soup, p, p + n + 1, p + n);
        }
    }
    turn_soup(&soup, rotation);
    return soup;
}

static void test_close_sews_seams_with_t_junctions(void** state)
{
    (void)state;
    TestRandom random = { 32 };
    for (uint32_t steps = 2; steps <= 100; steps = 3 * steps + 1)
    {
        TestSoup soup =
            make_t_junctions(steps, steps == 2 ? abut_quat_identity() : test_random_rotation(&random));
        Closed closed = close_and_free(&soup);
        check_closed(&closed);
        assert_int_equal(closed.close.seam_count, 4);
        assert_int_equal(closed.close.loop_count, 0);
        assert_int_equal(closed.close.triangle_count, 4 * (steps - 1));
        test_assert_near(closed.after.mass.volume, 1.0, 1e-5);
        test_assert_near(closed.after.area, 6.0, 1e-4);
        abut_mesh_destroy(closed.mesh);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What stays open
// ---------------------------------------------------------------------------------------------------------------------

static void test_close_leaves_flat_sheets_open(void** state)
{
    (void)state;
    TestRandom random = { 41 };
    for (int repeat = 0; repeat < 10; ++repeat)
    {
        TestSoup soup = { 0 };
        for (int i = 0; i < 25; ++i)
        {
            test_soup_vertex(&soup, i % 5, i / 5, 0.0);
        }
        for (uint32_t i = 0; i < 16; ++i)
        {
            uint32_t p = i / 4 * 5 + i % 4;
            if (i != 5) // a window
            {
                test_soup_triangle(&soup, p, p + 1, p + 6);
                test_soup_triangle(&soup, p, p + 6, p + 5);
            }
        }
        turn_soup(&soup, test_random_rotation(&random));
        Closed closed = close_and_free(&soup);
        assert_int_equal(closed.close.flat_count, 2);
        assert_int_equal(closed.close.triangle_count, 0);
        assert_false(closed.close.closed);
        assert_int_equal(closed.close.open_edge_count, closed.before.boundary_edge_count);
        abut_mesh_destroy(closed.mesh);
    }
}

static void test_close_makes_a_bent_sheet_a_solid(void** state)
{
    (void)state;
    // Half a sphere: a disc, one loop.
    TestSoup soup = { 0 };
    test_soup_sphere(&soup, 16);
    uint32_t kept = 0;
    for (uint32_t t = 0; t < soup.triangle_count; ++t)
    {
        const uint32_t* c = soup.indices + 3 * (size_t)t;
        float z = soup.vertices[c[0]].z + soup.vertices[c[1]].z + soup.vertices[c[2]].z;
        if (z > 0.0f)
        {
            memmove(soup.indices + 3 * (size_t)kept++, c, 3 * sizeof(uint32_t));
        }
    }
    soup.triangle_count = kept;
    Closed closed = close_and_free(&soup);
    check_closed(&closed);
    assert_int_equal(closed.close.loop_count, 1);
    test_assert_near(closed.after.mass.volume, 2.0943951, 0.03);
    assert_int_equal(closed.after.self_intersection_count, 0);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_leaves_a_moebius_strip_open(void** state)
{
    (void)state;
    TestSoup soup = { 0 };
    const uint32_t count = 24;
    for (uint32_t i = 0; i < count; ++i)
    {
        double angle = 6.283185307179586 * i / count;
        for (int side = -1; side <= 1; side += 2)
        {
            double r = 1.0 + 0.3 * side * cos(0.5 * angle);
            test_soup_vertex(&soup, r * cos(angle), r * sin(angle), 0.3 * side * sin(0.5 * angle));
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t a = 2 * i, b = a + 1, c = i + 1 < count ? a + 2 : 1, d = i + 1 < count ? a + 3 : 0;
        test_soup_triangle(&soup, a, c, d);
        test_soup_triangle(&soup, a, d, b);
    }
    Closed closed = close_and_free(&soup);
    assert_int_equal(closed.before.inconsistent_edge_count, 1);
    assert_true(closed.close.inconsistent_count > 0);
    assert_int_equal(closed.close.triangle_count, 0);
    assert_int_equal(closed.after.boundary_edge_count, 2 * count);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_leaves_fins_and_closes_the_rest(void** state)
{
    (void)state;
    TestSoup soup = box_without(2);
    uint32_t tip = test_soup_vertex(&soup, -1, -1, 0.5);
    test_soup_triangle(&soup, 0, 4, tip); // a third triangle on an upright edge
    Closed closed = close_and_free(&soup);
    assert_int_equal(closed.close.loop_count, 1);
    assert_int_equal(closed.close.tangled_count, 1);
    assert_int_equal(closed.after.boundary_edge_count, 2);
    assert_int_equal(closed.close.open_edge_count, 3);
    abut_mesh_destroy(closed.mesh);
}

static void test_close_leaves_wide_holes_open_when_asked(void** state)
{
    (void)state;
    Outline outline = { malloc(4 * sizeof(double[2])), 4 };
    const double square[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    memcpy(outline.points, square, sizeof(square));
    TestSoup soup = make_wall(&outline, 1.0, 0.0);
    for (uint32_t i = 0; i < 4; ++i)
    {
        soup.vertices[2 * i].x *= 0.5f;
        soup.vertices[2 * i].y *= 0.5f;
    }
    AbutMesh* mesh = test_soup_mesh(&soup, NULL);
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.widest = 1.0f;
    Closed closed = close_with(&def, mesh);
    assert_int_equal(closed.close.loop_count, 1);
    assert_int_equal(closed.close.wide_count, 1);
    assert_int_equal(closed.after.boundary_edge_count, 4);
    test_assert_near(closed.close.area, 0.25, 1e-12);
    abut_mesh_destroy(closed.mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
    free(outline.points);
}

static void add_tetrahedron(TestSoup* soup, const uint32_t v[4])
{
    test_soup_triangle(soup, v[0], v[2], v[1]);
    test_soup_triangle(soup, v[0], v[1], v[3]);
    test_soup_triangle(soup, v[1], v[2], v[3]);
    test_soup_triangle(soup, v[2], v[0], v[3]);
}

static void test_close_adds_a_vertex_when_both_diagonals_are_edges(void** state)
{
    (void)state;
    TestSoup soup = box_without(2); // the rim is 4, 5, 7, 6
    uint32_t above[4];
    for (uint32_t i = 0; i < 4; ++i)
    {
        above[i] = test_soup_vertex(&soup, 0.3 + 0.1 * i, 0.5 + 0.2 * (i & 1), 2.0 + 0.1 * i);
    }
    add_tetrahedron(&soup, (uint32_t[4]){ 4, 7, above[0], above[1] });
    add_tetrahedron(&soup, (uint32_t[4]){ 5, 6, above[2], above[3] });
    test_soup_vertex(&soup, 0.5, 0.5, 1.0); // where the middle would be
    test_soup_triangle(&soup, soup.vertex_count - 1, soup.vertex_count - 1, soup.vertex_count - 1);
    Closed closed = close_and_free(&soup);
    check_closed(&closed);
    assert_int_equal(closed.close.vertex_count, 1);
    assert_int_equal(closed.close.triangle_count, 4);
    test_assert_near(closed.close.area, 1.0, 1e-6);
    abut_mesh_destroy(closed.mesh);
}

/// close_with() has what must hold.
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
        Closed closed = close_with(&def, mesh);
        abut_mesh_destroy(closed.mesh);
        abut_mesh_destroy(mesh);
        test_soup_free(&soup);
    }
}

static void test_close_refuses_bad_arguments(void** state)
{
    (void)state;
    TestSoup soup = box_without(1);
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
        def.widest = i == 1 ? -1.0f : bad[i];
        out = mesh;
        test_assert_result(abut_mesh_close(&def, mesh, &out, NULL), ABUT_INVALID_ARGUMENT);
        assert_null(out);
        assert_non_null(strstr(abut_last_error(), "widest"));
    }
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
}

// ---------------------------------------------------------------------------------------------------------------------
// The same for any numbering
// ---------------------------------------------------------------------------------------------------------------------

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
        uint32_t turn = (uint32_t)(test_random_bits(random) % 3);
        uint32_t turned[3] = { corners[turn], corners[(turn + 1) % 3], corners[(turn + 2) % 3] };
        memcpy(corners, turned, sizeof(turned));
    }
}

/// The triangles that were added, in order, by their positions.
static uint64_t hash_caps(const Closed* closed)
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
    Closed first = close_soup(soup);
    assert_true(first.close.triangle_count > 0);
    for (int repeat = 0; repeat < 2; ++repeat)
    {
        shuffle(random, soup);
        Closed other = close_soup(soup);
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
        TestSoup soup = make_torn_sphere(&random, 8, 0.04 * (repeat + 1));
        check_shuffled(&random, &soup);
    }
    TestSoup tube = make_wavy_tube(330, 3, 0.5), seams = make_t_junctions(5, test_random_rotation(&random));
    check_shuffled(&random, &tube);
    check_shuffled(&random, &seams);
    TestSoup cracked = box_without(1);
    test_soup_split(&cracked);
    for (uint32_t i = 0; i < cracked.vertex_count; ++i)
    {
        cracked.vertices[i] = abut_vec3_add(cracked.vertices[i], test_random_point(&random, 5e-7));
    }
    check_shuffled(&random, &cracked);
}

// ---------------------------------------------------------------------------------------------------------------------
// Plans, against all ways to cut a polygon
// ---------------------------------------------------------------------------------------------------------------------

typedef struct Search
{
    const AbutCapPlan* plan;
    uint32_t count;
    const AbutPlanView* view;
} Search;

static double brute_fold(const Search* self, uint32_t from, uint32_t to, const double normal[3])
{
    double cosine = 0.0, square = 0.0, length = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double side = self->plan->points[to][axis] - self->plan->points[from][axis];
        cosine += normal[axis] * self->plan->normals[from][axis];
        length += normal[axis] * normal[axis];
        square += side * side;
    }
    cosine /= sqrt(length);
    return (from + 1) % self->count == to && cosine < 0.0 ? 0.25 * cosine * cosine * square : 0.0;
}

static double brute_triangle(const Search* self, uint32_t i, uint32_t k, uint32_t j)
{
    double(*p)[3] = self->plan->points, u[3], v[3], n[3], longest = 0.0, sum = 0.0, seen = 0.0, area = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        u[axis] = p[k][axis] - p[i][axis];
        v[axis] = p[j][axis] - p[i][axis];
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        n[axis] = u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
        seen += 0.5 * n[axis] * self->view->direction[axis];
        area += n[axis] * n[axis];
    }
    const uint32_t ends[3][2] = { { i, k }, { k, j }, { i, j } };
    for (int side = 0; side < 3; ++side)
    {
        double square = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            double d = p[ends[side][0]][axis] - p[ends[side][1]][axis];
            square += d * d;
        }
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
        double parts = brute_force(self, i, k, false) + brute_force(self, k, j, false);
        best = fmin(best, parts + brute_triangle(self, i, k, j));
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
            AbutVec3 p = test_random_point(&random, 1.0);
            plan.points[i][0] = p.x;
            plan.points[i][1] = p.y;
            plan.points[i][2] = p.z;
            AbutVec3 normal = test_random_direction(&random);
            plan.normals[i][0] = normal.x;
            plan.normals[i][1] = normal.y;
            plan.normals[i][2] = normal.z;
            for (uint32_t j = i + 2; j < count; ++j)
            {
                plan.blocked[(size_t)i * plan.capacity + j] = test_random_unit(&random) < 0.15;
            }
        }
        AbutPlanView view = { { 0.6, 0.0, 0.8 }, 0.01 };
        const Search search = { &plan, count, &view };
        double best = brute_force(&search, 0, count - 1, true), sum = 0.0;
        bool possible = abut_cap_plan_run(&plan, count, &view);
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

// ---------------------------------------------------------------------------------------------------------------------
// Memory, and a real mesh
// ---------------------------------------------------------------------------------------------------------------------

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
    TestSoup tube = make_wavy_tube(120, 2, 0.5);
    AbutMesh* mesh = test_soup_mesh(&tube, NULL);
    test_fail_every_allocation(cap_in_pieces, mesh);
    abut_mesh_destroy(mesh);
    test_soup_free(&tube);
}

static void test_close_survives_every_failing_allocation(void** state)
{
    (void)state;
    TestRandom random = { 71 };
    TestSoup torn = make_torn_sphere(&random, 3, 0.3);
    TestSoup seams = make_t_junctions(3, abut_quat_identity());
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
    Closed closed = close_mesh(mesh);
    check_closed(&closed);
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
        cmocka_unit_test(test_close_puts_a_face_back),
        cmocka_unit_test(test_close_handles_every_set_of_missing_faces),
        cmocka_unit_test(test_close_leaves_a_closed_mesh_as_it_is),
        cmocka_unit_test(test_close_of_nothing_is_nothing),
        cmocka_unit_test(test_close_turns_caps_as_the_mesh_is),
        cmocka_unit_test(test_close_fills_flat_outlines_of_any_form),
        cmocka_unit_test(test_close_cuts_long_outlines_into_short_ones),
        cmocka_unit_test(test_close_fills_rims_that_are_not_flat),
        cmocka_unit_test(test_close_mends_torn_spheres),
        cmocka_unit_test(test_close_leaves_only_loose_triangles_of_tatters),
        cmocka_unit_test(test_close_splits_holes_that_meet_in_a_vertex),
        cmocka_unit_test(test_close_keeps_bodies_apart_whose_rims_meet_twice),
        cmocka_unit_test(test_close_joins_cracks_no_wider_than_the_tolerance),
        cmocka_unit_test(test_close_keeps_what_is_further_apart_than_the_tolerance),
        cmocka_unit_test(test_close_sews_seams_with_t_junctions),
        cmocka_unit_test(test_close_leaves_flat_sheets_open),
        cmocka_unit_test(test_close_makes_a_bent_sheet_a_solid),
        cmocka_unit_test(test_close_leaves_a_moebius_strip_open),
        cmocka_unit_test(test_close_leaves_fins_and_closes_the_rest),
        cmocka_unit_test(test_close_leaves_wide_holes_open_when_asked),
        cmocka_unit_test(test_close_adds_a_vertex_when_both_diagonals_are_edges),
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
