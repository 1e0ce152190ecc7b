/// @file bake_update.h
/// `abut bake --update`: a field from an earlier one and what was changed since.
#ifndef ABUT_CLI_BAKE_UPDATE_H
#define ABUT_CLI_BAKE_UPDATE_H

#include "command.h"

#include <abut/bake.h>

typedef struct BakeUpdateNames
{
    const char* field;  ///< NULL: no update
    const char* before; ///< the mesh that it was baked from
    bool close;         ///< the holes of that mesh are closed as well
    const char*
        changed_shape; ///< the SHAPE that was united with another or taken away from it, or was before
} BakeUpdateNames;

/// False after a message when the names do not go together.
bool bake_update_check(const BakeUpdateNames* names);

/// Bakes `source` again. @return EXIT_INPUT after a message.
ExitCode bake_update_run(const Session* session, const AbutBakeDef* def, const BakeUpdateNames* names,
                         const AbutParsedShape* source, AbutBakeUpdate* report, AbutShape** out);

#endif
