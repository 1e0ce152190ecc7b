#include "options.h"

#include "message.h"

#include <abut/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Suggestions
// -----------------------------------------------------------------------------------------------------------

enum
{
    WORD_LIMIT = 32,
    HELP_COLUMN = 28
};

static size_t least_of(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/// Edits (insert, drop, replace, swap of neighbours) that turn one word into the other.
static size_t edit_distance(const char* a, size_t a_length, const char* b, size_t b_length)
{
    size_t cost[WORD_LIMIT + 1][WORD_LIMIT + 1];
    for (size_t i = 0; i <= a_length; ++i)
    {
        for (size_t j = 0; j <= b_length; ++j)
        {
            if (i == 0 || j == 0)
            {
                cost[i][j] = i + j;
                continue;
            }
            bool same = a[i - 1] == b[j - 1];
            cost[i][j] = least_of(cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + !same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                cost[i - 2][j - 2] + 1 < cost[i][j])
            {
                cost[i][j] = cost[i - 2][j - 2] + 1;
            }
        }
    }
    return cost[a_length][b_length];
}

const char* options_closest(const char* word, const char* const* names)
{
    size_t length = strlen(word);
    const char* best = NULL;
    size_t best_distance = length / 3 + 2; // a word that is mostly wrong is no typing mistake
    for (; *names != NULL; ++names)
    {
        size_t name_length = strlen(*names);
        if (length > WORD_LIMIT || name_length > WORD_LIMIT)
        {
            continue;
        }
        bool prefix = length >= 2 && strncmp(word, *names, length) == 0;
        size_t distance = prefix ? 1 : edit_distance(word, length, *names, name_length);
        if (distance < best_distance && distance < name_length)
        {
            best_distance = distance;
            best = *names;
        }
    }
    return best;
}

// -----------------------------------------------------------------------------------------------------------
// Values
// -----------------------------------------------------------------------------------------------------------

bool options_parse_numbers(const char* text, uint32_t count, double* out)
{
    const char* end = text + strlen(text);
    for (uint32_t i = 0; i < count; ++i)
    {
        text += strspn(text, " ");
        text = abut_number_parse(text, end, &out[i]);
        if (text == NULL)
        {
            return false;
        }
        text += strspn(text, " ");
        if (i + 1 < count && *text++ != ',')
        {
            return false;
        }
    }
    return text == end;
}

static bool parse_count(const char* text, const char* end, uint32_t least, uint32_t most, uint32_t* out)
{
    double value;
    if (abut_number_parse(text, end, &value) != end || value != floor(value) || value < (double)least ||
        value > (double)most)
    {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool parse_size(const Option* option, const char* text, uint32_t out[2])
{
    const char* cross = strpbrk(text, "xX");
    return cross != NULL && parse_count(text, cross, option->least, option->most, &out[0]) &&
           parse_count(cross + 1, cross + strlen(cross), option->least, option->most, &out[1]);
}

static const char* find_choice(const char* words, const char* text)
{
    size_t length = strcspn(text, "|");
    for (const char* at = words; length > 0 && text[length] == '\0' && (at = strstr(at, text)) != NULL; ++at)
    {
        bool starts = at == words || at[-1] == '|';
        if (starts && (at[length] == '|' || at[length] == '\0'))
        {
            return text;
        }
    }
    return NULL;
}

static bool fail_value(const Option* option, const char* text)
{
    switch (option->kind)
    {
    case OPTION_NUMBER:
        message_error("--%s wants a finite number, not \"%s\"", option->name, text);
        break;
    case OPTION_COUNT:
        message_error("--%s wants a whole number in [%u, %u], not \"%s\"", option->name, option->least,
                      option->most, text);
        break;
    case OPTION_NUMBERS:
        message_error("--%s wants %u finite numbers %s, not \"%s\"", option->name, option->count,
                      option->value, text);
        break;
    case OPTION_SIZE:
        message_error("--%s wants two whole numbers in [%u, %u] such as 800x600, not \"%s\"", option->name,
                      option->least, option->most, text);
        break;
    case OPTION_TEXTS:
        message_error("--%s is given more than %d times", option->name, TEXT_LIST_LIMIT);
        break;
    default:
        message_error("--%s wants one of %s, not \"%s\"", option->name, option->value, text);
        break;
    }
    return false;
}

static bool add_text(TextList* list, const char* text)
{
    if (list->count == TEXT_LIST_LIMIT)
    {
        return false;
    }
    list->items[list->count++] = text;
    return true;
}

static bool store_value(const Option* option, void* settings, const char* text)
{
    void* target = (char*)settings + option->offset;
    const char* end = text + strlen(text);
    bool good = true;
    switch (option->kind)
    {
    case OPTION_FLAG:
        *(bool*)target = true;
        break;
    case OPTION_TEXT:
        *(const char**)target = text;
        break;
    case OPTION_TEXTS:
        good = add_text(target, text);
        break;
    case OPTION_NUMBER:
        good = options_parse_numbers(text, 1, target);
        break;
    case OPTION_COUNT:
        good = parse_count(text, end, option->least, option->most, target);
        break;
    case OPTION_NUMBERS:
        good = options_parse_numbers(text, option->count, target);
        break;
    case OPTION_SIZE:
        good = parse_size(option, text, target);
        break;
    case OPTION_CHOICE:
        good = find_choice(option->value, text) != NULL;
        if (good)
        {
            *(const char**)target = text;
        }
        break;
    }
    return good || fail_value(option, text);
}

// -----------------------------------------------------------------------------------------------------------
// The command line
// -----------------------------------------------------------------------------------------------------------

static bool fail_unknown(const Option* options, const char* argument, size_t length)
{
    const char* names[POSITIONAL_LIMIT + 1];
    int count = 0;
    for (const Option* option = options; option->name != NULL && count < POSITIONAL_LIMIT; ++option)
    {
        names[count++] = option->name;
    }
    names[count] = NULL;
    char word[WORD_LIMIT + 2];
    snprintf(word, sizeof(word), "%.*s", (int)length, argument);
    const char* closest = options_closest(word + strspn(word, "-"), names);
    if (closest != NULL)
    {
        message_error("unknown option \"%s\"; did you mean --%s?", word, closest);
    }
    else
    {
        message_error("unknown option \"%s\"; --help lists the options", word);
    }
    return false;
}

/// The option that `argument` ("--name", "--name=value", "-n", "-nvalue") names; *value is what is glued to
/// it.
static const Option* find_option(const Option* options, const char* argument, const char** value)
{
    bool is_long = argument[1] == '-';
    size_t length = is_long ? strcspn(argument + 2, "=") : 0;
    for (const Option* option = options; option->name != NULL; ++option)
    {
        if (is_long && strlen(option->name) == length && memcmp(option->name, argument + 2, length) == 0)
        {
            *value = argument[2 + length] == '=' ? argument + 3 + length : NULL;
            return option;
        }
        if (!is_long && option->letter != 0 && option->letter == argument[1])
        {
            *value = argument[2] != '\0' ? argument + 2 : NULL;
            return option;
        }
    }
    return NULL;
}

/// "-" is standard input, "-1.5" a number.
static bool looks_like_option(const char* argument)
{
    bool number = (argument[1] >= '0' && argument[1] <= '9') || argument[1] == '.';
    return argument[0] == '-' && argument[1] != '\0' && !number;
}

static bool add_positional(Positionals* positionals, const char* argument)
{
    if (positionals->count == POSITIONAL_LIMIT)
    {
        message_error("more than %d arguments", POSITIONAL_LIMIT);
        return false;
    }
    positionals->items[positionals->count++] = argument;
    return true;
}

/// Handles the option at arguments[*index] and steps over its value.
static bool take_option(const Option* options, void* settings, int argument_count, char** arguments,
                        int* index)
{
    const char* argument = arguments[*index];
    const char* value = NULL;
    const Option* option = find_option(options, argument, &value);
    if (option == NULL)
    {
        return fail_unknown(options, argument, strcspn(argument, "="));
    }
    if (option->kind == OPTION_FLAG)
    {
        if (value != NULL)
        {
            message_error("--%s takes no value", option->name);
            return false;
        }
        return store_value(option, settings, "");
    }
    if (value == NULL)
    {
        if (*index + 1 >= argument_count || looks_like_option(arguments[*index + 1]))
        {
            message_error("--%s needs a value: --%s %s", option->name, option->name, option->value);
            return false;
        }
        *index += 1;
        value = arguments[*index];
    }
    return store_value(option, settings, value);
}

bool options_parse(const Option* options, void* settings, int argument_count, char** arguments,
                   Positionals* positionals)
{
    positionals->count = 0;
    bool options_end = false;
    for (int i = 0; i < argument_count; ++i)
    {
        const char* argument = arguments[i];
        bool good = true;
        if (!options_end && strcmp(argument, "--") == 0)
        {
            options_end = true;
        }
        else if (options_end || !looks_like_option(argument))
        {
            good = add_positional(positionals, argument);
        }
        else
        {
            good = take_option(options, settings, argument_count, arguments, &i);
        }
        if (!good)
        {
            return false;
        }
    }
    return true;
}

/// Further lines of a help text start in the same column as the first, which is `gap` away.
static void print_indented(const char* text, int gap)
{
    while (true)
    {
        int length = (int)strcspn(text, "\n");
        printf("%*s%.*s\n", gap, "", length, text);
        if (text[length] == '\0')
        {
            return;
        }
        text += length + 1;
        gap = HELP_COLUMN;
    }
}

void options_print(const Option* options)
{
    for (const Option* option = options; option->name != NULL; ++option)
    {
        char letter[8] = "    ";
        if (option->letter != 0)
        {
            snprintf(letter, sizeof(letter), "-%c, ", option->letter);
        }
        int width = printf("  %s--%s%s%s", letter, option->name, option->value != NULL ? " " : "",
                           option->value != NULL ? option->value : "");
        if (width >= HELP_COLUMN)
        {
            printf("\n");
            width = 0;
        }
        print_indented(option->help, HELP_COLUMN - width);
    }
}
