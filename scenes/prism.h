/// @file prism.h (internal to scenes)
/// A mesh with walls along y and flat ends as an exact shape: its outline in double.
#ifndef ABUT_SCENES_PRISM_H
#define ABUT_SCENES_PRISM_H

#include <abut/mesh.h>
#include <abut/shape.h>

typedef struct ScenePrism ScenePrism;

/// From a mesh whose vertices stand at y = h or y = −h.
AbutResult scene_prism_create(const AbutMesh* mesh, ScenePrism** out);

/// After the shape's last owner. NULL is ignored.
void scene_prism_destroy(ScenePrism* prism);

/// A shape over the prism, which must outlive it.
AbutResult scene_prism_shape(ScenePrism* prism, AbutShape** out);

#endif
