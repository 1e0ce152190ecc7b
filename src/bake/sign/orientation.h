/// @file orientation.h
/// Components that face inward.
#ifndef ABUT_BAKE_SIGN_ORIENTATION_H
#define ABUT_BAKE_SIGN_ORIENTATION_H

#include "bake/sign/classifier.h"

/// Finds components that face inward and loose sheets, and fills `flipped` and `surrounds`.
AbutResult abut_sign_classifier_orient(AbutSignClassifier* classifier, const AbutBorder* border);

#endif
