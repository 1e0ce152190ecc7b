#include "support/mesh_check.h"

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
        size_t turned = 0;
        const HalfEdge* edge = &edges[start];
        do
        {
            edge = find_edge(edges, count, v, edge->third);
            turned += 1;
        } while (edge != NULL && edge != &edges[start] && turned <= end - start);
        if (turned != end - start)
        {
            fail_msg("%s: vertex %u has %zu triangles, %zu in its first fan", what, v, end - start, turned);
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

void test_check_solid(const AbutMesh* mesh, int64_t euler, const char* what)
{
    size_t edge_count = (size_t)abut_mesh_triangle_count(mesh) * 3;
    HalfEdge* edges = sorted_edges(mesh);
    check_edges(edges, edge_count, what);
    check_fans(edges, edge_count, abut_mesh_vertex_count(mesh), what);
    free(edges);
    check_distinct(mesh, what);
    check_areas(mesh, what);
    int64_t found = (int64_t)abut_mesh_vertex_count(mesh) - (int64_t)(edge_count / 2) +
                    (int64_t)abut_mesh_triangle_count(mesh);
    if (found != euler)
    {
        fail_msg("%s: Euler characteristic %lld, expected %lld", what, (long long)found, (long long)euler);
    }
    if (!(test_mesh_volume(mesh) > 0.0))
    {
        fail_msg("%s: volume %g", what, test_mesh_volume(mesh));
    }
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
