#include "support/meshes/mesh_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct HalfEdge
{
    uint64_t key;   // from, then to
    uint32_t third; // the corner of its triangle that is on neither end
} HalfEdge;

static uint64_t edge_key(uint32_t from, uint32_t to)
{
    return (uint64_t)from << 32 | to;
}

static int compare_edges(const void* a, const void* b)
{
    uint64_t left = ((const HalfEdge*)a)->key;
    uint64_t right = ((const HalfEdge*)b)->key;
    return left < right ? -1 : left > right;
}

static int compare_positions(const void* a, const void* b)
{
    const AbutVec3* p = a;
    const AbutVec3* q = b;
    if (p->x != q->x)
    {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y)
    {
        return p->y < q->y ? -1 : 1;
    }
    return p->z < q->z ? -1 : p->z > q->z;
}

static HalfEdge* sorted_edges(const AbutMesh* mesh)
{
    const uint32_t* indices = abut_mesh_indices(mesh);
    size_t count = (size_t)abut_mesh_triangle_count(mesh) * 3;
    HalfEdge* edges = malloc(count * sizeof(HalfEdge));
    assert_non_null(edges);
    for (size_t i = 0; i < count; ++i)
    {
        const uint32_t* corners = indices + i / 3 * 3;
        edges[i] = (HalfEdge){ edge_key(corners[i % 3], corners[(i + 1) % 3]), corners[(i + 2) % 3] };
    }
    qsort(edges, count, sizeof(HalfEdge), compare_edges);
    return edges;
}

static const HalfEdge* find_edge(const HalfEdge* edges, size_t count, uint32_t from, uint32_t to)
{
    HalfEdge wanted = { edge_key(from, to), 0 };
    return bsearch(&wanted, edges, count, sizeof(HalfEdge), compare_edges);
}

static void check_edges(const HalfEdge* edges, size_t count, const char* what)
{
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t from = (uint32_t)(edges[i].key >> 32);
        uint32_t to = (uint32_t)edges[i].key;
        if (i > 0 && edges[i].key == edges[i - 1].key)
        {
            fail_msg("%s: edge %u-%u is there twice in the same direction", what, from, to);
        }
        if (find_edge(edges, count, to, from) == NULL)
        {
            fail_msg("%s: edge %u-%u has no opposite", what, from, to);
        }
    }
}

/// Turns around each vertex from triangle to triangle and must meet all edges that start there.
static void check_fans(const HalfEdge* edges, size_t count, uint32_t vertex_count, const char* what)
{
    size_t start = 0;
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        size_t end = start;
        while (end < count && edges[end].key >> 32 == v)
        {
            end += 1;
        }
        if (end == start)
        {
            fail_msg("%s: vertex %u is unused", what, v);
        }
        size_t flipped = 0;
        const HalfEdge* edge = &edges[start];
        do
        {
            edge = find_edge(edges, count, v, edge->third);
            flipped += 1;
        } while (edge != NULL && edge != &edges[start] && flipped <= end - start);
        if (flipped != end - start)
        {
            fail_msg("%s: vertex %u has %zu triangles, %zu in its first fan", what, v, end - start, flipped);
        }
        start = end;
    }
}

static void check_distinct(const AbutMesh* mesh, const char* what)
{
    size_t count = abut_mesh_vertex_count(mesh);
    AbutVec3* sorted = malloc(count * sizeof(AbutVec3));
    assert_non_null(sorted);
    memcpy(sorted, abut_mesh_vertices(mesh), count * sizeof(AbutVec3));
    qsort(sorted, count, sizeof(AbutVec3), compare_positions);
    for (size_t i = 1; i < count; ++i)
    {
        if (compare_positions(&sorted[i - 1], &sorted[i]) == 0)
        {
            fail_msg("%s: two vertices at (%.9g, %.9g, %.9g)", what, (double)sorted[i].x, (double)sorted[i].y,
                     (double)sorted[i].z);
        }
    }
    free(sorted);
}

static double triangle_area(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    double u[3] = { (double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z };
    double v[3] = { (double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z };
    double x = u[1] * v[2] - u[2] * v[1];
    double y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

static void check_areas(const AbutMesh* mesh, const char* what)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        const uint32_t* corners = indices + (size_t)t * 3;
        if (!(triangle_area(vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]) > 0.0))
        {
            fail_msg("%s: triangle %u has no area", what, t);
        }
    }
}

void test_check_manifold(const AbutMesh* mesh, const char* what)
{
    size_t edge_count = (size_t)abut_mesh_triangle_count(mesh) * 3;
    HalfEdge* edges = sorted_edges(mesh);
    check_edges(edges, edge_count, what);
    check_fans(edges, edge_count, abut_mesh_vertex_count(mesh), what);
    free(edges);
    check_distinct(mesh, what);
    check_areas(mesh, what);
}

int64_t test_mesh_euler(const AbutMesh* mesh)
{
    int64_t triangle_count = abut_mesh_triangle_count(mesh);
    return (int64_t)abut_mesh_vertex_count(mesh) - triangle_count * 3 / 2 + triangle_count;
}

void test_check_solid(const AbutMesh* mesh, int64_t euler, const char* what)
{
    test_check_manifold(mesh, what);
    if (test_mesh_euler(mesh) != euler)
    {
        fail_msg("%s: Euler characteristic %lld, expected %lld", what, (long long)test_mesh_euler(mesh),
                 (long long)euler);
    }
    if (!(test_mesh_volume(mesh) > 0.0))
    {
        fail_msg("%s: volume %g", what, test_mesh_volume(mesh));
    }
}

uint64_t test_mesh_hash(const AbutMesh* mesh)
{
    uint64_t hash = abut_hash(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh) * sizeof(AbutVec3), 0);
    return abut_hash(abut_mesh_indices(mesh), abut_mesh_triangle_count(mesh) * 3 * sizeof(uint32_t), hash);
}

double test_mesh_area(const AbutMesh* mesh)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    double sum = 0.0;
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        const uint32_t* corners = indices + (size_t)t * 3;
        sum += triangle_area(vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]);
    }
    return sum;
}

double test_mesh_volume(const AbutMesh* mesh)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    double sum = 0.0;
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        AbutVec3 a = vertices[indices[(size_t)t * 3]];
        AbutVec3 b = vertices[indices[(size_t)t * 3 + 1]];
        AbutVec3 c = vertices[indices[(size_t)t * 3 + 2]];
        sum += (double)a.x * ((double)b.y * c.z - (double)b.z * c.y) +
               (double)a.y * ((double)b.z * c.x - (double)b.x * c.z) +
               (double)a.z * ((double)b.x * c.y - (double)b.y * c.x);
    }
    return sum / 6.0;
}

double test_mesh_size(const AbutMesh* mesh)
{
    AbutVec3 extents = abut_box_extents(abut_mesh_bounds(mesh));
    return sqrt((double)extents.x * extents.x + (double)extents.y * extents.y +
                (double)extents.z * extents.z);
}

// -----------------------------------------------------------------------------------------------------------
// Crossings
// -----------------------------------------------------------------------------------------------------------

typedef struct SweptTriangle
{
    AbutBox box;
    uint32_t corners[3];
} SweptTriangle;

static int compare_swept(const void* a, const void* b)
{
    float left = ((const SweptTriangle*)a)->box.min.x;
    float right = ((const SweptTriangle*)b)->box.min.x;
    return left < right ? -1 : left > right;
}

/// Six times the volume of a tetrahedron. Long double holds the products of differences of floats nearly
/// exactly.
static long double volume6(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d)
{
    long double ux = (long double)b.x - a.x, uy = (long double)b.y - a.y, uz = (long double)b.z - a.z;
    long double vx = (long double)c.x - a.x, vy = (long double)c.y - a.y, vz = (long double)c.z - a.z;
    long double wx = (long double)d.x - a.x, wy = (long double)d.y - a.y, wz = (long double)d.z - a.z;
    return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}

static bool has_corner(const uint32_t corners[3], uint32_t vertex)
{
    return corners[0] == vertex || corners[1] == vertex || corners[2] == vertex;
}

static bool edge_passes_through(const AbutVec3* v, uint32_t p, uint32_t q, const uint32_t t[3])
{
    if (has_corner(t, p) || has_corner(t, q))
    {
        return false;
    }
    long double below = volume6(v[t[0]], v[t[1]], v[t[2]], v[p]);
    long double above = volume6(v[t[0]], v[t[1]], v[t[2]], v[q]);
    if (!((below < 0.0L && above > 0.0L) || (below > 0.0L && above < 0.0L)))
    {
        return false;
    }
    long double a = volume6(v[p], v[q], v[t[0]], v[t[1]]);
    long double b = volume6(v[p], v[q], v[t[1]], v[t[2]]);
    long double c = volume6(v[p], v[q], v[t[2]], v[t[0]]);
    return (a > 0.0L && b > 0.0L && c > 0.0L) || (a < 0.0L && b < 0.0L && c < 0.0L);
}

/// Neighbours over an edge whose third corners lie in one plane with it, on the same side of it.
static bool neighbours_are_folded(const AbutVec3* v, const uint32_t s[3], const uint32_t t[3])
{
    for (int i = 0; i < 3; ++i)
    {
        uint32_t a = s[i], b = s[(i + 1) % 3], c = s[(i + 2) % 3];
        if (has_corner(t, a) && has_corner(t, b))
        {
            uint32_t d = t[0] != a && t[0] != b ? t[0] : (t[1] != a && t[1] != b ? t[1] : t[2]);
            AbutVec3 edge = abut_vec3_sub(v[b], v[a]);
            AbutVec3 one = abut_vec3_cross(edge, abut_vec3_sub(v[c], v[a]));
            AbutVec3 other = abut_vec3_cross(edge, abut_vec3_sub(v[d], v[a]));
            return volume6(v[a], v[b], v[c], v[d]) == 0.0L && abut_vec3_dot(one, other) > 0.0f;
        }
    }
    return false;
}

static bool triangles_cross(const AbutVec3* v, const uint32_t s[3], const uint32_t t[3])
{
    for (int i = 0; i < 3; ++i)
    {
        if (edge_passes_through(v, s[i], s[(i + 1) % 3], t) ||
            edge_passes_through(v, t[i], t[(i + 1) % 3], s))
        {
            return true;
        }
    }
    return neighbours_are_folded(v, s, t);
}

uint64_t test_mesh_crossings(const AbutMesh* mesh)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    size_t count = abut_mesh_triangle_count(mesh);
    SweptTriangle* triangles = malloc(count * sizeof(SweptTriangle));
    assert_non_null(triangles);
    for (size_t t = 0; t < count; ++t)
    {
        memcpy(triangles[t].corners, abut_mesh_indices(mesh) + t * 3, sizeof(triangles[t].corners));
        triangles[t].box = abut_box_empty();
        for (int k = 0; k < 3; ++k)
        {
            triangles[t].box = abut_box_add_point(triangles[t].box, vertices[triangles[t].corners[k]]);
        }
    }
    qsort(triangles, count, sizeof(SweptTriangle), compare_swept);
    uint64_t crossings = 0;
    for (size_t i = 0; i < count; ++i)
    {
        for (size_t j = i + 1; j < count && triangles[j].box.min.x <= triangles[i].box.max.x; ++j)
        {
            if (abut_box_overlap(triangles[i].box, triangles[j].box) &&
                triangles_cross(vertices, triangles[i].corners, triangles[j].corners))
            {
                crossings += 1;
            }
        }
    }
    free(triangles);
    return crossings;
}

void test_check_flat_faces(const AbutMesh* mesh, const char* what)
{
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    size_t count = abut_mesh_triangle_count(mesh);
    float planes[8];
    double sides[8];
    int plane_count = 0;
    for (size_t t = 0; t < count; ++t)
    {
        AbutVec3 a = v[indices[t * 3]], b = v[indices[t * 3 + 1]], c = v[indices[t * 3 + 2]];
        if (a.y != b.y || a.y != c.y)
        {
            continue;
        }
        double up = ((double)b.z - a.z) * ((double)c.x - a.x) - ((double)b.x - a.x) * ((double)c.z - a.z);
        int plane = 0;
        while (plane < plane_count && planes[plane] != a.y)
        {
            plane += 1;
        }
        if (plane == plane_count)
        {
            assert_true(plane_count < 8);
            planes[plane_count] = a.y;
            sides[plane_count++] = up;
        }
        if (!(up * sides[plane] > 0.0))
        {
            fail_msg("%s: triangle %zu of the flat face at y = %g is turned over", what, t, (double)a.y);
        }
    }
}
