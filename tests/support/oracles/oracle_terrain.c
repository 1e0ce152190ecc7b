#include "support/oracles/oracle_terrain.h"

#include <math.h>
#include <stdlib.h>

OracleTerrain oracle_terrain_make(uint32_t x_count, uint32_t z_count, double spacing, OracleHeightFn* height,
                                  uint64_t seed)
{
    OracleTerrain terrain = { malloc((size_t)x_count * z_count * sizeof(float)), x_count, z_count, spacing };
    assert_non_null(terrain.heights);
    TestRandom random = { seed };
    for (uint32_t z = 0; z < z_count; ++z)
    {
        for (uint32_t x = 0; x < x_count; ++x)
        {
            terrain.heights[(size_t)z * x_count + x] = (float)height(&random, x, z);
        }
    }
    return terrain;
}

void oracle_terrain_free(OracleTerrain* terrain)
{
    free(terrain->heights);
}

AbutShape* oracle_terrain_shape(const OracleTerrain* terrain, AbutPosition origin, float band)
{
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = terrain->heights;
    def.x_count = terrain->x_count;
    def.z_count = terrain->z_count;
    def.spacing = terrain->spacing;
    def.origin = origin;
    def.band = band;
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_heightfield(&def, &shape), ABUT_OK);
    return shape;
}

// -----------------------------------------------------------------------------------------------------------
// Distances
// -----------------------------------------------------------------------------------------------------------

typedef struct Vec
{
    double x, y, z;
} Vec;

static Vec sub(Vec a, Vec b)
{
    return (Vec){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static double dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec cross(Vec a, Vec b)
{
    return (Vec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static Vec corner(const OracleTerrain* t, uint32_t x, uint32_t z)
{
    return (Vec){ x * t->spacing, t->heights[(size_t)z * t->x_count + x], z * t->spacing };
}

static double segment_distance(Vec p, Vec a, Vec b)
{
    Vec ab = sub(b, a), ap = sub(p, a);
    double t = dot(ap, ab) / dot(ab, ab);
    t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    Vec r = { ap.x - t * ab.x, ap.y - t * ab.y, ap.z - t * ab.z };
    return sqrt(dot(r, r));
}

/// Over the plane where p projects into the triangle (signs of three volumes), else the nearest edge.
static double triangle_distance(Vec p, Vec a, Vec b, Vec c)
{
    Vec n = cross(sub(b, a), sub(c, a));
    double length = sqrt(dot(n, n));
    double u = dot(cross(sub(b, a), sub(p, a)), n), v = dot(cross(sub(c, b), sub(p, b)), n);
    double w = dot(cross(sub(a, c), sub(p, c)), n);
    if (u >= 0.0 && v >= 0.0 && w >= 0.0)
    {
        return fabs(dot(sub(p, a), n)) / length;
    }
    return fmin(segment_distance(p, a, b), fmin(segment_distance(p, b, c), segment_distance(p, c, a)));
}

/// What hangs below the edge ab: the triangle of a wall with its lower end far below p, in two triangles.
static double wall_distance(Vec p, Vec a, Vec b)
{
    double bottom = fmin(p.y, fmin(a.y, b.y)) - fabs(a.x - b.x) - fabs(a.z - b.z);
    Vec c = { b.x, bottom, b.z }, d = { a.x, bottom, a.z };
    return fmin(triangle_distance(p, a, b, c), triangle_distance(p, a, c, d));
}

double oracle_terrain_height(const OracleTerrain* t, double x, double z)
{
    double gx = x / t->spacing, gz = z / t->spacing;
    uint32_t i = (uint32_t)fmin(floor(gx), t->x_count - 2), k = (uint32_t)fmin(floor(gz), t->z_count - 2);
    double fx = gx - i, fz = gz - k;
    double h00 = corner(t, i, k).y, h10 = corner(t, i + 1, k).y, h01 = corner(t, i, k + 1).y;
    double h11 = corner(t, i + 1, k + 1).y;
    // Barycentric: the corner of the right angle is (x1, z0) under the diagonal and (x0, z1) over it.
    return fx >= fz ? (1.0 - fx) * h00 + (fx - fz) * h10 + fz * h11
                    : (1.0 - fz) * h00 + (fz - fx) * h01 + fx * h11;
}

static double nearest_wall(const OracleTerrain* t, Vec p)
{
    double best = INFINITY;
    uint32_t last_x = t->x_count - 1, last_z = t->z_count - 1;
    for (uint32_t i = 0; i < last_x; ++i)
    {
        best = fmin(best, wall_distance(p, corner(t, i, 0), corner(t, i + 1, 0)));
        best = fmin(best, wall_distance(p, corner(t, i, last_z), corner(t, i + 1, last_z)));
    }
    for (uint32_t k = 0; k < last_z; ++k)
    {
        best = fmin(best, wall_distance(p, corner(t, 0, k), corner(t, 0, k + 1)));
        best = fmin(best, wall_distance(p, corner(t, last_x, k), corner(t, last_x, k + 1)));
    }
    return best;
}

double oracle_terrain_distance(const OracleTerrain* t, const double point[3])
{
    Vec p = { point[0], point[1], point[2] };
    double best = nearest_wall(t, p);
    for (uint32_t k = 0; k + 1 < t->z_count; ++k)
    {
        for (uint32_t i = 0; i + 1 < t->x_count; ++i)
        {
            Vec a = corner(t, i, k), b = corner(t, i + 1, k), c = corner(t, i + 1, k + 1);
            Vec d = corner(t, i, k + 1);
            best = fmin(best, triangle_distance(p, a, b, c));
            best = fmin(best, triangle_distance(p, a, c, d));
        }
    }
    double width = (t->x_count - 1) * t->spacing, depth = (t->z_count - 1) * t->spacing;
    bool over = p.x >= 0.0 && p.x <= width && p.z >= 0.0 && p.z <= depth;
    return over && p.y < oracle_terrain_height(t, p.x, p.z) ? -best : best;
}
