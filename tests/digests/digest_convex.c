// Prints hashes of states, distances, depths and contacts of convex pairs: equal text means equal bits,
// whatever the processor and the instruction set.
#include "support/digest.h"

#include <abut/abut.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    POSES = 60,
    SHAPES = 6,
    MOST_CONTACTS = 8
};

/// Fractions of small denominators: no function of a C library.
static AbutPose pose_of(int number)
{
    static const AbutQuat rotations[] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                          { 0.5f, 0.5f, 0.5f, 0.5f },
                                          { 0.6f, 0.0f, 0.8f, 0.0f },
                                          { 0.48f, 0.36f, 0.0f, 0.8f } };
    AbutPose pose = abut_pose_at(0.28125 * (number % 7) - 0.75, 0.21875 * (number % 5) - 0.375,
                                 0.375 * (number % 3) - 0.3125);
    pose.rotation = rotations[number % 4];
    pose.scale = number % 5 == 3 ? 0.75f : 1.0f;
    return pose;
}

static uint64_t hash_contacts(const AbutShape* a, const AbutShape* b, int number, uint64_t hash)
{
    AbutContact contacts[MOST_CONTACTS];
    AbutCollideInput input = abut_collide_input(a, b);
    input.settings.method = ABUT_COLLIDE_GJK;
    input.settings.margin = 0.125f;
    input.pose_b = pose_of(number);
    AbutCollideOutput output = abut_collide(&input, contacts, MOST_CONTACTS);
    hash = digest_hash(&output.gap, 1, hash);
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        const AbutContact* c = &contacts[i];
        const float numbers[] = { c->position.x, c->position.y, c->position.z, c->normal.x,   c->normal.y,
                                  c->normal.z,   c->separation, c->anchor_a.x, c->anchor_a.y, c->anchor_a.z,
                                  c->anchor_b.x, c->anchor_b.y, c->anchor_b.z };
        hash = digest_hash(numbers, sizeof(numbers) / sizeof(numbers[0]), hash);
        hash = abut_hash(&c->id, sizeof(c->id), hash);
    }
    return hash;
}

static void print_pair(const char* name, const AbutShape* a, const AbutShape* b)
{
    uint64_t hash = 0;
    int states[ABUT_COLLIDE_STATE_COUNT] = { 0 };
    for (int i = 0; i < POSES; ++i)
    {
        AbutConvexInput input = abut_convex_input(a, b);
        input.pose_a = pose_of(POSES - i);
        input.pose_b = pose_of(3 * i + 1);
        input.work = (AbutConvexWork)(i % 3);
        AbutConvexOutput output = abut_convex(&input);
        const uint32_t state = (uint32_t)output.state;
        const double numbers[] = { output.gap,       output.separation, output.point_a.x, output.point_a.y,
                                   output.point_a.z, output.point_b.x,  output.point_b.y, output.point_b.z };
        hash = abut_hash(&state, sizeof(state), hash);
        hash = abut_hash(numbers, sizeof(numbers), hash);
        hash = hash_contacts(a, b, i, hash);
        states[output.state] += 1;
    }
    printf("%-24s %016" PRIx64 " %d separated, %d in contact\n", name, hash, states[ABUT_COLLIDE_SEPARATED],
           states[ABUT_COLLIDE_CONTACT]);
}

/// Points of small integers; 400 of them make a hull that is climbed.
static void make_hull(int count, AbutShape** out)
{
    AbutVec3 points[400];
    uint32_t state = 7;
    for (int i = 0; i < count; ++i)
    {
        float at[3];
        for (int k = 0; k < 3; ++k)
        {
            state = state * 1664525u + 1013904223u;
            at[k] = (float)(state >> 24) / 256.0f - 0.5f;
        }
        float squared = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
        float scale = squared > 0.0f ? 0.25f / squared : 1.0f; // outwards: more of them are extreme
        scale = scale < 2.0f ? scale : 2.0f;
        points[i] = abut_vec3(at[0] * scale, at[1] * scale, at[2] * scale);
    }
    digest_check(abut_shape_create_convex(points, (size_t)count, NULL, out), "hull");
}

int main(void)
{
    fprintf(stderr, "digest_convex: %s\n", abut_simd_name());
    AbutShape* shapes[SHAPES] = { NULL };
    static const char* const names[SHAPES] = { "small hull", "large hull", "box",
                                               "capsule",    "cylinder",   "cone" };
    make_hull(16, &shapes[0]);
    make_hull(400, &shapes[1]);
    digest_check(abut_shape_create_box(abut_vec3(0.75f, 0.25f, 0.5f), NULL, &shapes[2]), "box");
    digest_check(abut_shape_create_capsule(0.125f, 0.5f, NULL, &shapes[3]), "capsule");
    digest_check(abut_shape_create_cylinder(0.375f, 0.5f, NULL, &shapes[4]), "cylinder");
    digest_check(abut_shape_create_cone(0.375f, 0.125f, 0.5f, NULL, &shapes[5]), "cone");
    for (int i = 0; i < SHAPES; ++i)
    {
        for (int k = i; k < SHAPES; ++k)
        {
            char name[48];
            snprintf(name, sizeof(name), "%s, %s", names[i], names[k]);
            print_pair(name, shapes[i], shapes[k]);
        }
    }
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
    return EXIT_SUCCESS;
}
