/// @file chain.h
/// Signs of nodes by chains of nodes without surface between them.
#ifndef ABUT_BAKE_SIGN_CHAIN_H
#define ABUT_BAKE_SIGN_CHAIN_H

#include "bake/sign/state.h"

/// Nodes in sets that no surface divides, one of which is looked at for all. Where the sign is certain.
void abut_sign_chains(AbutSignState* state, const AbutNodeRange* range);

#endif
