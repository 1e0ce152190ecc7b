/// @file clamp.h
/// The ways that bodies go in a round, and how far along them they may: what clamp.c and clamp_core_points.c share.
#ifndef ABUT_DYNAMICS_CCD_CLAMP_H
#define ABUT_DYNAMICS_CCD_CLAMP_H

#include "dynamics/contacts/contacts.h"

#include <abut/toi.h>

/// A body that is held back goes a little less far than it may: others are looked at with what is left.
#define ABUT_HOLD_CARE 0.98

/// From the start of the round to where the solver has put a body.
typedef struct AbutHoldWay
{
    double center[3];
    double turn; // at most, of any point
    double start[3][3], end[3][3];
    double turned[3];               // rotation vector
    double ahead[3], ahead_spin[3]; // where contacts were looked for: of the centre, and a rotation vector
    double radius;
    double part;
    bool moves;  // and may be held back
    bool stands; // and stays there
    bool leads;  // moves as it is told, and cannot be held back
} AbutHoldWay;

/// Finds out how a body has turned; before all that follows.
void abut_hold_way_prepare(AbutBody* body);

/// The same, and the part of the way that stays in the box that the broad phase was told.
void abut_hold_way_begin(const AbutWorld* world, AbutBody* body);
AbutHoldWay abut_hold_way_of(const AbutBody* body);

/// How far points of two bodies may move against each other.
double abut_hold_way_between(const AbutHoldWay* a, const AbutHoldWay* b);

/// How far points of two bodies may be, against each other, from where contacts were looked for.
double abut_hold_way_from_look(const AbutHoldWay* a, const AbutHoldWay* b);

/// The part of their ways that both go: one that stands goes along with any.
double abut_hold_way_common(const AbutHoldWay* a, const AbutHoldWay* b);

/// How far they may when the one that goes further goes on alone at the end.
double abut_hold_way_in_turns(const AbutHoldWay* a, const AbutHoldWay* b);

/// Where a body is after a part of its way: its centre goes straight, and it turns evenly.
void abut_hold_way_place(const AbutBody* body, double part, double position[3], double rotation[4]);
AbutPose abut_hold_way_pose(const AbutBody* body, double part);

/// A body from one part of its way to another.
AbutMotion abut_hold_way_motion(const AbutBody* body, double from, double to);

/// Makes the parts of two bodies smaller where guards of the one come too near to the other. True when one became smaller. What is left of a part that
/// has to become smaller is `care` of what it may be.
bool abut_hold_guards(AbutManifold* m, AbutBody* a, AbutBody* b, const AbutHoldWay* way_a,
                      const AbutHoldWay* way_b, double care);

/// Asks the guards of pairs of thin solids how far both may go at once, on all workers.
void abut_hold_guards_look(AbutWorld* world);

/// Turns ways aside that lead into another solid from the start, by what guards said. True when some were: guards are to be asked again.
bool abut_hold_slide(AbutWorld* world);

/// One of the two bodies has another way now.
void abut_hold_guards_forget(AbutManifold* m);

/// Before guards are asked in a round, and after bodies have got to know their parts but not gone back to them.
void abut_hold_guards_begin(AbutWorld* world);
void abut_hold_guards_end(const AbutWorld* world);

/// Gives bodies that are stuck in each other another way. True when there are some.
bool abut_hold_guards_part(AbutWorld* world);

/// Takes out speeds with which guards run into others, when bodies are where they end.
void abut_hold_guards_stop(const AbutWorld* world);

#endif
