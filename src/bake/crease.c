#include "bake/crease.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/corners.h"
#include "mesh/half_edges.h"

#include <math.h>

/// Error per kink as a fraction of a cell, by the order of the field: a lower bound of all measurements
/// (crease.h), and the usual value.
static const double MIN_COST[2] = { 0.15, 0.08 }, USUAL_COST[2] = { 0.25, 0.15 };

/// Fraction of the bricks at the surface that must have such edges for a measurement of at most 256 bricks to
/// meet some.
static const double MEASURED_FRACTION = 0.05;

/// The unit normal, or zero without area; returns the area.
static double find_normal(const AbutMesh* mesh, uint32_t triangle, AbutDVec3* normal)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(mesh, triangle, corners);
    AbutDVec3 across = abut_corners_normal(corners);
    *normal = abut_dvec3_normalize(across);
    return 0.5 * abut_dvec3_length(across);
}

/// Adds the edge from a corner to the next, which two triangles share.
static void add_edge(AbutCreases* self, const AbutMesh* mesh, uint32_t corner, uint32_t twin)
{
    AbutDVec3 normals[2];
    if (!(find_normal(mesh, corner / 3, &normals[0]) > 0.0) ||
        !(find_normal(mesh, twin / 3, &normals[1]) > 0.0))
    {
        return;
    }
    AbutDVec3 from = abut_mesh_dvertex(mesh, mesh->indices[corner]);
    AbutDVec3 to = abut_mesh_dvertex(mesh, mesh->indices[abut_next_corner(corner)]);
    int bucket = (int)(0.5 * ABUT_CREASE_BUCKETS * abut_dvec3_distance(normals[0], normals[1]));
    self->lengths[bucket < ABUT_CREASE_BUCKETS ? bucket : ABUT_CREASE_BUCKETS - 1] +=
        abut_dvec3_distance(to, from);
}

static void fill(AbutCreases* self, const AbutHalfEdges* half_edges)
{
    const AbutMesh* mesh = half_edges->mesh;
    for (uint32_t corner = 0; corner < 3 * mesh->triangle_count; ++corner)
    {
        AbutDVec3 normal;
        uint32_t twin = half_edges->twins[corner];
        self->area += corner % 3 == 0 ? find_normal(mesh, corner / 3, &normal) : 0.0;
        if (twin != ABUT_NO_TWIN && corner < twin)
        {
            add_edge(self, mesh, corner, twin);
        }
    }
}

AbutResult abut_creases_find(const AbutBakeDef* def, const AbutMesh* mesh, AbutCreases* out)
{
    *out = (AbutCreases){ .first_order = def->format == ABUT_FIELD_FIRST_ORDER };
    AbutHost host = abut_host_resolve(def->host);
    AbutHalfEdges half_edges = { 0 };
    AbutResult result = abut_half_edges_create(&host, mesh, &half_edges);
    if (result == ABUT_OK)
    {
        fill(out, &half_edges);
    }
    abut_half_edges_destroy(&host, &half_edges);
    return result;
}

/// The kink of the edges of a bucket: none of them has less.
static double kink_of(int bucket)
{
    return 2.0 * bucket / ABUT_CREASE_BUCKETS;
}

/// Edges of this total length are in a fraction 8 h L / area of the bricks of 8 cells; with smaller cells the
/// measurement misses them.
static double min_measured_cell(const AbutCreases* self, double length)
{
    return MEASURED_FRACTION * self->area / (8.0 * length);
}

double abut_creases_cell(const AbutCreases* self, double error, double* degrees)
{
    ABUT_ASSERT(error > 0.0);
    double length = 0.0, largest = INFINITY;
    for (int i = ABUT_CREASE_BUCKETS - 1; i > 0; --i) // the first are flat, or nearly
    {
        length += self->lengths[i];
        double fine = error / (MIN_COST[self->first_order] * kink_of(i)),
               measured = min_measured_cell(self, length), cell = fine > measured ? fine : measured;
        if (length > 0.0 && cell < largest)
        {
            largest = cell;
            *degrees = 2.0 * asin(0.5 * kink_of(i)) * 57.29577951308232;
        }
    }
    return largest;
}

double abut_creases_error(const AbutCreases* self, double cell)
{
    double length = 0.0;
    for (int i = ABUT_CREASE_BUCKETS - 1; i > 0; --i)
    {
        length += self->lengths[i];
        if (length > 0.0 && cell >= min_measured_cell(self, length))
        {
            return USUAL_COST[self->first_order] * kink_of(i) * cell;
        }
    }
    return 0.0;
}
