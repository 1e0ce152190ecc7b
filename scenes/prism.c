#include "scenes/prism.h"

#include <stdlib.h>

typedef struct Edge
{
    double x0, z0, x1, z1;
} Edge;

struct ScenePrism
{
    Edge* edges; // of the outline, in no order
    size_t edge_count;
    double half;
    AbutBox bounds;
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

AbutResult scene_prism_create(const AbutMesh* mesh, ScenePrism** out)
{
    ScenePrism* prism = calloc(1, sizeof(ScenePrism));
    size_t count = abut_mesh_triangle_count(mesh);
    Edge* edges = malloc((count + 1) * sizeof(Edge));
    if (prism == NULL || edges == NULL)
    {
        free(prism);
        free(edges);
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for an outline");
    }
    prism->edges = edges;
    prism->bounds = abut_mesh_bounds(mesh);
    prism->half = (double)prism->bounds.max.y;
    for (size_t i = 0; i < count; ++i)
    {
        prism->edge_count += top_edge(mesh, i, &edges[prism->edge_count]) ? 1 : 0;
    }
    *out = prism;
    return ABUT_OK;
}

void scene_prism_destroy(ScenePrism* prism)
{
    if (prism != NULL)
    {
        free(prism->edges);
        free(prism);
    }
}

/// Distance to the outline, negative inside: the nearest edge, and how often a ray along x crosses.
static double outline_distance(const ScenePrism* prism, double x, double z)
{
    double least = INFINITY;
    bool inside = false;
    for (size_t i = 0; i < prism->edge_count; ++i)
    {
        const Edge* e = &prism->edges[i];
        double dx = e->x1 - e->x0, dz = e->z1 - e->z0, px = x - e->x0, pz = z - e->z0;
        double t = (px * dx + pz * dz) / (dx * dx + dz * dz);
        t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
        double ax = px - t * dx, az = pz - t * dz, squared = ax * ax + az * az;
        least = squared < least ? squared : least;
        if ((e->z0 > z) != (e->z1 > z) && px < dx * pz / dz)
        {
            inside = !inside;
        }
    }
    return inside ? -sqrt(least) : sqrt(least);
}

static void sample(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    const ScenePrism* prism = user;
    for (size_t i = 0; i < count; ++i)
    {
        double across = outline_distance(prism, (double)points.x[i], (double)points.z[i]);
        double along = fabs((double)points.y[i]) - prism->half;
        double a = fmax(across, 0.0), b = fmax(along, 0.0);
        out.distance[i] = (float)(sqrt(a * a + b * b) + fmin(fmax(across, along), 0.0));
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
    def.gradient_step = 1e-4f;
    return abut_shape_create_callback(&def, out);
}
