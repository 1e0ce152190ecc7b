// abut slice: a picture of the distances in a plane.
#include "command.h"
#include "json.h"
#include "output.h"
#include "slice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    LEAST_SIDE = 16,
    MOST_SIDE = 16384,
    MOST_PIXELS = 100000000,
    LEAST_FRAMED_SIDE = 160 // smaller pictures have no room for axes
};

/// Further out, pictures would show nothing but rounding.
#define FURTHEST 1e15

typedef struct SliceSettings
{
    CommonSettings common;
    const char* output;
    const char* axis;
    const char* pose;
    double at;
    double center[3];
    double width;
    double box[6];
    double isolines;
    uint32_t size[2];
    bool plain;
} SliceSettings;

static void set_defaults(void* settings_pointer)
{
    SliceSettings* settings = settings_pointer;
    settings->axis = "z";
    settings->at = NAN;
    settings->center[0] = NAN;
    settings->width = NAN;
    settings->box[0] = NAN;
    settings->isolines = NAN;
    settings->size[0] = 1000;
    settings->size[1] = 800;
}

static bool check_positive(const char* name, double value)
{
    if (isnan(value) || (value > 1e-30 && value < 1e30))
    {
        return true;
    }
    message_error("--%s is %g; it must be positive", name, value);
    return false;
}

static bool check_coordinates(const char* name, const double* values, int count)
{
    for (int i = 0; i < count && !isnan(values[0]); ++i)
    {
        if (fabs(values[i]) > FURTHEST)
        {
            message_error("--%s: %g is too far out; coordinates are at most %g", name, values[i], FURTHEST);
            return false;
        }
    }
    return true;
}

static bool check_settings(const SliceSettings* settings)
{
    AbutBox ignored;
    if (settings->output == NULL)
    {
        message_error("slice: -o PNG is missing; it names the picture to write (- is standard output)");
        return false;
    }
    if (settings->common.json && strcmp(settings->output, "-") == 0)
    {
        message_error("slice: --json and -o - both want standard output");
        return false;
    }
    if ((uint64_t)settings->size[0] * settings->size[1] > MOST_PIXELS)
    {
        message_error("--size %ux%u has more than %d pixels", settings->size[0], settings->size[1],
                      MOST_PIXELS);
        return false;
    }
    return (isnan(settings->box[0]) || command_parse_box(settings->box, &ignored)) &&
           check_coordinates("at", &settings->at, 1) && check_coordinates("center", settings->center, 3) &&
           check_coordinates("box", settings->box, 6) && check_positive("width", settings->width) &&
           check_positive("isolines", settings->isolines);
}

static SliceRequest make_request(const SliceSettings* settings)
{
    SliceRequest request = { .axis = settings->axis[0] - 'x', .at = settings->at, .width = settings->width };
    memcpy(request.center, settings->center, sizeof(request.center));
    memcpy(request.box, settings->box, sizeof(request.box));
    request.spacing = settings->isolines;
    return request;
}

static ExitCode print_json(const SliceSettings* settings, const SliceView* view, const SliceStyle* style)
{
    double half[2] = { 0.5 * view->pixel_size * (double)view->width,
                       0.5 * view->pixel_size * (double)view->height };
    double center[2] = { slice_coordinate(view->center, view->u_axis),
                         slice_coordinate(view->center, view->v_axis) };
    double low[2] = { center[0] - half[0], center[1] - half[1] };
    double high[2] = { center[0] + half[0], center[1] + half[1] };
    cJSON* document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "output", settings->output);
    cJSON_AddNumberToObject(document, "width", settings->size[0]);
    cJSON_AddNumberToObject(document, "height", settings->size[1]);
    cJSON_AddStringToObject(document, "axis", settings->axis);
    cJSON_AddNumberToObject(document, "at", slice_coordinate(view->center, view->axis));
    cJSON* window = cJSON_AddObjectToObject(document, "window");
    const char axes[3] = { "xyz"[view->u_axis], "xyz"[view->v_axis], '\0' };
    cJSON_AddStringToObject(window, "axes", axes);
    json_add_doubles(window, "min", low, 2);
    json_add_doubles(window, "max", high, 2);
    cJSON_AddNumberToObject(document, "pixel_size", view->pixel_size);
    json_add_float(document, "isolines", style->spacing);
    cJSON* range = cJSON_AddObjectToObject(document, "distance");
    json_add_float(range, "min", style->lowest);
    json_add_float(range, "max", style->highest);
    return json_print(document);
}

static ExitCode paint(const Session* session, const SliceSettings* settings, const AbutShape* shape,
                      const AbutPose* pose)
{
    uint32_t width = settings->size[0], height = settings->size[1];
    const char* title = session->positionals->items[0];
    bool framed = !settings->plain && width >= LEAST_FRAMED_SIDE && height >= LEAST_FRAMED_SIDE;
    SliceView layout = { .width = width, .height = height };
    if (framed)
    {
        slice_frame_layout(&layout, width, height);
    }
    SliceRequest request = make_request(settings);
    SliceView view = slice_view_make(&request, shape, pose, layout.width, layout.height);
    view.left = layout.left;
    view.top = layout.top;
    SliceStyle style = slice_style_make(&view, shape, pose, request.spacing);
    Picture picture;
    if (!picture_create(&picture, width, height, (Color){ 255, 255, 255 }))
    {
        message_error("no memory for a picture of %ux%u pixels", width, height);
        return EXIT_INPUT;
    }
    slice_paint(&picture, &view, &style, shape, pose, &session->host);
    if (framed)
    {
        slice_frame_paint(&picture, &view, &style, title);
    }
    bool saved = picture_save(&picture, settings->output, title);
    picture_destroy(&picture);
    if (!saved)
    {
        return EXIT_INPUT;
    }
    if (settings->common.json)
    {
        return print_json(settings, &view, &style);
    }
    if (strcmp(settings->output, "-") != 0)
    {
        print_text(settings->output);
        printf(": %u x %u pixels, %c = %.9g, isolines every %.6g\n", width, height, settings->axis[0],
               slice_coordinate(view.center, view.axis), (double)style.spacing);
    }
    return EXIT_DONE;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const SliceSettings* settings = settings_pointer;
    AbutPose pose;
    if (!check_settings(settings) || !command_parse_pose("pose", settings->pose, &pose))
    {
        return EXIT_USAGE;
    }
    ExitCode checked = output_file_check("slice: -o", settings->output, ".png");
    if (checked != EXIT_DONE)
    {
        return checked;
    }
    AbutShape* shape;
    if (!command_load_distance(session, session->positionals->items[0], &shape))
    {
        return EXIT_INPUT;
    }
    ExitCode code = paint(session, settings, shape, &pose);
    abut_shape_destroy(shape);
    return code;
}

static const Option options[] = {
    { "output", 'o', OPTION_TEXT, offsetof(SliceSettings, output), "PNG",
      "the picture to write; - is standard output", 0, 0, 0 },
    { "axis", 0, OPTION_CHOICE, offsetof(SliceSettings, axis), "x|y|z",
      "axis that the plane is square to (z)", 0, 0, 0 },
    { "at", 0, OPTION_NUMBER, offsetof(SliceSettings, at), "OFFSET",
      "where the plane cuts that axis (the middle of the bounds)", 0, 0, 0 },
    { "size", 0, OPTION_SIZE, offsetof(SliceSettings, size), "WxH", "pixels (1000x800)", LEAST_SIDE,
      MOST_SIDE, 0 },
    { "center", 0, OPTION_NUMBERS, offsetof(SliceSettings, center), "X,Y,Z",
      "point in the middle of the picture", 0, 0, 3 },
    { "width", 0, OPTION_NUMBER, offsetof(SliceSettings, width), "W",
      "length from the left to the right edge", 0, 0, 0 },
    { "box", 0, OPTION_NUMBERS, offsetof(SliceSettings, box), "X0,Y0,Z0,X1,Y1,Z1",
      "box that the picture shows", 0, 0, 6 },
    { "isolines", 0, OPTION_NUMBER, offsetof(SliceSettings, isolines), "SPACING",
      "distance between isolines (a round one); every fifth is stronger", 0, 0, 0 },
    { "pose", 0, OPTION_TEXT, offsetof(SliceSettings, pose), "POSE",
      "where the shape stands: x,y,z[,qx,qy,qz,qw[,scale]]", 0, 0, 0 },
    { "plain", 0, OPTION_FLAG, offsetof(SliceSettings, plain), NULL,
      "the field alone, without axes and title", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_slice = {
    .name = "slice",
    .usage = "SHAPE -o PNG [options]",
    .summary = "picture of the distances in a plane",
    .description = "Cuts SHAPE with a plane and paints the distances: blue inside, orange outside, darker "
                   "with distance,\n"
                   "isolines at a round spacing, the surface as a bold line. Axes, scale bar and colour bar "
                   "show lengths.\n"
                   "The view is from the front (--axis z: x right, y up), from the left (x: z right, y up) "
                   "or from above\n"
                   "(y: x right, z down). Without --center, --width or --box it shows the whole shape; where "
                   "the shape has\n"
                   "no end, its surface is in the middle.",
    .examples =
        "  abut slice torus:1,0.25 --axis y -o torus.png\n"
        "  abut slice 'smooth(sphere:0.5;at(box:1,0.4,0.4;0.6,0,0);0.2)' -o blend.png --size 1600x1000\n"
        "  abut slice terrain:100,8 --width 40 --isolines 1 -o hills.png\n"
        "  abut slice capsule:0.1,0.5 --pose 0,0,0,0,0,0.3827,0.9239 -o - > turned.png\n",
    .options = options,
    .least_arguments = 1,
    .most_arguments = 1,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
