/// @file cap_split.h
/// Chords that cut long loops into short ones.
#ifndef ABUT_MESH_REPAIR_CAP_SPLIT_H
#define ABUT_MESH_REPAIR_CAP_SPLIT_H

#include "mesh/repair/cap.h"

typedef struct AbutChord
{
    uint32_t begin, end; // indices in a piece, begin < end
    bool found;
} AbutChord;

/// A short chord that leaves a quarter of the piece or more on both sides, or else one that cuts off less;
/// when there is one that does not cross the rest of the piece seen along the direction. Not found when all
/// that were tried are edges already.
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_caps_choose_chord(AbutCaps* caps, const uint32_t* piece, uint32_t count, AbutDVec3 direction,
                                  AbutChord* out);

#endif
