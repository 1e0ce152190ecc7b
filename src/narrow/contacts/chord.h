/// @file chord.h
/// Chord: the part of a ray in a solid, from its origin to an end between two proved bounds.
///
/// A point with a proved distance of −r is the middle of a ball of radius r in the solid: balls whose
/// diameters cover the ray from its start prove `low`. A point with a proved distance over 0 is outside and
/// proves `high`. Where neither is proved, `end` is the first change of sign of the samples.
#ifndef ABUT_NARROW_CONTACTS_CHORD_H
#define ABUT_NARROW_CONTACTS_CHORD_H

#include "search/pair.h"

/// A ray in the frame of a pair, and the end of its chord.
typedef struct AbutChord
{
    AbutVec3 origin;
    AbutVec3 direction; // unit
    float low;          // proved: all of the ray up to here is in the solid
    float end;          // by samples; a lower bound of that when the budget of samples is spent
    float high;         // proved: the ray has left the solid here or before; infinite: not proved anywhere
} AbutChord;

/// Fills in the ends of up to ABUT_PAIR_BATCH rays in the solid of a side, by at most ABUT_CHORD_STEPS
/// samples for each.
void abut_chords_prove(AbutPair* pair, int side, AbutChord* chords, size_t count);

/// The same, by samples alone: `low` is 0 and `high` infinite.
void abut_chords_measure(AbutPair* pair, int side, AbutChord* chords, size_t count);

enum
{
    ABUT_CHORD_STEPS = 320
};

#endif
