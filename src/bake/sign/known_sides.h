/// @file known_sides.h
/// Triangles with a known inside and outside.
#ifndef ABUT_BAKE_SIGN_KNOWN_SIDES_H
#define ABUT_BAKE_SIGN_KNOWN_SIDES_H

#include "bake/sign/classifier.h"

/// Fills `sides` of the classifier.
AbutResult abut_sign_classifier_find_sides(AbutSignClassifier* classifier);

#endif
