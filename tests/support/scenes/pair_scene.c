#include "support/scenes/pair_scene.h"

void test_create_shapes(AbutShape* shapes[6])
{
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &shapes[0]), ABUT_OK);
    test_assert_result(abut_shape_create_box(abut_vec3(1.0f, 0.4f, 0.7f), NULL, &shapes[1]), ABUT_OK);
    test_assert_result(abut_shape_create_torus(0.5f, 0.1f, NULL, &shapes[2]), ABUT_OK);
    test_assert_result(abut_shape_create_capsule(0.2f, 0.8f, NULL, &shapes[3]), ABUT_OK);
    test_assert_result(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), -1.0f, NULL, &shapes[4]),
                       ABUT_OK);
    AbutShape* both[2] = { shapes[0], shapes[3] };
    test_assert_result(abut_shape_create_union(both, 2, NULL, &shapes[5]), ABUT_OK);
}

static AbutPose random_pose(TestRandom* random, double range)
{
    AbutVec3 p = test_random_point(random, range);
    AbutPose pose = abut_pose_at(p.x, p.y, p.z);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)test_random_range(random, 0.8, 1.2);
    return pose;
}

void test_pair_scene_init(TestPairScene* scene, uint64_t seed)
{
    TestRandom random = { seed };
    test_create_shapes(scene->shapes);
    scene->pair_count = 0;
    for (uint32_t i = 0; i < TEST_BODIES; ++i)
    {
        scene->bodies[i].shape = i == 0 ? scene->shapes[4] : scene->shapes[i % 6 == 4 ? 5 : i % 6];
        scene->bodies[i].pose = i == 0 ? abut_pose_identity() : random_pose(&random, 1.5);
        for (uint32_t k = 0; k < i; ++k)
        {
            scene->pairs[scene->pair_count++] = (AbutBodyPair){ k, i };
        }
    }
}

void test_pair_scene_destroy(TestPairScene* scene)
{
    for (int i = 0; i < 6; ++i)
    {
        abut_shape_destroy(scene->shapes[i]);
    }
}

AbutCollider* test_create_collider(const AbutHost* host)
{
    AbutCollider* collider = NULL;
    test_assert_result(abut_collider_create(host, &collider), ABUT_OK);
    return collider;
}

AbutCollideResults test_collide_pair_scene(AbutCollider* collider, const TestPairScene* scene,
                                           const AbutCollideSettings* settings)
{
    AbutCollideResults results;
    test_assert_result(
        abut_collide_pairs(collider,
                           &(AbutPairsInput){ scene->bodies, TEST_BODIES, scene->pairs, scene->pair_count },
                           settings, &results),
        ABUT_OK);
    return results;
}

AbutCollideSettings test_collide_variant(int i)
{
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = i == 0 ? ABUT_COLLIDE_ADAPTIVE : ABUT_COLLIDE_PARTICLES;
    settings.particles.resolution = i == 4 ? 14 : 6; // more than one run each
    settings.particles.one_per_voxel = i == 2;
    settings.particles.max_contacts = i == 3 ? 7 : 0;
    settings.particles.quasi_random = i == 3;
    return settings;
}
uint64_t test_hash_results(const AbutCollideResults* results)
{
    uint64_t hash = abut_hash(results->contacts, results->contact_count * sizeof(AbutContact), 1);
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutPairResult* p = &results->pairs[i];
        const uint64_t numbers[] = { p->a,
                                     p->b,
                                     (uint64_t)p->output.state,
                                     (uint64_t)p->output.contact_count,
                                     (uint64_t)p->output.contact_total,
                                     p->output.evaluations,
                                     p->first_contact,
                                     p->reused };
        const float lengths[] = { p->output.gap, p->output.spacing, p->moved };
        hash = abut_hash(numbers, sizeof(numbers), hash);
        hash = abut_hash(lengths, sizeof(lengths), hash);
    }
    return hash;
}
