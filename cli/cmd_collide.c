// abut collide: whether two shapes touch, where, and how far they are apart otherwise, with a proof.
#include "collide.h"
#include "device_report.h"
#include "pair_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LEAST_SIDE = 300, // of the picture
    MOST_SIDE = 8192
};

/// Words of --method: all methods of the library.
static char method_names[256];

static void list_methods(void)
{
    size_t length = 0;
    for (int i = 0; i < ABUT_COLLIDE_METHOD_COUNT && length < sizeof(method_names); ++i)
    {
        length += (size_t)snprintf(method_names + length, sizeof(method_names) - length, "%s%s",
                                   i > 0 ? "|" : "", abut_collide_method_name((AbutCollideMethod)i));
    }
}

/// The method of a name, which is one of `method_names`.
static AbutCollideMethod find_method(const char* name)
{
    int method = 0;
    while (method + 1 < ABUT_COLLIDE_METHOD_COUNT &&
           strcmp(name, abut_collide_method_name((AbutCollideMethod)method)) != 0)
    {
        ++method;
    }
    return (AbutCollideMethod)method;
}

static void set_defaults(void* settings_pointer)
{
    CollideSettings* settings = settings_pointer;
    AbutCollideSettings defaults = abut_collide_settings();
    list_methods();
    settings->method = abut_collide_method_name(defaults.method);
    settings->reduce = NOT_REDUCED;
    settings->budget = defaults.budget;
    settings->size[0] = 1000;
    settings->size[1] = 900;
    settings->resolution = defaults.particles.resolution;
    settings->steps = defaults.particles.steps;
    settings->relaxation = (double)defaults.particles.relaxation;
    settings->points_of = "both";
}

static bool check_settings(const CollideSettings* settings)
{
    if (settings->common.json && settings->csv)
    {
        message_error("collide: --json and --csv both say how to write; give one of them");
        return false;
    }
    if (settings->pose != NULL && settings->poses != NULL)
    {
        message_error("collide: --pose and --poses both say where B stands; give one of them");
        return false;
    }
    AbutCollideMethod method = find_method(settings->method);
    if (settings->device != NULL && strcmp(settings->device, "cpu") != 0 &&
        method != ABUT_COLLIDE_PARTICLES && method != ABUT_COLLIDE_ADAPTIVE &&
        method != ABUT_COLLIDE_AUTOMATIC)
    {
        message_error("collide: --device serves --method particles and adaptive; for other methods there is "
                      "the processor");
        return false;
    }
    if (!(settings->relaxation > 0.0 && settings->relaxation < 2.0))
    {
        message_error("--relaxation is %g; it must be over 0 and under 2", settings->relaxation);
        return false;
    }
    if (settings->points > 0 && settings->hull_error > 0.0)
    {
        message_error("collide: --points and --error both choose the size of point hulls; give one of them");
        return false;
    }
    return command_check_length("error", settings->hull_error) &&
           command_check_length("tolerance", settings->tolerance) &&
           command_check_length("margin", settings->margin) &&
           command_check_length("spacing", settings->spacing);
}

static AbutCollideSettings query_settings(const CollideSettings* settings)
{
    AbutCollideSettings query = abut_collide_settings();
    query.method = find_method(settings->method);
    query.tolerance = (float)settings->tolerance;
    query.margin = (float)settings->margin;
    query.spacing = (float)settings->spacing;
    query.budget = settings->budget;
    query.measure_depth = settings->depth;
    query.particles.resolution = settings->resolution;
    query.particles.steps = settings->steps;
    query.particles.relaxation = (float)settings->relaxation;
    query.particles.quasi_random = settings->quasi_random;
    query.particles.one_per_voxel = settings->one_per_voxel;
    query.particles.max_contacts = settings->deepest;
    query.hull.corners = !settings->no_corners;
    query.hull.tree = !settings->no_tree;
    query.hull.correct = !settings->no_correct;
    query.hull.linear =
        abut_vec3((float)settings->linear[0], (float)settings->linear[1], (float)settings->linear[2]);
    query.hull.angular =
        abut_vec3((float)settings->angular[0], (float)settings->angular[1], (float)settings->angular[2]);
    return query;
}

/// Shapes of the method hull get theirs; infinite ones never play the points. @return false after a message.
static bool attach_hull(const Session* session, const CollideSettings* settings, AbutShape* shape,
                        const char* refused)
{
    if (find_method(settings->method) != ABUT_COLLIDE_HULL || strcmp(settings->points_of, refused) == 0 ||
        !abut_box_is_finite(abut_shape_info(shape).bounds))
    {
        return true;
    }
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = (float)settings->hull_error;
    def.count = settings->points > 0 ? settings->points : def.count;
    def.host = &session->host;
    progress_start("covering");
    bool good = abut_point_hull_create(&def, shape, &hull) == ABUT_OK &&
                abut_point_hull_attach(hull, shape) == ABUT_OK;
    progress_end();
    abut_point_hull_destroy(hull);
    if (!good)
    {
        message_error("%s", abut_last_error());
    }
    return good;
}

/// The first pose of the job, which is answered.
static bool draw_picture(const Session* session, const CollideJob* job, const AbutPose* pose)
{
    const CollideSettings* settings = job->settings;
    PairScene scene = {
        .shapes = { job->input.shape_a, job->input.shape_b },
        .names = { session->positionals->items[0], session->positionals->items[1] },
        .pose_b = *pose,
        .settings = job->input.settings,
        .output = job->answers[0].output,
        .contacts = job->answers[0].contacts,
        .distance = job->answers[0].has_distance ? &job->answers[0].distance : NULL,
    };
    return pair_picture_save(&scene, settings->picture, settings->size[0], settings->size[1], &session->host);
}

static ExitCode collide(const Session* session, const CollideSettings* settings, const AbutShape* a,
                        const AbutShape* b, const PoseList* poses)
{
    CollideJob job = { .settings = settings, .input = abut_collide_input(a, b), .poses = poses };
    job.input.settings = query_settings(settings);
    bool good = collide_answer(session, &job);
    const CollideSummary summary = job.summary;
    if (good && summary.invalid == 0 && settings->picture != NULL)
    {
        good = draw_picture(session, &job, &poses->items[0]);
    }
    collide_job_free(&job);
    if (!good || summary.invalid > 0)
    {
        return EXIT_INPUT;
    }
    return settings->fail && summary.touching > 0 ? EXIT_ANSWER : EXIT_DONE;
}

/// What the method needs of both shapes before the first query.
static bool prepare(const CollideSettings* settings, AbutShape* a, AbutShape* b)
{
    if (abut_collide_prepare(find_method(settings->method), a, b) == ABUT_OK)
    {
        return true;
    }
    message_error("%s", abut_last_error());
    return false;
}

static ExitCode load_poses(const CollideSettings* settings, PoseList* list)
{
    if (settings->poses != NULL)
    {
        return poses_read(settings->poses, 1, list) ? EXIT_DONE : EXIT_INPUT;
    }
    AbutPose pose;
    return command_parse_pose("pose", settings->pose, &pose) && poses_add(list, &pose) ? EXIT_DONE
                                                                                       : EXIT_USAGE;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const CollideSettings* settings = settings_pointer;
    PoseList poses = { 0 };
    AbutShape *a = NULL, *b = NULL;
    ExitCode code =
        check_settings(settings) ? command_check_picture("collide", settings->picture) : EXIT_USAGE;
    code = code == EXIT_DONE ? load_poses(settings, &poses) : code;
    if (code == EXIT_DONE &&
        !command_check_one_picture("collide", settings->picture, settings->poses, poses.count))
    {
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE)
    {
        bool loaded = command_load_distance(session, session->positionals->items[0], &a) &&
                      command_load_distance(session, session->positionals->items[1], &b) &&
                      attach_hull(session, settings, a, "b") && attach_hull(session, settings, b, "a") &&
                      prepare(settings, a, b);
        code = loaded ? collide(session, settings, a, b, &poses) : EXIT_INPUT;
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    free(poses.items);
    return code;
}

static const Option options[] = {
    { "pose", 0, OPTION_TEXT, offsetof(CollideSettings, pose), "POSE",
      "where B stands in the frame of A: x,y,z[,qx,qy,qz,qw[,scale]]", 0, 0, 0 },
    { "poses", 0, OPTION_TEXT, offsetof(CollideSettings, poses), "FILE",
      "a pose of B per line instead; - is standard input", 0, 0, 0 },
    { "method", 0, OPTION_CHOICE, offsetof(CollideSettings, method), method_names,
      "automatic: by the kinds of A and B (default); adaptive: branch and\n"
      "bound, for all kinds; particles: as in Krayer et al.; gjk: convex\n"
      "shapes; bvh: the triangles of two mesh(...); terrain: balls and\n"
      "capsules on heightfields; v-clip, lin-canny: features of two convex\n"
      "hulls; primitives: closed forms; mesh-field: triangles of a mesh(...)\n"
      "in the distance of a field; swift: hulls of the convex patches of\n"
      "two closed mesh(...), cinder: edges in the parity of images, closed,\n"
      "too, cullide: visibility in images; hull: balls that cover one in the\n"
      "distance of the other (docs/methods.md)",
      0, 0, 0 },
    { "tolerance", 0, OPTION_NUMBER, offsetof(CollideSettings, tolerance), "T",
      "how fine to look before the answer is \"close\"; how near particles\n"
      "must come (1e-3 of the smaller shape)",
      0, 0, 0 },
    { "margin", 0, OPTION_NUMBER, offsetof(CollideSettings, margin), "M",
      "report contacts across gaps of up to M, too (0)", 0, 0, 0 },
    { "spacing", 0, OPTION_NUMBER, offsetof(CollideSettings, spacing), "S",
      "at most one contact per cube of size S (1/24 of the smaller shape)", 0, 0, 0 },
    { "reduce", 0, OPTION_COUNT, offsetof(CollideSettings, reduce), "K",
      "keep K contacts, the deepest and the widest support; 0: do not look\n"
      "for contacts, which is faster",
      0, COLLIDE_MOST_REDUCED, 0 },
    { "depth", 0, OPTION_FLAG, offsetof(CollideSettings, depth), NULL,
      "penetration depth of each contact: how far A must move along its\n"
      "normal, within a proved error, and the length that both share there",
      0, 0, 0 },
    { "distance", 0, OPTION_FLAG, offsetof(CollideSettings, distance), NULL,
      "bounds of the distance of solids that are apart, and where they are\n"
      "nearest",
      0, 0, 0 },
    { "budget", 0, OPTION_COUNT, offsetof(CollideSettings, budget), "N",
      "samples of each shape before giving up (1048576)", 1, UINT32_MAX, 0 },
    { "n", 'n', OPTION_COUNT, offsetof(CollideSettings, resolution), "N",
      "particles: along a side of an even box (10)", 1, 256, 0 },
    { "steps", 0, OPTION_COUNT, offsetof(CollideSettings, steps), "N", "particles: steps of each at most (8)",
      1, 65536, 0 },
    { "relaxation", 0, OPTION_NUMBER, offsetof(CollideSettings, relaxation), "W",
      "particles: factor of a step, over 0 and under 2 (1)", 0, 0, 0 },
    { "quasi-random", 0, OPTION_FLAG, offsetof(CollideSettings, quasi_random), NULL,
      "particles: start from a low-discrepancy sequence, not a grid", 0, 0, 0 },
    { "one-per-voxel", 0, OPTION_FLAG, offsetof(CollideSettings, one_per_voxel), NULL,
      "particles: the deepest contact of each cube of the spacing", 0, 0, 0 },
    { "deepest", 0, OPTION_COUNT, offsetof(CollideSettings, deepest), "K",
      "particles: the K deepest contacts; 0: all (0)", 0, COLLIDE_MOST_REDUCED, 0 },
    { "points", 0, OPTION_COUNT, offsetof(CollideSettings, points), "N",
      "hull: about so many balls for each shape (1024)", 1, 1u << 20, 0 },
    { "error", 0, OPTION_NUMBER, offsetof(CollideSettings, hull_error), "E",
      "hull: as many balls as cover a surface within E, instead of --points", 0, 0, 0 },
    { "points-of", 0, OPTION_CHOICE, offsetof(CollideSettings, points_of), "both|a|b",
      "hull: who may play the points; of both the one with the smaller error", 0, 0, 0 },
    { "no-corners", 0, OPTION_FLAG, offsetof(CollideSettings, no_corners), NULL,
      "hull: without the rejection of balls by eight samples", 0, 0, 0 },
    { "no-tree", 0, OPTION_FLAG, offsetof(CollideSettings, no_tree), NULL,
      "hull: without the sphere tree of the balls", 0, 0, 0 },
    { "no-correct", 0, OPTION_FLAG, offsetof(CollideSettings, no_correct), NULL,
      "hull: without the correction of formulas that are too steep", 0, 0, 0 },
    { "linear", 0, OPTION_NUMBERS, offsetof(CollideSettings, linear), "X,Y,Z",
      "hull: displacement of B in the coming step; contacts ahead of it", 0, 0, 3 },
    { "angular", 0, OPTION_NUMBERS, offsetof(CollideSettings, angular), "X,Y,Z",
      "hull: its rotation vector in that step, about its origin", 0, 0, 3 },
    { "device", 0, OPTION_TEXT, offsetof(CollideSettings, device), "D",
      "of two fields, by --method particles or adaptive: " DEVICE_HELP, 0, 0, 0 },
    { "fail", 0, OPTION_FLAG, offsetof(CollideSettings, fail), NULL,
      "exit with status 1 unless all poses are proved to be separated", 0, 0, 0 },
    { "picture", 0, OPTION_TEXT, offsetof(CollideSettings, picture), "PNG",
      "draw the pair in a plane through the deepest contact", 0, 0, 0 },
    { "size", 0, OPTION_SIZE, offsetof(CollideSettings, size), "WxH", "pixels of the picture (1000x900)",
      LEAST_SIDE, MOST_SIDE, 0 },
    { "csv", 0, OPTION_FLAG, offsetof(CollideSettings, csv), NULL,
      "print a table with a line per contact and a header line", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_collide = {
    .name = "collide",
    .usage = "A B [--pose POSE | --poses FILE] [options]",
    .summary = "whether two shapes touch, and where",
    .description = "Divides the space that both shapes may occupy until every part is proved clear, or a "
                   "point is found\n"
                   "in both. For each pose of B prints a line: its number, the state (separated: proved, "
                   "with the least\n"
                   "gap; contact: proved; close: within the tolerance and the error of fields; budget: not "
                   "decided; none found:\n"
                   "by particles, which prove nothing), and a line per contact: position, normal (outward "
                   "of B), separation\n"
                   "(negative: how deep), in the frame of A. docs/contacts.md has more.\n\n"
                   "With --json: {\"method\", \"pairs\": [{\"state\", \"gap\", \"uncertainty\", "
                   "\"contacts\": [{\"position\", "
                   "\"normal\",\n"
                   "\"separation\", \"depth\", \"depth_error\", \"shared\", \"anchor_a\", \"anchor_b\", "
                   "\"id\"}],\n"
                   "\"contact_total\", \"reduction\": {\"kept\", \"left_out\", \"force_change\", "
                   "\"torque_change\"},\n"
                   "\"spacing\", \"evaluations\", \"distance\": {\"low\", \"high\", \"point_a\", "
                   "\"point_b\"}}], \"seconds\"}.\n"
                   "With --method hull also \"hull\" of a pair: \"points\", \"removed_by_corners\", "
                   "\"removed_by_tree\",\n"
                   "\"sampled_nodes\", \"sampled\", \"touching\", \"slope\".\n"
                   "Depths with --depth: \"depth_error\" is null where no bound is proved.",
    .examples =
        "  abut collide sphere:0.5 box:1,1,1 --pose 0.9,0,0\n"
        "  abut collide box:2,1,2 plane --reduce 4\n"
        "  abut collide part.abut part.abut --poses poses.txt --reduce 0 --fail\n"
        "  abut collide gear@96 gear@96 --poses turns.txt --csv > contacts.csv\n"
        "  abut collide torus:0.5,0.02 torus:0.5,0.02 --pose 0.5,0,0,0.7071,0,0,0.7071 --json\n"
        "  abut collide plane bunny.obj@64 --pose 0,-0.03,0 --margin 0.01\n"
        "  abut collide torus:1,0.3 capsule:0.1,1 --pose 2,0.3,0 --distance\n"
        "  abut collide box:1,0.1,1 box:4,4,4 --pose 0,1.5,0 --depth --reduce 1\n"
        "  abut collide torus:1,0.3 sphere:0.5 --method particles -n 10\n"
        "  abut collide torus:1,0.3 box:1,1,1 --pose 0.9,0.2,0 --method hull --error 0.02 --reduce 4\n"
        "  abut collide torus:1,0.3 sphere:0.5 --pose 1,0.6,0 --picture touch.png\n"
        "  abut collide gear@64 gear@64 --method particles --device cpu\n",
    .options = options,
    .least_arguments = 2,
    .most_arguments = 2,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
