/// @file project_motion.h
/// Projection of motions that are blocked from the start.
#ifndef ABUT_DYNAMICS_CCD_PROJECT_MOTION_H
#define ABUT_DYNAMICS_CCD_PROJECT_MOTION_H

#include "dynamics/state/step_context.h"

/// Removes from motions the share that leads into a blocking solid. True when a motion changed: times of
/// impact are to be found anew.
bool abut_ccd_project_motions(const AbutStepContext* step);

#endif
