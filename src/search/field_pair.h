/// @file field_pair.h
/// Two fields as kernels read them.
#ifndef ABUT_SEARCH_FIELD_PAIR_H
#define ABUT_SEARCH_FIELD_PAIR_H

#include "search/pair.h"
#include "search/pair_kernels.h"
#include "shape/kernels.h"

typedef struct AbutFieldPair
{
    AbutFieldSide sides[2];
    AbutKernelTransform transforms[2];
} AbutFieldPair;

/// False unless both shapes are fields. Must not move in memory after that.
bool abut_field_pair_init(AbutFieldPair* fields, const AbutPair* pair);

/// The points of a batch, with arrays for gradients.
AbutFieldPairBatch abut_field_pair_batch(const AbutFieldPair* fields, AbutPairBatch* batch);

/// abut_pair_sample() with gradients, with less overhead per call; `fields` may be NULL.
void abut_field_pair_sample(AbutPair* pair, const AbutFieldPair* fields, AbutPairBatch* batch);

#endif
