#include "support/manifold.h"

#include <math.h>
#include <stdlib.h>

/// An edge of a triangle in its direction; `corner` is where it starts, as 3 · triangle + 0..2.
typedef struct HalfEdge
{
    uint64_t ends; // from << 32 | to
    uint32_t corner;
} HalfEdge;

static uint64_t pack(uint32_t from, uint32_t to)
{
    return (uint64_t)from << 32 | to;
}

static int compare_half_edges(const void* a, const void* b)
{
    const uint64_t x = ((const HalfEdge*)a)->ends, y = ((const HalfEdge*)b)->ends;
    return (x > y) - (x < y);
}

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static HalfEdge* list_half_edges(const AbutMesh* mesh, uint32_t count)
{
    const uint32_t* indices = abut_mesh_indices(mesh);
    HalfEdge* list = calloc((size_t)count + 1, sizeof(HalfEdge));
    assert_non_null(list);
    for (uint32_t i = 0; i < count; ++i)
    {
        list[i] = (HalfEdge){ pack(indices[i], indices[next_corner(i)]), i };
    }
    qsort(list, count, sizeof(HalfEdge), compare_half_edges);
    return list;
}

/// The half-edge in the other direction; fails the test when there is none.
static uint32_t twin_of(const HalfEdge* list, uint32_t count, const uint32_t* indices, uint32_t corner)
{
    const HalfEdge wanted = { pack(indices[next_corner(corner)], indices[corner]), 0 };
    const HalfEdge* twin = bsearch(&wanted, list, count, sizeof(HalfEdge), compare_half_edges);
    if (twin == NULL)
    {
        fail_msg("edge %u-%u has a triangle on one side only", indices[corner], indices[next_corner(corner)]);
        return 0;
    }
    return twin->corner;
}

/// Walks around the vertex at a corner until it is back, and returns the number of triangles on the way.
static uint32_t fan_size(const HalfEdge* list, uint32_t count, const uint32_t* indices, uint32_t corner)
{
    uint32_t size = 0;
    uint32_t at = corner;
    do
    {
        const uint32_t incoming = next_corner(next_corner(at));
        at = twin_of(list, count, indices, incoming);
        size += 1;
    } while (at != corner && size <= count);
    return size;
}

static void check_areas(const AbutMesh* mesh)
{
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* t = abut_mesh_indices(mesh);
    for (uint32_t i = 0; i < abut_mesh_triangle_count(mesh); ++i, t += 3)
    {
        const double a[3] = { v[t[0]].x, v[t[0]].y, v[t[0]].z };
        const double u[3] = { v[t[1]].x - a[0], v[t[1]].y - a[1], v[t[1]].z - a[2] };
        const double w[3] = { v[t[2]].x - a[0], v[t[2]].y - a[1], v[t[2]].z - a[2] };
        if (u[1] * w[2] == u[2] * w[1] && u[2] * w[0] == u[0] * w[2] && u[0] * w[1] == u[1] * w[0])
        {
            fail_msg("triangle %u (%u %u %u) has no area", i, t[0], t[1], t[2]);
        }
    }
}

void test_assert_manifold(const AbutMesh* mesh)
{
    const uint32_t count = 3 * abut_mesh_triangle_count(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    HalfEdge* list = list_half_edges(mesh, count);
    uint32_t vertex = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (i > 0 && list[i].ends == list[i - 1].ends)
        {
            fail_msg("edge %u-%u has two triangles in one direction", (uint32_t)(list[i].ends >> 32),
                     (uint32_t)list[i].ends);
        }
    }
    for (uint32_t i = 0; i < count; ++vertex)
    {
        // Half-edges are sorted by the vertex that they leave.
        uint32_t degree = 0;
        while (i + degree < count && list[i + degree].ends >> 32 == vertex)
        {
            degree += 1;
        }
        const uint32_t size = degree > 0 ? fan_size(list, count, indices, list[i].corner) : 0;
        if (degree == 0 || size != degree)
        {
            fail_msg("vertex %u has %u triangles and a fan of %u", vertex, degree, size);
        }
        i += degree;
    }
    assert_int_equal(vertex, abut_mesh_vertex_count(mesh));
    check_areas(mesh);
    free(list);
}

static void add_triangle(const AbutMesh* mesh, uint32_t triangle, double* volume, double* area)
{
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* t = abut_mesh_indices(mesh) + 3 * (size_t)triangle;
    const double a[3] = { v[t[0]].x, v[t[0]].y, v[t[0]].z };
    const double u[3] = { v[t[1]].x - a[0], v[t[1]].y - a[1], v[t[1]].z - a[2] };
    const double w[3] = { v[t[2]].x - a[0], v[t[2]].y - a[1], v[t[2]].z - a[2] };
    const double n[3] = { u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0] };
    *volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6.0;
    *area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

double test_mesh_volume(const AbutMesh* mesh)
{
    double volume = 0.0, area = 0.0;
    for (uint32_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        add_triangle(mesh, i, &volume, &area);
    }
    return volume;
}

double test_mesh_area(const AbutMesh* mesh)
{
    double volume = 0.0, area = 0.0;
    for (uint32_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        add_triangle(mesh, i, &volume, &area);
    }
    return area;
}

uint64_t test_mesh_hash(const AbutMesh* mesh)
{
    const uint64_t vertices =
        abut_hash(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh) * sizeof(AbutVec3), 0);
    return abut_hash(abut_mesh_indices(mesh), (size_t)abut_mesh_triangle_count(mesh) * 3 * sizeof(uint32_t),
                     vertices);
}

int64_t test_mesh_euler(const AbutMesh* mesh)
{
    return (int64_t)abut_mesh_vertex_count(mesh) - (int64_t)abut_mesh_triangle_count(mesh) / 2;
}
