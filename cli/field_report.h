/// @file field_report.h
/// What a field says of itself, for `abut bake` and `abut info`.
#ifndef ABUT_CLI_FIELD_REPORT_H
#define ABUT_CLI_FIELD_REPORT_H

#include "message.h"

#include <abut/bake.h>
#include <abut/field.h>

/// `update` says how much of the field was redone; NULL when it was not an update.
ExitCode field_report_text(const char* name, const AbutShape* field, const AbutBakeUpdate* update);
ExitCode field_report_json(const char* name, const AbutShape* field, const AbutBakeUpdate* update);

#endif
