// What a search between two fields holds to be clear is clear, whatever the format, and every instruction set
// says the same.
#include "search/dual_octree.h"
#include "search/field_pair.h"
#include "search/gap_bound.h"
#include "search/kernels.h"
#include "support/shapes.h"
#include "support/support.h"

#include "field/field.h"
#include "field/nodes/brick_nodes.h"

#include <abut/bake.h>
#include <math.h>
#include <string.h>

enum
{
    FORMATS = 2 * ABUT_FIELD_FORMAT_COUNT,
    ROUNDS = 24
};

static const char* const set_names[] = { "scalar", "sse2", "avx2", "neon" };

/// Two solids as formulas and as fields of a format: dense ones first, then sparse ones.
typedef struct Solids
{
    AbutShape* exact[2];
    AbutShape* fields[2];
} Solids;

static Solids make_solids(int format)
{
    Solids solids = { .exact = { test_make_torus(0.5f, 0.2f), test_make_box(0.8f, 0.5f, 0.6f) } };
    for (int i = 0; i < 2; ++i)
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = i == 0 ? 40 : 28;
        def.format = (AbutFieldFormat)(format % ABUT_FIELD_FORMAT_COUNT);
        def.sparse = format >= ABUT_FIELD_FORMAT_COUNT;
        test_assert_result(abut_bake_shape(&def, solids.exact[i], &solids.fields[i]), ABUT_OK);
    }
    return solids;
}

static void destroy_solids(Solids* solids)
{
    for (int i = 0; i < 2; ++i)
    {
        abut_shape_destroy(solids->exact[i]);
        abut_shape_destroy(solids->fields[i]);
    }
}

static AbutPose random_pose(TestRandom* random)
{
    AbutVec3 p = test_random_point(random, 0.7);
    AbutPose pose = abut_pose_at((double)p.x, (double)p.y, (double)p.z);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)test_random_range(random, 0.7, 1.4);
    return pose;
}

static AbutPair make_pair(const Solids* solids, TestRandom* random, AbutPose* pose)
{
    AbutPairDef def = {
        solids->fields[0], solids->fields[1], abut_pose_identity(), abut_pose_identity(), 0.0f, 0.0f
    };
    AbutPair pair;
    float gap;
    def.pose_b = *pose = random_pose(random);
    test_assert_result(abut_pair_init(&def, &pair, &gap), ABUT_OK);
    return pair;
}

/// The larger of both true distances.
static double further_distance(const Solids* solids, const AbutPose* pose, AbutVec3 p)
{
    double a = (double)abut_shape_distance(solids->exact[0], p, NULL);
    AbutVec3 in_b = abut_pose_inverse_transform_point(pose, (AbutPosition){ p.x, p.y, p.z });
    double b = (double)abut_shape_distance(solids->exact[1], in_b, NULL) * (double)pose->scale;
    return fmax(a, b);
}

// -----------------------------------------------------------------------------------------------------------
// Parts
// -----------------------------------------------------------------------------------------------------------

typedef struct PieceCase
{
    AbutPairBatch batch;
    float radius[ABUT_PAIR_BATCH], scale[ABUT_PAIR_BATCH], low[ABUT_PAIR_BATCH];
    AbutBoxSearchBounds bounds;
} PieceCase;

static void fill_pieces(PieceCase* self, const AbutPair* pair, const AbutFieldPair* fields,
                        const AbutFarNodes far[2], TestRandom* random)
{
    const float half = 4.0f * pair->sides[0].cell_size;
    self->batch.count = 1 + test_random_bits(random) % ABUT_PAIR_BATCH;
    for (size_t i = 0; i < ABUT_PAIR_BATCH; ++i)
    {
        AbutVec3 p = test_random_point(random, 0.6);
        self->batch.at[0][i] = p.x;
        self->batch.at[1][i] = p.y;
        self->batch.at[2][i] = p.z;
        self->scale[i] = ldexpf(1.0f, -(int)(test_random_bits(random) % 5));
        self->radius[i] = 1.7321f * half * self->scale[i];
        self->low[i] = 0.0f;
    }
    self->bounds = (AbutBoxSearchBounds){
        .sides = fields->sides,
        .far = far,
        .at = { self->batch.at[0], self->batch.at[1], self->batch.at[2] },
        .radius = self->radius,
        .scale = self->scale,
        .half = { half, half, half },
        .gap_bound_radius = 1.8f * pair->sides[0].cell_size,
        .threshold = (float)test_random_range(random, -0.02, 0.02),
        .error = { pair->sides[0].error, pair->sides[1].error },
        .distance = { self->batch.distance[0], self->batch.distance[1] },
        .low = self->low,
        .count = self->batch.count,
    };
}

/// How many of the parts are clear; in none of these is a point that is nearer to both than proved.
static int check_pieces(const PieceCase* self, const Solids* solids, const AbutPose* pose, TestRandom* random)
{
    int threshold = 0;
    for (size_t i = 0; i < self->batch.count; ++i)
    {
        threshold += self->low[i] > self->bounds.threshold ? 1 : 0;
        for (int k = 0; k < 12; ++k)
        {
            double half = (double)(self->bounds.half[0] * self->scale[i]);
            AbutVec3 offset = test_random_point(random, half);
            if (k < 8) // the corners
            {
                offset = abut_vec3((float)(k & 1 ? half : -half), (float)(k & 2 ? half : -half),
                                   (float)(k & 4 ? half : -half));
            }
            AbutVec3 middle = abut_vec3(self->batch.at[0][i], self->batch.at[1][i], self->batch.at[2][i]);
            double truth = further_distance(solids, pose, abut_vec3_add(middle, offset));
            if (!(truth >= (double)self->low[i] - 1e-5))
            {
                fail_msg("part %zu: %g is proved, %g is there", i, (double)self->low[i], truth);
            }
        }
    }
    return threshold;
}

static void test_pieces_are_no_closer_than_proved_and_the_same_for_all_sets(void** state)
{
    (void)state;
    static PieceCase pieces, other;
    TestRandom random = { 51 };
    int threshold = 0, gap_bound_radius = 0;
    for (int format = 0; format < FORMATS; ++format)
    {
        Solids solids = make_solids(format);
        for (int round = 0; round < ROUNDS; ++round)
        {
            AbutPose pose;
            AbutPair pair = make_pair(&solids, &random, &pose);
            AbutFieldPair fields;
            AbutFarNodes far[2];
            assert_true(abut_gap_bound_fields(&pair, far) && abut_field_pair_init(&fields, &pair));
            fill_pieces(&pieces, &pair, &fields, far, &random);
            abut_search_kernels_of(ABUT_SIMD_SCALAR)->bound(&pieces.bounds);
            threshold += check_pieces(&pieces, &solids, &pose, &random);
            for (size_t i = 0; i < pieces.batch.count; ++i)
            {
                float plain = fmaxf(pieces.batch.distance[0][i] - pieces.bounds.error[0],
                                    pieces.batch.distance[1][i] - pieces.bounds.error[1]);
                gap_bound_radius += pieces.low[i] > plain - pieces.radius[i] + 1e-4f ? 1 : 0;
            }
            for (int set = 1; set < 4; ++set)
            {
                if (abut_simd_force(set_names[set]) != ABUT_OK)
                {
                    continue;
                }
                other = pieces;
                memset(other.low, 0, sizeof(other.low));
                other.bounds.low = other.low;
                abut_search_kernels()->bound(&other.bounds);
                assert_memory_equal(other.low, pieces.low, pieces.batch.count * sizeof(float));
            }
        }
        destroy_solids(&solids);
    }
    print_message("%d parts clear, %d proved between surfaces\n", threshold, gap_bound_radius);
    assert_true(threshold > 5000 && gap_bound_radius > 50);
}

static void test_points_are_as_deep_in_both_as_asked_where_that_is_possible(void** state)
{
    (void)state;
    enum
    {
        COUNT = 13
    };
    static AbutPairBatch starts, expected, batch;
    TestRandom random = { 52 };
    int arrived = 0;
    for (int format = 0; format < FORMATS; ++format)
    {
        Solids solids = make_solids(format);
        for (int round = 0; round < ROUNDS; ++round)
        {
            AbutPose pose;
            AbutPair pair = make_pair(&solids, &random, &pose);
            AbutFieldPair fields;
            float depths[2][16] = { { 0.0f } };
            assert_true(abut_field_pair_init(&fields, &pair));
            starts.count = COUNT;
            for (size_t i = 0; i < 16; ++i)
            {
                AbutVec3 p = test_random_point(&random, 0.8);
                starts.at[0][i] = p.x;
                starts.at[1][i] = p.y;
                starts.at[2][i] = p.z;
                depths[0][i] = (float)test_random_range(&random, 0.0, 0.02);
                depths[1][i] = (float)test_random_range(&random, 0.0, 0.02);
            }
            const float* const depth[2] = { depths[0], depths[1] };
            size_t samples = 0;
            for (int set = 0; set < 4; ++set)
            {
                if (abut_simd_force(set_names[set]) != ABUT_OK)
                {
                    continue;
                }
                batch = starts;
                AbutFieldPairBatch walk = abut_field_pair_batch(&fields, &batch);
                size_t taken = abut_search_kernels()->enter(&walk, depth, 6);
                expected = set == 0 ? batch : expected;
                samples = set == 0 ? taken : samples;
                assert_int_equal(taken, samples);
                assert_true(taken >= COUNT && taken <= 7 * COUNT);
                for (int axis = 0; axis < 3; ++axis)
                {
                    assert_memory_equal(batch.at[axis], expected.at[axis], COUNT * sizeof(float));
                }
                assert_memory_equal(batch.distance, expected.distance, COUNT * sizeof(float));
            }
            for (size_t i = 0; i < COUNT; ++i)
            {
                arrived += batch.distance[0][i] <= -depths[0][i] && batch.distance[1][i] <= -depths[1][i];
            }
        }
        destroy_solids(&solids);
    }
    assert_true(arrived > FORMATS * ROUNDS); // of 13 each; many pairs have nothing in common
}

// -----------------------------------------------------------------------------------------------------------
// Octrees
// -----------------------------------------------------------------------------------------------------------

/// A point of the surface of what both have in common; false when a few tries find nothing inside.
static bool random_common_surface(const Solids* solids, const AbutPose* pose, TestRandom* random,
                                  AbutVec3* out)
{
    AbutVec3 in = test_random_point(random, 0.7), away = test_random_point(random, 3.0);
    if (!(further_distance(solids, pose, in) < 0.0) || !(further_distance(solids, pose, away) > 0.0))
    {
        return false;
    }
    for (int i = 0; i < 40; ++i)
    {
        AbutVec3 middle = abut_vec3_scale(abut_vec3_add(in, away), 0.5f);
        bool inside = further_distance(solids, pose, middle) <= 0.0;
        in = inside ? middle : in;
        away = inside ? away : middle;
    }
    *out = in;
    return true;
}

static void test_boxes_of_octrees_are_the_same_for_all_sets_and_lose_no_common_point(void** state)
{
    (void)state;
    TestRandom random = { 53 };
    int seen = 0;
    for (int format = 0; format < FORMATS; ++format)
    {
        Solids solids = make_solids(format);
        for (int round = 0; round < ROUNDS; ++round)
        {
            AbutPose pose;
            AbutPair pair = make_pair(&solids, &random, &pose);
            static AbutOctreeBox found[2][4096];
            size_t counts[2] = { 0, 0 };
            // from two cells to more than the grid has
            float size = round % 4 == 0 ? 0.0f
                                        : ldexpf((float)abut_field_info(solids.fields[0]).cell_size,
                                                 2 * (round % 4) + 1);
            for (int set = 0; set < 4; ++set)
            {
                if (abut_simd_force(set_names[set]) != ABUT_OK)
                {
                    continue;
                }
                AbutDualOctree traversal;
                AbutOctreeBox boxes[8];
                bool hit;
                int to = set == 0 ? 0 : 1;
                counts[to] = 0;
                assert_true(abut_dual_octree_init(&traversal, &pair, 0.0f, size));
                traversal.surface_only = true;
                for (uint32_t count; (count = abut_dual_octree_next(&traversal, boxes, &hit)) > 0;)
                {
                    assert_true(count <= 8 && counts[to] + count <= 4096);
                    memcpy(found[to] + counts[to], boxes, count * sizeof(boxes[0]));
                    counts[to] += count;
                }
                assert_int_equal(counts[to], counts[0]);
                assert_memory_equal(found[to], found[0], counts[0] * sizeof(found[0][0]));
            }
            AbutDualOctree traversal;
            assert_true(abut_dual_octree_init(&traversal, &pair, 0.0f, size));
            float half = 1.001f * ldexpf((float)traversal.cell_size, traversal.last_level - 1);
            for (int k = 0; k < 1500; ++k)
            {
                AbutVec3 p;
                if (!random_common_surface(&solids, &pose, &random, &p))
                {
                    continue;
                }
                bool inside = false;
                for (size_t i = 0; i < counts[0]; ++i)
                {
                    float middle[3];
                    abut_dual_octree_middle(&traversal, &found[0][i], middle);
                    inside = inside || (fabsf(p.x - middle[0]) <= half && fabsf(p.y - middle[1]) <= half &&
                                        fabsf(p.z - middle[2]) <= half);
                }
                assert_true(inside);
                seen += 1;
            }
        }
        destroy_solids(&solids);
    }
    assert_true(seen > 100);
}

static void test_values_of_a_cell_are_those_of_its_nodes(void** state)
{
    (void)state;
    TestRandom random = { 54 };
    for (int format = 0; format < FORMATS; ++format)
    {
        Solids solids = make_solids(format);
        AbutFieldHeader* h = abut_field_of(solids.fields[0])->block;
        int known = 0;
        for (int k = 0; k < 5000; ++k)
        {
            uint32_t cell[3];
            float values[8];
            for (int axis = 0; axis < 3; ++axis)
            {
                cell[axis] = (uint32_t)(test_random_bits(&random) % (h->brick_count[axis] * 8u));
            }
            if (!abut_field_cell_values(h, cell, values))
            {
                continue;
            }
            for (uint32_t i = 0; i < 8; ++i)
            {
                const uint32_t node[3] = { cell[0] + (i & 1u), cell[1] + (i >> 1 & 1u), cell[2] + (i >> 2) };
                float value = abut_field_value_at(h, node); // of a brick beside, which may keep none
                assert_true(isnan(value) || memcmp(&value, &values[i], sizeof(value)) == 0);
                known += isnan(value) ? 0 : 1;
            }
        }
        assert_true(known > 5000);
        destroy_solids(&solids);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_no_closer_than_proved_and_the_same_for_all_sets),
        cmocka_unit_test(test_points_are_as_deep_in_both_as_asked_where_that_is_possible),
        cmocka_unit_test(test_boxes_of_octrees_are_the_same_for_all_sets_and_lose_no_common_point),
        cmocka_unit_test(test_values_of_a_cell_are_those_of_its_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
