// abut bench throw [quick] [bunny|nut]: bodies that move further than they are long, against FCL's
// conservative advancement.
#include "throw_cases.h"

#include <stdio.h>
#include <string.h>

enum
{
    THROWS = 100,
    QUICK_THROWS = 20,
    PEER_THROWS = 10, // of a peer that takes 30 ms each, when it is quick
    REPEATS = 5,
    MODE_COUNT = 2
};

/// Body lengths per step.
static const double lengths[] = { 0.5, 1.0, 2.0, 5.0, 10.0 };

typedef struct ThrowBench
{
    BenchReport* report;
    bool quick, bunny, nut;
    bool wrong; // a touch was missed or late
} ThrowBench;

typedef struct Tally
{
    int certain, found, late, budget;
    double early; // sum
    double microseconds;
} Tally;

static AbutToiInput make_input(const ThrowModel* model, const Throw* item, AbutToiMethod method)
{
    AbutToiInput input = abut_toi_input(model->plate, model->body.field_a);
    input.points_b = method == ABUT_TOI_POINTS ? model->points : NULL;
    input.pose_b = item->pose;
    input.motion_b = item->motion;
    input.settings.method = method;
    return input;
}

static Tally run_ours(const ThrowModel* model, const Throw* throws, int count, AbutToiMethod method)
{
    Tally tally = { 0 };
    double best = 1e30;
    for (int repeat = 0; repeat < REPEATS; ++repeat)
    {
        tally = (Tally){ 0 };
        double start = bench_cpu_seconds();
        for (int i = 0; i < count; ++i)
        {
            AbutToiInput input = make_input(model, &throws[i], method);
            AbutToiOutput output = abut_time_of_impact(&input);
            bool certain = throws[i].touch <= 1.0;
            bool found = output.state == ABUT_TOI_HIT;
            tally.certain += certain ? 1 : 0;
            tally.found += certain && found ? 1 : 0;
            // The truth of what turns is looked at in steps, and vertices in float.
            tally.late += certain && found && (double)output.time > throws[i].touch + 1e-5 ? 1 : 0;
            tally.budget += output.state == ABUT_TOI_BUDGET ? 1 : 0;
            tally.early += certain && found ? throws[i].touch - (double)output.time : 0.0;
        }
        double seconds = bench_cpu_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    tally.microseconds = 1e6 * best / count;
    return tally;
}

static Tally run_peer(const BenchThrower* thrower, void* pair, const Throw* throws, int count, bool rotates)
{
    Tally tally = { 0 };
    double start = bench_cpu_seconds();
    for (int i = 0; i < count; ++i)
    {
        AbutPose end = abut_motion_pose(&throws[i].pose, &throws[i].motion, 1.0f);
        double time = 1.0;
        bool found = thrower->first_touch(pair, &throws[i].pose, &end, rotates, &time);
        bool certain = throws[i].touch <= 1.0;
        tally.certain += certain ? 1 : 0;
        tally.found += certain && found ? 1 : 0;
        tally.late += certain && found && time > throws[i].touch + 1e-3 ? 1 : 0;
    }
    tally.microseconds = 1e6 * (bench_cpu_seconds() - start) / count;
    return tally;
}

static void report(ThrowBench* bench, const ThrowModel* model, double length, bool rotates,
                   const Throw* throws, int count, void* pair)
{
    static const char* const names[MODE_COUNT] = { "shapes", "points" };
    const BenchThrower* thrower = bench_thrower();
    int peer_count = bench->quick && count > PEER_THROWS ? PEER_THROWS : count;
    Tally peer = pair != NULL ? run_peer(thrower, pair, throws, peer_count, rotates) : (Tally){ 0 };
    for (int mode = 0; mode < MODE_COUNT; ++mode)
    {
        Tally tally = run_ours(model, throws, count, mode == 0 ? ABUT_TOI_SOLIDS : ABUT_TOI_POINTS);
        char row[64];
        const char* suffix = rotates ? ", spinning" : "";
        snprintf(row, sizeof(row), "%s, k = %g%s, %s: found", model->body.name, length, suffix, names[mode]);
        double percent = peer.certain > 0 ? 100.0 * peer.found / peer.certain : 0.0;
        bench_report_row(bench->report, row, tally.certain > 0 ? 100.0 * tally.found / tally.certain : 100.0,
                         "%", pair != NULL ? thrower->name : NULL, percent, true);
        snprintf(row, sizeof(row), "%s, k = %g%s, %s: time", model->body.name, length, suffix, names[mode]);
        bench_report_row(bench->report, row, tally.microseconds, "us/query",
                         pair != NULL ? thrower->name : NULL, peer.microseconds, false);
        snprintf(row, sizeof(row), "%s, k = %g%s, %s: early by", model->body.name, length, suffix,
                 names[mode]);
        bench_report_row(bench->report, row, 100.0 * tally.early / (tally.found > 0 ? tally.found : 1),
                         "% of step", NULL, 0.0, false);
        bool bad = tally.found < tally.certain || tally.late > 0 || tally.budget > 0;
        bench->wrong = bench->wrong || bad;
        if (bad)
        {
            fprintf(stderr, "abut: bench throw: k = %g%s, %s: %d of %d found, %d late, %d out of budget\n",
                    length, suffix, names[mode], tally.found, tally.certain, tally.late, tally.budget);
        }
    }
}

static bool run_bunny(ThrowBench* bench)
{
    static Throw throws[THROWS];
    ThrowModel model;
    int count = bench->quick ? QUICK_THROWS : THROWS;
    if (!throw_model_create(&model))
    {
        return false;
    }
    const BenchThrower* thrower = bench_thrower();
    void* pair = thrower != NULL ? thrower->create(model.body.mesh_a, model.plate_mesh) : NULL;
    for (int rotates = 0; rotates < 2; ++rotates)
    {
        for (size_t k = 0; k < sizeof(lengths) / sizeof(lengths[0]); ++k)
        {
            throw_model_make(&model, lengths[k], rotates != 0, throws, count);
            report(bench, &model, lengths[k], rotates != 0, throws, count, pair);
        }
    }
    if (pair != NULL)
    {
        thrower->destroy(pair);
    }
    throw_model_destroy(&model);
    return true;
}

static bool parse(int count, char** arguments, ThrowBench* bench)
{
    for (int i = 0; i < count; ++i)
    {
        bool quick = strcmp(arguments[i], "quick") == 0, bunny = strcmp(arguments[i], "bunny") == 0;
        bool nut = strcmp(arguments[i], "nut") == 0;
        if (!quick && !bunny && !nut)
        {
            fprintf(stderr, "abut: bench throw: '%s' is none of quick, bunny, nut\n", arguments[i]);
            return false;
        }
        bench->quick = bench->quick || quick;
        bench->bunny = bench->bunny || bunny;
        bench->nut = bench->nut || nut;
    }
    bool both = !bench->bunny && !bench->nut;
    bench->bunny = bench->bunny || both;
    bench->nut = bench->nut || both;
    return true;
}

bool bench_throw_run(BenchReport* report, int argument_count, char** arguments)
{
    ThrowBench bench = { .report = report };
    if (!parse(argument_count, arguments, &bench) || (bench.bunny && !run_bunny(&bench)) ||
        (bench.nut && !throw_thread_run(report, bench.quick)))
    {
        return false;
    }
    if (bench.wrong)
    {
        fprintf(stderr, "abut: bench throw: a touch was missed\n");
    }
    return !bench.wrong;
}
