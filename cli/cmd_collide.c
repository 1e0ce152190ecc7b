// abut collide: whether two shapes touch, where, and how far they are apart otherwise, with a proof.
#include "command.h"
#include "json.h"
#include "output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LONGEST_LINE = 1024,
    MOST_CONTACTS = 2048,
    MOST_POSES = 1 << 24
};

typedef struct CollideSettings
{
    CommonSettings common;
    const char* pose;
    const char* poses;
    double tolerance, margin, spacing;
    uint32_t reduce;
    bool fail;
} CollideSettings;

typedef struct PoseList
{
    AbutPose* items;
    size_t count, capacity;
} PoseList;

static void set_defaults(void* settings_pointer)
{
    CollideSettings* settings = settings_pointer;
    settings->reduce = MOST_CONTACTS;
}

// ---------------------------------------------------------------------------------------------------------------------
// Poses
// ---------------------------------------------------------------------------------------------------------------------

static bool add_pose(PoseList* list, const AbutPose* pose)
{
    if (list->count == list->capacity)
    {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        AbutPose* items = capacity <= MOST_POSES ? realloc(list->items, capacity * sizeof(*items)) : NULL;
        if (items == NULL)
        {
            message_error("collide: no memory for more than %zu poses", list->count);
            return false;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *pose;
    return true;
}

/// Numbers of a line may be apart by commas or blanks; empty lines and what follows a # are passed over.
static bool parse_line(char* line, AbutPose* pose, bool* empty)
{
    line[strcspn(line, "#\r\n")] = '\0';
    char text[LONGEST_LINE];
    size_t length = 0;
    for (char* word = strtok(line, ", \t"); word != NULL; word = strtok(NULL, ", \t"))
    {
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", length > 0 ? "," : "", word);
    }
    *empty = length == 0;
    return *empty || abut_pose_parse(text, pose) == ABUT_OK;
}

static bool read_poses(const char* path, PoseList* list)
{
    bool standard = strcmp(path, "-") == 0;
    FILE* stream = standard ? stdin : fopen(path, "rb");
    if (stream == NULL)
    {
        message_error("%s: cannot open: %s", path, strerror(errno));
        return false;
    }
    char line[LONGEST_LINE];
    bool good = true;
    for (size_t number = 1; good && fgets(line, sizeof(line), stream) != NULL; ++number)
    {
        AbutPose pose;
        bool empty, whole = strchr(line, '\n') != NULL || feof(stream);
        if (!whole || !parse_line(line, &pose, &empty))
        {
            message_error("%s:%zu: %s", path, number,
                          whole ? abut_last_error() : "the line is too long for a pose");
            good = false;
        }
        good = good && (empty || add_pose(list, &pose));
    }
    if (good && ferror(stream))
    {
        message_error("%s: cannot read: %s", path, strerror(errno));
        good = false;
    }
    if (!standard)
    {
        fclose(stream);
    }
    return good;
}

static bool load_poses(const CollideSettings* settings, PoseList* list)
{
    if (settings->pose != NULL && settings->poses != NULL)
    {
        message_error("collide: --pose and --poses both say where B stands; give one of them");
        return false;
    }
    if (settings->poses != NULL)
    {
        return read_poses(settings->poses, list);
    }
    AbutPose pose;
    return command_parse_pose(settings->pose, &pose) && add_pose(list, &pose);
}

// ---------------------------------------------------------------------------------------------------------------------
// Answers
// ---------------------------------------------------------------------------------------------------------------------

static void print_pair(size_t number, const AbutCollideOutput* output, const AbutContact* contacts)
{
    printf("%zu %s", number, abut_collide_state_name(output->state));
    if (output->state == ABUT_COLLIDE_SEPARATED)
    {
        printf(" gap %g", (double)output->gap);
    }
    printf(" contacts %d of %d evaluations %llu\n", output->contact_count, output->contact_total,
           (unsigned long long)output->evaluations);
    for (int i = 0; i < output->contact_count; ++i)
    {
        const AbutContact* c = &contacts[i];
        printf("  %.9g %.9g %.9g  %.6g %.6g %.6g  %.6g\n", (double)c->position.x, (double)c->position.y,
               (double)c->position.z, (double)c->normal.x, (double)c->normal.y, (double)c->normal.z,
               (double)c->separation);
    }
}

static void add_pair(cJSON* pairs, const AbutCollideOutput* output, const AbutContact* contacts)
{
    cJSON* pair = cJSON_CreateObject();
    cJSON_AddStringToObject(pair, "state", abut_collide_state_name(output->state));
    json_add_float(pair, "gap", output->gap);
    cJSON* list = cJSON_AddArrayToObject(pair, "contacts");
    for (int i = 0; i < output->contact_count; ++i)
    {
        cJSON* contact = cJSON_CreateObject();
        char id[24];
        snprintf(id, sizeof(id), "%llu", (unsigned long long)contacts[i].id); // more than a double can hold
        json_add_vec3(contact, "position", contacts[i].position);
        json_add_vec3(contact, "normal", contacts[i].normal);
        json_add_float(contact, "separation", contacts[i].separation);
        cJSON_AddStringToObject(contact, "id", id);
        cJSON_AddItemToArray(list, contact);
    }
    cJSON_AddNumberToObject(pair, "contact_total", output->contact_total);
    cJSON_AddNumberToObject(pair, "evaluations", (double)output->evaluations);
    cJSON_AddItemToArray(pairs, pair);
}

/// Answers every pose; *touching is how many are not separated.
static ExitCode answer(const CollideSettings* settings, AbutCollideInput* input, const PoseList* poses,
                       size_t* touching)
{
    static AbutContact contacts[MOST_CONTACTS];
    cJSON* document = settings->common.json ? cJSON_CreateObject() : NULL;
    cJSON* pairs = document != NULL ? cJSON_AddArrayToObject(document, "pairs") : NULL;
    double seconds = 0.0;
    Progress progress = progress_start("colliding");
    for (size_t i = 0; i < poses->count; ++i)
    {
        input->pose_b = poses->items[i];
        double start = seconds_now();
        AbutCollideOutput output = abut_collide(input, contacts, (int)settings->reduce);
        seconds += seconds_now() - start;
        if (output.state == ABUT_COLLIDE_INVALID)
        {
            message_error("pose %zu: %s", i + 1, abut_last_error());
            cJSON_Delete(document);
            return EXIT_INPUT;
        }
        *touching += output.state != ABUT_COLLIDE_SEPARATED ? 1u : 0u;
        if (document != NULL)
        {
            add_pair(pairs, &output, contacts);
        }
        else
        {
            print_pair(i + 1, &output, contacts);
        }
        progress_show(&progress, (float)i / (float)poses->count);
    }
    progress_end();
    if (!settings->common.json)
    {
        return EXIT_DONE;
    }
    cJSON_AddNumberToObject(document, "seconds", seconds);
    return json_print(document);
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const CollideSettings* settings = settings_pointer;
    PoseList poses = { 0 };
    AbutShape *a = NULL, *b = NULL;
    if (!(settings->tolerance >= 0.0) || !(settings->margin >= 0.0) || !(settings->spacing >= 0.0))
    {
        message_error("collide: --tolerance, --margin and --spacing must be at least 0");
        return EXIT_USAGE;
    }
    if (!load_poses(settings, &poses))
    {
        free(poses.items);
        return settings->poses != NULL && settings->pose == NULL ? EXIT_INPUT : EXIT_USAGE;
    }
    ExitCode code = EXIT_INPUT;
    if (command_load_distance(session, session->positionals->items[0], &a) &&
        command_load_distance(session, session->positionals->items[1], &b))
    {
        AbutCollideInput input = abut_collide_input(a, b);
        input.settings.tolerance = (float)settings->tolerance;
        input.settings.margin = (float)settings->margin;
        input.settings.spacing = (float)settings->spacing;
        size_t touching = 0;
        code = answer(settings, &input, &poses, &touching);
        code = code == EXIT_DONE && settings->fail && touching > 0 ? EXIT_ANSWER : code;
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    free(poses.items);
    return code;
}

static const Option options[] = {
    { "pose", 0, OPTION_TEXT, offsetof(CollideSettings, pose), "POSE",
      "where B stands in the frame of A: x,y,z[,qx,qy,qz,qw[,scale]]", 0, 0, 0 },
    { "poses", 0, OPTION_TEXT, offsetof(CollideSettings, poses), "FILE",
      "a pose of B per line instead; - is standard input", 0, 0, 0 },
    { "tolerance", 0, OPTION_NUMBER, offsetof(CollideSettings, tolerance), "T",
      "how fine to look before the answer is \"close\" (1e-3 of the smaller shape)", 0, 0, 0 },
    { "margin", 0, OPTION_NUMBER, offsetof(CollideSettings, margin), "M",
      "report contacts across gaps of up to M, too (0)", 0, 0, 0 },
    { "spacing", 0, OPTION_NUMBER, offsetof(CollideSettings, spacing), "S",
      "at most one contact per cube of size S (1/24 of the smaller shape)", 0, 0, 0 },
    { "reduce", 0, OPTION_COUNT, offsetof(CollideSettings, reduce), "K",
      "print the K deepest contacts at most", 0, MOST_CONTACTS, 0 },
    { "fail", 0, OPTION_FLAG, offsetof(CollideSettings, fail), NULL,
      "exit with status 1 unless all poses are proved to be separated", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_collide = {
    .name = "collide",
    .usage = "A B [--pose POSE | --poses FILE] [options]",
    .summary = "whether two shapes touch, and where",
    .description = "Divides the space that both shapes may occupy until every part is proved clear, or a "
                   "point is found\n"
                   "in both. For each pose of B prints a line: its number, the state (separated: proved, "
                   "with the least\n"
                   "gap; contact: proved; close: within the tolerance and the error of fields; budget: not "
                   "decided), and a\n"
                   "line per contact: position, normal (outward of B), separation (negative: how deep), in "
                   "the frame of A.\n"
                   "With --json: {\"pairs\": [{\"state\", \"gap\", \"contacts\": [{\"position\", \"normal\", "
                   "\"separation\",\n"
                   "\"id\"}], \"contact_total\", \"evaluations\"}], \"seconds\"}.",
    .examples = "  abut collide sphere:0.5 box:1,1,1 --pose 0.9,0,0\n"
                "  abut collide part.abut part.abut --poses poses.txt --reduce 0 --fail\n"
                "  abut collide torus:0.5,0.02 torus:0.5,0.02 --pose 0.5,0,0,0.7071,0,0,0.7071 --json\n"
                "  abut collide plane bunny.obj@64 --pose 0,-0.03,0 --margin 0.01\n",
    .options = options,
    .least_arguments = 2,
    .most_arguments = 2,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
