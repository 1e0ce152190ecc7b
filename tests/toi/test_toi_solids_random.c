// Random motions of two turning bodies, against the true gap over time in double: no touch is missed and none
// is late.
#include "support/support.h"

#include "scenes/closed_forms.h"
#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>

enum
{
    CASES = 60,
    MOST_COMPLAINTS = 5,
    MOST_STEPS = 200000
};

static const double PI = 3.141592653589793;

/// Motions per kind of pair: `make soak` sets ABUT_TEST_MOTIONS to many more.
static uint64_t case_count(void)
{
    return (uint64_t)test_count("ABUT_TEST_MOTIONS", CASES);
}

typedef enum PairKind
{
    SPHERE_BOX,
    BOX_BOX,
    BOX_CAPSULE,
    RINGS,
    BOX_PLANE
} PairKind;

/// Half sides of boxes; of the other shapes: radius, length, and so on.
typedef struct Pair
{
    PairKind kind;
    const char* name;
    bool fields; // both are baked
    Double3 half_a, half_b;
    double radius, length; // of spheres, capsules; of rings: major and minor radius
    AbutShape* shapes[2];
    double reach; // of either from its origin
} Pair;

// -----------------------------------------------------------------------------------------------------------
// The truth
// -----------------------------------------------------------------------------------------------------------

/// Where a body is at a time, from the definition of its motion.
static SceneRigid rigid_at(const AbutPose* pose, const AbutMotion* motion, double time)
{
    double m[3][3];
    abut_quat_to_matrix(pose->rotation, m);
    Double3 omega = double3_of(motion->angular), center = double3_of(motion->center);
    double rate = double3_length(omega), c = cos(rate * time), s = sin(rate * time);
    Double3 axis = rate > 0.0 ? double3_scale(omega, 1.0 / rate) : double3(1.0, 0.0, 0.0);
    SceneRigid rigid;
    Double3 start = double3(pose->position.x, pose->position.y, pose->position.z);
    for (int i = 0; i < 3; ++i)
    {
        Double3 v = double3(m[0][i], m[1][i], m[2][i]);
        Double3 across = double3_scale(double3_cross(axis, v), s);
        Double3 along = double3_scale(axis, double3_dot(axis, v) * (1.0 - c));
        rigid.axes[i] = double3_add(double3_add(double3_scale(v, c), across), along);
        start = double3_add(start, double3_scale(v, i == 0 ? center.x : i == 1 ? center.y : center.z));
    }
    Double3 moved = double3_add(start, double3_scale(double3_of(motion->linear), time));
    rigid.origin = double3_sub(moved, scene_rigid_rotate(&rigid, center));
    return rigid;
}

/// b as seen from a.
static SceneRigid relative(const SceneRigid* a, const SceneRigid* b)
{
    SceneRigid out;
    out.origin = scene_rigid_inverse_point(a, b->origin);
    for (int i = 0; i < 3; ++i)
    {
        out.axes[i] = double3(double3_dot(a->axes[0], b->axes[i]), double3_dot(a->axes[1], b->axes[i]),
                              double3_dot(a->axes[2], b->axes[i]));
    }
    return out;
}

static double box_plane_gap(Double3 half, const SceneRigid* plane)
{
    // The plane's solid is y ≤ 0 in its frame.
    Double3 n = plane->axes[1];
    double middle = -double3_dot(n, plane->origin);
    return middle - (half.x * fabs(n.x) + half.y * fabs(n.y) + half.z * fabs(n.z));
}

static double true_gap(const Pair* pair, const AbutToiInput* input, double time)
{
    SceneRigid a = rigid_at(&input->pose_a, &input->motion_a, time);
    SceneRigid b = rigid_at(&input->pose_b, &input->motion_b, time);
    SceneRigid seen = relative(&a, &b);
    switch (pair->kind)
    {
    case SPHERE_BOX:
        return scene_box_distance(pair->half_a, seen.origin) - pair->radius;
    case BOX_BOX:
        return scene_box_box_gap(pair->half_a, pair->half_b, &seen);
    case BOX_CAPSULE:
        return scene_box_capsule_gap(pair->half_a, pair->radius, pair->length, &seen);
    case RINGS:
        return scene_circle_circle_distance(pair->radius, &seen) - 2.0 * pair->length;
    case BOX_PLANE:
        break;
    }
    return box_plane_gap(pair->half_a, &seen);
}

/// The first time at which they touch, in steps that cannot pass one; 2 when there is none. `nearest` is the
/// least gap before it.
static double true_touch(const Pair* pair, const AbutToiInput* input, double* nearest)
{
    double speed = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        const AbutMotion* motion = side == 0 ? &input->motion_a : &input->motion_b;
        double arm = pair->reach + double3_length(double3_of(motion->center));
        // All that comes near the other body is within reach of this one, also of a plane.
        arm = pair->kind == BOX_PLANE && side == 1 ? 12.0 : arm;
        speed +=
            double3_length(double3_of(motion->linear)) + double3_length(double3_of(motion->angular)) * arm;
    }
    *nearest = INFINITY;
    double time = 0.0;
    for (int i = 0; i < MOST_STEPS && time <= 1.0; ++i)
    {
        double gap = true_gap(pair, input, time);
        *nearest = fmin(*nearest, gap);
        if (gap <= 0.0)
        {
            return time;
        }
        time = time < 1.0 ? fmin(1.0, time + fmax(gap / speed, 2e-5)) : 2.0;
    }
    return 2.0;
}

// -----------------------------------------------------------------------------------------------------------
// Cases
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 vec3_of(Double3 v)
{
    return abut_vec3((float)v.x, (float)v.y, (float)v.z);
}

static AbutMotion random_motion(SceneRandom* random)
{
    AbutMotion motion;
    motion.linear = vec3_of(scene_random_vector(random, 0.0, 1.0));
    motion.angular = vec3_of(scene_random_vector(random, 0.0, PI));
    motion.center = vec3_of(scene_random_vector(random, 0.0, 0.5));
    return motion;
}

static AbutPose random_pose(SceneRandom* random, double from, double to)
{
    Double3 at = scene_random_vector(random, from, to);
    AbutPose pose = abut_pose_at(at.x, at.y, at.z);
    pose.rotation = scene_random_rotation(random);
    return pose;
}

/// Most of them meet.
static AbutToiInput random_input(const Pair* pair, uint64_t number)
{
    SceneRandom random = { number * 977 + (uint64_t)pair->kind };
    AbutToiInput input = abut_toi_input(pair->shapes[0], pair->shapes[1]);
    input.pose_a = random_pose(&random, 0.0, 1.0);
    input.pose_b = random_pose(&random, 1.0, 3.0);
    input.motion_a = random_motion(&random);
    input.motion_b = random_motion(&random);
    double displacement = scene_random_range(&random, 0.0, 2.0);
    AbutPosition a = input.pose_a.position, b = input.pose_b.position;
    AbutVec3 towards = vec3_of(double3_scale(double3(a.x - b.x, a.y - b.y, a.z - b.z), displacement));
    input.motion_b.linear = abut_vec3_add(input.motion_b.linear, towards);
    if (pair->kind == BOX_PLANE) // its solid looks away from the box
    {
        AbutVec3 n = abut_quat_rotate(input.pose_b.rotation, abut_vec3(0.0f, 1.0f, 0.0f));
        double height = scene_random_range(&random, 0.5, 1.5);
        input.pose_b.position = (AbutPosition){ a.x - height * (double)n.x, a.y - height * (double)n.y,
                                                a.z - height * (double)n.z };
        input.motion_b.linear = abut_vec3_scale(n, (float)scene_random_range(&random, 0.0, 1.5));
    }
    return input;
}

typedef struct Tally
{
    uint64_t hits, misses, overlaps, budgets, touches, near, wrong, proved, evaluations;
    uint64_t gaps; // of misses that are over 0
    double kept;   // part of the true ones, sum over misses
    double early, worst, bracket;
} Tally;

/// What is wrong with an answer, or NULL.
static const char* judge(const Pair* pair, const AbutToiInput* input, const AbutToiOutput* output,
                         Tally* tally)
{
    double nearest, touch = true_touch(pair, input, &nearest);
    const double rounding = 2e-6; // of motions and shapes in float, in time
    bool touches = touch <= 1.0;
    tally->touches += touches ? 1 : 0;
    if (touches && output->state == ABUT_TOI_MISS)
    {
        return "missed";
    }
    if (output->state == ABUT_TOI_MISS && (double)output->gap > nearest + 1e-5)
    {
        return "the gap of a miss is smaller";
    }
    tally->gaps += output->state == ABUT_TOI_MISS && output->gap > 0.0f ? 1 : 0;
    tally->kept += output->state == ABUT_TOI_MISS ? (double)output->gap / nearest : 0.0;
    if (touches && (double)output->time > touch + rounding)
    {
        return "late";
    }
    if (output->touch_proved && (!touches || (double)output->touch_time < touch - 2e-5 - rounding))
    {
        return "proved too early";
    }
    if (output->state == ABUT_TOI_HIT && !touches)
    {
        tally->near += 1;
        double gap = true_gap(pair, input, (double)output->time);
        return gap > (pair->fields ? 2e-2 : 2e-3) ? "a hit of bodies that are apart" : NULL;
    }
    if (output->state == ABUT_TOI_HIT &&
        true_gap(pair, input, (double)output->time) > (double)output->gap + 1e-5)
    {
        return "the gap is larger";
    }
    if (output->state == ABUT_TOI_HIT)
    {
        double early = touch - (double)output->time;
        tally->early += early;
        tally->worst = fmax(tally->worst, early);
        tally->proved += output->touch_proved ? 1 : 0;
        tally->bracket += output->touch_proved ? (double)(output->touch_time - output->time) : 0.0;
    }
    return output->state == ABUT_TOI_OVERLAP && touch > 0.0 ? "no overlap" : NULL;
}

static void run_case(const Pair* pair, uint64_t number, Tally* tally)
{
    AbutToiInput input = random_input(pair, number);
    AbutToiOutput output = abut_time_of_impact(&input);
    tally->hits += output.state == ABUT_TOI_HIT ? 1 : 0;
    tally->misses += output.state == ABUT_TOI_MISS ? 1 : 0;
    tally->overlaps += output.state == ABUT_TOI_OVERLAP ? 1 : 0;
    tally->budgets += output.state == ABUT_TOI_BUDGET ? 1 : 0;
    tally->evaluations += output.evaluations;
    const char* wrong = judge(pair, &input, &output, tally);
    if (wrong != NULL && tally->wrong++ < MOST_COMPLAINTS)
    {
        double nearest, touch = true_touch(pair, &input, &nearest);
        print_message("%s %llu: %s: %s at %.7f (touch %d at %.7f, gap %g), truth %.7f, nearest %g\n",
                      pair->name, (unsigned long long)number, wrong, abut_toi_state_name(output.state),
                      (double)output.time, output.touch_proved, (double)output.touch_time, (double)output.gap,
                      touch, nearest);
    }
}

static void bake(AbutShape** shape)
{
    AbutBakeDef def = abut_bake_def();
    AbutShape* field = NULL;
    def.resolution = 48;
    test_assert_result(abut_bake_shape(&def, *shape, &field), ABUT_OK);
    abut_shape_destroy(*shape);
    *shape = field;
}

static void make_shapes(Pair* pair)
{
    float r = (float)pair->radius, l = (float)pair->length;
    AbutVec3 a = vec3_of(double3_scale(pair->half_a, 2.0)), b = vec3_of(double3_scale(pair->half_b, 2.0));
    bool ring = pair->kind == RINGS;
    test_assert_result(ring ? abut_shape_create_torus(r, l, NULL, &pair->shapes[0])
                            : abut_shape_create_box(a, NULL, &pair->shapes[0]),
                       ABUT_OK);
    AbutResult result = ABUT_OK;
    switch (pair->kind)
    {
    case SPHERE_BOX:
        result = abut_shape_create_sphere(r, NULL, &pair->shapes[1]);
        break;
    case BOX_BOX:
        result = abut_shape_create_box(b, NULL, &pair->shapes[1]);
        break;
    case BOX_CAPSULE:
        result = abut_shape_create_capsule(r, l, NULL, &pair->shapes[1]);
        break;
    case RINGS:
        result = abut_shape_create_torus(r, l, NULL, &pair->shapes[1]);
        break;
    case BOX_PLANE:
        result = abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &pair->shapes[1]);
        break;
    }
    test_assert_result(result, ABUT_OK);
    for (int side = 0; side < 2 && pair->fields; ++side)
    {
        bake(&pair->shapes[side]);
    }
}

static void check_pair(Pair pair)
{
    Tally tally = { 0 };
    uint64_t count = case_count();
    make_shapes(&pair);
    for (uint64_t i = 0; i < count; ++i)
    {
        run_case(&pair, i, &tally);
    }
    double hits = tally.hits > tally.near ? (double)(tally.hits - tally.near) : 1.0;
    print_message("%s: of %llu, %llu touch; %llu hits (%llu of bodies that just pass, %llu proved within "
                  "%.2g), %llu misses (%llu with a gap, %.2g of the true one), %llu overlaps, "
                  "%llu budget; early by %.2g, at most %.2g; %.0f evaluations\n",
                  pair.name, (unsigned long long)count, (unsigned long long)tally.touches,
                  (unsigned long long)tally.hits, (unsigned long long)tally.near,
                  (unsigned long long)tally.proved, tally.bracket / fmax(1.0, (double)tally.proved),
                  (unsigned long long)tally.misses, (unsigned long long)tally.gaps,
                  tally.kept / fmax(1.0, (double)tally.misses), (unsigned long long)tally.overlaps,
                  (unsigned long long)tally.budgets, tally.early / hits, tally.worst,
                  (double)tally.evaluations / (double)count);
    abut_shape_destroy(pair.shapes[0]);
    abut_shape_destroy(pair.shapes[1]);
    assert_int_equal(tally.wrong, 0);
    assert_int_equal(tally.budgets, 0);
}

static Pair make_pair(PairKind kind, const char* name, double radius, double length)
{
    Pair pair = { .kind = kind, .name = name, .radius = radius, .length = length, .reach = 0.8 };
    pair.half_a = double3(0.5, 0.3, 0.4);
    pair.half_b = double3(0.2, 0.6, 0.01);
    return pair;
}

static void test_a_sphere_and_a_box_are_never_late(void** state)
{
    (void)state;
    check_pair(make_pair(SPHERE_BOX, "sphere and box", 0.35, 0.0));
}

static void test_a_plate_and_a_box_are_never_late(void** state)
{
    (void)state;
    check_pair(make_pair(BOX_BOX, "plate and box", 0.0, 0.0));
}

static void test_a_box_and_a_capsule_are_never_late(void** state)
{
    (void)state;
    check_pair(make_pair(BOX_CAPSULE, "box and capsule", 0.1, 1.0));
}

static void test_rings_are_never_late(void** state)
{
    (void)state;
    check_pair(make_pair(RINGS, "rings", 0.6, 0.1));
}

static void test_a_box_and_a_moving_half_space_are_never_late(void** state)
{
    (void)state;
    check_pair(make_pair(BOX_PLANE, "box and half-space", 0.0, 0.0));
}

static void test_fields_of_boxes_are_never_late(void** state)
{
    (void)state;
    Pair pair = make_pair(BOX_BOX, "fields of boxes", 0.0, 0.0);
    pair.half_b.z = 0.1;
    pair.fields = true;
    check_pair(pair);
}

static void test_fields_of_rings_are_never_late(void** state)
{
    (void)state;
    Pair pair = make_pair(RINGS, "fields of rings", 0.6, 0.1);
    pair.fields = true;
    check_pair(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sphere_and_a_box_are_never_late),
        cmocka_unit_test(test_a_plate_and_a_box_are_never_late),
        cmocka_unit_test(test_a_box_and_a_capsule_are_never_late),
        cmocka_unit_test(test_rings_are_never_late),
        cmocka_unit_test(test_a_box_and_a_moving_half_space_are_never_late),
        cmocka_unit_test(test_fields_of_boxes_are_never_late),
        cmocka_unit_test(test_fields_of_rings_are_never_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
