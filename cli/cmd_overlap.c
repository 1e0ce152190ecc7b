// abut overlap: overlapping triangles of meshes, in image space.
#include "command.h"
#include "json.h"
#include "output.h"
#include "picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_MESHES = 9,
    GAP = 12, // pixels between the panels of the picture
    LEAST_SIDE = 160,
    MOST_SIDE = 8192
};

typedef struct OverlapSettings
{
    CommonSettings common;
    const char* method;
    const char* axes;
    const char* picture;
    TextList poses;
    uint32_t resolution;
    uint32_t slabs;
    uint32_t rounds;
    uint32_t size[2];
    bool self;
    bool list;
} OverlapSettings;

typedef struct Scene
{
    AbutMesh* meshes[MOST_MESHES];
    AbutPose poses[MOST_MESHES];
    uint32_t count;
    AbutImageSet* set;
    AbutImageSettings settings;
} Scene;

static void set_defaults(void* settings_pointer)
{
    OverlapSettings* settings = settings_pointer;
    AbutImageSettings image = abut_image_settings();
    settings->method = "cullide";
    settings->axes = "z";
    settings->resolution = image.resolution;
    settings->slabs = image.slabs;
    settings->rounds = image.rounds;
    settings->size[0] = 1128;
    settings->size[1] = 384;
}

static uint32_t parse_axes(const char* axes)
{
    uint32_t sum = 0;
    sum |= strchr(axes, 'x') != NULL ? ABUT_IMAGE_X : 0;
    sum |= strchr(axes, 'y') != NULL ? ABUT_IMAGE_Y : 0;
    return sum | (strchr(axes, 'z') != NULL ? ABUT_IMAGE_Z : 0);
}

static ExitCode check_settings(const Session* session, const OverlapSettings* settings)
{
    uint32_t count = (uint32_t)session->positionals->count;
    bool is_cinder = strcmp(settings->method, "cinder") == 0;
    if (settings->self ? count != 1 : count < 2)
    {
        message_error("overlap: %s",
                      settings->self ? "--self takes one mesh" : "two meshes at least, or --self");
        return EXIT_USAGE;
    }
    if (is_cinder && count != 2)
    {
        message_error("overlap: --method cinder takes two meshes");
        return EXIT_USAGE;
    }
    if (settings->poses.count >= count)
    {
        message_error("overlap: %" PRIu32 " poses for %" PRIu32 " meshes; the first mesh has none",
                      settings->poses.count, count);
        return EXIT_USAGE;
    }
    return settings->picture != NULL ? command_check_picture("overlap", settings->picture) : EXIT_DONE;
}

// -----------------------------------------------------------------------------------------------------------
// The scene
// -----------------------------------------------------------------------------------------------------------

static ExitCode load_mesh(const Session* session, const OverlapSettings* settings, uint32_t i, Scene* scene)
{
    AbutParsedShape loaded;
    if (!command_load_shape(session, session->positionals->items[i], &loaded))
    {
        return EXIT_INPUT;
    }
    abut_shape_destroy(loaded.shape);
    scene->meshes[i] = loaded.mesh;
    scene->count = i + 1;
    if (loaded.mesh == NULL)
    {
        message_error("overlap: %s is no mesh; abut surface makes one of a shape",
                      session->positionals->items[i]);
        return EXIT_USAGE;
    }
    const char* pose = i > 0 && i <= settings->poses.count ? settings->poses.items[i - 1] : NULL;
    return command_parse_pose("--pose", pose, &scene->poses[i]) ? EXIT_DONE : EXIT_USAGE;
}

static ExitCode load_scene(const Session* session, const OverlapSettings* settings, Scene* scene)
{
    for (uint32_t i = 0; i < (uint32_t)session->positionals->count; ++i)
    {
        ExitCode code = load_mesh(session, settings, i, scene);
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    scene->settings = abut_image_settings();
    scene->settings.resolution = settings->resolution;
    scene->settings.axes = parse_axes(settings->axes);
    scene->settings.slabs = settings->slabs;
    scene->settings.rounds = settings->rounds;
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = (const AbutMesh* const*)scene->meshes;
    def.mesh_count = scene->count;
    def.host = &session->host;
    if (abut_image_set_create(&def, &scene->set) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

static void destroy_scene(Scene* scene)
{
    abut_image_set_destroy(scene->set);
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        abut_mesh_destroy(scene->meshes[i]);
    }
}

// -----------------------------------------------------------------------------------------------------------
// The picture: depth images of the first two meshes, and pixels where their depths overlap
// -----------------------------------------------------------------------------------------------------------

typedef struct Panels
{
    uint32_t resolution;
    float* depths[4]; // nearest and farthest of both
    float low, high;  // of all depths
} Panels;

/// The box of all meshes, in the frame of the first.
static AbutBox scene_box(const Scene* scene)
{
    AbutBox box = abut_box_empty();
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        AbutPose relative = abut_pose_relative(&scene->poses[0], &scene->poses[i]);
        box = abut_box_union(box, abut_pose_transform_box(&relative, abut_mesh_bounds(scene->meshes[i])));
    }
    return box;
}

static bool draw_depths(const Scene* scene, Panels* panels)
{
    size_t count = (size_t)panels->resolution * panels->resolution;
    AbutBox box = scene_box(scene);
    panels->low = INFINITY;
    panels->high = -INFINITY;
    for (uint32_t i = 0; i < 2; ++i)
    {
        uint32_t object = i < scene->count ? i : 0;
        AbutImageDrawing drawing = { object, box, panels->depths[2 * i], panels->depths[2 * i + 1] };
        if (abut_image_draw(scene->set, &scene->settings, scene->poses, &drawing) != ABUT_OK)
        {
            return false;
        }
        for (size_t k = 0; k < count; ++k)
        {
            bool is_empty = drawing.nearest[k] > drawing.farthest[k];
            panels->low = is_empty ? panels->low : fminf(panels->low, drawing.nearest[k]);
            panels->high = is_empty ? panels->high : fmaxf(panels->high, drawing.farthest[k]);
        }
    }
    return true;
}

/// The colour of a pixel: panels 0 and 1 have a mesh each, bright where it is near; 2 has both, and red where
/// their intervals overlap.
static Color pixel_color(const Panels* panels, int panel, size_t k)
{
    static const Color tints[2] = { { 70, 130, 235 }, { 240, 160, 60 } };
    const float* const* d = (const float* const*)panels->depths;
    bool has[2] = { d[0][k] <= d[1][k], d[2][k] <= d[3][k] };
    if (panel == 2 && has[0] && has[1] && d[0][k] <= d[3][k] && d[2][k] <= d[1][k])
    {
        return (Color){ 200, 40, 50 };
    }
    int side = panel < 2 ? panel : has[1] && (!has[0] || d[3][k] > d[1][k]);
    if (!has[side])
    {
        return (Color){ 250, 250, 248 };
    }
    float extent = panels->high - panels->low;
    float t = 0.25f + 0.75f * (extent > 0.0f ? (d[2 * side + 1][k] - panels->low) / extent : 1.0f);
    return (Color){ (uint8_t)(t * tints[side].r), (uint8_t)(t * tints[side].g),
                    (uint8_t)(t * tints[side].b) };
}

/// Three square panels side by side.
static void paint(const Panels* panels, Picture* picture)
{
    int width = ((int)picture->width - 4 * GAP) / 3, height = (int)picture->height - 2 * GAP;
    int side = width < height ? width : height;
    for (int panel = 0; panel < 3; ++panel)
    {
        for (int y = 0; y < side; ++y)
        {
            for (int x = 0; x < side; ++x)
            {
                size_t column = (size_t)x * panels->resolution / (size_t)side;
                size_t row = (size_t)(side - 1 - y) * panels->resolution / (size_t)side;
                picture_blend(picture, GAP + panel * (side + GAP) + x, GAP + y,
                              pixel_color(panels, panel, row * panels->resolution + column), 1.0f);
            }
        }
    }
}

static ExitCode save_picture(const OverlapSettings* settings, const Scene* scene)
{
    Panels panels = { .resolution = scene->settings.resolution };
    Picture picture = { 0 };
    size_t count = (size_t)panels.resolution * panels.resolution;
    bool has_memory =
        picture_create(&picture, settings->size[0], settings->size[1], (Color){ 255, 255, 255 });
    for (int i = 0; i < 4; ++i)
    {
        panels.depths[i] = malloc(count * sizeof(float));
        has_memory = has_memory && panels.depths[i] != NULL;
    }
    bool is_drawn = has_memory && draw_depths(scene, &panels);
    if (!is_drawn)
    {
        message_error("%s", has_memory ? abut_last_error() : "out of memory");
    }
    else
    {
        paint(&panels, &picture);
        is_drawn = picture_save(&picture, settings->picture, "depth images");
    }
    for (int i = 0; i < 4; ++i)
    {
        free(panels.depths[i]);
    }
    picture_destroy(&picture);
    return is_drawn ? EXIT_DONE : EXIT_INPUT;
}

// -----------------------------------------------------------------------------------------------------------
// Answers
// -----------------------------------------------------------------------------------------------------------

static void print_pairs(const AbutCullideOutput* out)
{
    for (size_t i = 0; i < out->pair_count; ++i)
    {
        const AbutImagePair* pair = &out->pairs[i];
        printf("%" PRIu32 ":%" PRIu32 " %" PRIu32 ":%" PRIu32 "\n", pair->object_a, pair->triangle_a,
               pair->object_b, pair->triangle_b);
    }
}

static void print_report(const OverlapSettings* settings, const AbutCullideOutput* out)
{
    printf("%zu pairs of overlapping triangles\n", out->pair_count);
    if (!settings->self)
    {
        printf("  left after pruning  %" PRIu32 " objects, %" PRIu32 " chunks, %" PRIu32 " triangles\n",
               out->report.object_count, out->report.chunk_count, out->report.triangle_count);
    }
    printf("  exact tests         %" PRIu64 "\n", out->report.candidate_count);
    if (settings->list)
    {
        print_pairs(out);
    }
}

static ExitCode print_json(const OverlapSettings* settings, const AbutCullideOutput* out)
{
    cJSON* document = cJSON_CreateObject();
    cJSON_AddNumberToObject(document, "pair_count", (double)out->pair_count);
    cJSON_AddNumberToObject(document, "objects", out->report.object_count);
    cJSON_AddNumberToObject(document, "chunks", out->report.chunk_count);
    cJSON_AddNumberToObject(document, "triangles", out->report.triangle_count);
    cJSON_AddNumberToObject(document, "exact_tests", (double)out->report.candidate_count);
    cJSON_AddNumberToObject(document, "uncertainty", out->uncertainty);
    cJSON* list = settings->list ? cJSON_AddArrayToObject(document, "pairs") : NULL;
    for (size_t i = 0; list != NULL && i < out->pair_count; ++i)
    {
        const AbutImagePair* pair = &out->pairs[i];
        const double numbers[4] = { pair->object_a, pair->triangle_a, pair->object_b, pair->triangle_b };
        cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(numbers, 4));
    }
    return json_print(document);
}

static ExitCode run_cullide(const OverlapSettings* settings, const Scene* scene)
{
    AbutCullideOutput out;
    AbutResult result = settings->self ? abut_cullide_self(scene->set, &scene->settings, 0, &out)
                                       : abut_cullide(scene->set, &scene->settings, scene->poses, &out);
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    if (settings->common.json)
    {
        return print_json(settings, &out);
    }
    print_report(settings, &out);
    return EXIT_DONE;
}

static ExitCode run_cinder(const OverlapSettings* settings, const Scene* scene)
{
    AbutCinderOutput out;
    if (abut_cinder(scene->set, &scene->settings, scene->poses, 0, 1, &out) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    bool is_contact = out.state == ABUT_IMAGE_CONTACT;
    if (!settings->common.json)
    {
        printf("%s\n", abut_image_state_name(out.state));
        if (is_contact)
        {
            printf("  edge %" PRIu32 " of triangle %" PRIu32 " of mesh %" PRIu32 " %s\n", out.edge,
                   out.triangle, out.object, out.is_inside ? "is inside of the other" : "touches the other");
        }
        return EXIT_DONE;
    }
    cJSON* document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "state", abut_image_state_name(out.state));
    cJSON_AddNumberToObject(document, "uncertainty", out.uncertainty);
    if (is_contact)
    {
        cJSON_AddBoolToObject(document, "inside", out.is_inside);
        cJSON_AddNumberToObject(document, "mesh", out.object);
        cJSON_AddNumberToObject(document, "triangle", out.triangle);
        cJSON_AddNumberToObject(document, "edge", out.edge);
    }
    else
    {
        cJSON_AddNumberToObject(document, "exact_tests", out.exact_count);
    }
    return json_print(document);
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const OverlapSettings* settings = settings_pointer;
    Scene scene = { .count = 0 };
    ExitCode code = check_settings(session, settings);
    if (code == EXIT_DONE)
    {
        code = load_scene(session, settings, &scene);
    }
    if (code == EXIT_DONE && settings->picture != NULL)
    {
        code = save_picture(settings, &scene);
    }
    if (code == EXIT_DONE)
    {
        code = strcmp(settings->method, "cinder") == 0 ? run_cinder(settings, &scene)
                                                       : run_cullide(settings, &scene);
    }
    destroy_scene(&scene);
    return code;
}

static const Option options[] = {
    { "pose", 'p', OPTION_TEXTS, offsetof(OverlapSettings, poses), "POSE",
      "pose of the second mesh; once more for the third, and so on", 0, 0, 0 },
    { "method", 'm', OPTION_CHOICE, offsetof(OverlapSettings, method), "cullide|cinder",
      "cullide: all pairs of overlapping triangles; cinder: whether two closed meshes have a common point", 0,
      0, 0 },
    { "self", 0, OPTION_FLAG, offsetof(OverlapSettings, self), NULL, "self-collisions of one mesh", 0, 0, 0 },
    { "list", 0, OPTION_FLAG, offsetof(OverlapSettings, list), NULL,
      "print all pairs, as MESH:TRIANGLE MESH:TRIANGLE", 0, 0, 0 },
    { "resolution", 'r', OPTION_COUNT, offsetof(OverlapSettings, resolution), "N",
      "pixels along the sides of images (128); the answer is the same", 1, 2048, 0 },
    { "axes", 0, OPTION_CHOICE, offsetof(OverlapSettings, axes), "x|y|z|xy|yz|xz|xyz",
      "directions of view (z); the answer is the same", 0, 0, 0 },
    { "slabs", 0, OPTION_COUNT, offsetof(OverlapSettings, slabs), "N", "depth slabs of a pixel, 64 or 0 (64)",
      0, 64, 0 },
    { "rounds", 0, OPTION_COUNT, offsetof(OverlapSettings, rounds), "N", "repetitions of the passes (1)", 1,
      16, 0 },
    { "picture", 0, OPTION_TEXT, offsetof(OverlapSettings, picture), "PNG",
      "depth images of the first two meshes, and where their depths overlap", 0, 0, 0 },
    { "size", 0, OPTION_SIZE, offsetof(OverlapSettings, size), "WxH", "pixels of the picture (1128x384)",
      LEAST_SIDE, MOST_SIDE, 0 },
    COMMON_OPTIONS,
};

const Command command_overlap = {
    .name = "overlap",
    .usage = "MESH... [options]",
    .summary = "overlapping triangles of meshes, in image space",
    .description =
        "Draws the triangles of meshes as depth images, conservatively, removes what is fully visible, "
        "and tests the\n"
        "rest exactly (CULLIDE): all pairs of overlapping triangles of different meshes; touching "
        "counts. Or tests the\n"
        "edges of each of two closed meshes in the parity of the other (CInDeR): whether they have a "
        "common point, as\n"
        "solids.",
    .examples = "  abut overlap gear:20,0.05,0.2 part.obj --pose 0.2,0,0\n"
                "  abut overlap part.obj bunny.obj --list --json\n"
                "  abut overlap part.obj part.obj -p 0.01,0,0 --method cinder --picture depth.png\n"
                "  abut overlap part.obj --self --resolution 256\n",
    .options = options,
    .least_arguments = 1,
    .most_arguments = MOST_MESHES,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
