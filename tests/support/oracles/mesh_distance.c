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
        double corner[3][3], closest[3];
        for (size_t k = 0; k < 3; ++k)
        {
            AbutVec3 v = vertices[indices[3 * t + k]];
            corner[k][0] = v.x;
            corner[k][1] = v.y;
            corner[k][2] = v.z;
        }
        best = fmin(best, abut_triangle_closest_point(corner[0], corner[1], corner[2], p, closest));
    }
    return sqrt(best);
}
