// Hulls of random and hostile points, judged by exact signs and by quad precision.
#include "support/oracles/exact.h"
#include "support/support.h"

#include "hull/hull.h"
#include "mesh/triangle/orient.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_POINTS = 600
};

/// Families of input; each is made for a degeneracy.
typedef enum Family
{
    CUBE,          // general position
    BALL,          // all points on a sphere: all are extreme
    COARSE_GRID,   // duplicates, collinear and coplanar points
    NEARLY_FLAT,   // a plane, each coordinate a float up or down
    FLAT,          // exactly coplanar and tilted: x + y + z = 0
    LINE,          // exactly collinear
    NEARLY_LINE,   // slivers
    FAR_AND_TINY,  // a millionth in size, a million away: few different floats
    HUGE_AND_THIN, // 1e6 by 1e-6
    BOX_FACES,     // on the faces of a box: large coplanar faces with points inside of faces and edges
    FAMILY_COUNT
} Family;

static float step(TestRandom* random, float x)
{
    uint64_t bits = test_random_bits(random) % 3;
    return bits == 0 ? x : nextafterf(x, bits == 1 ? FLT_MAX : -FLT_MAX);
}

static float grid(TestRandom* random, int most)
{
    return (float)((int)(test_random_bits(random) % (2 * (unsigned)most + 1)) - most);
}

static AbutVec3 grid_point(TestRandom* random, int x_most, int y_most, int z_most)
{
    float x = grid(random, x_most);
    float y = grid(random, y_most);
    float z = grid(random, z_most);
    return abut_vec3(x, y, z);
}

static AbutVec3 step_point(TestRandom* random, AbutVec3 p)
{
    float x = step(random, p.x);
    float y = step(random, p.y);
    float z = step(random, p.z);
    return abut_vec3(x, y, z);
}

static AbutVec3 make_point(TestRandom* random, Family family, AbutVec3 direction)
{
    AbutVec3 p = test_random_point(random, 1.0);
    float t = grid(random, 1000);
    switch (family)
    {
    case BALL:
        return test_random_direction(random);
    case COARSE_GRID:
        return grid_point(random, 3, 3, 3);
    case NEARLY_FLAT:
        return step_point(random, abut_vec3(p.x, p.y, 0.7f * p.x - 0.3f * p.y));
    case FLAT:
        return abut_vec3(t, grid(random, 500), 0.0f);
    case LINE:
        return abut_vec3(t * 3.0f, t * -5.0f, t * 7.0f);
    case NEARLY_LINE:
        return step_point(random, abut_vec3_scale(direction, t));
    case FAR_AND_TINY:
        return abut_vec3(1e6f + 1e-1f * p.x, -2e6f + 1e-1f * p.y, 1e-6f * p.z);
    case HUGE_AND_THIN:
        return abut_vec3(1e6f * p.x, 1e-6f * p.y, p.z);
    case BOX_FACES:
        p = grid_point(random, 8, 1, 2);
        return abut_vec3(p.x, 2.0f * p.y, 1.5f * p.z);
    default:
        return p;
    }
}

static uint32_t make_points(TestRandom* random, Family family, AbutVec3* points, uint32_t most)
{
    uint32_t count = 1 + (uint32_t)(test_random_bits(random) % most);
    AbutVec3 direction = test_random_direction(random);
    for (uint32_t i = 0; i < count; ++i)
    {
        points[i] = make_point(random, family, direction);
        if (family == FLAT)
        {
            points[i].z = -points[i].x - points[i].y; // integers: exact
        }
    }
    return count;
}

static AbutHull* create(const AbutVec3* points, uint32_t count)
{
    AbutHull* hull = NULL;
    test_assert_result(abut_hull_create(points, count, NULL, &hull), ABUT_OK);
    return hull;
}

// -----------------------------------------------------------------------------------------------------------
// Claims
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 corner(const AbutHull* hull, const AbutHullFace* face, uint32_t i)
{
    return abut_hull_positions(hull)[abut_hull_tail(hull, face->first + i % face->count)];
}

/// No input point is above a face of a solid, by exact signs; of a flat hull all are in its plane.
static void check_contains(const AbutHull* hull, const AbutVec3* points, uint32_t count)
{
    for (uint32_t f = 0; f < hull->face_count; ++f)
    {
        const AbutHullFace* face = &abut_hull_faces(hull)[f];
        for (uint32_t i = 0; i < count; ++i)
        {
            int side = abut_orient_3d(corner(hull, face, 0), corner(hull, face, 1), corner(hull, face, 2),
                                      points[i]);
            if (side > 0 || (hull->dimension == 2 && side != 0))
            {
                fail_msg("point %u is above face %u", i, f);
            }
        }
    }
}

/// Faces are strictly convex, exactly flat, and no two neighbours are coplanar.
static void check_faces(const AbutHull* hull)
{
    const AbutHullHalfEdge* edges = abut_hull_half_edges(hull);
    for (uint32_t f = 0; f < hull->face_count; ++f)
    {
        const AbutHullFace* face = &abut_hull_faces(hull)[f];
        AbutVec3 a = corner(hull, face, 0), b = corner(hull, face, 1), c = corner(hull, face, 2);
        assert_true(face->count >= 3);
        for (uint32_t i = 0; i < face->count; ++i)
        {
            assert_int_equal(abut_orient_3d(a, b, c, corner(hull, face, i)), 0);
            AbutDVec3 corner_normal = abut_orient_normal(corner(hull, face, i), corner(hull, face, i + 1),
                                                         corner(hull, face, i + 2));
            assert_true(abut_dvec3_dot(corner_normal, face->normal) > 0.0);
            uint32_t other = edges[edges[face->first + i].twin].face;
            const AbutHullFace* neighbor = &abut_hull_faces(hull)[other];
            bool coplanar = true;
            for (uint32_t k = 0; k < neighbor->count; ++k)
            {
                coplanar = coplanar && abut_orient_3d(a, b, c, corner(hull, neighbor, k)) == 0;
            }
            assert_int_equal(coplanar, hull->dimension == 2);
        }
    }
}

static void check_topology(const AbutHull* hull)
{
    const AbutHullHalfEdge* edges = abut_hull_half_edges(hull);
    const AbutHullVertex* vertices = abut_hull_vertices(hull);
    uint32_t neighbors = 0;
    for (uint32_t i = 0; i < hull->half_edge_count; ++i)
    {
        const AbutHullHalfEdge *edge = &edges[i], *twin = &edges[edge->twin];
        assert_int_equal(twin->twin, i);
        assert_int_not_equal(edge->twin, i);
        assert_int_equal(edges[edge->next].tail, twin->tail);
        assert_true(edge->tail < hull->vertex_count && edge->tail != twin->tail);
    }
    for (uint32_t i = 0; i < hull->vertex_count && hull->dimension > 0; ++i)
    {
        assert_int_equal(edges[vertices[i].half_edge].tail, i);
        assert_int_equal(vertices[i].first_neighbor, neighbors);
        assert_true(vertices[i].neighbor_count >= hull->dimension);
        neighbors += vertices[i].neighbor_count;
    }
    assert_int_equal(neighbors, hull->half_edge_count);
    if (hull->dimension >= 2)
    {
        assert_int_equal((int)hull->vertex_count - (int)hull->half_edge_count / 2 + (int)hull->face_count, 2);
    }
}

static ExactVec exact_point(AbutVec3 p)
{
    return exact_vec((Exact)p.x, (Exact)p.y, (Exact)p.z);
}

/// normal · v ≤ offset for all vertices, and ≥ offset − plane_error for those of the face.
static void check_planes(const AbutHull* hull)
{
    for (uint32_t f = 0; f < hull->face_count && EXACT_IS_QUAD; ++f)
    {
        const AbutHullFace* face = &abut_hull_faces(hull)[f];
        ExactVec normal = exact_vec((Exact)face->normal.x, (Exact)face->normal.y, (Exact)face->normal.z);
        test_assert_near(exact_length(normal), 1.0, 0x1p-50);
        for (uint32_t i = 0; i < hull->vertex_count; ++i)
        {
            assert_true(exact_dot(normal, exact_point(abut_hull_positions(hull)[i])) <= (Exact)face->offset);
        }
        for (uint32_t i = 0; i < face->count; ++i)
        {
            Exact below = (Exact)face->offset - exact_dot(normal, exact_point(corner(hull, face, i)));
            assert_true(below <= (Exact)hull->plane_error);
        }
    }
}

/// The exact support has no better vertex, for directions in general and along faces.
static void check_support(const AbutHull* hull, TestRandom* random)
{
    for (int i = 0; i < 8; ++i)
    {
        AbutDVec3 d = abut_dvec3_from_vec3(test_random_direction(random));
        if (i >= 4 && hull->face_count > 0)
        {
            d = abut_hull_faces(hull)[test_random_bits(random) % hull->face_count].normal;
        }
        uint32_t start = (uint32_t)(test_random_bits(random) % hull->vertex_count);
        uint32_t best = abut_hull_exact_support(hull, d, start);
        uint32_t quick = abut_hull_support(hull, d, abut_hull_start(hull, d));
        double high = abut_dvec3_dot(d, abut_hull_position(hull, best));
        for (uint32_t v = 0; v < hull->vertex_count; ++v)
        {
            assert_true(abut_orient_along(d, abut_hull_positions(hull)[best], abut_hull_positions(hull)[v]) <=
                        0);
        }
        // Hill climbing may stop among vertices that differ by rounding alone, next to a sliver.
        test_assert_near(abut_dvec3_dot(d, abut_hull_position(hull, quick)), high, 1e-5 * hull->diameter);
    }
}

static void test_hulls_of_hostile_points_are_exact(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    static AbutVec3 points[MOST_POINTS];
    uint32_t dimensions[4] = { 0 };
    for (int i = 0; i < TEST_ROUNDS(600); ++i)
    {
        Family family = (Family)(i % FAMILY_COUNT);
        uint32_t count = make_points(&random, family, points,
                                     i % 20 < 10  ? 12
                                     : i % 7 == 0 ? MOST_POINTS
                                                  : 80);
        AbutHull* hull = create(points, count);
        ++dimensions[hull->dimension];
        check_contains(hull, points, count);
        check_faces(hull);
        check_topology(hull);
        check_planes(hull);
        check_support(hull, &random);
        abut_hull_destroy(hull, NULL);
    }
    for (int i = 0; i < 4; ++i)
    {
        assert_true(dimensions[i] > 0);
    }
}

static int compare_points(const void* left, const void* right)
{
    return memcmp(left, right, sizeof(AbutVec3));
}

static void test_vertices_do_not_depend_on_the_order_of_points(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    static AbutVec3 points[MOST_POINTS], first[MOST_POINTS], second[MOST_POINTS];
    for (int i = 0; i < TEST_ROUNDS(200); ++i)
    {
        uint32_t count = make_points(&random, (Family)(i % FAMILY_COUNT), points, 100);
        AbutHull* hull = create(points, count);
        uint32_t vertex_count = hull->vertex_count, face_count = hull->face_count;
        memcpy(first, abut_hull_positions(hull), vertex_count * sizeof(AbutVec3));
        abut_hull_destroy(hull, NULL);
        for (uint32_t k = count; k-- > 1;)
        {
            uint32_t j = (uint32_t)(test_random_bits(&random) % (k + 1));
            AbutVec3 swapped = points[k];
            points[k] = points[j];
            points[j] = swapped;
        }
        hull = create(points, count);
        assert_int_equal(hull->vertex_count, vertex_count);
        assert_int_equal(hull->face_count, face_count);
        memcpy(second, abut_hull_positions(hull), vertex_count * sizeof(AbutVec3));
        qsort(first, vertex_count, sizeof(AbutVec3), compare_points);
        qsort(second, vertex_count, sizeof(AbutVec3), compare_points);
        assert_memory_equal(first, second, vertex_count * sizeof(AbutVec3));
        abut_hull_destroy(hull, NULL);
    }
}

static void test_a_box_has_six_faces_whatever_lies_on_them(void** state)
{
    (void)state;
    AbutVec3 points[7 * 7 * 7];
    uint32_t count = 0;
    for (int x = -3; x <= 3; ++x)
    {
        for (int y = -3; y <= 3; ++y)
        {
            for (int z = -3; z <= 3; ++z)
            {
                points[count++] = abut_vec3((float)x, 2.0f * (float)y, 0.1f * (float)z);
            }
        }
    }
    AbutHull* hull = create(points, count);
    AbutHullInfo info = abut_hull_info(hull);
    assert_int_equal(info.vertex_count, 8);
    assert_int_equal(info.face_count, 6);
    assert_int_equal(info.edge_count, 12);
    assert_int_equal(info.dimension, 3);
    uint32_t vertices[4];
    for (uint32_t i = 0; i < 6; ++i)
    {
        assert_int_equal(abut_hull_face_vertices(hull, i, vertices, 4), 4);
        test_assert_near(abut_vec3_length(abut_hull_face_normal(hull, i)), 1.0, 1e-6);
    }
    AbutVec3 far = abut_hull_points(hull)[abut_hull_farthest(hull, abut_vec3(1.0f, -1.0f, 0.5f))];
    assert_true(far.x == 3.0f && far.y == -6.0f && far.z == 0.1f * 3.0f);
    abut_hull_destroy(hull, NULL);
}

static void test_points_segments_and_polygons_are_hulls(void** state)
{
    (void)state;
    const AbutVec3 point[3] = { { 1.0f, 2.0f, -0.0f }, { 1.0f, 2.0f, 0.0f }, { 1.0f, 2.0f, 0.0f } };
    AbutHull* hull = create(point, 3);
    assert_int_equal(hull->dimension, 0);
    assert_int_equal(hull->vertex_count, 1);
    assert_int_equal(hull->half_edge_count, 0);
    assert_false(signbit(abut_hull_positions(hull)[0].z));
    abut_hull_destroy(hull, NULL);
    const AbutVec3 segment[3] = { { 1.0f, 1.0f, 1.0f }, { 0.0f, 0.0f, 0.0f }, { 3.0f, 3.0f, 3.0f } };
    hull = create(segment, 3);
    assert_int_equal(hull->dimension, 1);
    assert_int_equal(hull->vertex_count, 2);
    assert_int_equal(abut_hull_head(hull, 0), 1 - abut_hull_tail(hull, 0));
    abut_hull_destroy(hull, NULL);
    const AbutVec3 square[6] = { { 0.0f, 5.0f, 0.0f }, { 1.0f, 5.0f, 0.0f }, { 1.0f, 5.0f, 1.0f },
                                 { 0.0f, 5.0f, 1.0f }, { 0.5f, 5.0f, 0.5f }, { 0.5f, 5.0f, 0.0f } };
    hull = create(square, 6);
    assert_int_equal(hull->dimension, 2);
    assert_int_equal(hull->vertex_count, 4);
    assert_int_equal(hull->face_count, 2);
    test_assert_near(hull->interior.x, 0.5, 1e-15);
    abut_hull_destroy(hull, NULL);
}

static void test_many_points_on_a_sphere_are_all_vertices(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    uint32_t count = TEST_IS_SANITIZED ? 6553 : 65536;
    AbutVec3* points = malloc(count * sizeof(*points));
    assert_non_null(points);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutVec3 d = test_random_direction(&random);
        points[i] = abut_vec3_scale(d, 100.0f);
    }
    AbutHull* hull = create(points, count);
    // Floats near a sphere: nearly all of them are extreme.
    assert_true(hull->vertex_count > count * 9 / 10);
    check_topology(hull);
    check_support(hull, &random);
    abut_hull_destroy(hull, NULL);
    free(points);
}

static void test_bad_points_are_refused(void** state)
{
    (void)state;
    AbutHull* hull = NULL;
    AbutVec3 points[2] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, NAN, 0.0f } };
    test_assert_result(abut_hull_create(points, 0, NULL, &hull), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_hull_create(NULL, 3, NULL, &hull), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_hull_create(points, 2, NULL, &hull), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "point 1"));
    points[1].y = INFINITY;
    test_assert_result(abut_hull_create(points, 2, NULL, &hull), ABUT_INVALID_DATA);
    points[1].y = 2e12f;
    test_assert_result(abut_hull_create(points, 2, NULL, &hull), ABUT_INVALID_DATA);
    test_assert_result(abut_hull_create(points, ABUT_HULL_MAX_POINTS + 1, NULL, &hull), ABUT_LIMIT_EXCEEDED);
    assert_null(hull);
    abut_hull_destroy(NULL, NULL);
}

static AbutResult create_with(void* context, const AbutHost* host)
{
    const Family family = *(const Family*)context;
    TestRandom random = { 4 };
    AbutVec3 points[40];
    for (int i = 0; i < 40; ++i)
    {
        points[i] = make_point(&random, family, abut_vec3(1.0f, 0.0f, 0.0f));
        points[i].z = family == FLAT ? 0.0f : points[i].z;
    }
    AbutHull* hull = NULL;
    AbutResult result = abut_hull_create(points, 40, host, &hull);
    abut_hull_destroy(hull, host);
    return result;
}

static void test_failed_allocations_leak_nothing(void** state)
{
    (void)state;
    Family families[3] = { CUBE, FLAT, LINE };
    for (int i = 0; i < 3; ++i)
    {
        test_fail_every_allocation(create_with, &families[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hulls_of_hostile_points_are_exact),
        cmocka_unit_test(test_vertices_do_not_depend_on_the_order_of_points),
        cmocka_unit_test(test_a_box_has_six_faces_whatever_lies_on_them),
        cmocka_unit_test(test_points_segments_and_polygons_are_hulls),
        cmocka_unit_test(test_many_points_on_a_sphere_are_all_vertices),
        cmocka_unit_test(test_bad_points_are_refused),
        cmocka_unit_test(test_failed_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
