/// @file builders.h
/// The scenes that come with abut, by name.
#ifndef ABUT_SCENES_BUILDERS_H
#define ABUT_SCENES_BUILDERS_H

#include "scenes/simulate/scene.h"

/// What a builder may be asked for.
typedef struct SceneOptions
{
    uint32_t bodies; ///< how many things fall, where a scene lets one choose; 0: as many as it usually has
    const char*
        /// file of a closed mesh to take instead of the generated one, where a scene lets one choose; may be
        /// NULL
        mesh;
    uint32_t seed; ///< of what is random; 0 is a seed too
} SceneOptions;

typedef struct SceneBuilder
{
    const char* name;
    const char* summary;                                      ///< one line
    bool takes_bodies;                                        ///< SceneOptions.bodies counts
    bool takes_mesh;                                          ///< SceneOptions.mesh counts
    void (*build)(Scene* scene, const SceneOptions* options); ///< adds to an empty scene
} SceneBuilder;

/// All of them; ends with a builder without a name.
const SceneBuilder* scene_builders(void);

/// NULL when there is none of that name.
const SceneBuilder* scene_find_builder(const char* name);

/// @return ABUT_INVALID_ARGUMENT for options that the builder does not take, or what scene_check() returns.
/// The scene is to be destroyed only when this succeeds.
AbutResult scene_build(const SceneBuilder* builder, const SceneOptions* options, Scene* out);

#endif
