// Surfaces of revolution. Between two neighbouring half planes each edge of the profile makes a flat
// trapezium, and every cut by a half plane is the profile scaled along the radius: a profile that does not
// cross itself makes a mesh that does not either.
#include "generator.h"

#include "fp_env.h"

enum
{
    MAX_DIVISIONS = 65536,
    MAX_POINTS = 16384
};

/// Whether the profile runs from axis to axis, instead of around a ring.
static bool is_solid(const double (*profile)[2], uint32_t point_count)
{
    return profile[0][0] == 0.0 && profile[point_count - 1][0] == 0.0;
}

/// Adds the vertices of one profile point and returns the first: a ring, or a single pole on the axis.
static uint32_t add_ring(AbutMeshBuilder* builder, const double point[2], uint32_t divisions)
{
    uint32_t first = builder->vertex_count;
    uint32_t count = point[0] == 0.0 ? 1 : divisions;
    for (uint32_t j = 0; j < count; ++j)
    {
        AbutDirection around = abut_generate_direction(j, divisions);
        abut_builder_vertex(builder, point[0] * around.cos, point[1], -point[0] * around.sin);
    }
    return first;
}

static void add_surface(AbutMeshBuilder* builder, const double (*profile)[2], uint32_t point_count,
                        uint32_t divisions)
{
    bool solid = is_solid(profile, point_count);
    uint32_t lower = add_ring(builder, profile[0], divisions);
    for (uint32_t i = 1; i < point_count; ++i)
    {
        uint32_t upper = add_ring(builder, profile[i], divisions);
        if (solid && i == 1)
        {
            abut_builder_fan(builder, lower, upper, divisions, true);
        }
        else if (solid && i + 1 == point_count)
        {
            abut_builder_fan(builder, upper, lower, divisions, false);
        }
        else
        {
            abut_builder_band(builder, lower, upper, divisions);
        }
        lower = upper;
    }
    if (!solid)
    {
        abut_builder_band(builder, lower, 0, divisions);
    }
}

AbutResult abut_generate_revolution(const char* name, const double (*profile)[2], uint32_t point_count,
                                    uint32_t divisions, const AbutHost* host, AbutMesh** out)
{
    bool solid = is_solid(profile, point_count);
    uint64_t rings = solid ? point_count - 2 : point_count;
    AbutMeshBuilder builder;
    AbutResult result = abut_builder_begin(&builder, name, "divisions", rings * divisions + (solid ? 2 : 0),
                                           2 * rings * divisions, host);
    if (result != ABUT_OK)
    {
        return result;
    }
    add_surface(&builder, profile, point_count, divisions);
    return abut_builder_finish(&builder, out);
}

// -----------------------------------------------------------------------------------------------------------
// Checks of a profile from outside
// -----------------------------------------------------------------------------------------------------------

static AbutResult check_points(const double (*profile)[2], uint32_t point_count)
{
    for (uint32_t i = 0; i < point_count; ++i)
    {
        double radius = profile[i][0];
        double height = profile[i][1];
        const double* last = profile[i == 0 ? point_count - 1 : i - 1];
        if (!(radius >= 0.0 && radius <= ABUT_LENGTH_MAX && fabs(height) <= ABUT_LENGTH_MAX))
        {
            return abut_fail(
                ABUT_INVALID_DATA,
                "revolution: point %u is (%g, %g), its radius must be in [0, %g] and its height in "
                "[%g, %g]",
                i, radius, height, ABUT_LENGTH_MAX, -ABUT_LENGTH_MAX, ABUT_LENGTH_MAX);
        }
        if (radius == last[0] && height == last[1])
        {
            return abut_fail(ABUT_INVALID_DATA, "revolution: point %u equals the one before it (%g, %g)", i,
                             radius, height);
        }
    }
    bool solid = is_solid(profile, point_count);
    for (uint32_t i = 0; i < point_count; ++i)
    {
        if (profile[i][0] == 0.0 && !(solid && (i == 0 || i + 1 == point_count)))
        {
            return abut_fail(
                ABUT_INVALID_DATA,
                "revolution: point %u lies on the axis; either both ends do and no other point, or "
                "none does",
                i);
        }
    }
    return ABUT_OK;
}

/// An edge of the profile, from point `number` to the next one (to the first one after the last one).
typedef struct ProfileEdge
{
    const double* a;
    const double* b;
    uint32_t number;
} ProfileEdge;

static double lowest(const ProfileEdge* edge)
{
    return fmin(edge->a[1], edge->b[1]);
}

static bool comes_before(const ProfileEdge* p, const ProfileEdge* q)
{
    return lowest(p) < lowest(q) || (lowest(p) == lowest(q) && p->number < q->number);
}

static void sink(ProfileEdge* heap, uint32_t count, uint32_t root)
{
    ProfileEdge edge = heap[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1)
    {
        child += child + 1 < count && comes_before(&heap[child], &heap[child + 1]) ? 1 : 0;
        if (!comes_before(&edge, &heap[child]))
        {
            break;
        }
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = edge;
}

/// Heap sort by lowest height: qsort may take memory behind the host's back.
static void sort_edges(ProfileEdge* edges, uint32_t count)
{
    for (uint32_t root = count / 2; root-- > 0;)
    {
        sink(edges, count, root);
    }
    for (uint32_t end = count; end-- > 1;)
    {
        ProfileEdge last = edges[end];
        edges[end] = edges[0];
        edges[0] = last;
        sink(edges, end, 0);
    }
}

static double orientation(const double* a, const double* b, const double* c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool boxes_overlap(const double* a, const double* b, const double* c, const double* d)
{
    return fmin(a[0], b[0]) <= fmax(c[0], d[0]) && fmin(c[0], d[0]) <= fmax(a[0], b[0]) &&
           fmin(a[1], b[1]) <= fmax(c[1], d[1]) && fmin(c[1], d[1]) <= fmax(a[1], b[1]);
}

/// Whether two segments share a point.
static bool segments_intersect(const double* a, const double* b, const double* c, const double* d)
{
    double ac = orientation(a, b, c);
    double ad = orientation(a, b, d);
    double ca = orientation(c, d, a);
    double cb = orientation(c, d, b);
    bool apart =
        (ac > 0.0 && ad > 0.0) || (ac < 0.0 && ad < 0.0) || (ca > 0.0 && cb > 0.0) || (ca < 0.0 && cb < 0.0);
    return !apart && boxes_overlap(a, b, c, d);
}

/// Whether edge b, which starts where a ends, goes straight back over it.
static bool folds_back(const double* a, const double* corner, const double* b)
{
    double forward = (corner[0] - a[0]) * (b[0] - corner[0]) + (corner[1] - a[1]) * (b[1] - corner[1]);
    return orientation(a, corner, b) == 0.0 && forward < 0.0;
}

static bool edges_intersect(const ProfileEdge* p, const ProfileEdge* q)
{
    if (p->b == q->a)
    {
        return folds_back(p->a, p->b, q->b);
    }
    if (q->b == p->a)
    {
        return folds_back(q->a, q->b, p->b);
    }
    return segments_intersect(p->a, p->b, q->a, q->b);
}

/// Edges sorted by their lowest height are compared with those that start before they end.
static AbutResult check_crossings(ProfileEdge* edges, uint32_t edge_count)
{
    sort_edges(edges, edge_count);
    for (uint32_t i = 0; i < edge_count; ++i)
    {
        double top = fmax(edges[i].a[1], edges[i].b[1]);
        for (uint32_t j = i + 1; j < edge_count && lowest(&edges[j]) <= top; ++j)
        {
            if (edges_intersect(&edges[i], &edges[j]))
            {
                return abut_fail(
                    ABUT_INVALID_DATA,
                    "revolution: the profile meets itself where the edges after points %u and %u "
                    "touch or cross",
                    edges[i].number, edges[j].number);
            }
        }
    }
    return ABUT_OK;
}

static AbutResult check_direction(const double (*profile)[2], uint32_t point_count)
{
    double area = 0.0; // twice, about the first point, which may be far from the origin
    for (uint32_t i = 1; i + 1 < point_count; ++i)
    {
        area += orientation(profile[0], profile[i], profile[i + 1]);
    }
    if (!(area > 0.0))
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "revolution: the profile runs clockwise (from point 0 to %u); reverse its order",
                         point_count - 1);
    }
    return ABUT_OK;
}

static AbutResult check_profile(const double (*profile)[2], uint32_t point_count, AbutModelArena* arena)
{
    AbutResult result = check_points(profile, point_count);
    if (result != ABUT_OK)
    {
        return result;
    }
    ProfileEdge* edges = abut_model_arena_allocate(arena, point_count, sizeof(*edges));
    if (edges == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    // The closing edge of a solid body lies on the axis, where no other point is; checking it as well does no
    // harm.
    for (uint32_t i = 0; i < point_count; ++i)
    {
        edges[i] = (ProfileEdge){ profile[i], profile[(i + 1) % point_count], i };
    }
    result = check_crossings(edges, point_count);
    return result == ABUT_OK ? check_direction(profile, point_count) : result;
}

AbutResult abut_mesh_create_revolution(const float (*profile)[2], uint32_t point_count, uint32_t divisions,
                                       const AbutHost* host, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_revolution, profile, point_count, divisions, host, out);
    *out = NULL;
    if (profile == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "revolution: profile is NULL");
    }
    const AbutArgument arguments[] = {
        { "point_count", point_count, 3, MAX_POINTS, false },
        { "divisions", divisions, 3, MAX_DIVISIONS, false },
    };
    AbutResult result = ABUT_GENERATE_CHECK("revolution", arguments);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(host);
    double(*points)[2] = abut_model_arena_allocate(&arena, point_count, sizeof(*points));
    for (uint32_t i = 0; points != NULL && i < point_count; ++i)
    {
        points[i][0] = profile[i][0];
        points[i][1] = profile[i][1];
    }
    result =
        points == NULL ? ABUT_OUT_OF_MEMORY : check_profile((const double(*)[2])points, point_count, &arena);
    if (result == ABUT_OK)
    {
        result = abut_generate_revolution("revolution", (const double(*)[2])points, point_count, divisions,
                                          host, out);
    }
    abut_model_arena_clear(&arena);
    return result;
}
