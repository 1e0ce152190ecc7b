/// @file nodes.h
/// Points of both solids, proved by nodes of fields: there the distance is known to the last digits, however thin the solid.
#ifndef ABUT_NARROW_NODES_H
#define ABUT_NARROW_NODES_H

#include "narrow/pair.h"

/// True when a node around point `i` of the batch is proved to be in both solids; then it takes the place of the point.
bool abut_pair_find_hit_node(const AbutPair* pair, AbutPairBatch* batch, size_t i);

/// True when sample `i` is proved to be in both solids by all nodes around it, which takes microseconds.
bool abut_pair_is_sharp_hit(const AbutPair* pair, const AbutPairBatch* batch, size_t i);

#endif
