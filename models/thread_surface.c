#include "thread_surface.h"

#include "generator.h"

enum
{
    MAX_CREASES = 2 * (ABUT_THREAD_MAX_FLANK_STEPS + 1), // per pitch
    MAX_CROSSINGS = 2 * MAX_CREASES                      // of creases with the end planes, per turn
};

/// Crossings closer than this angle share a column: closer ones would make triangles that float cannot hold.
/// A length that is a multiple of the pitch but for its rounding makes pairs of them.
static const double MIN_STEP = 1e-5;

/// A crease this close to an end plane, in pitches, ends there; a bit over LEAST_STEP/2π, so that merged
/// crossings do.
static const double END_TOLERANCE = 2e-6;

static const double TWO_PI = 2.0 * ABUT_PI;

/// Creases per pitch.
static int64_t crease_count(const AbutThread* thread)
{
    return 2 * ((int64_t)thread->flank_steps + 1);
}

/// A crease's place in the profile: first those of the flank that climbs onto the crest, then those of the
/// other flank.
typedef struct CreasePosition
{
    int64_t turn;
    double offset; // along y from the middle of the crest
    double radius;
} CreasePosition;

static CreasePosition crease_position(const AbutThread* thread, int64_t crease)
{
    int64_t count = crease_count(thread);
    int64_t kind = ((crease % count) + count) % count;
    bool climbs = kind <= thread->flank_steps;
    double steps = (double)(climbs ? thread->flank_steps - kind : kind - thread->flank_steps - 1);
    double down = steps / thread->flank_steps; // 0 at the crest, 1 at the root
    double offset = 0.5 * thread->flat + thread->flank * down;
    return (CreasePosition){
        .turn = (crease - kind) / count,
        .offset = climbs ? -offset : offset,
        .radius = thread->major_radius + down * (thread->root_radius - thread->major_radius),
    };
}

static double crease_height(const AbutThread* thread, double angle, const CreasePosition* position)
{
    return thread->pitch * (angle / TWO_PI + (double)position->turn) + position->offset;
}

double abut_thread_radius(const AbutThread* thread, double angle, double y)
{
    double phase = y / thread->pitch - angle / TWO_PI;
    double off_crest = fabs(phase - floor(phase + 0.5)) * thread->pitch - 0.5 * thread->flat;
    double down = fmin(1.0, fmax(0.0, off_crest / thread->flank));
    return thread->major_radius + down * (thread->root_radius - thread->major_radius);
}

// -----------------------------------------------------------------------------------------------------------
// Columns
// -----------------------------------------------------------------------------------------------------------

static void sort_numbers(double* numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i)
    {
        for (uint32_t j = i; j > 0 && numbers[j] < numbers[j - 1]; --j)
        {
            double swapped = numbers[j];
            numbers[j] = numbers[j - 1];
            numbers[j - 1] = swapped;
        }
    }
}

/// The angles in [0, TURN) where creases cross the end planes, each LEAST_STEP or more after the one before.
/// Returns their number.
static uint32_t find_crossings(const AbutThread* thread, double crossings[MAX_CROSSINGS])
{
    uint32_t crossing_count = 2 * (uint32_t)crease_count(thread);
    for (uint32_t i = 0; i < crossing_count; ++i)
    {
        double plane = i % 2 == 0 ? 0.0 : thread->length;
        double turns = (plane - crease_position(thread, i / 2).offset) / thread->pitch;
        crossings[i] = fmin((turns - floor(turns)) * TWO_PI, nextafter(TWO_PI, 0.0));
    }
    sort_numbers(crossings, crossing_count);
    uint32_t count = 1;
    for (uint32_t i = 1; i < crossing_count; ++i)
    {
        if (crossings[i] - crossings[count - 1] >= MIN_STEP &&
            crossings[0] + TWO_PI - crossings[i] >= MIN_STEP)
        {
            crossings[count++] = crossings[i];
        }
    }
    return count;
}

/// Steps that a stretch between crossings is divided into.
static uint32_t step_count(const AbutThread* thread, double from, double to)
{
    // A hair less than one, so that rounding does not add a step to an even division.
    return (uint32_t)ceil((to - from) / TWO_PI * thread->divisions - 1e-6);
}

static uint32_t at_least_one(uint32_t count)
{
    return count < 1 ? 1 : count;
}

static AbutThreadColumn make_column(const AbutThread* thread, double angle)
{
    AbutThreadColumn column = { .angle = angle, .first_crease = INT64_MAX, .last_crease = INT64_MIN };
    int64_t count = crease_count(thread);
    for (int64_t kind = 0; kind < count; ++kind)
    {
        double at = crease_position(thread, kind).offset / thread->pitch + angle / TWO_PI;
        int64_t lowest = (int64_t)floor(END_TOLERANCE - at) + 1;
        int64_t highest = (int64_t)ceil(thread->length / thread->pitch - END_TOLERANCE - at) - 1;
        int64_t first = lowest * count + kind;
        int64_t last = highest * count + kind;
        column.first_crease = first < column.first_crease ? first : column.first_crease;
        column.last_crease = last > column.last_crease ? last : column.last_crease;
    }
    return column;
}

AbutResult abut_thread_surface_make(const AbutThread* thread, AbutModelArena* arena,
                                    AbutThreadSurface* surface)
{
    double crossings[MAX_CROSSINGS + 1] = { 0.0 };
    uint32_t crossing_count = find_crossings(thread, crossings);
    crossings[crossing_count] = crossings[0] + TWO_PI;
    *surface = (AbutThreadSurface){ .thread = *thread };
    size_t most = (size_t)thread->divisions + crossing_count;
    surface->columns = abut_model_arena_allocate(arena, most, sizeof(AbutThreadColumn));
    if (surface->columns == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < crossing_count; ++i)
    {
        uint32_t steps = at_least_one(step_count(thread, crossings[i], crossings[i + 1]));
        for (uint32_t k = 0; k < steps; ++k)
        {
            double angle = crossings[i] + (crossings[i + 1] - crossings[i]) * k / steps;
            AbutThreadColumn column = make_column(thread, angle);
            uint64_t creases = (uint64_t)(column.last_crease - column.first_crease + 1);
            surface->columns[surface->column_count++] = column;
            surface->vertex_count += creases + 2;
            surface->triangle_count += 2 * (creases + 1);
        }
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Mesh
// -----------------------------------------------------------------------------------------------------------

uint32_t abut_thread_bottom(const AbutThreadColumn* column)
{
    return column->first_vertex;
}

uint32_t abut_thread_top(const AbutThreadColumn* column)
{
    return column->first_vertex + (uint32_t)(column->last_crease - column->first_crease + 2);
}

/// The vertex of a crease in a column; creases that have ended are in the end planes.
static uint32_t crease_vertex(const AbutThreadColumn* column, int64_t crease)
{
    if (crease < column->first_crease)
    {
        return abut_thread_bottom(column);
    }
    if (crease > column->last_crease)
    {
        return abut_thread_top(column);
    }
    return column->first_vertex + 1 + (uint32_t)(crease - column->first_crease);
}

static void add_vertex(AbutMeshBuilder* builder, double angle, double radius, double y)
{
    abut_builder_vertex(builder, radius * cos(angle), y, -radius * sin(angle));
}

static void add_column(const AbutThread* thread, AbutThreadColumn* column, AbutMeshBuilder* builder,
                       double clearance)
{
    double angle = column->angle;
    column->first_vertex = builder->vertex_count;
    add_vertex(builder, angle, abut_thread_radius(thread, angle, 0.0) + clearance, 0.0);
    for (int64_t crease = column->first_crease; crease <= column->last_crease; ++crease)
    {
        CreasePosition position = crease_position(thread, crease);
        add_vertex(builder, angle, position.radius + clearance, crease_height(thread, angle, &position));
    }
    add_vertex(builder, angle, abut_thread_radius(thread, angle, thread->length) + clearance, thread->length);
}

static void add_facet(AbutMeshBuilder* builder, uint32_t a, uint32_t b, uint32_t c, bool inward)
{
    abut_builder_triangle(builder, a, inward ? c : b, inward ? b : c);
}

/// Fills the strip between two columns; creases of the right one have numbers that are `shift` lower.
static void add_strip(AbutMeshBuilder* builder, const AbutThreadColumn* left, const AbutThreadColumn* right,
                      int64_t shift, bool inward)
{
    int64_t right_first = right->first_crease - shift;
    int64_t first = left->first_crease < right_first ? left->first_crease : right_first;
    int64_t right_last = right->last_crease - shift;
    int64_t last = left->last_crease > right_last ? left->last_crease : right_last;
    for (int64_t crease = first - 1; crease <= last; ++crease)
    {
        uint32_t a = crease_vertex(left, crease);
        uint32_t b = crease_vertex(right, crease + shift);
        uint32_t c = crease_vertex(right, crease + shift + 1);
        uint32_t d = crease_vertex(left, crease + 1);
        // A crease that starts or ends at one of the columns makes a triangle there instead of a quad.
        if (b != c)
        {
            add_facet(builder, a, b, c, inward);
        }
        if (a != d)
        {
            add_facet(builder, a, c, d, inward);
        }
    }
}

void abut_thread_surface_build(AbutThreadSurface* surface, AbutMeshBuilder* builder, double clearance,
                               bool inward)
{
    for (uint32_t i = 0; i < surface->column_count; ++i)
    {
        add_column(&surface->thread, &surface->columns[i], builder, clearance);
    }
    for (uint32_t i = 0; i < surface->column_count; ++i)
    {
        bool closing = i + 1 == surface->column_count;
        const AbutThreadColumn* right = &surface->columns[closing ? 0 : i + 1];
        // A turn later, the same place of the first column is passed by the crease with the number of the
        // next pitch.
        add_strip(builder, &surface->columns[i], right, closing ? crease_count(&surface->thread) : 0, inward);
    }
}
