/// @file collide.h
/// A query with its scratch given, for callers that have many.
#ifndef ABUT_NARROW_COLLIDE_H
#define ABUT_NARROW_COLLIDE_H

#include "narrow/method.h"

/// Settings of either question about a pair. Those of speculative contacts are in the members of `collide`
/// with the same names.
typedef struct AbutNarrowSettings
{
    AbutCollideSettings collide;
    bool speculative; // speculative contacts without a proof
    AbutPairMarginFn* pair_margin;
    void* pair_margin_user;
    AbutPairSpacingFn* pair_spacing;
    void* pair_spacing_user;
} AbutNarrowSettings;

/// A pair with either question about it.
typedef struct AbutNarrowInput
{
    const AbutShape *shape_a, *shape_b;
    AbutPose pose_a, pose_b;
    AbutNarrowSettings settings;
} AbutNarrowInput;

AbutNarrowSettings abut_narrow_proof_settings(const AbutCollideSettings* settings);
AbutNarrowSettings abut_narrow_speculative_settings(const AbutSpeculativeSettings* settings);

/// @return ABUT_INVALID_ARGUMENT with a message for invalid settings.
AbutResult abut_collide_check(const AbutNarrowSettings* settings);

/// Starts a query. True when it needs a method; otherwise `output` is complete.
bool abut_collide_begin(const AbutNarrowInput* input, AbutPair* pair, AbutCollideOutput* output);

/// Completes a query that was begun, by the method of its settings.
void abut_collide_finish(const AbutNarrowSettings* settings, AbutPair* pair, AbutCollideScratch* scratch,
                         AbutContact* contacts, uint32_t capacity, AbutCollideOutput* output);

/// True when both have the same results.
bool abut_narrow_settings_equal(const AbutNarrowSettings* a, const AbutNarrowSettings* b);

#endif
