// Points on their way between two fields: the same bits as one step after the other, for all formats and
// instruction sets; and no particles where they are proved to find nothing, which must not change what is
// found.
#include "narrow/contacts/kernels.h"
#include "narrow/particles/kernels.h"
#include "narrow/particles/particles.h"
#include "search/field_pair.h"
#include "search/kernels.h"
#include "support/shapes.h"
#include "support/support.h"

#include <abut/bake.h>
#include <math.h>
#include <string.h>

enum
{
    FORMATS = 2 * ABUT_FIELD_FORMAT_COUNT,
    CAPACITY = 4096,
    STEPS = 8
};

/// Formats from 0 on, dense and then sparse.
static AbutShape* bake(const AbutShape* shape, int format, uint32_t resolution, bool without_octree)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = resolution;
    def.format = (AbutFieldFormat)(format % ABUT_FIELD_FORMAT_COUNT);
    def.sparse = format >= ABUT_FIELD_FORMAT_COUNT;
    def.without_octree = without_octree;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

static AbutPose random_pose(TestRandom* random, double reach)
{
    AbutVec3 p = test_random_point(random, reach);
    AbutPose pose = abut_pose_at((double)p.x, (double)p.y, (double)p.z);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)test_random_range(random, 0.7, 1.4);
    return pose;
}

// -----------------------------------------------------------------------------------------------------------
// The same bits
// -----------------------------------------------------------------------------------------------------------

static void fill(AbutPairBatch* batch, size_t count, TestRandom* random)
{
    memset(batch, 0, sizeof(*batch));
    batch->count = count;
    for (size_t i = 0; i < count; ++i)
    {
        AbutVec3 p = test_random_point(random, i % 16 == 0 ? 3.0 : 0.7); // some beyond the grids
        batch->at[0][i] = p.x;
        batch->at[1][i] = p.y;
        batch->at[2][i] = p.z;
    }
}

static void check_same(const AbutPairBatch* batch, size_t i, const AbutPairBatch* one)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        assert_memory_equal(&batch->at[axis][i], &one->at[axis][0], sizeof(float));
        assert_memory_equal(&batch->gradient[0][axis][i], &one->gradient[0][axis][0], sizeof(float));
        assert_memory_equal(&batch->gradient[1][axis][i], &one->gradient[1][axis][0], sizeof(float));
    }
    assert_memory_equal(&batch->distance[0][i], &one->distance[0][0], sizeof(float));
    assert_memory_equal(&batch->distance[1][i], &one->distance[1][0], sizeof(float));
}

static AbutPairBatch one_of(const AbutPairBatch* batch, size_t i)
{
    AbutPairBatch one;
    memset(&one, 0, sizeof(one));
    one.count = 1;
    one.at[0][0] = batch->at[0][i];
    one.at[1][0] = batch->at[1][i];
    one.at[2][0] = batch->at[2][i];
    return one;
}

/// A point alone, sampled by its shapes and moved by the kernel that takes one step.
static size_t project_alone(AbutPair* pair, AbutPairBatch* one, float target)
{
    AbutPairPoints points = abut_pair_points(one);
    abut_pair_sample(pair, one, true);
    for (size_t step = 0; step < STEPS; ++step)
    {
        uint8_t moved;
        abut_search_kernels_of(ABUT_SIMD_SCALAR)->approach(&points, 1, target, &moved);
        if (moved == 0)
        {
            return step + 1;
        }
        abut_pair_sample(pair, one, true);
    }
    return STEPS + 1;
}

static size_t walk_alone(AbutPair* pair, AbutPairBatch* one, float epsilon, bool* arrived)
{
    float(*a)[ABUT_PAIR_BATCH] = one->gradient[0], (*b)[ABUT_PAIR_BATCH] = one->gradient[1], left = STEPS;
    AbutParticleStep step = { { one->at[0], one->at[1], one->at[2] },
                              { one->distance[0], a[0], a[1], a[2] },
                              { one->distance[1], b[0], b[1], b[2] },
                              &left,
                              epsilon,
                              1.1f };
    for (size_t samples = 1;; ++samples)
    {
        uint32_t came, done;
        abut_pair_sample(pair, one, true);
        abut_particle_kernels_of(ABUT_SIMD_SCALAR)->step(&step, 1, &came, &done);
        *arrived = came != 0;
        if (done != 0)
        {
            return samples;
        }
    }
}

static void check_kernels(AbutSimdSet set, AbutPair* pair, const AbutPairBatch* starts)
{
    AbutFieldPair fields;
    AbutPairBatch projected = *starts, walked = *starts, sampled = *starts;
    uint32_t arrived[ABUT_PAIR_BATCH / 32];
    assert_true(abut_field_pair_init(&fields, pair));
    AbutFieldPairBatch walk = abut_field_pair_batch(&fields, &projected);
    size_t samples = abut_project_kernels_of(set)->project(&walk, STEPS, 1e-3f);
    walk = abut_field_pair_batch(&fields, &walked);
    samples += abut_particle_kernels_of(set)->walk(&walk, STEPS, 1e-2f, 1.1f, arrived);
    walk = abut_field_pair_batch(&fields, &sampled);
    abut_search_kernels_of(set)->sample(&walk);
    for (size_t i = 0; i < starts->count; ++i)
    {
        AbutPairBatch one = one_of(starts, i);
        bool came;
        abut_pair_sample(pair, &one, true);
        check_same(&sampled, i, &one);
        one = one_of(starts, i);
        samples -= project_alone(pair, &one, 1e-3f);
        check_same(&projected, i, &one);
        one = one_of(starts, i);
        samples -= walk_alone(pair, &one, 1e-2f, &came);
        assert_int_equal(arrived[i / 32] >> i % 32 & 1u, came);
        if (came)
        {
            check_same(&walked, i, &one);
        }
    }
    assert_int_equal(samples, 0);
}

static void test_walks_between_fields_are_those_of_single_steps(void** state)
{
    (void)state;
    TestRandom random = { 41 };
    AbutShape *torus = test_make_torus(0.5f, 0.2f), *box = test_make_box(0.8f, 0.5f, 0.6f);
    for (int format = 0; format < FORMATS; ++format)
    {
        AbutShape *a = bake(torus, format, 32, false), *b = bake(box, (format + 2) % FORMATS, 24, false);
        for (size_t round = 0; round < 16; ++round)
        {
            AbutPairDef def = { a, b, abut_pose_identity(), abut_pose_identity(), 0.0f, 0.0f };
            AbutPair pair;
            AbutPairBatch starts;
            float gap;
            def.pose_b = random_pose(&random, 0.4);
            test_assert_result(abut_pair_init(&def, &pair, &gap), ABUT_OK);
            fill(&starts, round == 0 ? 1 : 1 + (37 * round) % ABUT_PAIR_BATCH, &random);
            AbutSimdSet set = (AbutSimdSet)(round % ABUT_SIMD_SET_COUNT);
            if (abut_simd_runs(set))
            {
                check_kernels(set, &pair, &starts);
            }
        }
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
    abut_shape_destroy(torus);
    abut_shape_destroy(box);
}

/// Plain C for what the kernel does to particle `i`; returns its two bits.
static unsigned plain_step(const AbutParticleStep* step, size_t i)
{
    float a = step->a.distance[i], b = step->b.distance[i];
    bool arrived = a < step->epsilon && b < step->epsilon;
    bool second = a < b;
    float displacement = step->relaxation * (second ? b : a);
    const AbutSamples* larger = second ? &step->b : &step->a;
    step->left[i] -= 1.0f;
    if (!arrived)
    {
        step->at[0][i] -= larger->gradient_x[i] * displacement;
        step->at[1][i] -= larger->gradient_y[i] * displacement;
        step->at[2][i] -= larger->gradient_z[i] * displacement;
    }
    return (arrived ? 1u : 0u) | (arrived || step->left[i] <= 0.0f ? 2u : 0u);
}

static void test_the_step_of_every_instruction_set_is_that_of_plain_code(void** state)
{
    (void)state;
    static const float special[] = { 0.0f, -0.0f, NAN, INFINITY, -INFINITY, 1e-3f, 1e30f };
    TestRandom random = { 7 };
    for (size_t round = 0; round < 400; ++round)
    {
        AbutSimdSet set = (AbutSimdSet)(round % ABUT_SIMD_SET_COUNT);
        const AbutParticleKernels* kernels = abut_simd_runs(set) ? abut_particle_kernels_of(set) : NULL;
        size_t count = 1 + round % ABUT_PAIR_BATCH;
        float given[12][ABUT_PAIR_BATCH], actual[12][ABUT_PAIR_BATCH], expected[12][ABUT_PAIR_BATCH];
        for (size_t k = 0; k < 12 * count && kernels != NULL; ++k)
        {
            uint64_t bits = test_random_bits(&random);
            given[k / count][k % count] = k / count == 11  ? (float)(1 + bits % 3)
                                          : bits % 16 == 0 ? special[(bits >> 8) % 7]
                                                           : (float)test_random_range(&random, -0.01, 0.01);
        }
        uint32_t arrived[ABUT_PAIR_BATCH / 32], done[ABUT_PAIR_BATCH / 32];
        for (int k = 0; k < 2 && kernels != NULL; ++k)
        {
            float(*v)[ABUT_PAIR_BATCH] = k == 0 ? actual : expected;
            memcpy(v, given, sizeof(given));
            AbutParticleStep step = { { v[0], v[1], v[2] },
                                      { v[3], v[4], v[5], v[6] },
                                      { v[7], v[8], v[9], v[10] },
                                      v[11],
                                      1e-3f,
                                      1.3f };
            if (k == 0)
            {
                kernels->step(&step, count, arrived, done);
                continue;
            }
            for (size_t i = 0; i < count; ++i)
            {
                unsigned bits = (arrived[i / 32] >> i % 32 & 1u) | (done[i / 32] >> i % 32 & 1u) << 1;
                assert_int_equal(bits, plain_step(&step, i));
            }
            assert_int_equal((uint64_t)done[(count - 1) / 32] >> ((count - 1) % 32 + 1), 0);
            for (size_t i = 0; i < 12 * count; ++i)
            {
                float x = actual[i / count][i % count], y = expected[i / count][i % count];
                assert_true((isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof(x)) == 0);
            }
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Proofs
// -----------------------------------------------------------------------------------------------------------

/// Fields without an octree prove nothing and send all particles; the rest of the answer must be the same.
static int check_with_and_without(const AbutCollideInput* with, const AbutCollideInput* without)
{
    static AbutContact contacts[CAPACITY], others[CAPACITY];
    AbutCollideOutput a = abut_collide(with, contacts, CAPACITY), b = abut_collide(without, others, CAPACITY);
    assert_int_equal(a.state, b.state);
    assert_int_equal(a.contact_count, b.contact_count);
    assert_memory_equal(contacts, others, (size_t)a.contact_count * sizeof(contacts[0]));
    return a.evaluations < b.evaluations ? 1 : 0;
}

static void test_particles_that_are_not_sent_would_have_found_nothing(void** state)
{
    (void)state;
    TestRandom random = { 42 };
    AbutShape* solids[2] = { test_make_torus(0.5f, 0.15f), test_make_random_solid(&random) };
    for (int format = 0; format < ABUT_FIELD_FORMAT_COUNT; ++format)
    {
        AbutShape* fields[2][2];
        int skipped = 0, found = 0;
        for (int i = 0; i < 4; ++i)
        {
            fields[i / 2][i % 2] = bake(solids[i % 2], format, 48, i / 2 == 1);
        }
        for (int i = 0; i < 150; ++i)
        {
            AbutCollideInput with = abut_collide_input(fields[0][i % 2], fields[0][(i + 1) % 2]);
            with.pose_b = random_pose(&random, 1.3);
            with.settings.method = ABUT_COLLIDE_PARTICLES;
            with.settings.margin = i % 3 == 0 ? 0.02f : 0.0f;
            AbutCollideInput without = with;
            without.shape_a = fields[1][i % 2];
            without.shape_b = fields[1][(i + 1) % 2];
            skipped += check_with_and_without(&with, &without);
            found += abut_collide(&with, NULL, 0).state != ABUT_COLLIDE_NONE_FOUND ? 1 : 0;
        }
        print_message("format %d: %d of 150 without particles, %d with contacts or boxes apart\n", format,
                      skipped, found);
        assert_true(skipped >= 10 && found >= 30);
        for (int i = 0; i < 4; ++i)
        {
            abut_shape_destroy(fields[i / 2][i % 2]);
        }
    }
    abut_shape_destroy(solids[0]);
    abut_shape_destroy(solids[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks_between_fields_are_those_of_single_steps),
        cmocka_unit_test(test_the_step_of_every_instruction_set_is_that_of_plain_code),
        cmocka_unit_test(test_particles_that_are_not_sent_would_have_found_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
