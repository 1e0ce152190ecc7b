// Prints hashes of distances of pairs of formulas and fields: equal text means equal bits, whatever the
// processor and the instruction set.
#include "support/digest.h"

#include <abut/abut.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    POSES = 8
};

/// Separated, close and in contact. Fractions of small denominators: no function of a C library.
static AbutPose pose_of(int number)
{
    static const AbutQuat rotations[] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                          { 0.5f, 0.5f, 0.5f, 0.5f },
                                          { 0.6f, 0.0f, 0.8f, 0.0f },
                                          { 0.48f, 0.36f, 0.0f, 0.8f } };
    AbutPose pose =
        abut_pose_at(0.3125 * (number % 7), 0.21875 * (number % 5) - 0.25, 0.375 * (number % 3) - 0.0625);
    pose.rotation = rotations[number % 4];
    pose.scale = number % 5 == 3 ? 0.75f : 1.0f;
    return pose;
}

static void print_pair(const char* name, const AbutShape* a, const AbutShape* b)
{
    uint64_t hash = 0, evaluations = 0;
    int states[ABUT_COLLIDE_STATE_COUNT] = { 0 };
    for (int i = 0; i < POSES; ++i)
    {
        AbutDistanceInput input = abut_distance_input(a, b);
        input.pose_a = pose_of(POSES - i);
        input.pose_b = pose_of(3 * i + 1);
        input.tolerance = i % 3 == 0 ? 0.0078125f : 0.0f;
        AbutDistanceOutput output = abut_distance(&input);
        const uint32_t state = (uint32_t)output.state;
        const float numbers[] = { output.low,       output.high,      output.uncertainty,
                                  output.point_a.x, output.point_a.y, output.point_a.z,
                                  output.point_b.x, output.point_b.y, output.point_b.z };
        hash = abut_hash(&state, sizeof(state), hash);
        hash = digest_hash(numbers, sizeof(numbers) / sizeof(numbers[0]), hash);
        hash = abut_hash(&output.evaluations, sizeof(output.evaluations), hash);
        evaluations += output.evaluations;
        states[output.state] += 1;
    }
    printf("%-24s %016" PRIx64 " %" PRIu64 " evaluations; %d separated, %d in contact\n", name, hash,
           evaluations, states[ABUT_COLLIDE_SEPARATED], states[ABUT_COLLIDE_CONTACT]);
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
        snprintf(name, sizeof(name), "formula, %s", abut_field_format_name(format));
        print_pair(name, torus, a);
        abut_shape_destroy(a);
        abut_shape_destroy(b);
    }
}

int main(void)
{
    fprintf(stderr, "digest_distance: %s\n", abut_simd_name());
    AbutMesh* gear = digest_create_gear();
    AbutShape *torus = NULL, *box = NULL, *capsule = NULL, *both = NULL;
    digest_check(abut_shape_create_torus(0.375f, 0.125f, NULL, &torus), "torus");
    digest_check(abut_shape_create_box(abut_vec3(0.75f, 0.25f, 0.5f), NULL, &box), "box");
    digest_check(abut_shape_create_capsule(0.125f, 0.5f, NULL, &capsule), "capsule");
    digest_check(abut_shape_create_union((AbutShape*[]){ box, capsule }, 2, NULL, &both), "union");
    print_pair("torus, box", torus, box);
    print_pair("capsule, torus", capsule, torus);
    print_pair("union, torus", both, torus);
    print_fields(gear, torus);
    abut_shape_destroy(both);
    abut_shape_destroy(capsule);
    abut_shape_destroy(box);
    abut_shape_destroy(torus);
    abut_mesh_destroy(gear);
    return EXIT_SUCCESS;
}
