#include "support/meshes/signs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double mesh_extent(const AbutMesh* mesh)
{
    AbutVec3 e = abut_box_extents(abut_mesh_bounds(mesh));
    return fmax(e.x, fmax(e.y, e.z));
}

AbutNodeGrid test_sign_grid(const AbutMesh* mesh, uint32_t nodes)
{
    AbutBox box = abut_mesh_bounds(mesh);
    double size = mesh_extent(mesh) > 0.0 ? 1.2 * mesh_extent(mesh) : 1.0;
    AbutNodeGrid grid = { .cell_size = size / (nodes - 1), .node_count = { nodes, nodes, nodes } };
    grid.origin[0] = 0.5 * ((double)box.min.x + box.max.x) - 0.5137 * size;
    grid.origin[1] = 0.5 * ((double)box.min.y + box.max.y) - 0.4891 * size;
    grid.origin[2] = 0.5 * ((double)box.min.z + box.max.z) - 0.5053 * size;
    return grid;
}

TestSigns test_signs(const AbutMesh* mesh, const AbutNodeGrid* grid, AbutSignMethod method,
                     const AbutHost* host)
{
    TestSigns signs = { .grid = *grid };
    signs.squared = malloc(abut_node_total(grid) * sizeof(float));
    signs.nearest = malloc(abut_node_total(grid) * sizeof(uint32_t));
    assert_true(signs.squared != NULL && signs.nearest != NULL);
    AbutTriangleGroups* groups = NULL;
    AbutSignClassifier* classifier = NULL;
    test_assert_result(abut_triangle_groups_create(mesh, host, &groups), ABUT_OK);
    test_assert_result(abut_distance_grid(groups, grid, host, signs.squared, signs.nearest), ABUT_OK);
    abut_triangle_groups_destroy(groups);
    test_assert_result(abut_sign_classifier_create(mesh, method, host, &classifier), ABUT_OK);
    AbutSignJob job = abut_sign_job(grid, signs.nearest, signs.squared);
    abut_sign_grid(classifier, &job, host, &signs.counts);
    signs.info = abut_sign_classifier_info(classifier);
    abut_sign_classifier_destroy(classifier);
    return signs;
}

void test_signs_free(TestSigns* signs)
{
    free(signs->squared);
    free(signs->nearest);
    *signs = (TestSigns){ 0 };
}

double test_node_distance(const TestSigns* signs, size_t node)
{
    return sqrt(fabs((double)signs->squared[node]));
}

void test_node_point(const AbutNodeGrid* grid, size_t node, double point[3])
{
    const uint32_t* n = grid->node_count;
    point[0] = abut_node_coordinate(grid, 0, (uint32_t)(node % n[0]));
    point[1] = abut_node_coordinate(grid, 1, (uint32_t)(node / n[0] % n[1]));
    point[2] = abut_node_coordinate(grid, 2, (uint32_t)(node / n[0] / n[1]));
}

// -----------------------------------------------------------------------------------------------------------
// Columns
// -----------------------------------------------------------------------------------------------------------

typedef struct Columns
{
    const AbutNodeGrid* grid;
    double shift[2];
    int* numbers; // while crossings are collected: by how much the number changes below a node
} Columns;

static double column_at(const Columns* columns, int axis, uint32_t i)
{
    return abut_node_coordinate(columns->grid, axis, i) + columns->shift[axis];
}

/// Twice the area of a, b, p seen along z. Computed the same way for both triangles of an edge, so that lines
/// find no crack.
static double orientation(AbutVec3 a, AbutVec3 b, const double p[2])
{
    bool swapped = a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
    AbutVec3 from = swapped ? b : a, to = swapped ? a : b;
    double area = ((double)to.x - from.x) * (p[1] - from.y) - ((double)to.y - from.y) * (p[0] - from.x);
    return swapped ? -area : area;
}

/// The first node whose line is at `x` or beyond.
static uint32_t first_column(const Columns* columns, int axis, double x)
{
    double at =
        floor((x - columns->grid->origin[axis] - columns->shift[axis]) / columns->grid->cell_size) - 1.0;
    uint32_t count = columns->grid->node_count[axis];
    uint32_t i = at > 0.0 ? (at < count ? (uint32_t)at : count) : 0;
    while (i < count && column_at(columns, axis, i) < x)
    {
        i += 1;
    }
    return i;
}

static void cross_column(Columns* columns, const AbutVec3 corners[3], uint32_t x, uint32_t y)
{
    const AbutNodeGrid* grid = columns->grid;
    const double p[2] = { column_at(columns, 0, x), column_at(columns, 1, y) };
    double a = orientation(corners[1], corners[2], p), b = orientation(corners[2], corners[0], p),
           c = orientation(corners[0], corners[1], p);
    bool up = a > 0.0 && b > 0.0 && c > 0.0, down = a < 0.0 && b < 0.0 && c < 0.0;
    if (!up && !down)
    {
        return;
    }
    double z = (a * corners[0].z + b * corners[1].z + c * corners[2].z) / (a + b + c);
    uint32_t k = 0;
    double at = floor((z - grid->origin[2]) / grid->cell_size) + 2.0;
    k = at > 0.0 ? (at < grid->node_count[2] ? (uint32_t)at : grid->node_count[2]) : 0;
    while (k > 0 && abut_node_coordinate(grid, 2, k - 1) >= z)
    {
        k -= 1;
    }
    if (k > 0) // nodes under k have the face above them
    {
        columns->numbers[abut_node_index(grid, x, y, k - 1)] += up ? 1 : -1;
    }
}

static void cross_triangle(Columns* columns, const AbutVec3 corners[3])
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int k = 0; k < 3; ++k)
    {
        low[0] = fmin(low[0], corners[k].x);
        high[0] = fmax(high[0], corners[k].x);
        low[1] = fmin(low[1], corners[k].y);
        high[1] = fmax(high[1], corners[k].y);
    }
    for (uint32_t y = first_column(columns, 1, low[1]);
         y < columns->grid->node_count[1] && column_at(columns, 1, y) <= high[1]; ++y)
    {
        for (uint32_t x = first_column(columns, 0, low[0]);
             x < columns->grid->node_count[0] && column_at(columns, 0, x) <= high[0]; ++x)
        {
            cross_column(columns, corners, x, y);
        }
    }
}

int* test_column_windings(const AbutMesh* mesh, const AbutNodeGrid* grid)
{
    double size = mesh_extent(mesh);
    Columns columns = { grid,
                        { 0.6180e-7 * size, 0.4142e-7 * size },
                        calloc(abut_node_total(grid), sizeof(int)) };
    assert_non_null(columns.numbers);
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        const uint32_t* index = abut_mesh_indices(mesh) + 3 * (size_t)t;
        const AbutVec3* v = abut_mesh_vertices(mesh);
        cross_triangle(&columns, (const AbutVec3[3]){ v[index[0]], v[index[1]], v[index[2]] });
    }
    size_t layer = (size_t)grid->node_count[0] * grid->node_count[1];
    for (size_t i = layer * (grid->node_count[2] - 1); i-- > 0;)
    {
        columns.numbers[i] += columns.numbers[i + layer];
    }
    return columns.numbers;
}

// -----------------------------------------------------------------------------------------------------------
// Solid angles
// -----------------------------------------------------------------------------------------------------------

static double solid_angle(double c[3][3])
{
    double l[3], d[3];
    for (int k = 0; k < 3; ++k)
    {
        int n = (k + 1) % 3;
        l[k] = sqrt(c[k][0] * c[k][0] + c[k][1] * c[k][1] + c[k][2] * c[k][2]);
        d[k] = c[k][0] * c[n][0] + c[k][1] * c[n][1] + c[k][2] * c[n][2];
    }
    double volume = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) +
                    c[0][1] * (c[1][2] * c[2][0] - c[1][0] * c[2][2]) +
                    c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
    return 2.0 * atan2(volume, l[0] * l[1] * l[2] + d[0] * l[2] + d[1] * l[0] + d[2] * l[1]);
}

double test_winding(const AbutMesh* mesh, const double point[3])
{
    double sum = 0.0;
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        double c[3][3];
        for (int k = 0; k < 3; ++k)
        {
            AbutVec3 v = abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[3 * (size_t)t + (size_t)k]];
            c[k][0] = v.x - point[0];
            c[k][1] = v.y - point[1];
            c[k][2] = v.z - point[2];
        }
        sum += solid_angle(c);
    }
    return sum / (4.0 * 3.14159265358979323846);
}

// -----------------------------------------------------------------------------------------------------------
// Comparison
// -----------------------------------------------------------------------------------------------------------

size_t test_check_signs(const AbutMesh* mesh, const TestSigns* signs, int sign, const char* what)
{
    int* numbers = test_column_windings(mesh, &signs->grid);
    double least = 1e-6 * mesh_extent(mesh);
    size_t compared = 0;
    for (size_t i = 0; i < abut_node_total(&signs->grid); ++i)
    {
        if (test_node_distance(signs, i) > least)
        {
            bool inside = sign * numbers[i] >= 1;
            compared += 1;
            if (test_sign_is_inside(signs, i) != inside)
            {
                double p[3];
                test_node_point(&signs->grid, i, p);
                fail_msg("%s: node %zu (%g %g %g), %g from the surface, is %s; columns count %d", what, i,
                         p[0], p[1], p[2], test_node_distance(signs, i), inside ? "outside" : "inside",
                         numbers[i]);
            }
        }
    }
    free(numbers);
    return compared;
}
