/// @file witness.h
/// A point of each of two surfaces, brought near each other.
///
/// A point p between the two, at a distance f from one of them, has its foot p − f ∇f on the surface: it is
/// nearer to the other than the foot of a point further away from it was. Where a field is blended from nodes
/// around an edge, its distance away from the edge is better than the place where it is zero; so feet are
/// found from outside, and nowhere is the zero of a field looked for.
#ifndef ABUT_NARROW_DISTANCE_WITNESS_H
#define ABUT_NARROW_DISTANCE_WITNESS_H

#include "search/pair.h"

typedef struct AbutWitness
{
    double
        at[2]
          [3]; // in the frame of the pair: a point of the surface of A, and one of B, as far as samples tell
    double distance; // of the surfaces there, as far as samples tell; infinite: none yet
    double high;     // proved: the distance of the solids is no more
} AbutWitness;

/// Brings the points nearer to each other, `iterations` times at most, and to the surfaces. Stops when a
/// round gains less than `gain`.
void abut_witness_approach(AbutPair* pair, AbutWitness* witness, int iterations, double gain);

/// Sets `high`.
void abut_witness_prove(AbutPair* pair, AbutWitness* witness);

/// Takes over what is better of another one, which is nearer but not proved yet: the points are those that
/// prove more.
void abut_witness_improve(AbutPair* pair, AbutWitness* witness, AbutWitness* other);

#endif
