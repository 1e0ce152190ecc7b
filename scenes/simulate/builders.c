#include "scenes/simulate/builders.h"

#include "scenes/simulate/build.h"

#include <string.h>

static const SceneBuilder builders[] = {
    { "pile", "a heap of bowls, bunnies, gears, cups, rings, ...", true, true, scene_build_pile },
    { "pipe", "balls roll through a winding pipe into a bowl", true, false, scene_build_pipe },
    { "statue", "a statue and a ring fall on hills", false, true, scene_build_statue },
    { "objects", "many different things fall on hills", true, false, scene_build_objects },
    { "bunny", "a bunny falls on a fixed one", false, true, scene_build_bunny },
    { "bowl", "a thin bowl falls on a fixed one", false, true, scene_build_bowl },
    { "dragon", "a dragon falls on a fixed one", false, true, scene_build_dragon },
    { "nut", "a nut spins down its bolt", false, false, scene_build_nut },
    { "peg", "a peg slides into its hole", false, false, scene_build_peg },
    { "gears", "a gear drives another", false, false, scene_build_gears },
    { "chain", "a chain of rings hangs between its ends", true, false, scene_build_chain },
    { "cards", "cards fall on each other, and a ball on them", true, false, scene_build_cards },
    { "heap", "a heap of boxes, capsules, balls and convex hulls", true, false, scene_build_heap },
    { "thousand", "a heap of a thousand bodies", true, false, scene_build_thousand },
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
