/// @file search.h
/// The balls of one shape that may touch another, given by its distance.
///
/// A ball of center c and radius R touches nothing while the distance of the other solid at c is over R. All
/// bounds are of true distances d, which are 1-Lipschitz whatever the slope of samples f: d >= (f - error) /
/// slope. Three tests drop balls, each by a bound of d(c):
///   box, corners  the box of the other solid, and samples at eight corners of the common space; no samples
///                 of their own (the eight-corner rejection of the Bullet report, with the slope counted)
///   tree          a sample at the center of a node of the sphere tree drops all balls below it
///   sample        a sample at c itself
#ifndef ABUT_NARROW_POINT_HULL_SEARCH_H
#define ABUT_NARROW_POINT_HULL_SEARCH_H

#include <abut/narrow.h>

#include "narrow/point_hull/kernels.h"
#include "points/hull/kept.h"
#include "search/pair.h"

enum
{
    ABUT_BALL_NODES = 32, // of a batch: leaves with eight balls each fill two batches of balls
    /// Nodes of the tree that wait: the children of a batch, on every level.
    ABUT_BALL_STACK = ABUT_BALL_NODES * 8 * 17
};

/// The shape that plays the points.
typedef struct AbutBallSide
{
    const AbutPointHull* hull;
    int side;            // of the pair
    AbutTransform frame; // of the balls in the frame of the pair
    double grow;         // added to radii, in the unit of the pair
    double error;        // coverage and protrusion, rounding of centers included
} AbutBallSide;

/// Bound of the displacement of a point of the balls relative to the other shape over a step: linear +
/// angular * |c - pivot|, and at most `most`.
typedef struct AbutBallTravel
{
    double linear, angular, most;
    AbutDVec3 pivot; // in the frame of the pair
} AbutBallTravel;

/// Balls that may touch.
typedef struct AbutBallTouches
{
    uint32_t count;
    uint32_t index[ABUT_PAIR_BATCH];
    float at[3][ABUT_PAIR_BATCH];
    float radius[ABUT_PAIR_BATCH];
    float travel[ABUT_PAIR_BATCH];
    float distance[ABUT_PAIR_BATCH]; // sample at the center
} AbutBallTouches;

typedef struct AbutBallSearch
{
    AbutPair* pair;
    const AbutHullSettings* settings;
    AbutBallSide balls;
    int other; // the side with the distance
    AbutBallTravel travel;
    double limit;   // of the distance between ball and solid, beyond the travel
    double least;   // lower bound of that distance over all balls so far
    bool is_broken; // samples differ by more than the slope that the shape promises
    AbutBallBounds bounds;
    AbutHullCounts counts;
    uint32_t next;        // ball, without the tree
    uint32_t stack_count; // nodes that wait
    uint32_t ball_count;  // of `waiting`
    uint32_t waiting[2 * ABUT_PAIR_BATCH];
    uint32_t stack[ABUT_BALL_STACK];
    AbutPairBatch batch, moved;
    float radius[ABUT_PAIR_BATCH], travels[ABUT_PAIR_BATCH], low[ABUT_PAIR_BATCH];
    uint32_t index[ABUT_PAIR_BATCH];
    AbutBallTouches touches;
} AbutBallSearch;

/// The balls of side `side` of a pair; `balls->hull` is NULL where its shape keeps none.
void abut_ball_side_make(const AbutPair* pair, int side, AbutBallSide* balls);

/// The displacement of B in the settings, for balls of this side.
AbutBallTravel abut_ball_travel_make(const AbutPair* pair, const AbutHullSettings* settings, int side);

/// Starts the search for balls whose distance is at most `limit` beyond their travel, by samples at the
/// corners. Restricts the errors of the pair to its region, and sets the slope of a broken formula. False:
/// the numbers are beyond those of float.
bool abut_ball_search_begin(AbutBallSearch* search, AbutPair* pair, const AbutHullSettings* settings,
                            const AbutBallSide* balls, double limit);

/// The next balls that may touch, in `touches`; 0 when there are no more.
uint32_t abut_ball_search_next(AbutBallSearch* search);

#endif
