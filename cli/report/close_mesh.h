/// @file close_mesh.h
/// --close: holes of a mesh are closed before anything else is done with it.
#ifndef ABUT_CLI_CLOSE_MESH_H
#define ABUT_CLI_CLOSE_MESH_H

#include "command.h"
#include "json.h"

#define CLOSE_HELP "close the holes of a mesh first; the report says what was closed and what was not"

/// Replaces the mesh that was loaded. @return EXIT_USAGE after a message when it is none, EXIT_INPUT when it
/// cannot be closed.
ExitCode close_mesh(const Session* session, const char* verb, AbutParsedShape* loaded,
                    AbutMeshCloseReport* report);

/// What was closed, and what was left open and why. NULL prints nothing.
void close_mesh_print(const AbutMeshCloseReport* report);
void close_mesh_add_json(cJSON* document, const AbutMeshCloseReport* report);

#endif
