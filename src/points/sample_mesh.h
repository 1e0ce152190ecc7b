/// @file sample_mesh.h
/// Point sets of meshes: spacing, samples, and the set.
#ifndef ABUT_POINTS_SAMPLE_MESH_H
#define ABUT_POINTS_SAMPLE_MESH_H

#include "points/sampler.h"

/// ABUT_OK for a valid def.
AbutResult abut_points_check_def(const AbutPointsDef* def);

/// Darts, relaxation and cover for the sampler's spacing. Earlier samples are dropped.
AbutResult abut_sampler_generate(AbutSampler* sampler);

/// A spacing that gives about so many samples: by area, or by length where there is none.
double abut_sampler_spacing_for(const AbutSampler* sampler, double count);

/// Samples for the spacing of the def, or for its count.
AbutResult abut_sampler_sample(AbutSampler* sampler);

/// The samples as a set.
AbutResult abut_sampler_create_points(AbutSampler* sampler, AbutPointSet** out);

#endif
