/// @file emptiness_proof.h
/// Proof that no particle of a pair arrives.
#ifndef ABUT_NARROW_PARTICLES_EMPTINESS_PROOF_H
#define ABUT_NARROW_PARTICLES_EMPTINESS_PROOF_H

#include "narrow/particles/particles.h"

/// True when the octrees of two fields prove that no point has samples under epsilon of both: then no
/// particle arrives. False proves nothing.
bool abut_particles_prove_empty(const AbutParticles* particles, AbutPair* pair);

#endif
