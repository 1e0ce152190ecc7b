// Prints a hash of distances and gradients per shape over fixed points: equal text means equal bits, whatever the
// processor and the instruction set. See tests/CMakeLists.txt for who compares it.
#include <abut/abut.h>

#include "simd/kernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POINT_COUNT = 100003, // not a multiple of any lane count
    HALF_COUNT = 1 << 16,
};

static float coordinates[3][POINT_COUNT];
static float samples[4][POINT_COUNT];

static uint64_t random_bits(uint64_t* state)
{
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// Half of the points near the shapes, on a grid that hits axes, edges and corners; a quarter close by; a quarter with any
/// bits at all: tiny, huge, infinite and no numbers.
static float random_coordinate(uint64_t* state)
{
    const uint64_t bits = random_bits(state);
    const uint32_t low = (uint32_t)bits;
    switch (bits >> 62)
    {
    case 0:
    {
        float any;
        memcpy(&any, &low, sizeof(any));
        return any;
    }
    case 1:
        return (float)((double)low * 0x1p-30 - 2.0);
    default:
        return 0.125f * (float)(low % 33u) - 2.0f;
    }
}

static void make_points(void)
{
    uint64_t state = 20260101;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < POINT_COUNT; ++i)
        {
            coordinates[axis][i] = random_coordinate(&state);
        }
    }
}

/// Processors disagree on the sign and payload of a NaN that they make, so all NaNs count as one.
static uint64_t hash_floats(const float* values, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof(bits));
        bits = isnan(values[i]) ? 0x7FC00000u : bits;
        hash = abut_hash(&bits, sizeof(bits), hash);
    }
    return hash;
}

static void print_samples(const char* name, AbutResult result, AbutShape* shape, const AbutPose* pose)
{
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s: %s\n", name, abut_last_error());
        exit(EXIT_FAILURE);
    }
    const AbutPoints points = { coordinates[0], coordinates[1], coordinates[2] };
    const AbutSamples out = { samples[0], samples[1], samples[2], samples[3] };
    abut_shape_sample(shape, pose, points, POINT_COUNT, out);
    printf("%-20s", name);
    for (int i = 0; i < 4; ++i)
    {
        printf(" %016" PRIx64, hash_floats(samples[i], POINT_COUNT));
    }
    printf("\n");
}

static void print_shape(const char* name, AbutResult result, AbutShape** shape)
{
    print_samples(name, result, *shape, NULL);
    abut_shape_destroy(*shape);
}

static void print_primitives(void)
{
    AbutShape* s = NULL;
    print_shape("sphere", abut_shape_create_sphere(0.75f, NULL, &s), &s);
    print_shape("box", abut_shape_create_box(abut_vec3(1.0f, 2.0f, 3.0f), NULL, &s), &s);
    print_shape("rounded box", abut_shape_create_rounded_box(abut_vec3(1.0f, 2.0f, 3.0f), 0.25f, NULL, &s),
                &s);
    print_shape("capsule", abut_shape_create_capsule(0.5f, 1.0f, NULL, &s), &s);
    print_shape("cylinder", abut_shape_create_cylinder(0.5f, 1.5f, NULL, &s), &s);
    print_shape("cone", abut_shape_create_cone(1.0f, 0.0f, 2.0f, NULL, &s), &s);
    print_shape("cone frustum", abut_shape_create_cone(0.5f, 1.0f, 1.0f, NULL, &s), &s);
    print_shape("torus", abut_shape_create_torus(1.0f, 0.25f, NULL, &s), &s);
    print_shape("plane", abut_shape_create_plane(abut_vec3(1.0f, 2.0f, -3.0f), 0.5f, NULL, &s), &s);
}

static void print_heightfield(void)
{
    enum
    {
        SIDE = 33
    };
    static float heights[SIDE * SIDE];
    uint64_t state = 33;
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = (float)(random_bits(&state) % 64u) / 64.0f;
    }
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = heights;
    def.x_count = SIDE;
    def.z_count = SIDE;
    def.origin = (AbutPosition){ -2.0, -0.5, -2.0 };
    def.spacing = 0.125;
    AbutShape* s = NULL;
    print_shape("heightfield", abut_shape_create_heightfield(&def, &s), &s);
}

static void print_combinations(void)
{
    AbutShape *torus = NULL, *box = NULL, *s = NULL;
    if (abut_shape_create_torus(1.0f, 0.25f, NULL, &torus) != ABUT_OK ||
        abut_shape_create_box(abut_vec3(1.0f, 1.0f, 2.0f), NULL, &box) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        exit(EXIT_FAILURE);
    }
    AbutShape* const both[] = { torus, box };
    const AbutPose pose = { { 10000.25, -0.5, 0.125 }, { 0.5f, 0.5f, -0.5f, 0.5f }, 1.5f };
    const AbutPose back = abut_pose_inverse(&pose);
    print_shape("union", abut_shape_create_union(both, 2, NULL, &s), &s);
    print_shape("intersection", abut_shape_create_intersection(both, 2, NULL, &s), &s);
    print_shape("difference", abut_shape_create_difference(torus, box, NULL, &s), &s);
    print_shape("smooth union", abut_shape_create_smooth_union(torus, box, 0.25f, NULL, &s), &s);
    print_shape("offset", abut_shape_create_offset(torus, 0.125f, NULL, &s), &s);
    print_shape("shell", abut_shape_create_shell(box, 0.0625f, NULL, &s), &s);
    print_shape("corrected", abut_shape_create_corrected(torus, 1.25f, NULL, &s), &s);
    const AbutResult placed = abut_shape_create_placed(torus, &pose, NULL, &s);
    print_samples("placed", placed, s, NULL);
    print_samples("placed and posed", placed, s, &back);
    abut_shape_destroy(s);
    abut_shape_destroy(torus);
    abut_shape_destroy(box);
}

static void print_halves(void)
{
    static uint16_t halves[HALF_COUNT];
    static float floats[HALF_COUNT];
    for (int i = 0; i < HALF_COUNT; ++i)
    {
        halves[i] = (uint16_t)i;
    }
    abut_kernels()->half_to_float(halves, HALF_COUNT, floats);
    printf("%-20s %016" PRIx64 "\n", "half to float", hash_floats(floats, HALF_COUNT));
    abut_kernels()->float_to_half(coordinates[0], HALF_COUNT, halves);
    printf("%-20s %016" PRIx64 "\n", "float to half", abut_hash(halves, sizeof(halves), 0));
}

int main(void)
{
    fprintf(stderr, "digest_shapes: %s\n", abut_simd_name());
    make_points();
    print_primitives();
    print_heightfield();
    print_combinations();
    print_halves();
    return EXIT_SUCCESS;
}
