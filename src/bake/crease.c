#include "bake/crease.h"

#include "base/memory.h"
#include "mesh/corners.h"
#include "mesh/half_edges.h"

#include <math.h>

/// Part of a cell that edges cost per kink, by the order of the field: at least, under all that was measured
/// (crease.h), and usually.
static const double MIN_COST[2] = { 0.15, 0.08 }, USUAL_COST[2] = { 0.25, 0.15 };

/// Part of the bricks near the surface that must hold such edges for a measure of 256 of them, or fewer, to
/// meet some.
static const double MEASURED_FRACTION = 0.05;

/// The unit normal, or zero without area; returns the area.
static double find_normal(const AbutMesh* mesh, uint32_t triangle, double out[3])
{
    double corners[3][3], a[3], b[3];
    abut_load_triangle(mesh, triangle, corners);
    abut_array3_sub(corners[1], corners[0], a);
    abut_array3_sub(corners[2], corners[0], b);
    abut_array3_cross(a, b, out);
    double length = abut_array3_length(out);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = length > 0.0 ? out[i] / length : 0.0;
    }
    return 0.5 * length;
}

/// Adds the edge from a corner to the next, which two triangles share.
static void add_edge(AbutCreases* self, const AbutMesh* mesh, uint32_t corner, uint32_t twin)
{
    double normals[2][3], from[3], to[3], along[3], kink[3];
    if (!(find_normal(mesh, corner / 3, normals[0]) > 0.0) ||
        !(find_normal(mesh, twin / 3, normals[1]) > 0.0))
    {
        return;
    }
    abut_array3_from_vec3(mesh->vertices[mesh->indices[corner]], from);
    abut_array3_from_vec3(mesh->vertices[mesh->indices[abut_next_corner(corner)]], to);
    abut_array3_sub(to, from, along);
    abut_array3_sub(normals[0], normals[1], kink);
    int bucket = (int)(0.5 * ABUT_CREASE_BUCKETS * abut_array3_length(kink));
    self->lengths[bucket < ABUT_CREASE_BUCKETS ? bucket : ABUT_CREASE_BUCKETS - 1] +=
        abut_array3_length(along);
}

static void fill(AbutCreases* self, const AbutHalfEdges* half_edges)
{
    const AbutMesh* mesh = half_edges->mesh;
    for (uint32_t corner = 0; corner < 3 * mesh->triangle_count; ++corner)
    {
        double normal[3];
        uint32_t twin = half_edges->twins[corner];
        self->area += corner % 3 == 0 ? find_normal(mesh, corner / 3, normal) : 0.0;
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

/// Edges of this length in all are in a part 8 h L / area of the bricks of 8 cells; in smaller cells the
/// measure passes over them.
static double min_measured_cell(const AbutCreases* self, double length)
{
    return MEASURED_FRACTION * self->area / (8.0 * length);
}

double abut_creases_cell(const AbutCreases* self, double error, double* degrees)
{
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
