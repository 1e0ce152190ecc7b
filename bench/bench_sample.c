// abut bench sample: samples per second of baked fields on one thread, in every format, dense and sparse,
// against a plain loop of gathers over a bare grid of floats (the limit) and against OpenVDB.
//
// The limit has two forms, of which the faster counts. All do the same work on the same points: coordinates
// of the world in, distances (and gradients) out. Runs take turns, so that a busy machine slows all of them
// alike; times are those of the thread.
#include "bench.h"
#include "sample_limit.h"

#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    POINTS = 1 << 18,
    REPEATS = 7,
    FIELDS = 6 // three formats, dense and sparse
};

typedef struct SampleBench
{
    BenchReport* report;
    AbutShape* fields[FIELDS];
    SampleGrid grid;
    float* values; // of the grid
    VdbSampler* vdb;
    float* point[3];
    float* value[4];
    uint32_t resolution;
} SampleBench;

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// -----------------------------------------------------------------------------------------------------------
// What is sampled
// -----------------------------------------------------------------------------------------------------------

static const float HALF_BOX = 1.0f;

/// The values of the grid are those of the field at its nodes.
static bool fill_grid(SampleBench* self)
{
    const uint32_t side = self->resolution + 1;
    const float cell = 2.0f * HALF_BOX / (float)self->resolution;
    const size_t slab = (size_t)side * side;
    // From where fields have their memory, so that neither has the better pages.
    self->values = abut_host_default().allocate(NULL, slab * side * sizeof(float), 64);
    float* at[3] = { malloc(slab * sizeof(float)), malloc(slab * sizeof(float)),
                     malloc(slab * sizeof(float)) };
    bool ok = self->values != NULL && at[0] != NULL && at[1] != NULL && at[2] != NULL;
    for (uint32_t z = 0; z < side && ok; ++z)
    {
        for (size_t i = 0; i < slab; ++i)
        {
            at[0][i] = (float)(i % side) * cell - HALF_BOX;
            at[1][i] = (float)(i / side) * cell - HALF_BOX;
            at[2][i] = (float)z * cell - HALF_BOX;
        }
        abut_shape_sample(self->fields[0], NULL, (AbutPoints){ at[0], at[1], at[2] }, slab,
                          (AbutSamples){ .distance = self->values + z * slab });
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        free(at[axis]);
    }
    self->grid = (SampleGrid){ self->values,
                               (int)self->resolution,
                               { -HALF_BOX, -HALF_BOX, -HALF_BOX },
                               (float)self->resolution / (2.0f * HALF_BOX) };
    return ok;
}

static bool bake_fields(SampleBench* self, const AbutShape* shape)
{
    for (int i = 0; i < FIELDS; ++i)
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = self->resolution;
        def.box =
            abut_box(abut_vec3(-HALF_BOX, -HALF_BOX, -HALF_BOX), abut_vec3(HALF_BOX, HALF_BOX, HALF_BOX));
        def.format = (AbutFieldFormat)(i / 2);
        def.sparse = i % 2 == 1;
        if (abut_bake_shape(&def, shape, &self->fields[i]) != ABUT_OK)
        {
            fprintf(stderr, "abut: bench sample: %s\n", abut_last_error());
            return false;
        }
    }
    return true;
}

static float random_unit(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f;
}

/// Random: anywhere in the box. Rows: along x, 0.7 cells apart, as a slice or a walk along a ray takes them.
static void fill_points(SampleBench* self, bool random)
{
    uint32_t state = 1;
    const float step = 0.7f * 2.0f * HALF_BOX / (float)self->resolution;
    float row[3] = { 0 };
    for (size_t i = 0; i < POINTS; ++i)
    {
        bool next = random || i == 0 || row[0] + step > HALF_BOX;
        for (int axis = 0; axis < 3; ++axis)
        {
            float fresh = (2.0f * random_unit(&state) - 1.0f) * HALF_BOX;
            row[axis] = next ? fresh : row[axis];
        }
        row[0] = random ? row[0] : (next ? -HALF_BOX : row[0] + step);
        for (int axis = 0; axis < 3; ++axis)
        {
            self->point[axis][i] = row[axis];
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Runs
// -----------------------------------------------------------------------------------------------------------

/// Who samples: a field by its number, the limit or OpenVDB.
enum
{
    RUN_LIMIT = FIELDS,
    RUN_LIMIT_PAIRS, // the limit is the faster of the two
    RUN_VDB,
    RUNS
};

static bool run_once(SampleBench* self, int who, bool gradient)
{
    SamplePoints points = { self->point[0], self->point[1], self->point[2], POINTS };
    if (who == RUN_VDB)
    {
        vdb_sampler_run(self->vdb, &self->grid, points, self->value[0]);
        return true;
    }
    if (who >= RUN_LIMIT)
    {
        SampleOutput out = { self->value[0], { NULL, NULL, NULL } };
        for (int axis = 0; axis < 3 && gradient; ++axis)
        {
            out.gradient[axis] = self->value[1 + axis];
        }
        return sample_limit_run(&self->grid, points, out, who == RUN_LIMIT_PAIRS);
    }
    AbutSamples out = { .distance = self->value[0] };
    if (gradient)
    {
        out = (AbutSamples){ self->value[0], self->value[1], self->value[2], self->value[3] };
    }
    abut_shape_sample(self->fields[who], NULL, (AbutPoints){ points.x, points.y, points.z }, POINTS, out);
    return true;
}

/// Peers must give the answers of the field with the nodes of the grid, up to rounding.
static bool check_answers(SampleBench* self)
{
    float* expected = malloc(POINTS * sizeof(float));
    bool ok = expected != NULL && run_once(self, 0, false);
    if (ok)
    {
        memcpy(expected, self->value[0], POINTS * sizeof(float));
    }
    for (int who = RUN_LIMIT; who < RUNS && ok; ++who)
    {
        bool ran = (who != RUN_VDB || self->vdb != NULL) && run_once(self, who, false);
        for (size_t i = 0; i < POINTS && ran && ok; ++i)
        {
            ok = fabsf(self->value[0][i] - expected[i]) < 1e-5f;
        }
    }
    if (!ok)
    {
        fprintf(stderr, "abut: bench sample: a peer and abut do not give the same distances\n");
    }
    free(expected);
    return ok;
}

/// Median rates in million samples per second; 0 for what cannot run.
static void measure_rates(SampleBench* self, bool gradient, double rates[RUNS])
{
    double times[RUNS][REPEATS];
    bool runs[RUNS];
    for (int who = 0; who < RUNS; ++who)
    {
        runs[who] = (who != RUN_VDB || (self->vdb != NULL && !gradient)) && run_once(self, who, gradient);
    }
    for (int repeat = 0; repeat < REPEATS; ++repeat)
    {
        for (int who = 0; who < RUNS; ++who)
        {
            bool ran = runs[who] && run_once(self, who, gradient); // brings its own nodes into the cache
            double start = thread_seconds();
            ran = ran && run_once(self, who, gradient);
            times[who][repeat] = ran ? thread_seconds() - start : INFINITY;
            bench_consume(self->value[0], POINTS * sizeof(float));
        }
    }
    for (int who = 0; who < RUNS; ++who)
    {
        qsort(times[who], REPEATS, sizeof(double), compare_doubles);
        rates[who] = POINTS / times[who][REPEATS / 2] * 1e-6;
    }
}

static void report_rates(SampleBench* self, const char* points, bool gradient)
{
    static const char* const formats[FIELDS] = { "f32",        "f32 sparse", "f16",
                                                 "f16 sparse", "order 1",    "order 1 sparse" };
    double rates[RUNS];
    char name[64];
    measure_rates(self, gradient, rates);
    const double limit = fmax(rates[RUN_LIMIT], rates[RUN_LIMIT_PAIRS]);
    for (int i = 0; i < FIELDS; ++i)
    {
        snprintf(name, sizeof(name), "%u^3 %s, %s, %s", self->resolution, points,
                 gradient ? "with gradient" : "distance", formats[i]);
        bench_report_row(self->report, name, rates[i], "M samples/s",
                         limit > 0.0 ? "plain gather loop" : NULL, limit, true);
        if (rates[RUN_VDB] > 0.0)
        {
            bench_report_row(self->report, name, rates[i], "M samples/s", "OpenVDB BoxSampler",
                             rates[RUN_VDB], true);
        }
    }
}

static bool measure_resolution(SampleBench* self, const AbutShape* shape)
{
    bool ok = bake_fields(self, shape) && fill_grid(self);
    self->vdb = ok ? vdb_sampler_create(&self->grid) : NULL;
    for (int i = 0; i < 4 && ok; ++i)
    {
        fill_points(self, i < 2);
        ok = check_answers(self);
        if (ok)
        {
            report_rates(self, i < 2 ? "random" : "rows", i % 2 == 1);
        }
    }
    vdb_sampler_destroy(self->vdb);
    abut_host_default().free(NULL, self->values, 0);
    for (int i = 0; i < FIELDS; ++i)
    {
        abut_shape_destroy(self->fields[i]);
        self->fields[i] = NULL;
    }
    return ok;
}

bool bench_sample_run(BenchReport* report, int argument_count, char** arguments)
{
    SampleBench self = { .report = report };
    AbutShape* shape = NULL;
    float* memory = malloc(7 * POINTS * sizeof(float));
    bool ok = memory != NULL && abut_shape_create_torus(0.6f, 0.25f, NULL, &shape) == ABUT_OK;
    for (int i = 0; i < 7 && ok; ++i)
    {
        *(i < 3 ? &self.point[i] : &self.value[i - 3]) = memory + (size_t)i * POINTS;
    }
    const uint32_t only = argument_count > 0 ? (uint32_t)strtoul(arguments[0], NULL, 10) / 8 * 8 : 0;
    if (ok && argument_count > 0 && (only < 8 || only > 512))
    {
        fprintf(stderr, "abut: bench sample: a resolution from 8 to 512, not \"%s\"\n", arguments[0]);
        ok = false;
    }
    for (self.resolution = only > 0 ? only : 128; ok && self.resolution <= (only > 0 ? only : 256);
         self.resolution *= 2)
    {
        ok = measure_resolution(&self, shape);
    }
    abut_shape_destroy(shape);
    free(memory);
    return ok;
}
