// A chain link: a round rod along a stadium. Pieces of the bends lie in wedges between half planes through
// the axis of the bend, and the straight pieces between parallel planes, so nothing can cross.
#include "generator.h"

#include "fp_env.h"

enum
{
    MAX_DIVISIONS = 4096
};

typedef struct ChainLink
{
    double length;
    double bend_radius;
    double rod_radius;
    uint32_t divisions;
} ChainLink;

static uint32_t section_count(const ChainLink* link)
{
    // The straight parts have no section of their own: they reach from the end of a bend to the start of the
    // next.
    return 2 * (link->divisions + (link->length > 0.0 ? 1 : 0));
}

/// The sections of one bend after the other, counter-clockwise seen against z, from the lower end of the
/// right bend.
static AbutTubeSection section_at(const ChainLink* link, uint32_t index)
{
    uint32_t per_bend = section_count(link) / 2;
    bool left = index >= per_bend;
    uint64_t step = index % per_bend + (left ? link->divisions : 0);
    AbutDirection around = abut_generate_direction(step, 2 * (uint64_t)link->divisions);
    // The right bend starts at the lowest point: a quarter of a turn behind the x axis.
    double x = around.sin;
    double y = -around.cos;
    double middle = left ? -0.5 * link->length : 0.5 * link->length;
    return (AbutTubeSection){
        .centre = { middle + link->bend_radius * x, link->bend_radius * y, 0.0 },
        .u = { 0.0, 0.0, 1.0 },
        .v = { x, y, 0.0 },
    };
}

static void add_rings(AbutMeshBuilder* builder, const ChainLink* link, const double (*circle)[2])
{
    uint32_t count = section_count(link);
    AbutTubeRing first = { 0 };
    AbutTubeRing last = { 0 };
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutTubeSection section = section_at(link, i);
        AbutTubeRing ring =
            abut_builder_tube_ring(builder, &section, circle, link->divisions, link->rod_radius);
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
    abut_builder_tube(builder, last, first, 0, false);
}

static AbutResult create(const ChainLink* link, const AbutHost* host, AbutMesh** out)
{
    uint64_t vertex_count = (uint64_t)section_count(link) * link->divisions;
    AbutMeshBuilder builder;
    AbutResult result =
        abut_builder_begin(&builder, "chain link", "divisions", vertex_count, 2 * vertex_count, host);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(host);
    double(*circle)[2] = abut_generate_circle(&arena, link->divisions);
    if (circle == NULL)
    {
        abut_model_arena_clear(&builder.arena);
        result = ABUT_OUT_OF_MEMORY;
    }
    else
    {
        add_rings(&builder, link, (const double(*)[2])circle);
        result = abut_builder_finish(&builder, out);
    }
    abut_model_arena_clear(&arena);
    return result;
}

AbutResult abut_mesh_create_chain_link(float length, float bend_radius, float rod_radius, uint32_t divisions,
                                       const AbutHost* host, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_chain_link, length, bend_radius, rod_radius, divisions, host, out);
    *out = NULL;
    double size = (double)length + bend_radius;
    const AbutArgument arguments[] = {
        { "length", length, 0, ABUT_LENGTH_MAX, false },
        { "bend_radius", bend_radius, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "rod_radius", rod_radius, fmax(ABUT_LENGTH_MIN, ABUT_MIN_THICKNESS_RATIO * size), bend_radius,
          true },
        { "divisions", divisions, 3, MAX_DIVISIONS, false },
    };
    AbutResult result = ABUT_GENERATE_CHECK("chain link", arguments);
    if (result != ABUT_OK)
    {
        return result;
    }
    ChainLink link = { length, bend_radius, rod_radius, divisions };
    return create(&link, host, out);
}
