/// @file on_device.h
/// Particles of a pair of fields that walk on a device: their record, and contacts from those that arrived.
#ifndef ABUT_NARROW_PARTICLES_ON_DEVICE_H
#define ABUT_NARROW_PARTICLES_ON_DEVICE_H

#include "gpu/pairs/walk.h"
#include "narrow/particles/particles.h"

/// The record of a pair, without the numbers of its fields and its starts. False for shapes that are no
/// fields, and for numbers out of the range of devices (gpu/node_range.h).
bool abut_particles_record(const AbutParticles* particles, const AbutParticleSettings* settings,
                           const AbutPair* pair, GpuPair* out);

/// As abut_particles_project() for particles that have walked on a device: `count` have arrived, in their
/// order.
void abut_particles_arrive(const AbutParticles* particles, const AbutPair* pair, const GpuHit* hits,
                           uint32_t count, AbutParticleTask* task);

#endif
