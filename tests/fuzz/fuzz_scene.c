// Scene files of any bytes: a scene or a message, and a scene that is written reads back.
#include "scenes/simulate/scene_file.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// What is read from what was written must be as many shapes and bodies.
static void check_round_trip(const Scene* scene)
{
    char* text = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    if (stream == NULL || !scene_write(scene, stream))
    {
        abort();
    }
    fclose(stream);
    Scene again;
    SceneText input = { "again.json", text, size, NULL, scene->body_limit };
    if (scene_parse(&input, &again) != ABUT_OK || again.body_count != scene->body_count ||
        again.shape_count != scene->shape_count || again.hash_count != scene->hash_count)
    {
        abort();
    }
    scene_destroy(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    enum
    {
        BODY_LIMIT = 64
    };
    Scene scene;
    SceneText input = { "fuzz.json", (const char*)data, size, "/nowhere", BODY_LIMIT };
    if (scene_parse(&input, &scene) == ABUT_OK)
    {
        check_round_trip(&scene);
        scene_destroy(&scene);
    }
    return 0;
}
