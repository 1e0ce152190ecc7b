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
    const char* device;
    bool list;
    bool report;
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

/// Arguments of a benchmark behind its name, and options as the words that they stand for. Returns their
/// count.
static int list_arguments(const BenchSettings* settings, const Positionals* arguments, char** out)
{
    int count = 0;
    for (int i = 1; i < arguments->count; ++i)
    {
        out[count++] = (char*)arguments->items[i];
    }
    if (settings->report)
    {
        out[count++] = (char*)"report";
    }
    if (settings->device != NULL)
    {
        out[count++] = (char*)settings->device;
    }
    return count;
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
    if ((settings->device != NULL || settings->report) && strcmp(bench->name, "gpu") != 0)
    {
        message_error("bench: --device and --report are of abut bench gpu");
        return EXIT_USAGE;
    }
    BenchReport* report = bench_report_create();
    char* rest[POSITIONAL_LIMIT + 2];
    int count = list_arguments(settings, arguments, rest);
    // Rows are printed also when a benchmark fails: they say which claim was broken.
    ExitCode code = EXIT_INPUT;
    if (report != NULL)
    {
        bool ok = bench->run(report, count, rest);
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
    { "device", 0, OPTION_TEXT, offsetof(BenchSettings, device), "D",
      "of abut bench gpu: gpu for all devices (default), an index or a part of a\n"
      "name of abut info --devices, or cpu",
      0, 0, 0 },
    { "report", 0, OPTION_FLAG, offsetof(BenchSettings, report), NULL,
      "of abut bench gpu: what the devices are, first; the output is what to\n"
      "send us from a machine with a GPU",
      0, 0, 0 },
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
