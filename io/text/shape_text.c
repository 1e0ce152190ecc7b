// SHAPE texts. The grammar (docs/shapes.md has it with examples):
//
//     text        = form | file
//     form        = numbers | combination
//     numbers     = name [ ":" number { "," number } ]
//     combination = name "(" argument { ";" argument } ")"
//     argument    = form | number | pose
//
// Spaces may stand between any two of these. Shapes that are read wait on a stack until the combination
// around them takes them, so that nothing but the shapes themselves is allocated.
#include "io/path.h"
#include "io/text/shape_forms.h"
#include "io/text/text_cursor.h"
#include "models/fp_env.h"

#include <abut/bake.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    NESTING_LIMIT = 64, // as the core's: deeper shapes could not be created
    WAITING_LIMIT = 1024
};

typedef struct Parser
{
    TextCursor cursor;
    const AbutHost* host;
    AbutShape* waiting[WAITING_LIMIT];
    uint32_t waiting_count;
} Parser;

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t name_length(const char* text)
{
    size_t length = 0;
    while (is_name_byte(text[length]))
    {
        ++length;
    }
    return length;
}

// -----------------------------------------------------------------------------------------------------------
// Forms with numbers
// -----------------------------------------------------------------------------------------------------------

static bool is_whole(double value)
{
    return value == floor(value) && value >= (double)INT32_MIN && value <= (double)UINT32_MAX;
}

static AbutResult read_number(Parser* parser, const FormRule* rule, FormNumbers* numbers)
{
    TextCursor* cursor = &parser->cursor;
    const char* position = cursor->at;
    uint32_t index = numbers->count;
    char name[FORM_NAME_SIZE];
    if (index == FORM_NUMBER_LIMIT || !abut_form_parameter(rule, index, name))
    {
        return abut_text_fail_at(cursor, position, "too many numbers; the form is %s", rule->text);
    }
    double value;
    if (!abut_text_number(cursor, &value) || fabs(value) > (double)FLT_MAX)
    {
        return abut_text_fail_at(cursor, position, "expected a finite number for %s; the form is %s", name,
                                 rule->text);
    }
    bool whole = index < 32 && (rule->whole_numbers >> index & 1u) != 0;
    if (whole && !is_whole(value))
    {
        return abut_text_fail_at(cursor, position, "expected a whole number for %s; the form is %s", name,
                                 rule->text);
    }
    numbers->values[numbers->count++] = value;
    return ABUT_OK;
}

static AbutResult read_numbers(Parser* parser, const FormRule* rule, FormNumbers* numbers)
{
    TextCursor* cursor = &parser->cursor;
    numbers->count = 0;
    AbutResult result = ABUT_OK;
    if (abut_text_accept(cursor, ':'))
    {
        do
        {
            result = read_number(parser, rule, numbers);
        } while (result == ABUT_OK && abut_text_accept(cursor, ','));
    }
    char missing[FORM_NAME_SIZE];
    bool ended = cursor->at == cursor->end || *cursor->at == ';' || *cursor->at == ')';
    if (result == ABUT_OK && numbers->count > 0 && !ended)
    {
        return abut_text_fail_at(cursor, cursor->at, "expected ',' or the end of %.*s; the form is %s",
                                 (int)abut_form_name_length(rule), rule->text, rule->text);
    }
    if (result == ABUT_OK && !abut_form_allows_count(rule, numbers->count))
    {
        abut_form_parameter(rule, numbers->count, missing);
        result = abut_text_fail_at(cursor, cursor->at, "expected '%c' and a number for %s; the form is %s",
                                   numbers->count == 0 ? ':' : ',', missing, rule->text);
    }
    return result;
}

static AbutResult read_form_with_numbers(Parser* parser, const FormRule* rule, const char* position,
                                         AbutParsedShape* out)
{
    FormNumbers numbers;
    AbutResult result = read_numbers(parser, rule, &numbers);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = rule->build(&numbers, parser->host, out);
    return result == ABUT_OK ? ABUT_OK : abut_text_wrap_failure(&parser->cursor, position, result);
}

// -----------------------------------------------------------------------------------------------------------
// Combinations
// -----------------------------------------------------------------------------------------------------------

static AbutResult read_shape(Parser* parser, uint32_t depth);

static AbutResult read_number_argument(Parser* parser, const FormRule* rule, float* out)
{
    const char* position = parser->cursor.at;
    double value;
    if (!abut_text_number(&parser->cursor, &value) || fabs(value) > (double)FLT_MAX)
    {
        return abut_text_fail_at(&parser->cursor, position, "expected a finite number; the form is %s",
                                 rule->text);
    }
    *out = (float)value;
    return ABUT_OK;
}

/// Length of an argument: to the next ';' or ')' outside of its own parentheses, without blanks at its end.
static size_t argument_length(const char* text)
{
    size_t length = 0, open = 0;
    while (text[length] != '\0' && (open > 0 || (text[length] != ';' && text[length] != ')')))
    {
        open += text[length] == '(' ? 1 : 0;
        open -= text[length] == ')' ? 1 : 0;
        ++length;
    }
    while (length > 0 && strchr(" \t\n\r", text[length - 1]) != NULL)
    {
        --length;
    }
    return length;
}

/// A file or generator of a mesh.
static AbutResult read_mesh_argument(Parser* parser, const FormRule* rule, AbutMesh** out)
{
    TextCursor* cursor = &parser->cursor;
    abut_text_skip_spaces(cursor);
    const char* position = cursor->at;
    size_t length = argument_length(position);
    const FormRule* inner = abut_form_find(position, name_length(position));
    char source[4096];
    if (length == 0 || length >= sizeof(source) || (inner != NULL && !inner->makes_mesh))
    {
        return abut_text_fail_at(cursor, position, "expected a file or generator of a mesh; the form is %s",
                                 rule->text);
    }
    memcpy(source, position, length);
    source[length] = '\0';
    AbutParsedShape loaded = { NULL, NULL };
    AbutResult result = abut_shape_parse(source, parser->host, &loaded);
    if (result != ABUT_OK)
    {
        return abut_text_wrap_failure(cursor, position, result);
    }
    abut_shape_destroy(loaded.shape);
    *out = loaded.mesh;
    cursor->at += length;
    abut_text_skip_spaces(cursor);
    return loaded.mesh != NULL
               ? ABUT_OK
               : abut_text_fail_at(cursor, position, "%s is no mesh; the form is %s", source, rule->text);
}

/// Reads the arguments up to the last one; shapes go to the stack.
static AbutResult read_arguments(Parser* parser, const FormRule* rule, uint32_t depth,
                                 FormArguments* arguments)
{
    TextCursor* cursor = &parser->cursor;
    AbutResult result = ABUT_OK;
    for (const char* letter = rule->arguments; result == ABUT_OK && *letter != '\0'; ++letter)
    {
        if (*letter == '+')
        {
            while (result == ABUT_OK && abut_text_accept(cursor, ';'))
            {
                result = read_shape(parser, depth + 1);
            }
        }
        else if (letter != rule->arguments && !abut_text_accept(cursor, ';'))
        {
            result = abut_text_fail_at(cursor, cursor->at, "expected ';' and the next part; the form is %s",
                                       rule->text);
        }
        else if (*letter == 'S')
        {
            result = read_shape(parser, depth + 1);
        }
        else if (*letter == 'M')
        {
            result = read_mesh_argument(parser, rule, &arguments->mesh);
        }
        else
        {
            result = *letter == 'P' ? abut_text_pose(cursor, &arguments->pose)
                                    : read_number_argument(parser, rule, &arguments->number);
        }
    }
    return result;
}

/// Replaces the shapes from `base` up by their combination.
static AbutResult combine(Parser* parser, const FormRule* rule, uint32_t base, const char* position,
                          FormArguments* arguments)
{
    arguments->children = parser->waiting + base;
    arguments->child_count = parser->waiting_count - base;
    AbutShape* combined = NULL;
    AbutResult result = rule->combine(arguments, parser->host, &combined);
    if (result != ABUT_OK)
    {
        return abut_text_wrap_failure(&parser->cursor, position, result);
    }
    while (parser->waiting_count > base)
    {
        abut_shape_destroy(parser->waiting[--parser->waiting_count]);
    }
    parser->waiting[parser->waiting_count++] = combined;
    return ABUT_OK;
}

static AbutResult read_combination(Parser* parser, const FormRule* rule, const char* position, uint32_t depth)
{
    TextCursor* cursor = &parser->cursor;
    if (depth > NESTING_LIMIT)
    {
        abut_text_fail_at(cursor, position, "shapes are nested deeper than %d", NESTING_LIMIT);
        return ABUT_LIMIT_EXCEEDED;
    }
    if (!abut_text_accept(cursor, '('))
    {
        return abut_text_fail_at(cursor, cursor->at, "expected '('; the form is %s", rule->text);
    }
    uint32_t base = parser->waiting_count;
    FormArguments arguments = { .pose = abut_pose_identity() };
    AbutResult result = read_arguments(parser, rule, depth, &arguments);
    if (result == ABUT_OK && !abut_text_accept(cursor, ')'))
    {
        result = abut_text_fail_at(cursor, cursor->at, "expected ')'; the form is %s", rule->text);
    }
    result = result == ABUT_OK ? combine(parser, rule, base, position, &arguments) : result;
    abut_mesh_destroy(arguments.mesh);
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Any form with a distance
// -----------------------------------------------------------------------------------------------------------

/// A list of all names, so that a typing mistake is seen at once.
static AbutResult fail_unknown_name(const TextCursor* cursor, const char* position)
{
    char names[768] = "";
    size_t used = 0;
    for (uint32_t i = 0; abut_form_at(i) != NULL; ++i)
    {
        const FormRule* rule = abut_form_at(i);
        int length = snprintf(names + used, sizeof(names) - used, "%s%.*s", i == 0 ? "" : ", ",
                              (int)abut_form_name_length(rule), rule->text);
        used = length > 0 && used + (size_t)length < sizeof(names) ? used + (size_t)length : used;
    }
    return abut_text_fail_at(cursor, position, "no shape and no file has this name; the shapes are %s",
                             names);
}

static AbutResult fail_mesh_inside(const TextCursor* cursor, const char* position, int length)
{
    return abut_text_fail_at(cursor, position,
                             "%.*s is a mesh, and combinations take shapes with a distance "
                             "(bake it first: abut bake %.*s -o FIELD)",
                             length, position, length, position);
}

/// A part that is no form: a mesh file, or a mistake.
static AbutResult fail_no_form(const TextCursor* cursor, const char* position)
{
    size_t length = strcspn(position, ";,()");
    for (size_t i = 1; i + 1 < length; ++i)
    {
        if (position[i] == '.' && is_name_byte(position[i + 1]))
        {
            return fail_mesh_inside(cursor, position, (int)length);
        }
    }
    return fail_unknown_name(cursor, position);
}

/// Reads one shape and pushes it.
static AbutResult read_shape(Parser* parser, uint32_t depth)
{
    TextCursor* cursor = &parser->cursor;
    abut_text_skip_spaces(cursor);
    const char* position = cursor->at;
    size_t length = name_length(position);
    const FormRule* rule = abut_form_find(position, length);
    if (rule == NULL)
    {
        return fail_no_form(cursor, position);
    }
    if (rule->makes_mesh)
    {
        return fail_mesh_inside(cursor, position, (int)length);
    }
    if (parser->waiting_count == WAITING_LIMIT)
    {
        abut_text_fail_at(cursor, position, "more than %d shapes side by side", WAITING_LIMIT);
        return ABUT_LIMIT_EXCEEDED;
    }
    cursor->at += length;
    abut_text_skip_spaces(cursor);
    if (rule->combine != NULL)
    {
        return read_combination(parser, rule, position, depth);
    }
    AbutParsedShape text = { NULL, NULL };
    AbutResult result = read_form_with_numbers(parser, rule, position, &text);
    if (result == ABUT_OK)
    {
        parser->waiting[parser->waiting_count++] = text.shape;
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// The whole text: a form or a file
// -----------------------------------------------------------------------------------------------------------

static bool file_exists(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

static AbutResult read_whole_form(Parser* parser, const FormRule* rule, AbutParsedShape* out)
{
    TextCursor* cursor = &parser->cursor;
    const char* position = cursor->at;
    AbutParsedShape text = { NULL, NULL };
    AbutResult result;
    if (rule->makes_mesh)
    {
        cursor->at += abut_form_name_length(rule);
        result = read_form_with_numbers(parser, rule, position, &text);
    }
    else
    {
        result = read_shape(parser, 1);
    }
    if (result == ABUT_OK && cursor->at != cursor->end)
    {
        result =
            abut_text_fail_at(cursor, cursor->at, "expected the end of the text; the form is %s", rule->text);
    }
    if (result == ABUT_OK && !rule->makes_mesh)
    {
        text.shape = parser->waiting[--parser->waiting_count];
    }
    if (result == ABUT_OK)
    {
        *out = text;
        return ABUT_OK;
    }
    abut_mesh_destroy(text.mesh);
    while (parser->waiting_count > 0)
    {
        abut_shape_destroy(parser->waiting[--parser->waiting_count]);
    }
    return result;
}

static const char close_option[] = ",close";

/// "part.obj@128" and "part.obj@128,close" name a field to be baked, unless that is the name of a file.
/// @return where the '@' is, or NULL.
static const char* resolution_mark(const char* text)
{
    const char* mark = strrchr(text, '@');
    if (mark == NULL || mark == text || file_exists(text))
    {
        return NULL;
    }
    size_t digits = strspn(mark + 1, "0123456789");
    const char* rest = mark + 1 + digits;
    return digits > 0 && (*rest == '\0' || strcmp(rest, close_option) == 0) ? mark : NULL;
}

static bool names_field_file(const char* text)
{
    return abut_io_path_ends_with(text, ".abut");
}

/// Replaces the mesh by one without holes.
static AbutResult close_loaded(AbutParsedShape* loaded, const AbutHost* host)
{
    if (loaded->mesh == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "',close' is for meshes; a shape has no holes");
    }
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.host = host;
    AbutMesh* closed = NULL;
    AbutResult result = abut_mesh_close(&def, loaded->mesh, &closed, NULL);
    if (result == ABUT_OK)
    {
        abut_mesh_destroy(loaded->mesh);
        loaded->mesh = closed;
    }
    return result;
}

static AbutResult bake_loaded(AbutParsedShape* loaded, uint32_t resolution, bool closes, const AbutHost* host,
                              AbutShape** out)
{
    AbutResult result = closes ? close_loaded(loaded, host) : ABUT_OK;
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.host = host;
    if (result != ABUT_OK)
    {
        return result;
    }
    return loaded->mesh != NULL ? abut_bake_mesh(&def, loaded->mesh, out)
                                : abut_bake_shape(&def, loaded->shape, out);
}

/// Loads the mesh or generator before the '@' and bakes it.
static AbutResult bake_text(const char* text, const char* mark, const AbutHost* host, AbutParsedShape* out)
{
    char source[4096];
    size_t length = (size_t)(mark - text);
    size_t digits = strspn(mark + 1, "0123456789");
    bool closes = mark[1 + digits] != '\0';
    unsigned long resolution = strtoul(mark + 1, NULL, 10);
    if (length >= sizeof(source) || digits > 5)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: the resolution after '@' must be from 1 to 8192", text);
    }
    memcpy(source, text, length);
    source[length] = '\0';
    AbutParsedShape loaded;
    AbutResult result = abut_shape_parse(source, host, &loaded);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = bake_loaded(&loaded, (uint32_t)resolution, closes, host, &out->shape);
    abut_mesh_destroy(loaded.mesh);
    abut_shape_destroy(loaded.shape);
    return result == ABUT_OK ? ABUT_OK : abut_fail(result, "%s: %s", text, abut_last_error());
}

static AbutResult load_file(const TextCursor* cursor, const AbutHost* host, AbutParsedShape* out)
{
    const char* path = cursor->begin;
    if (!file_exists(path))
    {
        // What starts like a form is more likely a mistyped name than a missing file.
        char after = cursor->at[name_length(cursor->at)];
        if (after == '\0' || after == ':' || after == '(')
        {
            return fail_unknown_name(cursor, cursor->at);
        }
    }
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.host = host;
    return abut_mesh_load_with(&def, path, &out->mesh);
}

AbutResult abut_shape_parse(const char* text, const AbutHost* host, AbutParsedShape* out)
{
    ABUT_FP_CALL(abut_shape_parse, text, host, out);
    AbutHost own_host = host != NULL ? *host : abut_host_default();
    Parser parser = { .cursor = abut_text_cursor("SHAPE", text), .host = &own_host };
    out->shape = NULL;
    out->mesh = NULL;
    const char* mark = resolution_mark(text);
    if (mark != NULL)
    {
        return bake_text(text, mark, &own_host, out);
    }
    const char* start = parser.cursor.at;
    size_t length = name_length(start);
    const FormRule* rule = abut_form_find(start, length);
    size_t spaces = strspn(start + length, " \t\r\n");
    char after = start[length + spaces];
    if (rule != NULL && (after == '\0' || after == ':' || after == '('))
    {
        AbutResult result = read_whole_form(&parser, rule, out);
        if (result == ABUT_INVALID_ARGUMENT && file_exists(text))
        {
            return abut_fail(result, "%s; a file of this name exists: write ./%s for it", abut_last_error(),
                             text);
        }
        return result;
    }
    if (names_field_file(text))
    {
        return abut_field_load(text, host, &out->shape);
    }
    if (abut_volume_format_from_path(text) != ABUT_VOLUME_FORMAT_UNKNOWN)
    {
        AbutVolumeLoadDef def = abut_volume_load_def();
        def.host = host;
        return abut_volume_load(&def, text, &out->shape);
    }
    return load_file(&parser.cursor, &own_host, out);
}
