// Prints hashes of the answers and contacts of pairs of formulas and fields: equal text means equal bits,
// whatever the processor and the instruction set.
#include "support/digest.h"

#include <abut/abut.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    CAPACITY = 512,
    POSES = 12
};

/// Whole turns of small fractions: nothing that a C library may round in its own way.
static AbutPose pose_of(int number)
{
    static const AbutQuat turns[] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                      { 0.5f, 0.5f, 0.5f, 0.5f },
                                      { 0.6f, 0.0f, 0.8f, 0.0f },
                                      { 0.48f, 0.36f, 0.0f, 0.8f },
                                      { 0.0f, 0.28f, 0.0f, 0.96f } };
    AbutPose pose = abut_pose_at(0.125 * (number % 7) + 0.25, 0.09375 * (number % 5) - 0.25,
                                 0.125 * (number % 3) - 0.0625);
    pose.rotation = turns[number % 5];
    pose.scale = number % 4 == 3 ? 0.75f : 1.0f;
    return pose;
}

/// Everything that an answer has, member by member: padding has no bits to compare.
static uint64_t hash_output(const AbutCollideOutput* output, const AbutContact* contacts, uint64_t seed)
{
    const uint32_t numbers[3] = { (uint32_t)output->state, output->contact_count, output->contact_total };
    uint64_t hash = abut_hash(numbers, sizeof(numbers), seed);
    hash = abut_hash(&output->gap, sizeof(output->gap), hash);
    hash = abut_hash(&output->spacing, sizeof(output->spacing), hash);
    hash = abut_hash(&output->evaluations, sizeof(output->evaluations), hash);
    for (uint32_t i = 0; i < output->contact_count; ++i)
    {
        const AbutContact* c = &contacts[i];
        hash = abut_hash(&c->position, sizeof(c->position), hash);
        hash = abut_hash(&c->normal, sizeof(c->normal), hash);
        hash = abut_hash(&c->separation, sizeof(c->separation), hash);
        hash = abut_hash(&c->depth, sizeof(c->depth), hash);
        hash = abut_hash(&c->depth_error, sizeof(c->depth_error), hash);
        hash = abut_hash(&c->shared_length, sizeof(c->shared_length), hash);
        hash = abut_hash(&c->anchor_a, sizeof(c->anchor_a), hash);
        hash = abut_hash(&c->anchor_b, sizeof(c->anchor_b), hash);
        hash = abut_hash(&c->id, sizeof(c->id), hash);
    }
    return hash;
}

static void print_pair(const char* name, const AbutShape* a, const AbutShape* b)
{
    static AbutContact contacts[CAPACITY];
    for (int method = 0; method < ABUT_COLLIDE_METHOD_COUNT; ++method)
    {
        if (!abut_collide_method_serves((AbutCollideMethod)method, a, b))
        {
            continue;
        }
        uint64_t hash = 0, total = 0, evaluations = 0;
        int states[ABUT_COLLIDE_STATE_COUNT] = { 0 };
        for (int i = 0; i < POSES; ++i)
        {
            AbutCollideInput input = abut_collide_input(a, b);
            input.pose_b = pose_of(i);
            input.settings.method = (AbutCollideMethod)method;
            input.settings.margin = i % 2 == 0 ? 0.0f : 0.0625f;
            input.settings.measure_depth = i % 9 == 0;
            input.settings.budget = 1u << 14;
            AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
            hash = hash_output(&output, contacts, hash);
            AbutReduction reduction = abut_contacts_reduce(contacts, output.contact_count, 4);
            hash = abut_hash(&reduction, sizeof(reduction), hash);
            output.contact_count = reduction.kept_count;
            hash = hash_output(&output, contacts, hash);
            total += (uint64_t)output.contact_total;
            evaluations += output.evaluations;
            states[output.state] += 1;
        }
        printf("%-24s %-10s %016" PRIx64 " %" PRIu64 " contacts, %" PRIu64 " evaluations;", name,
               abut_collide_method_name((AbutCollideMethod)method), hash, total, evaluations);
        for (int i = 0; i < ABUT_COLLIDE_STATE_COUNT; ++i)
        {
            printf(" %d", states[i]);
        }
        printf("\n");
    }
}

// -----------------------------------------------------------------------------------------------------------
// All pairs of a step
// -----------------------------------------------------------------------------------------------------------

enum
{
    BODIES = 9
};

static uint64_t hash_results(const AbutCollideResults* results)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        const AbutPairResult* pair = &results->pairs[i];
        const uint32_t sides[2] = { pair->a, pair->b };
        hash = abut_hash(sides, sizeof(sides), hash);
        hash = hash_output(&pair->output, &results->contacts[pair->first_contact], hash);
    }
    return hash;
}

/// Every body with every other, by 1, 2 and 7 workers.
static void print_step(const char* name, const AbutShape* a, const AbutShape* b)
{
    static const uint32_t worker_counts[] = { 1, 2, 7 };
    AbutCollideBody bodies[BODIES];
    AbutBodyPair pairs[BODIES * BODIES];
    size_t pair_count = 0;
    for (uint32_t i = 0; i < BODIES; ++i)
    {
        bodies[i] = (AbutCollideBody){ .shape = i % 2 == 0 ? a : b, .pose = pose_of((int)i) };
        for (uint32_t k = i + 1; k < BODIES; ++k)
        {
            pairs[pair_count++] = (AbutBodyPair){ i, k };
        }
    }
    AbutCollideSettings settings = abut_collide_settings();
    settings.budget = 1u << 14;
    for (int i = 0; i < 3 * ABUT_COLLIDE_METHOD_COUNT; ++i)
    {
        AbutWorkers* workers = NULL;
        AbutCollider* collider = NULL;
        AbutCollideResults results;
        digest_check(abut_workers_create(worker_counts[i % 3], NULL, &workers), "workers");
        AbutHost host = abut_workers_host(workers);
        settings.method = (AbutCollideMethod)(i / 3);
        digest_check(abut_collider_create(&host, &collider), "collider");
        digest_check(abut_collide_pairs(collider, &(AbutPairsInput){ bodies, BODIES, pairs, pair_count },
                                        &settings, &results),
                     "pairs");
        // The number of workers is not printed: three equal lines show that it does not matter.
        printf("%-24s %-10s %016" PRIx64 " %zu contacts of %zu pairs\n", name,
               abut_collide_method_name(settings.method), hash_results(&results), results.contact_count,
               results.pair_count);
        abut_collider_destroy(collider);
        abut_workers_destroy(workers);
    }
}

static void print_fields(const AbutMesh* gear, const AbutShape* torus)
{
    for (int i = 0; i < DIGEST_FIELD_PAIRS; ++i)
    {
        AbutShape* pair[2];
        char name[40];
        AbutFieldFormat format = digest_bake_pair(i, 96, gear, torus, pair, name);
        AbutShape *a = pair[0], *b = pair[1];
        print_pair(name, a, b);
        if (i == 0)
        {
            print_step("step of fields", a, b);
        }
        snprintf(name, sizeof(name), "formula, %s", abut_field_format_name(format));
        print_pair(name, torus, a);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
}

static void attach_hull(AbutShape* shape)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = 0.02f;
    digest_check(abut_point_hull_create(&def, shape, &hull), "hull");
    digest_check(abut_point_hull_attach(hull, shape), "hull");
    abut_point_hull_destroy(hull);
}

int main(void)
{
    fprintf(stderr, "digest_contacts: %s\n", abut_simd_name());
    AbutMesh* gear = digest_create_gear();
    AbutShape *torus = NULL, *box = NULL, *capsule = NULL, *both = NULL;
    digest_check(abut_shape_create_torus(0.375f, 0.125f, NULL, &torus), "torus");
    digest_check(abut_shape_create_box(abut_vec3(0.75f, 0.25f, 0.5f), NULL, &box), "box");
    digest_check(abut_shape_create_capsule(0.125f, 0.5f, NULL, &capsule), "capsule");
    digest_check(abut_shape_create_union((AbutShape*[]){ box, capsule }, 2, NULL, &both), "union");
    print_pair("torus, box", torus, box);
    print_pair("capsule, torus", capsule, torus);
    print_pair("union, torus", both, torus);
    print_step("step of formulas", torus, both);
    attach_hull(torus);
    attach_hull(both);
    print_pair("hulls: torus, union", torus, both);
    print_pair("hulls: capsule, union", capsule, both);
    print_step("step of hulls", torus, both);
    print_fields(gear, torus);
    abut_shape_destroy(both);
    abut_shape_destroy(capsule);
    abut_shape_destroy(box);
    abut_shape_destroy(torus);
    abut_mesh_destroy(gear);
    return EXIT_SUCCESS;
}
