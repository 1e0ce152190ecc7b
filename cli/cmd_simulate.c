// abut simulate: lets a scene run and writes what is seen of it.
#include "device_report.h"
#include "json.h"
#include "output.h"
#include "recording_write.h"
#include "simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_STEPS = 100000000,
    LEAST_SIDE = 400, // of a sheet of pictures
    MOST_SIDE = 8192
};

static void set_defaults(void* settings_pointer)
{
    SimulateSettings* settings = settings_pointer;
    settings->seconds = NAN;
    settings->step = NAN;
    settings->fps = 60.0;
    settings->megabytes = 1024;
    settings->disk_megabytes = 4096;
    settings->method = "automatic";
    settings->points = 400;
    settings->size[0] = 1600;
    settings->size[1] = 1100;
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

/// Before anything is simulated: the names of the files must say what they are, and their folders must be
/// there.
static ExitCode check_files(const SimulateSettings* settings)
{
    for (uint32_t i = 0; i < settings->outputs.count; ++i)
    {
        if (recording_format_of(settings->outputs.items[i]) == NULL)
        {
            return EXIT_USAGE;
        }
    }
    ExitCode code = settings->record == NULL
                        ? EXIT_DONE
                        : output_file_check("simulate: --record", settings->record, ".json");
    if (code == EXIT_DONE && settings->save != NULL)
    {
        code = output_file_check("simulate: --save", settings->save, ".json");
    }
    for (uint32_t i = 0; code == EXIT_DONE && i < settings->outputs.count; ++i)
    {
        code = output_file_check("simulate: -o", settings->outputs.items[i], NULL);
    }
    return code;
}

static ExitCode check_settings(const SimulateSettings* settings)
{
    if (strcmp(settings->method, "hull") == 0 &&
        (settings->record != NULL || settings->replay != NULL || settings->save != NULL))
    {
        message_error("simulate: files of scenes have no method; --method hull is for runs without --save, "
                      "--record and --replay");
        return EXIT_USAGE;
    }
    bool good = check_positive("seconds", settings->seconds) && check_positive("dt", settings->step) &&
                check_positive("fps", settings->fps);
    if (good && simulate_is_bullet(settings) && (settings->record != NULL || settings->save != NULL))
    {
        message_error(
            "--response bullet: scenes of files have responses of abut; leave out --record and --save");
        return EXIT_USAGE;
    }
    if (good && simulate_is_bullet(settings) && settings->device != NULL)
    {
        message_error("--response bullet: Bullet's own pairs are no work for devices; leave out --device");
        return EXIT_USAGE;
    }
    return good ? check_files(settings) : EXIT_USAGE;
}

static ExitCode print_summary(const SimulateSettings* settings, const SimulateJob* job,
                              const SimulateSummary* summary)
{
    const double energy = summary->kinetic + summary->potential + summary->elastic;
    if (!settings->common.json)
    {
        print_text(job->scene->title);
        printf(
            ": %" PRIu64 " steps, %.6g seconds, %u of %u bodies asleep, deepest overlap %.3g (at most %.3g), "
            "energy %.6g, hash %016" PRIx64 "\n",
            summary->steps, summary->seconds, summary->asleep, summary->dynamic,
            (double)summary->max_penetration, (double)summary->max_penetration_bound, energy, summary->hash);
        if (settings->profile)
        {
            simulate_print_profile(&summary->profile, summary->steps);
        }
        return EXIT_DONE;
    }
    char hash[32];
    snprintf(hash, sizeof(hash), "%016" PRIx64 "", summary->hash);
    cJSON* document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "scene", job->scene->title);
    cJSON_AddNumberToObject(document, "steps", (double)summary->steps);
    cJSON_AddNumberToObject(document, "seconds", summary->seconds);
    cJSON_AddStringToObject(document, "hash", hash);
    json_add_float(document, "max_penetration", summary->max_penetration);
    json_add_float(document, "max_penetration_bound", summary->max_penetration_bound);
    cJSON_AddNumberToObject(document, "energy", energy);
    cJSON_AddNumberToObject(document, "kinetic", summary->kinetic);
    cJSON_AddNumberToObject(document, "potential", summary->potential);
    cJSON_AddNumberToObject(document, "bodies", job->world->body_count);
    cJSON_AddNumberToObject(document, "dynamic", summary->dynamic);
    cJSON_AddNumberToObject(document, "asleep", summary->asleep);
    cJSON_AddNumberToObject(document, "frames", job->recording != NULL ? job->recording->frame_count : 0);
    cJSON_AddBoolToObject(document, "complete", !summary->interrupted);
    cJSON_AddNumberToObject(document, "wall_seconds", summary->wall_seconds);
    if (settings->profile)
    {
        cJSON_AddItemToObject(document, "profile", simulate_profile_json(&summary->profile));
    }
    return json_print(document);
}

static ExitCode print_replay(const SimulateSettings* settings, const SimulateSummary* summary,
                             uint64_t step_count)
{
    bool same = summary->first_difference == 0;
    if (settings->common.json)
    {
        cJSON* document = cJSON_CreateObject();
        cJSON_AddNumberToObject(document, "steps", (double)summary->steps);
        cJSON_AddBoolToObject(document, "same", same);
        cJSON_AddItemToObject(document, "first_difference",
                              same ? cJSON_CreateNull()
                                   : cJSON_CreateNumber((double)summary->first_difference));
        ExitCode code = json_print(document);
        return code != EXIT_DONE ? code : same ? EXIT_DONE : EXIT_ANSWER;
    }
    if (same)
    {
        print_text(settings->replay);
        printf(": all %" PRIu64 " steps have the recorded hashes\n", step_count);
        return EXIT_DONE;
    }
    print_text(settings->replay);
    printf(": step %" PRIu64 " of %" PRIu64 " is the first that differs: hash %016" PRIx64 "\n",
           summary->first_difference, step_count, summary->hash);
    return EXIT_ANSWER;
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

/// The scene again, with the hashes of the steps that were done.
static bool write_record(const SimulateJob* job, uint64_t step_count, const char* path)
{
    Scene record = *job->scene;
    record.hashes = job->hashes;
    record.hash_count = (uint32_t)step_count;
    return simulate_save_scene(&record, path);
}

static ExitCode run_job(const SimulateSettings* settings, SimulateJob* job)
{
    SimulateSummary summary;
    if (!simulate_run(job, &summary) ||
        (job->recording != NULL && !write_outputs(settings, job->recording)) ||
        (settings->record != NULL && !write_record(job, summary.steps, settings->record)))
    {
        return EXIT_INPUT;
    }
    if (summary.interrupted)
    {
        message_error("%s: stopped after %.6g of %.6g seconds; what is there is written", job->scene->title,
                      summary.seconds, (double)job->step_count * job->scene->step);
    }
    ExitCode code = settings->replay != NULL && !summary.interrupted
                        ? print_replay(settings, &summary, job->step_count)
                        : print_summary(settings, job, &summary);
    return summary.interrupted && code == EXIT_DONE ? EXIT_INTERRUPTED : code;
}

static ExitCode simulate(const SimulateSettings* settings, const Scene* scene, SceneWorld* world,
                         const SimulateEngine* engine)
{
    double steps =
        settings->replay != NULL ? scene->hash_count : fmax(1.0, round(scene->seconds / scene->step));
    if (!(steps <= (double)MOST_STEPS))
    {
        message_error("%s: %g seconds in steps of %g are more than %d steps", scene->title, scene->seconds,
                      scene->step, MOST_STEPS);
        return EXIT_USAGE;
    }
    Recording recording = { 0 };
    SimulateJob job = { .scene = scene,
                        .world = world,
                        .engine = engine,
                        .step_count = (uint64_t)steps,
                        .fps = settings->fps,
                        .recording = settings->outputs.count > 0 ? &recording : NULL,
                        .expected = settings->replay != NULL ? scene->hashes : NULL };
    job.hashes = settings->record != NULL ? malloc(job.step_count * sizeof(uint64_t)) : NULL;
    bool good = settings->record == NULL || job.hashes != NULL;
    if (!good)
    {
        message_error("%s: no memory for the hashes of %g steps", scene->title, steps);
    }
    good = good && (job.recording == NULL || simulate_begin_recording(scene, world, settings, &recording));
    ExitCode code = good ? run_job(settings, &job) : EXIT_INPUT;
    recording_destroy(&recording);
    free(job.hashes);
    return code;
}

static ExitCode simulate_by_engine(const SimulateSettings* settings, const Scene* scene, SceneWorld* world)
{
    if (!simulate_is_bullet(settings))
    {
        return simulate(settings, scene, world, NULL);
    }
    SimulateEngine engine;
    if (simulate_engine_bullet(scene, world, &engine) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    ExitCode code = simulate(settings, scene, world, &engine);
    engine.destroy(engine.state);
    return code;
}

/// Shows how far it is, and stops at an interrupt.
static bool show_preparation(void* progress, float done)
{
    progress_show(progress, done);
    return !simulate_interrupted();
}

static ExitCode make_world(const Session* session, const SimulateSettings* settings, const Scene* scene,
                           AbutDevice* device, SceneWorld* world)
{
    Progress progress = progress_start("preparing shapes");
    SceneWorldDef def = { .visuals = settings->outputs.count > 0,
                          .progress = show_preparation,
                          .progress_user = &progress,
                          .host = &session->host,
                          .device = device };
    AbutResult result = scene_world_create(&def, scene, world);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
    }
    return result == ABUT_OK ? EXIT_DONE : result == ABUT_CANCELLED ? EXIT_INTERRUPTED : EXIT_INPUT;
}

static ExitCode run_scene(const Session* session, const SimulateSettings* settings, const Scene* scene)
{
    if (settings->save != NULL)
    {
        return simulate_save_scene(scene, settings->save) ? EXIT_DONE : EXIT_INPUT;
    }
    AbutDevice* device;
    if (!device_open(settings->device, &session->host, &device))
    {
        return EXIT_INPUT;
    }
    simulate_catch_interrupt();
    SceneWorld world;
    ExitCode code = make_world(session, settings, scene, device, &world);
    if (code == EXIT_DONE)
    {
        code = simulate_by_engine(settings, scene, &world);
        scene_world_destroy(&world);
    }
    simulate_release_interrupt();
    abut_device_destroy(device);
    return code;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const SimulateSettings* settings = settings_pointer;
    if (settings->list)
    {
        return simulate_list_scenes(settings->common.json);
    }
    int expected = settings->replay != NULL ? 0 : 1;
    if (session->positionals->count != expected)
    {
        message_error("simulate: %s", expected == 1
                                          ? "a SCENE is missing; abut simulate --list tells what there is"
                                          : "--replay has a scene of its own; leave out the SCENE");
        return EXIT_USAGE;
    }
    Scene scene;
    ExitCode code = check_settings(settings);
    code = code == EXIT_DONE ? simulate_load_scene(session->positionals->items[0], settings, &scene) : code;
    if (code == EXIT_DONE)
    {
        code = run_scene(session, settings, &scene);
        scene_destroy(&scene);
    }
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
    { "response", 0, OPTION_CHOICE, offsetof(SimulateSettings, response), "impulse|penalty|bullet",
      "how contacts are answered (as the scene says); bullet: the solver of Bullet", 0, 0, 0 },
    { "method", 0, OPTION_CHOICE, offsetof(SimulateSettings, method), "automatic|hull",
      "contacts by the kinds of shapes (default), or by the point hulls of those\n"
      "with an end (docs/point_hulls.md)",
      0, 0, 0 },
    { "points", 0, OPTION_COUNT, offsetof(SimulateSettings, points), "N",
      "of --method hull: about so many balls for each shape (400)", 1, 1 << 20, 0 },
    { "device", 0, OPTION_TEXT, offsetof(SimulateSettings, device), "D",
      "part of the contacts of fields on a device (docs/gpu.md):\n" DEVICE_HELP, 0, 0, 0 },
    { "bodies", 0, OPTION_COUNT, offsetof(SimulateSettings, bodies), "N",
      "how many bodies fall, in scenes that let one choose", 1, UINT32_MAX, 0 },
    { "mesh", 0, OPTION_TEXT, offsetof(SimulateSettings, mesh), "FILE",
      "a mesh to take in scenes that let one choose", 0, 0, 0 },
    { "seed", 0, OPTION_COUNT, offsetof(SimulateSettings, seed), "N", "of what is random in a scene (0)", 0,
      UINT32_MAX, 0 },
    { "memory", 0, OPTION_COUNT, offsetof(SimulateSettings, megabytes), "MB",
      "of memory for bodies: more bodies are refused (1024)", 1, 1 << 20, 0 },
    { "disk", 0, OPTION_COUNT, offsetof(SimulateSettings, disk_megabytes), "MB",
      "of the recording, which is on disk beside FILE until it is written:\n"
      "of one that gets larger, every second frame is dropped (4096)",
      1, 1 << 24, 0 },
    { "size", 0, OPTION_SIZE, offsetof(SimulateSettings, size), "WxH",
      "pixels of a sheet of pictures (1600x1100)", LEAST_SIDE, MOST_SIDE, 0 },
    { "save", 0, OPTION_TEXT, offsetof(SimulateSettings, save), "FILE",
      "write the scene itself as a file, and do not simulate", 0, 0, 0 },
    { "record", 0, OPTION_TEXT, offsetof(SimulateSettings, record), "FILE",
      "write the scene and the hash of the state after each step", 0, 0, 0 },
    { "replay", 0, OPTION_TEXT, offsetof(SimulateSettings, replay), "FILE",
      "simulate what --record wrote and compare all hashes; exit with status 1\n"
      "and the first step that differs",
      0, 0, 0 },
    { "profile", 0, OPTION_FLAG, offsetof(SimulateSettings, profile), NULL,
      "print where the time went: phases of the steps, kinds of pairs", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_simulate = {
    .name = "simulate",
    .usage = "SCENE [-o FILE]... [options]",
    .summary = "let a scene run, and write it as a film or as numbers",
    .description =
        "Drops the bodies of a scene and lets them meet. SCENE is the name of one that comes with "
        "abut (--list), or a\n"
        "JSON file (docs/scenes.md has every key). The ending of FILE says what is written: .html "
        "a page that plays it in a\n"
        "browser, .glb animated glTF 2.0, .png a sheet of pictures, .csv poses, with energies in "
        "FILE.frames.csv and\n"
        "contacts in FILE.contacts.csv. Without -o the scene runs all the same, and a line tells "
        "what became of it. Ctrl-C\n"
        "writes what is there and ends with status 130.\n\n"
        "With --json: {\"scene\", \"steps\", \"seconds\", \"hash\", \"max_penetration\", "
        "\"max_penetration_bound\",\n\"energy\", \"kinetic\", \"potential\", "
        "\"bodies\", \"dynamic\", \"asleep\", \"frames\",\n\"complete\", \"wall_seconds\"}, with "
        "--profile \"profile\" {\"seconds\" of the phases,\n\"passes\", \"substeps\", \"pairs\" by "
        "kind}; with --replay {\"steps\", \"same\",\n"
        "\"first_difference\"}.",
    .examples = "  abut simulate pile -o pile.html\n"
                "  abut simulate pipe -o pipe.glb -o pipe.png\n"
                "  abut simulate scenes/dominoes.json -o dominoes.csv --fps 30\n"
                "  abut simulate bunny --mesh bunny.obj -o bunny.png\n"
                "  abut simulate pile --bodies 200 --save mine.json\n"
                "  abut simulate thousand --seconds 2 --json\n"
                "  abut simulate pile --seconds 1 --profile\n"
                "  abut simulate gears --seconds 0.1 --device cpu\n"
                "  abut simulate pile --record record.json --threads 2\n"
                "  abut simulate --replay record.json --threads 1\n",
    .options = options,
    .least_arguments = 0,
    .most_arguments = 1,
    .set_defaults = set_defaults,
    .run = run,
};
