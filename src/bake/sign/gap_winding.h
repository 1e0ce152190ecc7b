/// @file gap_winding.h
/// Signs of nodes by their own winding numbers.
#ifndef ABUT_BAKE_SIGN_GAP_WINDING_H
#define ABUT_BAKE_SIGN_GAP_WINDING_H

#include "bake/sign/state.h"

/// The winding number of every node, at most 4³ of them. For ranges in which it may pass ½ in free space.
void abut_sign_gap(AbutSignState* state, const AbutNodeRange* range);

#endif
