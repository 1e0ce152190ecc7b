// The program: finds the verb and runs it. Each verb is a cmd_<name>.c with one Command.
#include "command.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Command* const commands[] = { &command_info,      &command_bake,     &command_query,
                                           &command_slice,     &command_surface,  &command_points,
                                           &command_decompose, &command_overlap,  &command_collide,
                                           &command_sweep,     &command_simulate, &command_bench };

enum
{
    COMMAND_COUNT = (int)(sizeof(commands) / sizeof(commands[0]))
};

static void print_help(void)
{
    printf("Usage: abut VERB ARGUMENTS [options]\n\n"
           "Signed distance fields: look into shapes and meshes, ask for distances, make pictures and "
           "surfaces,\nprove whether solids touch, where, and when.\n\n"
           "Verbs\n");
    for (int i = 0; i < COMMAND_COUNT; ++i)
    {
        printf("  %-10s%s\n", commands[i]->name, commands[i]->summary);
    }
    printf(
        "\n"
        "Options\n"
        "  -h, --help    this page; abut VERB --help is about a verb\n"
        "  --version     version and instruction set\n\n"
        "Examples\n"
        "  abut info part.obj\n"
        "  echo 1 0 0 | abut query sphere:0.5\n"
        "  abut slice 'smooth(torus:1,0.25;sphere:0.6;0.3)' --axis y -o blend.png\n"
        "  abut surface 'difference(box:1,1,1;sphere:0.6)' -o cut.obj --res 128\n"
        "  abut collide torus:1,0.3 sphere:0.5 --pose 1,0.6,0 --picture touch.png\n"
        "  abut sweep torus:1,0.3 box:0.2,0.6,0.2 --from 1,2,0 --to 1,-2,0 --turn 0,0,6 --picture "
        "sweep.png\n"
        "  abut simulate pile -o pile.glb -o pile.csv\n\n"
        "Environment\n"
        "  ABUT_SIMD     instruction set to use: scalar, sse2, avx2 or neon (default: the best there is)\n\n"
        "Exit status\n"
        "  0  done\n"
        "  1  an answer that the caller asked to fail on\n"
        "  2  the command line cannot be understood\n"
        "  3  bad input, or the answer could not be written\n");
}

static const Command* find_command(const char* name)
{
    for (int i = 0; i < COMMAND_COUNT; ++i)
    {
        if (strcmp(commands[i]->name, name) == 0)
        {
            return commands[i];
        }
    }
    return NULL;
}

static ExitCode fail_unknown_verb(const char* name)
{
    const char* names[COMMAND_COUNT + 1];
    for (int i = 0; i < COMMAND_COUNT; ++i)
    {
        names[i] = commands[i]->name;
    }
    names[COMMAND_COUNT] = NULL;
    const char* closest = options_closest(name, names);
    if (closest != NULL)
    {
        message_error("unknown verb \"%s\"; did you mean %s?", name, closest);
    }
    else
    {
        message_error("unknown verb \"%s\"; abut --help lists the verbs", name);
    }
    return EXIT_USAGE;
}

/// The library falls back to the best set when ABUT_SIMD names none that can run; on a command line that is a
/// mistake worth saying.
static bool check_instruction_set(void)
{
    const char* name = getenv("ABUT_SIMD");
    if (name == NULL || name[0] == '\0' || abut_simd_force(name) == ABUT_OK)
    {
        return true;
    }
    message_error("ABUT_SIMD=%s: %s", name, abut_last_error());
    return false;
}

static ExitCode run(int argument_count, char** arguments)
{
    if (argument_count < 2)
    {
        message_error("a verb is missing; abut --help lists the verbs");
        return EXIT_USAGE;
    }
    const char* verb = arguments[1];
    if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0 || strcmp(verb, "help") == 0)
    {
        const Command* about = argument_count > 2 ? find_command(arguments[2]) : NULL;
        char* help[] = { "--help" };
        if (about != NULL)
        {
            return command_main(about, 1, help);
        }
        print_help();
        return EXIT_DONE;
    }
    if (!check_instruction_set())
    {
        return EXIT_USAGE;
    }
    if (strcmp(verb, "--version") == 0)
    {
        printf("abut %s (%s)\n", abut_version(), abut_simd_name());
        return EXIT_DONE;
    }
    const Command* command = find_command(verb);
    return command != NULL ? command_main(command, argument_count - 2, arguments + 2)
                           : fail_unknown_verb(verb);
}

int main(int argument_count, char** arguments)
{
    output_prepare();
    ExitCode code = run(argument_count, arguments);
    progress_end();
    if (!output_finish() && code == EXIT_DONE)
    {
        code = EXIT_INPUT;
    }
    return (int)code;
}
