/// @file find_pairs.h
/// Pairs of triangles that share a pixel, tested exactly.
#ifndef ABUT_IMAGE_FIND_PAIRS_H
#define ABUT_IMAGE_FIND_PAIRS_H

#include "image/set.h"

/// Pairs of live triangles of different objects that touch, to set->pairs, ascending; their count. The
/// lists of all objects but the last have been built for the view.
AbutResult abut_image_find_pairs(AbutImageSet* set, const AbutImageView* view, size_t* pair_count);

/// The same of the only live object: pairs that share a corner when they cross, others when they touch.
AbutResult abut_image_find_own_pairs(AbutImageSet* set, const AbutImageView* view, size_t* pair_count);

#endif
