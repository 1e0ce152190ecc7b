/// @file emptiness_proof.h
/// Proof that no particle of a pair arrives.
#ifndef ABUT_NARROW_PARTICLES_EMPTINESS_PROOF_H
#define ABUT_NARROW_PARTICLES_EMPTINESS_PROOF_H

#include "narrow/particles/particles.h"

/// True when it is proved, by the octrees of two fields, that no sample is under epsilon on both sides: then
/// no particle arrives, and none has to be sent. False says nothing.
bool abut_particles_prove_empty(const AbutParticles* particles, AbutPair* pair);

#endif
