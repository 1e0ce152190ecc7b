// Prints hashes of the answers of trees over triangles: equal text means equal bits, whatever the processor
// and the instruction set.
#include "support/digest.h"

#include <abut/bvh.h>
#include <abut/models.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    CAPACITY = 1 << 14,
    POSES = 40
};

static AbutPose pose_of(int number)
{
    static const AbutQuat rotations[] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                          { 0.5f, 0.5f, 0.5f, 0.5f },
                                          { 0.6f, 0.0f, 0.8f, 0.0f },
                                          { 0.48f, 0.36f, 0.0f, 0.8f },
                                          { 0.0f, 0.28f, 0.0f, 0.96f } };
    AbutPose pose = abut_pose_at(0.125 * (number % 11), 0.09375 * (number % 5) - 0.25, 0.125 * (number % 3));
    pose.rotation = rotations[number % 5];
    pose.scale = number % 4 == 3 ? 0.75f : 1.0f;
    return pose;
}

static uint64_t hash_pairs(const AbutMeshTreePairs* found, const AbutTrianglePair* pairs, uint64_t hash)
{
    size_t count = found->pair_count < CAPACITY ? found->pair_count : CAPACITY;
    const uint64_t numbers[2] = { (uint64_t)found->state, found->pair_count };
    hash = abut_hash(numbers, sizeof(numbers), hash);
    return abut_hash(pairs, count * sizeof(AbutTrianglePair), hash);
}

static uint64_t hash_distance(const AbutMeshTreeDistance* d, uint64_t hash)
{
    const double numbers[8] = { d->distance,  d->lower,     d->point_a.x, d->point_a.y,
                                d->point_a.z, d->point_b.x, d->point_b.y, d->point_b.z };
    const uint32_t ids[3] = { (uint32_t)d->state, d->triangle_a, d->triangle_b };
    return abut_hash(numbers, sizeof(numbers), abut_hash(ids, sizeof(ids), hash));
}

static void print_tree(const char* name, AbutMesh* mesh)
{
    static AbutTrianglePair pairs[CAPACITY];
    AbutMeshTree* tree = NULL;
    if (abut_mesh_tree_create(mesh, NULL, &tree) != ABUT_OK)
    {
        fprintf(stderr, "digest_bvh: %s\n", abut_last_error());
        exit(1);
    }
    uint64_t hash = 18;
    for (int i = 0; i < POSES; ++i)
    {
        AbutMeshTreePair pair = { tree, tree, abut_pose_identity(), pose_of(i) };
        AbutMeshTreePairs found = abut_mesh_tree_pairs(&pair, pairs, CAPACITY);
        hash = hash_pairs(&found, pairs, hash);
        AbutMeshTreeTouch touch = abut_mesh_tree_collide(&pair);
        const uint32_t ids[3] = { (uint32_t)touch.state, touch.triangle_a, touch.triangle_b };
        hash = abut_hash(ids, sizeof(ids), hash);
        AbutMeshTreeDistance distance = abut_mesh_tree_distance(&pair, INFINITY);
        hash = hash_distance(&distance, hash);
    }
    AbutMeshTreePairs own = abut_mesh_tree_self_pairs(tree, pairs, CAPACITY);
    hash = hash_pairs(&own, pairs, hash);
    printf("%s %016" PRIx64 "\n", name, hash);
    abut_mesh_tree_destroy(tree);
    abut_mesh_destroy(mesh);
}

/// Trees of the laboratory: the order of pairs and the numbers of tests.
static void print_laboratory(const char* name, AbutMesh* mesh)
{
    static AbutTrianglePair pairs[CAPACITY];
    uint64_t hash = 18;
    for (int volume = 0; volume < ABUT_BVH_VOLUME_COUNT; ++volume)
    {
        AbutBvhDef def = abut_bvh_def();
        def.volume = (AbutBvhVolume)volume;
        def.split = (AbutBvhSplit)(volume % ABUT_BVH_SPLIT_COUNT);
        def.axis = (AbutBvhAxis)(volume % ABUT_BVH_AXIS_COUNT);
        AbutBvh* bvh = NULL;
        if (abut_bvh_create(&def, mesh, &bvh) != ABUT_OK)
        {
            fprintf(stderr, "digest_bvh: %s\n", abut_last_error());
            exit(1);
        }
        for (int i = 0; i < POSES; ++i)
        {
            AbutBvhPair pair = { bvh, bvh, abut_pose_identity(), pose_of(i) };
            AbutBvhTraversal traversal = abut_bvh_traversal();
            traversal.rule = (AbutBvhRule)(i % ABUT_BVH_RULE_COUNT);
            traversal.queue = (AbutBvhQueue)(i / 3 % ABUT_BVH_QUEUE_COUNT);
            traversal.leaf_test = (AbutBvhLeafTest)(i % ABUT_BVH_LEAF_TEST_COUNT);
            AbutBvhOutput answer = abut_bvh_pairs(&pair, &traversal, pairs, CAPACITY);
            AbutMeshTreePairs found = { .state = answer.state, .pair_count = answer.pair_count };
            hash = hash_pairs(&found, pairs, hash);
            const uint64_t tests[2] = { answer.volume_tests, answer.triangle_tests };
            hash = abut_hash(tests, sizeof(tests), hash);
        }
        abut_bvh_destroy(bvh);
    }
    printf("%s %016" PRIx64 "\n", name, hash);
}

int main(void)
{
    AbutMesh* mesh = NULL;
    if (abut_mesh_create_box(abut_vec3(1.0f, 0.5f, 0.75f), 6, NULL, &mesh) != ABUT_OK)
    {
        return 1;
    }
    print_laboratory("laboratory, box", mesh);
    print_tree("box", mesh);
    if (abut_mesh_create_sphere(0.5f, 12, NULL, &mesh) != ABUT_OK)
    {
        return 1;
    }
    print_laboratory("laboratory, sphere", mesh);
    print_tree("sphere", mesh);
    return 0;
}
