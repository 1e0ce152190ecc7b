// Answers of `abut collide` as text for people, CSV for spreadsheets, and JSON for programs.
#include "answer_text.h"
#include "collide.h"
#include "json.h"
#include "output.h"

#include <math.h>
#include <stdio.h>

enum
{
    MOST_ROWS = 20 // of text, unless it is said how many
};

static bool is_reduced(const CollideSettings* settings)
{
    return settings->reduce != NOT_REDUCED && settings->reduce > 0;
}

// -----------------------------------------------------------------------------------------------------------
// Text
// -----------------------------------------------------------------------------------------------------------

/// What a part of a unit vector is compared with: text shows five digits of it.
#define UNIT_SIZE 50.0f

static void print_row(const AbutContact* c, bool depth)
{
    printf("  %13.6g %13.6g %13.6g  %9.5f %9.5f %9.5f  %12.5g", (double)c->position.x, (double)c->position.y,
           (double)c->position.z, text_tidy(c->normal.x, UNIT_SIZE), text_tidy(c->normal.y, UNIT_SIZE),
           text_tidy(c->normal.z, UNIT_SIZE), (double)c->separation);
    if (depth)
    {
        printf(" %12.5g %12.2g %12.5g", (double)c->depth, (double)c->depth_error, (double)c->shared_length);
    }
    printf("\n");
}

static void print_counts(const CollideSettings* settings, const PairAnswer* answer)
{
    const AbutCollideOutput* output = &answer->output;
    if (settings->reduce != 0)
    {
        printf(", %u", output->contact_count);
        if (output->contact_count < output->contact_total)
        {
            printf(" of %u", output->contact_total);
        }
        printf(" contact%s", output->contact_total == 1 ? "" : "s");
    }
    if (is_reduced(settings) && answer->reduction.dropped_count > 0)
    {
        printf(", force changed by %.1f %%, torque by %.1f %%",
               100.0 * (double)answer->reduction.force_change,
               100.0 * (double)answer->reduction.torque_change);
    }
    printf(" (%llu samples)\n", (unsigned long long)output->evaluations);
}

static void print_contacts(const CollideSettings* settings, const PairAnswer* answer)
{
    uint32_t count = answer->output.contact_count;
    uint32_t shown = is_reduced(settings) || count <= MOST_ROWS ? count : MOST_ROWS;
    if (count > 0)
    {
        printf("  %13s %13s %13s  %9s %9s %9s  %12s%s\n", "x", "y", "z", "normal x", "y", "z", "separation",
               settings->depth ? "        depth  depth error       shared" : "");
    }
    for (uint32_t i = 0; i < shown; ++i)
    {
        print_row(&answer->contacts[i], settings->depth);
    }
    if (shown < count)
    {
        printf("  ... and %u more: --reduce K chooses the best K, --csv and --json print all\n",
               count - shown);
    }
}

static void print_distance(const AbutDistanceOutput* distance)
{
    float size = abut_vec3_length(distance->point_a) + abut_vec3_length(distance->point_b);
    printf(", distance %.9g to %.9g, from ", (double)distance->low, (double)distance->high);
    text_point(distance->point_a, size);
    printf(" to ");
    text_point(distance->point_b, size);
}

static void print_pair(const CollideSettings* settings, size_t number, const PairAnswer* answer)
{
    printf("%zu: %s", number, abut_collide_state_name(answer->output.state));
    if (answer->output.state == ABUT_COLLIDE_SEPARATED)
    {
        printf(", gap at least %.9g", (double)answer->output.gap);
    }
    if (answer->has_distance)
    {
        print_distance(&answer->distance);
    }
    print_counts(settings, answer);
    print_contacts(settings, answer);
}

// -----------------------------------------------------------------------------------------------------------
// CSV. A line for each contact, and one without for a pose that has none, all with the columns of the pose:
// filters and pivot tables want no cell that means the one above it.
// -----------------------------------------------------------------------------------------------------------

static void csv_begin(const CollideSettings* settings)
{
    printf(
        "pair,state,gap%s,evaluations,contact_total%s,contact,x,y,z,normal_x,normal_y,normal_z,separation%s,"
        "anchor_a_x,anchor_a_y,anchor_a_z,anchor_b_x,anchor_b_y,anchor_b_z,id\n",
        settings->distance
            ? ",distance_low,distance_high,point_a_x,point_a_y,point_a_z,point_b_x,point_b_y,point_b_z"
            : "",
        is_reduced(settings) ? ",left_out,force_change,torque_change" : "",
        settings->depth ? ",depth,depth_error,shared" : "");
}

static void csv_distance(const PairAnswer* answer)
{
    if (!answer->has_distance)
    {
        csv_empty(8);
        return;
    }
    csv_float(answer->distance.low);
    csv_float(answer->distance.high);
    csv_vec3(answer->distance.point_a);
    csv_vec3(answer->distance.point_b);
}

static void csv_pose(const CollideSettings* settings, size_t number, const PairAnswer* answer)
{
    const AbutCollideOutput* output = &answer->output;
    printf("%zu,%s", number, abut_collide_state_name(output->state));
    csv_float(output->state == ABUT_COLLIDE_SEPARATED ? output->gap : NAN);
    if (settings->distance)
    {
        csv_distance(answer);
    }
    printf(",%llu,%u", (unsigned long long)output->evaluations, output->contact_total);
    if (is_reduced(settings))
    {
        printf(",%u", answer->reduction.dropped_count);
        csv_float(answer->reduction.force_change);
        csv_float(answer->reduction.torque_change);
    }
}

static void csv_contact(const CollideSettings* settings, uint32_t number, const AbutContact* contact)
{
    printf(",%u", number);
    csv_vec3(contact->position);
    csv_vec3(contact->normal);
    csv_float(contact->separation);
    if (settings->depth)
    {
        csv_float(contact->depth);
        csv_float(contact->depth_error);
        csv_float(contact->shared_length);
    }
    csv_vec3(contact->anchor_a);
    csv_vec3(contact->anchor_b);
    // As a text: a spreadsheet would round so long a number.
    printf(",0x%llx\n", (unsigned long long)contact->id);
}

static void csv_add(const CollideSettings* settings, size_t number, const PairAnswer* answer)
{
    for (uint32_t i = 0; i < answer->output.contact_count; ++i)
    {
        csv_pose(settings, number, answer);
        csv_contact(settings, i + 1, &answer->contacts[i]);
    }
    if (answer->output.contact_count == 0)
    {
        csv_pose(settings, number, answer);
        csv_empty(settings->depth ? 18 : 15);
        printf("\n");
    }
}

// -----------------------------------------------------------------------------------------------------------
// JSON
// -----------------------------------------------------------------------------------------------------------

static cJSON* make_contact(const CollideSettings* settings, const AbutContact* contact)
{
    cJSON* item = cJSON_CreateObject();
    char id[24];
    snprintf(id, sizeof(id), "%llu", (unsigned long long)contact->id); // more than a double can hold
    json_add_vec3(item, "position", contact->position);
    json_add_vec3(item, "normal", contact->normal);
    json_add_float(item, "separation", contact->separation);
    if (settings->depth)
    {
        json_add_float(item, "depth", contact->depth);
        json_add_float(item, "depth_error", contact->depth_error); // null when infinite
        json_add_float(item, "shared", contact->shared_length);
    }
    json_add_vec3(item, "anchor_a", contact->anchor_a);
    json_add_vec3(item, "anchor_b", contact->anchor_b);
    cJSON_AddStringToObject(item, "id", id);
    return item;
}

static void add_distance(cJSON* pair, const AbutDistanceOutput* distance)
{
    cJSON* item = cJSON_AddObjectToObject(pair, "distance");
    json_add_float(item, "low", distance->low);
    json_add_float(item, "high", distance->high);
    json_add_vec3(item, "point_a", distance->point_a);
    json_add_vec3(item, "point_b", distance->point_b);
    cJSON_AddNumberToObject(item, "evaluations", (double)distance->evaluations);
}

static void add_hull(cJSON* pair, const AbutHullCounts* counts)
{
    cJSON* item = cJSON_AddObjectToObject(pair, "hull");
    cJSON_AddNumberToObject(item, "points", counts->points);
    cJSON_AddNumberToObject(item, "removed_by_corners", counts->removed_by_corners);
    cJSON_AddNumberToObject(item, "removed_by_tree", counts->removed_by_tree);
    cJSON_AddNumberToObject(item, "sampled_nodes", counts->sampled_nodes);
    cJSON_AddNumberToObject(item, "sampled", counts->sampled);
    cJSON_AddNumberToObject(item, "touching", counts->touching);
    json_add_float(item, "slope", counts->slope);
}

static cJSON* make_pair(const CollideSettings* settings, const PairAnswer* answer)
{
    const AbutCollideOutput* output = &answer->output;
    cJSON* pair = cJSON_CreateObject();
    cJSON_AddStringToObject(pair, "state", abut_collide_state_name(output->state));
    json_add_float(pair, "gap", output->gap);
    json_add_float(pair, "uncertainty", output->uncertainty);
    if (answer->has_distance)
    {
        add_distance(pair, &answer->distance);
    }
    cJSON* list = cJSON_AddArrayToObject(pair, "contacts");
    for (uint32_t i = 0; i < output->contact_count; ++i)
    {
        cJSON_AddItemToArray(list, make_contact(settings, &answer->contacts[i]));
    }
    cJSON_AddNumberToObject(pair, "contact_total", output->contact_total);
    if (is_reduced(settings))
    {
        cJSON* reduction = cJSON_AddObjectToObject(pair, "reduction");
        cJSON_AddNumberToObject(reduction, "kept", answer->reduction.kept_count);
        cJSON_AddNumberToObject(reduction, "left_out", answer->reduction.dropped_count);
        json_add_float(reduction, "force_change", answer->reduction.force_change);
        json_add_float(reduction, "torque_change", answer->reduction.torque_change);
    }
    json_add_float(pair, "spacing", output->spacing);
    cJSON_AddNumberToObject(pair, "evaluations", (double)output->evaluations);
    if (answer->hull.points > 0)
    {
        add_hull(pair, &answer->hull);
    }
    if (output->state == ABUT_COLLIDE_INVALID)
    {
        cJSON_AddStringToObject(pair, "message", answer->message);
    }
    return pair;
}

// -----------------------------------------------------------------------------------------------------------
// All
// -----------------------------------------------------------------------------------------------------------

void answers_begin(AnswerWriter* writer, const CollideSettings* settings, const char* method)
{
    *writer = (AnswerWriter){ .settings = settings };
    if (settings->common.json)
    {
        printf("{\n  \"method\": \"%s\",\n  \"pairs\": [", method);
    }
    else if (settings->csv)
    {
        csv_begin(settings);
    }
}

bool answers_add(AnswerWriter* writer, const PairAnswer* answer)
{
    if (writer->settings->common.json &&
        !json_print_item(make_pair(writer->settings, answer), writer->count == 0))
    {
        return false;
    }
    writer->count += 1;
    if (writer->settings->csv)
    {
        csv_add(writer->settings, writer->count, answer);
    }
    else if (!writer->settings->common.json)
    {
        print_pair(writer->settings, writer->count, answer);
    }
    return true;
}

void answers_end(AnswerWriter* writer, double seconds)
{
    if (writer->settings->common.json)
    {
        printf("\n  ],\n  \"seconds\": %.9g\n}\n", seconds);
    }
}
