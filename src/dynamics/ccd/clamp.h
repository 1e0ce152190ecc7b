/// @file clamp.h
/// The ways that bodies go in a round, and how far along them they may: what clamp.c and clamp_core_points.c share.
#ifndef ABUT_DYNAMICS_CCD_CLAMP_H
#define ABUT_DYNAMICS_CCD_CLAMP_H

#include "dynamics/contacts/contacts.h"

#include <abut/toi.h>

/// A body that is held back goes a little less far than it may: others are looked at with what is left.
#define ABUT_CCD_SAFETY 0.98

/// From the start of the round to where the solver has put a body.
typedef struct AbutCcdMotion
{
    double displacement[3];
    double rotation_travel; // at most, of any point
    double start[3][3], end[3][3];
    double rotation_vector[3]; // rotation vector
    double predicted_displacement[3],
        predicted_rotation_vector[3]; // where contacts were looked for: of the centre, and a rotation vector
    double radius;
    double fraction;
    bool moves;        // and may be held back
    bool is_at_rest;   // and stays there
    bool is_kinematic; // moves as it is told, and cannot be held back
} AbutCcdMotion;

/// Finds out how a body has turned; before all that follows.
void abut_ccd_motion_set_rotation(AbutBody* body);

/// The same, and the part of the way that stays in the box that the broad phase was told.
void abut_ccd_motion_begin(const AbutWorld* world, AbutBody* body);
AbutCcdMotion abut_ccd_motion_of(const AbutBody* body);

/// How far points of two bodies may move against each other.
double abut_ccd_motion_relative(const AbutCcdMotion* a, const AbutCcdMotion* b);

/// How far points of two bodies may be, against each other, from where contacts were looked for.
double abut_ccd_motion_from_prediction(const AbutCcdMotion* a, const AbutCcdMotion* b);

/// The part of their ways that both go: one that stands goes along with any.
double abut_ccd_motion_common_fraction(const AbutCcdMotion* a, const AbutCcdMotion* b);

/// How far they may when the one that goes further goes on alone at the end.
double abut_ccd_motion_sequential(const AbutCcdMotion* a, const AbutCcdMotion* b);

/// Where a body is after a part of its way: its centre goes straight, and it turns evenly.
void abut_ccd_motion_at(const AbutBody* body, double fraction, double position[3], double rotation[4]);
AbutPose abut_ccd_motion_pose(const AbutBody* body, double fraction);

/// A body from one part of its way to another.
AbutMotion abut_ccd_motion_interval(const AbutBody* body, double from, double to);

/// Makes the parts of two bodies smaller where guards of the one come too near to the other. True when one became smaller. What is left of a part that
/// has to become smaller is `safety` of what it may be.
bool abut_ccd_clamp_pair(AbutManifold* m, AbutBody* a, AbutBody* b, const AbutCcdMotion* motion_a,
                         const AbutCcdMotion* motion_b, double safety);

/// Asks the guards of pairs of thin solids how far both may go at once, on all workers.
void abut_ccd_find_toi(AbutWorld* world);

/// Turns ways aside that lead into another solid from the start, by what guards said. True when some were: guards are to be asked again.
bool abut_ccd_project_motions(AbutWorld* world);

/// One of the two bodies has another way now.
void abut_ccd_reset_pair(AbutManifold* m);

/// Before guards are asked in a round, and after bodies have got to know their parts but not gone back to them.
void abut_ccd_begin(AbutWorld* world);
void abut_ccd_end(const AbutWorld* world);

/// Gives bodies that are stuck in each other another way. True when there are some.
bool abut_ccd_separate_stuck(AbutWorld* world);

/// Takes out speeds with which guards run into others, when bodies are where they end.
void abut_ccd_stop_approach(const AbutWorld* world);

#endif
