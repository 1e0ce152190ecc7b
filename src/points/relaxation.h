/// @file relaxation.h
/// Dart throwing and relaxation of samples on triangles.
#ifndef ABUT_POINTS_RELAXATION_H
#define ABUT_POINTS_RELAXATION_H

#include "points/sampler.h"

/// Throws samples at random that keep a distance from those on the same side.
AbutResult abut_sampler_throw_darts(AbutSampler* sampler);

/// Where its neighbours push a sample that is on the surface.
AbutSurfaceSample abut_sampler_repel(const AbutSampler* sampler, const AbutSurfaceSample* sample);

/// A round of repulsion along the surface.
AbutResult abut_sampler_relax(AbutSampler* sampler);

#endif
