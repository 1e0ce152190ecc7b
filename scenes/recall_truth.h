/// @file recall_truth.h (internal to scenes)
/// Poses near touching, and how far the solids of a scene are apart.
#ifndef ABUT_SCENES_RECALL_TRUTH_H
#define ABUT_SCENES_RECALL_TRUTH_H

#include "scenes/mesh_gap.h"
#include "scenes/prism.h"
#include "scenes/random.h"
#include "scenes/recall.h"

typedef struct RecallTruth
{
    RecallKind kind;
    AbutMesh* meshes[2]; // of gears
    SceneSurface* surfaces[2];
    ScenePrism* prisms[2];
    double gear_distance; // of their axes when they mesh
    double gear_pitch;    // angle from tooth to tooth of B
} RecallTruth;

/// B in the frame of A, in units of A's frame.
SceneRigid recall_truth_relative(const AbutPose* pose_a, const AbutPose* pose_b);

/// Distance, or minus the shortest way apart; for gears that overlap 0.
double recall_truth_gap(const RecallTruth* truth, const SceneRigid* b);

/// True for gears when some move that is no longer than `limit` parts them.
bool recall_truth_is_shallow(const RecallTruth* truth, const SceneRigid* b, double limit);

/// A pose of B, A at rest.
AbutPose recall_truth_pose(const RecallTruth* truth, SceneRandom* random);

#endif
