/// @file inscribed_radius.h
/// Thickness of solids.
#ifndef ABUT_DYNAMICS_STATE_INSCRIBED_RADIUS_H
#define ABUT_DYNAMICS_STATE_INSCRIBED_RADIUS_H

#include <abut/shape.h>

/// Radius of the largest ball inside a solid, approximate; infinite for infinite shapes.
double abut_shape_inscribed_radius(const AbutShape* shape);

#endif
