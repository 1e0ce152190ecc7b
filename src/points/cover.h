/// @file cover.h
/// Points added where the surface is too far from all others.
#ifndef ABUT_POINTS_COVER_H
#define ABUT_POINTS_COVER_H

#include "points/sampler.h"

/// Adds samples until every point of every triangle is within the spacing of one.
AbutResult abut_sampler_cover(AbutSampler* sampler);

#endif
