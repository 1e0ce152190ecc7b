/// @file target.h
/// The resolution that an error asks for.
#ifndef ABUT_BAKE_TARGET_H
#define ABUT_BAKE_TARGET_H

#include <abut/bake.h>

/// One bake of `source` by a def without a target.
typedef AbutResult AbutBakeOnceFn(const AbutBakeDef* def, const void* source, AbutShape** out);

/// Bakes until the measured error is at most def->target_error.
AbutResult abut_bake_to_target(const AbutBakeDef* def, AbutBakeOnceFn* once, const void* source,
                               AbutShape** out);

#endif
