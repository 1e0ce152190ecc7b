#include "support/tour/tour_mix.h"

#include <abut/bvh.h>
#include <string.h>

/// Trees of the laboratory.
static uint64_t visit_laboratory(const Tour* tour, uint64_t hash)
{
    for (int volume = 0; volume < ABUT_BVH_VOLUME_COUNT; ++volume)
    {
        AbutBvhDef def = abut_bvh_def();
        def.volume = (AbutBvhVolume)volume;
        def.split = (AbutBvhSplit)(volume % ABUT_BVH_SPLIT_COUNT);
        def.axis = (AbutBvhAxis)(volume % ABUT_BVH_AXIS_COUNT);
        def.host = tour->host;
        AbutBvh* bvh = NULL;
        test_assert_result(abut_bvh_create(&def, tour->mesh, &bvh), ABUT_OK);
        test_assert_result(abut_bvh_refit(bvh, abut_mesh_vertices(tour->mesh),
                                          abut_mesh_vertex_count(tour->mesh), (AbutBvhRefit)(volume % 3)),
                           ABUT_OK);
        AbutBvhPair pair = { bvh, bvh, abut_pose_at(0.1, 0.2, 0.3), abut_pose_at(0.3, 0.3, 0.2) };
        pair.pose_b.rotation = (AbutQuat){ 0.48f, 0.36f, 0.0f, 0.8f };
        AbutBvhTraversal traversal = abut_bvh_traversal();
        traversal.queue = (AbutBvhQueue)(volume % 3);
        AbutBvhOutput touch = abut_bvh_collide(&pair, &traversal);
        AbutBvhOutput found = abut_bvh_pairs(&pair, &traversal, NULL, 0);
        double quality = abut_bvh_quality(bvh);
        MIX(hash, touch.state);
        MIX(hash, touch.triangle_a);
        MIX(hash, found.pair_count);
        MIX(hash, found.volume_tests);
        MIX(hash, quality);
        abut_bvh_destroy(bvh);
    }
    return hash;
}

uint64_t tour_visit_mesh_trees(const Tour* tour)
{
    uint64_t hash = 17;
    AbutMeshTree* tree = NULL;
    test_assert_result(abut_mesh_tree_create(tour->mesh, tour->host, &tree), ABUT_OK);
    test_assert_result(
        abut_mesh_tree_refit(tree, abut_mesh_vertices(tour->mesh), abut_mesh_vertex_count(tour->mesh)),
        ABUT_OK);
    test_assert_result(abut_mesh_tree_update(tree, abut_mesh_vertices(tour->mesh),
                                             abut_mesh_vertex_count(tour->mesh), 1.0, NULL),
                       ABUT_OK);
    double quality = abut_mesh_tree_quality(tree);
    MIX(hash, quality);
    for (int i = 0; i < 6; ++i)
    {
        AbutMeshTreePair pair = { tree, tree, abut_pose_at(0.1, 0.2, 0.3), abut_pose_at(0.3 * i, 0.3, 0.2) };
        pair.pose_b.rotation = (AbutQuat){ 0.48f, 0.36f, 0.0f, 0.8f };
        AbutMeshTreeTouch touch = abut_mesh_tree_collide(&pair);
        MIX(hash, touch.state);
        MIX(hash, touch.triangle_a);
        MIX(hash, touch.triangle_b);
        MIX(hash, touch.uncertainty);
        AbutMeshTreeDistance distance = abut_mesh_tree_distance(&pair, INFINITY);
        MIX(hash, distance.distance);
        MIX(hash, distance.lower);
        AbutMeshTreeState within = abut_mesh_tree_within(&pair, 0.01);
        MIX(hash, within);
        AbutTrianglePair pairs[64];
        AbutMeshTreePairs found = abut_mesh_tree_pairs(&pair, pairs, 64);
        MIX(hash, found.pair_count);
        hash = abut_hash(pairs, (found.pair_count < 64 ? found.pair_count : 64) * sizeof(pairs[0]), hash);
    }
    AbutMeshTreePairs own = abut_mesh_tree_self_pairs(tree, NULL, 0);
    MIX(hash, own.pair_count);
    abut_mesh_tree_destroy(tree);
    hash = visit_laboratory(tour, hash);
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_mesh(tour->mesh, tour->host, &shape), ABUT_OK);
    for (int i = 0; i < 6; ++i)
    {
        AbutVec3 point = abut_vec3(0.1f * (float)i, 0.05f, -0.1f), gradient;
        float distance = abut_shape_distance(shape, point, &gradient);
        MIX(hash, distance);
        MIX(hash, gradient.x);
    }
    const AbutCollideMethod methods[] = { ABUT_COLLIDE_SWIFT, ABUT_COLLIDE_CINDER, ABUT_COLLIDE_CULLIDE };
    for (int i = 0; i < 3; ++i)
    {
        test_assert_result(abut_collide_prepare(methods[i], shape, shape), ABUT_OK);
        AbutCollideInput input = abut_collide_input(shape, shape);
        input.settings.method = methods[i];
        input.pose_b = abut_pose_at(0.31, 0.02, 0.1);
        AbutCollideOutput output = abut_collide(&input, NULL, 0);
        MIX(hash, output.state);
        MIX(hash, output.gap);
    }
    abut_shape_destroy(shape);
    return hash;
}
