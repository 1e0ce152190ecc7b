/// @file resolution.h
/// The resolution for a target error.
#ifndef ABUT_BAKE_RESOLUTION_H
#define ABUT_BAKE_RESOLUTION_H

#include <abut/bake.h>

/// One bake of `source` by a def without a target.
typedef AbutResult AbutBakeOnceFn(const AbutBakeDef* def, const void* source, AbutShape** out);

typedef struct AbutBakeTarget
{
    AbutBakeOnceFn* once;
    const void* source; ///< of `once`
    /// for a lower bound of the error from its edges; NULL: unknown before the first bake
    const AbutMesh* mesh;
    AbutBox bounds;      ///< of the source
    size_t source_bytes; ///< of its distances
} AbutBakeTarget;

/// Bakes until the measured error is at most def->target_error. Refuses impossible errors as early as they
/// can be predicted: from the edges of a mesh before any bake, else from the first bakes, which are small.
AbutResult abut_bake_to_target(const AbutBakeDef* def, const AbutBakeTarget* target, AbutShape** out);

#endif
