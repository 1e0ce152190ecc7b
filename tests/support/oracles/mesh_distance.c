#include "support/oracles/mesh_distance.h"

#include "mesh/triangle/closest_point.h"

#include <math.h>

double test_mesh_distance(const AbutMesh* mesh, const double p[3])
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    double best = INFINITY;
    for (size_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        AbutDVec3 corner[3];
        for (size_t k = 0; k < 3; ++k)
        {
            corner[k] = abut_dvec3_from_vec3(vertices[indices[3 * t + k]]);
        }
        best = fmin(best, abut_triangle_closest_feature(corner, abut_dvec3_from_array(p)).squared);
    }
    return sqrt(best);
}
