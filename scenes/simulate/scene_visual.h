/// @file scene_visual.h (internal to scenes)
/// Surfaces to draw shapes with.
#ifndef ABUT_SCENES_SCENE_LOOK_H
#define ABUT_SCENES_SCENE_LOOK_H

#include <abut/mesh.h>
#include <abut/shape.h>

typedef struct SceneVisualInput
{
    const char* text;       ///< SHAPE
    const char* visual;     ///< SHAPE to draw instead, or NULL
    const AbutShape* shape; ///< what it became
    const AbutMesh* mesh;   ///< what it was baked from, or NULL
    float extent;           ///< half the side of the square that is drawn of a shape without end
    const AbutHost* host;
} SceneVisualInput;

/// Primitives become meshes with sharp edges, meshes that are small stay as they are, everything else is the
/// surface of the distance in a few thousand triangles.
AbutResult scene_visual_create(const SceneVisualInput* input, AbutMesh** out);

#endif
