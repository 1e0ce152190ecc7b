// Bolts and nuts: vertices on the thread of the documentation, facets that follow its creases, and a nut that
// turns on its bolt with the clearance that was asked for.
#include "support/meshes/mesh_check.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/// Radius of the bolt's thread, as documented.
static double thread_radius(const AbutThreadMeshDef* def, double angle, double y)
{
    double turn = def->left_handed ? -angle : angle;
    double v = y - def->pitch * turn / (2.0 * PI);
    double from_crest = fabs(v - def->pitch * round(v / def->pitch));
    double flank = def->depth * tan(def->flank_angle);
    double flat = 0.5 * def->pitch - flank;
    double down = fmin(1.0, fmax(0.0, (from_crest - 0.5 * flat) / flank));
    return def->major_radius - down * def->depth;
}

static double radius_at(AbutVec3 v)
{
    return hypot(v.x, v.z);
}

static double angle_at(AbutVec3 v)
{
    return atan2(-v.z, v.x);
}

/// Distance from the sides of the hexagon; negative inside.
static double hexagon_distance(const AbutThreadMeshDef* def, AbutVec3 v)
{
    double out = -INFINITY;
    for (int i = 0; i < 6; ++i)
    {
        double angle = PI / 3.0 * (i + 0.5);
        out = fmax(out, v.x * cos(angle) - v.z * sin(angle));
    }
    return out - 0.5 * sqrt(3.0) * def->head_radius;
}

static AbutMesh* make_bolt(const AbutThreadMeshDef* def)
{
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_bolt(def, &mesh), ABUT_OK);
    return mesh;
}

static AbutMesh* make_nut(const AbutThreadMeshDef* def)
{
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_nut(def, &mesh), ABUT_OK);
    return mesh;
}

/// Threads of all kinds: left and right, lengths that are whole pitches and that are not, steep, flat,
/// coarse.
static AbutThreadMeshDef thread_case(int i)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    const float lengths[] = { 1.0f, 0.93f, 0.2f, 0.61f, 0.85f, 1.3f };
    def.length = lengths[i % 6];
    def.left_handed = i % 2 == 1;
    def.divisions_per_turn = i % 3 == 0 ? 8 : 37;
    if (i % 4 == 2)
    {
        def.pitch = 0.4f;
        def.length += 0.4f;
        def.flank_angle = 0.06f;
        def.depth = 0.3f;
        def.clearance = 0.05f;
    }
    if (i % 4 == 3)
    {
        def.pitch = 0.05f;
        def.depth = 0.001f;
        def.flank_angle = 0.9f;
        def.clearance = 0.02f;
    }
    return def;
}

enum
{
    CASES = 12
};

/// The smallest of the distances from the faces that v may lie on. `grown` is 0 for a bolt.
static double distance_off(const AbutThreadMeshDef* def, AbutVec3 v, double grown, double bottom)
{
    double thread = fabs(radius_at(v) - thread_radius(def, angle_at(v), v.y) - grown);
    double side = fabs(hexagon_distance(def, v));
    double ends = fmin(fabs(v.y), fmin(fabs(v.y - def->length), fabs(v.y - bottom)));
    bool in_thread = v.y >= 0.0f && v.y <= def->length;
    return fmin(side, fmin(ends, in_thread ? thread : INFINITY));
}

static void test_vertices_lie_on_thread_hexagon_or_end(void** state)
{
    (void)state;
    for (int i = 0; i < CASES; ++i)
    {
        AbutThreadMeshDef def = thread_case(i);
        AbutMesh* meshes[2] = { make_bolt(&def), make_nut(&def) };
        for (int m = 0; m < 2; ++m)
        {
            for (uint32_t k = 0; k < abut_mesh_vertex_count(meshes[m]); ++k)
            {
                AbutVec3 v = abut_mesh_vertices(meshes[m])[k];
                double off =
                    distance_off(&def, v, m == 0 ? 0.0 : def.clearance, m == 0 ? -def.head_height : 0.0);
                if (!(off <= 1e-6 * test_mesh_size(meshes[m])))
                {
                    fail_msg("case %d: vertex %u (%g, %g, %g) is off by %g", i, k, (double)v.x, (double)v.y,
                             (double)v.z, off);
                }
            }
            abut_mesh_destroy(meshes[m]);
        }
    }
}

static bool is_on_thread(const AbutThreadMeshDef* def, AbutVec3 v, double grown)
{
    return v.y >= 0.0f && v.y <= def->length &&
           fabs(radius_at(v) - thread_radius(def, angle_at(v), v.y) - grown) < 4e-6;
}

static bool is_flat(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    return a.y == b.y && a.y == c.y;
}

/// The largest distance along the radius between the thread and the middles of its facets and of their edges.
static double facet_error(const AbutThreadMeshDef* def, const AbutMesh* mesh, uint32_t* facet_count)
{
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    double worst = 0.0;
    *facet_count = 0;
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        AbutVec3 a = v[indices[t * 3]], b = v[indices[t * 3 + 1]], c = v[indices[t * 3 + 2]];
        if (is_flat(a, b, c) || !is_on_thread(def, a, 0.0) || !is_on_thread(def, b, 0.0) ||
            !is_on_thread(def, c, 0.0))
        {
            continue;
        }
        *facet_count += 1;
        AbutVec3 middles[4] = { abut_vec3_scale(abut_vec3_add(abut_vec3_add(a, b), c), 1.0f / 3.0f),
                                abut_vec3_scale(abut_vec3_add(a, b), 0.5f),
                                abut_vec3_scale(abut_vec3_add(b, c), 0.5f),
                                abut_vec3_scale(abut_vec3_add(c, a), 0.5f) };
        for (int k = 0; k < 4; ++k)
        {
            double ideal = thread_radius(def, angle_at(middles[k]), middles[k].y);
            worst = fmax(worst, fabs(radius_at(middles[k]) - ideal));
        }
    }
    return worst;
}

static void test_facets_follow_the_creases(void** state)
{
    (void)state;
    for (uint32_t n = 16; n <= 1024; n *= 4)
    {
        AbutThreadMeshDef def = abut_thread_mesh_def();
        def.length = 0.93f;
        def.divisions_per_turn = n;
        AbutMesh* mesh = make_bolt(&def);
        uint32_t facet_count;
        double error = facet_error(&def, mesh, &facet_count);
        // An edge across a crease would be off by the depth of the thread over n, not over n².
        double step = 2.0 * PI / n;
        double bound = 2.0 * def.major_radius * step * step / 8.0;
        if (!(facet_count > 8 * n && error <= bound))
        {
            fail_msg("%u divisions: %u facets are off by %g, more than %g", n, facet_count, error, bound);
        }
        abut_mesh_destroy(mesh);
    }
}

/// The vertices of a nut's hole, turned by an angle and moved along with the thread.
static void check_gap(const AbutThreadMeshDef* def, const AbutMesh* nut, double turn)
{
    double advance = def->pitch * turn / (2.0 * PI) * (def->left_handed ? -1.0 : 1.0);
    uint32_t checked = 0;
    for (uint32_t k = 0; k < abut_mesh_vertex_count(nut); ++k)
    {
        AbutVec3 v = abut_mesh_vertices(nut)[k];
        if (!is_on_thread(def, v, def->clearance))
        {
            continue;
        }
        double bolt = thread_radius(def, angle_at(v) + turn, v.y + advance);
        test_assert_near(radius_at(v) - bolt, def->clearance, 1e-5 * def->major_radius);
        checked += 1;
    }
    assert_true(checked > 2 * def->divisions_per_turn);
}

static void test_a_turning_nut_keeps_its_clearance(void** state)
{
    (void)state;
    for (int i = 0; i < CASES; ++i)
    {
        AbutThreadMeshDef def = thread_case(i);
        AbutMesh* nut = make_nut(&def);
        const double turns[] = { 0.0, 0.1, 1.0, PI, 2.0 * PI, 7.3, -2.0 };
        for (int k = 0; k < 7; ++k)
        {
            check_gap(&def, nut, turns[k]);
        }
        abut_mesh_destroy(nut);
    }
}

/// Bolt and posed nut as one mesh.
static AbutMesh* put_together(const AbutMesh* bolt, const AbutMesh* nut, double turn, double advance)
{
    uint32_t bolt_count = abut_mesh_vertex_count(bolt);
    uint32_t count = bolt_count + abut_mesh_vertex_count(nut);
    size_t bolt_indices = (size_t)abut_mesh_triangle_count(bolt) * 3;
    size_t nut_indices = (size_t)abut_mesh_triangle_count(nut) * 3;
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    uint32_t* indices = malloc((bolt_indices + nut_indices) * sizeof(uint32_t));
    assert_true(vertices != NULL && indices != NULL);
    memcpy(vertices, abut_mesh_vertices(bolt), bolt_count * sizeof(AbutVec3));
    memcpy(indices, abut_mesh_indices(bolt), bolt_indices * sizeof(uint32_t));
    AbutPose pose = abut_pose_at(0.0, advance, 0.0);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), (float)turn);
    for (uint32_t k = bolt_count; k < count; ++k)
    {
        AbutPosition p = abut_pose_transform_point(&pose, abut_mesh_vertices(nut)[k - bolt_count]);
        vertices[k] = abut_vec3((float)p.x, (float)p.y, (float)p.z);
    }
    for (size_t k = 0; k < nut_indices; ++k)
    {
        indices[bolt_indices + k] = abut_mesh_indices(nut)[k] + bolt_count;
    }
    AbutMeshDef def = { vertices, count, indices, (uint32_t)((bolt_indices + nut_indices) / 3), NULL };
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    free(vertices);
    free(indices);
    return mesh;
}

static uint64_t crossings_on_bolt(const AbutThreadMeshDef* bolt_def, double turn)
{
    AbutThreadMeshDef nut_def = *bolt_def;
    nut_def.length = fmaxf(0.5f, 1.1f * nut_def.pitch);
    AbutMesh* bolt = make_bolt(bolt_def);
    AbutMesh* nut = make_nut(&nut_def);
    double advance = bolt_def->pitch * turn / (2.0 * PI) * (bolt_def->left_handed ? -1.0 : 1.0);
    AbutMesh* both = put_together(bolt, nut, turn, advance);
    uint64_t crossings = test_mesh_crossings(both);
    abut_mesh_destroy(bolt);
    abut_mesh_destroy(nut);
    abut_mesh_destroy(both);
    return crossings;
}

static void test_a_nut_on_its_bolt_does_not_cross_it(void** state)
{
    (void)state;
    for (int handed = 0; handed < 2; ++handed)
    {
        AbutThreadMeshDef def = abut_thread_mesh_def();
        def.length = 2.0f;
        def.left_handed = handed == 1;
        double upward = def.left_handed ? -1.0 : 1.0;
        const double turns[] = { 0.3, 1.0, 2.0 * PI, 9.0, 14.0 };
        for (int k = 0; k < 5; ++k)
        {
            assert_int_equal(crossings_on_bolt(&def, upward * turns[k]), 0);
        }
    }
}

static void test_clearance_of_twice_the_facets_height_is_enough(void** state)
{
    (void)state;
    TestRandom random = { 9 };
    for (int i = 0; i < 12; ++i)
    {
        AbutThreadMeshDef def = abut_thread_mesh_def();
        def.length = 2.0f;
        def.pitch = (float)test_random_range(&random, 0.1, 0.5);
        def.depth = (float)(def.pitch * test_random_range(&random, 0.1, 0.6));
        def.divisions_per_turn = 12 + 8 * (uint32_t)i;
        def.clearance = (float)(2.0 * def.major_radius * (1.0 - cos(PI / def.divisions_per_turn)));
        assert_int_equal(crossings_on_bolt(&def, test_random_range(&random, 0.1, 20.0)), 0);
    }
}

static void test_a_nut_that_does_not_follow_the_thread_crosses_the_bolt(void** state)
{
    (void)state;
    AbutThreadMeshDef def = abut_thread_mesh_def();
    def.length = 2.0f;
    AbutMesh* bolt = make_bolt(&def);
    AbutMesh* nut = make_nut(&def);
    AbutMesh* both = put_together(bolt, nut, 0.0, 1.5 * def.pitch);
    assert_true(test_mesh_crossings(both) > 0);
    abut_mesh_destroy(both);
    abut_mesh_destroy(nut);
    abut_mesh_destroy(bolt);
}

static void test_threads_of_all_kinds_are_solid(void** state)
{
    (void)state;
    for (int i = 0; i < CASES; ++i)
    {
        AbutThreadMeshDef def = thread_case(i);
        AbutMesh* bolt = make_bolt(&def);
        AbutMesh* nut = make_nut(&def);
        test_check_solid(bolt, 2, "bolt");
        test_check_solid(nut, 0, "nut");
        assert_int_equal(test_mesh_crossings(bolt), 0);
        assert_int_equal(test_mesh_crossings(nut), 0);
        abut_mesh_destroy(bolt);
        abut_mesh_destroy(nut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices_lie_on_thread_hexagon_or_end),
        cmocka_unit_test(test_facets_follow_the_creases),
        cmocka_unit_test(test_a_turning_nut_keeps_its_clearance),
        cmocka_unit_test(test_a_nut_on_its_bolt_does_not_cross_it),
        cmocka_unit_test(test_clearance_of_twice_the_facets_height_is_enough),
        cmocka_unit_test(test_a_nut_that_does_not_follow_the_thread_crosses_the_bolt),
        cmocka_unit_test(test_threads_of_all_kinds_are_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
