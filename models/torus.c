// Torus and twisted ring: a section carried around y. Every piece between two sections lies in the wedge
// between their half planes, so pieces cannot cross; within a piece the builder checks that the tube does not
// fold.
#include "generator.h"

#include "fp_env.h"

enum
{
    MAX_DIVISIONS = 65536
};

AbutTorusMeshDef abut_torus_mesh_def(void)
{
    AbutTorusMeshDef def = {
        .major_radius = 1.0f, .minor_radius = 0.25f, .major_divisions = 64, .minor_divisions = 32
    };
    return def;
}

static AbutResult check(const AbutTorusMeshDef* def)
{
    // A quarter of a turn per division: more always folds, or looks like less.
    double max_steps = 0.25 * def->twist_corners * def->major_divisions;
    const AbutArgument arguments[] = {
        { "major_radius", def->major_radius, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "minor_radius", def->minor_radius,
          fmax(ABUT_LENGTH_MIN, ABUT_MIN_THICKNESS_RATIO * def->major_radius), def->major_radius, true },
        { "major_divisions", def->major_divisions, 3, MAX_DIVISIONS, false },
        { "minor_divisions", def->minor_divisions, 3, MAX_DIVISIONS, false },
        { "twist_corners", def->twist_corners, def->twist_corners == 0 ? 0 : 3, MAX_DIVISIONS, false },
        { "twist_steps", def->twist_steps, -max_steps, max_steps, false },
    };
    AbutResult result = ABUT_GENERATE_CHECK("torus", arguments);
    if (result == ABUT_OK && def->twist_corners != 0 && def->minor_divisions % def->twist_corners != 0)
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT,
                           "torus: minor_divisions is %u, must be a multiple of twist_corners, which is %u",
                           def->minor_divisions, def->twist_corners);
    }
    return result;
}

/// The points of a regular polygon of unit circumradius, evenly along its sides, or of the circle for 0
/// corners.
static double (*make_profile(const AbutTorusMeshDef* def, AbutModelArena* arena))[2]
{
    double(*profile)[2] = abut_generate_circle(arena, def->minor_divisions);
    if (profile == NULL || def->twist_corners == 0)
    {
        return profile;
    }
    uint32_t per_side = def->minor_divisions / def->twist_corners;
    for (uint32_t j = 0; j < def->minor_divisions; ++j)
    {
        AbutDirection a = abut_generate_direction(j / per_side, def->twist_corners);
        AbutDirection b = abut_generate_direction(j / per_side + 1, def->twist_corners);
        double along = (double)(j % per_side) / per_side;
        profile[j][0] = a.cos + along * (b.cos - a.cos);
        profile[j][1] = a.sin + along * (b.sin - a.sin);
    }
    return profile;
}

/// The section at `index` of major_divisions. Its axes turn with the twist; the ring runs towards growing
/// angles.
static AbutTubeSection section_at(const AbutTorusMeshDef* def, uint32_t index)
{
    AbutDirection around = abut_generate_direction(index, def->major_divisions);
    double twist = def->twist_corners == 0
                       ? 0.0
                       : 2.0 * ABUT_PI * def->twist_steps / def->twist_corners * index / def->major_divisions;
    double c = cos(twist);
    double s = sin(twist);
    // u is the way out and v the way down at no twist: u × v then points towards −z at angle 0.
    return (AbutTubeSection){
        .centre = { def->major_radius * around.cos, 0.0, -def->major_radius * around.sin },
        .u = { c * around.cos, -s, -c * around.sin },
        .v = { -s * around.cos, -c, s * around.sin },
    };
}

/// By how many points the last section, carried on to the first, is ahead of it.
static uint32_t closing_shift(const AbutTorusMeshDef* def)
{
    if (def->twist_corners == 0)
    {
        return 0;
    }
    int64_t corners = def->twist_corners;
    int64_t steps = (def->twist_steps % corners + corners) % corners;
    return (uint32_t)steps * (def->minor_divisions / def->twist_corners);
}

static void add_rings(AbutMeshBuilder* builder, const AbutTorusMeshDef* def, const double (*profile)[2])
{
    AbutTubeRing first = { 0 };
    AbutTubeRing last = { 0 };
    for (uint32_t i = 0; i < def->major_divisions; ++i)
    {
        AbutTubeSection section = section_at(def, i);
        AbutTubeRing ring =
            abut_builder_tube_ring(builder, &section, profile, def->minor_divisions, def->minor_radius);
        if (i == 0)
        {
            first = ring;
        }
        else
        {
            abut_builder_tube(builder, last, ring, 0, false);
        }
        last = ring;
    }
    abut_builder_tube(builder, last, first, closing_shift(def), false);
}

AbutResult abut_mesh_create_torus(const AbutTorusMeshDef* def, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_torus, def, out);
    *out = NULL;
    AbutResult result = check(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint64_t vertex_count = (uint64_t)def->major_divisions * def->minor_divisions;
    AbutMeshBuilder builder;
    result = abut_builder_begin(&builder, "torus", "major_divisions or minor_divisions", vertex_count,
                                2 * vertex_count, def->host);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(def->host);
    double(*profile)[2] = make_profile(def, &arena);
    if (profile == NULL)
    {
        abut_model_arena_clear(&builder.arena);
        result = ABUT_OUT_OF_MEMORY;
    }
    else
    {
        add_rings(&builder, def, (const double(*)[2])profile);
        result = abut_builder_finish(&builder, out);
    }
    abut_model_arena_clear(&arena);
    return result;
}
