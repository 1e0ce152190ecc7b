// A closed mesh as a solid.
#include "decompose/solid.h"

#include "base/memory.h"
#include "mesh/corners.h"
#include "mesh/triangle/triangle.h"
#include "mesh/vertex_keys.h"

#include <string.h>

static AbutBox triangle_box(void* context, uint32_t triangle)
{
    const AbutMesh* mesh = context;
    AbutTriangle corners = abut_triangle_of(mesh->vertices, mesh->indices + 3 * (size_t)triangle);
    return abut_triangle_box(&corners);
}

static AbutResult check_closed(const AbutHalfEdges* half_edges)
{
    if (half_edges->border_count > 0)
    {
        const AbutBorderEdge* edge = &half_edges->border[0];
        return abut_fail(ABUT_INVALID_DATA,
                         "decompose: the mesh is open: %u edges have no neighbour (the first one at triangle "
                         "%u); a solid is needed: close the holes (abut_mesh_close()) or bake a field",
                         half_edges->border_count, edge->triangle);
    }
    if (!half_edges->closed)
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "decompose: the mesh has edges with more than two triangles, so that its solid has "
                         "no single surface; separate the solids that share an edge");
    }
    return ABUT_OK;
}

static AbutResult fill(AbutSolid* self)
{
    AbutMesh* mesh = self->half_edges.mesh;
    AbutResult result = check_closed(&self->half_edges);
    if (result != ABUT_OK)
    {
        return result;
    }
    self->volume = abut_mesh_mass(mesh).volume;
    if (!(self->volume > 0.0))
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "decompose: the mesh encloses a volume of %g: its faces look inward "
                         "or it is flat; reverse the order of their corners",
                         self->volume);
    }
    AbutDVec3 size =
        abut_dvec3_sub(abut_dvec3_from_vec3(mesh->bounds.max), abut_dvec3_from_vec3(mesh->bounds.min));
    self->diagonal = abut_dvec3_length(size);
    result = abut_pseudo_normals_create(&self->host, &self->half_edges, &self->normals);
    return result == ABUT_OK
               ? abut_box_tree_create(&self->host, mesh->triangle_count, triangle_box, mesh, &self->tree)
               : result;
}

AbutResult abut_solid_create(const AbutHost* host, const AbutMesh* mesh, AbutSolid* out)
{
    memset(out, 0, sizeof(*out));
    if (mesh->triangle_count == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "decompose: the mesh has no triangles");
    }
    if (mesh->triangle_count > ABUT_VERTEX_KEYS_MAX_TRIANGLES)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "decompose: the mesh has %u triangles, more than %u",
                         mesh->triangle_count, (unsigned)ABUT_VERTEX_KEYS_MAX_TRIANGLES);
    }
    AbutSolid solid = { .host = *host };
    AbutResult result = abut_half_edges_create(host, mesh, &solid.half_edges);
    if (result == ABUT_OK)
    {
        result = fill(&solid);
    }
    if (result != ABUT_OK)
    {
        abut_solid_destroy(&solid);
        return result;
    }
    *out = solid;
    out->normals.half_edges = &out->half_edges;
    return ABUT_OK;
}

void abut_solid_destroy(AbutSolid* solid)
{
    abut_box_tree_destroy(&solid->host, &solid->tree);
    abut_pseudo_normals_destroy(&solid->host, &solid->normals);
    abut_half_edges_destroy(&solid->host, &solid->half_edges);
    memset(solid, 0, sizeof(*solid));
}

// -----------------------------------------------------------------------------------------------------------
// Distance
// -----------------------------------------------------------------------------------------------------------

typedef struct Closest
{
    AbutClosestPoint point;
    uint32_t triangle;
} Closest;

static void visit_leaf(const AbutSolid* solid, const AbutBoxNode* node, AbutDVec3 point, Closest* closest)
{
    for (uint32_t slot = node[0].first; slot < node[1].first; ++slot)
    {
        AbutDVec3 corners[3];
        abut_mesh_corners(solid->half_edges.mesh, solid->tree.items[slot], corners);
        AbutClosestPoint at = abut_triangle_closest_feature(corners, point);
        if (at.squared < closest->point.squared)
        {
            *closest = (Closest){ at, solid->tree.items[slot] };
        }
    }
}

enum
{
    STACK_CAPACITY = 128 // over twice the depth of the tree of 2³² triangles
};

static Closest find_closest(const AbutSolid* solid, AbutDVec3 point)
{
    const AbutBoxNode* nodes = solid->tree.nodes;
    Closest closest = { .point = { .squared = INFINITY } };
    uint32_t stack[STACK_CAPACITY] = { 0 };
    for (uint32_t count = 1; count > 0;)
    {
        uint32_t i = stack[--count];
        if (abut_box_node_squared_distance(&nodes[i], point) >= closest.point.squared)
        {
            continue;
        }
        if (nodes[i].size == 1 || count + 2 > STACK_CAPACITY)
        {
            uint32_t end = i + nodes[i].size;
            for (; i < end; ++i)
            {
                if (nodes[i].size == 1)
                {
                    visit_leaf(solid, &nodes[i], point, &closest);
                }
            }
            continue;
        }
        uint32_t first = i + 1, second = i + 1 + nodes[i + 1].size;
        bool first_is_closer = abut_box_node_squared_distance(&nodes[first], point) <
                               abut_box_node_squared_distance(&nodes[second], point);
        stack[count++] = first_is_closer ? second : first;
        stack[count++] = first_is_closer ? first : second;
    }
    return closest;
}

double abut_solid_triangle_distance(const AbutSolid* solid, uint32_t triangle, AbutDVec3 point)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(solid->half_edges.mesh, triangle, corners);
    return sqrt(abut_triangle_closest_feature(corners, point).squared);
}

double abut_solid_distance(const AbutSolid* solid, AbutDVec3 point)
{
    uint32_t triangle;
    return abut_solid_closest(solid, point, &triangle);
}

double abut_solid_closest(const AbutSolid* solid, AbutDVec3 point, uint32_t* triangle)
{
    Closest closest = find_closest(solid, point);
    *triangle = closest.triangle;
    AbutDVec3 normal = abut_pseudo_normal(&solid->normals, closest.triangle, closest.point.feature);
    double side = abut_dvec3_dot(normal, abut_dvec3_sub(point, closest.point.at));
    double distance = sqrt(closest.point.squared);
    return side < 0.0 ? -distance : distance;
}
