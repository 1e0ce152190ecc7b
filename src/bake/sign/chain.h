/// @file chain.h
/// Signs of nodes by chains of nodes without surface between them.
#ifndef ABUT_BAKE_SIGN_CHAIN_H
#define ABUT_BAKE_SIGN_CHAIN_H

#include "bake/sign/state.h"

/// Signs by sets of nodes without surface between them: one node is evaluated for all of a set. For ranges in
/// which the sign is certain.
void abut_sign_chains(AbutSignState* state, const AbutNodeRange* range);

#endif
