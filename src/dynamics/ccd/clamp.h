/// @file clamp.h
/// Continuous collision: the fraction of its motion that each body may complete.
#ifndef ABUT_DYNAMICS_CCD_CLAMP_H
#define ABUT_DYNAMICS_CCD_CLAMP_H

#include "dynamics/state/step_context.h"

/// Clamps the motions of a pass that would leave the bounds of detection, close contacts too far, or lead
/// core points into another solid.
void abut_ccd_clamp_motions(const AbutStepContext* step);

#endif
