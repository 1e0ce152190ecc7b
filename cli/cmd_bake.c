// abut bake: a mesh or a shape becomes a field file.
#include "bake_update.h"
#include "close_mesh.h"
#include "command.h"
#include "field_report.h"
#include "output.h"

#include <abut/bake.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct BakeSettings
{
    CommonSettings common;
    const char* output;
    const char* order;
    const char* sign;
    double cell;
    double error;
    double thickness;
    double box[6];
    uint32_t resolution;
    uint32_t memory; // MiB
    bool half;
    bool sparse;
    bool dense;
    bool compress;
    bool no_octree;
    BakeUpdateNames update;
} BakeSettings;

static void set_defaults(void* settings_pointer)
{
    BakeSettings* settings = settings_pointer;
    settings->cell = NAN;
    settings->error = NAN;
    settings->thickness = NAN;
    settings->box[0] = NAN;
}

static bool is_choice(const char* given, const char* choice)
{
    return given != NULL && strcmp(given, choice) == 0;
}

static bool is_field_output(const BakeSettings* settings)
{
    return abut_volume_format_from_path(settings->output) == ABUT_VOLUME_FORMAT_UNKNOWN;
}

static bool check_error(const BakeSettings* settings)
{
    if (isnan(settings->error))
    {
        return true;
    }
    if (settings->resolution != 0 || !isnan(settings->cell))
    {
        message_error("bake: --error picks the cells itself; leave out --res and --cell");
        return false;
    }
    if (!(settings->error >= (double)FLT_MIN && settings->error <= (double)FLT_MAX))
    {
        message_error("--error is %g; it must be positive", settings->error);
        return false;
    }
    return true;
}

static bool check_output(const BakeSettings* settings)
{
    if (strcmp(settings->output, "-") == 0)
    {
        message_error("bake: -o needs a file; a field is not for standard output");
        return false;
    }
    if (abut_mesh_format_from_path(settings->output) != ABUT_MESH_FORMAT_UNKNOWN)
    {
        message_error(
            "bake: -o %s: bake writes fields (.abut) and volumes (.vti, .nrrd or .npy); abut surface "
            "writes meshes",
            settings->output);
        return false;
    }
    if (abut_volume_format_from_path(settings->output) == ABUT_VOLUME_FORMAT_SDF)
    {
        message_error("bake: -o %s: .sdf is only read; write .vti, .nrrd, .npy or a field (.abut)",
                      settings->output);
        return false;
    }
    if (settings->compress && !is_field_output(settings))
    {
        message_error("bake: --compress is for fields, not for %s", settings->output);
        return false;
    }
    return true;
}

/// Options that say how to bake: without any, a field stays as it is and is only written anew.
static bool says_how(const BakeSettings* settings)
{
    return settings->resolution != 0 || !isnan(settings->cell) || !isnan(settings->error) ||
           settings->order != NULL || settings->half || settings->sparse || settings->dense ||
           !isnan(settings->box[0]);
}

static bool check_update(const BakeSettings* settings)
{
    if (settings->update.field != NULL && says_how(settings))
    {
        message_error(
            "bake: --update keeps cells, order and box of the field; leave out the options that choose them");
        return false;
    }
    return bake_update_check(&settings->update);
}

static bool check_settings(const BakeSettings* settings)
{
    if (settings->output == NULL)
    {
        message_error("bake: -o FIELD is missing; it names the file to write, as in part.abut");
        return false;
    }
    if (!command_check_fineness("bake", settings->resolution, settings->cell) || !check_error(settings) ||
        !check_output(settings) || !check_update(settings))
    {
        return false;
    }
    if (settings->sparse && settings->dense)
    {
        message_error("bake: --sparse and --dense exclude each other");
        return false;
    }
    if (is_choice(settings->order, "1") && settings->half)
    {
        message_error("bake: --half is for order 0; order 1 keeps halves anyway");
        return false;
    }
    if (is_choice(settings->sign, "shell") != !isnan(settings->thickness))
    {
        message_error("bake: --sign shell and --thickness T go together");
        return false;
    }
    return true;
}

/// Fills the def from the options. @return false after a message.
static bool make_def(const BakeSettings* settings, AbutBakeDef* def)
{
    *def = abut_bake_def();
    def->resolution = settings->resolution != 0 ? settings->resolution : def->resolution;
    def->cell_size = isnan(settings->cell) ? 0.0f : (float)settings->cell;
    def->target_error = isnan(settings->error) ? 0.0f : (float)settings->error;
    def->format = is_choice(settings->order, "1") ? ABUT_FIELD_FIRST_ORDER
                  : settings->half                ? ABUT_FIELD_F16
                                                  : ABUT_FIELD_F32;
    def->sparse = settings->sparse;
    def->without_octree = settings->no_octree;
    def->sign = is_choice(settings->sign, "normals")   ? ABUT_BAKE_SIGN_PSEUDO_NORMALS
                : is_choice(settings->sign, "winding") ? ABUT_BAKE_SIGN_WINDING
                : is_choice(settings->sign, "shell")   ? ABUT_BAKE_SIGN_SHELL
                                                       : ABUT_BAKE_SIGN_AUTO;
    def->thickness = isnan(settings->thickness) ? 0.0f : (float)settings->thickness;
    def->memory_limit = (size_t)settings->memory << 20;
    return isnan(settings->box[0]) || command_parse_box(settings->box, &def->box);
}

static ExitCode bake(const Session* session, AbutBakeDef* def, const BakeUpdateNames* names,
                     const AbutParsedShape* source, AbutBakeUpdate* report, AbutShape** out)
{
    Progress progress = progress_start("baking");
    def->progress = progress_show;
    def->progress_user = &progress;
    def->host = &session->host;
    if (names->field != NULL)
    {
        ExitCode code = bake_update_run(session, def, names, source, report, out);
        progress_end();
        return code;
    }
    AbutResult result = source->mesh != NULL ? abut_bake_mesh(def, source->mesh, out)
                                             : abut_bake_shape(def, source->shape, out);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

static AbutResult save(const Session* session, const BakeSettings* settings, const AbutShape* field)
{
    if (is_field_output(settings))
    {
        AbutFieldSaveDef def = abut_field_save_def();
        def.compress = settings->compress;
        def.host = &session->host;
        return abut_field_save_with(&def, field, settings->output);
    }
    AbutVolumeSaveDef def = abut_volume_save_def();
    Progress progress = progress_start("writing");
    def.progress = progress_show;
    def.progress_user = &progress;
    def.host = &session->host;
    AbutResult result = abut_volume_save(&def, field, settings->output);
    progress_end();
    return result;
}

static ExitCode bake_and_save(const Session* session, const BakeSettings* settings,
                              const AbutParsedShape* source, AbutBakeUpdate* report, AbutShape** out)
{
    AbutBakeDef def;
    if (!make_def(settings, &def))
    {
        return EXIT_USAGE;
    }
    bool as_it_is = source->shape != NULL && abut_shape_is_field(source->shape) && !says_how(settings) &&
                    settings->update.field == NULL;
    ExitCode code = EXIT_DONE;
    if (as_it_is)
    {
        *out = abut_shape_retain(source->shape);
    }
    else
    {
        code = bake(session, &def, &settings->update, source, report, out);
    }
    if (code == EXIT_DONE && save(session, settings, *out) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        code = EXIT_INPUT;
    }
    return code;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const BakeSettings* settings = settings_pointer;
    AbutParsedShape loaded;
    if (!check_settings(settings))
    {
        return EXIT_USAGE;
    }
    ExitCode code = output_file_check("bake: -o", settings->output, ".abut .vti .nrrd .npy");
    if (code != EXIT_DONE)
    {
        return code;
    }
    if (!command_load_shape(session, session->positionals->items[0], &loaded))
    {
        return EXIT_INPUT;
    }
    AbutShape* field = NULL;
    AbutBakeUpdate update;
    AbutMeshCloseReport closed;
    code = settings->update.close ? close_mesh(session, "bake", &loaded, &closed) : EXIT_DONE;
    if (code == EXIT_DONE)
    {
        code = bake_and_save(session, settings, &loaded, &update, &field);
    }
    if (code == EXIT_DONE)
    {
        const FieldStory story = { settings->update.field != NULL ? &update : NULL,
                                   settings->update.close ? &closed : NULL };
        code = settings->common.json ? field_report_json(settings->output, field, story)
                                     : field_report_text(settings->output, field, story);
    }
    abut_shape_destroy(field);
    abut_shape_destroy(loaded.shape);
    abut_mesh_destroy(loaded.mesh);
    return code;
}

static const Option options[] = {
    { "output", 'o', OPTION_TEXT, offsetof(BakeSettings, output), "FILE",
      "the file to write: a field (part.abut), or its distances for others: .vti, .nrrd, .npy", 0, 0, 0 },
    { "res", 0, OPTION_COUNT, offsetof(BakeSettings, resolution), "N",
      "cells along the longest side, with two of margin at either end (64)", 1, 8192, 0 },
    { "cell", 0, OPTION_NUMBER, offsetof(BakeSettings, cell), "H", "size of a cell, instead of --res", 0, 0,
      0 },
    { "error", 0, OPTION_NUMBER, offsetof(BakeSettings, error), "E",
      "pick the cells so that the largest error measured near the surface is at most E", 0, 0, 0 },
    { "order", 0, OPTION_CHOICE, offsetof(BakeSettings, order), "0|1",
      "0: a distance per node; 1: a distance and a gradient, far more accurate on smooth shapes (0)", 0, 0,
      0 },
    { "half", 0, OPTION_FLAG, offsetof(BakeSettings, half), NULL,
      "keep 16 bits per node instead of 32 (order 0)", 0, 0, 0 },
    { "sparse", 0, OPTION_FLAG, offsetof(BakeSettings, sparse), NULL,
      "keep fine cells only where coarse ones are not good enough", 0, 0, 0 },
    { "dense", 0, OPTION_FLAG, offsetof(BakeSettings, dense), NULL, "keep all cells (the default)", 0, 0, 0 },
    { "no-octree", 0, OPTION_FLAG, offsetof(BakeSettings, no_octree), NULL,
      "leave out the octree that makes collisions fast (3 to 14 % of the bytes)", 0, 0, 0 },
    { "sign", 0, OPTION_CHOICE, offsetof(BakeSettings, sign), "auto|normals|winding|shell",
      "what says inside or outside of a mesh (auto); shell: the surface itself, --thickness thick", 0, 0, 0 },
    { "close", 0, OPTION_FLAG, offsetof(BakeSettings, update.close), NULL, CLOSE_HELP, 0, 0, 0 },
    { "thickness", 0, OPTION_NUMBER, offsetof(BakeSettings, thickness), "T", "of a shell", 0, 0, 0 },
    { "box", 0, OPTION_NUMBERS, offsetof(BakeSettings, box), "X0,Y0,Z0,X1,Y1,Z1",
      "bake this box (the bounds)", 0, 0, 6 },
    { "memory", 0, OPTION_COUNT, offsetof(BakeSettings, memory), "MIB",
      "refuse to use more MiB than this (three quarters of the machine's)", 1, UINT32_MAX, 0 },
    { "compress", 0, OPTION_FLAG, offsetof(BakeSettings, compress), NULL,
      "write a smaller file, by zstd; it is then read and not mapped", 0, 0, 0 },
    { "update", 0, OPTION_TEXT, offsetof(BakeSettings, update.field), "FIELD",
      "redo only what has changed since FIELD was baked, with its cells, order and box", 0, 0, 0 },
    { "before", 0, OPTION_TEXT, offsetof(BakeSettings, update.before), "MESH",
      "the mesh that the field of --update was baked from", 0, 0, 0 },
    { "part", 0, OPTION_TEXT, offsetof(BakeSettings, update.changed_shape), "SHAPE",
      "the shape that was added to that of --update, taken away from it, or is gone", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_bake = {
    .name = "bake",
    .usage = "MESH|SHAPE -o FILE [options]",
    .summary = "a mesh or a shape becomes a field",
    .description =
        "Computes the exact distance at every node of a grid around a mesh or shape, decides inside and "
        "outside,\nmeasures the error between the nodes, and writes all of it as a field, which is a SHAPE "
        "for every other verb.\nA SHAPE that is a field already is written as it is, unless an option says "
        "how to "
        "bake it: that compresses,\nunpacks and exports.",
    .examples =
        "  abut bake part.obj -o part.abut --res 128\n"
        "  abut bake part.obj -o part.abut --res 512 --sparse --order 1\n"
        "  abut bake scan.ply -o scan.abut --close --res 128\n"
        "  abut bake scan.ply -o scan.abut --sign winding --cell 0.002\n"
        "  abut bake terrain:20,2 --box -5,-1,-5,5,3,5 -o hills.abut\n"
        "  abut bake part.obj -o part.abut --error 0.0001 --order 1 --compress\n"
        "  abut bake part.abut -o part.vti\n"
        "  abut bake new.obj --update part.abut --before part.obj -o new.abut\n"
        "  abut bake 'difference(box:1,1,1;sphere:0.6)' --update box.abut --part sphere:0.6 -o cut.abut\n"
        "  abut slice part.abut -o part.png\n",
    .options = options,
    .least_arguments = 1,
    .most_arguments = 1,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
