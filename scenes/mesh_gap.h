/// @file mesh_gap.h (internal to scenes)
/// Two surfaces of triangles in double, triangle by triangle: whether they cross, and how far they are apart.
#ifndef ABUT_SCENES_MESH_GAP_H
#define ABUT_SCENES_MESH_GAP_H

#include "scenes/double3.h"

#include <abut/mesh.h>

typedef struct SceneSurface SceneSurface;

/// NULL when there is no memory.
SceneSurface* scene_surface_create(const AbutMesh* mesh);
void scene_surface_destroy(SceneSurface* surface);

/// Distance between the surfaces, the second one posed, when it is less than `most`; else `most`. 0 when
/// triangles cross or touch.
double scene_surface_gap(const SceneSurface* a, const SceneSurface* b, const SceneRigid* pose_b, double most);

#endif
