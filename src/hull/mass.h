/// @file mass.h
/// Volume, centre and inertia of a hull.
#ifndef ABUT_HULL_MASS_H
#define ABUT_HULL_MASS_H

#include "hull/hull.h"

/// With density 1; all zero for a hull of dimension under 3.
AbutMassData abut_hull_mass(const AbutHull* hull);

#endif
