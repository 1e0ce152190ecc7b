// Answers of `abut sweep` as text for people, CSV for spreadsheets, and JSON for programs.
#include "answer_text.h"
#include "json.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>

/// The solids touch, at a known place.
static bool has_position(const AbutToiOutput* output)
{
    return output->state == ABUT_TOI_HIT || output->state == ABUT_TOI_OVERLAP;
}

/// A point of an interval, in its body's own frame, and what it is called: the number of its vertex, or of
/// the sample.
typedef struct IntervalPoint
{
    AbutVec3 position;
    uint32_t number;
} IntervalPoint;

static IntervalPoint point_of(const MotionWriter* writer, const AbutPointInterval* interval)
{
    AbutPointData data = abut_points_data(writer->points->of[interval->side]);
    uint32_t i = interval->point;
    AbutVec3 position = abut_vec3(data.positions.x[i], data.positions.y[i], data.positions.z[i]);
    return (IntervalPoint){ position, data.source[i] };
}

// -----------------------------------------------------------------------------------------------------------
// Text
// -----------------------------------------------------------------------------------------------------------

static void print_state(const AbutToiOutput* output)
{
    printf("%s", abut_toi_state_name(output->state));
    switch (output->state)
    {
    case ABUT_TOI_HIT:
        printf(" at %.6g", (double)output->time);
        if (output->touch_proved)
        {
            printf(", touch proved by %.6g", (double)output->touch_time);
        }
        else if (output->gap > 0.0f)
        {
            printf(", at most %.3g apart", (double)output->gap);
        }
        break;
    case ABUT_TOI_MISS:
        if (output->gap > 0.0f)
        {
            printf(", never nearer than %.6g", (double)output->gap);
        }
        break;
    case ABUT_TOI_OVERLAP:
        printf(" at the start");
        break;
    case ABUT_TOI_BUDGET:
        printf(", free until %.6g", (double)output->time);
        break;
    default:
        break;
    }
}

static void print_interval(const MotionWriter* writer, const char* name, const AbutPointInterval* interval)
{
    IntervalPoint point = point_of(writer, interval);
    printf("  %-9s%.6g to %.6g, point %u of %c at ", name, (double)interval->times.begin,
           (double)interval->times.end, point.number, "AB"[interval->side]);
    text_point(point.position, abut_vec3_length(point.position));
    printf("\n");
}

/// How many there are, the earliest and the longest.
static void print_intervals(const MotionWriter* writer, const MotionAnswer* answer)
{
    if (answer->output.interval_count == 0)
    {
        printf("  no point is ever inside\n");
        return;
    }
    const AbutPointInterval *first = answer->intervals, *longest = answer->intervals;
    uint32_t points = 0;
    for (uint32_t i = 0; i < answer->output.interval_count; ++i)
    {
        const AbutPointInterval* here = &answer->intervals[i];
        bool same = i > 0 && here[-1].side == here->side && here[-1].point == here->point;
        points += same ? 0u : 1u;
        first = here->times.begin < first->times.begin ? here : first;
        bool longer = here->times.end - here->times.begin > longest->times.end - longest->times.begin;
        longest = longer ? here : longest;
    }
    printf("  %u interval%s of %u point%s\n", answer->output.interval_count,
           answer->output.interval_count == 1 ? "" : "s", points, points == 1 ? "" : "s");
    print_interval(writer, "earliest", first);
    print_interval(writer, "longest", longest);
}

static void print_motion(const MotionWriter* writer, const MotionAnswer* answer)
{
    const AbutToiOutput* output = &answer->output;
    printf("%zu: ", writer->count);
    print_state(output);
    if (has_position(output))
    {
        printf(", at ");
        text_point(output->position, abut_vec3_length(output->position));
        printf(", normal ");
        text_point(output->normal, 1.0f);
    }
    printf(" (%llu samples)\n", (unsigned long long)output->evaluations);
    if (writer->settings->intervals && output->state != ABUT_TOI_INVALID)
    {
        print_intervals(writer, answer);
    }
}

static void print_points(const MotionWriter* writer)
{
    for (int i = 0; i < 2; ++i)
    {
        if (writer->points->of[i] != NULL)
        {
            AbutPointsInfo info = abut_points_info(writer->points->of[i]);
            printf("%u points on %c", info.count, "AB"[i]);
            if (info.spacing > 0.0f)
            {
                printf(", no place of its surface further than %.4g from one", (double)info.spacing);
            }
            printf("\n");
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// CSV. With intervals a line for each, and one without for a motion that has none, all with the columns of
// the motion: filters and pivot tables want no cell that means the one above it.
// -----------------------------------------------------------------------------------------------------------

static void csv_begin(const SweepSettings* settings)
{
    printf("motion,state,time,touch_time,x,y,z,normal_x,normal_y,normal_z,gap,evaluations%s\n",
           settings->intervals ? ",interval_total,interval,side,point,point_x,point_y,point_z,begin,end"
                               : "");
}

static void csv_motion(const MotionWriter* writer, const AbutToiOutput* output)
{
    printf("%zu,%s", writer->count, abut_toi_state_name(output->state));
    csv_float(output->state != ABUT_TOI_INVALID ? output->time : NAN);
    csv_float(output->touch_proved ? output->touch_time : NAN);
    if (has_position(output))
    {
        csv_vec3(output->position);
        csv_vec3(output->normal);
    }
    else
    {
        csv_empty(6);
    }
    csv_float(output->gap);
    printf(",%llu", (unsigned long long)output->evaluations);
    if (writer->settings->intervals)
    {
        printf(",%u", output->interval_total);
    }
}

static void csv_add(const MotionWriter* writer, const MotionAnswer* answer)
{
    uint32_t count = writer->settings->intervals ? answer->output.interval_count : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutPointInterval* interval = &answer->intervals[i];
        IntervalPoint point = point_of(writer, interval);
        csv_motion(writer, &answer->output);
        printf(",%u,%c,%u", i + 1, "ab"[interval->side], point.number);
        csv_vec3(point.position);
        csv_float(interval->times.begin);
        csv_float(interval->times.end);
        printf("\n");
    }
    if (count == 0)
    {
        csv_motion(writer, &answer->output);
        csv_empty(writer->settings->intervals ? 8 : 0);
        printf("\n");
    }
}

// -----------------------------------------------------------------------------------------------------------
// JSON
// -----------------------------------------------------------------------------------------------------------

static cJSON* make_interval(const MotionWriter* writer, const AbutPointInterval* interval)
{
    IntervalPoint point = point_of(writer, interval);
    cJSON* item = cJSON_CreateObject();
    cJSON_AddNumberToObject(item, "point", point.number);
    cJSON_AddStringToObject(item, "side", interval->side == 0 ? "a" : "b");
    json_add_vec3(item, "place", point.position);
    json_add_float(item, "begin", interval->times.begin);
    json_add_float(item, "end", interval->times.end);
    return item;
}

static cJSON* make_motion(const MotionWriter* writer, const MotionAnswer* answer)
{
    const AbutToiOutput* output = &answer->output;
    cJSON* motion = cJSON_CreateObject();
    bool invalid = output->state == ABUT_TOI_INVALID;
    cJSON_AddStringToObject(motion, "state", abut_toi_state_name(output->state));
    json_add_float(motion, "time", invalid ? NAN : output->time);
    json_add_float(motion, "touch_time", output->touch_proved ? output->touch_time : NAN);
    if (has_position(output))
    {
        json_add_vec3(motion, "position", output->position);
        json_add_vec3(motion, "normal", output->normal);
    }
    else
    {
        cJSON_AddNullToObject(motion, "position");
        cJSON_AddNullToObject(motion, "normal");
    }
    json_add_float(motion, "gap", output->gap);
    cJSON* list = cJSON_AddArrayToObject(motion, "intervals");
    for (uint32_t i = 0; writer->settings->intervals && i < output->interval_count; ++i)
    {
        cJSON_AddItemToArray(list, make_interval(writer, &answer->intervals[i]));
    }
    cJSON_AddNumberToObject(motion, "evaluations", (double)output->evaluations);
    if (invalid)
    {
        cJSON_AddStringToObject(motion, "message", answer->message);
    }
    return motion;
}

static void json_begin(const MotionWriter* writer)
{
    printf("{\n  \"method\": \"%s\",\n", abut_toi_method_name(writer->method));
    for (int i = 0; i < 2; ++i)
    {
        if (writer->points->of[i] != NULL)
        {
            AbutPointsInfo info = abut_points_info(writer->points->of[i]);
            printf("  \"points_%c\": {\"count\": %u, \"spacing\": %.9g},\n", "ab"[i], info.count,
                   (double)info.spacing);
        }
    }
    printf("  \"motions\": [");
}

// -----------------------------------------------------------------------------------------------------------
// All
// -----------------------------------------------------------------------------------------------------------

void motions_begin(MotionWriter* writer)
{
    if (writer->settings->common.json)
    {
        json_begin(writer);
    }
    else if (writer->settings->csv)
    {
        csv_begin(writer->settings);
    }
    else
    {
        print_points(writer);
    }
}

bool motions_add(MotionWriter* writer, const MotionAnswer* answer)
{
    const SweepSettings* settings = writer->settings;
    if (settings->common.json && !json_print_item(make_motion(writer, answer), writer->count == 0))
    {
        return false;
    }
    writer->count += 1;
    if (settings->csv)
    {
        csv_add(writer, answer);
    }
    else if (!settings->common.json)
    {
        print_motion(writer, answer);
    }
    return true;
}

void motions_end(MotionWriter* writer, double seconds)
{
    if (writer->settings->common.json)
    {
        printf("\n  ],\n  \"seconds\": %.9g\n}\n", seconds);
    }
}
