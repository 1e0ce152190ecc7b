// Hulls of triangles and of other hulls.
#include "decompose/piece_hull.h"

#include "base/memory.h"

#include <string.h>

AbutResult abut_piece_hull_of_triangles(const AbutSolid* solid, const uint32_t* triangles, uint32_t count,
                                        AbutHull** out)
{
    const AbutMesh* mesh = solid->half_edges.mesh;
    *out = NULL;
    AbutVec3* points = abut_memory_allocate(&solid->host, 3 * (size_t)count, sizeof(AbutVec3));
    if (points == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t* corners = mesh->indices + 3 * (size_t)triangles[i];
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            points[3 * (size_t)i + corner] = mesh->vertices[corners[corner]];
        }
    }
    AbutResult result = abut_hull_create(points, 3 * (size_t)count, &solid->host, out);
    abut_memory_free(&solid->host, points, 3 * (size_t)count, sizeof(AbutVec3));
    return result;
}

AbutResult abut_piece_hull_of_hulls(const AbutHost* host, const AbutHull* a, const AbutHull* b,
                                    AbutHull** out)
{
    *out = NULL;
    size_t count = (size_t)a->vertex_count + b->vertex_count;
    AbutVec3* points = abut_memory_allocate(host, count, sizeof(AbutVec3));
    if (points == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(points, abut_hull_positions(a), a->vertex_count * sizeof(AbutVec3));
    memcpy(points + a->vertex_count, abut_hull_positions(b), b->vertex_count * sizeof(AbutVec3));
    AbutResult result = abut_hull_create(points, count, host, out);
    abut_memory_free(host, points, count, sizeof(AbutVec3));
    return result;
}

AbutDVec3 abut_piece_face_middle(const AbutHull* hull, uint32_t face)
{
    const AbutHullFace* polygon = &abut_hull_faces(hull)[face];
    AbutDVec3 sum = abut_dvec3_zero();
    for (uint32_t i = 0; i < polygon->count; ++i)
    {
        sum = abut_dvec3_add(sum, abut_hull_position(hull, abut_hull_tail(hull, polygon->first + i)));
    }
    return abut_dvec3_div(sum, polygon->count);
}

double abut_piece_hull_height(const AbutHull* hull, AbutDVec3 point)
{
    const AbutHullFace* faces = abut_hull_faces(hull);
    double height = hull->face_count > 0 ? -INFINITY : INFINITY;
    for (uint32_t face = 0; face < hull->face_count; ++face)
    {
        height = abut_larger(abut_dvec3_dot(faces[face].normal, point) - faces[face].offset, height);
    }
    return height;
}

double abut_piece_hull_volume(const AbutHull* hull)
{
    const AbutHullFace* faces = abut_hull_faces(hull);
    double sum = 0.0;
    for (uint32_t face = 0; hull->dimension == 3 && face < hull->face_count; ++face)
    {
        AbutDVec3 a =
            abut_dvec3_sub(abut_hull_position(hull, abut_hull_tail(hull, faces[face].first)), hull->interior);
        for (uint32_t i = 1; i + 1 < faces[face].count; ++i)
        {
            uint32_t edge = faces[face].first + i;
            AbutDVec3 b = abut_hull_position(hull, abut_hull_tail(hull, edge));
            AbutDVec3 c = abut_hull_position(hull, abut_hull_tail(hull, edge + 1));
            AbutDVec3 across =
                abut_dvec3_cross(abut_dvec3_sub(b, hull->interior), abut_dvec3_sub(c, hull->interior));
            sum += abut_dvec3_dot(a, across);
        }
    }
    return sum / 6.0;
}
