#include "scenes/simulate/builders.h"

#include "scenes/simulate/build.h"

#include <string.h>

static const SceneBuilder builders[] = {
    { "pile", "a heap of bowls, rings, gears and bones, dropped one on the other", true, true,
      scene_build_pile },
    { NULL, NULL, false, false, NULL },
};

const SceneBuilder* scene_builders(void)
{
    return builders;
}

const SceneBuilder* scene_find_builder(const char* name)
{
    for (const SceneBuilder* builder = builders; builder->name != NULL; ++builder)
    {
        if (strcmp(builder->name, name) == 0)
        {
            return builder;
        }
    }
    return NULL;
}

AbutResult scene_build(const SceneBuilder* builder, const SceneOptions* options, Scene* out)
{
    if (options->bodies > 0 && !builder->takes_bodies)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: the number of its bodies is fixed", builder->name);
    }
    if (options->mesh != NULL && !builder->takes_mesh)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: takes no mesh", builder->name);
    }
    scene_init(out, builder->name);
    builder->build(out, options);
    AbutResult result = scene_check(out);
    if (result != ABUT_OK)
    {
        scene_destroy(out);
    }
    return result;
}
