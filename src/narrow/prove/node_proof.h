/// @file node_proof.h
/// Points of both solids, proved by nodes of fields: there the distance is known to the last digits, for any
/// thickness of the solid.
#ifndef ABUT_NARROW_PROVE_NODE_PROOF_H
#define ABUT_NARROW_PROVE_NODE_PROOF_H

#include "search/pair.h"

/// True when a node around one of the points within `max_distance` of both solids is proved to be in both; it
/// replaces point *found.
bool abut_prove_find_hit_node(const AbutPair* pair, AbutPairBatch* batch, float max_distance,
                              size_t* hit_index);

/// True when sample `i` is proved to be in both solids by all nodes around it. Takes microseconds.
bool abut_prove_is_sharp_hit(const AbutPair* pair, const AbutPairBatch* batch, size_t i);

#endif
