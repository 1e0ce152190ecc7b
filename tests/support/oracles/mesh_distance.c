#include "support/oracles/mesh_distance.h"

#include "mesh/triangle/closest_point.h"

#include <math.h>

/// Squared distance of a point from the box of a triangle: none of its points is closer.
static double box_distance(const AbutDVec3 corner[3], AbutDVec3 p)
{
    AbutDVec3 low = abut_dvec3_min(abut_dvec3_min(corner[0], corner[1]), corner[2]);
    AbutDVec3 high = abut_dvec3_max(abut_dvec3_max(corner[0], corner[1]), corner[2]);
    AbutDVec3 off = abut_dvec3_max(abut_dvec3_sub(low, p), abut_dvec3_sub(p, high));
    return abut_dvec3_squared_length(abut_dvec3_max(off, abut_dvec3_zero()));
}

double test_mesh_distance(const AbutMesh* mesh, const double p[3])
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    AbutDVec3 at = abut_dvec3_from_array(p);
    double best = INFINITY;
    for (size_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        AbutDVec3 corner[3];
        for (size_t k = 0; k < 3; ++k)
        {
            corner[k] = abut_dvec3_from_vec3(vertices[indices[3 * t + k]]);
        }
        if (box_distance(corner, at) <= best * (1.0 + 1e-12)) // roundings are far below
        {
            best = fmin(best, abut_triangle_closest_feature(corner, at).squared);
        }
    }
    return sqrt(best);
}
