#include "narrow/prove/overlap.h"

#include "base/assert.h"

#include <math.h>

/// Upper bound of the distance of the solid from the sample; inexact distances outside of solids prove none.
static float max_distance(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i)
{
    float most = batch->distance[side][i] + abut_pair_error(pair, side, batch, i, 0.0f);
    if (most <= 0.0f)
    {
        return 0.0f;
    }
    AbutShapeInfo info = abut_shape_info(pair->sides[side].shape);
    bool exact =
        info.distance_kind == ABUT_DISTANCE_EXACT || info.distance_kind == ABUT_DISTANCE_EXACT_OUTSIDE;
    float scale = (float)pair->sides[side].frame.scale;
    return exact && batch->distance[side][i] < info.band * scale ? most : INFINITY;
}

/// Radius of the ball around the sample in the solid; under 0 when the sample may be outside.
static float min_depth(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i)
{
    float error = abut_pair_error(pair, side, batch, i, 0.0f);
    return -(batch->distance[side][i] + error) / pair->sides[side].slope;
}

float abut_prove_depth(const AbutPair* pair, const AbutPairBatch* batch, size_t i)
{
    ABUT_ASSERT(i < batch->count);
    int deeper = batch->distance[0][i] < batch->distance[1][i] ? 0 : 1;
    float proved_depth = min_depth(pair, deeper, batch, i) - max_distance(pair, 1 - deeper, batch, i);
    return proved_depth >= 0.0f ? proved_depth : -1.0f; // also for NaN
}
