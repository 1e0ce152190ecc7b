// Capsule and bowl: profiles of arcs, turned around y.
#include "generator.h"

#include "fp_env.h"

enum
{
    MAX_DIVISIONS = 4096
};

typedef struct Profile
{
    double (*points)[2];
    uint32_t count;
} Profile;

/// Part of a circle; directions in quarters of a turn from the radius towards y.
typedef struct Arc
{
    double centre[2];
    double radius;
    int from, to;
    uint32_t steps;
    bool joined; // its first point is the last one of the profile so far
} Arc;

static void add_arc(Profile* profile, Arc arc)
{
    int64_t whole = 4 * (int64_t)arc.steps;
    for (uint32_t i = arc.joined ? 1 : 0; i <= arc.steps; ++i)
    {
        int64_t index = arc.from * (int64_t)arc.steps + i * (int64_t)(arc.to - arc.from);
        AbutDirection direction = abut_generate_direction((uint64_t)(index + whole), (uint64_t)whole);
        profile->points[profile->count][0] = arc.centre[0] + arc.radius * direction.cos;
        profile->points[profile->count][1] = arc.centre[1] + arc.radius * direction.sin;
        profile->count += 1;
    }
}

AbutResult abut_mesh_create_capsule(float radius, float length, uint32_t divisions, const AbutHost* host,
                                    AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_capsule, radius, length, divisions, host, out);
    *out = NULL;
    const AbutArgument arguments[] = {
        { "radius", radius, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "length", length, 0, ABUT_LENGTH_MAX, false },
        { "divisions", divisions, 3, MAX_DIVISIONS, false },
    };
    AbutResult result = ABUT_GENERATE_CHECK("capsule", arguments);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(host);
    uint32_t quarter = (divisions + 3) / 4;
    Profile profile = { abut_model_arena_allocate(&arena, 2 * quarter + 2, sizeof(double[2])), 0 };
    if (profile.points == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    add_arc(&profile, (Arc){ { 0.0, -0.5 * length }, radius, -1, 0, quarter, false });
    add_arc(&profile, (Arc){ { 0.0, 0.5 * length }, radius, 0, 1, quarter, length == 0.0f });
    result = abut_generate_revolution("capsule", (const double(*)[2])profile.points, profile.count, divisions,
                                      host, out);
    abut_model_arena_clear(&arena);
    return result;
}

AbutResult abut_mesh_create_bowl(float radius, float thickness, uint32_t divisions, const AbutHost* host,
                                 AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_bowl, radius, thickness, divisions, host, out);
    *out = NULL;
    const AbutArgument arguments[] = {
        { "radius", radius, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "thickness", thickness, fmax(ABUT_LENGTH_MIN, ABUT_MIN_THICKNESS_RATIO * radius), radius, true },
        { "divisions", divisions, 3, MAX_DIVISIONS, false },
    };
    AbutResult result = ABUT_GENERATE_CHECK("bowl", arguments);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(host);
    uint32_t quarter = (divisions + 3) / 4;
    uint32_t rim = (quarter + 1) / 2 < 2 ? 2 : (quarter + 1) / 2;
    Profile profile = { abut_model_arena_allocate(&arena, 2 * quarter + rim + 1, sizeof(double[2])), 0 };
    if (profile.points == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    double wall = thickness;
    add_arc(&profile, (Arc){ { 0.0, 0.0 }, radius, -1, 0, quarter, false });
    add_arc(&profile, (Arc){ { radius - 0.5 * wall, 0.0 }, 0.5 * wall, 0, 2, rim, true });
    add_arc(&profile, (Arc){ { 0.0, 0.0 }, radius - wall, 0, -1, quarter, true });
    result = abut_generate_revolution("bowl", (const double(*)[2])profile.points, profile.count, divisions,
                                      host, out);
    abut_model_arena_clear(&arena);
    return result;
}
