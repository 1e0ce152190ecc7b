// Scene files of any bytes: a scene or a message, and a scene that is written reads back.
#include "scenes/simulate/scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// Whatever was accepted can be shown: UTF-8 without control characters.
static void check_text(const char* text)
{
    for (size_t left = text != NULL ? strlen(text) : 0, length = 0; left > 0; left -= length, text += length)
    {
        uint32_t code = 0;
        length = abut_utf8_decode(text, left, &code);
        if (length == 0 || abut_utf8_is_control(code))
        {
            abort();
        }
    }
}

static void check_texts(const Scene* scene)
{
    check_text(scene->title);
    for (uint32_t i = 0; i < scene->shape_count; ++i)
    {
        check_text(scene->shapes[i].name);
        check_text(scene->shapes[i].text);
        check_text(scene->shapes[i].visual);
    }
    for (uint32_t i = 0; i < scene->body_count; ++i)
    {
        check_text(scene->bodies[i].name);
    }
}

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
        check_texts(&scene);
        check_round_trip(&scene);
        scene_destroy(&scene);
    }
    else
    {
        check_text(abut_last_error());
    }
    return 0;
}
