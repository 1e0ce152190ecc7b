// Bolt and nut: a thread, a hexagon, and the flat faces between them. A face reaches from the thread's
// section, which is not convex, straight out to a circle, the collar, and from there to the hexagon.
#include "generator.h"
#include "thread_surface.h"

#include "fp_env.h"

static const double HEXAGON_INRADIUS = 0.86602540378443864676;

/// How much wider than the thread the hexagon's inscribed circle must be, so that there is room for the
/// collar.
static const double MIN_COLLAR = 1.02;

typedef struct Fastener
{
    AbutMeshBuilder builder;
    AbutThreadSurface surface;
    double collar_radius;
    double head_radius;
    uint32_t* loop_vertices; // scratch of both loops of a face: the collar and the hexagon
    double* loop_angles;
} Fastener;

AbutThreadMeshDef abut_thread_mesh_def(void)
{
    AbutThreadMeshDef def = { .major_radius = 0.5f,
                              .pitch = 0.2f,
                              .depth = 0.1f,
                              .flank_angle = (float)(ABUT_PI / 6.0),
                              .clearance = 0.01f,
                              .length = 1.0f,
                              .head_radius = 0.9f,
                              .head_height = 0.35f,
                              .divisions_per_turn = 64 };
    return def;
}

static AbutResult check(const char* name, const AbutThreadMeshDef* def, double clearance)
{
    double pitch = def->pitch;
    double slope = tan(def->flank_angle);
    double min_head = MIN_COLLAR * (def->major_radius + clearance) / HEXAGON_INRADIUS;
    const AbutArgument arguments[] = {
        { "major_radius", def->major_radius, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "pitch", pitch, fmax(ABUT_LENGTH_MIN, ABUT_MIN_THICKNESS_RATIO * def->major_radius),
          ABUT_LENGTH_MAX, false },
        { "flank_angle", def->flank_angle, 0.05, 1.0, false },
        { "depth", def->depth, 0.01 * pitch, fmin(0.98 * def->major_radius, 0.49 * pitch / slope), false },
        { "clearance", def->clearance, 0, ABUT_LENGTH_MAX, false },
        { "length", def->length, pitch, fmin(ABUT_LENGTH_MAX, pitch / ABUT_MIN_THICKNESS_RATIO), false },
        { "head_radius", def->head_radius, min_head, ABUT_LENGTH_MAX, false },
        { "head_height", def->head_height, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "divisions_per_turn", def->divisions_per_turn, 8, 4096, false },
    };
    return ABUT_GENERATE_CHECK(name, arguments);
}

/// Rows across a flank. A flank is twisted: a quad of it that is w wide along the radius and s long around
/// the axis departs from its two triangles by w · s/4 along s, which the slope of the thread turns into a
/// distance along the radius. Enough rows keep that under half of the height of the crest's arcs over their
/// chords, so that everything shrinks with the square of the divisions; quads that are wider than long are
/// enough in any case.
static uint32_t count_flank_steps(const AbutThreadMeshDef* def)
{
    double step = 2.0 * ABUT_PI / def->divisions_per_turn;
    double root_radius = (double)def->major_radius - def->depth;
    double along_radius = def->pitch / (2.0 * ABUT_PI * root_radius * tan(def->flank_angle));
    double per_step = def->depth / (def->major_radius * step);
    double steps = ceil(per_step * fmin(4.0 * along_radius, 1.0 / cos(def->flank_angle)));
    return (uint32_t)fmin(ABUT_THREAD_MAX_FLANK_STEPS, fmax(1.0, steps));
}

/// Thread and scratch; the builder follows when all counts are known.
static AbutResult prepare(Fastener* fastener, const AbutThreadMeshDef* def, double clearance,
                          AbutModelArena* arena)
{
    double flank = def->depth * tan(def->flank_angle);
    AbutThread thread = { .major_radius = def->major_radius,
                          .root_radius = (double)def->major_radius - def->depth,
                          .pitch = def->pitch,
                          .flank = flank,
                          .flat = 0.5 * def->pitch - flank,
                          .length = def->length,
                          .divisions = def->divisions_per_turn,
                          .flank_steps = count_flank_steps(def) };
    AbutResult result = abut_thread_surface_make(&thread, arena, &fastener->surface);
    if (result != ABUT_OK)
    {
        return result;
    }
    double widest = def->major_radius + clearance;
    fastener->head_radius = def->head_radius;
    fastener->collar_radius = 0.5 * (widest + HEXAGON_INRADIUS * def->head_radius);
    size_t loop_count = (size_t)fastener->surface.column_count + 6;
    fastener->loop_vertices = abut_model_arena_allocate(arena, loop_count, sizeof(uint32_t));
    fastener->loop_angles = abut_model_arena_allocate(arena, loop_count, sizeof(double));
    return fastener->loop_vertices == NULL || fastener->loop_angles == NULL ? ABUT_OUT_OF_MEMORY : ABUT_OK;
}

/// Returns the first of six vertices.
static uint32_t add_hexagon(Fastener* fastener, double y)
{
    uint32_t first = fastener->builder.vertex_count;
    for (uint32_t i = 0; i < 6; ++i)
    {
        AbutDirection around = abut_generate_direction(i, 6);
        abut_builder_vertex(&fastener->builder, fastener->head_radius * around.cos, y,
                            -fastener->head_radius * around.sin);
    }
    return first;
}

static uint32_t add_collar(Fastener* fastener, double y)
{
    uint32_t first = fastener->builder.vertex_count;
    for (uint32_t i = 0; i < fastener->surface.column_count; ++i)
    {
        double angle = fastener->surface.columns[i].angle;
        abut_builder_vertex(&fastener->builder, fastener->collar_radius * cos(angle), y,
                            -fastener->collar_radius * sin(angle));
    }
    return first;
}

static uint32_t section_vertex(const Fastener* fastener, uint32_t column, bool at_top)
{
    const AbutThreadColumn* it = &fastener->surface.columns[column % fastener->surface.column_count];
    return at_top ? abut_thread_top(it) : abut_thread_bottom(it);
}

/// The face between the thread's section at the bottom or top and a hexagon in the same plane.
static void add_face(Fastener* fastener, uint32_t hexagon, double y, bool at_top, bool flipped)
{
    AbutMeshBuilder* builder = &fastener->builder;
    uint32_t count = fastener->surface.column_count;
    uint32_t collar = add_collar(fastener, y);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t inner = section_vertex(fastener, i, at_top);
        uint32_t inner_next = section_vertex(fastener, i + 1, at_top);
        uint32_t outer_next = collar + (i + 1) % count;
        abut_builder_quad(builder, inner, flipped ? inner_next : collar + i, outer_next,
                          flipped ? collar + i : inner_next);
        fastener->loop_vertices[i] = collar + i;
        fastener->loop_angles[i] = fastener->surface.columns[i].angle;
    }
    for (uint32_t i = 0; i < 6; ++i)
    {
        fastener->loop_vertices[count + i] = hexagon + i;
        fastener->loop_angles[count + i] = ABUT_PI / 3.0 * i;
    }
    AbutVertexLoop inner_loop = { fastener->loop_vertices, fastener->loop_angles, count };
    AbutVertexLoop outer_loop = { fastener->loop_vertices + count, fastener->loop_angles + count, 6 };
    abut_builder_annulus(builder, outer_loop, inner_loop, flipped);
}

/// Closes the thread's end, whose section is seen whole from the axis.
static void add_tip(Fastener* fastener)
{
    AbutMeshBuilder* builder = &fastener->builder;
    uint32_t centre = abut_builder_vertex(builder, 0.0, fastener->surface.thread.length, 0.0);
    for (uint32_t i = 0; i < fastener->surface.column_count; ++i)
    {
        abut_builder_triangle(builder, centre, section_vertex(fastener, i, true),
                              section_vertex(fastener, i + 1, true));
    }
}

static AbutResult build_bolt(Fastener* fastener, const AbutThreadMeshDef* def, AbutMesh** out)
{
    AbutMeshBuilder* builder = &fastener->builder;
    uint64_t columns = fastener->surface.column_count;
    // Thread, face (twice the collar, and the hexagon), tip, sides of the head and its bottom.
    AbutResult result =
        abut_builder_begin(builder, "bolt", "length/pitch or divisions_per_turn",
                           fastener->surface.vertex_count + columns + 1 + 12 + 1,
                           fastener->surface.triangle_count + 3 * columns + 6 + columns + 12 + 6, def->host);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_thread_surface_build(&fastener->surface, builder, 0.0, false);
    add_tip(fastener);
    uint32_t upper = add_hexagon(fastener, 0.0);
    uint32_t lower = add_hexagon(fastener, -(double)def->head_height);
    add_face(fastener, upper, 0.0, false, false);
    abut_builder_band(builder, lower, upper, 6);
    abut_builder_fan(builder, abut_builder_vertex(builder, 0.0, -(double)def->head_height, 0.0), lower, 6,
                     true);
    if (def->left_handed)
    {
        abut_builder_mirror(builder);
    }
    return abut_builder_finish(builder, out);
}

static AbutResult build_nut(Fastener* fastener, const AbutThreadMeshDef* def, AbutMesh** out)
{
    AbutMeshBuilder* builder = &fastener->builder;
    uint64_t columns = fastener->surface.column_count;
    AbutResult result =
        abut_builder_begin(builder, "nut", "length/pitch or divisions_per_turn",
                           fastener->surface.vertex_count + 2 * columns + 12,
                           fastener->surface.triangle_count + 2 * (3 * columns + 6) + 12, def->host);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_thread_surface_build(&fastener->surface, builder, def->clearance, true);
    uint32_t lower = add_hexagon(fastener, 0.0);
    uint32_t upper = add_hexagon(fastener, def->length);
    add_face(fastener, lower, 0.0, false, true);
    add_face(fastener, upper, def->length, true, false);
    abut_builder_band(builder, lower, upper, 6);
    if (def->left_handed)
    {
        abut_builder_mirror(builder);
    }
    return abut_builder_finish(builder, out);
}

AbutResult abut_mesh_create_bolt(const AbutThreadMeshDef* def, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_bolt, def, out);
    *out = NULL;
    AbutResult result = check("bolt", def, 0.0);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(def->host);
    Fastener fastener;
    result = prepare(&fastener, def, 0.0, &arena);
    result = result == ABUT_OK ? build_bolt(&fastener, def, out) : result;
    abut_model_arena_clear(&arena);
    return result;
}

AbutResult abut_mesh_create_nut(const AbutThreadMeshDef* def, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_nut, def, out);
    *out = NULL;
    AbutResult result = check("nut", def, def->clearance);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(def->host);
    Fastener fastener;
    result = prepare(&fastener, def, def->clearance, &arena);
    result = result == ABUT_OK ? build_nut(&fastener, def, out) : result;
    abut_model_arena_clear(&arena);
    return result;
}
