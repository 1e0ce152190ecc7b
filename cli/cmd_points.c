// abut points: the point hull of a shape, balls that cover its surface.
#include "command.h"
#include "output.h"
#include "point_hull_output.h"

#include <stdio.h>

enum
{
    LEAST_SIDE = 300, // of the picture
    MOST_SIDE = 8192
};

typedef struct PointsSettings
{
    CommonSettings common;
    const char* output;
    const char* picture;
    double error;
    uint32_t points;
    uint32_t size[2];
    bool one_radius;
} PointsSettings;

static void set_defaults(void* settings_pointer)
{
    PointsSettings* settings = settings_pointer;
    settings->size[0] = 1000;
    settings->size[1] = 900;
}

static ExitCode check_settings(const PointsSettings* settings)
{
    if (!command_check_length("error", settings->error))
    {
        return EXIT_USAGE;
    }
    if (settings->points > 0 && settings->error > 0.0)
    {
        message_error("points: --points and --error both choose the size; give one of them");
        return EXIT_USAGE;
    }
    if (settings->output != NULL)
    {
        ExitCode code = output_file_check("points: -o", settings->output, POINT_HULL_ENDINGS);
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    return command_check_picture("points", settings->picture);
}

static bool is_made(AbutResult result)
{
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
    }
    return result == ABUT_OK;
}

/// False with a message.
static bool make_hull(const Session* session, const PointsSettings* settings, const char* text,
                      AbutPointHull** out)
{
    if (point_hull_is_block(text))
    {
        return is_made(abut_point_hull_load(text, &session->host, out));
    }
    AbutShape* shape = NULL;
    if (!command_load_distance(session, text, &shape))
    {
        return false;
    }
    AbutPointHullDef def = abut_point_hull_def();
    def.error = (float)settings->error;
    def.count = settings->points > 0 ? settings->points : def.count;
    def.one_radius = settings->one_radius;
    def.host = &session->host;
    progress_start("covering");
    AbutResult result = abut_point_hull_create(&def, shape, out);
    progress_end();
    abut_shape_destroy(shape);
    return is_made(result);
}

static ExitCode print_report(const PointsSettings* settings, const AbutPointHull* hull, double seconds)
{
    if (!settings->common.json)
    {
        point_hull_print(hull);
        printf("  time       %.3g s\n", seconds);
        return EXIT_DONE;
    }
    cJSON* document = cJSON_CreateObject();
    if (settings->output != NULL)
    {
        cJSON_AddStringToObject(document, "output", settings->output);
    }
    point_hull_add_json(document, hull);
    cJSON_AddNumberToObject(document, "seconds", seconds);
    return json_print(document);
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const PointsSettings* settings = settings_pointer;
    const char* text = session->positionals->items[0];
    AbutPointHull* hull = NULL;
    ExitCode code = check_settings(settings);
    if (code != EXIT_DONE)
    {
        return code;
    }
    double start = seconds_now();
    if (!make_hull(session, settings, text, &hull))
    {
        return EXIT_INPUT;
    }
    double seconds = seconds_now() - start;
    bool good = settings->output == NULL || point_hull_write(hull, settings->output);
    good = good && (settings->picture == NULL ||
                    point_hull_draw(hull, text, settings->picture, settings->size[0], settings->size[1]));
    code = good ? print_report(settings, hull, seconds) : EXIT_INPUT;
    abut_point_hull_destroy(hull);
    return code;
}

static const Option options[] = {
    { "output", 'o', OPTION_TEXT, offsetof(PointsSettings, output), "FILE",
      "the file to write: .points keeps the hull for abut points and collide;\n"
      ".obj, .ply and .stl have balls of triangles, .csv a line per ball",
      0, 0, 0 },
    { "points", 'n', OPTION_COUNT, offsetof(PointsSettings, points), "N", "about so many balls (1024)", 1,
      1u << 20, 0 },
    { "error", 0, OPTION_NUMBER, offsetof(PointsSettings, error), "E",
      "as many balls as cover the surface within E, instead of --points", 0, 0, 0 },
    { "one-radius", 0, OPTION_FLAG, offsetof(PointsSettings, one_radius), NULL,
      "all balls have one radius, not each as large as the solid allows", 0, 0, 0 },
    { "picture", 0, OPTION_TEXT, offsetof(PointsSettings, picture), "PNG",
      "draw the balls: small ones warm, large ones cold", 0, 0, 0 },
    { "size", 0, OPTION_SIZE, offsetof(PointsSettings, size), "WxH", "pixels of the picture (1000x900)",
      LEAST_SIDE, MOST_SIDE, 0 },
    COMMON_OPTIONS,
};

const Command command_points = {
    .name = "points",
    .usage = "SHAPE [-o FILE] [options]",
    .summary = "balls that cover the surface of a shape",
    .description = "Makes the point hull of SHAPE: balls inside of it that cover its surface with a proved "
                   "error, for\n"
                   "abut collide --method hull. Denser where the surface bends more. A SHAPE that ends in "
                   ".points is a hull\n"
                   "that was made before. docs/point_hulls.md has more.\n\n"
                   "With --json: {\"output\", \"points\", \"error\", \"min_radius\", \"max_radius\", "
                   "\"bounds\", \"nodes\",\n"
                   "\"bytes\", \"seconds\"}.",
    .examples = "  abut points torus:1,0.3 -o torus.points\n"
                "  abut points bunny.obj@64 --error 0.006 --picture bunny.png\n"
                "  abut points cone:0.5,1 -n 200 --one-radius -o balls.obj\n"
                "  abut points part.abut --error 0.008 --json\n",
    .options = options,
    .least_arguments = 1,
    .most_arguments = 1,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
