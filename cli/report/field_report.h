/// @file field_report.h
/// What a field says of itself, for `abut bake` and `abut info`.
#ifndef ABUT_CLI_FIELD_REPORT_H
#define ABUT_CLI_FIELD_REPORT_H

#include "message.h"

#include <abut/bake.h>
#include <abut/field.h>
#include <abut/mesh.h>

/// What happened on the way to a field; NULL where it did not.
typedef struct FieldStory
{
    const AbutBakeUpdate* update;     ///< how much was redone
    const AbutMeshCloseReport* close; ///< holes of the mesh that were closed
} FieldStory;

ExitCode field_report_text(const char* name, const AbutShape* field, FieldStory story);
ExitCode field_report_json(const char* name, const AbutShape* field, FieldStory story);

#endif
