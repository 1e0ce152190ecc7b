// Methods for closed meshes against each other: CInDeR (images and parity), SWIFT (hulls and walks over
// features) and trees over triangles with CULLIDE's pairs. They share the exact test of two triangles, and
// nothing else. No two of them may prove the contrary, at random poses and at poses bisected to touching.
#include "support/support.h"

#include <abut/models.h>

enum
{
    KINDS = 5
};

typedef struct Body
{
    AbutMesh* mesh;
    AbutDecomposition* pieces;
    AbutMeshTree* tree;
} Body;

static void body_create(Body* body, int kind)
{
    AbutGearMeshDef gear = abut_gear_mesh_def();
    gear.teeth = 8;
    gear.bore_radius = 0.1f;
    AbutResult result = kind == 0   ? abut_mesh_create_sphere(1.0f, 4, NULL, &body->mesh)
                        : kind == 1 ? abut_mesh_create_box(abut_vec3(2.0f, 1.0f, 0.5f), 2, NULL, &body->mesh)
                        : kind == 2 ? abut_mesh_create_chain_link(1.0f, 0.5f, 0.2f, 8, NULL, &body->mesh)
                        : kind == 3 ? abut_mesh_create_bowl(1.0f, 0.2f, 10, NULL, &body->mesh)
                                    : abut_mesh_create_gear(&gear, &body->mesh);
    test_assert_result(result, ABUT_OK);
    AbutDecomposeDef def = abut_decompose_def();
    test_assert_result(abut_decompose(&def, body->mesh, &body->pieces), ABUT_OK);
    test_assert_result(abut_mesh_tree_create(body->mesh, NULL, &body->tree), ABUT_OK);
}

static void body_destroy(Body* body)
{
    abut_decomposition_destroy(body->pieces);
    abut_mesh_tree_destroy(body->tree);
    abut_mesh_destroy(body->mesh);
}

typedef struct Tally
{
    int contact, separated, close, contrary;
} Tally;

/// The states of all methods at a pair of poses; that of CInDeR is the result.
static AbutImageState compare(const Body* a, const Body* b, AbutImageSet* set, const AbutPose poses[2],
                              Tally* tally)
{
    AbutImageSettings settings = abut_image_settings();
    settings.resolution = 32;
    AbutCinderOutput cinder;
    AbutCullideOutput cullide;
    test_assert_result(abut_cinder(set, &settings, poses, 0, 1, &cinder), ABUT_OK);
    test_assert_result(abut_cullide(set, &settings, poses, &cullide), ABUT_OK);
    AbutSwiftInput input = abut_swift_input(a->pieces, b->pieces);
    input.pose_a = poses[0];
    input.pose_b = poses[1];
    AbutSwiftOutput swift = abut_swift_query(&input);
    AbutMeshTreePair pair = { a->tree, b->tree, poses[0], poses[1] };
    AbutMeshTreeTouch touch = abut_mesh_tree_collide(&pair);
    assert_int_not_equal(swift.state, ABUT_SWIFT_INVALID);
    bool is_contact = cinder.state == ABUT_IMAGE_CONTACT, is_separated = cinder.state == ABUT_IMAGE_SEPARATED;
    bool contrary = (is_contact && swift.state == ABUT_SWIFT_SEPARATED) ||
                    (is_separated && swift.state == ABUT_SWIFT_CONTACT) ||
                    (is_separated && touch.state == ABUT_MESH_TREE_CONTACT) ||
                    touch.touching != (cullide.pair_count > 0);
    tally->contact += is_contact;
    tally->separated += is_separated;
    tally->close += cinder.state == ABUT_IMAGE_CLOSE;
    tally->contrary += contrary;
    return cinder.state;
}

static AbutPosition between(AbutPosition a, AbutPosition b, double t)
{
    return (AbutPosition){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z) };
}

static void test_methods_never_prove_the_contrary(void** state)
{
    (void)state;
    TestRandom random = { 31 };
    Body bodies[KINDS];
    Tally tally = { 0 }, bisected = { 0 };
    for (int i = 0; i < KINDS; ++i)
    {
        body_create(&bodies[i], i);
    }
    int rounds = test_heavy_count(120);
    for (int i = 0; i < rounds; ++i)
    {
        const Body* a = &bodies[test_random_bits(&random) % KINDS];
        const Body* b = &bodies[test_random_bits(&random) % KINDS];
        const AbutMesh* meshes[2] = { a->mesh, b->mesh };
        AbutImageSetDef def = abut_image_set_def();
        def.meshes = meshes;
        def.mesh_count = 2;
        AbutImageSet* set = NULL;
        test_assert_result(abut_image_set_create(&def, &set), ABUT_OK);
        AbutPose poses[2] = { abut_pose_identity(), abut_pose_identity() };
        poses[1].rotation = test_random_rotation(&random);
        poses[1].scale = (float)test_random_range(&random, 0.2, 1.2);
        AbutPosition start = test_random_position(&random, 1.0), end = test_random_position(&random, 8.0);
        poses[1].position = start;
        compare(a, b, set, poses, &tally);
        double low = 0.0, high = 4.0;
        for (int step = 0; step < 50; ++step)
        {
            double at = 0.5 * (low + high);
            poses[1].position = between(start, end, at);
            AbutImageState found = compare(a, b, set, poses, &bisected);
            *(found == ABUT_IMAGE_SEPARATED ? &high : &low) = at;
        }
        abut_image_set_destroy(set);
    }
    for (int i = 0; i < KINDS; ++i)
    {
        body_destroy(&bodies[i]);
    }
    print_message("random: %d contact, %d separated, %d close, %d contrary\n", tally.contact, tally.separated,
                  tally.close, tally.contrary);
    print_message("bisected: %d contact, %d separated, %d close, %d contrary\n", bisected.contact,
                  bisected.separated, bisected.close, bisected.contrary);
    assert_int_equal(tally.contrary + bisected.contrary, 0);
    assert_true(tally.contact > 0 && tally.separated > 0 &&
                bisected.close < bisected.contact + bisected.separated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods_never_prove_the_contrary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
