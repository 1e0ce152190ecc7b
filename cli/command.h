/// @file command.h
/// A verb of the program, and what all verbs share: options, workers, SHAPE arguments.
#ifndef ABUT_CLI_COMMAND_H
#define ABUT_CLI_COMMAND_H

#include "message.h"
#include "options.h"

#include <abut/abut.h>
#include <abut/io.h>

/// Options that every verb has; the first member of its settings.
typedef struct CommonSettings
{
    bool help;
    bool json;
    uint32_t threads; ///< 0: one per processor
} CommonSettings;

#define COMMON_OPTIONS                                                                                       \
    { "json", 0, OPTION_FLAG, offsetof(CommonSettings, json), NULL, "print one JSON document on stdout", 0,  \
      0,      0 },                                                                                           \
        { "threads",                                                                                         \
          0,                                                                                                 \
          OPTION_COUNT,                                                                                      \
          offsetof(CommonSettings, threads),                                                                 \
          "T",                                                                                               \
          "worker threads (default: one per processor); the answer is the same",                             \
          0,                                                                                                 \
          256,                                                                                               \
          0 },                                                                                               \
        { "help", 'h', OPTION_FLAG, offsetof(CommonSettings, help), NULL, "print this page", 0, 0, 0 },      \
    {                                                                                                        \
        NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, 0                                                         \
    }

/// What a verb runs with.
typedef struct Session
{
    AbutWorkers* workers;
    AbutHost host;
    const Positionals* positionals;
} Session;

typedef struct Command
{
    const char* name;
    const char* usage;       ///< "SHAPE -o PNG [options]"
    const char* summary;     ///< one line
    const char* description; ///< paragraphs for --help
    const char* examples;    ///< lines for --help
    const Option* options;
    int least_arguments, most_arguments;
    bool lists_shapes; ///< --help lists the SHAPE forms
    void (*set_defaults)(void* settings);
    ExitCode (*run)(const Session* session, const void* settings);
} Command;

enum
{
    SETTINGS_SIZE = 512
};

extern const Command command_info, command_bake, command_query, command_slice, command_surface,
    command_points, command_decompose, command_overlap, command_collide, command_sweep, command_simulate,
    command_bench;

/// Parses the arguments after the verb and runs it.
ExitCode command_main(const Command* command, int argument_count, char** arguments);

/// Bytes of memory that the machine has; UINT64_MAX when it does not tell.
uint64_t command_memory(void);

/// Loads a SHAPE. @return false after a message.
bool command_load_shape(const Session* session, const char* text, AbutParsedShape* out);

/// The same for verbs that need a distance: a mesh is an error that says what can be done with it.
bool command_load_distance(const Session* session, const char* text, AbutShape** out);

/// Reads the pose of an option; NULL is the identity. @return false after a message.
bool command_parse_pose(const char* option, const char* text, AbutPose* out);

/// A length of an option: at least 0, and a float. @return false after a message.
bool command_check_length(const char* option, double value);

/// --picture (NULL: not given) is a .png file that can be written. Before anything is loaded. @return
/// EXIT_USAGE or EXIT_INPUT after a message.
ExitCode command_check_picture(const char* verb, const char* path);

/// --picture draws one answer; `many` is the file that the `count` questions are from. @return false after a
/// message.
bool command_check_one_picture(const char* verb, const char* path, const char* many, size_t count);

/// Options --res (0: not given) and --cell (NaN: not given), which exclude each other. @return false after a
/// message.
bool command_check_fineness(const char* verb, uint32_t resolution, double cell);

/// A box from six numbers x0,y0,z0,x1,y1,z1. @return false after a message when it is empty or too large for
/// float.
bool command_parse_box(const double numbers[6], AbutBox* out);

#endif
