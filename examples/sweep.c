// A spinning gear is thrown at a sheet of metal, faster than its own size per step. A test at both ends of
// the step sees nothing; the sweep says when it first touches, and while which of its points are in the
// sheet.
#include <abut/abut.h>
#include <abut/models.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MOST_INTERVALS = 4096
};

static int fail(void)
{
    fprintf(stderr, "%s\n", abut_last_error());
    return 1;
}

static const char* state_at(const AbutToiInput* sweep, float time)
{
    AbutCollideInput input = abut_collide_input(sweep->shape_a, sweep->shape_b);
    input.pose_b = abut_motion_pose(&sweep->pose_b, &sweep->motion_b, time);
    return abut_collide_state_name(abut_collide(&input, NULL, 0).state);
}

static void print_touch(const char* method, const AbutToiOutput* output)
{
    printf("%s: %s, free until %.5f", method, abut_toi_state_name(output->state), (double)output->time);
    if (output->state == ABUT_TOI_HIT && output->touch_proved)
    {
        printf(", first touch by %.5f at (%.3f %.3f %.3f)", (double)output->touch_time,
               (double)output->position.x, (double)output->position.y, (double)output->position.z);
    }
    printf(" (%llu samples)\n", (unsigned long long)output->evaluations);
}

/// What continuous penalty forces are integrated over.
static void print_intervals(const AbutPointInterval* intervals, uint32_t count)
{
    double total = 0.0, longest = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        double length = (double)intervals[i].times.end - (double)intervals[i].times.begin;
        total += length;
        longest = length > longest ? length : longest;
    }
    printf("%u contact intervals, %.5f of the step on average, %.5f at most\n", count,
           count > 0 ? total / count : 0.0, longest);
}

static int throw_gear(const AbutShape* sheet, const AbutShape* gear, const AbutPointSet* points)
{
    AbutToiInput sweep = abut_toi_input(sheet, gear);
    sweep.pose_b = abut_pose_at(0.0, 4.0, 0.0);
    sweep.motion_b.linear = abut_vec3(0.5f, -8.0f, 0.0f); // per step: 8 times its size
    sweep.motion_b.angular = abut_vec3(7.0f, 0.0f, 2.0f); // more than one turn
    printf("at the start: %s; at the end: %s\n", state_at(&sweep, 0.0f), state_at(&sweep, 1.0f));

    AbutToiOutput hit = abut_time_of_impact(&sweep);
    print_touch("solids", &hit);
    printf("where it stops: %s\n", state_at(&sweep, hit.time));

    sweep.settings.method = ABUT_TOI_POINTS;
    sweep.points_b = points;
    AbutPointInterval* intervals = malloc(MOST_INTERVALS * sizeof(*intervals));
    if (intervals == NULL)
    {
        return 1;
    }
    AbutToiOutput inside = abut_toi_intervals(&sweep, intervals, MOST_INTERVALS);
    print_touch("points", &inside);
    print_intervals(intervals, inside.interval_count);
    free(intervals);
    return hit.state == ABUT_TOI_HIT && inside.state == ABUT_TOI_HIT ? 0 : 1;
}

/// A segment is the simplest thing that moves: a bullet, or a ray of light.
static void shoot(const AbutShape* gear)
{
    AbutTimeInterval inside[8];
    AbutCastSettings settings = abut_cast_settings();
    AbutCastOutput output = abut_cast_intervals(gear, &settings, abut_vec3(-1.0f, 0.0f, 0.05f),
                                                abut_vec3(1.0f, 0.0f, 0.05f), inside, 8);
    printf("a shot along x: %s", abut_cast_state_name(output.state));
    for (uint32_t i = 0; i < output.interval_count; ++i)
    {
        printf(", inside from %.4f to %.4f", (double)inside[i].begin, (double)inside[i].end);
    }
    printf("\n");
}

int main(void)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    AbutBakeDef bake = abut_bake_def();
    AbutPointsDef sampling = abut_points_def();
    def.module = 0.05f; // about 1 across
    AbutMesh* mesh = NULL;
    AbutShape *gear = NULL, *sheet = NULL;
    AbutPointSet* points = NULL;
    bake.resolution = 96;
    sampling.count = 2000;
    if (abut_mesh_create_gear(&def, &mesh) != ABUT_OK || abut_bake_mesh(&bake, mesh, &gear) != ABUT_OK ||
        abut_shape_create_box(abut_vec3(6.0f, 0.01f, 6.0f), NULL, &sheet) != ABUT_OK ||
        abut_points_create_from_mesh(&sampling, mesh, &points) != ABUT_OK)
    {
        return fail();
    }
    int status = throw_gear(sheet, gear, points);
    shoot(gear);
    abut_points_destroy(points);
    abut_shape_destroy(sheet);
    abut_shape_destroy(gear);
    abut_mesh_destroy(mesh);
    return status;
}
