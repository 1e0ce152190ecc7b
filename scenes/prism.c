#include "scenes/prism.h"

#include <stdlib.h>

enum
{
    GRID = 128 // cells along a side
};

typedef struct Edge
{
    double x0, z0, x1, z1;
} Edge;

/// The edges that can be nearest to a point of a cell: candidates[first .. first + count). Where the outline
/// does not come into the cell, all of it is on one side.
typedef struct Cell
{
    uint32_t first, count;
    int side; // 1: outside, −1: inside, 0: the outline is here
} Cell;

struct ScenePrism
{
    Edge* edges; // of the outline, in no order
    size_t edge_count;
    double half;
    AbutBox bounds;
    double low[2], cell_size; // of the grid
    Cell cells[GRID][GRID];
    uint32_t* candidates;
    size_t candidate_count, candidate_capacity;
};

/// The edge of a wall's triangle at the top; false for the walls' other triangles and those of the ends.
static bool top_edge(const AbutMesh* mesh, size_t triangle, Edge* out)
{
    const uint32_t* corners = &abut_mesh_indices(mesh)[3 * triangle];
    AbutVec3 top[3];
    int count = 0;
    for (int k = 0; k < 3; ++k)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[corners[k]];
        if (v.y > 0.0f)
        {
            top[count++] = v;
        }
    }
    if (count == 2)
    {
        *out = (Edge){ (double)top[0].x, (double)top[0].z, (double)top[1].x, (double)top[1].z };
    }
    return count == 2;
}

// -----------------------------------------------------------------------------------------------------------
// The outline
// -----------------------------------------------------------------------------------------------------------

/// From the nearest point of an edge to the point.
static void edge_offset(const Edge* e, double x, double z, double out[2])
{
    double dx = e->x1 - e->x0, dz = e->z1 - e->z0, px = x - e->x0, pz = z - e->z0;
    double t = (px * dx + pz * dz) / (dx * dx + dz * dz);
    t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    out[0] = px - t * dx;
    out[1] = pz - t * dz;
}

static double edge_squared(const Edge* e, double x, double z)
{
    double offset[2];
    edge_offset(e, x, z, offset);
    return offset[0] * offset[0] + offset[1] * offset[1];
}

/// How often a ray along x crosses the outline decides.
static bool is_inside(const ScenePrism* prism, double x, double z)
{
    bool inside = false;
    for (size_t i = 0; i < prism->edge_count; ++i)
    {
        const Edge* e = &prism->edges[i];
        if ((e->z0 > z) != (e->z1 > z) && x - e->x0 < (e->x1 - e->x0) * (z - e->z0) / (e->z1 - e->z0))
        {
            inside = !inside;
        }
    }
    return inside;
}

static const Cell* find_cell(const ScenePrism* prism, double x, double z)
{
    double i = (x - prism->low[0]) / prism->cell_size, k = (z - prism->low[1]) / prism->cell_size;
    return i >= 0.0 && i < GRID && k >= 0.0 && k < GRID ? &prism->cells[(int)k][(int)i] : NULL;
}

/// Distance to the outline, negative inside, and its gradient.
static double outline_distance(const ScenePrism* prism, double x, double z, double gradient[2])
{
    const Cell* cell = find_cell(prism, x, z);
    size_t count = cell != NULL ? cell->count : prism->edge_count, nearest = 0;
    double least = INFINITY;
    for (size_t i = 0; i < count; ++i)
    {
        size_t number = cell != NULL ? prism->candidates[cell->first + i] : i;
        double squared = edge_squared(&prism->edges[number], x, z);
        nearest = squared < least ? number : nearest;
        least = fmin(least, squared);
    }
    bool known = cell != NULL && cell->side != 0;
    bool inside = known ? cell->side < 0 : is_inside(prism, x, z);
    double distance = inside ? -sqrt(least) : sqrt(least);
    edge_offset(&prism->edges[nearest], x, z, gradient);
    gradient[0] = distance != 0.0 ? gradient[0] / distance : 1.0;
    gradient[1] = distance != 0.0 ? gradient[1] / distance : 0.0;
    return distance;
}

static bool add_candidate(ScenePrism* prism, uint32_t edge)
{
    if (prism->candidate_count == prism->candidate_capacity)
    {
        size_t capacity = 2 * prism->candidate_capacity + 1024;
        uint32_t* grown = realloc(prism->candidates, capacity * sizeof(uint32_t));
        if (grown == NULL)
        {
            return false;
        }
        prism->candidates = grown;
        prism->candidate_capacity = capacity;
    }
    prism->candidates[prism->candidate_count++] = edge;
    return true;
}

/// From the middle of a cell to its corner is `half_diagonal`: an edge further than the nearest one by twice
/// that is nearest nowhere.
static bool fill_cell(ScenePrism* prism, Cell* cell, double x, double z, double half_diagonal)
{
    double least = INFINITY;
    for (size_t i = 0; i < prism->edge_count; ++i)
    {
        least = fmin(least, edge_squared(&prism->edges[i], x, z));
    }
    double limit = sqrt(least) + 2.0 * half_diagonal;
    cell->first = (uint32_t)prism->candidate_count;
    cell->side = sqrt(least) > half_diagonal ? (is_inside(prism, x, z) ? -1 : 1) : 0;
    for (uint32_t i = 0; i < prism->edge_count; ++i)
    {
        if (edge_squared(&prism->edges[i], x, z) <= limit * limit && !add_candidate(prism, i))
        {
            return false;
        }
    }
    cell->count = (uint32_t)prism->candidate_count - cell->first;
    return true;
}

/// The grid is half as wide again as the outline.
static bool fill_cells(ScenePrism* prism)
{
    AbutVec3 size = abut_box_extents(prism->bounds);
    double longest = (double)fmaxf(size.x, size.z);
    prism->low[0] = (double)prism->bounds.min.x - 0.25 * longest;
    prism->low[1] = (double)prism->bounds.min.z - 0.25 * longest;
    prism->cell_size = 1.5 * longest / GRID;
    bool ok = true;
    for (int i = 0; i < GRID * GRID && ok; ++i)
    {
        double x = prism->low[0] + (i % GRID + 0.5) * prism->cell_size;
        double z = prism->low[1] + (i / GRID + 0.5) * prism->cell_size;
        ok = fill_cell(prism, &prism->cells[i / GRID][i % GRID], x, z, 0.7072 * prism->cell_size);
    }
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// The prism
// -----------------------------------------------------------------------------------------------------------

AbutResult scene_prism_create(const AbutMesh* mesh, ScenePrism** out)
{
    ScenePrism* prism = calloc(1, sizeof(ScenePrism));
    size_t count = abut_mesh_triangle_count(mesh);
    *out = NULL;
    if (prism != NULL)
    {
        prism->edges = malloc((count + 1) * sizeof(Edge));
        prism->bounds = abut_mesh_bounds(mesh);
        prism->half = (double)prism->bounds.max.y;
    }
    for (size_t i = 0; i < count && prism != NULL && prism->edges != NULL; ++i)
    {
        prism->edge_count += top_edge(mesh, i, &prism->edges[prism->edge_count]) ? 1 : 0;
    }
    if (prism == NULL || prism->edges == NULL || !fill_cells(prism))
    {
        scene_prism_destroy(prism);
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for an outline");
    }
    *out = prism;
    return ABUT_OK;
}

void scene_prism_destroy(ScenePrism* prism)
{
    if (prism != NULL)
    {
        free(prism->candidates);
        free(prism->edges);
        free(prism);
    }
}

/// Distance of one point and its gradient.
static double prism_distance(const ScenePrism* prism, const double p[3], double gradient[3])
{
    double level[2], across = outline_distance(prism, p[0], p[2], level), along = fabs(p[1]) - prism->half;
    double a = fmax(across, 0.0), b = fmax(along, 0.0), outside = sqrt(a * a + b * b);
    bool is_outside = outside > 0.0;
    double share_across = is_outside ? a / outside : (across >= along ? 1.0 : 0.0);
    double share_along = is_outside ? b / outside : (across >= along ? 0.0 : 1.0);
    gradient[0] = share_across * level[0];
    gradient[1] = share_along * (p[1] < 0.0 ? -1.0 : 1.0);
    gradient[2] = share_across * level[1];
    return outside + fmin(fmax(across, along), 0.0);
}

static void sample(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    for (size_t i = 0; i < count; ++i)
    {
        const double p[3] = { (double)points.x[i], (double)points.y[i], (double)points.z[i] };
        double gradient[3];
        out.distance[i] = (float)prism_distance(user, p, gradient);
        if (out.gradient_x != NULL)
        {
            out.gradient_x[i] = (float)gradient[0];
            out.gradient_y[i] = (float)gradient[1];
            out.gradient_z[i] = (float)gradient[2];
        }
    }
}

AbutResult scene_prism_shape(ScenePrism* prism, AbutShape** out)
{
    AbutCallbackDef def = abut_callback_def();
    def.function = sample;
    def.user = prism;
    def.lipschitz = 1.0f;
    def.bounds = prism->bounds;
    def.distance_kind = ABUT_DISTANCE_EXACT;
    def.has_gradient = true;
    return abut_shape_create_callback(&def, out);
}
