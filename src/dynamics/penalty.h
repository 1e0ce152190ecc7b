/// @file penalty.h
/// Springs that push points of one body out of the solid of another, integrated over the time that they are inside
/// (Xu & Barbič, section 4; docs/dynamics.md has the derivations). The files of a step, in order:
///   penalty.c          the step: guess, find, solve, move
///   penalty_find.c     pairs and points that touch on the way
///   penalty_force.c    what the spring of one point does over the step
///   penalty_solve.c    forces and ways that fit each other
///   penalty_stiff.c    stiffness, damping, and steps that are too large for them
///   penalty_points.c   points of bodies that bring none
#ifndef ABUT_DYNAMICS_PENALTY_H
#define ABUT_DYNAMICS_PENALTY_H

#include "dynamics/world.h"

enum
{
    ABUT_PENALTY_MIDPOINTS = 64, // at most, per contact interval
    ABUT_PENALTY_WARNING = 256   // bytes
};

/// The points of a shape, for all bodies that have it.
typedef struct AbutPointCache
{
    AbutShape* shape;
    AbutPointSet* points;
    uint32_t users;
} AbutPointCache;

/// What a world keeps for this response.
typedef struct AbutPenalty
{
    AbutPointCache* caches;
    size_t cache_count, cache_capacity;
    char warning[ABUT_PENALTY_WARNING];
} AbutPenalty;

AbutPenaltySettings abut_penalty_settings(void);
AbutResult abut_penalty_check(const AbutPenaltySettings* settings);

AbutResult abut_penalty_create(AbutWorld* world);
void abut_penalty_destroy(AbutWorld* world);

/// Gives a new body its points, where the world answers with springs: those of its def, or of its shape.
AbutResult abut_penalty_take_points(AbutWorld* world, const AbutBodyDef* def, AbutBody* body);
void abut_penalty_drop_points(AbutWorld* world, AbutBody* body);

#endif
