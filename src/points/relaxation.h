/// @file relaxation.h
/// Dart throwing and relaxation of samples on triangles.
#ifndef ABUT_POINTS_RELAXATION_H
#define ABUT_POINTS_RELAXATION_H

#include "points/sampler.h"

/// Throws random samples that keep a distance from those on the same side.
AbutResult abut_sampler_throw_darts(AbutSampler* sampler);

/// A sample on the surface after the repulsion of its neighbours.
AbutSurfaceSample abut_sampler_repel(const AbutSampler* sampler, const AbutSurfaceSample* sample);

/// An iteration of repulsion along the surface.
AbutResult abut_sampler_relax(AbutSampler* sampler);

#endif
