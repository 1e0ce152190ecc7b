#include "scenes/simulate/json/json_location.h"

#include <stdio.h>
#include <string.h>

typedef struct Scanner
{
    const char* at;
    const char* end;
} Scanner;

static void skip_blanks(Scanner* scan)
{
    while (scan->at < scan->end && (unsigned char)*scan->at <= ' ')
    {
        ++scan->at;
    }
}

static void skip_string(Scanner* scan)
{
    ++scan->at;
    while (scan->at < scan->end && *scan->at != '"')
    {
        scan->at += *scan->at == '\\' && scan->at + 1 < scan->end ? 2 : 1;
    }
    scan->at += scan->at < scan->end ? 1 : 0;
}

/// Up to the comma or bracket that ends the value, whatever is inside of it.
static void skip_value(Scanner* scan)
{
    uint32_t depth = 0;
    while (scan->at < scan->end)
    {
        char c = *scan->at;
        if (c == '"')
        {
            skip_string(scan);
            continue;
        }
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
        {
            return;
        }
        depth += c == '[' || c == '{' ? 1u : 0u;
        depth -= c == ']' || c == '}' ? 1u : 0u;
        ++scan->at;
    }
}

/// From the start of a list or object to that of its child: to the key, when it has one.
static void enter_child(Scanner* scan, uint32_t ordinal)
{
    ++scan->at;
    for (uint32_t i = 0; i < ordinal && scan->at < scan->end; ++i)
    {
        skip_value(scan);
        scan->at += scan->at < scan->end ? 1 : 0;
    }
    skip_blanks(scan);
}

static void skip_key(Scanner* scan)
{
    skip_string(scan);
    skip_blanks(scan);
    scan->at += scan->at < scan->end ? 1 : 0; // the colon
    skip_blanks(scan);
}

static void enter_children(Scanner* scan, const JsonLocation* location)
{
    if (location->parent == NULL)
    {
        skip_blanks(scan);
        return;
    }
    enter_children(scan, location->parent);
    if (location->parent->key != NULL && scan->at < scan->end)
    {
        skip_key(scan);
    }
    if (scan->at < scan->end)
    {
        enter_child(scan, location->ordinal);
    }
}

uint32_t json_line_of(const char* text, size_t offset)
{
    uint32_t line = 1;
    for (size_t i = 0; i < offset; ++i)
    {
        line += text[i] == '\n' ? 1u : 0u;
    }
    return line;
}

uint32_t json_location_line(const char* text, size_t size, const JsonLocation* location)
{
    Scanner scan = { text, text + size };
    enter_children(&scan, location);
    return json_line_of(text, (size_t)(scan.at - text));
}

/// Moves the walk to where the scanner is.
static void walk_to(JsonWalk* walk, const Scanner* scan)
{
    for (; walk->at < scan->at; ++walk->at)
    {
        walk->line += *walk->at == '\n' ? 1u : 0u;
    }
}

JsonWalk json_walk_begin(const char* text, size_t size, const JsonLocation* parent)
{
    JsonWalk walk = { text, text + size, 1 };
    JsonLocation first = { parent, 0, NULL };
    Scanner scan = { text, text + size };
    enter_children(&scan, &first);
    walk_to(&walk, &scan);
    return walk;
}

void json_walk_next(JsonWalk* walk)
{
    Scanner scan = { walk->at, walk->end };
    skip_value(&scan);
    scan.at += scan.at < scan.end ? 1 : 0;
    skip_blanks(&scan);
    walk_to(walk, &scan);
}

void json_location_name(const JsonLocation* location, char* out, size_t size)
{
    if (location->parent == NULL)
    {
        snprintf(out, size, "scene");
        return;
    }
    bool whole = location->parent->parent == NULL;
    out[0] = '\0';
    if (!whole)
    {
        json_location_name(location->parent, out, size);
    }
    size_t used = strlen(out);
    if (location->key != NULL)
    {
        snprintf(out + used, size - used, "%s%.64s", whole ? "" : ".", location->key);
    }
    else
    {
        snprintf(out + used, size - used, "[%u]", location->ordinal);
    }
}
