/// @file mesh_pair.h
/// Two meshes in image space: whether their surfaces touch, with the rounding of the poses counted. The set
/// is bound and placed (set.h).
#ifndef ABUT_IMAGE_MESH_PAIR_H
#define ABUT_IMAGE_MESH_PAIR_H

#include "image/set.h"

/// CULLIDE: `separated` and `contact` are proved of the surfaces. Stops at the first contact.
AbutResult abut_cullide_state(AbutImageSet* set, const AbutImageSettings* settings, AbutImageState* out);

/// CInDeR: as abut_cinder() for both objects, which are closed.
AbutResult abut_cinder_state(AbutImageSet* set, const AbutImageSettings* settings, AbutCinderOutput* out);

#endif
