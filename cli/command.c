#include "command.h"

#include "output.h"

#include <float.h>
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char exit_codes_text[] = "Exit status\n"
                                      "  0  done\n"
                                      "  1  an answer that the caller asked to fail on\n"
                                      "  2  the command line cannot be understood\n"
                                      "  3  bad input, or the answer could not be written\n";

static void print_forms(void)
{
    printf("SHAPE\n");
    for (const AbutShapeForm* form = abut_shape_parse_forms(); form->form != NULL; ++form)
    {
        int width = printf("  %s", form->form);
        printf("%s%*s%s\n", width > 36 ? "\n" : "", width > 36 ? 38 : 38 - width, "", form->meaning);
    }
    printf("\n  Combinations nest, and need quotes in a shell: 'union(sphere:0.5;at(box:1,1,1;0.5,0,0))'.\n"
           "  A file whose name looks like a form is written ./sphere:1.obj. See docs/shapes.md.\n\n");
}

static void print_help(const Command* command)
{
    printf("Usage: abut %s %s\n\n%s\n\n", command->name, command->usage, command->description);
    printf("Options\n");
    options_print(command->options);
    printf("\n");
    if (command->lists_shapes)
    {
        print_forms();
    }
    printf("Examples\n%s\n%s", command->examples, exit_codes_text);
}

static bool check_argument_count(const Command* command, const Positionals* positionals)
{
    if (positionals->count >= command->least_arguments && positionals->count <= command->most_arguments)
    {
        return true;
    }
    if (positionals->count < command->least_arguments)
    {
        message_error("%s: an argument is missing; usage: abut %s %s", command->name, command->name,
                      command->usage);
    }
    else
    {
        message_error("%s: one argument too many: \"%s\"; usage: abut %s %s", command->name,
                      positionals->items[command->most_arguments], command->name, command->usage);
    }
    return false;
}

static ExitCode run_with_workers(const Command* command, const Positionals* positionals, const void* settings)
{
    const CommonSettings* common = settings;
    Session session = { .positionals = positionals };
    if (abut_workers_create(common->threads, NULL, &session.workers) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    session.host = abut_workers_host(session.workers);
    ExitCode code = command->run(&session, settings);
    abut_workers_destroy(session.workers);
    return code;
}

ExitCode command_main(const Command* command, int argument_count, char** arguments)
{
    alignas(max_align_t) char settings[SETTINGS_SIZE] = { 0 };
    if (command->set_defaults != NULL)
    {
        command->set_defaults(settings);
    }
    Positionals positionals;
    if (!options_parse(command->options, settings, argument_count, arguments, &positionals))
    {
        return EXIT_USAGE;
    }
    const CommonSettings* common = (const CommonSettings*)(const void*)settings;
    if (common->help)
    {
        print_help(command);
        return EXIT_DONE;
    }
    if (!check_argument_count(command, &positionals))
    {
        return EXIT_USAGE;
    }
    return run_with_workers(command, &positionals, settings);
}

// -----------------------------------------------------------------------------------------------------------
// Arguments
// -----------------------------------------------------------------------------------------------------------

uint64_t command_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

bool command_load_shape(const Session* session, const char* text, AbutParsedShape* out)
{
    progress_start("loading");
    AbutResult result = abut_shape_parse(text, &session->host, out);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
    }
    return result == ABUT_OK;
}

bool command_load_distance(const Session* session, const char* text, AbutShape** out)
{
    AbutParsedShape loaded;
    if (!command_load_shape(session, text, &loaded))
    {
        return false;
    }
    if (loaded.shape == NULL)
    {
        abut_mesh_destroy(loaded.mesh);
        message_error("%s: a mesh has no distance until it is baked into a field: write %s@128 to bake it "
                      "with 128 cells "
                      "along its longest side, or bake it once with abut bake",
                      text, text);
        return false;
    }
    *out = loaded.shape;
    return true;
}

bool command_parse_pose(const char* option, const char* text, AbutPose* out)
{
    *out = abut_pose_identity();
    if (text != NULL && abut_pose_parse(text, out) != ABUT_OK)
    {
        message_error("--%s: %s", option, abut_last_error());
        return false;
    }
    return true;
}

bool command_check_length(const char* option, double value)
{
    if (value >= 0.0 && value <= (double)FLT_MAX)
    {
        return true;
    }
    message_error("--%s is %g; it must be at least 0", option, value);
    return false;
}

ExitCode command_check_picture(const char* verb, const char* path)
{
    char who[64];
    snprintf(who, sizeof(who), "%s: --picture", verb);
    if (path != NULL && strcmp(path, "-") == 0)
    {
        message_error("%s needs a file; the answer goes to standard output", who);
        return EXIT_USAGE;
    }
    return path != NULL ? output_file_check(who, path, ".png") : EXIT_DONE;
}

bool command_check_one_picture(const char* verb, const char* path, const char* many, size_t count)
{
    if (path != NULL && count > 1)
    {
        message_error("%s: --picture draws one, and %s has %zu", verb, many, count);
        return false;
    }
    return true;
}

bool command_check_fineness(const char* verb, uint32_t resolution, double cell)
{
    if (resolution != 0 && !isnan(cell))
    {
        message_error("%s: --res and --cell both say how fine the cells are; give one of them", verb);
        return false;
    }
    if (!isnan(cell) && !(cell >= (double)FLT_MIN && cell <= (double)FLT_MAX))
    {
        message_error("--cell is %g; it must be positive", cell);
        return false;
    }
    return true;
}

bool command_parse_box(const double numbers[6], AbutBox* out)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        if (!(numbers[axis] < numbers[axis + 3]) || fabs(numbers[axis]) > (double)FLT_MAX ||
            fabs(numbers[axis + 3]) > (double)FLT_MAX)
        {
            message_error("--box: %c runs from %g to %g; it needs a lower and a higher end", "xyz"[axis],
                          numbers[axis], numbers[axis + 3]);
            return false;
        }
    }
    *out = abut_box(abut_vec3((float)numbers[0], (float)numbers[1], (float)numbers[2]),
                    abut_vec3((float)numbers[3], (float)numbers[4], (float)numbers[5]));
    return true;
}
