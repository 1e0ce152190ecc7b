// CULLIDE against brute force over all pairs of triangles, on random sets of generated meshes and soup, with
// coincidences made on purpose.
#include "support/support.h"

#include <abut/models.h>

#include "math/transform.h"
#include "mesh/mesh.h"
#include "mesh/triangle/touch.h"
#include "mesh/triangle/triangle.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_OBJECTS = 4
};

typedef struct Scene
{
    AbutMesh* meshes[MAX_OBJECTS];
    AbutPose poses[MAX_OBJECTS];
    uint32_t count;
} Scene;

static void scene_destroy(Scene* scene)
{
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        abut_mesh_destroy(scene->meshes[i]);
    }
}

static AbutMesh* mesh_of(const AbutVec3* vertices, uint32_t vertex_count, const uint32_t* indices,
                         uint32_t triangle_count)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.indices = indices;
    def.triangle_count = triangle_count;
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/// Triangles anywhere, on a coarse grid or not, degenerate ones among them.
static AbutMesh* soup(TestRandom* random, uint32_t triangle_count, bool on_grid, double size)
{
    AbutVec3 vertices[64];
    uint32_t indices[3 * 64];
    assert_true(triangle_count <= 64);
    for (int i = 0; i < 64; ++i)
    {
        AbutVec3 p = test_random_point(random, 1.0);
        if (on_grid)
        {
            p = abut_vec3(floorf(2.5f * p.x), floorf(2.5f * p.y), floorf(2.5f * p.z));
        }
        vertices[i] = abut_vec3_scale(p, (float)size);
    }
    for (uint32_t i = 0; i < 3 * triangle_count; ++i)
    {
        indices[i] = (uint32_t)(test_random_bits(random) % 64);
    }
    return mesh_of(vertices, 64, indices, triangle_count);
}

static AbutMesh* random_mesh(TestRandom* random, bool on_grid, double size)
{
    AbutMesh* mesh = NULL;
    float r = (float)size;
    switch (test_random_bits(random) % 4)
    {
    case 0:
        test_assert_result(abut_mesh_create_sphere(r, 10, NULL, &mesh), ABUT_OK);
        return mesh;
    case 1:
        test_assert_result(abut_mesh_create_box(abut_vec3(2.0f * r, 2.0f * r, 2.0f * r), 2, NULL, &mesh),
                           ABUT_OK);
        return mesh;
    case 2:
        test_assert_result(abut_mesh_create_chain_link(r, 0.5f * r, 0.2f * r, 8, NULL, &mesh), ABUT_OK);
        return mesh;
    default:
        return soup(random, 64, on_grid, size);
    }
}

static AbutPose random_pose(TestRandom* random, bool on_grid, double size)
{
    AbutPose pose = abut_pose_identity();
    pose.position = test_random_position(random, 1.5 * size);
    if (on_grid)
    {
        pose.position =
            (AbutPosition){ size * floor(pose.position.x / size), size * floor(pose.position.y / size),
                            size * floor(pose.position.z / size) };
    }
    else
    {
        pose.rotation = test_random_rotation(random);
        pose.scale = (float)test_random_range(random, 0.5, 1.5);
    }
    return pose;
}

static Scene random_scene(TestRandom* random)
{
    static const double sizes[] = { 1.0, 1.0, 1.0, 1e-6, 1e6 };
    double size = sizes[test_random_bits(random) % 5];
    bool on_grid = test_random_bits(random) % 2 == 0;
    Scene scene = { .count = 2 + (uint32_t)(test_random_bits(random) % (MAX_OBJECTS - 1)) };
    for (uint32_t i = 0; i < scene.count; ++i)
    {
        scene.meshes[i] = random_mesh(random, on_grid, size);
        scene.poses[i] = random_pose(random, on_grid, size);
    }
    return scene;
}

static AbutDTriangle transformed(const Scene* scene, uint32_t object, uint32_t triangle)
{
    const AbutMesh* mesh = scene->meshes[object];
    AbutTransform frame = abut_transform_relative(&scene->poses[0], &scene->poses[object]);
    AbutDTriangle t;
    for (int k = 0; k < 3; ++k)
    {
        AbutVec3 v = mesh->vertices[mesh->indices[3 * (size_t)triangle + (uint32_t)k]];
        t.corners[k] = abut_transform_point(&frame, abut_dvec3_from_vec3(v));
    }
    return t;
}

static bool boxes_overlap(const AbutDTriangle* a, const AbutDTriangle* b)
{
    AbutDVec3 low_a = abut_dvec3_min(abut_dvec3_min(a->corners[0], a->corners[1]), a->corners[2]);
    AbutDVec3 high_a = abut_dvec3_max(abut_dvec3_max(a->corners[0], a->corners[1]), a->corners[2]);
    AbutDVec3 low_b = abut_dvec3_min(abut_dvec3_min(b->corners[0], b->corners[1]), b->corners[2]);
    AbutDVec3 high_b = abut_dvec3_max(abut_dvec3_max(b->corners[0], b->corners[1]), b->corners[2]);
    return low_a.x <= high_b.x && low_b.x <= high_a.x && low_a.y <= high_b.y && low_b.y <= high_a.y &&
           low_a.z <= high_b.z && low_b.z <= high_a.z;
}

static AbutDTriangle* transform_all(const Scene* scene, uint32_t object)
{
    uint32_t count = scene->meshes[object]->triangle_count;
    AbutDTriangle* triangles = malloc((count + 1) * sizeof(AbutDTriangle));
    assert_non_null(triangles);
    for (uint32_t i = 0; i < count; ++i)
    {
        triangles[i] = transformed(scene, object, i);
    }
    return triangles;
}

/// Compares the pairs of two objects with those of a query, which are in the order of the first triangle.
static size_t compare_pair(const Scene* scene, uint32_t a, uint32_t b, const AbutCullideOutput* out)
{
    AbutDTriangle *in_a = transform_all(scene, a), *in_b = transform_all(scene, b);
    size_t at = 0, found = 0;
    for (uint32_t i = 0; i < scene->meshes[a]->triangle_count; ++i)
    {
        for (uint32_t j = 0; j < scene->meshes[b]->triangle_count; ++j)
        {
            if (boxes_overlap(&in_a[i], &in_b[j]) && abut_triangles_touch(&in_a[i], &in_b[j]))
            {
                AbutImagePair expected = { a, i, b, j };
                while (at < out->pair_count && (out->pairs[at].object_a != a || out->pairs[at].object_b != b))
                {
                    at += 1;
                }
                assert_true(at < out->pair_count);
                assert_memory_equal(&out->pairs[at], &expected, sizeof(expected));
                at += 1;
                found += 1;
            }
        }
    }
    free(in_a);
    free(in_b);
    return found;
}

static size_t compare_with_all_pairs(const Scene* scene, const AbutCullideOutput* out)
{
    size_t found = 0;
    for (uint32_t a = 0; a < scene->count; ++a)
    {
        for (uint32_t b = a + 1; b < scene->count; ++b)
        {
            found += compare_pair(scene, a, b, out);
        }
    }
    assert_int_equal(found, out->pair_count);
    return found;
}

static AbutImageSet* create_set(const Scene* scene, const AbutHost* host)
{
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = (const AbutMesh* const*)scene->meshes;
    def.mesh_count = scene->count;
    def.host = host;
    AbutImageSet* set = NULL;
    test_assert_result(abut_image_set_create(&def, &set), ABUT_OK);
    return set;
}

static AbutImageSettings random_settings(TestRandom* random)
{
    AbutImageSettings settings = abut_image_settings();
    settings.resolution = 1 + (uint32_t)(test_random_bits(random) % 150);
    settings.axes = 1 + (uint32_t)(test_random_bits(random) % 7);
    settings.slabs = test_random_bits(random) % 2 == 0 ? 0 : 64;
    settings.rounds = 1 + (uint32_t)(test_random_bits(random) % 2);
    return settings;
}

static void test_pairs_are_those_of_brute_force(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    size_t pair_count = 0;
    int rounds = test_heavy_count(400);
    for (int i = 0; i < rounds; ++i)
    {
        Scene scene = random_scene(&random);
        AbutImageSet* set = create_set(&scene, NULL);
        AbutImageSettings settings = random_settings(&random);
        AbutCullideOutput out;
        test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_OK);
        pair_count += compare_with_all_pairs(&scene, &out);
        abut_image_set_destroy(set);
        scene_destroy(&scene);
    }
    print_message("%d sets, %zu overlapping pairs\n", rounds, pair_count);
    assert_true(pair_count > (size_t)rounds);
}

/// Identical meshes in identical poses, boxes face to face, edge to edge and corner to corner.
static void test_coincident_bodies(void** state)
{
    (void)state;
    static const AbutPosition offsets[] = { { 0.0, 0.0, 0.0 }, { 2.0, 0.0, 0.0 },  { 2.0, 2.0, 0.0 },
                                            { 2.0, 2.0, 2.0 }, { 0.0, 0.0, -2.0 }, { 1.0, 1.0, 2.0 } };
    Scene scene = { .count = 2 };
    for (int i = 0; i < 2; ++i)
    {
        test_assert_result(abut_mesh_create_box(abut_vec3(2.0f, 2.0f, 2.0f), 1, NULL, &scene.meshes[i]),
                           ABUT_OK);
        scene.poses[i] = abut_pose_identity();
    }
    AbutImageSet* set = create_set(&scene, NULL);
    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); ++i)
    {
        for (uint32_t axes = 1; axes <= ABUT_IMAGE_XYZ; ++axes)
        {
            AbutImageSettings settings = abut_image_settings();
            settings.axes = axes;
            scene.poses[1].position = offsets[i];
            AbutCullideOutput out;
            test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_OK);
            assert_true(compare_with_all_pairs(&scene, &out) > 0);
        }
    }
    abut_image_set_destroy(set);
    scene_destroy(&scene);
}

/// The edge of touching, by bisection: at the last pose that touches there is a pair, and none at the next.
static void test_bodies_bisected_to_touching(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    int missed = 0, rounds = test_heavy_count(60);
    for (int i = 0; i < rounds; ++i)
    {
        Scene scene = random_scene(&random);
        AbutImageSet* set = create_set(&scene, NULL);
        AbutImageSettings settings = random_settings(&random);
        AbutPosition start = scene.poses[0].position, end = scene.poses[1].position;
        double low = 0.0, high = 4.0;
        AbutCullideOutput out;
        for (int step = 0; step < 60 && low < high; ++step)
        {
            double at = 0.5 * (low + high);
            scene.poses[1].position =
                (AbutPosition){ start.x + at * (end.x - start.x), start.y + at * (end.y - start.y),
                                start.z + at * (end.z - start.z) };
            test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_OK);
            *(out.pair_count > 0 ? &low : &high) = at;
        }
        missed += compare_with_all_pairs(&scene, &out) != out.pair_count;
        abut_image_set_destroy(set);
        scene_destroy(&scene);
    }
    assert_int_equal(missed, 0);
}

static uint64_t hash_of_pairs(void* context, const AbutHost* host)
{
    const Scene* scene = context;
    AbutImageSet* set = create_set(scene, host);
    AbutImageSettings settings = abut_image_settings();
    AbutCullideOutput out;
    test_assert_result(abut_cullide(set, &settings, scene->poses, &out), ABUT_OK);
    uint64_t hash = abut_hash(out.pairs, out.pair_count * sizeof(AbutImagePair), 0);
    hash = abut_hash(&out.report, sizeof(out.report), hash);
    abut_image_set_destroy(set);
    return hash;
}

static void test_workers_and_instruction_sets_give_the_same_bytes(void** state)
{
    (void)state;
    TestRandom random = { 13 };
    for (int i = 0; i < 6; ++i)
    {
        Scene scene = random_scene(&random);
        test_assert_same_bytes(hash_of_pairs, &scene);
        scene_destroy(&scene);
    }
}

/// Many small bodies: the level of objects works in image space too.
static void test_many_objects(void** state)
{
    (void)state;
    enum
    {
        COUNT = 300
    };
    TestRandom random = { 14 };
    AbutMesh* box = NULL;
    test_assert_result(abut_mesh_create_box(abut_vec3(2.0f, 2.0f, 2.0f), 1, NULL, &box), ABUT_OK);
    const AbutMesh* meshes[COUNT];
    AbutPose poses[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        meshes[i] = box;
        poses[i] = abut_pose_identity();
        poses[i].position = test_random_position(&random, 20.0);
        poses[i].rotation = test_random_rotation(&random);
    }
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = meshes;
    def.mesh_count = COUNT;
    AbutImageSet* set = NULL;
    test_assert_result(abut_image_set_create(&def, &set), ABUT_OK);
    AbutImageSettings settings = abut_image_settings();
    AbutCullideOutput out;
    test_assert_result(abut_cullide(set, &settings, poses, &out), ABUT_OK);
    size_t at = 0;
    for (uint32_t a = 0; a < COUNT; ++a)
    {
        for (uint32_t b = a + 1; b < COUNT; ++b)
        {
            double dx = poses[a].position.x - poses[b].position.x,
                   dy = poses[a].position.y - poses[b].position.y;
            if (dx * dx + dy * dy > 12.0)
            {
                continue;
            }
            Scene pair = { .meshes = { box, box, box },
                           .poses = { poses[0], poses[a], poses[b] },
                           .count = 3 };
            for (uint32_t i = 0; i < 144; ++i)
            {
                AbutDTriangle ta = transformed(&pair, 1, i / 12), tb = transformed(&pair, 2, i % 12);
                if (boxes_overlap(&ta, &tb) && abut_triangles_touch(&ta, &tb))
                {
                    at += 1;
                }
            }
        }
    }
    assert_int_equal(out.pair_count, at);
    assert_true(out.pair_count > 100 && out.report.object_count < COUNT);
    abut_image_set_destroy(set);
    abut_mesh_destroy(box);
}

static void test_bad_input_is_refused(void** state)
{
    (void)state;
    Scene scene = { .count = 2 };
    scene.meshes[0] = mesh_of(NULL, 0, NULL, 0);
    test_assert_result(abut_mesh_create_box(abut_vec3(2.0f, 2.0f, 2.0f), 1, NULL, &scene.meshes[1]), ABUT_OK);
    scene.poses[0] = scene.poses[1] = abut_pose_identity();
    AbutImageSet* set = create_set(&scene, NULL);
    AbutImageSettings settings = abut_image_settings();
    AbutCullideOutput out;
    test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_OK); // an empty mesh is no error
    assert_int_equal(out.pair_count, 0);
    scene.poses[1].position.x = NAN;
    test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_INVALID_ARGUMENT);
    scene.poses[1].position.x = 1e300;
    test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_LIMIT_EXCEEDED);
    scene.poses[1] = abut_pose_identity();
    AbutImageSettings zero = { 0 };
    test_assert_result(abut_cullide(set, &zero, scene.poses, &out), ABUT_INVALID_ARGUMENT);
    settings.resolution = 2049;
    test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_INVALID_ARGUMENT);
    settings = abut_image_settings();
    settings.axes = 8;
    test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_INVALID_ARGUMENT);
    settings = abut_image_settings();
    settings.slabs = 32;
    test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_INVALID_ARGUMENT);
    settings = abut_image_settings();
    settings.rounds = 17;
    test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_INVALID_ARGUMENT);
    abut_image_set_destroy(set);
    scene_destroy(&scene);
    AbutImageSetDef def = abut_image_set_def();
    def.mesh_count = 1;
    test_assert_result(abut_image_set_create(&def, &set), ABUT_INVALID_ARGUMENT);
    def.mesh_count = 70000;
    test_assert_result(abut_image_set_create(&def, &set), ABUT_LIMIT_EXCEEDED);
    def.mesh_count = 0;
    test_assert_result(abut_image_set_create(&def, &set), ABUT_OK);
    settings = abut_image_settings();
    test_assert_result(abut_cullide(set, &settings, NULL, &out), ABUT_OK);
    abut_image_set_destroy(set);
}

static bool share_corner(const AbutDTriangle* a, const AbutDTriangle* b)
{
    bool shared = false;
    for (int i = 0; i < 9; ++i)
    {
        AbutDVec3 p = a->corners[i / 3], q = b->corners[i % 3];
        shared = shared || (p.x == q.x && p.y == q.y && p.z == q.z);
    }
    return shared;
}

static bool cross(const AbutDTriangle* a, const AbutDTriangle* b)
{
    AbutTriangle t, u;
    for (int i = 0; i < 3; ++i)
    {
        t.corners[i] = abut_dvec3_to_vec3(a->corners[i]);
        u.corners[i] = abut_dvec3_to_vec3(b->corners[i]);
    }
    return !abut_triangle_is_degenerate(&t) && !abut_triangle_is_degenerate(&u) &&
           abut_triangles_cross(&t, &u);
}

static size_t compare_own_pairs(const Scene* scene, uint32_t object, const AbutCullideOutput* out)
{
    Scene alone = { { scene->meshes[object] }, { abut_pose_identity() }, 1 };
    AbutDTriangle* t = transform_all(&alone, 0);
    size_t found = 0;
    for (uint32_t i = 0; i < scene->meshes[object]->triangle_count; ++i)
    {
        for (uint32_t j = i + 1; j < scene->meshes[object]->triangle_count; ++j)
        {
            if (boxes_overlap(&t[i], &t[j]) &&
                (share_corner(&t[i], &t[j]) ? cross(&t[i], &t[j]) : abut_triangles_touch(&t[i], &t[j])))
            {
                AbutImagePair expected = { object, i, object, j };
                assert_true(found < out->pair_count);
                assert_memory_equal(&out->pairs[found], &expected, sizeof(expected));
                found += 1;
            }
        }
    }
    free(t);
    assert_int_equal(found, out->pair_count);
    return found;
}

/// Smooth closed meshes have none; soup on a grid and off it has many, folded neighbours among them.
static void test_self_collision_is_that_of_brute_force(void** state)
{
    (void)state;
    TestRandom random = { 15 };
    size_t pair_count = 0;
    for (int i = 0; i < test_heavy_count(120); ++i)
    {
        Scene scene = random_scene(&random);
        AbutImageSet* set = create_set(&scene, NULL);
        AbutImageSettings settings = random_settings(&random);
        uint32_t object = (uint32_t)(test_random_bits(&random) % scene.count);
        AbutCullideOutput out;
        test_assert_result(abut_cullide_self(set, &settings, object, &out), ABUT_OK);
        pair_count += compare_own_pairs(&scene, object, &out);
        test_assert_result(abut_cullide_self(set, &settings, scene.count, &out), ABUT_INVALID_ARGUMENT);
        abut_image_set_destroy(set);
        scene_destroy(&scene);
    }
    assert_true(pair_count > 100);
}

/// The trees over triangles share no code with images but the exact test.
static void test_pairs_are_those_of_trees(void** state)
{
    (void)state;
    TestRandom random = { 16 };
    for (int i = 0; i < test_heavy_count(200); ++i)
    {
        Scene scene = random_scene(&random);
        Scene two = { { scene.meshes[0], scene.meshes[1] }, { scene.poses[0], scene.poses[1] }, 2 };
        AbutImageSet* set = create_set(&two, NULL);
        AbutImageSettings settings = random_settings(&random);
        AbutCullideOutput out;
        test_assert_result(abut_cullide(set, &settings, two.poses, &out), ABUT_OK);
        AbutMeshTreePair pair = { NULL, NULL, two.poses[0], two.poses[1] };
        AbutMeshTree *a = NULL, *b = NULL;
        test_assert_result(abut_mesh_tree_create(two.meshes[0], NULL, &a), ABUT_OK);
        test_assert_result(abut_mesh_tree_create(two.meshes[1], NULL, &b), ABUT_OK);
        pair.a = a;
        pair.b = b;
        assert_int_equal(abut_mesh_tree_pairs(&pair, NULL, 0).pair_count, out.pair_count);
        abut_mesh_tree_destroy(a);
        abut_mesh_tree_destroy(b);
        abut_image_set_destroy(set);
        scene_destroy(&scene);
    }
}

static AbutResult collide_spheres(void* context, const AbutHost* host)
{
    const Scene* scene = context;
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = (const AbutMesh* const*)scene->meshes;
    def.mesh_count = scene->count;
    def.host = host;
    AbutImageSet* set = NULL;
    AbutResult result = abut_image_set_create(&def, &set);
    if (result == ABUT_OK)
    {
        AbutImageSettings settings = abut_image_settings();
        AbutCullideOutput out;
        result = abut_cullide(set, &settings, scene->poses, &out);
    }
    abut_image_set_destroy(set);
    return result;
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    Scene scene = { .count = 2 };
    for (int i = 0; i < 2; ++i)
    {
        test_assert_result(abut_mesh_create_sphere(1.0f, 8, NULL, &scene.meshes[i]), ABUT_OK);
        scene.poses[i] = abut_pose_at(0.5 * i, 0.1, 0.2);
    }
    test_fail_every_allocation(collide_spheres, &scene);
    scene_destroy(&scene);
}

static void test_a_warm_set_does_not_allocate(void** state)
{
    (void)state;
    Scene scene = { .count = 2 };
    for (int i = 0; i < 2; ++i)
    {
        test_assert_result(abut_mesh_create_sphere(1.0f, 16, NULL, &scene.meshes[i]), ABUT_OK);
        scene.poses[i] = abut_pose_at(0.5 * i, 0.1, 0.2);
    }
    TestHost host;
    test_host_init(&host);
    AbutImageSet* set = create_set(&scene, &host.host);
    AbutImageSettings settings = abut_image_settings();
    AbutCullideOutput out;
    test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_OK);
    uint64_t before = host.allocation_count;
    for (int i = 0; i < 10; ++i)
    {
        test_assert_result(abut_cullide(set, &settings, scene.poses, &out), ABUT_OK);
    }
    assert_int_equal(host.allocation_count, before);
    abut_image_set_destroy(set);
    assert_int_equal(host.live_count, 0);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_are_those_of_brute_force),
        cmocka_unit_test(test_coincident_bodies),
        cmocka_unit_test(test_self_collision_is_that_of_brute_force),
        cmocka_unit_test(test_pairs_are_those_of_trees),
        cmocka_unit_test(test_bodies_bisected_to_touching),
        cmocka_unit_test(test_workers_and_instruction_sets_give_the_same_bytes),
        cmocka_unit_test(test_many_objects),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_memory_may_run_out),
        cmocka_unit_test(test_a_warm_set_does_not_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
