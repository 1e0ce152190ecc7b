// abut bench families [quick] [PART...]: the families of collision detection, each at its best, against
// peers.
//
// A part is a file of families/ and a row below; all of them when none is named.
#include "families.h"

#include <stdio.h>
#include <string.h>

typedef struct FamilyPart
{
    const char* name;
    FamilyRun* run;
} FamilyPart;

static const FamilyPart parts[] = {
    { "primitives", family_primitives_run }, { "hulls", family_hulls_run },
    { "features", family_features_run },     { "meshes", family_meshes_run },
    { "swift", family_swift_run },           { "image", family_image_run },
    { "terrain", family_terrain_run },       { "survey", family_survey_run },
    { "deadline", family_deadline_run },
};

enum
{
    PART_COUNT = sizeof(parts) / sizeof(parts[0])
};

static int find_part(const char* name)
{
    for (int i = 0; i < PART_COUNT; ++i)
    {
        if (strcmp(name, parts[i].name) == 0)
        {
            return i;
        }
    }
    return -1;
}

static void print_unknown(const char* name)
{
    fprintf(stderr, "abut: bench families: %s is no part; parts are quick", name);
    for (int i = 0; i < PART_COUNT; ++i)
    {
        fprintf(stderr, ", %s", parts[i].name);
    }
    fprintf(stderr, "\n");
}

bool bench_families_run(BenchReport* report, int argument_count, char** arguments)
{
    FamilyOptions options = { false };
    bool chosen[PART_COUNT] = { false }, any = false;
    for (int i = 0; i < argument_count; ++i)
    {
        int part = find_part(arguments[i]);
        if (strcmp(arguments[i], "quick") == 0)
        {
            options.quick = true;
        }
        else if (part >= 0)
        {
            chosen[part] = any = true;
        }
        else
        {
            print_unknown(arguments[i]);
            return false;
        }
    }
    bool good = true;
    for (int i = 0; i < PART_COUNT; ++i)
    {
        good = (any && !chosen[i]) || parts[i].run(report, &options) ? good : false;
    }
    return good;
}
