/// @file witness.h
/// Witness: a point of each of two surfaces, moved towards each other.
///
/// A point p between the two, at a distance f from one of them, has its foot p − f ∇f on the surface: it is
/// nearer to the other surface than the foot of a point further away. Where a field blends nodes around an
/// edge, its distance away from the edge is better than the position of its zero; so feet are found from
/// outside, and the zero of a field is never searched.
#ifndef ABUT_NARROW_DISTANCE_WITNESS_H
#define ABUT_NARROW_DISTANCE_WITNESS_H

#include "search/pair.h"

typedef struct AbutWitness
{
    // in the frame of the pair: a point of the surface of A, and one of B, by samples
    AbutDVec3 at[2];
    double distance; // of the surfaces there, by samples; infinite: none yet
    double high;     // proved upper bound of the distance of the solids
} AbutWitness;

/// Moves the points towards each other and to the surfaces, by at most `iterations`; stops after an iteration
/// that gains less than `gain`.
void abut_witness_approach(AbutPair* pair, AbutWitness* witness, int iterations, double gain);

/// Sets `high`.
void abut_witness_prove(AbutPair* pair, AbutWitness* witness);

/// Takes over a closer witness that is not proved yet; the points are those that prove more.
void abut_witness_improve(AbutPair* pair, AbutWitness* witness, AbutWitness* other);

#endif
