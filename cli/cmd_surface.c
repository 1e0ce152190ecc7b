// abut surface: the isosurface of a shape as a mesh.
#include "close_mesh.h"
#include "command.h"
#include "json.h"
#include "output.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum
{
    COARSE_RESOLUTION = 64,
    MANY_CELLS = 512,   // along the longest side: fewer are tried without a look at the memory
    TRIANGLE_BYTES = 72 // while a surface is made, written and inspected; measured: 65
};

typedef struct SurfaceSettings
{
    CommonSettings common;
    const char* output;
    double iso;
    double cell;
    double box[6];
    uint32_t resolution;
    uint32_t memory; // MiB
    bool close;
} SurfaceSettings;

static void set_defaults(void* settings_pointer)
{
    SurfaceSettings* settings = settings_pointer;
    settings->cell = NAN;
    settings->box[0] = NAN;
}

static bool check_settings(const SurfaceSettings* settings)
{
    if (settings->output == NULL)
    {
        message_error("surface: -o MESH is missing; it names the file to write, .obj, .ply or .stl");
        return false;
    }
    if (abut_mesh_format_from_path(settings->output) == ABUT_MESH_FORMAT_UNKNOWN)
    {
        message_error("%s: meshes are written as .obj, .ply or .stl", settings->output);
        return false;
    }
    if (!command_check_fineness("surface", settings->resolution, settings->cell))
    {
        return false;
    }
    if (fabs(settings->iso) > (double)FLT_MAX)
    {
        message_error("--iso is %g, which is too large", settings->iso);
        return false;
    }
    return true;
}

/// Fills the def from the options. @return false after a message.
static bool make_def(const SurfaceSettings* settings, const AbutShape* shape, AbutSurfaceDef* def)
{
    *def = abut_surface_def();
    def->iso = (float)settings->iso;
    if (settings->resolution != 0)
    {
        def->resolution = settings->resolution;
    }
    if (!isnan(settings->cell))
    {
        def->cell_size = (float)settings->cell;
    }
    if (!isnan(settings->box[0]))
    {
        return command_parse_box(settings->box, &def->box);
    }
    AbutBox bounds = abut_shape_info(shape).bounds;
    if (!abut_box_is_finite(bounds) && !abut_box_is_empty(bounds))
    {
        message_error("surface: the shape has no end; --box X0,Y0,Z0,X1,Y1,Z1 says which part to mesh");
        return false;
    }
    return true;
}

/// Cells along the longest side of what is meshed.
static double resolution_of(const AbutSurfaceDef* def, const AbutShape* shape)
{
    AbutBox box = abut_box_is_empty(def->box) ? abut_shape_info(shape).bounds : def->box;
    AbutVec3 extents = abut_box_extents(box);
    double longest = fmax((double)extents.x, fmax((double)extents.y, (double)extents.z));
    return def->cell_size > 0.0f ? longest / (double)def->cell_size : (double)def->resolution;
}

/// A surface of many cells may not fit the memory: a coarse one tells, since triangles go with the square of
/// the resolution.
static bool check_memory(const SurfaceSettings* settings, const AbutSurfaceDef* def, const AbutShape* shape)
{
    double resolution = resolution_of(def, shape);
    double limit = settings->memory > 0 ? 0x1p20 * settings->memory : 0.75 * (double)command_memory();
    AbutSurfaceDef coarse = *def;
    AbutMesh* mesh = NULL;
    coarse.resolution = COARSE_RESOLUTION;
    coarse.cell_size = 0.0f;
    coarse.progress = NULL;
    if (!(resolution > MANY_CELLS) || abut_surface_create(&coarse, shape, &mesh) != ABUT_OK)
    {
        return true; // small, or the surface itself says what is wrong
    }
    double finer = resolution / COARSE_RESOLUTION;
    double triangles = (double)abut_mesh_triangle_count(mesh) * finer * finer,
           bytes = triangles * TRIANGLE_BYTES;
    abut_mesh_destroy(mesh);
    if (bytes > limit)
    {
        message_error("surface: about %.3g million triangles take about %.2g GB, and the limit is %.2g GB "
                      "(--memory, or "
                      "three quarters of the machine's); --res %.0f fits",
                      1e-6 * triangles, 1e-9 * bytes, 1e-9 * limit,
                      floor(0.95 * resolution * sqrt(limit / bytes)));
    }
    return bytes <= limit;
}

static ExitCode create_surface(const Session* session, const SurfaceSettings* settings,
                               const AbutShape* shape, AbutMesh** out)
{
    AbutSurfaceDef def;
    if (!make_def(settings, shape, &def))
    {
        return EXIT_USAGE;
    }
    Progress progress = progress_start("meshing");
    def.progress = progress_show;
    def.progress_user = &progress;
    def.host = &session->host;
    if (!check_memory(settings, &def, shape))
    {
        return EXIT_INPUT;
    }
    AbutResult result = abut_surface_create(&def, shape, out);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

/// A mesh has no levels to choose from.
static bool check_plain_copy(const SurfaceSettings* settings)
{
    if (settings->iso == 0.0 && settings->resolution == 0 && isnan(settings->cell) && isnan(settings->box[0]))
    {
        return true;
    }
    message_error("surface: a mesh is written as it is; --iso, --res, --cell and --box are for shapes");
    return false;
}

static ExitCode print_report(const Session* session, const SurfaceSettings* settings, const AbutMesh* mesh,
                             const AbutMeshCloseReport* close)
{
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    def.skip_self_intersections = true;
    def.host = &session->host;
    AbutMeshReport report;
    progress_start("inspecting");
    AbutResult result = abut_mesh_inspect(&def, mesh, &report);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    if (report.triangle_count == 0)
    {
        message_error("%s: the mesh is empty; no point that was looked at has distance %g", settings->output,
                      settings->iso);
    }
    if (!settings->common.json)
    {
        print_text(settings->output);
        printf(": %" PRIu32 " triangles, %" PRIu32 " vertices, area %.9g, volume %.9g\n",
               report.triangle_count, report.vertex_count, report.area, report.mass.volume);
        close_mesh_print(close);
        return EXIT_DONE;
    }
    cJSON* document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "output", settings->output);
    cJSON_AddNumberToObject(document, "triangles", report.triangle_count);
    cJSON_AddNumberToObject(document, "vertices", report.vertex_count);
    cJSON_AddNumberToObject(document, "components", report.component_count);
    cJSON_AddBoolToObject(document, "closed", report.closed);
    json_add_box(document, "bounds", report.bounds);
    cJSON_AddNumberToObject(document, "area", report.area);
    cJSON_AddNumberToObject(document, "volume", report.mass.volume);
    close_mesh_add_json(document, close);
    return json_print(document);
}

static ExitCode save(const AbutMesh* mesh, const char* path)
{
    progress_start("writing");
    AbutResult result = abut_mesh_save(mesh, path);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
    }
    return result == ABUT_OK ? EXIT_DONE : EXIT_INPUT;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const SurfaceSettings* settings = settings_pointer;
    AbutParsedShape loaded;
    if (!check_settings(settings))
    {
        return EXIT_USAGE;
    }
    ExitCode code = output_file_check("surface: -o", settings->output, NULL);
    if (code != EXIT_DONE)
    {
        return code;
    }
    if (!command_load_shape(session, session->positionals->items[0], &loaded))
    {
        return EXIT_INPUT;
    }
    AbutMeshCloseReport closed;
    code = settings->close ? close_mesh(session, "surface", &loaded, &closed) : EXIT_DONE;
    AbutMesh* mesh = loaded.mesh;
    if (code == EXIT_DONE && mesh == NULL)
    {
        code = create_surface(session, settings, loaded.shape, &mesh);
    }
    else if (code == EXIT_DONE && !check_plain_copy(settings))
    {
        code = EXIT_USAGE;
    }
    code = code == EXIT_DONE ? save(mesh, settings->output) : code;
    if (code == EXIT_DONE)
    {
        code = print_report(session, settings, mesh, settings->close ? &closed : NULL);
    }
    abut_mesh_destroy(mesh);
    abut_shape_destroy(loaded.shape);
    return code;
}

static const Option options[] = {
    { "output", 'o', OPTION_TEXT, offsetof(SurfaceSettings, output), "MESH",
      "the file to write: .obj, .ply or .stl", 0, 0, 0 },
    { "res", 0, OPTION_COUNT, offsetof(SurfaceSettings, resolution), "N",
      "cells along the longest side of the box (64)", 2, 4096, 0 },
    { "cell", 0, OPTION_NUMBER, offsetof(SurfaceSettings, cell), "H", "size of a cell, instead of --res", 0,
      0, 0 },
    { "iso", 0, OPTION_NUMBER, offsetof(SurfaceSettings, iso), "S",
      "distance of the surface from that of the shape (0)", 0, 0, 0 },
    { "box", 0, OPTION_NUMBERS, offsetof(SurfaceSettings, box), "X0,Y0,Z0,X1,Y1,Z1",
      "where to look (the bounds); the mesh is closed along its sides", 0, 0, 6 },
    { "memory", 0, OPTION_COUNT, offsetof(SurfaceSettings, memory), "MIB",
      "refuse to use more MiB than about this (three quarters of the machine's)", 1, UINT32_MAX, 0 },
    { "close", 0, OPTION_FLAG, offsetof(SurfaceSettings, close), NULL, CLOSE_HELP, 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_surface = {
    .name = "surface",
    .usage = "SHAPE -o MESH [options]",
    .summary = "the surface of a shape as a mesh file",
    .description = "Meshes the points of SHAPE at distance --iso as a closed, oriented, manifold surface, "
                   "writes it, and\n"
                   "prints its triangles, area and volume. A SHAPE that is a mesh already is written as it "
                   "is, which converts\n"
                   "between formats.",
    .examples = "  abut surface 'difference(box:1,1,1;sphere:0.6)' -o cut.obj --res 128\n"
                "  abut surface capsule:0.2,1 --iso 0.05 --cell 0.01 -o grown.ply\n"
                "  abut surface terrain:20,2 --box -5,-1,-5,5,3,5 -o hills.stl\n"
                "  abut surface gear:24,0.05,0.2 -o gear.obj\n"
                "  abut surface scan.ply --close -o solid.ply\n",
    .options = options,
    .least_arguments = 1,
    .most_arguments = 1,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
