/// @file parity.h Whether a point is inside of a closed surface: the number of faces in front of it is odd.
/// The lists of pixels have all faces that are in front of points of the view, with the centres that they
/// cover.
#ifndef ABUT_IMAGE_PARITY_H
#define ABUT_IMAGE_PARITY_H

#include "image/set.h"

typedef enum AbutParity
{
    ABUT_PARITY_UNKNOWN, ///< a face is at the depth of the point
    ABUT_PARITY_OUTSIDE,
    ABUT_PARITY_INSIDE,
} AbutParity;

/// Parity of a point within the margin of `point`, by the images. The pixels that it may have and its
/// interval of depth are one connected region; when no face enters it, parity is the same everywhere in it,
/// also on the line through the centre of a pixel. `bounds` is the box of the faces, larger by the margin.
AbutParity abut_parity_at(const AbutImageSet* set, const AbutImageView* view, const AbutBox* bounds,
                          AbutDVec3 point);

/// Exactly, for a point that touches no face. `stamp` is another one at each call; set->stamps has one for
/// each record.
bool abut_parity_is_inside(AbutImageSet* set, const AbutImageView* view, const AbutBox* bounds,
                           AbutDVec3 point, uint32_t stamp);

#endif
