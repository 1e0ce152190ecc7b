// Sphere and box: a cube with a grid of quads on each side. Vertices are numbered by y, then z, then x,
// passing over the inside of the cube, so that the number of a grid point is a formula and sides share their
// rims without a search.
#include "generator.h"

#include "fp_env.h"

enum
{
    MAX_DIVISIONS = 4096
};

/// Where grid point i of each axis lies.
typedef struct CubeGrid
{
    const double* at[3];
    uint32_t divisions;
    double radius; // points are pushed to this distance from the origin; 0 leaves them
} CubeGrid;

static uint32_t vertex_number(uint32_t x, uint32_t y, uint32_t z, uint32_t d)
{
    uint32_t side = (d + 1) * (d + 1);
    if (y == 0 || y == d)
    {
        return (y == 0 ? 0 : side + (d - 1) * 4 * d) + z * (d + 1) + x;
    }
    uint32_t layer = side + (y - 1) * 4 * d;
    if (z == 0)
    {
        return layer + x;
    }
    return z == d ? layer + 3 * d - 1 + x : layer + d + 1 + 2 * (z - 1) + (x == d ? 1 : 0);
}

static void add_vertices(AbutMeshBuilder* builder, const CubeGrid* grid)
{
    uint32_t d = grid->divisions;
    for (uint32_t y = 0; y <= d; ++y)
    {
        for (uint32_t z = 0; z <= d; ++z)
        {
            uint32_t step = y == 0 || y == d || z == 0 || z == d ? 1 : d;
            for (uint32_t x = 0; x <= d; x += step)
            {
                double px = grid->at[0][x], py = grid->at[1][y], pz = grid->at[2][z];
                double length = sqrt(px * px + py * py + pz * pz);
                double scale = grid->radius > 0.0 ? grid->radius / length : 1.0;
                abut_builder_vertex(builder, px * scale, py * scale, pz * scale);
            }
        }
    }
}

/// One side: `axis` is the one it looks along, i and j run along the two that follow it.
static void add_quad(AbutMeshBuilder* builder, uint32_t d, uint32_t axis, bool far_side, uint32_t i,
                     uint32_t j)
{
    uint32_t corners[4]; // counter-clockwise seen against the axis
    for (uint32_t k = 0; k < 4; ++k)
    {
        uint32_t p[3];
        p[axis] = far_side ? d : 0;
        p[(axis + 1) % 3] = i + (k == 1 || k == 2 ? 1 : 0);
        p[(axis + 2) % 3] = j + (k >= 2 ? 1 : 0);
        corners[k] = vertex_number(p[0], p[1], p[2], d);
    }
    // On a sphere the quads near the corners of the cube are rhombs; their short diagonal points to the
    // side's middle.
    bool first_diagonal = (2 * i + 1 > d) == (2 * j + 1 > d);
    uint32_t a = first_diagonal ? 0 : 1;
    uint32_t next = far_side ? 1 : 3;
    abut_builder_quad(builder, corners[a], corners[(a + next) % 4], corners[(a + 2) % 4],
                      corners[(a + 4 - next) % 4]);
}

static AbutResult create(const char* name, const CubeGrid* grid, const AbutHost* host, AbutMesh** out)
{
    uint64_t d = grid->divisions;
    AbutMeshBuilder builder;
    AbutResult result = abut_builder_begin(&builder, name, "divisions", 6 * d * d + 2, 12 * d * d, host);
    if (result != ABUT_OK)
    {
        return result;
    }
    add_vertices(&builder, grid);
    for (uint32_t side = 0; side < 6; ++side)
    {
        for (uint32_t j = 0; j < d; ++j)
        {
            for (uint32_t i = 0; i < d; ++i)
            {
                add_quad(&builder, grid->divisions, side / 2, side % 2 == 1, i, j);
            }
        }
    }
    return abut_builder_finish(&builder, out);
}

AbutResult abut_mesh_create_sphere(float radius, uint32_t divisions, const AbutHost* host, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_sphere, radius, divisions, host, out);
    *out = NULL;
    const AbutArgument arguments[] = {
        { "radius", radius, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "divisions", divisions, 1, MAX_DIVISIONS, false },
    };
    AbutResult result = ABUT_GENERATE_CHECK("sphere", arguments);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(host);
    double* at = abut_model_arena_allocate(&arena, divisions + 1, sizeof(double));
    for (uint32_t i = 0; at != NULL && i <= divisions; ++i)
    {
        // Equal angles seen from the centre: the quads differ in area by less than half instead of fivefold.
        at[i] = tan(0.25 * ABUT_PI * (2.0 * i - divisions) / divisions);
    }
    CubeGrid grid = { { at, at, at }, divisions, radius };
    result = at == NULL ? ABUT_OUT_OF_MEMORY : create("sphere", &grid, host, out);
    abut_model_arena_clear(&arena);
    return result;
}

AbutResult abut_mesh_create_box(AbutVec3 extents, uint32_t divisions, const AbutHost* host, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_create_box, extents, divisions, host, out);
    *out = NULL;
    const AbutArgument arguments[] = {
        { "extents.x", extents.x, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "extents.y", extents.y, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "extents.z", extents.z, ABUT_LENGTH_MIN, ABUT_LENGTH_MAX, false },
        { "divisions", divisions, 1, MAX_DIVISIONS, false },
    };
    AbutResult result = ABUT_GENERATE_CHECK("box", arguments);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutModelArena arena = abut_model_arena_make(host);
    size_t count = (size_t)divisions + 1;
    double* at = abut_model_arena_allocate(&arena, 3 * count, sizeof(double));
    if (at == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; ++i)
    {
        double from_middle = (double)i / divisions - 0.5;
        at[i] = (double)extents.x * from_middle;
        at[count + i] = (double)extents.y * from_middle;
        at[2 * count + i] = (double)extents.z * from_middle;
    }
    CubeGrid grid = { { at, at + count, at + 2 * count }, divisions, 0.0 };
    result = create("box", &grid, host, out);
    abut_model_arena_clear(&arena);
    return result;
}
