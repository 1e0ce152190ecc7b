// abut sweep: when a moving shape first touches another, and while its points do.
#include "sweep.h"
#include "sweep_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LEAST_SIDE = 300, // of the picture
    MOST_SIDE = 8192,
    MOST_POINTS = 1 << 24
};

static void set_defaults(void* settings_pointer)
{
    SweepSettings* settings = settings_pointer;
    settings->budget = abut_toi_settings().budget;
    settings->rotation[0] = NAN;
    settings->size[0] = 1000;
    settings->size[1] = 900;
}

/// An option that makes sense with points alone, and was given; NULL for none.
static const char* points_option(const SweepSettings* settings)
{
    const struct
    {
        bool given;
        const char* name;
    } options[] = { { settings->points > 0, "points" }, { settings->spacing > 0.0, "spacing" },
                    { settings->vertices, "vertices" }, { settings->side != NULL, "side" },
                    { settings->linear, "linear" },     { settings->intervals, "intervals" } };
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); ++i)
    {
        if (options[i].given)
        {
            return options[i].name;
        }
    }
    return NULL;
}

static AbutToiMethod choose_method(const SweepSettings* settings)
{
    bool points =
        settings->method != NULL ? strcmp(settings->method, "points") == 0 : points_option(settings) != NULL;
    return points ? ABUT_TOI_POINTS : ABUT_TOI_SOLIDS;
}

static bool check_points(const SweepSettings* settings)
{
    const char* option = points_option(settings);
    if (option != NULL && choose_method(settings) == ABUT_TOI_SOLIDS)
    {
        message_error("sweep: --%s is of points, and --method solids needs none; leave one of them out",
                      option);
        return false;
    }
    int forms =
        (settings->points > 0 ? 1 : 0) + (settings->spacing > 0.0 ? 1 : 0) + (settings->vertices ? 1 : 0);
    if (forms > 1)
    {
        message_error("sweep: --points, --spacing and --vertices each say which points; give one of them");
        return false;
    }
    return true;
}

static bool check_motion(const SweepSettings* settings)
{
    bool ends = settings->from != NULL || settings->to != NULL;
    if (settings->motions != NULL && ends)
    {
        message_error("sweep: --motions and --from, --to both say how B moves; give one of them");
        return false;
    }
    if (settings->motions == NULL && settings->to == NULL && isnan(settings->rotation[0]))
    {
        message_error("sweep: how does B move? Give --from POSE --to POSE, --turn X,Y,Z, or --motions FILE");
        return false;
    }
    return true;
}

static bool check_settings(const SweepSettings* settings)
{
    if (settings->common.json && settings->csv)
    {
        message_error("sweep: --json and --csv both say how to write; give one of them");
        return false;
    }
    return check_motion(settings) && check_points(settings) &&
           command_check_length("tolerance", settings->tolerance) &&
           command_check_length("spacing", settings->spacing);
}

/// The first motion of the job, which is answered.
static bool draw_picture(const Session* session, const SweepJob* job)
{
    const SweepMotion* motion = &job->motions->items[0];
    SweepScene scene = {
        .names = { session->positionals->items[0], session->positionals->items[1] },
        .input = job->input,
        .output = job->answers[0].output,
        .intervals = job->answers[0].intervals,
    };
    scene.input.pose_b = motion->start;
    scene.input.motion_b = motion->motion;
    return sweep_picture_save(&scene, job->settings->picture, job->settings->size[0], job->settings->size[1],
                              &session->host);
}

static ExitCode sweep_all(const Session* session, SweepJob* job)
{
    bool good = sweep_answer(session, job);
    if (good && job->summary.invalid == 0 && job->settings->picture != NULL)
    {
        good = draw_picture(session, job);
    }
    if (!good || job->summary.invalid > 0)
    {
        return EXIT_INPUT;
    }
    return job->settings->fail && job->summary.touching > 0 ? EXIT_ANSWER : EXIT_DONE;
}

static ExitCode sweep(const Session* session, const SweepSettings* settings, AbutShape* const shapes[2],
                      const MotionList* motions)
{
    SweepJob job = { .settings = settings,
                     .input = abut_toi_input(shapes[0], shapes[1]),
                     .motions = motions };
    AbutToiSettings* query = &job.input.settings;
    query->method = choose_method(settings);
    query->tolerance = (float)settings->tolerance;
    query->budget = settings->budget;
    query->linear = settings->linear;
    bool points = query->method == ABUT_TOI_POINTS;
    job.intervals = points && (settings->intervals || settings->picture != NULL);
    bool good = !points || sweep_points_make(session, settings, shapes, &job.points);
    job.input.points_a = job.points.of[0];
    job.input.points_b = job.points.of[1];
    ExitCode code = good ? sweep_all(session, &job) : EXIT_INPUT;
    sweep_job_free(&job);
    sweep_points_free(&job.points);
    return code;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const SweepSettings* settings = settings_pointer;
    MotionList motions = { 0 };
    AbutShape* shapes[2] = { NULL, NULL };
    ExitCode code = check_settings(settings) ? command_check_picture("sweep", settings->picture) : EXIT_USAGE;
    code = code == EXIT_DONE ? sweep_motions_load(settings, &motions) : code;
    if (code == EXIT_DONE &&
        !command_check_one_picture("sweep", settings->picture, settings->motions, motions.count))
    {
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE)
    {
        bool loaded = command_load_distance(session, session->positionals->items[0], &shapes[0]) &&
                      command_load_distance(session, session->positionals->items[1], &shapes[1]);
        code = loaded ? sweep(session, settings, shapes, &motions) : EXIT_INPUT;
    }
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
    free(motions.items);
    return code;
}

static const Option options[] = {
    { "from", 0, OPTION_TEXT, offsetof(SweepSettings, from), "POSE",
      "where B starts in the frame of A: x,y,z[,qx,qy,qz,qw[,scale]]", 0, 0, 0 },
    { "to", 0, OPTION_TEXT, offsetof(SweepSettings, to), "POSE",
      "where it ends; it turns the shortest way (default: where it starts)", 0, 0, 0 },
    { "motions", 0, OPTION_TEXT, offsetof(SweepSettings, motions), "FILE",
      "two poses per line instead, start and end; - is standard input", 0, 0, 0 },
    { "turn", 0, OPTION_NUMBERS, offsetof(SweepSettings, rotation), "X,Y,Z",
      "turn by this rotation vector (axis times radians, in the frame of A)\n"
      "instead of the shortest way; any number of turns",
      0, 0, 3 },
    { "center", 0, OPTION_NUMBERS, offsetof(SweepSettings, center), "X,Y,Z",
      "the point of B, in its own frame, that moves straight while B turns\n"
      "about it (0,0,0)",
      0, 0, 3 },
    { "method", 0, OPTION_CHOICE, offsetof(SweepSettings, method), "solids|points",
      "solids: solid against solid (default); points: points of each against\n"
      "the other (default with an option of points)",
      0, 0, 0 },
    { "points", 0, OPTION_COUNT, offsetof(SweepSettings, points), "N",
      "points: about N even samples of each surface (4096)", 1, MOST_POINTS, 0 },
    { "spacing", 0, OPTION_NUMBER, offsetof(SweepSettings, spacing), "S",
      "points: so many that no place of a surface is further than S from one", 0, 0, 0 },
    { "vertices", 0, OPTION_FLAG, offsetof(SweepSettings, vertices), NULL,
      "points: the vertices of a SHAPE that is a mesh with a resolution", 0, 0, 0 },
    { "side", 0, OPTION_CHOICE, offsetof(SweepSettings, side), "a|b|both",
      "points: whose points are swept against the other (both)", 0, 0, 0 },
    { "linear", 0, OPTION_FLAG, offsetof(SweepSettings, linear), NULL,
      "points: straight from start to end, as in Xu and Barbic, not as B turns", 0, 0, 0 },
    { "intervals", 0, OPTION_FLAG, offsetof(SweepSettings, intervals), NULL,
      "points: while each of them is in the other solid", 0, 0, 0 },
    { "tolerance", 0, OPTION_NUMBER, offsetof(SweepSettings, tolerance), "T",
      "nearer than this counts as touching (1e-3 of the smaller shape)", 0, 0, 0 },
    { "budget", 0, OPTION_COUNT, offsetof(SweepSettings, budget), "N", "samples before giving up (1048576)",
      1, UINT32_MAX, 0 },
    { "fail", 0, OPTION_FLAG, offsetof(SweepSettings, fail), NULL,
      "exit with status 1 unless all motions are proved to be free", 0, 0, 0 },
    { "picture", 0, OPTION_TEXT, offsetof(SweepSettings, picture), "PNG",
      "draw the way of B, the touch, and when they touch", 0, 0, 0 },
    { "size", 0, OPTION_SIZE, offsetof(SweepSettings, size), "WxH", "pixels of the picture (1000x900)",
      LEAST_SIDE, MOST_SIDE, 0 },
    { "csv", 0, OPTION_FLAG, offsetof(SweepSettings, csv), NULL,
      "print a table with a line per motion, or per interval, and a header", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_sweep = {
    .name = "sweep",
    .usage = "A B --from POSE --to POSE | --motions FILE [options]",
    .summary = "when a moving shape first touches another",
    .description =
        "B moves from one pose to another in the frame of A: straight, turning at a constant rate, from time "
        "0 to\n"
        "1. For each motion prints a line: its number, the state (hit: proved free before the time that "
        "follows;\n"
        "miss: proved free all along; overlap: they touch at the start; budget: proved free until the time "
        "that\n"
        "follows, not known after it), the place of the first touch and the normal of B there, in the frame "
        "of A.\n"
        "Nothing passes through anything, however thin, fast or spinning. With --intervals also how many "
        "points\n"
        "touch, which first and which longest; --csv and --json have all of them. docs/sweep.md has more.\n\n"
        "With --json: {\"method\", \"points_a\", \"points_b\": {\"count\", \"spacing\"}, \"motions\": "
        "[{\"state\", "
        "\"time\",\n"
        "\"touch_time\", \"position\", \"normal\", \"gap\", \"intervals\": [{\"point\", \"side\", \"place\", "
        "\"begin\", "
        "\"end\"}],\n"
        "\"evaluations\"}], \"seconds\"}.",
    .examples =
        "  abut sweep box:2,0.01,2 sphere:0.1 --from 0,5,0 --to 0,-5,0\n"
        "  abut sweep torus:1,0.3 box:0.2,0.6,0.2 --from 1,2,0 --to 1,-2,0 --turn 0,0,6 --picture sweep.png\n"
        "  abut sweep part.abut part.abut --motions motions.txt --fail\n"
        "  abut sweep plane part.obj@64 --from 0,1,0 --to 0,-1,0 --vertices --intervals --csv > "
        "contacts.csv\n"
        "  abut sweep gear@96 sphere:0.1 --from 0,2,0 --to 0,-2,0 --points 1000 --intervals --json\n"
        "  abut sweep gear@192 gear@192 --from 1.05,0,0,0,0.0784591,0,0.9969173 --turn 0,0.2,0\n",
    .options = options,
    .least_arguments = 2,
    .most_arguments = 2,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
