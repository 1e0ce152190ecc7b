// The nearest point of a triangle, judged by what makes it one: it lies in the triangle, and no corner lies
// further along the way from it to the query (the variational inequality of a projection onto a convex set).
#include "support/support.h"

#include "mesh/triangle/closest_point.h"

#include <math.h>
#include <string.h>

// The barycentric coordinates of slivers take more than double.
#if defined(__SIZEOF_FLOAT128__)
typedef __float128 Quad;
#else
typedef long double Quad;
#endif

typedef struct Case
{
    double a[3], b[3], c[3], p[3];
    double size; // largest coordinate difference within the triangle and to p
} Case;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = a[i] - b[i];
    }
}

static double distance_to_segment(const double a[3], const double b[3], const double p[3])
{
    double ab[3], ap[3], rest[3];
    subtract(b, a, ab);
    subtract(p, a, ap);
    double length = dot(ab, ab), t = length > 0.0 ? dot(ap, ab) / length : 0.0;
    t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    for (int i = 0; i < 3; ++i)
    {
        rest[i] = ap[i] - t * ab[i];
    }
    return sqrt(dot(rest, rest));
}

static double distance_to_edges(const Case* t, const double q[3])
{
    return fmin(distance_to_segment(t->a, t->b, q),
                fmin(distance_to_segment(t->b, t->c, q), distance_to_segment(t->c, t->a, q)));
}

static Quad dot_quad(const Quad a[3], const Quad b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// How far q is from the triangle: through barycentric coordinates where it has an inside, and its edges.
static double distance_to_triangle(const Case* t, const double q[3])
{
    Quad ab[3], ac[3], aq[3], rest[3];
    for (int i = 0; i < 3; ++i)
    {
        ab[i] = (Quad)t->b[i] - t->a[i];
        ac[i] = (Quad)t->c[i] - t->a[i];
        aq[i] = (Quad)q[i] - t->a[i];
    }
    Quad bb = dot_quad(ab, ab), bc = dot_quad(ab, ac), cc = dot_quad(ac, ac), det = bb * cc - bc * bc;
    Quad v = (cc * dot_quad(aq, ab) - bc * dot_quad(aq, ac)) / det;
    Quad w = (bb * dot_quad(aq, ac) - bc * dot_quad(aq, ab)) / det;
    double best = distance_to_edges(t, q);
    if (det > 0.0 && v >= 0.0 && w >= 0.0 && v + w <= 1.0)
    {
        for (int i = 0; i < 3; ++i)
        {
            rest[i] = aq[i] - v * ab[i] - w * ac[i];
        }
        best = fmin(best, sqrt((double)dot_quad(rest, rest)));
    }
    return best;
}

static void check(const Case* t)
{
    double closest[3], displacement[3], to_corner[3];
    const AbutDVec3 triangle[3] = { abut_dvec3_from_array(t->a), abut_dvec3_from_array(t->b),
                                    abut_dvec3_from_array(t->c) };
    AbutClosestPoint found = abut_triangle_closest_feature(triangle, abut_dvec3_from_array(t->p));
    double squared = found.squared;
    abut_dvec3_to_array(found.at, closest);
    subtract(t->p, closest, displacement);
    double distance = sqrt(dot(displacement, displacement));
    const double* const corners[3] = { t->a, t->b, t->c };
    if (!(fabs(sqrt(squared) - distance) <= 1e-13 * t->size))
    {
        fail_msg("returns %.17g for a point %.17g away", sqrt(squared), distance);
    }
    double off = distance_to_triangle(t, closest);
    if (!(off <= 2e-10 * t->size))
    {
        fail_msg("the point is %.3g of the size off the triangle", off / t->size);
    }
    double edges = distance_to_edges(t, t->p);
    if (!(distance <= edges + 1e-14 * t->size))
    {
        fail_msg("%.17g away, though an edge is %.17g away", distance, edges);
    }
    for (int i = 0; i < 3; ++i)
    {
        subtract(corners[i], closest, to_corner);
        double ahead = dot(displacement, to_corner);
        // With ahead ≤ ε the distance is at most ε/distance too long; the second term is the rounding of the
        // point itself.
        if (!(ahead <= 1e-9 * t->size * distance + 1e-15 * t->size * t->size))
        {
            fail_msg("corner %d lies %.3g of the size ahead of a point %.17g away (%.17g %.17g %.17g, "
                     "%.17g %.17g %.17g, %.17g %.17g %.17g; %.17g %.17g %.17g)",
                     i, ahead / (distance * t->size), distance, t->a[0], t->a[1], t->a[2], t->b[0], t->b[1],
                     t->b[2], t->c[0], t->c[1], t->c[2], t->p[0], t->p[1], t->p[2]);
        }
    }
}

static void random_coordinates(TestRandom* random, double reach, double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = test_random_range(random, -reach, reach);
    }
}

static void check_all_orders(Case t)
{
    for (int first = 0; first < 3; ++first)
    {
        Case next = t;
        memcpy(next.a, t.b, sizeof(t.a));
        memcpy(next.b, t.c, sizeof(t.a));
        memcpy(next.c, t.a, sizeof(t.a));
        check(&t);
        t = next;
    }
    Case flipped = t;
    memcpy(flipped.b, t.c, sizeof(t.a));
    memcpy(flipped.c, t.b, sizeof(t.a));
    check(&flipped);
}

static void test_any_triangle(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int i = 0; i < test_heavy_count(400000); ++i)
    {
        Case t;
        double scale = pow(10.0, test_random_range(&random, -6.0, 6.0));
        random_coordinates(&random, scale, t.a);
        random_coordinates(&random, scale, t.b);
        random_coordinates(&random, scale, t.c);
        random_coordinates(&random, scale * (i % 2 == 0 ? 1.0 : 3.0), t.p);
        t.size = 4.0 * scale;
        check_all_orders(t);
    }
}

/// Corners that are nearly or exactly on a line, with queries near it, where the normal is nothing but
/// rounding.
static void test_slivers(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (int i = 0; i < test_heavy_count(400000); ++i)
    {
        Case t;
        double thin = pow(10.0, test_random_range(&random, -20.0, -1.0)), off[3];
        double along = test_random_range(&random, -0.5, 1.5);
        random_coordinates(&random, 1.0, t.a);
        random_coordinates(&random, 1.0, t.b);
        random_coordinates(&random, thin, off);
        random_coordinates(&random, i % 2 == 0 ? 1.0 : 10.0 * thin, t.p);
        for (int k = 0; k < 3; ++k)
        {
            t.c[k] = t.a[k] + along * (t.b[k] - t.a[k]) + off[k];
            t.p[k] += i % 4 == 1 ? 0.5 * (t.a[k] + t.c[k]) : 0.0;
        }
        t.size = 4.0;
        check_all_orders(t);
    }
}

static void test_triangles_without_area_are_segments_and_points(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int i = 0; i < TEST_ROUNDS(20000); ++i)
    {
        Case t = { .size = 4.0 };
        random_coordinates(&random, 1.0, t.a);
        random_coordinates(&random, 1.0, t.b);
        random_coordinates(&random, 2.0, t.p);
        memcpy(t.c, i % 2 == 0 ? t.a : t.b, sizeof(t.c));
        check_all_orders(t);
        memcpy(t.b, t.a, sizeof(t.b));
        memcpy(t.c, t.a, sizeof(t.c));
        check_all_orders(t);
        memcpy(t.p, t.a, sizeof(t.p));
        check_all_orders(t);
    }
}

/// Integers, so that points lie exactly on edges, corners, their planes and their extensions.
static void test_points_on_features(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    for (int i = 0; i < test_heavy_count(400000); ++i)
    {
        Case t = { .size = 8.0 };
        double* const all[4] = { t.a, t.b, t.c, t.p };
        for (int k = 0; k < 12; ++k)
        {
            all[k / 3][k % 3] = (double)(test_random_bits(&random) % 5) - 2.0;
        }
        check_all_orders(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_triangle),
        cmocka_unit_test(test_slivers),
        cmocka_unit_test(test_triangles_without_area_are_segments_and_points),
        cmocka_unit_test(test_points_on_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
