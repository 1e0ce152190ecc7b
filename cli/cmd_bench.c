// abut bench: measurements, side by side with peers. Compiled in with ABUT_BUILD_BENCH.
#include "command.h"

#include <stdio.h>
#include <string.h>

#if defined(ABUT_WITH_BENCH)
#include "bench.h"
#include "json.h"
#endif

typedef struct BenchSettings
{
    CommonSettings common;
    bool list;
} BenchSettings;

#if defined(ABUT_WITH_BENCH)

static void print_cases(void)
{
    for (const BenchCase* bench = bench_cases(); bench->name != NULL; ++bench)
    {
        printf("%-12s%s\n", bench->name, bench->summary);
    }
}

static const BenchCase* find_case(const char* name)
{
    for (const BenchCase* bench = bench_cases(); bench->name != NULL; ++bench)
    {
        if (strcmp(bench->name, name) == 0)
        {
            return bench;
        }
    }
    message_error("unknown benchmark \"%s\"; abut bench --list lists them", name);
    return NULL;
}

static void add_row(void* document, const BenchRow* row)
{
    cJSON* item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", row->name);
    cJSON_AddNumberToObject(item, "value", row->value);
    cJSON_AddStringToObject(item, "unit", row->unit);
    if (row->peer[0] != '\0')
    {
        cJSON_AddStringToObject(item, "peer", row->peer);
        cJSON_AddNumberToObject(item, "peer_value", row->peer_value);
        cJSON_AddNumberToObject(item, "ratio", row->ratio);
    }
    else
    {
        cJSON_AddNullToObject(item, "peer");
        cJSON_AddNullToObject(item, "peer_value");
        cJSON_AddNullToObject(item, "ratio");
    }
    cJSON_AddItemToArray(document, item);
}

static ExitCode print_json(const BenchCase* bench, const BenchReport* report)
{
    cJSON* document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "bench", bench->name);
    cJSON_AddStringToObject(document, "version", abut_version());
    cJSON_AddStringToObject(document, "simd", abut_simd_name());
    bench_report_visit(report, add_row, cJSON_AddArrayToObject(document, "rows"));
    return json_print(document);
}

static ExitCode print_report(const BenchCase* bench, const BenchReport* report, bool json)
{
    if (json)
    {
        return print_json(bench, report);
    }
    bench_report_print(report);
    return EXIT_DONE;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const BenchSettings* settings = settings_pointer;
    const Positionals* arguments = session->positionals;
    if (settings->list)
    {
        print_cases();
        return EXIT_DONE;
    }
    if (arguments->count == 0)
    {
        message_error("bench: NAME is missing; abut bench --list lists them");
        return EXIT_USAGE;
    }
    const BenchCase* bench = find_case(arguments->items[0]);
    if (bench == NULL)
    {
        return EXIT_USAGE;
    }
    BenchReport* report = bench_report_create();
    char* rest[POSITIONAL_LIMIT];
    for (int i = 1; i < arguments->count; ++i)
    {
        rest[i - 1] = (char*)arguments->items[i];
    }
    // Rows are printed also when a benchmark fails: they say which claim was broken.
    ExitCode code = EXIT_INPUT;
    if (report != NULL)
    {
        bool ok = bench->run(report, arguments->count - 1, rest);
        code = print_report(bench, report, settings->common.json);
        code = ok ? code : EXIT_INPUT;
    }
    bench_report_destroy(report);
    return code;
}

#else

static ExitCode run(const Session* session, const void* settings)
{
    (void)session;
    (void)settings;
    message_error("this program was built without benchmarks; build it with cmake -DABUT_BUILD_BENCH=ON, "
                  "or run make bench, which also installs the peers");
    return EXIT_INPUT;
}

#endif

static const Option options[] = {
    { "list", 0, OPTION_FLAG, offsetof(BenchSettings, list), NULL, "list the benchmarks", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_bench = {
    .name = "bench",
    .usage = "NAME [ARGUMENTS] [options]",
    .summary = "measurements, side by side with peers",
    .description = "Runs a benchmark and prints a row per measurement: abut's value, the peer's value on the "
                   "same work in the\n"
                   "same run, and their ratio, which is over 1 where abut is better. Values are medians. "
                   "Benchmarks are part\n"
                   "of the program when it is built with ABUT_BUILD_BENCH (make bench does).",
    .examples = "  abut bench --list\n"
                "  abut bench bake quick\n"
                "  abut bench bake dense sparse statue.obj\n"
                "  abut bench eval\n"
                "  abut bench load part.obj --json\n",
    .options = options,
    .least_arguments = 0,
    .most_arguments = POSITIONAL_LIMIT,
    .run = run,
};
