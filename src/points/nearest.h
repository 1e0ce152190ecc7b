/// @file nearest.h
/// The least distance of two points of a set.
#ifndef ABUT_POINTS_NEAREST_H
#define ABUT_POINTS_NEAREST_H

#include "points/points.h"

/// Distance of the two nearest points of a finished set.
float abut_points_min_distance(const AbutPointSet* points);

#endif
