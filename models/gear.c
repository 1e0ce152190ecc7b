// A gear: the outline of its teeth at the bottom and at the top, walls between them, and flat ends. Each end
// is cut into teeth, filled like ladders between their flanks, and a body, the polygon of the points on the
// root circle.
#include "gear_outline.h"
#include "generator.h"

#include "fp_env.h"

typedef struct Gear
{
    uint32_t teeth;
    double half_width;
    double bore_radius;
    uint32_t bore_divisions;
    double (*tooth)[2]; // the points of a tooth on the x axis and of the gap after it, counter-clockwise
    uint32_t tooth_count;
    uint32_t flank_count; // of them on each flank, feet and tips included
    uint32_t tip_steps;
    uint32_t root_steps;
    double foot_angle; // from the middle of the tooth to its foot
} Gear;

/// One flat end: its vertices by number.
typedef struct GearEnd
{
    uint32_t outline;
    uint32_t centre; // the first vertex of the bore, or the vertex on the axis
} GearEnd;

AbutGearMeshDef abut_gear_mesh_def(void)
{
    AbutGearMeshDef def = { .teeth = 20,
                            .module = 0.1f,
                            .pressure_angle = (float)(ABUT_PI / 9.0),
                            .width = 0.4f,
                            .bore_radius = 0.3f,
                            .backlash = 0.005f,
                            .flank_divisions = 8,
                            .bore_divisions = 64 };
    return def;
}

static AbutResult check(const AbutGearMeshDef* def)
{
    const AbutArgument arguments[] = {
        { "teeth", def->teeth, 4, 1024, false },
        { "module", def->module, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX / 1024.0, false },
        { "pressure_angle", def->pressure_angle, 0.17, 0.53, false },
        { "width", def->width, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "backlash", def->backlash, 0, ABUT_LENGTH_MAX, false },
        { "flank_divisions", def->flank_divisions, 1, 256, false },
        { "bore_divisions", def->bore_divisions, 3, 65536, false },
    };
    return ABUT_GENERATE_CHECK("gear", arguments);
}

/// The bore must leave every edge of the body's polygon standing, the longest being the feet of the teeth.
static AbutResult check_bore(const AbutGearMeshDef* def, const AbutGearOutline* outline)
{
    double half_edge = fmax(ABUT_PI / def->teeth - outline->root_angle, outline->root_angle);
    double limit = outline->root_radius * cos(half_edge) - 0.01 * def->module;
    const AbutArgument bore = { "bore_radius", def->bore_radius, 0, limit, false };
    return abut_generate_check("gear", &bore, 1);
}

// -----------------------------------------------------------------------------------------------------------
// Vertices
// -----------------------------------------------------------------------------------------------------------

static void add_point(Gear* gear, double radius, double angle)
{
    gear->tooth[gear->tooth_count][0] = radius * cos(angle);
    gear->tooth[gear->tooth_count][1] = radius * sin(angle);
    gear->tooth_count += 1;
}

/// The tooth's points, or false when memory runs out.
static bool make_tooth(Gear* gear, const AbutGearOutline* outline, AbutModelArena* arena)
{
    uint32_t count = 2 * gear->flank_count + gear->tip_steps + gear->root_steps - 2;
    gear->tooth = abut_model_arena_allocate(arena, count, sizeof(*gear->tooth));
    if (gear->tooth == NULL)
    {
        return false;
    }
    for (uint32_t k = 0; k < gear->flank_count; ++k)
    {
        add_point(gear, outline->flank[k][0], -outline->flank[k][1]);
    }
    for (uint32_t k = 1; k < gear->tip_steps; ++k)
    {
        add_point(gear, outline->tip_radius, outline->tip_angle * (2.0 * k / gear->tip_steps - 1.0));
    }
    for (uint32_t k = gear->flank_count; k-- > 0;)
    {
        add_point(gear, outline->flank[k][0], outline->flank[k][1]);
    }
    for (uint32_t k = 1; k < gear->root_steps; ++k)
    {
        double from_middle = outline->root_angle * (2.0 * k / gear->root_steps - 1.0);
        add_point(gear, outline->root_radius, ABUT_PI / gear->teeth + from_middle);
    }
    return true;
}

static GearEnd add_vertices(AbutMeshBuilder* builder, const Gear* gear, double height)
{
    GearEnd end = { .outline = builder->vertex_count };
    for (uint32_t t = 0; t < gear->teeth; ++t)
    {
        AbutDirection rotation = abut_generate_direction(t, gear->teeth);
        for (uint32_t k = 0; k < gear->tooth_count; ++k)
        {
            const double* p = gear->tooth[k];
            abut_builder_vertex(builder, p[0] * rotation.cos - p[1] * rotation.sin, height,
                                -(p[0] * rotation.sin + p[1] * rotation.cos));
        }
    }
    end.centre = builder->vertex_count;
    uint32_t bore_count = gear->bore_radius > 0.0 ? gear->bore_divisions : 1;
    for (uint32_t j = 0; j < bore_count; ++j)
    {
        AbutDirection around = abut_generate_direction(j, bore_count);
        abut_builder_vertex(builder, gear->bore_radius * around.cos, height, -gear->bore_radius * around.sin);
    }
    return end;
}

// -----------------------------------------------------------------------------------------------------------
// Flat ends
// -----------------------------------------------------------------------------------------------------------

static void flat_triangle(AbutMeshBuilder* builder, uint32_t a, uint32_t b, uint32_t c, bool flipped)
{
    abut_builder_triangle(builder, a, flipped ? c : b, flipped ? b : c);
}

/// A ladder up to the last but one rung, and a fan from its far end over the tip. (A fan from the last rung
/// would be as flat as the arc of the tip.)
static void fill_tooth(AbutMeshBuilder* builder, const Gear* gear, uint32_t first, bool flipped)
{
    uint32_t rungs = gear->flank_count - 1;                              // without the last one
    uint32_t foot = first + 2 * gear->flank_count + gear->tip_steps - 2; // at the other side
    for (uint32_t k = 0; k + 1 < rungs; ++k)
    {
        flat_triangle(builder, first + k, first + k + 1, foot - k - 1, flipped);
        flat_triangle(builder, first + k, foot - k - 1, foot - k, flipped);
    }
    uint32_t far_end = foot - (rungs - 1);
    for (uint32_t k = first + rungs - 1; k + 1 < far_end; ++k)
    {
        flat_triangle(builder, far_end, k, k + 1, flipped);
    }
}

/// The polygon of all points on the root circle. The arrays have room for root_steps + 1 points per tooth.
static AbutVertexLoop body_loop(const Gear* gear, uint32_t outline, uint32_t* vertices, double* angles)
{
    uint32_t count = 0;
    uint32_t right_foot = 2 * gear->flank_count + gear->tip_steps - 2;
    for (uint32_t t = 0; t < gear->teeth; ++t)
    {
        double middle = 2.0 * ABUT_PI * t / gear->teeth;
        double gap = 2.0 * (ABUT_PI / gear->teeth - gear->foot_angle);
        uint32_t tooth = outline + t * gear->tooth_count;
        vertices[count] = tooth;
        angles[count++] = middle - gear->foot_angle;
        for (uint32_t k = 0; k < gear->root_steps; ++k)
        {
            vertices[count] = tooth + right_foot + k;
            angles[count++] = middle + gear->foot_angle + gap * k / gear->root_steps;
        }
    }
    return (AbutVertexLoop){ vertices, angles, count };
}

/// Scratch for the loops of one end.
typedef struct EndScratch
{
    uint32_t* body_vertices;
    double* body_angles;
    uint32_t* bore_vertices;
    double* bore_angles;
} EndScratch;

static bool make_scratch(const Gear* gear, AbutModelArena* arena, EndScratch* scratch)
{
    size_t body_count = (size_t)gear->teeth * (gear->root_steps + 1);
    scratch->body_vertices = abut_model_arena_allocate(arena, body_count, sizeof(uint32_t));
    scratch->body_angles = abut_model_arena_allocate(arena, body_count, sizeof(double));
    scratch->bore_vertices = abut_model_arena_allocate(arena, gear->bore_divisions, sizeof(uint32_t));
    scratch->bore_angles = abut_model_arena_allocate(arena, gear->bore_divisions, sizeof(double));
    return scratch->body_vertices != NULL && scratch->body_angles != NULL && scratch->bore_vertices != NULL &&
           scratch->bore_angles != NULL;
}

static void fill_end(AbutMeshBuilder* builder, const Gear* gear, GearEnd end, EndScratch* scratch,
                     bool flipped)
{
    for (uint32_t t = 0; t < gear->teeth; ++t)
    {
        fill_tooth(builder, gear, end.outline + t * gear->tooth_count, flipped);
    }
    AbutVertexLoop body = body_loop(gear, end.outline, scratch->body_vertices, scratch->body_angles);
    if (gear->bore_radius == 0.0)
    {
        for (uint32_t i = 0; i < body.count; ++i)
        {
            flat_triangle(builder, end.centre, body.vertices[i], body.vertices[(i + 1) % body.count],
                          flipped);
        }
        return;
    }
    for (uint32_t j = 0; j < gear->bore_divisions; ++j)
    {
        scratch->bore_vertices[j] = end.centre + j;
        scratch->bore_angles[j] = 2.0 * ABUT_PI * j / gear->bore_divisions;
    }
    AbutVertexLoop bore = { scratch->bore_vertices, scratch->bore_angles, gear->bore_divisions };
    abut_builder_annulus(builder, body, bore, flipped);
}

// -----------------------------------------------------------------------------------------------------------
// The whole
// -----------------------------------------------------------------------------------------------------------

static AbutResult build(const Gear* gear, AbutModelArena* arena, const AbutHost* host, AbutMesh** out)
{
    EndScratch scratch;
    if (!make_scratch(gear, arena, &scratch))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    bool bored = gear->bore_radius > 0.0;
    uint64_t teeth = gear->teeth;
    uint64_t outline_count = teeth * gear->tooth_count;
    uint64_t bore_count = bored ? gear->bore_divisions : 0;
    uint64_t end_triangles =
        teeth * (2 * (gear->flank_count - 1) + gear->tip_steps - 1 + gear->root_steps + 1) + bore_count;
    AbutMeshBuilder builder;
    AbutResult result = abut_builder_begin(&builder, "gear", "flank_divisions",
                                           2 * (outline_count + (bored ? bore_count : 1)),
                                           2 * (outline_count + bore_count + end_triangles), host);
    if (result != ABUT_OK)
    {
        return result;
    }
    GearEnd bottom = add_vertices(&builder, gear, -gear->half_width);
    GearEnd top = add_vertices(&builder, gear, gear->half_width);
    abut_builder_band(&builder, bottom.outline, top.outline, (uint32_t)outline_count);
    if (bored)
    {
        abut_builder_band(&builder, top.centre, bottom.centre, gear->bore_divisions);
    }
    fill_end(&builder, gear, bottom, &scratch, true);
    fill_end(&builder, gear, top, &scratch, false);
    return abut_builder_finish(&builder, out);
}

static AbutResult create(const AbutGearMeshDef* def, AbutModelArena* arena, AbutMesh** out)
{
    const AbutGearShape shape = { def->teeth, def->module, def->pressure_angle, def->backlash,
                                  def->flank_divisions };
    AbutGearOutline outline;
    AbutResult result = abut_gear_outline_make(&shape, arena, &outline);
    result = result == ABUT_OK ? check_bore(def, &outline) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    Gear gear = { .teeth = def->teeth,
                  .half_width = 0.5 * def->width,
                  .bore_radius = def->bore_radius,
                  .bore_divisions = def->bore_divisions,
                  .flank_count = outline.flank_count,
                  .tip_steps = (def->flank_divisions + 3) / 4,
                  .root_steps = (def->flank_divisions + 3) / 4,
                  .foot_angle = ABUT_PI / def->teeth - outline.root_angle };
    return make_tooth(&gear, &outline, arena) ? build(&gear, arena, def->host, out) : ABUT_OUT_OF_MEMORY;
}

AbutResult abut_mesh_create_gear(const AbutGearMeshDef* def, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_gear, def, out);
    *out = NULL;
    AbutResult result = check(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(def->host);
    result = create(def, &arena, out);
    abut_model_arena_clear(&arena);
    return result;
}
