/// @file resolution.h
/// The resolution that an error asks for.
#ifndef ABUT_BAKE_RESOLUTION_H
#define ABUT_BAKE_RESOLUTION_H

#include <abut/bake.h>

/// One bake of `source` by a def without a target.
typedef AbutResult AbutBakeOnceFn(const AbutBakeDef* def, const void* source, AbutShape** out);

typedef struct AbutBakeTarget
{
    AbutBakeOnceFn* once;
    const void* source;   ///< of `once`
    const AbutMesh* mesh; ///< whose edges tell the least error; NULL: nothing is known before the first bake
    AbutBox bounds;       ///< of the source
    size_t source_bytes;  ///< that its distances take
} AbutBakeTarget;

/// Bakes until the measured error is at most def->target_error. Refuses errors that are out of reach as soon
/// as that can be foreseen: from the edges of a mesh before any bake, else from the first bakes, which are
/// small.
AbutResult abut_bake_to_target(const AbutBakeDef* def, const AbutBakeTarget* target, AbutShape** out);

#endif
