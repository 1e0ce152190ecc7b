// CInDeR against brute force: the surfaces of two bodies touch when two of their triangles do, and a body is
// inside of another one when the solid angles of the other's faces seen from a corner sum to 4π. No state is
// wrong; `close` only where the exact answer hangs on the rounding of the poses.
#include "support/support.h"

#include <abut/models.h>

#include "math/transform.h"
#include "mesh/mesh.h"
#include "mesh/triangle/touch.h"

#include <stdlib.h>
#include <string.h>

typedef struct Bodies
{
    AbutMesh* meshes[2];
    AbutPose poses[2];
} Bodies;

static void bodies_destroy(Bodies* bodies)
{
    abut_mesh_destroy(bodies->meshes[0]);
    abut_mesh_destroy(bodies->meshes[1]);
}

static AbutMesh* random_mesh(TestRandom* random, float r)
{
    AbutMesh* mesh = NULL;
    switch (test_random_bits(random) % 4)
    {
    case 0:
        test_assert_result(abut_mesh_create_sphere(r, 5, NULL, &mesh), ABUT_OK);
        break;
    case 1:
        test_assert_result(abut_mesh_create_box(abut_vec3(2.0f * r, 2.0f * r, 2.0f * r), 2, NULL, &mesh),
                           ABUT_OK);
        break;
    case 2:
        test_assert_result(abut_mesh_create_chain_link(r, 0.5f * r, 0.2f * r, 8, NULL, &mesh), ABUT_OK);
        break;
    default:
        test_assert_result(abut_mesh_create_bowl(r, 0.2f * r, 12, NULL, &mesh), ABUT_OK);
        break;
    }
    return mesh;
}

static AbutDTriangle transformed(const Bodies* bodies, int body, uint32_t triangle)
{
    const AbutMesh* mesh = bodies->meshes[body];
    AbutTransform frame = abut_transform_relative(&bodies->poses[0], &bodies->poses[body]);
    AbutDTriangle t;
    for (int k = 0; k < 3; ++k)
    {
        AbutVec3 v = mesh->vertices[mesh->indices[3 * (size_t)triangle + (uint32_t)k]];
        t.corners[k] = abut_transform_point(&frame, abut_dvec3_from_vec3(v));
    }
    return t;
}

static AbutDTriangle* transform_all(const Bodies* bodies, int body)
{
    uint32_t count = bodies->meshes[body]->triangle_count;
    AbutDTriangle* triangles = malloc((count + 1) * sizeof(AbutDTriangle));
    assert_non_null(triangles);
    for (uint32_t i = 0; i < count; ++i)
    {
        triangles[i] = transformed(bodies, body, i);
    }
    return triangles;
}

/// van Oosterom and Strackee.
static double solid_angle(const AbutDTriangle* t, AbutDVec3 p)
{
    AbutDVec3 a = abut_dvec3_sub(t->corners[0], p), b = abut_dvec3_sub(t->corners[1], p);
    AbutDVec3 c = abut_dvec3_sub(t->corners[2], p);
    double la = abut_dvec3_length(a), lb = abut_dvec3_length(b), lc = abut_dvec3_length(c);
    double above = abut_dvec3_dot(a, abut_dvec3_cross(b, c));
    double below =
        la * lb * lc + abut_dvec3_dot(a, b) * lc + abut_dvec3_dot(b, c) * la + abut_dvec3_dot(c, a) * lb;
    return 2.0 * atan2(above, below);
}

static bool is_inside(const AbutDTriangle* faces, uint32_t count, AbutDVec3 p)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += solid_angle(&faces[i], p);
    }
    return fabs(sum) > 6.0;
}

/// Of the corners as rounded doubles.
static bool have_common_point(const Bodies* bodies)
{
    AbutDTriangle *a = transform_all(bodies, 0), *b = transform_all(bodies, 1);
    uint32_t count_a = bodies->meshes[0]->triangle_count, count_b = bodies->meshes[1]->triangle_count;
    bool common = false;
    for (uint32_t i = 0; i < count_a && !common; ++i)
    {
        for (uint32_t j = 0; j < count_b && !common; ++j)
        {
            common = abut_triangles_touch(&a[i], &b[j]);
        }
    }
    common = common || is_inside(a, count_a, b[0].corners[0]) || is_inside(b, count_b, a[0].corners[0]);
    free(a);
    free(b);
    return common;
}

static AbutImageSet* create_set(const Bodies* bodies, const AbutHost* host)
{
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = (const AbutMesh* const*)bodies->meshes;
    def.mesh_count = 2;
    def.host = host;
    AbutImageSet* set = NULL;
    test_assert_result(abut_image_set_create(&def, &set), ABUT_OK);
    return set;
}

static AbutImageSettings random_settings(TestRandom* random)
{
    AbutImageSettings settings = abut_image_settings();
    settings.resolution = 1 + (uint32_t)(test_random_bits(random) % 100);
    settings.axes = 1 + (uint32_t)(test_random_bits(random) % 7);
    return settings;
}

static Bodies random_bodies(TestRandom* random)
{
    static const float sizes[] = { 1.0f, 1.0f, 1e-6f, 1e6f };
    float size = sizes[test_random_bits(random) % 4];
    Bodies bodies;
    for (int i = 0; i < 2; ++i)
    {
        double ratio = i == 0 ? 1.0 : test_random_bits(random) % 3 == 0 ? 0.1 : 1.0;
        bodies.meshes[i] = random_mesh(random, size * (float)ratio);
        bodies.poses[i] = abut_pose_identity();
        bodies.poses[i].position = test_random_position(random, 0.9 * (double)size);
        bodies.poses[i].rotation = test_random_rotation(random);
    }
    return bodies;
}

typedef struct Tally
{
    int contact, separated, close, inside, wrong;
} Tally;

static void tally_add(Tally* tally, const Bodies* bodies, const AbutCinderOutput* out)
{
    bool common = have_common_point(bodies);
    tally->contact += out->state == ABUT_IMAGE_CONTACT;
    tally->separated += out->state == ABUT_IMAGE_SEPARATED;
    tally->close += out->state == ABUT_IMAGE_CLOSE;
    tally->inside += out->state == ABUT_IMAGE_CONTACT && out->is_inside;
    tally->wrong +=
        (out->state == ABUT_IMAGE_CONTACT && !common) || (out->state == ABUT_IMAGE_SEPARATED && common);
}

static void test_states_are_those_of_brute_force(void** state)
{
    (void)state;
    TestRandom random = { 21 };
    Tally tally = { 0 };
    int rounds = test_heavy_count(2000);
    for (int i = 0; i < rounds; ++i)
    {
        Bodies bodies = random_bodies(&random);
        AbutImageSet* set = create_set(&bodies, NULL);
        AbutImageSettings settings = random_settings(&random);
        AbutCinderOutput out;
        test_assert_result(abut_cinder(set, &settings, bodies.poses, 0, 1, &out), ABUT_OK);
        tally_add(&tally, &bodies, &out);
        abut_image_set_destroy(set);
        bodies_destroy(&bodies);
    }
    print_message("%d pairs: %d contact (%d shown by parity), %d separated, %d close, %d wrong\n", rounds,
                  tally.contact, tally.inside, tally.separated, tally.close, tally.wrong);
    assert_int_equal(tally.wrong, 0);
    assert_int_equal(tally.close, 0);
    assert_true(tally.inside > rounds / 20 && tally.separated > rounds / 20);
}

/// At the edge of touching, states are right or `close`.
static void test_bodies_bisected_to_touching(void** state)
{
    (void)state;
    TestRandom random = { 22 };
    Tally tally = { 0 };
    int rounds = test_heavy_count(60);
    for (int i = 0; i < rounds; ++i)
    {
        Bodies bodies = random_bodies(&random);
        AbutImageSet* set = create_set(&bodies, NULL);
        AbutImageSettings settings = random_settings(&random);
        AbutPosition start = bodies.poses[0].position, end = bodies.poses[1].position;
        double low = 0.0, high = 10.0;
        for (int step = 0; step < 60; ++step)
        {
            double at = 0.5 * (low + high);
            bodies.poses[1].position =
                (AbutPosition){ start.x + at * (end.x - start.x), start.y + at * (end.y - start.y),
                                start.z + at * (end.z - start.z) };
            AbutCinderOutput out;
            test_assert_result(abut_cinder(set, &settings, bodies.poses, 0, 1, &out), ABUT_OK);
            *(out.state == ABUT_IMAGE_SEPARATED ? &high : &low) = at;
            if (step % 6 == 5)
            {
                tally_add(&tally, &bodies, &out);
            }
        }
        abut_image_set_destroy(set);
        bodies_destroy(&bodies);
    }
    print_message("bisected: %d contact, %d separated, %d close, %d wrong\n", tally.contact, tally.separated,
                  tally.close, tally.wrong);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.close < rounds * 4);
}

/// Unmoved bodies: touching is exact, and identical bodies are in contact.
static void test_coincident_bodies(void** state)
{
    (void)state;
    Bodies bodies;
    for (int i = 0; i < 2; ++i)
    {
        test_assert_result(abut_mesh_create_box(abut_vec3(2.0f, 2.0f, 2.0f), 2, NULL, &bodies.meshes[i]),
                           ABUT_OK);
        bodies.poses[i] = abut_pose_identity();
    }
    AbutImageSet* set = create_set(&bodies, NULL);
    for (int axis = 0; axis < 3; ++axis)
    {
        AbutImageSettings settings = abut_image_settings();
        settings.axes = 1u << axis;
        AbutCinderOutput out;
        test_assert_result(abut_cinder(set, &settings, bodies.poses, 0, 1, &out), ABUT_OK);
        assert_int_equal(out.state, ABUT_IMAGE_CONTACT);
    }
    abut_image_set_destroy(set);
    // A corner of one on the face of the other, in one frame.
    for (uint32_t i = 0; i < bodies.meshes[1]->vertex_count; ++i)
    {
        bodies.meshes[1]->vertices[i].x += 2.0f;
    }
    abut_mesh_finish(bodies.meshes[1]);
    set = create_set(&bodies, NULL);
    AbutImageSettings settings = abut_image_settings();
    AbutCinderOutput out;
    test_assert_result(abut_cinder(set, &settings, bodies.poses, 1, 0, &out), ABUT_OK);
    assert_int_equal(out.state, ABUT_IMAGE_CONTACT);
    assert_false(out.is_inside);
    bodies.poses[1].position.x = 1e-9; // apart by more than rounding
    test_assert_result(abut_cinder(set, &settings, bodies.poses, 1, 0, &out), ABUT_OK);
    assert_int_equal(out.state, ABUT_IMAGE_SEPARATED);
    abut_image_set_destroy(set);
    bodies_destroy(&bodies);
}

static void test_open_meshes_are_refused(void** state)
{
    (void)state;
    Bodies bodies;
    test_assert_result(abut_mesh_create_sphere(1.0f, 4, NULL, &bodies.meshes[0]), ABUT_OK);
    AbutMeshDef def = abut_mesh_def();
    def.vertices = bodies.meshes[0]->vertices;
    def.vertex_count = bodies.meshes[0]->vertex_count;
    def.indices = bodies.meshes[0]->indices;
    def.triangle_count = bodies.meshes[0]->triangle_count - 1;
    test_assert_result(abut_mesh_create(&def, &bodies.meshes[1]), ABUT_OK);
    bodies.poses[0] = bodies.poses[1] = abut_pose_identity();
    AbutImageSet* set = create_set(&bodies, NULL);
    AbutImageSettings settings = abut_image_settings();
    AbutCinderOutput out;
    test_assert_result(abut_cinder(set, &settings, bodies.poses, 0, 1, &out), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "mesh 1 is not closed: 3 edges"));
    test_assert_result(abut_cinder(set, &settings, bodies.poses, 0, 2, &out), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_cinder(set, &settings, bodies.poses, 0, 0, &out), ABUT_INVALID_ARGUMENT);
    abut_image_set_destroy(set);
    bodies_destroy(&bodies);
}

static uint64_t hash_of_verdict(void* context, const AbutHost* host)
{
    const Bodies* bodies = context;
    AbutImageSet* set = create_set(bodies, host);
    AbutImageSettings settings = abut_image_settings();
    AbutCinderOutput out;
    memset(&out, 0, sizeof(out));
    test_assert_result(abut_cinder(set, &settings, bodies->poses, 0, 1, &out), ABUT_OK);
    const uint32_t numbers[] = {
        out.state, out.is_inside, out.object, out.triangle, out.edge, out.exact_count
    };
    abut_image_set_destroy(set);
    return abut_hash(numbers, sizeof(numbers), 0);
}

static void test_workers_and_instruction_sets_give_the_same_bytes(void** state)
{
    (void)state;
    TestRandom random = { 23 };
    for (int i = 0; i < 8; ++i)
    {
        Bodies bodies = random_bodies(&random);
        test_assert_same_bytes(hash_of_verdict, &bodies);
        bodies_destroy(&bodies);
    }
}

static AbutResult collide_links(void* context, const AbutHost* host)
{
    const Bodies* bodies = context;
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = (const AbutMesh* const*)bodies->meshes;
    def.mesh_count = 2;
    def.host = host;
    AbutImageSet* set = NULL;
    AbutResult result = abut_image_set_create(&def, &set);
    if (result == ABUT_OK)
    {
        AbutImageSettings settings = abut_image_settings();
        AbutCinderOutput out;
        result = abut_cinder(set, &settings, bodies->poses, 0, 1, &out);
    }
    abut_image_set_destroy(set);
    return result;
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    Bodies bodies;
    for (int i = 0; i < 2; ++i)
    {
        test_assert_result(abut_mesh_create_chain_link(1.0f, 0.5f, 0.1f, 8, NULL, &bodies.meshes[i]),
                           ABUT_OK);
        bodies.poses[i] = abut_pose_at(0.3 * i, 0.0, 0.01);
    }
    test_fail_every_allocation(collide_links, &bodies);
    bodies_destroy(&bodies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_those_of_brute_force),
        cmocka_unit_test(test_bodies_bisected_to_touching),
        cmocka_unit_test(test_coincident_bodies),
        cmocka_unit_test(test_open_meshes_are_refused),
        cmocka_unit_test(test_workers_and_instruction_sets_give_the_same_bytes),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
