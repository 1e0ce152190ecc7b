/// @file field_report.h
/// What a field says of itself, for `abut bake` and `abut info`.
#ifndef ABUT_CLI_FIELD_REPORT_H
#define ABUT_CLI_FIELD_REPORT_H

#include "message.h"

#include <abut/field.h>

ExitCode field_report_text(const char* name, const AbutShape* field);
ExitCode field_report_json(const char* name, const AbutShape* field);

#endif
