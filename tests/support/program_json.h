/// @file program_json.h
/// JSON that the command line prints. For tests that link cJSON.
#ifndef ABUT_TEST_PROGRAM_JSON_H
#define ABUT_TEST_PROGRAM_JSON_H

#include "support/program.h"

#include <cjson/cJSON.h>

/// The document of a line of shell that must end with status 0 and print nothing else. The caller deletes it.
static inline cJSON* test_run_json(const char* line)
{
    TestRun run = test_run(line);
    cJSON* document = run.status == 0 ? cJSON_ParseWithOpts(run.out, NULL, true) : NULL;
    if (document == NULL)
    {
        fail_msg("%s\nstatus %d: %s\nprinted %.2000s", line, run.status, run.err, run.out);
    }
    test_free_run(&run);
    return document;
}

/// A number of an object, which must have it.
static inline double test_json_number(const cJSON* object, const char* name)
{
    const cJSON* item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsNumber(item))
    {
        fail_msg("no number %s", name);
    }
    return item->valuedouble;
}

#endif
