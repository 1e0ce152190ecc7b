// A pipe that falls, bends into a helix, winds down and runs out straight. Its sections carry the frame (way
// out from the axis, across that and the centre line), which is continuous over all four parts.
//
// A piece between two sections lies in the hull of two discs. Before anything is built, every two pieces that
// could meet are shown to be apart: their middle lines are further apart than two radii, or the plane of a
// section between them separates their discs. All pieces of the helix are alike, so one of them stands for
// all.
#include "generator.h"

#include "fp_env.h"

enum
{
    MAX_DIVISIONS = 4096,
    MAX_TURNS = 1000
};

static const double MIN_TURNS = 1e-3;

typedef struct Pipe
{
    double inner_radius, outer_radius;
    double coil_radius;
    double drop; // per radian
    double slope_cos, slope_sin, slope_angle;
    double angle; // of the whole helix
    double end_length;
    uint32_t bend_steps;
    uint32_t helix_steps;
    uint32_t section_count;
    uint32_t neighborhood; // pieces in a turn and a half
} Pipe;

AbutPipeMeshDef abut_pipe_mesh_def(void)
{
    AbutPipeMeshDef def = { .inner_radius = 0.2f,
                            .thickness = 0.05f,
                            .coil_radius = 1.0f,
                            .pitch = 0.8f,
                            .turns = 2.0f,
                            .end_length = 0.5f,
                            .section_divisions = 32,
                            .divisions_per_turn = 64 };
    return def;
}

static AbutResult check(const AbutPipeMeshDef* def)
{
    const AbutArgument arguments[] = {
        { "inner_radius", def->inner_radius, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "thickness", def->thickness, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "coil_radius", def->coil_radius, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "pitch", def->pitch, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "turns", def->turns, MIN_TURNS, MAX_TURNS, false },
        { "end_length", def->end_length, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "section_divisions", def->section_divisions, 3, MAX_DIVISIONS, false },
        { "divisions_per_turn", def->divisions_per_turn, 8, MAX_DIVISIONS, false },
    };
    AbutResult result = ABUT_GENERATE_CHECK("pipe", arguments);
    if (result != ABUT_OK)
    {
        return result;
    }
    double outer = (double)def->inner_radius + def->thickness;
    double size = def->coil_radius + outer + def->end_length + (double)def->pitch * def->turns;
    const AbutArgument proportions[] = {
        { "coil_radius", def->coil_radius, nextafter(outer, INFINITY), ABUT_LENGTH_MAX, false },
        { "pitch", def->pitch, nextafter(2.0 * outer, INFINITY), ABUT_LENGTH_MAX, false },
        { "thickness", def->thickness, ABUT_MIN_THICKNESS_RATIO * size, ABUT_LENGTH_MAX, false },
    };
    return ABUT_GENERATE_CHECK("pipe", proportions);
}

static Pipe make_pipe(const AbutPipeMeshDef* def)
{
    Pipe pipe = { .inner_radius = def->inner_radius,
                  .outer_radius = (double)def->inner_radius + def->thickness,
                  .coil_radius = def->coil_radius,
                  .drop = def->pitch / (2.0 * ABUT_PI),
                  .angle = 2.0 * ABUT_PI * def->turns,
                  .end_length = def->end_length };
    double along = hypot(pipe.coil_radius, pipe.drop);
    pipe.slope_cos = pipe.coil_radius / along;
    pipe.slope_sin = pipe.drop / along;
    pipe.slope_angle = atan2(pipe.drop, pipe.coil_radius);
    double per_turn = def->divisions_per_turn;
    pipe.bend_steps = (uint32_t)ceil((0.25 - pipe.slope_angle / (2.0 * ABUT_PI)) * per_turn);
    pipe.helix_steps = (uint32_t)ceil(def->turns * per_turn);
    pipe.section_count = pipe.bend_steps + pipe.helix_steps + 3;
    pipe.neighborhood = (uint32_t)(1.5 * per_turn) + 2;
    return pipe;
}

// -----------------------------------------------------------------------------------------------------------
// The centre line
// -----------------------------------------------------------------------------------------------------------

static AbutPosition add_scaled(AbutPosition p, AbutPosition d, double s)
{
    return (AbutPosition){ p.x + s * d.x, p.y + s * d.y, p.z + s * d.z };
}

static AbutPosition subtract(AbutPosition a, AbutPosition b)
{
    return add_scaled(a, b, -1.0);
}

static double dot(AbutPosition a, AbutPosition b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static AbutPosition cross(AbutPosition a, AbutPosition b)
{
    return (AbutPosition){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

typedef struct PathPoint
{
    AbutPosition at;
    AbutPosition tangent; // unit, the way things roll
    AbutPosition out;     // unit, across the tangent, away from the axis
} PathPoint;

static PathPoint helix_point(const Pipe* pipe, uint32_t step)
{
    double angle = pipe->angle * step / pipe->helix_steps;
    double left = pipe->angle * (pipe->helix_steps - step) / pipe->helix_steps;
    double c = cos(angle);
    double s = sin(angle);
    return (PathPoint){
        .at = { pipe->coil_radius * c, pipe->drop * left, -pipe->coil_radius * s },
        .tangent = { -s * pipe->slope_cos, -pipe->slope_sin, -c * pipe->slope_cos },
        .out = { c, 0.0, -s },
    };
}

/// The bend lies in the plane x = coil_radius; its direction turns from straight down to the slope of the
/// helix.
static PathPoint bend_point(const Pipe* pipe, uint32_t step)
{
    PathPoint start = helix_point(pipe, 0);
    if (step == pipe->bend_steps)
    {
        return start;
    }
    double angle = 0.5 * ABUT_PI + (pipe->slope_angle - 0.5 * ABUT_PI) * step / pipe->bend_steps;
    double c = step == 0 ? 0.0 : cos(angle);
    double s = step == 0 ? 1.0 : sin(angle);
    AbutPosition up = { 0.0, pipe->slope_cos - c, s - pipe->slope_sin };
    return (PathPoint){ add_scaled(start.at, up, pipe->coil_radius), { 0.0, -s, -c }, start.out };
}

static PathPoint path_point(const Pipe* pipe, uint32_t index)
{
    PathPoint point;
    if (index == 0)
    {
        point = bend_point(pipe, 0);
        point.at = add_scaled(point.at, point.tangent, -pipe->end_length);
    }
    else if (index <= pipe->bend_steps)
    {
        point = bend_point(pipe, index - 1);
    }
    else if (index + 1 < pipe->section_count)
    {
        point = helix_point(pipe, index - 1 - pipe->bend_steps);
    }
    else
    {
        point = helix_point(pipe, pipe->helix_steps);
        point.at = add_scaled(point.at, point.tangent, pipe->end_length);
    }
    return point;
}

// -----------------------------------------------------------------------------------------------------------
// Pieces that stay apart
// -----------------------------------------------------------------------------------------------------------

static double clamp_unit(double t)
{
    return t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
}

/// Squared distance of the segments a–b and c–d, neither of them a point.
static double segment_distance2(AbutPosition a, AbutPosition b, AbutPosition c, AbutPosition d)
{
    AbutPosition u = subtract(b, a);
    AbutPosition v = subtract(d, c);
    AbutPosition w = subtract(a, c);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    double area2 = uu * vv - uv * uv;
    double s = area2 > 1e-14 * uu * vv ? clamp_unit((uv * vw - vv * uw) / area2) : 0.0;
    double t = clamp_unit((uv * s + vw) / vv);
    s = clamp_unit((uv * t - uw) / uu);
    AbutPosition gap = subtract(add_scaled(a, u, s), add_scaled(c, v, t));
    return dot(gap, gap);
}

/// Whether the disc at `point` lies before (side −1) or behind (+1) the plane across the tube at `plane`.
static bool disc_is_beyond(const PathPoint* plane, const PathPoint* point, double radius, double side)
{
    double height = side * dot(plane->tangent, subtract(point->at, plane->at));
    AbutPosition tilt = cross(plane->tangent, point->tangent);
    return height >= radius * sqrt(dot(tilt, tilt)) - 1e-12 * radius;
}

/// Pieces first and second lie between the path points with these numbers and the ones that follow them.
static bool pieces_are_disjoint(const Pipe* pipe, const PathPoint* path, uint32_t first, uint32_t second)
{
    double radius = pipe->outer_radius;
    const PathPoint* middle = &path[(first + 1 + second) / 2];
    if (disc_is_beyond(middle, &path[first], radius, -1.0) &&
        disc_is_beyond(middle, &path[first + 1], radius, -1.0) &&
        disc_is_beyond(middle, &path[second], radius, 1.0) &&
        disc_is_beyond(middle, &path[second + 1], radius, 1.0))
    {
        return true;
    }
    return segment_distance2(path[first].at, path[first + 1].at, path[second].at, path[second + 1].at) >
           4.0 * radius * radius;
}

static AbutResult check_pieces(const Pipe* pipe, const PathPoint* path, uint32_t first, uint32_t second)
{
    if (pieces_are_disjoint(pipe, path, first, second))
    {
        return ABUT_OK;
    }
    AbutPosition at = path[second].at;
    return abut_fail(
        ABUT_INVALID_ARGUMENT,
        "pipe: two parts of it touch near (%g, %g, %g); raise pitch, which is %g, coil_radius, which "
        "is %g, or divisions_per_turn",
        at.x, at.y, at.z, 2.0 * ABUT_PI * pipe->drop, pipe->coil_radius);
}

/// A stretch of the path from the point `start`, or NULL when memory runs out.
static PathPoint* make_path_range(const Pipe* pipe, uint32_t start, uint32_t count, AbutModelArena* arena)
{
    PathPoint* range = abut_model_arena_allocate(arena, count, sizeof(PathPoint));
    for (uint32_t i = 0; range != NULL && i < count; ++i)
    {
        range[i] = path_point(pipe, start + i);
    }
    return range;
}

/// Compares the pieces before the helix and the first one on it with all below them, and the last piece with
/// all above it. Further apart than the window, pieces differ in height by more than two radii.
static AbutResult check_clearance(const Pipe* pipe, AbutModelArena* arena)
{
    uint32_t starts = pipe->bend_steps + 2;
    uint32_t count =
        starts + pipe->neighborhood < pipe->section_count ? starts + pipe->neighborhood : pipe->section_count;
    PathPoint* head = make_path_range(pipe, 0, count, arena);
    PathPoint* tail = make_path_range(pipe, pipe->section_count - count, count, arena);
    if (head == NULL || tail == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutResult result = ABUT_OK;
    for (uint32_t i = 0; result == ABUT_OK && i < starts; ++i)
    {
        for (uint32_t j = i + 1; result == ABUT_OK && j + 1 < count; ++j)
        {
            result = check_pieces(pipe, head, i, j);
        }
    }
    for (uint32_t i = 0; result == ABUT_OK && i + 2 < count; ++i)
    {
        result = check_pieces(pipe, tail, i, count - 2);
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// The mesh
// -----------------------------------------------------------------------------------------------------------

static void add_walls(AbutMeshBuilder* builder, const Pipe* pipe, const double (*circle)[2], uint32_t count)
{
    AbutTubeRing last[2] = { { { 0.0, 0.0, 0.0 }, 0, 0 } };
    for (uint32_t i = 0; i < pipe->section_count; ++i)
    {
        PathPoint point = path_point(pipe, i);
        AbutTubeSection section = { point.at, point.out, cross(point.tangent, point.out) };
        AbutTubeRing outer = abut_builder_tube_ring(builder, &section, circle, count, pipe->outer_radius);
        AbutTubeRing inner = abut_builder_tube_ring(builder, &section, circle, count, pipe->inner_radius);
        if (i == 0)
        {
            abut_builder_band(builder, inner.first, outer.first, count);
        }
        else
        {
            abut_builder_tube(builder, last[0], outer, 0, false);
            abut_builder_tube(builder, last[1], inner, 0, true);
        }
        last[0] = outer;
        last[1] = inner;
    }
    abut_builder_band(builder, last[0].first, last[1].first, count);
}

static AbutResult create(const AbutPipeMeshDef* def, const Pipe* pipe, AbutModelArena* arena, AbutMesh** out)
{
    AbutResult result = check_clearance(pipe, arena);
    double(*circle)[2] = result == ABUT_OK ? abut_generate_circle(arena, def->section_divisions) : NULL;
    if (circle == NULL)
    {
        return result == ABUT_OK ? ABUT_OUT_OF_MEMORY : result;
    }
    uint64_t vertex_count = 2 * (uint64_t)pipe->section_count * def->section_divisions;
    AbutMeshBuilder builder;
    result = abut_builder_begin(&builder, "pipe", "turns, divisions_per_turn or section_divisions",
                                vertex_count, 2 * vertex_count, def->host);
    if (result == ABUT_OK)
    {
        add_walls(&builder, pipe, (const double(*)[2])circle, def->section_divisions);
        result = abut_builder_finish(&builder, out);
    }
    return result;
}

AbutResult abut_mesh_create_pipe(const AbutPipeMeshDef* def, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_pipe, def, out);
    *out = NULL;
    AbutResult result = check(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    Pipe pipe = make_pipe(def);
    AbutModelArena arena = abut_model_arena_make(def->host);
    result = create(def, &pipe, &arena, out);
    abut_model_arena_clear(&arena);
    return result;
}
