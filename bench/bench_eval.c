// abut bench eval: evaluations per second of every primitive, per instruction set, against the scalar
// kernels.
//
// The points of a batch stay in the first-level cache, so this is the arithmetic of the kernels and not the
// memory.
#include "bench.h"

#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    POINTS = 1024,
    ROUNDS = 400, // batches per timed run
    REPEATS = 9
};

typedef struct EvalCase
{
    const char* name;
    AbutShape* shape;
} EvalCase;

typedef struct EvalRun
{
    const AbutShape* shape;
    bool gradient;
    float point[3][POINTS];
    float value[4][POINTS];
} EvalRun;

static void run_batches(void* context)
{
    EvalRun* run = context;
    AbutPoints points = { run->point[0], run->point[1], run->point[2] };
    AbutSamples samples = { .distance = run->value[0] };
    if (run->gradient)
    {
        samples = (AbutSamples){ run->value[0], run->value[1], run->value[2], run->value[3] };
    }
    for (int i = 0; i < ROUNDS; ++i)
    {
        abut_shape_sample(run->shape, NULL, points, POINTS, samples);
        bench_consume(run->value, sizeof(run->value));
    }
}

static double millions_per_second(EvalRun* run)
{
    return (double)POINTS * ROUNDS / bench_median_seconds(run_batches, run, REPEATS) * 1e-6;
}

/// The same points on every machine, within twice the size of the shapes.
static void fill_points(EvalRun* run)
{
    uint32_t state = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < POINTS; ++i)
        {
            state = state * 1664525u + 1013904223u;
            run->point[axis][i] = (float)(state >> 8) * 0x1p-23f - 1.0f;
        }
    }
}

static void measure_case(BenchReport* report, EvalRun* run, const EvalCase* eval, bool gradient)
{
    static const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    run->shape = eval->shape;
    run->gradient = gradient;
    double scalar = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        if (abut_simd_force(sets[i]) != ABUT_OK)
        {
            continue;
        }
        double rate = millions_per_second(run);
        scalar = i == 0 ? rate : scalar;
        char name[96];
        snprintf(name, sizeof(name), "%s, %s, %s", eval->name, gradient ? "with gradient" : "distance",
                 sets[i]);
        bench_report_row(report, name, rate, "M evaluations/s", i == 0 ? NULL : "scalar",
                         i == 0 ? 0.0 : scalar, true);
    }
}

static bool create_cases(EvalCase cases[9])
{
    AbutShape* union_children[2] = { NULL, NULL };
    bool ok =
        abut_shape_create_sphere(0.5f, NULL, &cases[0].shape) == ABUT_OK &&
        abut_shape_create_box(abut_vec3(1.0f, 0.7f, 0.5f), NULL, &cases[1].shape) == ABUT_OK &&
        abut_shape_create_rounded_box(abut_vec3(1.0f, 0.7f, 0.5f), 0.1f, NULL, &cases[2].shape) == ABUT_OK &&
        abut_shape_create_capsule(0.25f, 0.5f, NULL, &cases[3].shape) == ABUT_OK &&
        abut_shape_create_cylinder(0.4f, 0.8f, NULL, &cases[4].shape) == ABUT_OK &&
        abut_shape_create_cone(0.5f, 0.1f, 0.8f, NULL, &cases[5].shape) == ABUT_OK &&
        abut_shape_create_torus(0.4f, 0.15f, NULL, &cases[6].shape) == ABUT_OK &&
        abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.1f, NULL, &cases[7].shape) == ABUT_OK;
    union_children[0] = cases[0].shape;
    union_children[1] = cases[6].shape;
    return ok && abut_shape_create_union(union_children, 2, NULL, &cases[8].shape) == ABUT_OK;
}

bool bench_eval_run(BenchReport* report, int argument_count, char** arguments)
{
    (void)argument_count;
    (void)arguments;
    EvalCase cases[9] = {
        { "sphere", NULL },  { "box", NULL },      { "rounded box", NULL },
        { "capsule", NULL }, { "cylinder", NULL }, { "cone", NULL },
        { "torus", NULL },   { "plane", NULL },    { "union of two", NULL },
    };
    EvalRun* run = malloc(sizeof(EvalRun));
    bool ok = run != NULL && create_cases(cases);
    if (ok)
    {
        const char* before = abut_simd_name();
        fill_points(run);
        for (int i = 0; i < 9; ++i)
        {
            measure_case(report, run, &cases[i], true);
            measure_case(report, run, &cases[i], false);
        }
        abut_simd_force(before);
    }
    else
    {
        fprintf(stderr, "abut: bench eval: %s\n", abut_last_error());
    }
    for (int i = 0; i < 9; ++i)
    {
        abut_shape_destroy(cases[i].shape);
    }
    free(run);
    return ok;
}
