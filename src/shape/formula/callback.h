/// @file callback.h
/// Signs of functions of the caller.
#ifndef ABUT_SHAPE_FORMULA_CALLBACK_H
#define ABUT_SHAPE_FORMULA_CALLBACK_H

#include "shape/shape.h"

/// Distances without gradients in the shape's frame, for their signs: with infinite ones of functions, which
/// all other queries replace by NaN.
void abut_shape_sample_signs(const AbutShape* shape, AbutPoints points, size_t count, float* distance);

#endif
