// Creation of hulls: checks, points in general position, the way to the block; and public access.
#include "hull/hull.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "hull/draft.h"
#include "mesh/triangle/orient.h"

/// Largest coordinate: that of shapes.
static const float MAX_COORDINATE = 1e12f;

static AbutResult check_points(const AbutVec3* points, size_t count)
{
    if (points == NULL || count == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "hull: there are no points");
    }
    if (count > ABUT_HULL_MAX_POINTS)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "hull: %zu points; at most %u", count, ABUT_HULL_MAX_POINTS);
    }
    for (size_t i = 0; i < count; ++i)
    {
        AbutVec3 p = points[i];
        if (!(fabsf(p.x) <= MAX_COORDINATE && fabsf(p.y) <= MAX_COORDINATE && fabsf(p.z) <= MAX_COORDINATE))
        {
            return abut_fail(ABUT_INVALID_DATA,
                             "hull: point %zu is (%g, %g, %g); coordinates must be finite and at most %g", i,
                             (double)p.x, (double)p.y, (double)p.z, (double)MAX_COORDINATE);
        }
    }
    return ABUT_OK;
}

static bool comes_before(AbutVec3 a, AbutVec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static bool is_collinear(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    return abut_orient_2d(a, b, c, 0) == 0 && abut_orient_2d(a, b, c, 1) == 0 &&
           abut_orient_2d(a, b, c, 2) == 0;
}

/// Farther points make a better start; the exact signs alone decide.
static uint32_t farthest_from_line(const AbutVec3* points, uint32_t count, const uint32_t s[2])
{
    AbutDVec3 a = abut_dvec3_from_vec3(points[s[0]]);
    AbutDVec3 along = abut_dvec3_sub(abut_dvec3_from_vec3(points[s[1]]), a);
    uint32_t best = UINT32_MAX;
    double best_size = -1.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDVec3 cross = abut_dvec3_cross(along, abut_dvec3_sub(abut_dvec3_from_vec3(points[i]), a));
        double size = abut_dvec3_squared_length(cross);
        if (size > best_size && !is_collinear(points[s[0]], points[s[1]], points[i]))
        {
            best = i;
            best_size = size;
        }
    }
    return best;
}

static uint32_t farthest_from_plane(const AbutVec3* points, uint32_t count, const uint32_t s[3])
{
    AbutDVec3 a = abut_dvec3_from_vec3(points[s[0]]);
    AbutDVec3 normal = abut_orient_normal(points[s[0]], points[s[1]], points[s[2]]);
    uint32_t best = UINT32_MAX;
    double best_size = -1.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        double size = fabs(abut_dvec3_dot(normal, abut_dvec3_sub(abut_dvec3_from_vec3(points[i]), a)));
        if (size > best_size && abut_orient_3d(points[s[0]], points[s[1]], points[s[2]], points[i]) != 0)
        {
            best = i;
            best_size = size;
        }
    }
    return best;
}

static AbutHullSimplex find_simplex(const AbutVec3* points, uint32_t count)
{
    AbutHullSimplex simplex = { .dimension = 0 };
    uint32_t low = 0, high = 0;
    for (uint32_t i = 1; i < count; ++i)
    {
        low = comes_before(points[i], points[low]) ? i : low;
        high = comes_before(points[high], points[i]) ? i : high;
    }
    simplex.points[0] = low;
    simplex.points[1] = high;
    if (!comes_before(points[low], points[high]))
    {
        return simplex;
    }
    simplex.dimension = 1;
    simplex.points[2] = farthest_from_line(points, count, simplex.points);
    if (simplex.points[2] == UINT32_MAX)
    {
        return simplex;
    }
    simplex.dimension = 2;
    simplex.points[3] = farthest_from_plane(points, count, simplex.points);
    simplex.dimension = simplex.points[3] == UINT32_MAX ? 2 : 3;
    return simplex;
}

AbutResult abut_hull_create(const AbutVec3* points, size_t count, const AbutHost* host, AbutHull** out)
{
    ABUT_FP_CALL(abut_hull_create, points, count, host, out);
    *out = NULL;
    AbutResult result = check_points(points, count);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutHost resolved = abut_host_resolve(host);
    AbutArena arena = abut_arena_make(&resolved);
    AbutHullSimplex simplex = find_simplex(points, (uint32_t)count);
    AbutHullDraft draft;
    result = (simplex.dimension == 3 ? abut_hull_draft_solid : abut_hull_draft_flat)(
        points, (uint32_t)count, &simplex, &arena, &draft);
    if (result == ABUT_OK)
    {
        result = abut_hull_assemble(points, (uint32_t)count, &draft, &arena, &resolved, out);
    }
    abut_arena_clear(&arena);
    return result;
}

void abut_hull_destroy(AbutHull* hull, const AbutHost* host)
{
    if (hull != NULL)
    {
        AbutHost resolved = abut_host_resolve(host);
        abut_memory_free(&resolved, hull, hull->size, 1);
    }
}

AbutHullInfo abut_hull_info(const AbutHull* hull)
{
    return (AbutHullInfo){
        .dimension = hull->dimension,
        .vertex_count = hull->vertex_count,
        .face_count = hull->face_count,
        .edge_count = hull->half_edge_count / 2,
        .bounds = hull->bounds,
        .bytes = hull->size,
    };
}

const AbutVec3* abut_hull_points(const AbutHull* hull)
{
    return abut_hull_positions(hull);
}

uint32_t abut_hull_face_vertices(const AbutHull* hull, uint32_t face, uint32_t* vertices, uint32_t capacity)
{
    ABUT_ASSERT(face < hull->face_count);
    const AbutHullFace* f = &abut_hull_faces(hull)[face];
    for (uint32_t i = 0; i < f->count && i < capacity; ++i)
    {
        vertices[i] = abut_hull_tail(hull, f->first + i);
    }
    return f->count;
}

AbutVec3 abut_hull_face_normal(const AbutHull* hull, uint32_t face)
{
    ABUT_FP_CALL(abut_hull_face_normal, hull, face);
    ABUT_ASSERT(face < hull->face_count);
    return abut_dvec3_to_vec3(abut_hull_faces(hull)[face].normal);
}

uint32_t abut_hull_farthest(const AbutHull* hull, AbutVec3 direction)
{
    ABUT_FP_CALL(abut_hull_farthest, hull, direction);
    AbutDVec3 d = abut_dvec3_from_vec3(direction);
    if (!abut_dvec3_is_finite(d))
    {
        return 0;
    }
    return abut_hull_exact_support(hull, d, abut_hull_start(hull, d));
}
