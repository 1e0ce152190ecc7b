/// @file options.h
/// Options of a verb as a table: read from the command line, checked, and printed as help from the same rows.
#ifndef ABUT_CLI_OPTIONS_H
#define ABUT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum OptionKind
{
    OPTION_FLAG,    ///< bool; takes no value
    OPTION_TEXT,    ///< const char*
    OPTION_NUMBER,  ///< double, finite
    OPTION_COUNT,   ///< uint32_t in [least, most]
    OPTION_NUMBERS, ///< double[count], finite, separated by commas
    OPTION_SIZE,    ///< uint32_t[2] in [least, most], as 800x600
    OPTION_TEXTS,   ///< TextList; may be given several times
    OPTION_CHOICE,  ///< const char*, one of the words of `value` separated by '|'
} OptionKind;

enum
{
    TEXT_LIST_LIMIT = 8
};

typedef struct TextList
{
    const char* items[TEXT_LIST_LIMIT];
    uint32_t count;
} TextList;

/// One option. The table ends with a row without a name.
typedef struct Option
{
    const char* name; ///< without the dashes
    char letter;      ///< short form, or 0
    OptionKind kind;
    size_t offset;     ///< of its member in the verb's settings
    const char* value; ///< name of the value in help pages; the words of a choice
    const char* help;
    uint32_t least, most; ///< range of counts and sizes
    uint32_t count;       ///< how many numbers
} Option;

enum
{
    POSITIONAL_LIMIT = 64
};

/// What is left when the options are taken out.
typedef struct Positionals
{
    const char* items[POSITIONAL_LIMIT];
    int count;
} Positionals;

/// Fills `settings` (which hold the defaults) from the arguments after the verb. Values follow as "--name
/// VALUE" or "--name=VALUE"; a value may start with '-' when it is "-" itself or a negative number. After
/// "--" nothing is an option.
/// @return false after a message on stderr.
bool options_parse(const Option* options, void* settings, int argument_count, char** arguments,
                   Positionals* positionals);

/// Prints the table for a help page.
void options_print(const Option* options);

/// `count` finite numbers separated by commas and nothing else.
bool options_parse_numbers(const char* text, uint32_t count, double* out);

/// The one of `names` (ended by NULL) that `word` is most likely meant to be, or NULL when none is near.
const char* options_closest(const char* word, const char* const* names);

#endif
