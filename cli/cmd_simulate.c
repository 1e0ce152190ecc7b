// abut simulate: lets a scene run and writes what is seen of it.
#include "json.h"
#include "recording_write.h"
#include "scenes/simulate/builders.h"
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_STEPS = 100000000
};

static void set_defaults(void* settings_pointer)
{
    SimulateSettings* settings = settings_pointer;
    settings->response = "impulse";
    settings->seconds = NAN;
    settings->step = NAN;
    settings->fps = 60.0;
    settings->megabytes = 1024;
}

static bool check_positive(const char* option, double value)
{
    if (isnan(value) || value > 0.0)
    {
        return true;
    }
    message_error("--%s is %g; it must be over 0", option, value);
    return false;
}

/// Before anything is simulated: the names of the files must say what they are.
static bool check_settings(const SimulateSettings* settings)
{
    for (uint32_t i = 0; i < settings->outputs.count; ++i)
    {
        if (recording_format_of(settings->outputs.items[i]) == NULL)
        {
            return false;
        }
    }
    return check_positive("seconds", settings->seconds) && check_positive("dt", settings->step) &&
           check_positive("fps", settings->fps);
}

static ExitCode list_scenes(bool json)
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
            printf("%-12s%s%s%s\n", builder->name, builder->summary,
                   builder->takes_bodies ? " [--bodies]" : "", builder->takes_mesh ? " [--mesh]" : "");
        }
    }
    return json ? json_print(names) : EXIT_DONE;
}

static ExitCode load_scene(const char* text, const SimulateSettings* settings, Scene* out)
{
    const SceneBuilder* builder = scene_find_builder(text);
    if (builder == NULL)
    {
        message_error("%s: no scene of that name; abut simulate --list tells what there is", text);
        return EXIT_INPUT;
    }
    SceneOptions options = { settings->bodies, settings->mesh, settings->seed };
    if (scene_build(builder, &options, out) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

static bool apply_settings(const SimulateSettings* settings, Scene* scene)
{
    scene->seconds = isnan(settings->seconds) ? scene->seconds : settings->seconds;
    scene->step = isnan(settings->step) ? scene->step : settings->step;
    scene->substeps = settings->substeps > 0 ? settings->substeps : scene->substeps;
    if (scene->seconds / scene->step <= (double)MOST_STEPS)
    {
        return true;
    }
    message_error("%s: %g seconds in steps of %g are more than %d steps", scene->title, scene->seconds,
                  scene->step, MOST_STEPS);
    return false;
}

static ExitCode print_summary(const SimulateSettings* settings, const Recording* recording,
                              const SimulateSummary* summary)
{
    if (!settings->common.json)
    {
        printf("%s: %llu steps, %.6g seconds, %u of %u bodies asleep, deepest overlap %.3g, energy %.6g, "
               "hash %016llx\n",
               recording->title, (unsigned long long)summary->steps, summary->seconds, summary->asleep,
               summary->dynamic, (double)summary->deepest, summary->kinetic + summary->potential,
               (unsigned long long)summary->hash);
        return EXIT_DONE;
    }
    char hash[32];
    snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)summary->hash);
    cJSON* document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "scene", recording->title);
    cJSON_AddNumberToObject(document, "steps", (double)summary->steps);
    cJSON_AddNumberToObject(document, "seconds", summary->seconds);
    cJSON_AddStringToObject(document, "hash", hash);
    json_add_float(document, "max_penetration", summary->deepest);
    cJSON_AddNumberToObject(document, "energy", summary->kinetic + summary->potential);
    cJSON_AddNumberToObject(document, "kinetic", summary->kinetic);
    cJSON_AddNumberToObject(document, "potential", summary->potential);
    cJSON_AddNumberToObject(document, "bodies", recording->body_count);
    cJSON_AddNumberToObject(document, "dynamic", summary->dynamic);
    cJSON_AddNumberToObject(document, "asleep", summary->asleep);
    cJSON_AddNumberToObject(document, "frames", recording->frame_count);
    cJSON_AddBoolToObject(document, "complete", !summary->interrupted);
    cJSON_AddNumberToObject(document, "wall_seconds", summary->wall_seconds);
    return json_print(document);
}

static bool write_outputs(const SimulateSettings* settings, const Recording* recording)
{
    bool good = true;
    for (uint32_t i = 0; i < settings->outputs.count; ++i)
    {
        const char* path = settings->outputs.items[i];
        good = recording_format_of(path)->write(recording, path) && good;
    }
    return good;
}

static ExitCode simulate(const SimulateSettings* settings, const Scene* scene, SceneWorld* world)
{
    Recording recording;
    SimulateSummary summary;
    bool good = simulate_begin_recording(scene, world, (size_t)settings->megabytes << 20, &recording) &&
                simulate_run(scene, world, settings->fps, &recording, &summary);
    ExitCode code = EXIT_INPUT;
    if (good && write_outputs(settings, &recording))
    {
        code = print_summary(settings, &recording, &summary);
        if (summary.interrupted)
        {
            message_error("%s: stopped after %.6g of %.6g seconds; what is there is written", scene->title,
                          summary.seconds, scene->seconds);
            code = EXIT_INTERRUPTED;
        }
    }
    recording_destroy(&recording);
    return code;
}

/// Shows how far it is, and stops at an interrupt.
static bool show_preparation(void* progress, float done)
{
    progress_show(progress, done);
    return !simulate_interrupted();
}

static ExitCode make_world(const Session* session, const Scene* scene, SceneWorld* world)
{
    Progress progress = progress_start("preparing shapes");
    SceneWorldDef def = {
        .looks = true, .progress = show_preparation, .progress_user = &progress, .host = &session->host
    };
    AbutResult result = scene_world_create(&def, scene, world);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
    }
    return result == ABUT_OK ? EXIT_DONE : result == ABUT_CANCELLED ? EXIT_INTERRUPTED : EXIT_INPUT;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const SimulateSettings* settings = settings_pointer;
    if (settings->list)
    {
        return list_scenes(settings->common.json);
    }
    if (session->positionals->count == 0)
    {
        message_error("simulate: a SCENE is missing; abut simulate --list tells what there is");
        return EXIT_USAGE;
    }
    if (!check_settings(settings))
    {
        return EXIT_USAGE;
    }
    Scene scene;
    ExitCode code = load_scene(session->positionals->items[0], settings, &scene);
    if (code != EXIT_DONE)
    {
        return code;
    }
    simulate_catch_interrupt();
    SceneWorld world;
    code = apply_settings(settings, &scene) ? make_world(session, &scene, &world) : EXIT_USAGE;
    if (code == EXIT_DONE)
    {
        code = simulate(settings, &scene, &world);
        scene_world_destroy(&world);
    }
    simulate_release_interrupt();
    scene_destroy(&scene);
    return code;
}

static const Option options[] = {
    { "output", 'o', OPTION_TEXTS, offsetof(SimulateSettings, outputs), "FILE",
      "where to write, by the ending of its name; may be given several times", 0, 0, 0 },
    { "list", 0, OPTION_FLAG, offsetof(SimulateSettings, list), NULL, "list the scenes that come with abut",
      0, 0, 0 },
    { "seconds", 0, OPTION_NUMBER, offsetof(SimulateSettings, seconds), "S",
      "how long to simulate (as the scene says)", 0, 0, 0 },
    { "dt", 0, OPTION_NUMBER, offsetof(SimulateSettings, step), "D", "seconds of a step (as the scene says)",
      0, 0, 0 },
    { "substeps", 0, OPTION_COUNT, offsetof(SimulateSettings, substeps), "N",
      "substeps of a step (as the scene says)", 1, 64, 0 },
    { "fps", 0, OPTION_NUMBER, offsetof(SimulateSettings, fps), "N",
      "frames per second that are written, at most one per step (60)", 0, 0, 0 },
    { "bodies", 0, OPTION_COUNT, offsetof(SimulateSettings, bodies), "N",
      "how many bodies fall, in scenes that let one choose", 1, UINT32_MAX, 0 },
    { "mesh", 0, OPTION_TEXT, offsetof(SimulateSettings, mesh), "FILE",
      "a mesh to take in scenes that let one choose", 0, 0, 0 },
    { "seed", 0, OPTION_COUNT, offsetof(SimulateSettings, seed), "N", "of what is random in a scene (0)", 0,
      UINT32_MAX, 0 },
    { "memory", 0, OPTION_COUNT, offsetof(SimulateSettings, megabytes), "MB",
      "of the recording; past it every second frame is dropped (1024)", 1, 1 << 20, 0 },
    COMMON_OPTIONS,
};

const Command command_simulate = {
    .name = "simulate",
    .usage = "SCENE [-o FILE]... [options]",
    .summary = "let a scene run, and write it as a film or as numbers",
    .description = "Drops the bodies of a scene and lets them meet. SCENE is the name of one that comes "
                   "with abut (--list).",
    .examples = "  abut simulate pile -o pile.csv\n"
                "  abut simulate pile --bodies 200 --seconds 8 -o pile.csv --json\n",
    .options = options,
    .least_arguments = 0,
    .most_arguments = 1,
    .set_defaults = set_defaults,
    .run = run,
};
