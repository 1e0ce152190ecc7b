#include "json.h"
#include "output.h"
#include "scenes/simulate/builders.h"
#include "scenes/simulate/scene_file.h"
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_BODIES = 1 << 20,
    /// Of a body of the scene, the world, its contacts and some frames: an estimate that keeps the promise of
    /// --memory.
    BYTES_PER_BODY = 4096
};

static uint32_t body_limit(const SimulateSettings* settings)
{
    uint64_t fitting = ((uint64_t)settings->megabytes << 20) / BYTES_PER_BODY;
    return fitting < MOST_BODIES ? (uint32_t)fitting : MOST_BODIES;
}

/// The names of all scenes, for a hint.
static const char* closest_scene(const char* text)
{
    const char* names[64] = { NULL };
    size_t count = 0;
    for (const SceneBuilder* builder = scene_builders(); builder->name != NULL && count < 63; ++builder)
    {
        names[count++] = builder->name;
    }
    return options_closest(text, names);
}

static bool looks_like_file(const char* text)
{
    size_t length = strlen(text);
    return strchr(text, '/') != NULL || (length > 5 && strcmp(text + length - 5, ".json") == 0);
}

static ExitCode fail_unknown_scene(const char* text)
{
    const char* closest = closest_scene(text);
    message_error("%s: no scene has this name%s%s%s; abut simulate --list tells what there is, and a scene "
                  "file ends in .json",
                  text, closest != NULL ? ", did you mean " : "", closest != NULL ? closest : "",
                  closest != NULL ? "?" : "");
    return EXIT_INPUT;
}

static ExitCode build_scene(const SceneBuilder* builder, const SimulateSettings* settings, Scene* out)
{
    if (settings->bodies > body_limit(settings))
    {
        message_error("%s: %u bodies take more than the %u MB of --memory, which are enough for %u",
                      builder->name, settings->bodies, settings->megabytes, body_limit(settings));
        return EXIT_INPUT;
    }
    SceneOptions options = { settings->bodies, settings->mesh, settings->seed };
    AbutResult result = scene_build(builder, &options, out);
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
    }
    return result == ABUT_OK ? EXIT_DONE : result == ABUT_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_INPUT;
}

static ExitCode load_file(const char* path, const SimulateSettings* settings, Scene* out)
{
    if (settings->bodies > 0 || settings->mesh != NULL)
    {
        message_error("%s: --bodies and --mesh are for scenes that come with abut; change the file", path);
        return EXIT_USAGE;
    }
    if (scene_load(path, body_limit(settings), out) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

/// A record has all settings in it.
static ExitCode check_replay(const SimulateSettings* settings, const Scene* scene)
{
    if (!isnan(settings->seconds) || !isnan(settings->step) || settings->substeps > 0 ||
        settings->response != NULL || settings->record != NULL)
    {
        message_error("--replay: the record says how it was made; --seconds, --dt, --substeps, --response "
                      "and --record are for new ones");
        return EXIT_USAGE;
    }
    if (scene->hash_count == 0)
    {
        message_error("%s: has no hashes, so there is nothing to compare with; --record writes them",
                      settings->replay);
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

bool simulate_is_bullet(const SimulateSettings* settings)
{
    return settings->response != NULL && strcmp(settings->response, "bullet") == 0;
}

static void apply_settings(const SimulateSettings* settings, Scene* scene)
{
    scene->seconds = isnan(settings->seconds) ? scene->seconds : settings->seconds;
    scene->step = isnan(settings->step) ? scene->step : settings->step;
    scene->substeps = settings->substeps > 0 ? settings->substeps : scene->substeps;
    scene->hull_points = strcmp(settings->method, "hull") == 0 ? settings->points : 0;
    for (int i = 0; i < ABUT_RESPONSE_COUNT && settings->response != NULL; ++i)
    {
        bool same = strcmp(settings->response, abut_response_name((AbutResponse)i)) == 0;
        scene->response = same ? (AbutResponse)i : scene->response;
    }
}

ExitCode simulate_load_scene(const char* text, const SimulateSettings* settings, Scene* out)
{
    if (settings->replay != NULL)
    {
        ExitCode code = load_file(settings->replay, settings, out);
        if (code == EXIT_DONE && (code = check_replay(settings, out)) != EXIT_DONE)
        {
            scene_destroy(out);
        }
        return code;
    }
    const SceneBuilder* builder = scene_find_builder(text);
    if (builder == NULL && !looks_like_file(text))
    {
        return fail_unknown_scene(text);
    }
    ExitCode code = builder != NULL ? build_scene(builder, settings, out) : load_file(text, settings, out);
    if (code == EXIT_DONE)
    {
        apply_settings(settings, out);
    }
    return code;
}

ExitCode simulate_list_scenes(bool json)
{
    cJSON* names = json ? cJSON_CreateArray() : NULL;
    for (const SceneBuilder* builder = scene_builders(); builder->name != NULL; ++builder)
    {
        if (json)
        {
            cJSON* item = cJSON_CreateObject();
            cJSON_AddStringToObject(item, "name", builder->name);
            cJSON_AddStringToObject(item, "summary", builder->summary);
            cJSON_AddItemToArray(names, item);
        }
        else
        {
            printf("%-10s%s%s%s\n", builder->name, builder->summary,
                   builder->takes_bodies ? " [--bodies]" : "", builder->takes_mesh ? " [--mesh]" : "");
        }
    }
    return json ? json_print(names) : EXIT_DONE;
}

bool simulate_save_scene(const Scene* scene, const char* path)
{
    OutputFile file;
    if (!output_file_open(&file, path))
    {
        return false;
    }
    scene_write(scene, file.stream);
    return output_file_commit(&file);
}
