#include "scenes/mesh_gap.h"

#include "scenes/closed_forms.h"

#include <stdbool.h>
#include <stdlib.h>

enum
{
    LEAF = 4,
    DEPTH = 64
};

typedef struct Triangle
{
    Double3 corners[3];
    Double3 low, high;
} Triangle;

/// Triangles [first, first + count); children at `right` and the next node when count is 0.
typedef struct Node
{
    Double3 low, high;
    uint32_t first, count, right;
} Node;

struct SceneSurface
{
    Triangle* triangles; // in the order of the tree
    uint32_t triangle_count;
    Node* nodes;
    uint32_t node_count;
};

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

static Double3 lower(Double3 a, Double3 b)
{
    return double3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static Double3 higher(Double3 a, Double3 b)
{
    return double3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static void set_bounds(Triangle* t)
{
    t->low = lower(t->corners[0], lower(t->corners[1], t->corners[2]));
    t->high = higher(t->corners[0], higher(t->corners[1], t->corners[2]));
}

static double box_gap(Double3 low_a, Double3 high_a, Double3 low_b, Double3 high_b)
{
    Double3 apart = higher(double3_sub(low_a, high_b), double3_sub(low_b, high_a));
    return double3_length(higher(apart, double3(0.0, 0.0, 0.0)));
}

/// True when the foot of the perpendicular from p is in the triangle.
static bool is_over(const Triangle* t, Double3 normal, Double3 p)
{
    for (int k = 0; k < 3; ++k)
    {
        Double3 along = double3_sub(t->corners[(k + 1) % 3], t->corners[k]);
        if (double3_dot(double3_cross(along, double3_sub(p, t->corners[k])), normal) < 0.0)
        {
            return false;
        }
    }
    return true;
}

static Double3 normal_of(const Triangle* t)
{
    return double3_cross(double3_sub(t->corners[1], t->corners[0]),
                         double3_sub(t->corners[2], t->corners[0]));
}

/// From the corners and edges of `b` to the inside of `a`; 0 when an edge goes through it.
static double distance_to_inside(const Triangle* a, const Triangle* b, double best)
{
    Double3 normal = normal_of(a);
    double length = double3_length(normal), heights[3];
    if (length == 0.0)
    {
        return best;
    }
    for (int k = 0; k < 3; ++k)
    {
        heights[k] = double3_dot(normal, double3_sub(b->corners[k], a->corners[0])) / length;
        if (fabs(heights[k]) < best && is_over(a, normal, b->corners[k]))
        {
            best = fabs(heights[k]);
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        int next = (k + 1) % 3;
        if ((heights[k] > 0.0) != (heights[next] > 0.0))
        {
            double t = heights[k] / (heights[k] - heights[next]);
            Double3 along = double3_sub(b->corners[next], b->corners[k]);
            if (is_over(a, normal, double3_add(b->corners[k], double3_scale(along, t))))
            {
                return 0.0;
            }
        }
    }
    return best;
}

/// Distance of two triangles when it is under `best`, else `best`.
static double triangle_gap(const Triangle* a, const Triangle* b, double best)
{
    best = distance_to_inside(a, b, best);
    best = distance_to_inside(b, a, best);
    for (int i = 0; i < 9 && best > 0.0; ++i)
    {
        int p = i / 3, q = i % 3;
        best = fmin(best, scene_segment_segment_distance(a->corners[p], a->corners[(p + 1) % 3],
                                                         b->corners[q], b->corners[(q + 1) % 3]));
    }
    return best;
}

// -----------------------------------------------------------------------------------------------------------
// Tree
// -----------------------------------------------------------------------------------------------------------

static int compare_x(const void* a, const void* b)
{
    double x = ((const Triangle*)a)->low.x + ((const Triangle*)a)->high.x;
    double y = ((const Triangle*)b)->low.x + ((const Triangle*)b)->high.x;
    return (x > y) - (x < y);
}

static int compare_y(const void* a, const void* b)
{
    double x = ((const Triangle*)a)->low.y + ((const Triangle*)a)->high.y;
    double y = ((const Triangle*)b)->low.y + ((const Triangle*)b)->high.y;
    return (x > y) - (x < y);
}

static int compare_z(const void* a, const void* b)
{
    double x = ((const Triangle*)a)->low.z + ((const Triangle*)a)->high.z;
    double y = ((const Triangle*)b)->low.z + ((const Triangle*)b)->high.z;
    return (x > y) - (x < y);
}

/// Halves by count along the longest side: no deeper than the logarithm of the count.
static uint32_t build(SceneSurface* s, uint32_t first, uint32_t count)
{
    uint32_t index = s->node_count++;
    Node node = { s->triangles[first].low, s->triangles[first].high, first, count, 0 };
    for (uint32_t i = first; i < first + count; ++i)
    {
        node.low = lower(node.low, s->triangles[i].low);
        node.high = higher(node.high, s->triangles[i].high);
    }
    if (count > LEAF)
    {
        Double3 size = double3_sub(node.high, node.low);
        bool x = size.x >= size.y && size.x >= size.z;
        qsort(s->triangles + first, count, sizeof(Triangle),
              x ? compare_x : (size.y >= size.z ? compare_y : compare_z));
        node.count = 0;
        build(s, first, count / 2);
        node.right = build(s, first + count / 2, count - count / 2);
    }
    s->nodes[index] = node;
    return index;
}

SceneSurface* scene_surface_create(const AbutMesh* mesh)
{
    uint32_t count = abut_mesh_triangle_count(mesh);
    SceneSurface* s = calloc(1, sizeof(SceneSurface));
    if (s == NULL || count == 0)
    {
        return s;
    }
    s->triangle_count = count;
    s->triangles = malloc(count * sizeof(Triangle));
    s->nodes = malloc(2 * (size_t)count * sizeof(Node));
    if (s->triangles == NULL || s->nodes == NULL)
    {
        scene_surface_destroy(s);
        return NULL;
    }
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    for (size_t i = 0; i < count; ++i)
    {
        for (size_t k = 0; k < 3; ++k)
        {
            s->triangles[i].corners[k] = double3_of(vertices[indices[3 * i + k]]);
        }
        set_bounds(&s->triangles[i]);
    }
    build(s, 0, count);
    return s;
}

void scene_surface_destroy(SceneSurface* surface)
{
    if (surface != NULL)
    {
        free(surface->triangles);
        free(surface->nodes);
        free(surface);
    }
}

/// Distance from one triangle to the surface when it is under `best`, else `best`.
static double gap_to_triangle(const SceneSurface* s, const Triangle* t, double best)
{
    uint32_t stack[DEPTH], depth = 0;
    stack[depth++] = 0;
    while (depth > 0 && best > 0.0)
    {
        uint32_t index = stack[--depth];
        const Node* node = &s->nodes[index];
        if (box_gap(node->low, node->high, t->low, t->high) >= best)
        {
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count && best > 0.0; ++i)
        {
            const Triangle* own = &s->triangles[i];
            best = box_gap(own->low, own->high, t->low, t->high) < best ? triangle_gap(own, t, best) : best;
        }
        if (node->count == 0)
        {
            stack[depth++] = node->right;
            stack[depth++] = index + 1;
        }
    }
    return best;
}

double scene_surface_gap(const SceneSurface* a, const SceneSurface* b, const SceneRigid* pose_b, double most)
{
    double best = most;
    for (uint32_t i = 0; i < b->triangle_count && best > 0.0; ++i)
    {
        Triangle t;
        for (int k = 0; k < 3; ++k)
        {
            t.corners[k] = scene_rigid_point(pose_b, b->triangles[i].corners[k]);
        }
        set_bounds(&t);
        best = gap_to_triangle(a, &t, best);
    }
    return best;
}
