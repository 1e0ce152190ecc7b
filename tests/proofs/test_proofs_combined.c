// States and gaps of placed, united, grown, hollow and corrected shapes and of terrain are true, up to 1e7
// from the origins of placements, judged in quad precision.
#include "support/oracles/proofs.h"

#include <math.h>
#include <stdio.h>

enum
{
    CASES = 12 // per pair of kinds and wrapping
};

typedef enum Wrapping
{
    WRAP_TRANSFORMED,
    WRAP_TRANSFORMED_TWICE,
    WRAP_UNION,
    WRAP_OFFSET,
    WRAP_SHELL,
    WRAP_CORRECTED,
    WRAP_COUNT
} Wrapping;

static const char* const wrapping_names[WRAP_COUNT] = { "placed", "placed twice", "united",
                                                        "grown",  "hollow",       "corrected" };

/// What becomes of the first shape of a pair.
typedef struct Wrapped
{
    AbutShape* shape;
    ExactFrame local; // of the first primitive in the frame of the shape
    bool has_other;   // a second primitive, in a union
    ExactShape other;
    ExactFrame other_local;
    float grown; // in units of the primitive
} Wrapped;

static AbutPose random_placement(TestRandom* random, double size)
{
    AbutVec3 d = test_random_direction(random);
    double far = test_random_unit(random) < 0.5 ? pow(10.0, test_random_range(random, 0.0, 7.0)) : size;
    AbutPose pose = abut_pose_at(far * (double)d.x, far * (double)d.y, far * (double)d.z);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)pow(10.0, test_random_range(random, -2.0, 2.0));
    return pose;
}

static AbutShape* transform_shape(AbutShape* child, const AbutPose* pose)
{
    AbutShape* out = NULL;
    test_assert_result(abut_shape_create_transformed(child, pose, NULL, &out), ABUT_OK);
    abut_shape_destroy(child);
    return out;
}

/// `child` is the primitive of `shape`, and is given up.
static void unite(TestRandom* random, Wrapped* out, AbutShape* child, const ExactShape* shape)
{
    double size = exact_shape_size(shape) > 0.0 ? exact_shape_size(shape) : 1.0;
    AbutPose pose = random_placement(random, size), other_pose = pose;
    AbutVec3 d = abut_vec3_scale(test_random_direction(random), (float)(size * (double)pose.scale));
    other_pose.position.x += (double)d.x;
    other_pose.position.y += (double)d.y;
    other_pose.position.z += (double)d.z;
    out->has_other = true;
    out->other = (ExactShape){ ABUT_SHAPE_SPHERE, { (float)(0.3 * size) } };
    AbutShape* both[2] = { transform_shape(child, &pose), exact_shape_create(&out->other) };
    both[1] = transform_shape(both[1], &other_pose);
    test_assert_result(abut_shape_create_union(both, 2, NULL, &out->shape), ABUT_OK);
    abut_shape_destroy(both[0]);
    abut_shape_destroy(both[1]);
    out->local = exact_frame(&pose);
    out->other_local = exact_frame(&other_pose);
}

static Wrapped wrap(TestRandom* random, const ExactShape* shape, Wrapping wrapping)
{
    AbutPose identity = abut_pose_identity();
    Wrapped out = { .local = exact_frame(&identity) };
    AbutShape* child = exact_shape_create(shape);
    double size = exact_shape_size(shape) > 0.0 ? exact_shape_size(shape) : 1.0;
    float length = (float)(size * test_random_range(random, 0.01, 0.2));
    if (wrapping == WRAP_UNION)
    {
        unite(random, &out, child, shape);
        return out;
    }
    if (wrapping == WRAP_TRANSFORMED || wrapping == WRAP_TRANSFORMED_TWICE)
    {
        AbutPose pose = random_placement(random, size);
        out.local = exact_frame(&pose);
        out.shape = transform_shape(child, &pose);
        if (wrapping == WRAP_TRANSFORMED_TWICE)
        {
            AbutPose outer = random_placement(random, size);
            ExactFrame frame = exact_frame(&outer);
            out.local = exact_frame_multiply(&frame, &out.local);
            out.shape = transform_shape(out.shape, &outer);
        }
        return out;
    }
    out.grown = wrapping == WRAP_OFFSET ? length : wrapping == WRAP_SHELL ? 0.5f * length : 0.0f;
    AbutResult result = wrapping == WRAP_OFFSET  ? abut_shape_create_offset(child, length, NULL, &out.shape)
                        : wrapping == WRAP_SHELL ? abut_shape_create_shell(child, length, NULL, &out.shape)
                                                 : abut_shape_create_corrected(child, 3.0f, NULL, &out.shape);
    test_assert_result(result, ABUT_OK);
    abut_shape_destroy(child);
    return out;
}

static Exact wrapped_gap(const Wrapped* wrapped, const NearPair* pair, ExactVec* direction)
{
    ExactFrame outer = exact_frame(&pair->poses[0]), b = exact_frame(&pair->poses[1]);
    ExactFrame a = exact_frame_multiply(&outer, &wrapped->local);
    Exact gap = exact_gap(&pair->shapes[0], &a, &pair->shapes[1], &b, direction);
    gap -= (Exact)wrapped->grown * a.scale;
    if (wrapped->has_other)
    {
        ExactFrame other = exact_frame_multiply(&outer, &wrapped->other_local);
        ExactVec its_direction;
        Exact its_gap = exact_gap(&wrapped->other, &other, &pair->shapes[1], &b, &its_direction);
        *direction = its_gap < gap ? its_direction : *direction;
        gap = its_gap < gap ? its_gap : gap;
    }
    return gap;
}

static void shift(AbutPose* pose, ExactVec by)
{
    pose->position.x = (double)((Exact)pose->position.x + by.x[0]);
    pose->position.y = (double)((Exact)pose->position.y + by.x[1]);
    pose->position.z = (double)((Exact)pose->position.z + by.x[2]);
}

/// Poses the wrapped shape so that its primitive is where that of the pair was, but for rounding, and moves
/// the second shape until the gap is what it was.
static void repose(const Wrapped* wrapped, NearPair* pair)
{
    ExactVec direction;
    ExactFrame there = exact_frame(&pair->poses[0]);
    pair->poses[0].scale = (float)(there.scale / wrapped->local.scale);
    ExactFrame outer = exact_frame(&pair->poses[0]);
    ExactFrame now = exact_frame_multiply(&outer, &wrapped->local);
    shift(&pair->poses[0], exact_subtract(there.position, now.position));
    for (int i = 0; i < 4; ++i)
    {
        Exact gap = wrapped_gap(wrapped, pair, &direction);
        shift(&pair->poses[1], exact_scale(direction, pair->gap - gap));
    }
    pair->gap = wrapped_gap(wrapped, pair, &direction);
}

static void ask(ProofTally* tally, const NearPair* pair, const AbutShape* a, uint64_t number)
{
    AbutShape* b = exact_shape_create(&pair->shapes[1]);
    bool swapped = number % 2 == 1;
    AbutCollideInput input = swapped ? abut_collide_input(b, a) : abut_collide_input(a, b);
    NearPair asked = *pair;
    asked.poses[0] = pair->poses[swapped ? 1 : 0];
    asked.poses[1] = pair->poses[swapped ? 0 : 1];
    input.pose_a = asked.poses[0];
    input.pose_b = asked.poses[1];
    double size = pair->size / (double)input.pose_a.scale;
    input.settings.tolerance = number % 4 < 2 ? 0.0f : (float)(1e-9 * size);
    input.settings.budget = 1u << 12;
    proof_judge_collide(tally, &asked, &input);
    AbutDistanceInput distance = abut_distance_input(input.shape_a, input.shape_b);
    distance.pose_a = input.pose_a;
    distance.pose_b = input.pose_b;
    distance.budget = 1u << 12;
    proof_judge_distance(tally, &asked, &distance);
    abut_shape_destroy(b);
}

static uint64_t run_wrapping(AbutShapeKind kind, AbutShapeKind with, Wrapping wrapping)
{
    ProofTally tally = { 0 };
    TestRandom random = proof_random(1000u * (uint64_t)kind + 10u * (uint64_t)with + (uint64_t)wrapping);
    uint64_t count = proof_case_count(CASES);
    for (uint64_t i = 0; i < count; ++i)
    {
        NearPair pair = near_pair_make(&random, kind, with, (NearStyle)(i % 3));
        Wrapped wrapped = wrap(&random, &pair.shapes[0], wrapping);
        repose(&wrapped, &pair);
        ask(&tally, &pair, wrapped.shape, i);
        abut_shape_destroy(wrapped.shape);
    }
    char text[64];
    snprintf(text, sizeof(text), "%s %s-%s", wrapping_names[wrapping], abut_shape_kind_name(kind),
             abut_shape_kind_name(with));
    proof_print(&tally, text);
    return proof_false_count(&tally);
}

static void run_all(Wrapping wrapping)
{
    uint64_t wrong = 0;
    static const AbutShapeKind with[3] = { ABUT_SHAPE_SPHERE, ABUT_SHAPE_BOX, ABUT_SHAPE_CAPSULE };
    for (int kind = ABUT_SHAPE_SPHERE; kind <= ABUT_SHAPE_PLANE; ++kind)
    {
        for (int i = 0; i < 3; ++i)
        {
            if (exact_pair_is_known((AbutShapeKind)kind, with[i]))
            {
                wrong += run_wrapping((AbutShapeKind)kind, with[i], wrapping);
            }
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_transformed_shapes_have_true_results(void** state)
{
    (void)state;
    run_all(WRAP_TRANSFORMED);
    run_all(WRAP_TRANSFORMED_TWICE);
}

static void test_unions_are_answered_truly(void** state)
{
    (void)state;
    run_all(WRAP_UNION);
}

static void test_grown_and_hollow_shapes_are_answered_truly(void** state)
{
    (void)state;
    run_all(WRAP_OFFSET);
    run_all(WRAP_SHELL);
    run_all(WRAP_CORRECTED);
}

/// A plane of dyadic slopes, whose heights are exact in float.
static AbutShape* make_terrain(TestRandom* random, ExactShape* plane, AbutPose* local)
{
    enum
    {
        SIDE = 33
    };
    float heights[SIDE * SIDE];
    AbutHeightfieldDef def = abut_heightfield_def();
    float slope_x = (float)((int)(test_random_bits(random) % 9) - 4) / 8.0f;
    float slope_z = (float)((int)(test_random_bits(random) % 9) - 4) / 8.0f;
    double far = pow(10.0, test_random_range(random, 0.0, 7.0));
    AbutVec3 d = test_random_direction(random);
    def.spacing = ldexp(1.0, (int)(test_random_bits(random) % 12) - 6);
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        int x = i % SIDE - SIDE / 2, z = i / SIDE - SIDE / 2; // the origin is in the middle of the rectangle
        heights[i] = (float)def.spacing * (slope_x * (float)x + slope_z * (float)z);
    }
    AbutPosition middle = { far * (double)d.x, far * (double)d.y, far * (double)d.z };
    def.heights = heights;
    def.x_count = def.z_count = SIDE;
    def.origin =
        (AbutPosition){ middle.x - SIDE / 2 * def.spacing, middle.y, middle.z - SIDE / 2 * def.spacing };
    *local =
        abut_pose_at(def.origin.x + SIDE / 2 * def.spacing, middle.y, def.origin.z + SIDE / 2 * def.spacing);
    *plane = (ExactShape){ ABUT_SHAPE_PLANE, { -slope_x, 1.0f, -slope_z } };
    AbutShape* out = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &out), ABUT_OK);
    return out;
}

static void run_terrain(AbutShapeKind with)
{
    ProofTally tally = { 0 };
    TestRandom random = proof_random(7u + (uint64_t)with);
    uint64_t count = proof_case_count(CASES * 8);
    for (uint64_t i = 0; i < count; ++i)
    {
        NearPair pair = near_pair_make(&random, ABUT_SHAPE_SPHERE, with, NEAR_EQUAL);
        AbutPose local;
        Wrapped wrapped = { .shape = make_terrain(&random, &pair.shapes[0], &local) };
        wrapped.local = exact_frame(&local);
        double spacing = exact_shape_size(&pair.shapes[1]) * (double)pair.poses[1].scale;
        pair.poses[0] = abut_pose_identity();
        pair.poses[0].rotation = test_random_rotation(&random);
        pair.poses[0].scale = (float)(spacing * test_random_range(&random, 0.1, 10.0));
        pair.poses[0].scale =
            fmaxf(pair.poses[0].scale, (float)(spacing * 64.0)); // well within the rectangle
        ExactFrame outer = exact_frame(&pair.poses[0]);
        ExactVec middle = exact_frame_apply(&outer, wrapped.local.position), direction;
        pair.poses[1].position =
            (AbutPosition){ (double)middle.x[0], (double)middle.x[1], (double)middle.x[2] };
        Exact gap = wrapped_gap(&wrapped, &pair, &direction);
        shift(&pair.poses[1], exact_scale(direction, pair.gap - gap));
        pair.gap = wrapped_gap(&wrapped, &pair, &direction);
        ask(&tally, &pair, wrapped.shape, i);
        abut_shape_destroy(wrapped.shape);
    }
    proof_print(&tally, "terrain");
    assert_int_equal(proof_false_count(&tally), 0);
}

static void test_terrain_is_answered_truly(void** state)
{
    (void)state;
    run_terrain(ABUT_SHAPE_SPHERE);
    run_terrain(ABUT_SHAPE_BOX);
    run_terrain(ABUT_SHAPE_CAPSULE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transformed_shapes_have_true_results),
        cmocka_unit_test(test_unions_are_answered_truly),
        cmocka_unit_test(test_grown_and_hollow_shapes_are_answered_truly),
        cmocka_unit_test(test_terrain_is_answered_truly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
