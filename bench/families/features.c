// Walks over features against GJK: nanoseconds per state of two convex hulls, random poses and a tumbling
// pair with the cache of the last step. States must not contradict each other.
#include "families.h"

#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    POSES = 1000,
    REPEATS = 7,
    MOST_POINTS = 512
};

typedef struct HullCase
{
    uint32_t point_count;
    AbutShape *a, *b;
    AbutPose poses[POSES];
} HullCase;

static double random_unit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static double random_sign(uint64_t* state)
{
    return 2.0 * random_unit(state) - 1.0;
}

/// Points on a unit sphere: all are vertices.
static AbutResult make_hull(uint64_t* state, uint32_t count, AbutShape** out)
{
    AbutVec3 points[MOST_POINTS];
    for (uint32_t i = 0; i < count;)
    {
        float x = (float)random_sign(state);
        float y = (float)random_sign(state);
        float z = (float)random_sign(state);
        AbutVec3 p = abut_vec3(x, y, z);
        float length = abut_vec3_length(p);
        if (length > 0.1f && length < 1.0f)
        {
            points[i++] = abut_vec3_scale(p, 1.0f / length);
        }
    }
    return abut_shape_create_convex(points, count, NULL, out);
}

/// About half of the random poses overlap.
static void fill_random(HullCase* set)
{
    uint64_t state = 19;
    for (int i = 0; i < POSES; ++i)
    {
        double x = random_sign(&state);
        double y = random_sign(&state);
        double z = random_sign(&state);
        set->poses[i] = abut_pose_at(2.0 * x, 2.0 * y, 2.0 * z);
        float u = (float)random_sign(&state);
        float v = (float)random_sign(&state);
        float angle = (float)(6.0 * random_unit(&state));
        set->poses[i].rotation = abut_quat_from_axis_angle(abut_vec3(u, v, 0.5f), angle);
    }
}

/// A hull that tumbles past the other one and through its border, 0.1 % of its size and 0.3° per step.
static void fill_coherent(HullCase* set)
{
    for (int i = 0; i < POSES; ++i)
    {
        set->poses[i] = abut_pose_at(2.2 - 0.001 * i, 0.4, 0.3);
        set->poses[i].rotation = abut_quat_from_axis_angle(abut_vec3(0.6f, 0.2f, 0.8f), 0.005f * (float)i);
    }
}

static double time_states(const HullCase* set, AbutCollideMethod method, bool cached, int repeats)
{
    double times[REPEATS];
    AbutCollideCache cache = { 0 };
    AbutCollideInput input = abut_collide_input(set->a, set->b);
    input.settings.method = method;
    input.cache = cached ? &cache : NULL;
    for (int r = 0; r < repeats; ++r)
    {
        double start = bench_cpu_seconds();
        for (int i = 0; i < POSES; ++i)
        {
            input.pose_b = set->poses[i];
            AbutCollideOutput output = abut_collide(&input, NULL, 0);
            bench_consume(&output, sizeof(output));
        }
        times[r] = (bench_cpu_seconds() - start) / POSES;
    }
    return 1e9 * bench_median(times, repeats);
}

static AbutCollideState state_of(const HullCase* set, AbutCollideMethod method, int pose)
{
    AbutCollideInput input = abut_collide_input(set->a, set->b);
    input.settings.method = method;
    input.pose_b = set->poses[pose];
    return abut_collide(&input, NULL, 0).state;
}

/// No method has a proof of the opposite.
static bool agree(const HullCase* set, AbutCollideMethod method)
{
    for (int i = 0; i < POSES; ++i)
    {
        AbutCollideState mine = state_of(set, method, i), other = state_of(set, ABUT_COLLIDE_GJK, i);
        if ((mine == ABUT_COLLIDE_SEPARATED && other == ABUT_COLLIDE_CONTACT) ||
            (mine == ABUT_COLLIDE_CONTACT && other == ABUT_COLLIDE_SEPARATED))
        {
            fprintf(stderr, "abut: bench families: %u points, pose %d: %s has %s, gjk has %s\n",
                    set->point_count, i, abut_collide_method_name(method), abut_collide_state_name(mine),
                    abut_collide_state_name(other));
            return false;
        }
    }
    return true;
}

static bool run_motion(BenchReport* report, const HullCase* set, bool coherent, int repeats)
{
    static const AbutCollideMethod methods[] = { ABUT_COLLIDE_V_CLIP, ABUT_COLLIDE_LIN_CANNY };
    for (int m = 0; m < 2; ++m)
    {
        if (!agree(set, methods[m]))
        {
            return false;
        }
        double gjk = time_states(set, ABUT_COLLIDE_GJK, coherent, repeats);
        double mine = time_states(set, methods[m], coherent, repeats);
        char name[64];
        snprintf(name, sizeof(name), "%s, %u points, %s", abut_collide_method_name(methods[m]),
                 set->point_count, coherent ? "coherent" : "random");
        bench_report_row(report, name, mine, "ns", "abut's gjk", gjk, false);
    }
    return true;
}

bool family_features_run(BenchReport* report, const FamilyOptions* options)
{
    static const uint32_t counts[] = { 8, 32, 128, 512 };
    HullCase* set = malloc(sizeof(*set));
    bool good = set != NULL;
    uint64_t state = 7;
    for (int i = 0; good && i < 4; ++i)
    {
        set->point_count = counts[i];
        set->a = set->b = NULL;
        good = make_hull(&state, counts[i], &set->a) == ABUT_OK &&
               make_hull(&state, counts[i], &set->b) == ABUT_OK;
        if (!good)
        {
            fprintf(stderr, "abut: bench families: %s\n", abut_last_error());
        }
        for (int coherent = 0; good && coherent < 2; ++coherent)
        {
            (coherent != 0 ? fill_coherent : fill_random)(set);
            good = run_motion(report, set, coherent != 0, options->quick ? 1 : REPEATS);
        }
        abut_shape_destroy(set->a);
        abut_shape_destroy(set->b);
    }
    free(set);
    return good;
}
