/// @file mass.h
/// Mass properties of shapes.
#ifndef ABUT_DYNAMICS_STATE_MASS_H
#define ABUT_DYNAMICS_STATE_MASS_H

#include <abut/dynamics.h>

/// abut_shape_mass(), cached for the last shape: new bodies often share one. Updates
/// AbutWorld.inscribed_radius.
AbutResult abut_world_mass(AbutWorld* world, AbutShape* shape, AbutMassData* out);

#endif
