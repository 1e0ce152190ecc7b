// All methods that can serve two solids of triangles, on the same pairs and poses, against quad precision:
// none may prove the contrary. Random poses, poses bisected to the edge of touching, poses on a coarse grid,
// parallel faces, equal poses, sizes of 1e-6 and 1e6. ABUT_TEST_MESH_POSES=10000 for the full count.
#include "support/oracles/exact_triangles.h"
#include "support/support.h"

#include <abut/bvh.h>
#include <abut/models.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 6,
    CONVEX = 4 // the first are convex
};

typedef struct Body
{
    AbutMesh* mesh;
    AbutMeshTree* tree;
    AbutShape *shape, *field, *hull; // triangles, baked, hull of the vertices
} Body;

static Body bodies[BODIES];

/// A method and the forms of both bodies that it takes.
typedef enum Form
{
    FORM_MESH,
    FORM_FIELD,
    FORM_HULL
} Form;

typedef struct Entry
{
    const char* name;
    AbutCollideMethod method;
    Form a, b;
} Entry;

static const Entry entries[] = {
    { "bvh", ABUT_COLLIDE_BVH, FORM_MESH, FORM_MESH },
    { "swift", ABUT_COLLIDE_SWIFT, FORM_MESH, FORM_MESH },
    { "cinder", ABUT_COLLIDE_CINDER, FORM_MESH, FORM_MESH },
    { "cullide", ABUT_COLLIDE_CULLIDE, FORM_MESH, FORM_MESH },
    { "mesh-field", ABUT_COLLIDE_MESH_FIELD, FORM_MESH, FORM_FIELD },
    { "field-mesh", ABUT_COLLIDE_MESH_FIELD, FORM_FIELD, FORM_MESH },
    { "adaptive, fields", ABUT_COLLIDE_ADAPTIVE, FORM_FIELD, FORM_FIELD },
    { "adaptive, meshes", ABUT_COLLIDE_ADAPTIVE, FORM_MESH, FORM_MESH },
    { "gjk", ABUT_COLLIDE_GJK, FORM_HULL, FORM_HULL },
    { "v-clip", ABUT_COLLIDE_V_CLIP, FORM_HULL, FORM_HULL },
    { "lin-canny", ABUT_COLLIDE_LIN_CANNY, FORM_HULL, FORM_HULL },
};

enum
{
    ENTRIES = sizeof(entries) / sizeof(entries[0])
};

static void create_mesh(int i, AbutMesh** out)
{
    AbutTorusMeshDef torus = abut_torus_mesh_def();
    torus.major_radius = 0.7f;
    torus.minor_radius = 0.25f;
    torus.major_divisions = 8;
    torus.minor_divisions = 5;
    AbutVec3 cube = { 1.0f, 1.0f, 1.0f }, slab = { 1.5f, 0.5f, 0.0625f };
    AbutResult result = i == 0   ? abut_mesh_create_sphere(0.6f, 1, NULL, out)
                        : i == 1 ? abut_mesh_create_box(cube, 1, NULL, out)
                        : i == 2 ? abut_mesh_create_box(slab, 1, NULL, out)
                        : i == 3 ? abut_mesh_create_sphere(0.4f, 2, NULL, out)
                        : i == 4 ? abut_mesh_create_torus(&torus, out)
                                 : abut_mesh_create_bowl(0.7f, 0.2f, 5, NULL, out);
    test_assert_result(result, ABUT_OK);
}

static int create_bodies(void** state)
{
    (void)state;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 24;
    for (int i = 0; i < BODIES; ++i)
    {
        Body* body = &bodies[i];
        create_mesh(i, &body->mesh);
        test_assert_result(abut_mesh_tree_create(body->mesh, NULL, &body->tree), ABUT_OK);
        test_assert_result(abut_shape_create_mesh(body->mesh, NULL, &body->shape), ABUT_OK);
        test_assert_result(abut_bake_mesh(&def, body->mesh, &body->field), ABUT_OK);
        test_assert_result(abut_shape_create_convex(abut_mesh_vertices(body->mesh),
                                                    abut_mesh_vertex_count(body->mesh), NULL, &body->hull),
                           ABUT_OK);
        assert_false(abut_collide_method_serves(ABUT_COLLIDE_SWIFT, body->shape, body->shape));
        test_assert_result(abut_collide_prepare(ABUT_COLLIDE_SWIFT, body->shape, body->shape), ABUT_OK);
        test_assert_result(abut_collide_prepare(ABUT_COLLIDE_CINDER, body->shape, body->shape), ABUT_OK);
        test_assert_result(abut_collide_prepare(ABUT_COLLIDE_CULLIDE, body->shape, body->shape), ABUT_OK);
    }
    return 0;
}

static int destroy_bodies(void** state)
{
    (void)state;
    for (int i = 0; i < BODIES; ++i)
    {
        abut_shape_destroy(bodies[i].shape);
        abut_shape_destroy(bodies[i].field);
        abut_shape_destroy(bodies[i].hull);
        abut_mesh_tree_destroy(bodies[i].tree);
        abut_mesh_destroy(bodies[i].mesh);
    }
    return 0;
}

// -----------------------------------------------------------------------------------------------------------
// The oracle
// -----------------------------------------------------------------------------------------------------------

static AbutPosition vertex_at(const AbutMesh* mesh, uint32_t vertex, const AbutPose* pose)
{
    return abut_pose_transform_point(pose, abut_mesh_vertices(mesh)[vertex]);
}

static double solid_angle(const AbutPosition* p, const AbutPosition corner[3])
{
    double v[3][3], length[3];
    for (int i = 0; i < 3; ++i)
    {
        v[i][0] = corner[i].x - p->x;
        v[i][1] = corner[i].y - p->y;
        v[i][2] = corner[i].z - p->z;
        length[i] = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
    }
    double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                    v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                    v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    double rest = length[0] * length[1] * length[2];
    for (int i = 0; i < 3; ++i)
    {
        const double *a = v[(i + 1) % 3], *b = v[(i + 2) % 3];
        rest += (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * length[i];
    }
    return 2.0 * atan2(volume, rest);
}

/// Whether the solid of A has the vertex of B that is furthest from the vertices of A. The surfaces are
/// apart.
static bool has_vertex_inside(int a, const AbutPose* pose_a, int b, const AbutPose* pose_b)
{
    const AbutMesh *outer = bodies[a].mesh, *inner = bodies[b].mesh;
    AbutPosition best = { 0.0, 0.0, 0.0 };
    double most = -1.0, sum = 0.0;
    for (uint32_t i = 0; i < abut_mesh_vertex_count(inner); ++i)
    {
        AbutPosition p = vertex_at(inner, i, pose_b);
        double least = INFINITY;
        for (uint32_t k = 0; k < abut_mesh_vertex_count(outer); ++k)
        {
            AbutPosition q = vertex_at(outer, k, pose_a);
            double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
            least = fmin(least, x * x + y * y + z * z);
        }
        best = least > most ? p : best;
        most = fmax(most, least);
    }
    for (uint32_t t = 0; t < abut_mesh_triangle_count(outer); ++t)
    {
        AbutPosition corner[3];
        for (uint32_t k = 0; k < 3; ++k)
        {
            corner[k] = vertex_at(outer, abut_mesh_indices(outer)[3 * t + k], pose_a);
        }
        sum += solid_angle(&best, corner);
    }
    return fabs(sum) > 6.28;
}

static bool solids_touch(int a, int b, const AbutPose poses[2])
{
    return exact_meshes_touch(bodies[a].mesh, &poses[0], bodies[b].mesh, &poses[1]) ||
           has_vertex_inside(a, &poses[0], b, &poses[1]) || has_vertex_inside(b, &poses[1], a, &poses[0]);
}

// -----------------------------------------------------------------------------------------------------------
// All methods at a pose
// -----------------------------------------------------------------------------------------------------------

typedef struct Tally
{
    int states[ENTRIES][ABUT_COLLIDE_STATE_COUNT];
    int wrong[ENTRIES];
    int touching, apart;
} Tally;

static const AbutShape* form_of(int body, Form form)
{
    return form == FORM_MESH    ? bodies[body].shape
           : form == FORM_FIELD ? bodies[body].field
                                : bodies[body].hull;
}

static void compare(int a, int b, const AbutPose poses[2], Tally* tally)
{
    bool touch = solids_touch(a, b, poses);
    tally->touching += touch;
    tally->apart += !touch;
    for (int i = 0; i < ENTRIES; ++i)
    {
        const Entry* entry = &entries[i];
        if (entry->a == FORM_HULL && (a >= CONVEX || b >= CONVEX))
        {
            continue;
        }
        AbutCollideInput input = abut_collide_input(form_of(a, entry->a), form_of(b, entry->b));
        input.pose_a = poses[0];
        input.pose_b = poses[1];
        input.settings.method = entry->method;
        input.settings.budget = 1u << 15;
        AbutCollideOutput out = abut_collide(&input, NULL, 0);
        tally->states[i][out.state] += 1;
        assert_int_not_equal(out.state, ABUT_COLLIDE_INVALID);
        bool wrong = out.state == (touch ? ABUT_COLLIDE_SEPARATED : ABUT_COLLIDE_CONTACT);
        tally->wrong[i] += wrong;
        if (wrong)
        {
            print_error("%s: bodies %d and %d, %s\n", entry->name, a, b, abut_collide_state_name(out.state));
        }
    }
}

/// No method is wrong; those without a field are hardly ever `close` where `proved` is asked for.
static void check(const char* what, const Tally* tally, bool proved)
{
    int total = tally->touching + tally->apart;
    print_message("%s: %d poses, %d touching\n", what, total, tally->touching);
    for (int i = 0; i < ENTRIES; ++i)
    {
        const int* n = tally->states[i];
        int rest = n[ABUT_COLLIDE_CLOSE] + n[ABUT_COLLIDE_BUDGET];
        print_message("    %-18s %6d separated %6d contact %6d undecided %3d wrong\n", entries[i].name,
                      n[ABUT_COLLIDE_SEPARATED], n[ABUT_COLLIDE_CONTACT], rest, tally->wrong[i]);
        assert_int_equal(tally->wrong[i], 0);
        bool is_exact = entries[i].a != FORM_FIELD && entries[i].b != FORM_FIELD &&
                        entries[i].method != ABUT_COLLIDE_ADAPTIVE;
        assert_true(!proved || !is_exact || rest * 100 <= total);
    }
}

static int pose_count(int usual)
{
    return test_count("ABUT_TEST_MESH_POSES", test_heavy_count(usual));
}

static AbutPose random_pose(TestRandom* random, double half, double scale)
{
    AbutPose pose = abut_pose_at(0.0, 0.0, 0.0);
    pose.position = test_random_position(random, half * scale);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)scale;
    return pose;
}

/// A pair for round `i`, with sizes of 1e-6 and 1e6, one of the two much smaller, and equal rotations among
/// them.
static void choose_pair(TestRandom* random, int i, int pair[2], AbutPose poses[2])
{
    const double sizes[] = { 1.0, 1.0, 1e-6, 1.0, 1e6, 1.0, 1.0, 1.0 };
    double size = sizes[i % 8], smaller = i % 8 == 7 ? 0.01 : 1.0;
    pair[0] = i % BODIES;
    pair[1] = i / BODIES % BODIES;
    poses[0] = random_pose(random, 0.5, size);
    poses[1] = random_pose(random, 0.9, size);
    poses[1].scale *= (float)smaller;
    if (i % 5 == 0)
    {
        poses[1].rotation = poses[0].rotation;
    }
}

static void test_no_method_is_wrong_at_random_poses(void** state)
{
    (void)state;
    TestRandom random = { 91 };
    Tally tally = { 0 };
    for (int i = 0; i < pose_count(600); ++i)
    {
        int pair[2];
        AbutPose poses[2];
        choose_pair(&random, i, pair, poses);
        compare(pair[0], pair[1], poses, &tally);
    }
    assert_true(tally.touching > 0 && tally.apart > 0);
    check("random", &tally, true);
}

static void test_no_method_is_wrong_on_a_coarse_grid_and_at_equal_poses(void** state)
{
    (void)state;
    if (!EXACT_IS_QUAD)
    {
        skip();
    }
    static const AbutQuat rotations[] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                          { 1.0f, 0.0f, 0.0f, 0.0f },
                                          { 0.5f, 0.5f, 0.5f, 0.5f } };
    TestRandom random = { 92 };
    Tally tally = { 0 };
    for (int i = 0; i < pose_count(160); ++i)
    {
        AbutVec3 at = test_random_point(&random, 9.0);
        AbutPose poses[2] = { abut_pose_at(0.0, 0.0, 0.0),
                              abut_pose_at(0.125 * round(at.x), 0.125 * round(at.y), 0.125 * round(at.z)) };
        poses[1].rotation = rotations[i % 3];
        poses[1] = i % 16 == 15 ? poses[0] : poses[1];
        int a = 1 + i % 2, b = i % 16 == 15 ? a : 1 + i / 2 % 2;
        compare(a, b, poses, &tally);
    }
    check("grid", &tally, false);
}

static void move_away(AbutPose* pose, AbutPosition start, double at, double scale)
{
    pose->position =
        (AbutPosition){ start.x + 3.0 * scale * at, start.y + 2.0 * scale * at, start.z + 1.5 * scale * at };
}

/// The last fraction of the motion away at which the surfaces touch, to the last bit.
static double bisect(int a, int b, AbutPose poses[2], double scale)
{
    AbutPosition start = poses[1].position;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; ++i)
    {
        double middle = 0.5 * (low + high);
        move_away(&poses[1], start, middle, scale);
        AbutMeshTreePair pair = { bodies[a].tree, bodies[b].tree, poses[0], poses[1] };
        *(abut_mesh_tree_collide(&pair).touching ? &low : &high) = middle;
    }
    poses[1].position = start;
    return low;
}

static void test_no_method_is_wrong_at_the_edge_of_touching(void** state)
{
    (void)state;
    if (!EXACT_IS_QUAD)
    {
        skip();
    }
    const double offsets[] = { -1e-9, -1e-13, 0.0, 1e-15, 1e-12, 1e-7 };
    TestRandom random = { 93 };
    Tally tally = { 0 };
    for (int i = 0; i < pose_count(160); ++i)
    {
        int pair[2];
        AbutPose poses[2];
        choose_pair(&random, i, pair, poses);
        double scale = (double)poses[0].scale, at = bisect(pair[0], pair[1], poses, scale);
        move_away(&poses[1], poses[1].position, at + offsets[i % 6], scale);
        compare(pair[0], pair[1], poses, &tally);
    }
    check("bisected", &tally, false);
}

/// With margin and contacts: the same contacts from all methods of two meshes.
static void test_contacts_are_those_of_bvh(void** state)
{
    (void)state;
    static AbutContact contacts[2][256];
    AbutCollideInput input = abut_collide_input(bodies[4].shape, bodies[5].shape);
    input.pose_b = abut_pose_at(0.7, 0.1, 0.0);
    AbutCollideOutput expected = abut_collide(&input, contacts[0], 256);
    assert_true(expected.state == ABUT_COLLIDE_CONTACT && expected.contact_count > 0);
    for (int i = 1; i < 4; ++i)
    {
        input.settings.method = entries[i].method;
        AbutCollideOutput found = abut_collide(&input, contacts[1], 256);
        assert_int_equal(found.state, expected.state);
        assert_int_equal(found.contact_count, expected.contact_count);
        assert_memory_equal(contacts[0], contacts[1], found.contact_count * sizeof(AbutContact));
    }
}

static void test_transformed_meshes_are_served(void** state)
{
    (void)state;
    AbutPose inner = abut_pose_at(0.3, 0.0, 0.0), outer = abut_pose_at(0.9, 0.0, 0.0);
    inner.scale = 0.5f;
    AbutShape* moved = NULL;
    test_assert_result(abut_shape_create_transformed(bodies[4].shape, &inner, NULL, &moved), ABUT_OK);
    for (int i = 0; i < 4; ++i)
    {
        AbutCollideInput input = abut_collide_input(moved, bodies[0].shape);
        input.pose_b = outer;
        input.settings.method = entries[i].method;
        assert_true(abut_collide_method_serves(entries[i].method, moved, bodies[0].shape));
        AbutCollideOutput output = abut_collide(&input, NULL, 0);
        assert_int_equal(output.state, ABUT_COLLIDE_CONTACT);
    }
    abut_shape_destroy(moved);
}

static void test_open_meshes_are_refused_by_those_that_need_closed_ones(void** state)
{
    (void)state;
    static const AbutVec3 vertices[4] = {
        { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }
    };
    static const uint32_t indices[9] = { 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.indices = indices;
    def.triangle_count = 3;
    AbutMesh* mesh = NULL;
    AbutShape *open = NULL, *ball = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    test_assert_result(abut_shape_create_mesh(mesh, NULL, &open), ABUT_OK);
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &ball), ABUT_OK);
    test_assert_result(abut_collide_prepare(ABUT_COLLIDE_SWIFT, bodies[0].shape, open), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "open"));
    test_assert_result(abut_collide_prepare(ABUT_COLLIDE_CINDER, open, bodies[0].shape), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "not closed: 3 edges"));
    assert_false(abut_collide_method_serves(ABUT_COLLIDE_CINDER, open, bodies[0].shape));
    test_assert_result(abut_collide_prepare(ABUT_COLLIDE_CULLIDE, open, bodies[0].shape), ABUT_OK);
    AbutCollideInput input = abut_collide_input(open, bodies[0].shape);
    input.settings.method = ABUT_COLLIDE_CULLIDE;
    assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_CONTACT);
    input.pose_b = abut_pose_at(3.0, 0.0, 0.0);
    assert_int_equal(abut_collide(&input, NULL, 0).state, ABUT_COLLIDE_SEPARATED);
    test_assert_result(abut_collide_prepare(ABUT_COLLIDE_CULLIDE, ball, open), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_collide_prepare(ABUT_COLLIDE_SWIFT, NULL, open), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_collide_prepare(ABUT_COLLIDE_ADAPTIVE, ball, open), ABUT_OK);
    abut_shape_destroy(ball);
    abut_shape_destroy(open);
    abut_mesh_destroy(mesh);
}

/// A shape of its own, prepared for all and asked once.
static AbutResult create(void* context, const AbutHost* host)
{
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_mesh(context, host, &shape);
    const AbutCollideMethod methods[] = { ABUT_COLLIDE_SWIFT, ABUT_COLLIDE_CINDER, ABUT_COLLIDE_CULLIDE };
    for (int i = 0; i < 3 && result == ABUT_OK; ++i)
    {
        result = abut_collide_prepare(methods[i], shape, shape);
        AbutCollideInput input = abut_collide_input(shape, shape);
        input.pose_b = abut_pose_at(0.1, 0.2, 0.3);
        input.settings.method = methods[i];
        if (result == ABUT_OK && abut_collide(&input, NULL, 0).state == ABUT_COLLIDE_INVALID)
        {
            result = ABUT_OUT_OF_MEMORY;
        }
    }
    abut_shape_destroy(shape);
    return result;
}

static void test_nothing_leaks_when_memory_runs_out(void** state)
{
    (void)state;
    assert_true(test_fail_every_allocation(create, bodies[1].mesh) > 20);
}

static void test_warm_queries_do_not_allocate(void** state)
{
    (void)state;
    TestHost host;
    AbutShape* shape = NULL;
    test_host_init(&host);
    test_assert_result(abut_shape_create_mesh(bodies[4].mesh, &host.host, &shape), ABUT_OK);
    for (int i = 1; i < 4; ++i)
    {
        test_assert_result(abut_collide_prepare(entries[i].method, shape, shape), ABUT_OK);
        AbutCollideInput input = abut_collide_input(shape, shape);
        input.pose_b = abut_pose_at(0.3, 0.2, 0.3);
        input.settings.method = entries[i].method;
        AbutCollideState first = abut_collide(&input, NULL, 0).state;
        uint64_t count = host.allocation_count;
        assert_int_equal(abut_collide(&input, NULL, 0).state, first);
        assert_int_equal(host.allocation_count, count);
    }
    abut_shape_destroy(shape);
    assert_int_equal(host.live_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_method_is_wrong_at_random_poses),
        cmocka_unit_test(test_no_method_is_wrong_on_a_coarse_grid_and_at_equal_poses),
        cmocka_unit_test(test_no_method_is_wrong_at_the_edge_of_touching),
        cmocka_unit_test(test_contacts_are_those_of_bvh),
        cmocka_unit_test(test_transformed_meshes_are_served),
        cmocka_unit_test(test_open_meshes_are_refused_by_those_that_need_closed_ones),
        cmocka_unit_test(test_nothing_leaks_when_memory_runs_out),
        cmocka_unit_test(test_warm_queries_do_not_allocate),
    };
    return cmocka_run_group_tests(tests, create_bodies, destroy_bodies);
}
