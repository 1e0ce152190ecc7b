/// @file candidates.h
/// A ball for every cell of a surface, as large as the solid allows there.
#ifndef ABUT_POINTS_HULL_CANDIDATES_H
#define ABUT_POINTS_HULL_CANDIDATES_H

#include "points/hull/cover.h"

/// balls[i] covers cell i; a radius under 0 means that none was found.
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_hull_candidates(const AbutHullCells* cells, double error, AbutArena* arena,
                                AbutHullBall* balls);

/// The same with one radius for all. Returns the count of cells without a ball.
AbutResult abut_hull_candidates_of_radius(const AbutHullCells* cells, double error, double radius,
                                          AbutArena* arena, AbutHullBall* balls, uint32_t* missing);

#endif
