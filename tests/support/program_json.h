/// @file program_json.h
/// JSON that the command line prints. For tests that link cJSON.
#ifndef ABUT_TEST_PROGRAM_JSON_H
#define ABUT_TEST_PROGRAM_JSON_H

#include "support/program.h"

#include <cjson/cJSON.h>

/// The document of a line of shell that must end with status 0. The caller deletes it.
static inline cJSON* test_run_json(const char* line)
{
    TestRun run = test_run(line);
    assert_int_equal(run.status, 0);
    cJSON* document = cJSON_Parse(run.out);
    assert_non_null(document);
    test_free_run(&run);
    return document;
}

#endif
