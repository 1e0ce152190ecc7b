// Terrain: value noise from integers and polynomials alone, so that it is the same on every machine.
#include "generator.h"

#include "fp_env.h"

enum
{
    MAX_DIVISIONS = 16384,
    FIRST_LATTICE = 4, // cells per side of the coarsest octave
    OCTAVES = 6
};

AbutTerrainDef abut_terrain_def(void)
{
    AbutTerrainDef def = { .size = 10.0f, .height = 1.0f, .depth = 1.0f, .divisions = 64, .seed = 1 };
    return def;
}

static AbutResult check(const AbutTerrainDef* def)
{
    const AbutArgument arguments[] = {
        { "size", def->size, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "height", def->height, 0, ABUT_LENGTH_MAX, false },
        { "depth", def->depth, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "divisions", def->divisions, 1, MAX_DIVISIONS, false },
    };
    return ABUT_GENERATE_CHECK("terrain", arguments);
}

/// The finaliser of splitmix64.
static uint64_t scramble(uint64_t h)
{
    h += UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ (h >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ (h >> 27)) * UINT64_C(0x94D049BB133111EB);
    return h ^ (h >> 31);
}

/// A number in [−1, 1] that belongs to a lattice point of an octave.
static double lattice_value(uint32_t x, uint32_t z, uint32_t octave, uint32_t seed)
{
    uint64_t h = scramble(scramble((uint64_t)octave << 32 | seed) ^ ((uint64_t)z << 32 | x));
    return (double)(h >> 11) * 0x1p-52 - 1.0;
}

/// 0 to 1 with slope and curvature zero at both ends, so that hills have no creases at lattice lines.
static double fade(double t)
{
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

/// Value noise at (u, v) in [0, 1]² on a lattice of `cells` per side.
static double octave_value(double u, double v, uint32_t cells, uint32_t octave, uint32_t seed)
{
    double x = u * cells;
    double z = v * cells;
    uint32_t x0 = (uint32_t)x;
    uint32_t z0 = (uint32_t)z;
    double s = fade(x - x0);
    double t = fade(z - z0);
    double a = lattice_value(x0, z0, octave, seed);
    double b = lattice_value(x0 + 1, z0, octave, seed);
    double c = lattice_value(x0, z0 + 1, octave, seed);
    double d = lattice_value(x0 + 1, z0 + 1, octave, seed);
    double near_side = a + s * (b - a);
    double far_side = c + s * (d - c);
    return near_side + t * (far_side - near_side);
}

static float height_at(const AbutTerrainDef* def, uint32_t x, uint32_t z)
{
    double u = (double)x / def->divisions;
    double v = (double)z / def->divisions;
    double sum = 0.0;
    double amplitude_sum = 0.0;
    double amplitude = 1.0;
    for (uint32_t octave = 0; octave < OCTAVES; ++octave)
    {
        sum += amplitude * octave_value(u, v, (uint32_t)FIRST_LATTICE << octave, octave, def->seed);
        amplitude_sum += amplitude;
        amplitude *= 0.5;
    }
    return (float)(0.5 * def->height * (sum / amplitude_sum)) + 0.0f;
}

AbutResult abut_terrain_heights(const AbutTerrainDef* def, float* heights)
{
    ABUT_FP_CALL(abut_terrain_heights, def, heights);
    AbutResult result = check(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (heights == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "terrain: heights is NULL");
    }
    size_t row = (size_t)def->divisions + 1;
    for (size_t i = 0; i < row * row; ++i)
    {
        heights[i] = height_at(def, (uint32_t)(i % row), (uint32_t)(i / row));
    }
    return ABUT_OK;
}

static double coordinate(const AbutTerrainDef* def, uint32_t i)
{
    return def->size * ((double)i / def->divisions - 0.5);
}

/// The i-th of the 4 · divisions cells' corners on the rim, counter-clockwise seen from above, from (0,
/// divisions).
static void rim_point(uint32_t d, uint32_t i, uint32_t* x, uint32_t* z)
{
    uint32_t along = i % d;
    switch (i / d)
    {
    case 0: // the near side, towards x
        *x = along;
        *z = d;
        break;
    case 1:
        *x = d;
        *z = d - along;
        break;
    case 2:
        *x = d - along;
        *z = 0;
        break;
    default:
        *x = 0;
        *z = along;
        break;
    }
}

static void add_top(AbutMeshBuilder* builder, const AbutTerrainDef* def)
{
    uint32_t d = def->divisions;
    for (uint32_t z = 0; z <= d; ++z)
    {
        for (uint32_t x = 0; x <= d; ++x)
        {
            abut_builder_vertex(builder, coordinate(def, x), height_at(def, x, z), coordinate(def, z));
        }
    }
    for (uint32_t z = 0; z < d; ++z)
    {
        for (uint32_t x = 0; x < d; ++x)
        {
            uint32_t corner = z * (d + 1) + x;
            abut_builder_quad(builder, corner, corner + d + 1, corner + d + 2, corner + 1);
        }
    }
}

static void add_walls_and_floor(AbutMeshBuilder* builder, const AbutTerrainDef* def)
{
    uint32_t d = def->divisions;
    double floor_height = -0.5 * def->height - def->depth;
    uint32_t rim = builder->vertex_count;
    for (uint32_t i = 0; i < 4 * d; ++i)
    {
        uint32_t x, z;
        rim_point(d, i, &x, &z);
        abut_builder_vertex(builder, coordinate(def, x), floor_height, coordinate(def, z));
    }
    for (uint32_t i = 0; i < 4 * d; ++i)
    {
        uint32_t x[2], z[2];
        rim_point(d, i, &x[0], &z[0]);
        rim_point(d, (i + 1) % (4 * d), &x[1], &z[1]);
        abut_builder_quad(builder, rim + i, rim + (i + 1) % (4 * d), z[1] * (d + 1) + x[1],
                          z[0] * (d + 1) + x[0]);
    }
    abut_builder_fan(builder, abut_builder_vertex(builder, 0.0, floor_height, 0.0), rim, 4 * d, true);
}

AbutResult abut_mesh_create_terrain(const AbutTerrainDef* def, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_terrain, def, out);
    *out = NULL;
    AbutResult result = check(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint64_t d = def->divisions;
    AbutMeshBuilder builder;
    result = abut_builder_begin(&builder, "terrain", "divisions", (d + 1) * (d + 1) + 4 * d + 1,
                                2 * d * d + 12 * d, def->host);
    if (result != ABUT_OK)
    {
        return result;
    }
    add_top(&builder, def);
    add_walls_and_floor(&builder, def);
    return abut_builder_finish(&builder, out);
}
