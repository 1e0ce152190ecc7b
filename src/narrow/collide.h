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
    AbutCollideCache* cache; // or NULL
} AbutNarrowInput;

/// A query that was begun.
typedef struct AbutNarrowBegun
{
    const AbutNarrowMethod* method;
    AbutTransform relative; // B in the frame of A
    double length;          // of the poses that it was computed from
    AbutPair pair;          // of a method that needs it
} AbutNarrowBegun;

AbutNarrowSettings abut_narrow_proof_settings(const AbutCollideSettings* settings);
AbutNarrowSettings abut_narrow_speculative_settings(const AbutSpeculativeSettings* settings);

/// @return ABUT_INVALID_ARGUMENT with a message for invalid settings.
AbutResult abut_collide_check(const AbutNarrowSettings* settings);

/// Starts a query. True when it needs the method, which is set; otherwise `output` is complete. `relative` is
/// set unless the state is ABUT_COLLIDE_INVALID.
bool abut_collide_begin(const AbutNarrowInput* input, AbutNarrowBegun* begun, AbutCollideOutput* output);

/// Completes a query that was begun. The scratch may be NULL for a method that needs none.
void abut_collide_finish(const AbutNarrowInput* input, AbutNarrowBegun* begun, AbutCollideScratch* scratch,
                         AbutContact* contacts, uint32_t capacity, AbutCollideOutput* output);

/// Spacing of the contacts of a method without a pair; `scale` is that of B in the unit of A.
float abut_collide_spacing(const AbutNarrowSettings* settings, const AbutShape* a, const AbutShape* b,
                           double scale);

/// Removes contacts that are not finite; returns the count of the rest.
uint32_t abut_collide_keep_finite(AbutContact* contacts, uint32_t count);

/// The pair of a query, for samples: that of the method, or a new one; NULL where its boxes are further apart
/// than the margin.
AbutPair* abut_collide_pair(const AbutNarrowInput* input, AbutNarrowBegun* begun);

/// True when both have the same results.
bool abut_narrow_settings_equal(const AbutNarrowSettings* a, const AbutNarrowSettings* b);

#endif
