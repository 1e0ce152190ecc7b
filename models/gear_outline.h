/// @file gear_outline.h
/// The shape of a gear's tooth: half of it, from the middle of the root to the middle of the tip, in the
/// plane of the gear.
///
/// The tooth is what a straight rack cuts that rolls on the pitch circle. Its flanks leave involutes of the
/// base circle; its sharp corners leave trochoids between the involutes and the root circle. Teeth made so
/// turn against each other without touching anywhere but on the involutes, also where the trochoid eats into
/// the foot of the involute (undercut), as it does with few teeth.
#ifndef ABUT_MODELS_GEAR_OUTLINE_H
#define ABUT_MODELS_GEAR_OUTLINE_H

#include "arena.h"

typedef struct AbutGearOutline
{
    double root_radius;
    double tip_radius;
    double root_angle; ///< from the middle of the gap between two teeth to the end of the root circle
    double tip_angle;  ///< from the middle of the tooth to the end of the tip circle

    /// From the root circle to the tip circle along the half of the tooth that is reached first
    /// counter-clockwise: distance from the axis, and angle before the middle of the tooth. Distances
    /// increase; so does distance · cos(angle).
    double (*flank)[2];
    uint32_t flank_count;
} AbutGearOutline;

/// The numbers that shape a tooth; already checked for being in range one by one.
typedef struct AbutGearShape
{
    uint32_t teeth;
    double module;
    double pressure_angle;
    double backlash;
    uint32_t flank_divisions;
} AbutGearShape;

/// ABUT_INVALID_ARGUMENT when nothing is left of the tooth's tip, neck or flanks.
AbutResult abut_gear_outline_make(const AbutGearShape* shape, AbutModelArena* arena,
                                  AbutGearOutline* outline);

#endif
