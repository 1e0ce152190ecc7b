/// @file touches.h
/// Second pass: balls that may touch become contacts, and points in both solids.
#ifndef ABUT_NARROW_POINT_HULL_TOUCHES_H
#define ABUT_NARROW_POINT_HULL_TOUCHES_H

#include "narrow/point_hull/search.h"

/// Contacts of a query so far: a heap of the deepest.
typedef struct AbutBallContacts
{
    AbutContact* items;
    size_t count, capacity;
    size_t total;
} AbutBallContacts;

/// Projects the balls of `search->touches` onto the surface of the intersection and adds those that arrive
/// within `margin` and their travel. Returns true when one of the points is proved to be in both solids.
bool abut_ball_touches_add(AbutBallSearch* search, float margin, float tolerance, AbutBallContacts* out);

/// True when a point near one of the balls that overlap is proved to be in both solids.
bool abut_ball_touches_prove(AbutBallSearch* search);

#endif
