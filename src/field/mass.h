/// @file mass.h
/// Volume, centre and inertia of the solid of a field.
#ifndef ABUT_FIELD_MASS_H
#define ABUT_FIELD_MASS_H

#include "field/field.h"

/// Integrated over the cells: whole bricks where the bounds decide, fractions of cells where the surface cuts
/// them. Same bytes for any worker count.
AbutResult abut_field_integrate(const AbutShape* field, const AbutHost* host, AbutMassData* out);

/// True when a solid can have this mass: volume over 0, finite numbers, and a symmetric inertia without
/// negative principal moments beyond rounding.
bool abut_field_mass_is_solid(const AbutMassData* mass);

#endif
