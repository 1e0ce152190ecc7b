/// @file particles.h
/// Particles projected onto the intersection of two solids: Krayer, Görges, Müller, "Intersection Distance
/// Field Collision for GPU". Its Algorithm 1 places them, its Algorithm 2 moves them.
///
/// The trajectory of a particle depends on its start alone, so particles may share a batch in any way, and
/// finished ones are replaced by the next.
#ifndef ABUT_NARROW_PARTICLES_PARTICLES_H
#define ABUT_NARROW_PARTICLES_PARTICLES_H

#include <abut/narrow.h>

#include "contact/contact_list.h"
#include "search/pair.h"

enum
{
    ABUT_PARTICLE_TASK_SIZE = 1024,     // particles of a task
    ABUT_PARTICLE_RESOLUTION_MAX = 256, // 256³ particles, with rounding, fit 32 bits
    ABUT_PARTICLE_STEPS_MAX = 1 << 16,
    ABUT_PARTICLE_VOXELS_MAX = ABUT_CONTACT_LIST_CAPACITY / 2
};

/// Algorithm 1: counts of particles along each side of a box, about n³ in all. Sides may be zero: a flat box
/// gets a sheet of particles, a line a row, a point one.
void abut_particle_resolution(AbutDVec3 sides, uint32_t n, uint32_t resolution[3]);

/// All particles of a pair.
typedef struct AbutParticles
{
    uint32_t resolution[3];
    float inverse[3];    // 1 / resolution
    uint32_t grid_count; // of the box
    uint32_t count;      // with starts from contacts
    float low[3], sides[3];
    float epsilon; // arrived: both distances are under this
    float relaxation;
    float spacing;
    AbutContactLattice lattice; // of the ids of contacts
    uint32_t steps;
    bool quasi_random;
    bool across_gaps; // otherwise separations are min(fA, fB), as in the paper
    const AbutContact* starts;
    AbutDVec3 origin; // of the pair's frame, in that of the starts
} AbutParticles;

/// @return ABUT_INVALID_ARGUMENT with a message for settings that are out of range.
AbutResult abut_particles_check(const AbutParticleSettings* settings);

/// The settings are in range.
AbutParticles abut_particles_make(const AbutPair* pair, const AbutCollideSettings* settings, float tolerance,
                                  float spacing);

/// Scratch of a task, and its results.
typedef struct AbutParticleTask
{
    AbutPairBatch batch;
    float left[ABUT_PAIR_BATCH]; // samples that the particles of the batch may still take
    uint32_t next, end;          // particles that have not started
    uint32_t grid_index[3];      // of the next one in the grid
    float proved_depth;          // proved by the deepest particle; under 0 for none
    float depth;                 // of that one, by its distances
    uint32_t arrived_count;
    AbutContact arrived[ABUT_PARTICLE_TASK_SIZE];
} AbutParticleTask;

/// No particle has arrived.
void abut_particles_begin_task(AbutParticleTask* task);

/// The particle of sample `i` of the batch has arrived and becomes a contact. In the order of particles.
void abut_particles_store(const AbutParticles* particles, const AbutPair* pair, size_t i,
                          AbutParticleTask* task);

/// Algorithm 2 for `count` particles from `first` on, at most ABUT_PARTICLE_TASK_SIZE.
void abut_particles_project(const AbutParticles* particles, AbutPair* pair, uint32_t first, uint32_t count,
                            AbutParticleTask* task);

/// Joins the contacts in ever larger cells, each of twice the size, until at most ABUT_PARTICLE_VOXELS_MAX
/// are left; returns their count. Larger cells consist of whole cells, so the order of joining does not
/// matter.
size_t abut_particles_join(AbutContact* contacts, size_t count, uint32_t* doublings);

/// The whole method for one pair; `list` is scratch.
void abut_particles_collide(const AbutParticles* particles, const AbutParticleSettings* settings,
                            AbutPair* pair, AbutParticleTask* task, AbutContactList* list,
                            AbutContact* contacts, uint32_t capacity, AbutCollideOutput* output);

/// The state of a pair from the gap of its boxes, the count of arrived particles and the depth that one
/// proves (negative: none). A gap over 0 is a proof of ABUT_COLLIDE_SEPARATED, whatever arrives within the
/// margin.
AbutCollideState abut_particles_state(float gap, size_t arrived, float proved_depth);

#endif
