/// @file mass.h
/// Mass properties of shapes.
#ifndef ABUT_DYNAMICS_STATE_MASS_H
#define ABUT_DYNAMICS_STATE_MASS_H

#include <abut/dynamics.h>

/// Volume, centre and inertia. @return ABUT_INVALID_ARGUMENT for an infinite shape or one without volume.
AbutResult abut_dynamics_mass(const AbutShape* shape, const AbutHost* host, AbutMassData* out);

/// The same, cached for the last shape: new bodies often share one. Updates AbutWorld.inscribed_radius.
AbutResult abut_world_mass(AbutWorld* world, AbutShape* shape, AbutMassData* out);

#endif
